/* The jobs, the attempts that were made, and the gates of the hosts, in a database. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

#define VALUES(...) (const struct db_value[]){ __VA_ARGS__ }, \
                    sizeof (struct db_value[]){ __VA_ARGS__ } / sizeof(struct db_value)

/* ---- writing a job ---- */

bool store_add(struct db *db, struct job *job)
{
    if (!db_now_ms(db, &job->created_ms)
        || !db_run(db, "INSERT INTO jobs (url, host, body, key, state, created_ms, due_ms, attempts, retries,"
                       " elapsed_ms, counted_ms, verdict, answer)"
                       " VALUES ($1, $2, $3, $4, 'waiting', $5, $5, 0, 0, 0, $5, 'retry', '') RETURNING id",
                   VALUES(db_text(job->url), db_text(job->host), db_bytes(job->body, job->length), db_text(job->key),
                          db_number(job->created_ms)))
        || !db_row(db))
        return false;
    job->id = db_number_at(db, 0);
    return !db_row(db) && !db->error[0];   /* SQLite ends the statement, and so commits */
}

/* ---- reading a job ---- */

static char *copy(const char *bytes, size_t length)
{
    char *out = malloc(length + 1);
    if (out) {
        memcpy(out, bytes, length);
        out[length] = '\0';
    }
    return out;
}

static void copy_into(char *out, size_t size, const struct db *db, int column)
{
    snprintf(out, size, "%s", db_column(db, column, NULL));
}

static enum redial_verdict verdict_of(const char *name)
{
    unsigned verdict = 0;
    while (verdict < REDIAL_INVALID && strcmp(name, redial_verdict_name(verdict)) != 0)
        verdict++;
    return (enum redial_verdict)verdict;
}

#define COLUMNS "id, url, host, body, key, state, created_ms, due_ms, attempts, retries, elapsed_ms, counted_ms," \
                " verdict, answer, COALESCE((SELECT closed_until_ms FROM gates WHERE gates.host = jobs.host), 0)"

static bool read_job(struct db *db, struct job *job)
{
    const char *body = db_column(db, 3, &job->length);
    job->body = copy(body, job->length);
    job->url = copy(db_column(db, 1, NULL), strlen(db_column(db, 1, NULL)));
    job->id = db_number_at(db, 0);
    copy_into(job->host, sizeof job->host, db, 2);
    copy_into(job->key, sizeof job->key, db, 4);
    job->state = job_state_of(db_column(db, 5, NULL));
    job->created_ms = db_number_at(db, 6);
    job->due_ms = db_number_at(db, 7);
    job->attempts = (uint32_t)db_number_at(db, 8);
    job->retries = (uint32_t)db_number_at(db, 9);
    job->elapsed_ms = (uint32_t)db_number_at(db, 10);
    job->counted_ms = db_number_at(db, 11);
    job->verdict = verdict_of(db_column(db, 12, NULL));
    copy_into(job->answer, sizeof job->answer, db, 13);
    job->gate_ms = db_number_at(db, 14);
    if (!job->body || !job->url)
        snprintf(db->error, sizeof db->error, "there is no memory for a job");
    return job->body && job->url;
}

static bool select_due(struct db *db, int64_t now_ms)
{
    char sql[640];
    snprintf(sql, sizeof sql, "SELECT " COLUMNS " FROM jobs WHERE state IN ('waiting', 'sending') AND due_ms <= $1"
                              " ORDER BY due_ms, id LIMIT 1 %s", db->driver->skip_locked);
    return db_run(db, sql, VALUES(db_number(now_ms)));
}

enum store_found store_lock_due(struct db *db, struct job *job, int64_t *now_ms)
{
    enum store_found found = STORE_FAILED;
    memset(job, 0, sizeof *job);
    if (db_begin(db) && db_now_ms(db, now_ms) && select_due(db, *now_ms)) {
        if (db_row(db))
            found = read_job(db, job) ? STORE_FOUND : STORE_FAILED;
        else if (!db->error[0])
            found = STORE_NONE;
    }
    if (found != STORE_FOUND)
        db_rollback(db);
    return found;
}

/* ---- the steps of a worker ---- */

static bool commit_or_roll_back(struct db *db, bool ok)
{
    if (ok && db_commit(db))
        return true;
    db_rollback(db);
    return false;
}

/* Writes nothing if another worker has begun an attempt since: there are then more attempts than this worker knows. */
static bool write_job(struct db *db, const struct job *job, uint32_t attempts)
{
    return db_run(db, "UPDATE jobs SET state = $1, due_ms = $2, attempts = $3, retries = $4, elapsed_ms = $5,"
                      " counted_ms = $6, verdict = $7, answer = $8 WHERE id = $9 AND attempts = $10",
                  VALUES(db_text(job_state_name(job->state)), db_number(job->due_ms), db_number(job->attempts),
                         db_number(job->retries), db_number(job->elapsed_ms), db_number(job->counted_ms),
                         db_text(redial_verdict_name(job->verdict)), db_text(job->answer), db_number(job->id),
                         db_number(attempts)));
}

bool store_hold(struct db *db, const struct job *job, int64_t was_due_ms, int64_t now_ms)
{
    bool ok = write_job(db, job, job->attempts - 1)
              && db_run(db, "INSERT INTO attempts (job, number, was_due_ms, started_ms, verdict, next_due_ms, answer)"
                            " VALUES ($1, $2, $3, $4, $5, $6, $7)",
                        VALUES(db_number(job->id), db_number(job->attempts), db_number(was_due_ms), db_number(now_ms),
                               db_text(redial_verdict_name(job->verdict)), db_number(job->due_ms),
                               db_text(job->answer)));
    return commit_or_roll_back(db, ok);
}

bool store_put_off(struct db *db, const struct job *job)
{
    return commit_or_roll_back(db, write_job(db, job, job->attempts));
}

static bool write_attempt(struct db *db, const struct job *job)
{
    return db_run(db, "UPDATE attempts SET ended_ms = $1, verdict = $2, next_due_ms = $3, answer = $4"
                      " WHERE job = $5 AND number = $6",
                  VALUES(db_number(job->counted_ms), db_text(redial_verdict_name(job->verdict)),
                         db_number(job->due_ms), db_text(job->answer), db_number(job->id), db_number(job->attempts)));
}

/* A later end that another worker wrote is kept. */
static bool write_gate(struct db *db, const struct job *job)
{
    return job->gate_ms <= job->counted_ms
           || db_run(db, "INSERT INTO gates (host, closed_until_ms) VALUES ($1, $2) ON CONFLICT (host) DO UPDATE"
                         " SET closed_until_ms = excluded.closed_until_ms"
                         " WHERE gates.closed_until_ms < excluded.closed_until_ms",
                     VALUES(db_text(job->host), db_number(job->gate_ms)));
}

bool store_finish(struct db *db, const struct job *job, bool *kept)
{
    bool ok = db_begin(db) && write_job(db, job, job->attempts);
    *kept = ok && db->changed == 1;
    return commit_or_roll_back(db, ok && write_gate(db, job) && (!*kept || write_attempt(db, job)));
}

/* ---- the jobs that are left ---- */

bool store_outlook(struct db *db, int64_t *left, int64_t *due_ms)
{
    if (!db_run(db, "SELECT COUNT(*), COALESCE(MIN(due_ms), 0) FROM jobs WHERE state IN ('waiting', 'sending')",
                NULL, 0)
        || !db_row(db))
        return false;
    *left = db_number_at(db, 0);
    *due_ms = db_number_at(db, 1);
    return !db_row(db) && !db->error[0];
}
