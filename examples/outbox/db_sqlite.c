/* The store in a file of SQLite, for the workers of one machine. SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "db.h"

#define BUSY_MS 30000   /* how long it waits for another process's transaction */
#define PAUSE_MS 10     /* between two looks */

static void clear(struct db *db)
{
    sqlite3_finalize(db->result);
    db->result = NULL;
}

static bool fail(struct db *db)
{
    snprintf(db->error, sizeof db->error, "%s", sqlite3_errmsg(db->connection));
    clear(db);
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
    clear(db);
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
    return sqlite3_bind_blob64(statement, index, value->bytes ? value->bytes : "", value->length, SQLITE_TRANSIENT);
}

static bool run(struct db *db, const char *sql, const struct db_value *values, unsigned count)
{
    sqlite3_stmt *statement = NULL;
    int moved = 0;
    clear(db);
    db->row = 0;
    /* A file that was moved, or replaced by a backup, is still open here. What is written to it would be lost. */
    sqlite3_file_control(db->connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved) {
        snprintf(db->error, sizeof db->error, "its file was moved or replaced");
        return false;
    }
    if (sqlite3_prepare_v2(db->connection, sql, -1, &statement, NULL) != SQLITE_OK)
        return fail(db);
    db->result = statement;
    for (unsigned i = 0; i < count; i++)
        if (bind(statement, (int)i + 1, &values[i]) != SQLITE_OK)
            return fail(db);
    step(db);
    db->changed = sqlite3_changes(db->connection);
    return !db->error[0];
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

static void close_file(struct db *db)
{
    clear(db);
    sqlite3_close(db->connection);
}

/* Called while another process has locked the file. 0: do not wait any longer. */
static int wait_for_lock(void *user, int waits)
{
    const struct timespec pause = { 0, PAUSE_MS * 1000000 };
    if (waits >= BUSY_MS / PAUSE_MS || !db_may_wait(user))
        return 0;
    nanosleep(&pause, NULL);
    return 1;
}

/* SQLite does not call wait_for_lock when it changes the journal's mode. */
static bool set_journal(struct db *db)
{
    int waits = 0;
    while (!db_run(db, "PRAGMA journal_mode = WAL", NULL, 0))
        if (sqlite3_errcode(db->connection) != SQLITE_BUSY || !wait_for_lock(db, waits++))
            return false;
    return true;
}

/* Bodies and URLs may hold secrets, so others can't read a file that is created. */
static bool open_file(struct db *db, const char *name)
{
    sqlite3 *file = NULL;
    int created = open(name, O_RDWR | O_CREAT | O_EXCL, 0600), result = sqlite3_open(name, &file);
    if (created >= 0)
        close(created);
    db->connection = file;
    if (result != SQLITE_OK || sqlite3_busy_handler(file, wait_for_lock, db) != SQLITE_OK)
        return fail(db);
    /* WAL: readers do not wait for writers. FULL: committed data survives a power failure. */
    return set_journal(db) && db_run(db, "PRAGMA synchronous = FULL", NULL, 0);
}

/* A transaction that may write is alone, so that no row needs a lock. */
const struct db_driver db_sqlite = {
    .id_type = "INTEGER PRIMARY KEY AUTOINCREMENT",
    .lock_schema = "SELECT 1",
    .now_ms = "SELECT CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
    .begin = "BEGIN IMMEDIATE",
    .skip_locked = "",
    .open = open_file, .close = close_file, .run = run, .row = row, .number = number, .column = column,
};
