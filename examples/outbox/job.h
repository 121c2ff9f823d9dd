/* One job of the outbox, and its decisions, without store, network or clock. SPDX-License-Identifier: MIT */
#ifndef OUTBOX_JOB_H
#define OUTBOX_JOB_H

#include <stddef.h>

#include "redial.h"

enum job_state { JOB_WAITING = 0, JOB_SENDING, JOB_DELIVERED, JOB_GIVEN_UP };

/* All times are milliseconds since 1970 by the clock of the store, so they stay valid after a restart. */
struct job {
    int64_t id;
    char *url;
    char host[256];             /* with the port if the URL has one; jobs of one host share a gate */
    char *body;
    size_t length;
    char key[33];               /* the idempotency key: the same in all attempts */
    enum job_state state;
    int64_t due_ms;             /* no worker makes an attempt before it */
    int64_t closed_ms;          /* the gate of its host was closed then, ... */
    int64_t gate_ms;            /* ... until then */
    uint32_t attempts;          /* how many have begun */
    uint32_t retries;           /* redial_retries */
    uint32_t elapsed_ms;        /* redial_elapsed_ms ... */
    int64_t counted_ms;         /* ... at this time. 0: no attempt was made, and no time counts */
    char verdict[16];           /* of the last decision, as text */
    char answer[128];           /* the result of the last attempt, as text */
};

void job_free(struct job *job);

/* Decides at now_ms after that outcome: the job waits until its due_ms, is delivered, or is given up. */
void job_decide(struct job *job, const struct redial_policy *policy, struct redial_outcome outcome, int64_t now_ms,
                uint32_t random);

/* Call it before an attempt, and store the job. It decides as if the attempt failed when the lease ends. So if a worker
   dies in the attempt, nothing must be repaired, and other workers do not take the job before the lease ends. */
void job_hold(struct job *job, const struct redial_policy *policy, uint32_t lease_ms, int64_t now_ms, uint32_t random);

/* The time until the gate of its host opens. 0: it is open. A gate is believed for policy->max_retry_after_ms, which is
   not 0. One that will be closed in the future was written when the clock was wrong. */
uint32_t job_gate_left_ms(const struct job *job, const struct redial_policy *policy, int64_t now_ms);

/* The job waits so long, and a random time, at a gate or because the worker ended in the attempt. That costs no retry,
   and no limit applies, so that no job is given up untried. */
void job_postpone(struct job *job, const struct redial_policy *policy, uint32_t ms, int64_t now_ms, uint32_t random);

#endif
