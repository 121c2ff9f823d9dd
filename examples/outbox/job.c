/* One job of the outbox, and its decisions. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"

void job_free(struct job *job)
{
    free(job->url);
    free(job->body);
}

static uint32_t limited(int64_t number)
{
    return number < 0 ? 0 : number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

void job_decide(struct job *job, const struct redial_policy *policy, struct redial_outcome outcome,
                struct job_time time, uint32_t random)
{
    struct redial_step step = { .verdict = REDIAL_INVALID };
    struct redial_call call;   /* continues the stored one; its own clock is always 0 */
    uint32_t elapsed_ms = limited(time.worked_ms - job->began_ms);
    if (redial_resume(&call, policy, limited(job->retries), elapsed_ms, 0))
        step = redial_next(&call, outcome, 0, random);
    job->retries = redial_retries(&call);
    snprintf(job->verdict, sizeof job->verdict, "%s", redial_verdict_name(step.verdict));
    job->state = step.verdict == REDIAL_RETRY  ? JOB_WAITING
                 : step.verdict == REDIAL_DONE ? JOB_DELIVERED
                                               : JOB_GIVEN_UP;
    job->due_ms = time.now_ms + (step.verdict == REDIAL_RETRY ? step.delay_ms : 0);
}

struct job job_begin(struct job *job, const struct redial_policy *policy, uint32_t lease_ms,
                     struct job_time time, uint32_t random)
{
    struct job held;
    job->attempts++;
    if (job->began_ms < 0)
        job->began_ms = time.worked_ms;
    held = *job;
    time.now_ms += lease_ms;
    job_decide(&held, policy, redial_retry(0, 0), time, random);
    held.state = JOB_WAITING;
    snprintf(held.answer, sizeof held.answer, "none yet, or the worker died");
    return held;
}

bool job_is_over(const struct job *job)
{
    return strcmp(job->verdict, redial_verdict_name(REDIAL_RETRY)) != 0;
}
