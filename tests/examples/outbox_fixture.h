/* For the tests of the outbox: a store, a receiver, workers, and time that passes by changing the store.
   SPDX-License-Identifier: MIT

   While no worker runs, only the stored times depend on the clock. So a test makes an hour pass by making all stored
   times an hour earlier, and does not have to wait. */
#ifndef OUTBOX_FIXTURE_H
#define OUTBOX_FIXTURE_H

#include <inttypes.h>
#include <sys/stat.h>

#include "../../examples/outbox/db.h"
#include "child.h"
#include "outbox_receiver.h"
#ifdef POSTGRESQL
#include "outbox_postgresql.h"
#endif
#include "redial.h"

#define HOUR_MS INT64_C(3600000)
#define WORKERS 4

static char dir[] = "/tmp/redial-outbox-XXXXXX";
static char store[256];
static struct db db;
#ifdef POSTGRESQL
static struct postgresql server;
#endif
static struct receiver receiver;
static struct child workers[WORKERS];

/* ---- the store ---- */

static inline void require(bool ok)
{
    if (!ok)
        fail_msg("the store: %s", db.error);
}

static inline void change(const char *sql, int64_t number)
{
    const struct db_value value = db_number(number);
    require(db_run(&db, sql, &value, strstr(sql, "$1") ? 1 : 0));
}

/* Returns the result of a SELECT of one number. $1 is the id. */
static inline int64_t number_of(const char *sql, int64_t id)
{
    int64_t number;
    change(sql, id);
    require(db_row(&db));
    number = db_number_at(&db, 0);
    assert_false(db_row(&db));
    return number;
}

static inline const char *text_of(const char *sql, int64_t id)
{
    static char text[160];
    change(sql, id);
    require(db_row(&db));
    snprintf(text, sizeof text, "%s", db_column(&db, 0, NULL));
    assert_false(db_row(&db));
    return text;
}

#define STATE(id) text_of("SELECT state FROM jobs WHERE id = $1", id)
#define ANSWER(id) text_of("SELECT answer FROM jobs WHERE id = $1", id)
#define VERDICT(id) text_of("SELECT verdict FROM jobs WHERE id = $1", id)
#define KEY(id) text_of("SELECT key FROM jobs WHERE id = $1", id)
#define ATTEMPTS(id) number_of("SELECT attempts FROM jobs WHERE id = $1", id)
#define RETRIES(id) number_of("SELECT retries FROM jobs WHERE id = $1", id)
#define DUE_MS(id) number_of("SELECT due_ms FROM jobs WHERE id = $1", id)

static inline int64_t store_now_ms(void)
{
    int64_t now_ms = 0;
    require(db_now_ms(&db, &now_ms));
    return now_ms;
}

/* Lets time pass. */
static inline void travel(int64_t ms)
{
    change("UPDATE jobs SET created_ms = created_ms - $1, due_ms = due_ms - $1, counted_ms = counted_ms - $1", ms);
    change("UPDATE attempts SET was_due_ms = was_due_ms - $1, started_ms = started_ms - $1,"
           " ended_ms = ended_ms - $1, next_due_ms = next_due_ms - $1", ms);
    change("UPDATE gates SET closed_until_ms = closed_until_ms - $1", ms);
}

/* Lets time pass until the job is due, and no longer. */
static inline void travel_until_due(int64_t id)
{
    int64_t ms = DUE_MS(id) - store_now_ms();
    if (ms > 0)
        travel(ms);
}

/* ---- the program ---- */

/* Blanks separate the words. The child has a folder of its own in ours. */
static inline void start(struct child *child, const char *folder, const char *words)
{
    static char text[512];
    char path[128];
    const char *line[40] = { PROGRAM };
    snprintf(path, sizeof path, "%s/%s", dir, folder);
    mkdir(path, 0700);
    snprintf(text, sizeof text, "%s --store=%s", words, store);
    add_words(line, text);
    poison(child, sizeof *child);
    child_start(child, path, line);
}

static inline void start_worker(unsigned k, const char *more)
{
    char folder[8], words[256];
    snprintf(folder, sizeof folder, "w%u", k);
    snprintf(words, sizeof words, "run %s", more);
    start(&workers[k], folder, words);
}

static inline const struct child *run_program(const char *words)
{
    static struct child child;
    start(&child, "one", words);
    child_finish(&child);
    return &child;
}

/* Waits of 1 s, 2 s, ... 60 s, without jitter: each is known. A lease so long that no slow machine exceeds it. */
#define USUAL "--base 1s --cap 1m --mode none --limit 0 --attempt 1m --lease 10m "
#define LEASE_MS 600000

/* Delivers what is due. */
static inline void work(const char *more)
{
    char words[256];
    const struct child *child;
    snprintf(words, sizeof words, "run " USUAL "--until idle %s", more);
    child = run_program(words);
    if (child->exit_status != 0)
        fail_msg("the worker ended with %d: %s", child->exit_status, child->err);
    assert_true(receiver_settle(&receiver));
}

/* Adds a job, and returns its number. The body is "HOST/PATH", and a number that no other job has. */
static inline int64_t add(unsigned host, const char *path)
{
    static unsigned count;
    char file[64], words[192];
    const struct child *child;
    FILE *out;
    long long id = 0;
    snprintf(file, sizeof file, "%s/body", dir);
    out = fopen(file, "w");
    assert_non_null(out);
    assert_true(fprintf(out, "%u%s %u", host, path, ++count) > 0);
    assert_int_equal(fclose(out), 0);
    snprintf(words, sizeof words, "add http://127.0.0.1:%u%s --body %s", (unsigned)receiver.ports[host], path, file);
    child = run_program(words);
    if (child->exit_status != 0 || sscanf(child->out, "job %lld", &id) != 1)
        fail_msg("add ended with %d: %s", child->exit_status, child->err);
    return id;
}

/* Waits until so many requests have come. */
static inline void await_arrivals(unsigned count)
{
    while (atomic_load(&receiver.count) < count)
        usleep(1000);
}

/* ---- all tests ---- */

static inline int empty_store(void **state)
{
    change("DELETE FROM attempts", 0);
    change("DELETE FROM gates", 0);
    change("DELETE FROM jobs", 0);
    return receiver_start(&receiver, redial_system()->random(redial_system()) | 1u) ? 0 : -1;
}

static inline int stop_receiver(void **state)
{
    receiver_stop(&receiver);
    return 0;
}

/* Sets the name of the store: a file, or a database of the server that it starts. False: there is none. */
static inline bool choose_store(const char *kind)
{
    snprintf(store, sizeof store, "%s/outbox.db", dir);
#ifdef POSTGRESQL
    if (strcmp(kind, "postgresql") == 0) {
        bool ok = postgresql_start(&server, dir);
        snprintf(store, sizeof store, "%s", server.url);
        return ok;
    }
#endif
    return strcmp(kind, "sqlite") == 0;
}

static inline void leave_store(void)
{
    db_close(&db);
#ifdef POSTGRESQL
    postgresql_stop(&server);
#endif
}

/* main: the only argument is the kind of the store. */
static inline int run_on_store(int argc, char **argv)
{
    int failed = 77;
    if (!mkdtemp(dir))
        return 1;
    setenv("no_proxy", "*", 1);
    if (!choose_store(argc == 2 ? argv[1] : ""))
        puts("there is no such store here");
    else if (db_open(&db, store, true))
        failed = run_all_with(empty_store, stop_receiver, NULL, NULL);
    else
        printf("the store: %s\n", db.error);
    leave_store();
    if (remove_folder(dir) != 0)
        puts("the test's files are still there");
    return failed;
}

#endif
