/* For the tests of the outbox: a store, two hosts, workers, and time that passes by changing the store.
   SPDX-License-Identifier: MIT

   While no worker runs, only the stored times depend on the clock. So a test makes an hour pass by making all stored
   times an hour earlier, and does not have to wait. */
#ifndef OUTBOX_FIXTURE_H
#define OUTBOX_FIXTURE_H

#include "../common/program.h"
#include "../common/server.h"
#include "../../examples/outbox/send.h"
#include "../../examples/outbox/store.h"

#define HOUR_MS INT64_C(3600000)
#define HOSTS 2
#define WORKERS 4

static char dir[] = "/tmp/redial-outbox-XXXXXX";
static char store[256];
static struct db db;
static struct server hosts[HOSTS];
static struct program workers[WORKERS];

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
    const struct db_value value = db_number(id);
    int64_t number = 0;
    require(db_one_number(&db, sql, &value, strstr(sql, "$1") ? 1 : 0, &number));
    return number;
}

static inline const char *text_of(const char *sql, int64_t id)
{
    static char text[256];
    change(sql, id);
    require(db_row(&db));
    snprintf(text, sizeof text, "%s", db_column(&db, 0, NULL));
    assert_false(db_row(&db));
    return text;
}

#define KEY(id) text_of("SELECT key FROM jobs WHERE id = $1", id)
#define DUE_MS(id) number_of("SELECT due_ms FROM jobs WHERE id = $1", id)

/* The last decision was made at counted_ms. */
#define WAIT_MS(id) number_of("SELECT due_ms - counted_ms FROM jobs WHERE id = $1", id)

/* "waiting, retry, attempts 2, retries 1, HTTP status 503": its last part is the last answer. */
#define JOB(id) text_of("SELECT state || ', ' || verdict || ', attempts ' || attempts || ', retries ' || retries || " \
                        "', ' || answer FROM jobs WHERE id = $1", id)
#define assert_job(id, text) assert_string_equal(JOB(id), text)

static inline int64_t now_ms(void)
{
    return number_of(db.driver->now_ms, 0);
}

/* Lets time pass. A negative time makes it so that what is stored was stored by a clock that was ahead. */
static inline void travel(int64_t ms)
{
    change("UPDATE jobs SET due_ms = due_ms - $1,"
           " counted_ms = CASE WHEN counted_ms = 0 THEN 0 ELSE counted_ms - $1 END", ms);
    change("UPDATE closings SET closed_ms = closed_ms - $1, until_ms = until_ms - $1", ms);
}

/* Lets time pass until the job is due, and no longer. */
static inline void travel_until_due(int64_t id)
{
    int64_t ms = DUE_MS(id) - now_ms();
    if (ms > 0)
        travel(ms);
}

/* Adds a job, and returns its number. The body is "HOST/PATH", and a number that no other job has. */
static inline int64_t add(unsigned host, const char *path)
{
    static unsigned count;
    char url[96], body[64];
    struct job job = { .url = url, .body = body };
    snprintf(url, sizeof url, "http://127.0.0.1:%u%s", (unsigned)hosts[host].port, path);
    job.length = (size_t)snprintf(body, sizeof body, "%u%s %u", host, path, ++count);
    snprintf(job.key, sizeof job.key, "%032x", count);
    assert_true(send_host_of(url, job.host));
    require(store_add(&db, &job));
    return job.id;
}

/* Blanks separate the words, which may name another store. */
static inline void start(const char *words)
{
    bool another = strstr(words, "--store") != NULL;
    program_start_words(PROGRAM, "%s %s%s", words, another ? "" : "--store=", another ? "" : store);
}

static inline void run_program(const char *words)
{
    start(words);
    program_end();
}

/* Several workers at once. After worker_finish, `program` is this one. */
static inline void worker_start(unsigned k, const char *words)
{
    start(words);
    workers[k] = program;
    program.pid = 0;
}

static inline void worker_finish(unsigned k)
{
    program = workers[k];
    workers[k].pid = 0;
    program_finish();
}

static inline void worker_end(unsigned k, int signal_number)
{
    kill(workers[k].pid, signal_number);
    worker_finish(k);
}

/* Waits of 1 s, 2 s, ... 60 s, without jitter: each is known. A lease so long that no slow machine exceeds it. */
#define USUAL "run --base 1s --cap 1m --mode none --limit 0 --attempt 1m --lease 10m "
#define LEASE_MS 600000

/* Delivers what is due. */
static inline void work(const char *more)
{
    char words[256];
    snprintf(words, sizeof words, USUAL "--until idle %s", more);
    run_program(words);
    assert_status(0);
}

static inline int empty_store(void **state)
{
    if (!db.connection)
        require(store_open(&db, store, redial_system()));
    db_end(&db, false);   /* after a test that failed */
    change("DELETE FROM closings", 0);
    change("DELETE FROM jobs", 0);
    return 0;
}

static inline int kill_programs(void **state)
{
    for (unsigned k = 0; k < WORKERS; k++)
        if (workers[k].pid > 0)
            worker_end(k, SIGKILL);
    return program_kill(state);
}

/* main: the argument is the store. If there is none, it is a new file. */
static inline int run_on_store(int argc, char **argv, CMFixtureFunction begin)
{
    char remove[64];
    int failed;
    if (!mkdtemp(dir))
        return 1;
    setenv("no_proxy", "*", 1);
    snprintf(store, sizeof store, "%s%s", argc == 2 ? argv[1] : dir, argc == 2 ? "" : "/outbox.db");
    failed = run_all_with(begin, kill_programs, NULL, NULL);
    db_close(&db);
    snprintf(remove, sizeof remove, "rm -r %s", dir);
    return system(remove) == 0 ? failed : 1;
}

#endif
