/* Chooses the driver of a store, and has the code that all drivers share. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "db.h"

#define LAST_WORDS_MS 500   /* what a store that is slow may still use once the program was told to end */

bool db_open(struct db *db, const char *name, const struct redial_env *env)
{
    bool is_url = strncmp(name, "postgresql://", 13) == 0 || strncmp(name, "postgres://", 11) == 0;
    memset(db, 0, sizeof *db);
    db->env = env;
    db->driver = is_url ? NULL : &db_sqlite;
#ifdef OUTBOX_POSTGRESQL
    if (is_url)
        db->driver = &db_postgresql;
#endif
    if (!db->driver || !*name) {   /* SQLite would open a file that is removed at the end */
        snprintf(db->error, sizeof db->error, *name ? "this program was built without libpq" : "its name is empty");
        return false;
    }
    if (db->driver->open(db, name))
        return true;
    db_close(db);
    return false;
}

void db_close(struct db *db)
{
    if (db->driver && db->connection)
        db->driver->close(db);
    db->connection = NULL;
}

bool db_run(struct db *db, const char *sql, const struct db_value *values, unsigned count)
{
    db->error[0] = '\0';
    db->changed = 0;
    return db->driver->run(db, sql, values, count);
}

bool db_begin(struct db *db)
{
    return db_run(db, db->driver->begin, NULL, 0);
}

bool db_end(struct db *db, bool ok)
{
    char error[sizeof db->error];
    if (ok && db_run(db, "COMMIT", NULL, 0))
        return true;
    memcpy(error, db->error, sizeof error);
    db_run(db, "ROLLBACK", NULL, 0);
    memcpy(db->error, error, sizeof error);
    return false;
}

bool db_row(struct db *db)
{
    return db->result && db->driver->row(db);
}

int64_t db_number_at(const struct db *db, int column)
{
    return db->driver->number(db, column);
}

const char *db_column(const struct db *db, int column, size_t *length)
{
    size_t ignored;
    return db->driver->column(db, column, length ? length : &ignored);
}

bool db_one_number(struct db *db, const char *sql, const struct db_value *values, unsigned count, int64_t *number)
{
    if (!db_run(db, sql, values, count) || !db_row(db))
        return false;
    *number = db_number_at(db, 0);
    return !db_row(db) && !db->error[0];   /* SQLite ends the statement, and so commits */
}

bool db_now_ms(struct db *db, int64_t *now_ms)
{
    return db_one_number(db, db->driver->now_ms, NULL, 0, now_ms);
}

bool db_may_wait(struct db *db)
{
    const struct redial_env *env = db->env;
    if (!env->cancelled || !env->cancelled(env))
        return true;
    if (!db->stopping)
        db->stopping_ms = env->now_ms(env);
    db->stopping = true;
    return env->now_ms(env) - db->stopping_ms < LAST_WORDS_MS;
}
