/* One interface for SQLite and PostgreSQL, as far as the outbox needs it, with a driver for each.
   SPDX-License-Identifier: MIT

       if (db_run(&db, "SELECT id, url FROM jobs WHERE state = $1", (struct db_value[]){ db_text("waiting") }, 1))
           while (db_row(&db))
               puts(db_column(&db, 1, NULL));
       // db.error is "" if both the statement and the reading of its rows succeeded

   Both accept the same SQL. Number the parameters $1, $2, ... in the order in which they first appear. */
#ifndef OUTBOX_DB_H
#define OUTBOX_DB_H

#include <stddef.h>
#include <string.h>

#include "redial.h"

enum db_type { DB_NUMBER, DB_TEXT, DB_BYTES };

struct db_value {
    enum db_type type;
    int64_t number;
    const void *bytes;
    size_t length;
};

struct db {
    const struct db_driver *driver;
    const struct redial_env *env;
    void *connection;
    void *result;       /* of the last statement; NULL: no rows are left */
    int row;
    int64_t changed;    /* how many rows the last statement inserted or updated */
    bool stopping;      /* env->cancelled was true for the first time at stopping_ms */
    uint32_t stopping_ms;
    char error[256];    /* of the last statement */
};

struct db_driver {
    const char *id_type;         /* of a column that numbers the rows */
    const char *lock_schema;     /* a statement that lets one connection at a time create tables */
    const char *now_ms;          /* a SELECT of the milliseconds since 1970, by the clock that all users share */
    const char *begin;           /* begins a transaction that may write */
    const char *skip_locked;     /* added to a SELECT: locks the rows, and skips those that another worker has locked */
    bool (*open)(struct db *db, const char *name);
    void (*close)(struct db *db);
    bool (*run)(struct db *db, const char *sql, const struct db_value *values, unsigned count);
    bool (*row)(struct db *db);
    int64_t (*number)(const struct db *db, int column);
    const char *(*column)(const struct db *db, int column, size_t *length);
};

extern const struct db_driver db_sqlite;
extern const struct db_driver db_postgresql;

/* Opens a file, which it creates if it is missing, or postgresql://... . After env->cancelled, no statement waits for
   longer than half a second. False: see db->error; the store is closed. */
bool db_open(struct db *db, const char *name, const struct redial_env *env);
void db_close(struct db *db);

/* Runs one statement. False: see db->error. */
bool db_run(struct db *db, const char *sql, const struct db_value *values, unsigned count);
bool db_begin(struct db *db);
bool db_end(struct db *db, bool ok);   /* commits, or rolls back and keeps db->error. False: it was rolled back */

/* Moves to the next row; the first call moves to the first row. False: there is none, or an error; see db->error. */
bool db_row(struct db *db);

/* A column of that row; the first one is 0. A NULL is 0 or "". A zero byte follows the text. It is valid until the next
   row. */
int64_t db_number_at(const struct db *db, int column);
const char *db_column(const struct db *db, int column, size_t *length);

/* Runs a statement whose result is one number, such as driver->now_ms. False: see db->error. */
bool db_one_number(struct db *db, const char *sql, const struct db_value *values, unsigned count, int64_t *number);
bool db_now_ms(struct db *db, int64_t *now_ms);

/* For a driver that waits for others. False: the program was told to end half a second ago. */
bool db_may_wait(struct db *db);

static inline struct db_value db_number(int64_t number)
{
    return (struct db_value){ .type = DB_NUMBER, .number = number };
}

static inline struct db_value db_text(const char *text)
{
    return (struct db_value){ .type = DB_TEXT, .bytes = text, .length = strlen(text) };
}

static inline struct db_value db_bytes(const void *bytes, size_t length)
{
    return (struct db_value){ .type = DB_BYTES, .bytes = bytes, .length = length };
}

#endif
