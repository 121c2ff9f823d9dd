/* Delivers the jobs of a store, one after the other. SPDX-License-Identifier: MIT */
#ifndef OUTBOX_WORKER_H
#define OUTBOX_WORKER_H

#include "send.h"
#include "store.h"

struct worker {
    const char *store;             /* its name, for db_open */
    struct redial_policy policy;   /* of each job; its attempt_ms is not 0 */
    uint32_t lease_ms;             /* how long a worker has a job for itself: above attempt_ms */
    bool once;                     /* it ends when nothing is due */
    struct redial_env env;         /* env.cancelled ends the worker and its attempt */
    /* ---- private ---- */
    struct db db;
    CURL *curl;
    bool opened;                   /* the store was opened at least once */
    int64_t worked_ms;             /* how long workers have worked on the store ... */
    uint32_t counted_ms;           /* ... at this reading of env.now_ms */
};

/* Returns the program's exit status. Prints messages to stderr. */
int worker_run(struct worker *worker);

#endif
