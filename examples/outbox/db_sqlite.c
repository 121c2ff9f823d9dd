/* The store in a file of SQLite, for the workers of one machine. SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "db.h"

#define BUSY_MS 30000   /* how long it waits for another process's transaction */

const char db_id_type[] = "INTEGER PRIMARY KEY AUTOINCREMENT";

static void clear(struct db *db)
{
    sqlite3_finalize(db->result);
    db->result = NULL;
}

static bool fail(struct db *db, const char *why)
{
    snprintf(db->error, sizeof db->error, "%s", why ? why : sqlite3_errmsg(db->connection));
    clear(db);
    return false;
}

/* ---- statements ---- */

/* db_run has already stepped to the first row. db->row is 0 until db_row has returned it. */
static bool step(struct db *db)
{
    int result = sqlite3_step(db->result);
    if (result == SQLITE_ROW)
        return true;
    if (result != SQLITE_DONE)
        return fail(db, NULL);
    clear(db);
    return false;
}

bool db_row(struct db *db)
{
    return db->result && (db->row++ == 0 || step(db));
}

static int bind(sqlite3_stmt *statement, int index, const struct db_value *value)
{
    const void *bytes = value->bytes ? value->bytes : "";
    if (value->type == DB_NUMBER)
        return sqlite3_bind_int64(statement, index, value->number);
    if (value->type == DB_TEXT)
        return sqlite3_bind_text64(statement, index, bytes, value->length, SQLITE_TRANSIENT,
                                   SQLITE_UTF8);
    return sqlite3_bind_blob64(statement, index, bytes, value->length, SQLITE_TRANSIENT);
}

bool db_run(struct db *db, const char *sql, const struct db_value *values, unsigned count)
{
    sqlite3_stmt *statement = NULL;
    int moved = 0;
    clear(db);
    db->error[0] = '\0';
    db->row = 0;
    /* A file that was moved, or replaced by a backup, is still open here. What is written to it
       would be lost. */
    sqlite3_file_control(db->connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved)
        return fail(db, "its file was moved or replaced");
    if (sqlite3_prepare_v2(db->connection, sql, -1, &statement, NULL) != SQLITE_OK)
        return fail(db, NULL);
    db->result = statement;
    for (unsigned i = 0; i < count; i++)
        if (bind(statement, (int)i + 1, &values[i]) != SQLITE_OK)
            return fail(db, NULL);
    step(db);
    db->changed = sqlite3_changes(db->connection);
    return !db->error[0];
}

int64_t db_number_at(const struct db *db, int column)
{
    return sqlite3_column_int64(db->result, column);
}

const char *db_column(const struct db *db, int column, size_t *length)
{
    /* SQLite adds a zero byte to a BLOB, too. */
    const unsigned char *text = sqlite3_column_text(db->result, column);
    if (length)
        *length = (size_t)sqlite3_column_bytes(db->result, column);
    return text ? (const char *)text : "";
}

bool db_now_ms(struct db *db, int64_t *now_ms)
{
    struct timespec now;
    (void)db;
    clock_gettime(CLOCK_REALTIME, &now);
    *now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    return true;
}

/* ---- the file ---- */

/* Bodies and URLs may hold secrets, so others can't read a file that is created. */
static bool open_file(struct db *db, const char *name)
{
    sqlite3 *file = NULL;
    int created, result;
    if (!*name || strstr(name, "://"))   /* SQLite would remove a file without a name at the end */
        return fail(db, "a store of SQLite has the name of a file");
    created = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (created >= 0)
        close(created);
    result = sqlite3_open(name, &file);
    db->connection = file;
    if (result != SQLITE_OK || sqlite3_busy_timeout(file, BUSY_MS) != SQLITE_OK)
        return fail(db, NULL);
    /* WAL: readers do not wait for writers. It is a property of the file: where somebody else's
       transaction prevents it, whoever opens the file next sets it. */
    db_run(db, "PRAGMA journal_mode = WAL", DB_NO_VALUES);
    /* FULL: committed data survives a power failure. */
    return db_run(db, "PRAGMA synchronous = FULL", DB_NO_VALUES);
}

bool db_open(struct db *db, const char *name)
{
    memset(db, 0, sizeof *db);
    if (open_file(db, name))
        return true;
    db_close(db);
    return false;
}

void db_close(struct db *db)
{
    clear(db);
    sqlite3_close(db->connection);
    db->connection = NULL;
}
