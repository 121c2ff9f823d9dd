/* The little that the outbox needs of a database. A program links db_sqlite.c or db_postgresql.c,
   and both accept the same SQL. SPDX-License-Identifier: MIT

       if (db_run(&db, "SELECT id, url FROM jobs WHERE state = $1", DB_VALUES(db_text("waiting"))))
           while (db_row(&db))
               puts(db_column(&db, 1, NULL));
       // db.error is "" if both the statement and the reading of its rows succeeded

   Number the parameters $1, $2, ... in the order in which they first appear. */
#ifndef OUTBOX_DB_H
#define OUTBOX_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum db_type { DB_NUMBER, DB_TEXT, DB_BYTES };

struct db_value {
    enum db_type type;
    int64_t number;
    const void *bytes;
    size_t length;
};

#define DB_VALUES(...) (const struct db_value[]){ __VA_ARGS__ }, \
                       sizeof (struct db_value[]){ __VA_ARGS__ } / sizeof(struct db_value)
#define DB_NO_VALUES NULL, 0

struct db {
    void *connection;       /* NULL: closed */
    void *result;           /* of the last statement; NULL: no rows are left */
    int row;
    int64_t changed;        /* how many rows the last statement inserted or updated */
    char error[256];        /* of the last statement */
};

/* ---- the database: db_sqlite.c, db_postgresql.c ---- */

extern const char db_id_type[];   /* the type of a column that numbers the rows */

/* Opens the store of that name. False: see db->error; the store is closed. */
bool db_open(struct db *db, const char *name);
void db_close(struct db *db);

/* Runs one statement. False: see db->error. */
bool db_run(struct db *db, const char *sql, const struct db_value *values, unsigned count);

/* Moves to the next row; the first call moves to the first row. False: there is none, or an error;
   see db->error. */
bool db_row(struct db *db);

/* A column of that row; the first one is 0. A NULL is 0 or "". A zero byte follows the text. It is
   valid until the next row. */
int64_t db_number_at(const struct db *db, int column);
const char *db_column(const struct db *db, int column, size_t *length);

/* Milliseconds since 1970, by the clock that all users of the store share. */
bool db_now_ms(struct db *db, int64_t *now_ms);

/* ---- for every database: db.c ---- */

/* Commits, or rolls back and keeps db->error. False: it was rolled back. */
bool db_end(struct db *db, bool ok);

/* Runs a statement whose result is one number. False: see db->error. */
bool db_one_number(struct db *db, const char *sql, const struct db_value *values, unsigned count,
                   int64_t *number);

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
