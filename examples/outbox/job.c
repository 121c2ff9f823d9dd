/* One job of the outbox, and the decisions about it. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "job.h"

void job_free(struct job *job)
{
    free(job->url);
    free(job->body);
}

/* It is 0 if the clock stepped back, and saturates. */
static uint32_t ms_between(int64_t from_ms, int64_t to_ms)
{
    uint64_t ms = (uint64_t)to_ms - (uint64_t)from_ms;
    if (to_ms <= from_ms)
        return 0;
    return ms < UINT32_MAX ? (uint32_t)ms : UINT32_MAX;
}

static void set_verdict(struct job *job, struct redial_step step, int64_t now_ms)
{
    snprintf(job->verdict, sizeof job->verdict, "%s", redial_verdict_name(step.verdict));
    job->state = step.verdict == REDIAL_DONE ? JOB_DELIVERED : JOB_GIVEN_UP;
    job->due_ms = now_ms;
    if (step.verdict == REDIAL_RETRY) {
        job->state = JOB_WAITING;
        job->due_ms = now_ms + step.delay_ms;
    }
}

/* Continues the stored call. The time comes from the wall clock, so it includes the wait and the time without a worker.
   The clock that the call itself gets is always 0. */
void job_decide(struct job *job, const struct redial_policy *policy, struct redial_outcome outcome, int64_t now_ms,
                uint32_t random)
{
    uint32_t since_ms = job->counted_ms ? ms_between(job->counted_ms, now_ms) : 0;
    uint32_t elapsed_ms = job->elapsed_ms > UINT32_MAX - since_ms ? UINT32_MAX : job->elapsed_ms + since_ms;
    struct redial_step step = { REDIAL_INVALID, 0, 0 };
    struct redial_call call;
    if (redial_resume(&call, policy, job->retries, elapsed_ms, 0)) {
        step = redial_next(&call, outcome, 0, random);
        job->retries = redial_retries(&call);
        job->elapsed_ms = redial_elapsed_ms(&call, 0);
    }
    job->counted_ms = now_ms;
    set_verdict(job, step, now_ms);
}

void job_hold(struct job *job, const struct redial_policy *policy, uint32_t lease_ms, int64_t now_ms, uint32_t random)
{
    job_decide(job, policy, redial_retry(0, 0), now_ms + lease_ms, random);
    job->attempts++;
    job->state = JOB_SENDING;
    snprintf(job->answer, sizeof job->answer, "unknown: the worker ended");
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

void job_postpone(struct job *job, const struct redial_policy *policy, uint32_t ms, int64_t now_ms, uint32_t random)
{
    struct redial_policy patient = *policy;
    struct redial_call call;
    patient.max_elapsed_ms = 0;
    patient.max_retry_after_ms = UINT32_MAX;
    redial_begin(&call, &patient, 0);
    set_verdict(job, redial_next(&call, redial_postponed(ms), 0, random), now_ms);
}
