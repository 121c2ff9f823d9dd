/* The store in PostgreSQL, for workers on several machines. SPDX-License-Identifier: MIT */
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "db.h"

#define VALUES_MAX 16
#define INT8_OID 20     /* in PostgreSQL's catalogue; the same in all versions */
#define BYTEA_OID 17
#define ASK_MS 50       /* how often it asks whether the program should end */
#define CONNECT_MS 10000

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

/* PQexecParams would wait for a server that hangs even if the program should end. NULL: no answer came. */
static PGresult *answer(struct db *db)
{
    struct pollfd fd = { PQsocket(db->connection), POLLIN, 0 };
    PGresult *last = NULL, *next;
    do {
        while (PQconsumeInput(db->connection) && PQisBusy(db->connection)) {
            if (!db_may_wait(db)) {
                PQclear(last);
                return NULL;
            }
            poll(&fd, 1, ASK_MS);
        }
        next = PQgetResult(db->connection);
        if (next) {
            PQclear(last);
            last = next;
        }
    } while (next);
    return last;
}

static bool run(struct db *db, const char *sql, const struct db_value *values, unsigned count)
{
    struct parameters all;
    ExecStatusType status;
    unsigned i;
    clear(db);
    for (i = 0; i < count && i < VALUES_MAX; i++)
        set_parameter(&all, i, &values[i]);
    db->row = -1;
    if (!PQsendQueryParams(db->connection, sql, (int)i, all.types, all.values, all.lengths, all.formats, 1))
        return fail(db);
    db->result = answer(db);
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
static PGconn *begin_to_connect(const char *url)
{
    static const char *const keys[] = { "keepalives_idle", "keepalives_interval", "keepalives_count",
                                        "tcp_user_timeout", "fallback_application_name", "dbname", NULL };
    const char *values[] = { "20", "10", "4", "60000", "outbox", url, NULL };
    return PQconnectStartParams(keys, values, 1);
}

/* PQconnectdbParams could not be stopped. */
static bool open_connection(struct db *db, const char *url)
{
    PGconn *connection = db->connection = begin_to_connect(url);
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    uint32_t begun_ms = db->env->now_ms(db->env);
    while (PQstatus(connection) != CONNECTION_BAD && next != PGRES_POLLING_OK && db_may_wait(db)
           && db->env->now_ms(db->env) - begun_ms < CONNECT_MS) {
        struct pollfd fd = { PQsocket(connection), next == PGRES_POLLING_READING ? POLLIN : POLLOUT, 0 };
        if (poll(&fd, 1, ASK_MS) > 0)
            next = PQconnectPoll(connection);
    }
    if (next != PGRES_POLLING_OK)
        return fail(db);
    PQsetNoticeReceiver(connection, ignore, NULL);
    return true;
}

/* Two workers that create tables at the same moment would fail in spite of IF NOT EXISTS. */
const struct db_driver db_postgresql = { "SELECT pg_advisory_xact_lock(7258415)", "BIGSERIAL PRIMARY KEY",
                                         "BEGIN ISOLATION LEVEL READ COMMITTED", "FOR UPDATE OF jobs SKIP LOCKED",
                                         open_connection, close_connection, run, row, number, column, now_ms };
