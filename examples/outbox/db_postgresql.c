/* The store in PostgreSQL, for workers on several machines. SPDX-License-Identifier: MIT */
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "db.h"

#define VALUES_MAX 16
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

/* ---- statements: numbers and texts as text, the rest and all results in binary ---- */

/* PQexecParams would wait for a server that hangs even if the program should end. NULL: no more results came. */
static PGresult *next_result(struct db *db)
{
    struct pollfd fd = { PQsocket(db->connection), POLLIN, 0 };
    while (PQconsumeInput(db->connection) && PQisBusy(db->connection)) {
        if (!db_may_wait(db))
            return NULL;
        poll(&fd, 1, ASK_MS);
    }
    return PQgetResult(db->connection);
}

static bool run(struct db *db, const char *sql, const struct db_value *values, unsigned count)
{
    const char *texts[VALUES_MAX];
    char numbers[VALUES_MAX][24];
    int lengths[VALUES_MAX], formats[VALUES_MAX];
    PGresult *none;
    ExecStatusType status;
    unsigned i;
    clear(db);
    for (i = 0; i < count && i < VALUES_MAX; i++) {
        snprintf(numbers[i], sizeof numbers[i], "%lld", (long long)values[i].number);
        texts[i] = values[i].type == DB_NUMBER ? numbers[i] : values[i].bytes ? values[i].bytes : "";   /* not NULL */
        lengths[i] = (int)values[i].length;
        formats[i] = values[i].type == DB_BYTES;
    }
    db->row = -1;
    if (!PQsendQueryParams(db->connection, sql, (int)i, NULL, texts, lengths, formats, 1))
        return fail(db);
    db->result = next_result(db);
    while ((none = next_result(db)) != NULL)
        PQclear(none);
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
    for (int i = 0; i < PQgetlength(db->result, db->row, column); i++)
        number = number << 8 | bytes[i];
    return (int64_t)number;
}

static const char *column(const struct db *db, int index, size_t *length)
{
    *length = (size_t)PQgetlength(db->result, db->row, index);
    return PQgetvalue(db->result, db->row, index);
}

/* ---- connections ---- */

static void close_connection(struct db *db)
{
    clear(db);
    PQfinish(db->connection);
}

/* These apply unless the URL sets them. They detect within a minute that the server has gone. */
static PGconn *begin_to_connect(const char *url)
{
    static const char *const keys[] = { "keepalives_idle", "keepalives_interval", "keepalives_count",
                                        "tcp_user_timeout", "fallback_application_name", "options", "dbname", NULL };
    const char *values[] = { "20", "10", "4", "60000", "outbox", "-c client_min_messages=error", url, NULL };
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
    return next == PGRES_POLLING_OK || fail(db);
}

/* Two workers that create tables at the same moment would fail in spite of IF NOT EXISTS. The clocks of the workers may
   differ, so the clock is that of the database. */
const struct db_driver db_postgresql = {
    .id_type = "BIGSERIAL PRIMARY KEY",
    .lock_schema = "SELECT pg_advisory_xact_lock(7258415)",
    .now_ms = "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT",
    .begin = "BEGIN ISOLATION LEVEL READ COMMITTED",
    .skip_locked = "FOR UPDATE OF jobs SKIP LOCKED",
    .open = open_connection, .close = close_connection, .run = run, .row = row, .number = number, .column = column,
};
