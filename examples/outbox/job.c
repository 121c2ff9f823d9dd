/* One job of the outbox, and the decisions about it. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"

static const char *const names[] = { "waiting", "sending", "delivered", "given_up" };

const char *job_state_name(enum job_state state)
{
    return names[state];
}

enum job_state job_state_of(const char *name)
{
    unsigned i = 0;
    while (i < JOB_GIVEN_UP && strcmp(name, names[i]) != 0)
        i++;
    return (enum job_state)i;
}

void job_free(struct job *job)
{
    free(job->url);
    free(job->body);
    memset(job, 0, sizeof *job);
}

/* It is 0 if the clock stepped back, and saturates. */
static uint32_t ms_between(int64_t from_ms, int64_t to_ms)
{
    uint64_t ms = (uint64_t)to_ms - (uint64_t)from_ms;
    if (to_ms <= from_ms)
        return 0;
    return ms < UINT32_MAX ? (uint32_t)ms : UINT32_MAX;
}

/* Continues the stored call. elapsed_ms comes from the wall clock, so it includes the wait and the time without a
   worker. The clock that the call itself gets is always 0. */
static bool resume(struct redial_call *call, const struct job *job, const struct redial_policy *policy, int64_t now_ms)
{
    uint32_t since_ms = job->counted_ms ? ms_between(job->counted_ms, now_ms) : 0;
    uint32_t elapsed_ms = job->elapsed_ms > UINT32_MAX - since_ms ? UINT32_MAX : job->elapsed_ms + since_ms;
    return redial_resume(call, policy, job->retries, elapsed_ms, 0);
}

static enum job_state state_after(enum redial_verdict verdict)
{
    if (verdict == REDIAL_RETRY)
        return JOB_WAITING;
    return verdict == REDIAL_DONE ? JOB_DELIVERED : JOB_GIVEN_UP;
}

struct redial_step job_decide(struct job *job, const struct redial_policy *policy, struct redial_outcome outcome,
                              int64_t now_ms, uint32_t random)
{
    struct redial_call call;
    struct redial_step step = { REDIAL_INVALID, 0, 0 };
    if (resume(&call, job, policy, now_ms)) {
        step = redial_next(&call, outcome, 0, random);
        job->retries = redial_retries(&call);
        job->elapsed_ms = redial_elapsed_ms(&call, 0);
    }
    job->counted_ms = now_ms;
    job->verdict = step.verdict;
    job->state = state_after(step.verdict);
    job->due_ms = step.verdict == REDIAL_RETRY ? now_ms + step.delay_ms : now_ms;
    return step;
}

void job_hold(struct job *job, const struct redial_policy *policy, uint32_t lease_ms, int64_t now_ms, uint32_t random)
{
    job_decide(job, policy, redial_retry(0), now_ms + lease_ms, random);
    job->attempts++;
    job->state = JOB_SENDING;
    snprintf(job->answer, sizeof job->answer, "unknown: the worker ended");
}

bool job_died_in_the_last_attempt(const struct job *job)
{
    return job->state == JOB_SENDING && job->verdict != REDIAL_RETRY;
}

uint32_t job_gate_left_ms(const struct job *job, const struct redial_policy *policy, int64_t now_ms)
{
    int64_t end_ms = job->gate_ms;
    if (job->closed_ms > now_ms)
        return 0;
    if (end_ms > job->closed_ms + policy->max_retry_after_ms)
        end_ms = job->closed_ms + policy->max_retry_after_ms;
    return ms_between(now_ms, end_ms);
}

struct redial_step job_postpone(struct job *job, const struct redial_policy *policy, uint32_t ms, int64_t now_ms,
                                uint32_t random)
{
    struct redial_policy patient = *policy;
    struct redial_call call;
    struct redial_step step;
    patient.max_elapsed_ms = 0;
    patient.max_retry_after_ms = UINT32_MAX;
    redial_begin(&call, &patient, 0);
    step = redial_next(&call, redial_postponed(ms), 0, random);
    job->state = JOB_WAITING;
    job->verdict = step.verdict;
    job->due_ms = now_ms + step.delay_ms;
    return step;
}
