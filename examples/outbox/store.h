/* The jobs, the attempts that were made, and the gates of the hosts, in a database. SPDX-License-Identifier: MIT

   A worker goes through these steps, and may die between any two of them:

       store_lock_due          begins a transaction with a job that is due
       store_hold              before an attempt: writes and commits the state in case the worker dies
       store_finish            after the attempt: writes and commits its result
       store_put_off           instead of both, if no attempt is made */
#ifndef OUTBOX_STORE_H
#define OUTBOX_STORE_H

#include "db.h"
#include "job.h"

enum store_found { STORE_FOUND, STORE_NONE, STORE_FAILED };   /* FAILED: see db->error */

/* db_open, and creates the tables that are missing. */
bool store_open(struct db *db, const char *name, const struct redial_env *env);

/* Sets job->id. The job is due at once. An open transaction includes it. */
bool store_add(struct db *db, struct job *job);

/* A job that was given up begins anew, with its key. 0: all of them; db->changed says how many. */
bool store_requeue(struct db *db, int64_t id);

/* Finds the job that has been due for longest and that no other worker has locked, and the time. FOUND leaves a
   transaction open, which one of the next two functions ends. Free the job afterwards. */
enum store_found store_lock_due(struct db *db, struct job *job, int64_t *now_ms);

/* False in *kept: the row has values that no worker wrote. It is given up, so that it does not stop the other jobs.
   was_due_ms is stored with the attempt. */
bool store_hold(struct db *db, const struct job *job, int64_t was_due_ms, int64_t now_ms, bool *kept);
bool store_put_off(struct db *db, const struct job *job, bool *kept);

/* Also closes the gate of the host if job->gate_ms is later than now_ms. False in *kept: the lease was over, another
   worker has the job, and its data is kept. */
bool store_finish(struct db *db, const struct job *job, int64_t now_ms, bool *kept);

/* The jobs of this host that are due come after all others that are due now. */
bool store_let_others_go_first(struct db *db, const char *host, int64_t now_ms);

/* Counts the jobs that wait or are being sent, and finds when the first of them is due. */
bool store_outlook(struct db *db, int64_t *left, int64_t *due_ms);

#endif
