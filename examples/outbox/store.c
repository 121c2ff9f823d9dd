/* The jobs, and what holds for a whole host, in a database. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

/* ---- the tables ---- */

static bool create(struct db *db)
{
    char jobs[640];
    snprintf(jobs, sizeof jobs,
             "CREATE TABLE IF NOT EXISTS jobs (id %s, url TEXT NOT NULL, host TEXT NOT NULL,"
             " body BYTEA NOT NULL, key TEXT NOT NULL UNIQUE, state TEXT NOT NULL,"
             " due_ms BIGINT NOT NULL, attempts BIGINT NOT NULL, retries BIGINT NOT NULL,"
             " began_ms BIGINT NOT NULL, verdict TEXT NOT NULL, answer TEXT NOT NULL)", db_id_type);
    return db_end(db, db_run(db, "BEGIN", DB_NO_VALUES) && db_run(db, jobs, DB_NO_VALUES)
                  && db_run(db, "CREATE INDEX IF NOT EXISTS jobs_due ON jobs (host, due_ms, id)"
                                " WHERE state = 'waiting'", DB_NO_VALUES)
                  && db_run(db, "CREATE TABLE IF NOT EXISTS hosts (host TEXT PRIMARY KEY,"
                                " gate_ms BIGINT NOT NULL, slow_ms BIGINT NOT NULL)", DB_NO_VALUES)
                  && db_run(db, "CREATE TABLE IF NOT EXISTS worked (one INTEGER PRIMARY KEY,"
                                " ms BIGINT NOT NULL)", DB_NO_VALUES));
}

/* If several workers create the tables at once, one succeeds. The others fail in spite of IF NOT
   EXISTS, and find the tables when they try again. */
bool store_open(struct db *db, const char *name)
{
    if (!db_open(db, name))
        return false;
    if (create(db) || create(db))
        return true;
    db_close(db);
    return false;
}

/* ---- jobs come ---- */

bool store_add(struct db *db, struct job *job)
{
    int64_t now_ms;
    return db_now_ms(db, &now_ms)
           && db_one_number(db, "INSERT INTO jobs (url, host, body, key, state, due_ms, attempts,"
                                " retries, began_ms, verdict, answer)"
                                " VALUES ($1, $2, $3, $4, 'waiting', $5, 0, 0, -1, 'retry', '')"
                                " RETURNING id",
                            DB_VALUES(db_text(job->url), db_text(job->host),
                                      db_bytes(job->body, job->length), db_text(job->key),
                                      db_number(now_ms)), &job->id);
}

bool store_requeue(struct db *db, int64_t id)
{
    int64_t now_ms;
    return db_now_ms(db, &now_ms)
           && db_run(db, "UPDATE jobs SET state = 'waiting', verdict = 'retry', retries = 0,"
                         " began_ms = -1, due_ms = $1"
                         " WHERE state = 'given_up' AND (id = $2 OR $2 = 0)",
                     DB_VALUES(db_number(now_ms), db_number(id)));
}

/* ---- a job is found ---- */

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

static bool read_job(struct db *db, struct job *job)
{
    size_t ignored;
    job->state = JOB_WAITING;
    job->id = db_number_at(db, 0);
    job->url = copy(db, 1, &ignored);
    copy_into(job->host, sizeof job->host, db, 2);
    job->body = copy(db, 3, &job->length);
    copy_into(job->key, sizeof job->key, db, 4);
    job->due_ms = db_number_at(db, 5);
    job->attempts = db_number_at(db, 6);
    job->retries = db_number_at(db, 7);
    job->began_ms = db_number_at(db, 8);
    copy_into(job->verdict, sizeof job->verdict, db, 9);
    copy_into(job->answer, sizeof job->answer, db, 10);
    if (!job->body || !job->url)
        snprintf(db->error, sizeof db->error, "there is no memory for a job");
    return job->body && job->url;
}

/* However many jobs a host has, this looks at its first one alone, and skips it while the gate is
   closed: `names` jumps from host to host in the index. So it costs a look for each host that has
   jobs. A gate that ends later than $2, and a host that will have been slow in the future, were
   written when the clock was wrong. */
