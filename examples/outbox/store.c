/* The jobs, and the gates of the hosts, in a database. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

#define VALUES(...) (const struct db_value[]){ __VA_ARGS__ }, \
                    sizeof (struct db_value[]){ __VA_ARGS__ } / sizeof(struct db_value)

#define OPEN "state IN ('waiting', 'sending')"   /* the jobs that the index has */

/* ---- the tables ---- */

/* In one transaction, because several workers may start at the same moment. */
bool store_open(struct db *db, const char *name, const struct redial_env *env)
{
    char jobs[640];
    if (!db_open(db, name, env))
        return false;
    snprintf(jobs, sizeof jobs,
             "CREATE TABLE IF NOT EXISTS jobs (id %s, url TEXT NOT NULL, host TEXT NOT NULL, body BYTEA NOT NULL,"
             " key TEXT NOT NULL UNIQUE, state TEXT NOT NULL, created_ms BIGINT NOT NULL, due_ms BIGINT NOT NULL,"
             " attempts BIGINT NOT NULL, retries BIGINT NOT NULL, elapsed_ms BIGINT NOT NULL,"
             " counted_ms BIGINT NOT NULL, verdict TEXT NOT NULL, answer TEXT NOT NULL)", db->driver->id_type);
    if (db_end(db, db_begin(db) && db_run(db, db->driver->lock_schema, NULL, 0) && db_run(db, jobs, NULL, 0)
                   && db_run(db, "CREATE INDEX IF NOT EXISTS jobs_due ON jobs (due_ms) WHERE " OPEN, NULL, 0)
                   && db_run(db, "CREATE TABLE IF NOT EXISTS closings (host TEXT PRIMARY KEY, closed_ms BIGINT,"
                                 " until_ms BIGINT)", NULL, 0)))
        return true;
    db_close(db);
    return false;
}

/* ---- writing a job ---- */

bool store_add(struct db *db, struct job *job)
{
    int64_t now_ms;
    return db_now_ms(db, &now_ms)
           && db_one_number(db, "INSERT INTO jobs (url, host, body, key, state, created_ms, due_ms, attempts, retries,"
                                " elapsed_ms, counted_ms, verdict, answer)"
                                " VALUES ($1, $2, $3, $4, 'waiting', $5, $5, 0, 0, 0, 0, 'retry', '') RETURNING id",
                            VALUES(db_text(job->url), db_text(job->host), db_bytes(job->body, job->length),
                                   db_text(job->key), db_number(now_ms)), &job->id);
}

bool store_requeue(struct db *db, int64_t id)
{
    int64_t now_ms;
    return db_now_ms(db, &now_ms)
           && db_run(db, "UPDATE jobs SET state = 'waiting', verdict = 'retry', retries = 0, elapsed_ms = 0,"
                         " counted_ms = 0, due_ms = $1 WHERE state = 'given_up' AND (id = $2 OR $2 = 0)",
                     VALUES(db_number(now_ms), db_number(id)));
}

/* ---- reading a job ---- */

static char *copy(const struct db *db, int column, size_t *length)
{
    const char *bytes = db_column(db, column, length);
    char *out = malloc(*length + 1);
    if (out)
        memcpy(out, bytes, *length + 1);
    return out;
}

static void copy_into(char *out, size_t size, const struct db *db, int column)
{
    snprintf(out, size, "%s", db_column(db, column, NULL));
}

#define COLUMNS "id, url, jobs.host, body, key, state, due_ms, attempts, retries, elapsed_ms, counted_ms, verdict," \
                " answer, COALESCE(closed_ms, 0), COALESCE(until_ms, 0)"

static bool read_job(struct db *db, struct job *job)
{
    size_t ignored;
    job->id = db_number_at(db, 0);
    job->url = copy(db, 1, &ignored);
    copy_into(job->host, sizeof job->host, db, 2);
    job->body = copy(db, 3, &job->length);
    copy_into(job->key, sizeof job->key, db, 4);
    job->state = strcmp(db_column(db, 5, NULL), "sending") == 0 ? JOB_SENDING : JOB_WAITING;
    job->due_ms = db_number_at(db, 6);
    job->attempts = (uint32_t)db_number_at(db, 7);
    job->retries = (uint32_t)db_number_at(db, 8);
    job->elapsed_ms = (uint32_t)db_number_at(db, 9);
    job->counted_ms = db_number_at(db, 10);
    copy_into(job->verdict, sizeof job->verdict, db, 11);
    copy_into(job->answer, sizeof job->answer, db, 12);
    job->closed_ms = db_number_at(db, 13);
    job->gate_ms = db_number_at(db, 14);
    if (!job->body || !job->url)
        snprintf(db->error, sizeof db->error, "there is no memory for a job");
    return job->body && job->url;
}

