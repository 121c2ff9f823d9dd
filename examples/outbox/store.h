/* The jobs, the attempts that were made, and the gates of the hosts, in a database. SPDX-License-Identifier: MIT

   A worker goes through these steps, and may die between any two of them:

       store_lock_due          begins a transaction with a job that is due
       store_hold              before an attempt: writes and commits what holds if nobody comes back
       store_finish            after the attempt: writes and commits what has become of it
       store_put_off           instead of both, where no attempt is made */
#ifndef OUTBOX_STORE_H
#define OUTBOX_STORE_H

#include "db.h"
#include "job.h"

enum store_found { STORE_FOUND, STORE_NONE, STORE_FAILED };   /* FAILED: db->error says why */

/* Sets job->id; the job is due at once. It takes part in a transaction that is open. */
bool store_add(struct db *db, struct job *job);

/* The job that has been due for longest and that no other worker has locked, and the time. FOUND leaves a transaction
   open, which one of the next two ends. Free the job afterwards. */
enum store_found store_lock_due(struct db *db, struct job *job, int64_t *now_ms);

/* was_due_ms is for the record. */
bool store_hold(struct db *db, const struct job *job, int64_t was_due_ms, int64_t now_ms);
bool store_put_off(struct db *db, const struct job *job);

/* Closes the gate of the host, too, where job->gate_ms is to come. False in *kept: the lease was over, another worker
   has the job, and what it wrote stays. */
bool store_finish(struct db *db, const struct job *job, bool *kept);

/* How many jobs wait or are being sent, and when the first of them is due. */
bool store_outlook(struct db *db, int64_t *left, int64_t *due_ms);

#endif
