/* The store in PostgreSQL, for workers on several machines. SPDX-License-Identifier: MIT */
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>

#include "db.h"

#define VALUES_MAX 16

const char db_id_type[] = "BIGSERIAL PRIMARY KEY";

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

static PGresult *execute(PGconn *connection, const char *sql, const struct db_value *values,
                         unsigned count)
{
    const char *texts[VALUES_MAX];
    char numbers[VALUES_MAX][24];
    int lengths[VALUES_MAX], formats[VALUES_MAX];
    unsigned i;
    for (i = 0; i < count && i < VALUES_MAX; i++) {
        const char *bytes = values[i].bytes ? values[i].bytes : "";   /* NULL would be SQL's NULL */
        snprintf(numbers[i], sizeof numbers[i], "%lld", (long long)values[i].number);
        texts[i] = values[i].type == DB_NUMBER ? numbers[i] : bytes;
        lengths[i] = (int)values[i].length;
        formats[i] = values[i].type == DB_BYTES;
    }
    return PQexecParams(connection, sql, (int)i, NULL, texts, lengths, formats, 1);
}

bool db_run(struct db *db, const char *sql, const struct db_value *values, unsigned count)
{
    ExecStatusType status;
    clear(db);
    db->error[0] = '\0';
    db->row = -1;
    db->result = execute(db->connection, sql, values, count);
    status = PQresultStatus(db->result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
        return fail(db);
    db->changed = strtoll(PQcmdTuples(db->result), NULL, 10);
    return true;
}

bool db_row(struct db *db)
{
    if (db->result && ++db->row < PQntuples(db->result))
        return true;
    clear(db);
    return false;
}

/* A BIGINT has 8 bytes, the highest first. */
int64_t db_number_at(const struct db *db, int column)
{
    const unsigned char *bytes = (const unsigned char *)PQgetvalue(db->result, db->row, column);
    uint64_t number = 0;
    for (int i = 0; i < PQgetlength(db->result, db->row, column); i++)
        number = number << 8 | bytes[i];
    return (int64_t)number;
}

const char *db_column(const struct db *db, int column, size_t *length)
{
    if (length)
        *length = (size_t)PQgetlength(db->result, db->row, column);
    return PQgetvalue(db->result, db->row, column);
}

/* The clocks of the workers may differ, so the clock is that of the database. */
bool db_now_ms(struct db *db, int64_t *now_ms)
{
    return db_one_number(db, "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT",
                         DB_NO_VALUES, now_ms);
}

/* ---- connections ---- */

/* These apply unless the URL sets them. They detect within a minute that the server has gone. */
static PGconn *connect_to(const char *url)
{
    static const char *const keys[] = { "connect_timeout", "keepalives_idle", "keepalives_interval",
                                        "keepalives_count", "tcp_user_timeout",
                                        "fallback_application_name", "options", "dbname", NULL };
    const char *values[] = { "10", "20", "10", "4", "60000", "outbox",
                             "-c client_min_messages=error -c lock_timeout=30000"
                             " -c default_transaction_isolation=read\\ committed", url, NULL };
    return PQconnectdbParams(keys, values, 1);
}

bool db_open(struct db *db, const char *name)
{
    memset(db, 0, sizeof *db);
    db->connection = connect_to(name);
    if (PQstatus(db->connection) == CONNECTION_OK)
        return true;
    fail(db);
    db_close(db);
    return false;
}

void db_close(struct db *db)
{
    clear(db);
    PQfinish(db->connection);
    db->connection = NULL;
}