enum store_found store_lock_due(struct db *db, struct job *job, int64_t *now_ms)
{
    enum store_found found = STORE_FAILED;
    char sql[640];
    snprintf(sql, sizeof sql, "SELECT " COLUMNS " FROM jobs LEFT JOIN closings ON closings.host = jobs.host"
                              " WHERE " OPEN " AND due_ms <= $1"
                              " ORDER BY due_ms, id LIMIT 1 %s", db->driver->skip_locked);
    memset(job, 0, sizeof *job);
    if (db_begin(db) && db_now_ms(db, now_ms) && db_run(db, sql, VALUES(db_number(*now_ms)))) {
        if (db_row(db))
            found = read_job(db, job) ? STORE_FOUND : STORE_FAILED;
        else if (!db->error[0])
            found = STORE_NONE;
    }
    if (found != STORE_FOUND)
        db_end(db, false);
    return found;
}

/* ---- the steps of a worker ---- */

/* Writes nothing if the job has not that many attempts. ANY: the row is locked. Damaged values are replaced, so that
   they stop no worker. */
#define ANY (-1)

static bool write_job(struct db *db, const struct job *job, int64_t attempts)
{
    static const char *const states[] = { "waiting", "sending", "delivered", "given_up" };
    return db_run(db, "UPDATE jobs SET state = $1, due_ms = $2, attempts = $3, retries = $4, elapsed_ms = $5,"
                      " counted_ms = $6, verdict = $7, answer = $8 WHERE id = $9 AND (attempts = $10 OR $10 < 0)",
                  VALUES(db_text(states[job->state]), db_number(job->due_ms), db_number(job->attempts),
                         db_number(job->retries), db_number(job->elapsed_ms), db_number(job->counted_ms),
                         db_text(job->verdict), db_text(job->answer), db_number(job->id),
                         db_number(attempts)));
}

bool store_put(struct db *db, const struct job *job)
{
    return db_end(db, write_job(db, job, ANY));
}

/* A later end that another worker wrote is kept, unless its clock was wrong. */
static bool write_gate(struct db *db, const struct job *job, int64_t now_ms)
{
    return job->gate_ms <= now_ms
           || db_run(db, "INSERT INTO closings (host, closed_ms, until_ms) VALUES ($1, $2, $3) ON CONFLICT (host)"
                         " DO UPDATE SET closed_ms = excluded.closed_ms, until_ms = excluded.until_ms"
                         " WHERE closings.until_ms < excluded.until_ms OR closings.closed_ms > excluded.closed_ms",
                     VALUES(db_text(job->host), db_number(now_ms), db_number(job->gate_ms)));
}

bool store_finish(struct db *db, const struct job *job, int64_t now_ms, bool *kept)
{
    bool ok = db_begin(db) && write_job(db, job, job->attempts);
    *kept = ok && db->changed == 1;
    return db_end(db, ok && write_gate(db, job, now_ms));
}

bool store_let_others_go_first(struct db *db, const char *host, int64_t now_ms)
{
    char sql[400];
    snprintf(sql, sizeof sql, "UPDATE jobs SET due_ms = $1 WHERE id IN (SELECT id FROM jobs WHERE " OPEN
                              " AND due_ms < $1 AND host = $2 %s)"
                              " AND EXISTS (SELECT 1 FROM jobs WHERE " OPEN " AND due_ms < $1 AND host <> $2)",
             db->driver->skip_locked);
    return db_run(db, sql, VALUES(db_number(now_ms), db_text(host)));
}

bool store_next_due(struct db *db, int64_t *due_ms)
{
    return db_one_number(db, "SELECT COALESCE(MIN(due_ms), 0) FROM jobs WHERE " OPEN, NULL, 0, due_ms);
}
