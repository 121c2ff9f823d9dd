/* The jobs, and the gates of the hosts, in a database. SPDX-License-Identifier: MIT

   A worker goes through these steps, and may die between any two of them:

       store_lock_due    begins a transaction with a job that is due
       store_put         before an attempt: writes and commits the state in case the worker dies
       store_finish      after the attempt: writes and commits its result */
#ifndef OUTBOX_STORE_H
#define OUTBOX_STORE_H

#include "db.h"
#include "job.h"

enum store_found { STORE_FOUND, STORE_NONE, STORE_FAILED };   /* FAILED: see db->error */

/* db_open, and creates the tables that are missing. */
bool store_open(struct db *db, const char *name, const struct redial_env *env);

/* Sets job->id. The job is due at once. An open transaction includes it. */
bool store_add(struct db *db, struct job *job);

/* A job that was given up begins anew, with its key, and is due. 0: all of them; db->changed says how many. */
bool store_requeue(struct db *db, int64_t id);

/* Finds the job that has been due for longest and that no other worker has locked, and the time. FOUND leaves a
   transaction open, which store_put ends. Free the job afterwards. */
enum store_found store_lock_due(struct db *db, struct job *job, int64_t *now_ms);

bool store_put(struct db *db, const struct job *job);

/* Also closes the gate of the host if job->gate_ms is later than now_ms. False in *kept: the lease was over, another
   worker has the job, and its data is kept. */
bool store_finish(struct db *db, const struct job *job, int64_t now_ms, bool *kept);

/* The jobs of this host that are due come after all others that are due now. */
bool store_let_others_go_first(struct db *db, const char *host, int64_t now_ms);

/* When the first job is due that waits or is being sent. 0: there is none. */
bool store_next_due(struct db *db, int64_t *due_ms);

#endif
