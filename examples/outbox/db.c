/* What is the same for every database. SPDX-License-Identifier: MIT */
#include "db.h"

bool db_end(struct db *db, bool ok)
{
    char error[sizeof db->error];
    if (ok && db_run(db, "COMMIT", DB_NO_VALUES))
        return true;
    memcpy(error, db->error, sizeof error);
    db_run(db, "ROLLBACK", DB_NO_VALUES);
    memcpy(db->error, error, sizeof error);
    return false;
}

bool db_one_number(struct db *db, const char *sql, const struct db_value *values, unsigned count,
                   int64_t *number)
{
    if (!db_run(db, sql, values, count) || !db_row(db))
        return false;
    *number = db_number_at(db, 0);
    return !db_row(db) && !db->error[0];   /* SQLite ends the statement, and so commits */
}
