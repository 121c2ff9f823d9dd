/* Delivers the jobs of a store, one after the other. SPDX-License-Identifier: MIT */
#ifndef OUTBOX_WORKER_H
#define OUTBOX_WORKER_H

#include "send.h"
#include "store.h"

enum worker_until { WORKER_NEVER = 0, WORKER_IDLE, WORKER_EMPTY };

struct worker {
    const char *store;              /* its name, for db_open */
    struct redial_policy policy;    /* of each job; max_retry_after_ms and attempt_ms are not 0 */
    uint32_t lease_ms;              /* how long a worker has a job for itself: more than policy.attempt_ms */
    enum worker_until until;        /* the worker ends when nothing is due (IDLE), or nothing is left (EMPTY) */
    struct redial_env env;          /* env.cancelled ends the worker and its attempt */
    struct db db;
    struct sender sender;
    bool opened;                    /* the store was opened at least once */
};

/* Returns the program's exit status. Prints messages to stderr. */
int worker_run(struct worker *worker);

#endif
