/* The store in a file of SQLite, for the workers of one machine. SPDX-License-Identifier: MIT */
#include <sqlite3.h>
#include <stdio.h>
#include <time.h>

#include "db.h"

#define BUSY_MS 30000   /* how long it waits for another process's transaction */

static const char *const schema[] = {
    "CREATE TABLE IF NOT EXISTS jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, host TEXT NOT NULL,"
    " body BLOB NOT NULL, key TEXT NOT NULL UNIQUE, state TEXT NOT NULL, created_ms INTEGER NOT NULL,"
    " due_ms INTEGER NOT NULL, attempts INTEGER NOT NULL, retries INTEGER NOT NULL, elapsed_ms INTEGER NOT NULL,"
    " counted_ms INTEGER NOT NULL, verdict TEXT NOT NULL, answer TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS jobs_due ON jobs (due_ms) WHERE state IN ('waiting', 'sending')",
    "CREATE TABLE IF NOT EXISTS attempts (job INTEGER NOT NULL REFERENCES jobs, number INTEGER NOT NULL,"
    " was_due_ms INTEGER NOT NULL, started_ms INTEGER NOT NULL, ended_ms INTEGER, verdict TEXT NOT NULL,"
    " next_due_ms INTEGER NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (job, number))",
    "CREATE TABLE IF NOT EXISTS gates (host TEXT PRIMARY KEY, closed_until_ms INTEGER NOT NULL)",
    NULL,
};

static bool fail(struct db *db)
{
    snprintf(db->error, sizeof db->error, "%s", sqlite3_errmsg(db->connection));
    sqlite3_finalize(db->result);
    db->result = NULL;
    return false;
}

/* run() has already stepped to the first row. db->row is 0 until row() has returned it. */
static bool step(struct db *db)
{
    int result = sqlite3_step(db->result);
    if (result == SQLITE_ROW)
        return true;
    if (result != SQLITE_DONE)
        return fail(db);
    sqlite3_finalize(db->result);
    db->result = NULL;
    return false;
}

static bool row(struct db *db)
{
    return db->row++ == 0 || step(db);
}

static int bind(sqlite3_stmt *statement, int index, const struct db_value *value)
{
    if (value->type == DB_NUMBER)
        return sqlite3_bind_int64(statement, index, value->number);
    if (value->type == DB_TEXT)
        return sqlite3_bind_text64(statement, index, value->bytes, value->length, SQLITE_TRANSIENT, SQLITE_UTF8);
    if (value->length == 0)
        return sqlite3_bind_zeroblob(statement, index, 0);   /* a NULL pointer would become a NULL */
    return sqlite3_bind_blob64(statement, index, value->bytes, value->length, SQLITE_TRANSIENT);
}

static bool run(struct db *db, const char *sql, const struct db_value *values, unsigned count)
{
    sqlite3_stmt *statement = NULL;
    unsigned i;
    sqlite3_finalize(db->result);
    db->result = NULL;
    db->row = 0;
    if (sqlite3_prepare_v2(db->connection, sql, -1, &statement, NULL) != SQLITE_OK)
        return fail(db);
    db->result = statement;
    for (i = 0; i < count; i++)
        if (bind(statement, (int)i + 1, &values[i]) != SQLITE_OK)
            return fail(db);
    if (!step(db) && db->error[0])
        return false;
    db->changed = sqlite3_changes(db->connection);
    return true;
}

static int64_t number(const struct db *db, int column)
{
    return sqlite3_column_int64(db->result, column);
}

static const char *column(const struct db *db, int index, size_t *length)
{
    const unsigned char *text = sqlite3_column_text(db->result, index);   /* SQLite adds a zero byte to a BLOB, too */
    *length = (size_t)sqlite3_column_bytes(db->result, index);
    return text ? (const char *)text : "";
}

static bool now_ms(struct db *db, int64_t *ms)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) {
        snprintf(db->error, sizeof db->error, "the system has no clock");
        return false;
    }
    *ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    return true;
}

static void close_file(struct db *db)
{
    sqlite3_finalize(db->result);
    db->result = NULL;
    sqlite3_close(db->connection);
}

/* WAL: readers do not wait for writers. FULL: committed data survives a power failure. */
static bool open_file(struct db *db, const char *name, bool make)
{
    sqlite3 *file = NULL;
    int result = sqlite3_open_v2(name, &file, SQLITE_OPEN_READWRITE | (make ? SQLITE_OPEN_CREATE : 0), NULL);
    db->connection = file;
    if (result != SQLITE_OK || sqlite3_busy_timeout(file, BUSY_MS) != SQLITE_OK)
        return fail(db);
    return db_run(db, "PRAGMA journal_mode = WAL", NULL, 0) && db_run(db, "PRAGMA synchronous = FULL", NULL, 0)
           && db_run(db, "PRAGMA foreign_keys = ON", NULL, 0);
}

const struct db_driver db_sqlite = { schema, "BEGIN IMMEDIATE", "", open_file, close_file, run, row, number, column,
                                     now_ms };
