/* One job of the outbox, and what becomes of it: no store, no network, no clock. SPDX-License-Identifier: MIT */
#ifndef OUTBOX_JOB_H
#define OUTBOX_JOB_H

#include <stddef.h>

#include "redial.h"

enum job_state { JOB_WAITING = 0, JOB_SENDING, JOB_DELIVERED, JOB_GIVEN_UP };

/* All times are milliseconds since 1970 by the clock of the store, so they survive a restart. */
struct job {
    int64_t id;
    char *url;
    char host[256];             /* with its port, if the URL has one: what shares a gate */
    char *body;
    size_t length;
    char key[33];               /* the idempotency key: the same in all attempts */
    enum job_state state;
    int64_t created_ms;
    int64_t due_ms;             /* no attempt before it, by any worker */
    int64_t gate_ms;            /* the gate of its host is closed until then */
    uint32_t attempts;          /* begun so far */
    uint32_t retries;           /* redial_retries */
    uint32_t elapsed_ms;        /* redial_elapsed_ms ... */
    int64_t counted_ms;         /* ... and the time up to which it has counted */
    enum redial_verdict verdict;
    char answer[128];           /* of the last attempt, in words */
};

void job_free(struct job *job);

/* "waiting", "sending", "delivered", "given_up" */
const char *job_state_name(enum job_state state);
enum job_state job_state_of(const char *name);

/* The decision at now_ms after that outcome: RETRY (the job waits until its due_ms), DONE, or why it is given up. */
struct redial_step job_decide(struct job *job, const struct redial_policy *policy, struct redial_outcome outcome,
                              int64_t now_ms, uint32_t random);

/* What is to be stored before an attempt. It is the decision for an attempt that fails when the lease ends, so a worker
   that dies in the attempt needs nobody to clean up after it, and the due time keeps other workers away till then. */
void job_hold(struct job *job, const struct redial_policy *policy, uint32_t lease_ms, int64_t now_ms, uint32_t random);

/* The worker died in the last attempt that the job had. */
bool job_died_in_the_last_attempt(const struct job *job);

/* redial_timeout_ms for an attempt at now_ms. 0: no time is left. */
uint32_t job_timeout_ms(const struct job *job, const struct redial_policy *policy, int64_t now_ms);

/* How long the gate of its host stays closed from now_ms on. 0: it is open. */
uint32_t job_gate_left_ms(const struct job *job, int64_t now_ms);

#endif
