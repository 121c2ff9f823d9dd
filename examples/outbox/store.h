/* The jobs, and what holds for a whole host, in a database. SPDX-License-Identifier: MIT

   No worker keeps a transaction open while it works. A job is only written if it is still as the
   worker has read it: of two workers that take the same job, one is refused. */
#ifndef OUTBOX_STORE_H
#define OUTBOX_STORE_H

#include "db.h"
#include "job.h"

#define GATE_MIN_MS 1000   /* a gate is closed for at least ... */
#define GATE_MAX_MS 5000   /* ... and at most this long: see redial_gate in redial.h */

enum store_found { STORE_FOUND, STORE_NONE, STORE_FAILED };   /* FAILED: see db->error */

/* What an attempt says about its host, in milliseconds since 1970; 0: nothing. */
struct store_host {
    int64_t gate_ms;   /* nothing is sent to it before then */
    int64_t slow_ms;   /* its jobs that were due before then come after those of all other hosts
                          that were due by then */
};

/* db_open, and creates the tables that are missing. */
bool store_open(struct db *db, const char *name);

/* Sets job->id. The job is due at once. An open transaction includes it. */
bool store_add(struct db *db, struct job *job);

/* A job that was given up begins anew, with its key, and is due. 0: all of them; db->changed says
   how many. */
bool store_requeue(struct db *db, int64_t id);

/* Finds a job that is due, and whose host's gate is open. Free the job afterwards. */
enum store_found store_find_due(struct db *db, struct job *job, int64_t now_ms);

/* Writes `job` in place of `was`, whose attempts and due_ms are those in the store. False in *kept:
   another worker has changed it, and nothing is written. */
bool store_replace(struct db *db, const struct job *job, const struct job *was, bool *kept);

/* The same at the end of an attempt, together with what it says about the host. */
bool store_finish(struct db *db, const struct job *job, const struct job *was,
                  struct store_host host, int64_t now_ms, bool *kept);

/* The time that workers have worked: stores the caller's count, unless another worker's is higher,
   and returns the higher one in *worked_ms. */
bool store_count(struct db *db, int64_t *worked_ms);

#endif
