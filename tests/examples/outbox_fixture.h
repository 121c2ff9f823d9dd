/* For the tests of the outbox: a store, two hosts, workers, and time that passes by changing the
   store. SPDX-License-Identifier: MIT

   While no worker runs, only the stored times depend on the clocks. So a test makes an hour pass by
   making all stored times an hour earlier, and does not have to wait.

   The program's policy is for days. So most workers are this test program itself, which calls
   worker_run with the test's `settings`. */
#ifndef OUTBOX_FIXTURE_H
#define OUTBOX_FIXTURE_H

#include "../common/program.h"
#include "../common/server.h"
#include "../../examples/common/interrupt.h"
#include "../../examples/outbox/worker.h"

#define HOUR_MS INT64_C(3600000)
#define HOSTS 2
#define WORKERS 4

static char dir[] = "/tmp/redial-outbox-XXXXXX";
static char store[256];
static struct db db;
static struct server hosts[HOSTS];
static struct program workers[WORKERS];

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
#define GATE_MS() number_of("SELECT MAX(gate_ms) FROM hosts", 0)

/* "waiting, retry, attempts 2, retries 1, HTTP status 503": its last part is the last answer. */
#define JOB(id) text_of("SELECT state || ', ' || verdict || ', attempts ' || attempts" \
                        " || ', retries ' || retries || ', ' || answer FROM jobs WHERE id = $1", id)
#define assert_job(id, text) assert_string_equal(JOB(id), text)

static inline int64_t now_ms(void)
{
    int64_t ms = 0;
    require(db_now_ms(&db, &ms));
    return ms;
}

/* The wall clock is set forward. With a negative time it is set back. */
static inline void set_clock_forward(int64_t ms)
{
    change("UPDATE jobs SET due_ms = due_ms - $1", ms);
    change("UPDATE hosts SET gate_ms = gate_ms - $1, slow_ms = slow_ms - $1", ms);
}

/* Lets time pass while workers look for work. */
static inline void travel(int64_t ms)
{
    set_clock_forward(ms);
    change("UPDATE worked SET ms = ms + $1", ms);
}

/* Lets time pass until the job is due, and no longer. */
static inline void travel_until_due(int64_t id)
{
    int64_t ms = DUE_MS(id) - now_ms();
    if (ms > 0)
        travel(ms);
}

/* Adds a job, and returns its number. */
static inline int64_t add_body(unsigned host, const char *path, char *body, size_t length)
{
    static unsigned count;
    char url[96];
    struct job job = { .url = url, .body = body, .length = length };
    snprintf(url, sizeof url, "http://127.0.0.1:%u%s", (unsigned)hosts[host].port, path);
    snprintf(job.key, sizeof job.key, "%032x", ++count);
    assert_true(send_host_of(url, job.host));
    require(store_add(&db, &job));
    return job.id;
}

/* The body is "HOST/PATH", and a number that no other job has. */
static inline int64_t add(unsigned host, const char *path)
{
    static unsigned count;
    char body[64];
    int length = snprintf(body, sizeof body, "%u%s %u", host, path, ++count);
    return add_body(host, path, body, (size_t)length);
}

/* ---- workers ---- */

/* Waits of 1 s, 2 s, ... 60 s, without jitter: each is known. A lease so long that no slow machine
   exceeds it. */
static const struct worker usual = {
    .policy = { .base_ms = 1000, .cap_ms = 60000, .jitter = REDIAL_JITTER_NONE,
                .max_retries = REDIAL_NO_LIMIT, .max_elapsed_ms = REDIAL_NO_LIMIT,
                .max_retry_after_ms = UINT32_MAX, .attempt_ms = 60000,
                .retryable = send_retryable },
    .lease_ms = 600000,
    .once = true,
};
static struct worker settings;   /* `usual` at the beginning of each test */

static inline void start_worker(void)
{
    const struct redial_policy *policy = &settings.policy;
    program_start_words(SELF, "worker %s %u %u %u %u %u %u %u %u %u", store, policy->base_ms,
                        policy->cap_ms, policy->jitter_ms, policy->jitter, policy->max_retries,
                        policy->max_elapsed_ms, policy->attempt_ms, settings.lease_ms,
                        settings.once);
}

/* In the new process. */
static inline int be_worker(char **words)
{
    uint32_t numbers[9];
    struct worker worker = usual;
    for (unsigned i = 0; i < LENGTH(numbers); i++)
        numbers[i] = (uint32_t)strtoul(words[1 + i], NULL, 10);
    worker.store = words[0];
    worker.env = *redial_system();
    worker.policy.base_ms = numbers[0];
    worker.policy.cap_ms = numbers[1];
    worker.policy.jitter_ms = numbers[2];
    worker.policy.jitter = (enum redial_jitter)numbers[3];
    worker.policy.max_retries = numbers[4];
    worker.policy.max_elapsed_ms = numbers[5];
    worker.policy.attempt_ms = numbers[6];
    worker.lease_ms = numbers[7];
    worker.once = numbers[8];
    worker.env.cancelled = interrupt_cancelled;
    interrupt_catch();
    return worker_run(&worker);
}

/* Delivers what is due. */
static inline void work(void)
{
    start_worker();
    program_end();
    assert_status(0);
}

/* Several workers at once. After worker_finish, `program` is this one. */
static inline void worker_start(unsigned k)
{
    start_worker();
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

/* The program itself. Blanks separate the words. */
static inline void run_program(const char *words)
{
    program_start_words(PROGRAM, "%s", words);
    program_end();
}

/* ---- all tests ---- */

static inline int empty_store(void **state)
{
    settings = usual;
    if (!db.connection)
        require(store_open(&db, store));
    db_end(&db, false);   /* after a test that failed */
    change("DELETE FROM hosts", 0);
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
    setenv("no_proxy", "*", 1);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (argc > 2)
        return be_worker(argv + 2);
    if (!mkdtemp(dir))
        return 1;
    snprintf(store, sizeof store, "%s%s", argc == 2 ? argv[1] : dir,
             argc == 2 ? "" : "/outbox.db");
    failed = run_all_with(begin, kill_programs, NULL, NULL);
    db_close(&db);
    snprintf(remove, sizeof remove, "rm -r %s", dir);
    return system(remove) == 0 ? failed : 1;
}

#endif
