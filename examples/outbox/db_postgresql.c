/* The store in PostgreSQL, for workers on several machines. SPDX-License-Identifier: MIT */
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>

#include "db.h"

#define VALUES_MAX 16
#define INT8_OID 20     /* in PostgreSQL's catalogue; the same in all versions */
#define BYTEA_OID 17

/* The lock is needed because two workers that create the tables at the same moment fail in spite of IF NOT EXISTS. */
static const char *const schema[] = {
    "SELECT pg_advisory_xact_lock(7258415)",
    "CREATE TABLE IF NOT EXISTS jobs (id BIGSERIAL PRIMARY KEY, url TEXT NOT NULL, host TEXT NOT NULL,"
    " body BYTEA NOT NULL, key TEXT NOT NULL UNIQUE, state TEXT NOT NULL, created_ms BIGINT NOT NULL,"
    " due_ms BIGINT NOT NULL, attempts BIGINT NOT NULL, retries BIGINT NOT NULL, elapsed_ms BIGINT NOT NULL,"
    " counted_ms BIGINT NOT NULL, verdict TEXT NOT NULL, answer TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS jobs_due ON jobs (due_ms) WHERE state IN ('waiting', 'sending')",
    "CREATE TABLE IF NOT EXISTS attempts (job BIGINT NOT NULL REFERENCES jobs, number BIGINT NOT NULL,"
    " was_due_ms BIGINT NOT NULL, started_ms BIGINT NOT NULL, ended_ms BIGINT, verdict TEXT NOT NULL,"
    " next_due_ms BIGINT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (job, number))",
    "CREATE TABLE IF NOT EXISTS gates (host TEXT PRIMARY KEY, closed_until_ms BIGINT NOT NULL)",
    NULL,
};

static void clear(struct db *db)
{
    PQclear(db->result);
    db->result = NULL;
}

/* A message of libpq ends with a newline, and may have several lines. */
static bool fail(struct db *db)
{
    const char *text = PQerrorMessage(db->connection);
    if (!*text)
        text = "no answer";
    snprintf(db->error, sizeof db->error, "%.*s", (int)strcspn(text, "\n"), text);
    clear(db);
    return false;
}

/* ---- statements: values as text or bytes, results in binary ---- */

struct parameters {
    Oid types[VALUES_MAX];
    const char *values[VALUES_MAX];
    int lengths[VALUES_MAX], formats[VALUES_MAX];
    char numbers[VALUES_MAX][24];
};

static void set_parameter(struct parameters *all, unsigned i, const struct db_value *value)
{
    all->types[i] = value->type == DB_NUMBER ? INT8_OID : value->type == DB_BYTES ? BYTEA_OID : 0;
    all->values[i] = value->bytes;
    all->lengths[i] = (int)value->length;
    all->formats[i] = value->type == DB_BYTES;
    if (value->type == DB_NUMBER) {
        snprintf(all->numbers[i], sizeof all->numbers[i], "%lld", (long long)value->number);
        all->values[i] = all->numbers[i];
    } else if (!value->bytes)
        all->values[i] = "";   /* a NULL pointer would become a NULL */
}

static bool run(struct db *db, const char *sql, const struct db_value *values, unsigned count)
{
    struct parameters all;
    ExecStatusType status;
    unsigned i;
    clear(db);
    for (i = 0; i < count && i < VALUES_MAX; i++)
        set_parameter(&all, i, &values[i]);
    db->result = PQexecParams(db->connection, sql, (int)i, all.types, all.values, all.lengths, all.formats, 1);
    db->row = -1;
    status = PQresultStatus(db->result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
        return fail(db);
    db->changed = strtoll(PQcmdTuples(db->result), NULL, 10);
    return true;
}

static bool row(struct db *db)
{
    if (++db->row < PQntuples(db->result))
        return true;
    clear(db);
    return false;
}

/* A BIGINT has 8 bytes, the highest first. */
static int64_t number(const struct db *db, int column)
{
    const unsigned char *bytes = (const unsigned char *)PQgetvalue(db->result, db->row, column);
    uint64_t number = 0;
    int i;
    for (i = 0; i < PQgetlength(db->result, db->row, column); i++)
        number = number << 8 | bytes[i];
    return (int64_t)number;
}

static const char *column(const struct db *db, int index, size_t *length)
{
    *length = (size_t)PQgetlength(db->result, db->row, index);
    return PQgetvalue(db->result, db->row, index);
}

/* The clocks of the workers may differ, so this uses the clock of the database. */
static bool now_ms(struct db *db, int64_t *ms)
{
    if (!db_run(db, "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT", NULL, 0) || !db_row(db))
        return false;
    *ms = db_number_at(db, 0);
    return true;
}

/* ---- connections ---- */

static void close_connection(struct db *db)
{
    clear(db);
    PQfinish(db->connection);
}

/* Drops notices such as "it exists already, skipping". */
static void ignore(void *user, const PGresult *notice)
{
    (void)user;
    (void)notice;
}

/* These apply unless the URL sets them. They detect within a minute that the server has gone. */
static PGconn *connect_to(const char *url)
{
    static const char *const keys[] = { "connect_timeout", "keepalives_idle", "keepalives_interval",
                                        "keepalives_count", "tcp_user_timeout", "fallback_application_name",
                                        "dbname", NULL };
    const char *values[] = { "10", "20", "10", "4", "60000", "outbox", url, NULL };
    return PQconnectdbParams(keys, values, 1);
}

static bool open_connection(struct db *db, const char *url, bool make)
{
    (void)make;
    db->connection = connect_to(url);
    if (PQstatus(db->connection) != CONNECTION_OK)
        return fail(db);
    PQsetNoticeReceiver(db->connection, ignore, NULL);
    return true;
}

const struct db_driver db_postgresql = { schema, "BEGIN ISOLATION LEVEL READ COMMITTED",
                                         "FOR UPDATE OF jobs SKIP LOCKED", open_connection, close_connection, run, row,
                                         number, column, now_ms };