static const char find_due[] =
    "WITH RECURSIVE names (host) AS ("
    " SELECT MIN(host) FROM jobs WHERE state = 'waiting'"
    " UNION ALL SELECT (SELECT MIN(host) FROM jobs WHERE state = 'waiting' AND host > names.host)"
    " FROM names WHERE names.host IS NOT NULL),"
    " heads (id, due_ms, slow_ms) AS ("
    " SELECT (SELECT id FROM jobs WHERE state = 'waiting' AND host = names.host"
    " ORDER BY due_ms, id LIMIT 1),"
    " (SELECT MIN(due_ms) FROM jobs WHERE state = 'waiting' AND host = names.host),"
    " COALESCE(slow_ms, 0) FROM names LEFT JOIN hosts ON hosts.host = names.host"
    " WHERE gate_ms IS NULL OR gate_ms <= $1 OR gate_ms > $2)"
    " SELECT id, url, host, body, key, due_ms, attempts, retries, began_ms, verdict, answer"
    " FROM jobs WHERE id = (SELECT id FROM heads WHERE due_ms <= $1"
    " ORDER BY CASE WHEN slow_ms BETWEEN due_ms AND $1 THEN slow_ms ELSE due_ms END, id LIMIT 1)";

enum store_found store_find_due(struct db *db, struct job *job, int64_t now_ms)
{
    enum store_found found = STORE_NONE;
    memset(job, 0, sizeof *job);
    if (!db_run(db, find_due, DB_VALUES(db_number(now_ms), db_number(now_ms + GATE_MAX_MS))))
        return STORE_FAILED;
    if (db_row(db))
        found = read_job(db, job) && !db_row(db) ? STORE_FOUND : STORE_FAILED;
    return db->error[0] ? STORE_FAILED : found;
}

/* ---- a job is written ---- */

bool store_replace(struct db *db, const struct job *job, const struct job *was, bool *kept)
{
    static const char *const states[] = { "waiting", "delivered", "given_up" };
    bool ok = db_run(db, "UPDATE jobs SET state = $1, due_ms = $2, attempts = $3, retries = $4,"
                         " began_ms = $5, verdict = $6, answer = $7"
                         " WHERE id = $8 AND state = 'waiting' AND attempts = $9 AND due_ms = $10",
                     DB_VALUES(db_text(states[job->state]), db_number(job->due_ms),
                               db_number(job->attempts), db_number(job->retries),
                               db_number(job->began_ms), db_text(job->verdict),
                               db_text(job->answer), db_number(was->id),
                               db_number(was->attempts), db_number(was->due_ms)));
    *kept = ok && db->changed == 1;
    return ok;
}

/* Of two gates, the one that ends later stays, unless the clock was wrong. */
static bool write_host(struct db *db, const char *name, struct store_host host, int64_t now_ms)
{
    if (host.gate_ms == 0 && host.slow_ms == 0)
        return true;
    return db_run(db, "INSERT INTO hosts (host, gate_ms, slow_ms) VALUES ($1, $2, $3)"
                      " ON CONFLICT (host) DO UPDATE SET"
                      " gate_ms = CASE WHEN hosts.gate_ms BETWEEN excluded.gate_ms AND $4"
                      " THEN hosts.gate_ms ELSE excluded.gate_ms END,"
                      " slow_ms = excluded.slow_ms",
                  DB_VALUES(db_text(name), db_number(host.gate_ms), db_number(host.slow_ms),
                            db_number(now_ms + GATE_MAX_MS)));
}

bool store_finish(struct db *db, const struct job *job, const struct job *was,
                  struct store_host host, int64_t now_ms, bool *kept)
{
    return db_end(db, db_run(db, "BEGIN", DB_NO_VALUES) && store_replace(db, job, was, kept)
                      && write_host(db, job->host, host, now_ms));
}

bool store_count(struct db *db, int64_t *worked_ms)
{
    return db_run(db, "INSERT INTO worked (one, ms) VALUES (1, $1) ON CONFLICT (one)"
                      " DO UPDATE SET ms = excluded.ms WHERE worked.ms < excluded.ms",
                  DB_VALUES(db_number(*worked_ms)))
           && db_one_number(db, "SELECT ms FROM worked", DB_NO_VALUES, worked_ms);
}
