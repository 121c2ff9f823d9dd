/* examples/outbox, on a store of either kind. SPDX-License-Identifier: MIT

       test_outbox [STORE] */
#include "outbox_fixture.h"

#include <sys/stat.h>
#include <time.h>

#define EMPTY "Content-Length: 0\r\n\r\n"
#define STATUS(code) { "HTTP/1.1 " #code " Status\r\n" EMPTY, KEEP, "/" #code, true }
#define DAY_MS (24 * HOUR_MS)

/* A path whose first request fares otherwise has two rows. */
static const struct answer answers[] = {
    { "HTTP/1.1 200 OK\r\n" EMPTY, KEEP, "/ok", true },
    { "HTTP/1.1 503 Busy\r\nRetry-After: 7200\r\n" EMPTY, KEEP, "/503-hours", true },
    { "HTTP/1.1 429 Slow\r\nRetry-After: 3600\r\n" EMPTY, KEEP, "/429-hour", true },
    { "HTTP/1.1 429 Slow\r\nRetry-After: 3\r\n" EMPTY, KEEP, "/429-3s", true },
    { "HTTP/1.1 429 Slow\r\nRetry-After: 3600\r\n" EMPTY, KEEP, "/429-first" },
    { "HTTP/1.1 200 OK\r\n" EMPTY, KEEP, "/429-first", true },
    { NULL, HANG, "/hold", true },
    { NULL, HANG, "/hold-first" },
    { "HTTP/1.1 200 OK\r\n" EMPTY, KEEP, "/hold-first", true },
    { "HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\nBu", CLOSE, "/503-cut", true },
    { "HTTP/1.1 200 OK\r\nContent-Le", CLOSE, "/header-cut", true },
    { "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", CLOSE, "/103-cut", true },
    { "HTTP/1.1 307 Elsewhere\r\nLocation: /ok\r\n" EMPTY, KEEP, "/307", true },
    STATUS(300), STATUS(308), STATUS(404), STATUS(408), STATUS(421), STATUS(423), STATUS(425),
    STATUS(429), STATUS(503),
};

static int begin(void **state)
{
    for (unsigned i = 0; i < HOSTS; i++)
        assert_true(server_start(&hosts[i], answers, LENGTH(answers)));
    return empty_store(state);
}

#define assert_sent(host, count) assert_int_equal(server_stop(&hosts[host]), count)
#define assert_delivered(id) \
    assert_job(id, "delivered, done, attempts 1, retries 0, HTTP status 200")

#define SQLITE (strncmp(store, "postgresql:", 11) != 0)

static void need(bool that)
{
    if (!that)
        skip();
}

/* ---- what is sent ---- */

TEST(the_program_delivers_a_job_once_with_a_key_of_its_own)
{
    char words[400], key[64];
    for (unsigned i = 0; i < 2; i++) {
        program_start_words(PROGRAM, "add %s http://127.0.0.1:%u/ok", store,
                            (unsigned)hosts[0].port);
        say("{\"n\": 1}");
        program_end();
        assert_status(0);
        assert_memory_equal(program.out.bytes, "job ", 4);
    }
    snprintf(words, sizeof words, "once %s", store);
    run_program(words);
    run_program(words);
    assert_status(0);
    assert_sent(0, 2);
    assert_true(server_was_asked(&hosts[0], 1, "PUT /ok"));
    assert_string_equal(hosts[0].requests[1].body, "{\"n\": 1}");
    snprintf(key, sizeof key, "%s", server_header(&hosts[0], 0, "Idempotency-Key"));
    assert_int_equal(strspn(key, "0123456789abcdef"), 32);
    assert_string_not_equal(server_header(&hosts[0], 1, "Idempotency-Key"), key);
}

/* The program's own policy: 5 to 10 s, 10 to 20 s, at last half an hour to an hour, for 3 days. */
TEST(the_program_retries_for_three_days)
{
    int64_t id = add(0, "/503");
    char words[400];
    snprintf(words, sizeof words, "once %s", store);
    for (unsigned k = 0; k < 3; k++) {
        int64_t begun_ms = now_ms(), most_ms = k < 2 ? 10000 << k : HOUR_MS;
        run_program(words);
        assert_in_range(DUE_MS(id), begun_ms + most_ms / 2, now_ms() + most_ms);
        change("UPDATE jobs SET due_ms = 0", 0);
        if (k == 1)
            change("UPDATE jobs SET retries = 40", 0);
    }
    travel(72 * HOUR_MS - 1800000);
    run_program(words);
    assert_contains(JOB(id), "given_up, timed_out, attempts 4, retries 41");
}

/* For more than a megabyte, libcurl would ask with an Expect whether it may send it. */
TEST(a_body_arrives_whole_and_without_a_question)
{
    static char large[3 << 20];
    static const struct { char *body; size_t length; } rows[] = {
        { "", 0 }, { "a\0b\0\0c\0", 8 }, { large, sizeof large },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        int64_t id = add_body(0, "/ok", rows[i].body, rows[i].length);
        work();
        assert_delivered(id);
    }
    assert_sent(0, LENGTH(rows));
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        const struct server_request *request = &hosts[0].requests[i];
        assert_int_equal(request->length - (size_t)(request->body - request->text),
                         rows[i].length);
        assert_memory_equal(request->body, rows[i].body, rows[i].length);
        assert_string_equal(server_header(&hosts[0], i, "Expect"), "");
    }
}

TEST(the_host_of_a_url_is_its_name_in_lower_case_and_its_port)
{
    static const struct { const char *url, *host; } rows[] = {
        { "http://Example.COM/A", "example.com" }, { "https://example.com:443/", "example.com" },
        { "http://example.com:443/", "example.com:443" }, { "http://[::1]:80/", "[::1]" },
        { "ftp://example.com/", NULL }, { "example.com", NULL }, { "", NULL },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        char host[256] = "";
        bool ok = send_host_of(rows[i].url, host);
        if (ok != (rows[i].host != NULL) || (ok && strcmp(host, rows[i].host) != 0))
            fail_msg("%s: %d, %s", rows[i].url, ok, host);
    }
}

/* ---- what the answer means ---- */

/* The jobs have one host: none of these answers closes its gate. */
TEST(the_answer_decides_whether_and_when_a_job_is_sent_again)
{
    static const struct { const char *path, *job; } rows[] = {
        { "/408", "waiting, retry, attempts 1, retries 1, HTTP status 408" },
        { "/421", "waiting, retry, attempts 1, retries 1, HTTP status 421" },
        { "/423", "waiting, retry, attempts 1, retries 1, HTTP status 423" },
        { "/425", "waiting, retry, attempts 1, retries 1, HTTP status 425" },
        { "/503", "waiting, retry, attempts 1, retries 1, HTTP status 503" },
        { "/503-cut", "waiting, retry, attempts 1, retries 1, HTTP status 503" },
        { "/header-cut", "waiting, retry, attempts 1, retries 1, Transferred a partial file" },
        { "/103-cut", "waiting, retry, attempts 1, retries 1, " },
        { "/300", "given_up, failed, attempts 1, retries 0, HTTP status 300" },
        { "/307", "given_up, failed, attempts 1, retries 0, HTTP status 307" },
        { "/308", "given_up, failed, attempts 1, retries 0, HTTP status 308" },
        { "/404", "given_up, failed, attempts 1, retries 0, HTTP status 404" },
        { "/503-hours", "waiting, retry, attempts 1, retries 1, HTTP status 503, "
                        "Retry-After: 7200 s" },
    };
    int64_t ids[LENGTH(rows)];
    for (unsigned i = 0; i < LENGTH(rows); i++)
        ids[i] = add(0, rows[i].path);
    work();
    for (unsigned i = 0; i < LENGTH(rows); i++)
        assert_memory_equal(JOB(ids[i]), rows[i].job, strlen(rows[i].job));
    assert_in_range(DUE_MS(ids[LENGTH(rows) - 1]) - now_ms(), HOUR_MS, 2 * HOUR_MS);
}

/* Each attempt is made by another process. The seventh comes after 63 minutes, and the next one
   would after 123. */
TEST(after_each_restart_a_job_goes_on_where_it_was)
{
    int64_t id = add(0, "/503"), begun_ms;
    settings.policy.base_ms = 60000;
    settings.policy.cap_ms = 3600000;
    settings.policy.max_elapsed_ms = 100 * 60000;
    for (unsigned k = 1; k <= 7; k++) {
        char text[64];
        travel_until_due(id);
        begun_ms = now_ms();
        work();
        snprintf(text, sizeof text, "%s, attempts %u, retries %u, HTTP status 503",
                 k < 7 ? "waiting, retry" : "given_up, timed_out", k, k < 7 ? k : 6);
        assert_job(id, text);
        if (k < 7)
            assert_in_range(DUE_MS(id), begun_ms + (60000 << (k - 1)),
                            now_ms() + (60000 << (k - 1)));
    }
    server_stop(&hosts[0]);
    for (unsigned k = 0; k < 7; k++)
        assert_string_equal(server_header(&hosts[0], k, "Idempotency-Key"), KEY(id));
    assert_string_equal(server_header(&hosts[0], 6, "X-Attempt"), "7");
}

TEST(what_was_given_up_begins_anew_with_the_same_key)
{
    int64_t one = add(0, "/503"), all = add(0, "/404");
    char words[400];
    settings.policy.max_retries = 1;
    settings.policy.max_elapsed_ms = 72 * HOUR_MS;
    for (unsigned k = 0; k < 2; k++, travel(100 * HOUR_MS))
        work();
    assert_job(one, "given_up, exhausted, attempts 2, retries 1, HTTP status 503");
    set_clock_forward(-10 * DAY_MS);   /* it was 10 days ahead */
    snprintf(words, sizeof words, "requeue %s %lld", store, (long long)one);
    run_program(words);
    work();
    assert_job(one, "waiting, retry, attempts 3, retries 1, HTTP status 503");
    snprintf(words, sizeof words, "requeue %s", store);
    run_program(words);
    assert_string_equal(program.out.bytes, "sent again: 1\n");
    work();
    assert_job(all, "given_up, failed, attempts 2, retries 0, HTTP status 404");
    server_stop(&hosts[0]);
    assert_string_equal(server_header(&hosts[0], 3, "Idempotency-Key"), KEY(one));
}

/* ---- time ---- */

/* The clock is 50 days behind at the first attempt, and then right. 50 days are more milliseconds
   than 32 bits hold. */
TEST(a_job_is_given_up_by_the_time_that_workers_worked_and_after_an_attempt)
{
    int64_t failed = add(0, "/503"), delivered = add(0, "/429-first");
    settings.policy.max_elapsed_ms = 72 * HOUR_MS;
    work();
    set_clock_forward(50 * DAY_MS);
    work();
    assert_job(failed, "waiting, retry, attempts 2, retries 2, HTTP status 503");
    assert_job(delivered, "delivered, done, attempts 2, retries 1, HTTP status 200");
    delivered = add(0, "/429-first");
    travel(50 * DAY_MS);
    work();
    assert_job(failed, "given_up, timed_out, attempts 3, retries 2, HTTP status 503");
    assert_delivered(delivered);
}

/* A worker in this process, with a clock that only its waits move. */
static uint32_t fake_now_ms;
static unsigned wait_count;

static uint32_t fake_clock(const struct redial_env *env)
{
    return fake_now_ms;
}

static struct worker fake_worker(bool (*wait_ms)(const struct redial_env *env, uint32_t ms))
{
    struct worker worker = settings;
    worker.store = store;
    worker.once = false;
    worker.env = *redial_system();
    worker.env.now_ms = fake_clock;
    worker.env.wait_ms = wait_ms;
    wait_count = 0;
    return worker;
}

static bool wait_100_times(const struct redial_env *env, uint32_t ms)
{
    fake_now_ms += ms;
    return ++wait_count < 100;
}

/* It looks for work each second. What it counts is stored every 10 s. The clock wraps while the
   second of three workers works. */
TEST(the_time_that_a_worker_works_is_counted_by_its_own_clock)
{
    static const char sql[] = "SELECT COALESCE(MAX(ms), 0) FROM worked";
    int64_t before_ms = number_of(sql, 0);
    fake_now_ms = UINT32_MAX - 150000;
    for (unsigned k = 1; k <= 3; k++) {
        struct worker worker = fake_worker(wait_100_times);
        assert_int_equal(worker_run(&worker), 0);
        assert_in_range(number_of(sql, 0) - before_ms, k * 90000, k * 100000);
    }
}

/* ---- hosts ---- */

TEST(a_429_closes_the_gate_of_its_host_for_a_limited_time)
{
    /* The job itself waits as long as it was told, or for its base of 1 s. */
    static const struct { const char *path; int64_t job_ms, gate_ms; } rows[] = {
        { "/429", 1000, 1000 }, { "/429-3s", 3000, 3000 }, { "/429-hour", HOUR_MS, 5000 },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        int64_t first = add(0, rows[i].path), held = add(0, "/ok"), other = add(1, "/ok");
        work();
        assert_contains(JOB(first), "waiting, retry, attempts 1, retries 1");
        assert_int_equal(GATE_MS() - DUE_MS(first), rows[i].gate_ms - rows[i].job_ms);
        assert_job(held, "waiting, retry, attempts 0, retries 0, ");
        assert_delivered(other);
        travel(rows[i].gate_ms);
        work();
        assert_delivered(held);
        empty_store(state);
    }
}

TEST(a_503_closes_no_gate)
{
    int64_t held;
    add(0, "/503-hours");
    held = add(0, "/ok");
    work();
    assert_delivered(held);
}

TEST(the_later_end_of_a_gate_counts)
{
    static const struct { int64_t gate_ms, then_ms; } rows[] = {   /* the time is 10,000 */
        { 14000, 14000 }, { 12000, 14000 }, { 15000, 15000 }, { 0, 15000 },
    };
    const struct job job = { .host = "h" };
    bool kept;
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        require(store_finish(&db, &job, &job, (struct store_host){ rows[i].gate_ms, 1 }, 10000,
                             &kept));
        assert_int_equal(GATE_MS(), rows[i].then_ms);
    }
}

/* The job that was due first is found first, although its host will have been slow in an hour. */
TEST(a_clock_that_was_ahead_closes_no_gate_and_makes_no_host_slow)
{
    const struct store_host ahead = { now_ms() + HOUR_MS, now_ms() + HOUR_MS };
    struct job job = { .host = "" };
    bool kept;
    int64_t id = add(0, "/ok");
    add(1, "/ok");
    snprintf(job.host, sizeof job.host, "127.0.0.1:%u", (unsigned)hosts[0].port);
    require(store_finish(&db, &job, &job, ahead, ahead.gate_ms, &kept));
    assert_int_equal(store_find_due(&db, &job, now_ms()), STORE_FOUND);
    assert_int_equal(job.id, id);
    require(store_finish(&db, &job, &job, (struct store_host){ now_ms(), 0 }, now_ms(), &kept));
    assert_in_range(GATE_MS(), 1, now_ms());
    job_free(&job);
}

/* The limit is a second of processor time, which does not depend on the load of the machine. */
TEST(a_job_does_not_wait_for_the_many_jobs_of_a_closed_host)
{
    struct worker worker = settings;
    uint32_t began_ms = real_now_ms();
    clock_t used = clock();
    char name[32];
    int64_t id;
    snprintf(name, sizeof name, "127.0.0.1:%u", (unsigned)hosts[0].port);
    require(db_run(&db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE"
                        " i < 20000) INSERT INTO jobs (url, host, body, key, state, due_ms,"
                        " attempts, retries, began_ms, verdict, answer)"
                        " SELECT 'http://' || $1 || '/429-hour', $1, '', 'many' || i, 'waiting',"
                        " i, 0, 0, -1, 'retry', '' FROM n", DB_VALUES(db_text(name))));
    id = add(1, "/ok");
    print_message("20,000 jobs are stored after %u ms\n", real_now_ms() - began_ms);
    worker.store = store;
    worker.env = *redial_system();
    began_ms = real_now_ms();
    used = clock();
    assert_int_equal(worker_run(&worker), 0);
    used = (clock() - used) * 1000 / CLOCKS_PER_SEC;
    print_message("the worker ended after %u ms, %u ms of processor time\n",
                  real_now_ms() - began_ms, (unsigned)used);
    assert_in_range(used, 0, 999);
    assert_delivered(id);
    assert_in_range(server_stop(&hosts[0]), 1, 9);   /* one every 5 s */
}

/* After the first attempt at the one that hangs, all jobs of the other one come first. There may be
   a few more where this machine was slow. */
TEST(a_host_that_hangs_holds_no_other_host)
{
    for (unsigned i = 0; i < 100; i++)
        add(0, "/hold");
    for (unsigned i = 0; i < 40; i++)
        add(1, "/ok");
    settings.policy.attempt_ms = 1000;
    settings.once = false;
    worker_start(0);
    server_await(&hosts[1], 40);
    worker_end(0, SIGTERM);
    assert_in_range(server_stop(&hosts[0]), 1, 19);
}

/* ---- workers that die, and several workers ---- */

TEST(an_attempt_in_which_the_worker_died_counts_and_the_job_is_due_after_the_lease)
{
    static const char *const stored[] = { "retry, attempts 1, retries 1",
                                          "retry, attempts 2, retries 2",
                                          "exhausted, attempts 3, retries 2" };
    int64_t id = add(0, "/hold"), begun_ms;
    settings.policy.max_retries = 2;
    for (unsigned k = 1; k <= 3; k++) {
        int64_t wait_ms = settings.lease_ms + (k < 3 ? 1000 * k : 0);
        begun_ms = now_ms();
        worker_start(0);
        server_await(&hosts[0], k);
        worker_end(0, SIGKILL);
        assert_contains(JOB(id), stored[k - 1]);
        assert_contains(JOB(id), "none yet, or the worker died");
        assert_in_range(DUE_MS(id), begun_ms + wait_ms, now_ms() + wait_ms);
        work();
        travel_until_due(id);
    }
    work();
    assert_job(id, "given_up, exhausted, attempts 3, retries 2, none yet, or the worker died");
    assert_sent(0, 3);
}

/* While one worker is in its attempt, the lease keeps the others away. One that stood still for
   longer is too late. */
TEST(a_job_has_one_worker_at_a_time)
{
    int64_t id = add(0, "/hold-first");
    worker_start(0);
    server_await(&hosts[0], 1);
    kill(workers[0].pid, SIGSTOP);
    work();
    assert_contains(JOB(id), "waiting, retry, attempts 1, retries 1, none yet");
    travel_until_due(id);
    work();
    kill(workers[0].pid, SIGTERM);
    worker_end(0, SIGCONT);
    assert_status(0);
    assert_contains(program.err.bytes, "another worker has the job");
    assert_job(id, "delivered, done, attempts 2, retries 1, HTTP status 200");
}

/* Two workers have read the same row: the second one is refused. */
TEST(a_job_that_another_worker_has_changed_is_not_written)
{
    static const struct { int64_t attempts, due_ms; enum job_state state; } others[] = {
        { 1, 0, JOB_WAITING }, { 0, 1, JOB_WAITING }, { 0, 0, JOB_DELIVERED },
    };
    for (unsigned i = 0; i < LENGTH(others); i++) {
        struct job was, job;
        bool kept = false;
        add(0, "/ok");
        assert_int_equal(store_find_due(&db, &was, now_ms()), STORE_FOUND);
        job = was;
        job.attempts += others[i].attempts;
        job.due_ms += others[i].due_ms;
        job.state = others[i].state;
        require(store_replace(&db, &job, &was, &kept));
        assert_true(kept);
        require(store_replace(&db, &job, &was, &kept));
        assert_false(kept);
        job_free(&was);
        change("DELETE FROM jobs", 0);
    }
}

/* Another worker takes the job between this worker's look and its own step. */
static uint32_t random_of_a_slow_worker(const struct redial_env *env)
{
    change("UPDATE jobs SET attempts = attempts + 1, due_ms = due_ms + 3600000", 0);
    return 0;
}

TEST(a_job_that_another_worker_has_taken_is_not_sent)
{
    struct worker worker = fake_worker(wait_100_times);
    int64_t id = add(0, "/ok");
    worker.once = true;
    worker.env.random = random_of_a_slow_worker;
    assert_int_equal(worker_run(&worker), 0);
    assert_job(id, "waiting, retry, attempts 1, retries 0, ");
    assert_sent(0, 0);
}

/* The job that is due next is not begun. */
TEST(sigterm_in_an_attempt_costs_no_retry)
{
    int64_t id = add(0, "/hold");
    settings.policy.max_retries = 2;
    for (unsigned k = 1; k <= 3; k++) {
        worker_start(0);
        server_await(&hosts[0], k);
        add(0, "/hold");
        worker_end(0, SIGTERM);
        assert_status(0);
        assert_contains(JOB(id), "retries 0, none: the worker was told to end");
        assert_in_range(DUE_MS(id), 1, now_ms() + 1000);
        assert_int_equal(number_of("SELECT SUM(attempts) FROM jobs", 0), k);
        change("DELETE FROM jobs WHERE id > $1", id);
        travel_until_due(id);
    }
}

TEST(a_damaged_row_does_not_stop_the_other_jobs)
{
    int64_t damaged = add(0, "/ok"), other = add(0, "/ok");
    change("UPDATE jobs SET attempts = -1, retries = 5000000000, began_ms = -9223372036854775807"
           " WHERE id = $1", damaged);
    work();
    assert_contains(JOB(damaged), "delivered, done");
    assert_delivered(other);
}

TEST(an_order_and_its_job_are_kept_in_one_transaction_or_not_at_all)
{
    change("BEGIN", 0);
    add(0, "/ok");
    assert_false(db_run(&db, "SELECT nothing", DB_NO_VALUES));
    db_end(&db, false);
    assert_contains(db.error, "nothing");
    assert_int_equal(number_of("SELECT COUNT(*) FROM jobs", 0), 0);
}

/* Advances with each reading: from the moment before a job is looked for to that after its commit,
   there are two steps. */
static uint32_t clock_step_ms;

static uint32_t stepping_clock(const struct redial_env *env)
{
    return fake_now_ms += clock_step_ms;
}

TEST(a_lease_that_is_nearly_over_after_the_commit_is_not_used)
{
    int64_t id = add(0, "/ok");
    for (unsigned k = 0; k < 2; k++) {
        struct worker worker = fake_worker(wait_100_times);
        worker.once = true;
        worker.env.now_ms = stepping_clock;
        clock_step_ms = (worker.lease_ms - worker.policy.attempt_ms) / 2 - k;
        assert_int_equal(worker_run(&worker), 0);
        assert_contains(JOB(id), k == 0 ? "attempts 1, retries 0, not sent: the store was too slow"
                                        : "delivered, done, attempts 2");
        travel_until_due(id);
    }
    assert_sent(0, 1);
}

/* ---- the store ---- */

TEST(a_file_is_for_its_owner_and_what_is_committed_survives_a_power_failure)
{
    struct stat file;
    need(SQLITE);
    assert_int_equal(stat(store, &file), 0);
    assert_int_equal(file.st_mode & 0777, 0600);
    assert_int_equal(number_of("PRAGMA synchronous", 0), 2);   /* FULL */
}

TEST(a_store_of_sqlite_has_the_name_of_a_file)
{
    static const char *const names[] = { "", "postgresql://127.0.0.1/outbox" };
    need(SQLITE);
    for (unsigned i = 0; i < LENGTH(names); i++) {
        struct db other;
        assert_false(store_open(&other, names[i]));
        assert_string_equal(other.error, "a store of SQLite has the name of a file");
    }
}

TEST(a_transaction_of_another_worker_does_not_keep_a_store_from_being_opened)
{
    struct db other;
    need(SQLITE);
    change("PRAGMA journal_mode = DELETE", 0);
    change("BEGIN IMMEDIATE", 0);
    if (!store_open(&other, store))
        fail_msg("%s", other.error);
    db_close(&other);
    db_end(&db, false);
    require(store_open(&other, store));
    assert_true(db_run(&other, "PRAGMA journal_mode", DB_NO_VALUES) && db_row(&other));
    assert_string_equal(db_column(&other, 0, NULL), "wal");
    db_close(&other);
}

/* Nothing is due, so a worker looks each second. The store stays away from the first wait to the
   eighth, and again twice for a moment: at once, and after the worker has worked for 10 s. Until
   then the waits go on growing. The random part is the longest. */
static uint32_t waits[12];

static void move_store(const char *from, const char *to)
{
    char a[64], b[64];
    snprintf(a, sizeof a, "%s%s", dir, from);
    snprintf(b, sizeof b, "%s%s", dir, to);
    assert_int_equal(rename(a, b), 0);
}

static bool wait_for_store(const struct redial_env *env, uint32_t ms)
{
    unsigned k = wait_count++;
    waits[k] = ms;
    fake_now_ms += k == 0 || k == 10 ? 10000 : 1;
    if (k == 0 || k == 8 || k == 10)
        move_store("", ".away");
    if (k == 7 || k == 9 || k == 11)
        move_store(".away", "");
    return k < 11;
}

static uint32_t longest(const struct redial_env *env)
{
    return UINT32_MAX;
}

TEST(a_store_that_stays_away_is_opened_again_less_and_less_often)
{
    static const uint32_t expected[] = { 1000, 2000, 3000, 5000, 9000, 17000, 32000, 32000,
                                         1000, 32000, 1000, 2000 };
    struct worker worker = fake_worker(wait_for_store);
    need(SQLITE);
    worker.env.random = longest;
    assert_int_equal(worker_run(&worker), 0);
    assert_int_equal(wait_count, LENGTH(expected));
    for (unsigned k = 0; k < LENGTH(expected); k++)
        if (waits[k] != expected[k])
            fail_msg("wait %u: %u, not %u", k, (unsigned)waits[k], (unsigned)expected[k]);
}

/* In PostgreSQL they are all in the middle of it: they wait for a table that is taken back. */
TEST(workers_that_start_at_once_on_a_new_store_make_its_tables_once)
{
    size_t length = strlen(store);
    if (SQLITE)
        strcpy(store + length, "-new");
    else
        change("DROP TABLE jobs, hosts, worked", 0);
    db_run(&db, "BEGIN", DB_NO_VALUES);
    if (!SQLITE)
        change("CREATE TABLE jobs (id BIGINT)", 0);
    for (unsigned k = 0; k < WORKERS; k++)
        worker_start(k);
    store[length] = '\0';
    while (!SQLITE && number_of("SELECT COUNT(*) FROM pg_locks WHERE NOT granted", 0) < WORKERS)
        usleep(1000);
    db_end(&db, false);
    for (unsigned k = 0; k < WORKERS; k++) {
        worker_finish(k);
        assert_string_equal(program.err.bytes, "");
        assert_status(0);
    }
}

static void cut_the_connections_of_workers(void)
{
    change("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
           " WHERE application_name = 'outbox' AND pid <> pg_backend_pid()", 0);
}

TEST(an_answer_that_a_worker_can_not_store_counts_as_a_failure)
{
    int64_t id = add(0, "/ok");
    need(!SQLITE);
    settings.once = false;
    worker_start(0);
    while (strncmp(JOB(id), "delivered", 9) != 0)
        usleep(1000);
    cut_the_connections_of_workers();
    id = add(0, "/hold");
    server_await(&hosts[0], 2);
    cut_the_connections_of_workers();
    worker_end(0, SIGTERM);
    assert_status(0);
    assert_contains(program.err.bytes, "its answer is not stored: it counts as a failure");
    assert_job(id, "waiting, retry, attempts 1, retries 1, none yet, or the worker died");
}

TEST(a_lock_of_somebody_else_ends_in_time_and_only_committed_rows_are_read)
{
    static const char *const rows[][2] = { { "lock_timeout", "30s" },
                                           { "default_transaction_isolation", "read committed" } };
    struct db other;
    need(!SQLITE);
    change("ALTER ROLE outbox SET default_transaction_isolation = serializable", 0);
    require(store_open(&other, store));
    change("ALTER ROLE outbox RESET default_transaction_isolation", 0);
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        assert_true(db_run(&other, "SELECT current_setting($1)", DB_VALUES(db_text(rows[i][0])))
                    && db_row(&other));
        assert_string_equal(db_column(&other, 0, NULL), rows[i][1]);
    }
    db_close(&other);
}

/* ---- the program ---- */

TEST(a_mistake_is_named_in_one_line)
{
    static const struct { const char *words; int status; const char *why; } rows[] = {
        { "", 2, "usage: outbox add STORE URL" },
        { "deliver x", 2, "usage: " },
        { "add x", 2, "usage: " },
        { "run", 2, "usage: " },
        { "run x y", 2, "usage: " },
        { "requeue x 1 2", 2, "usage: " },
        { "requeue x 1x", 1, "outbox: 1x: is no number of a job\n" },
        { "requeue x 0", 1, "outbox: 0: is no number of a job\n" },
        { "add x ftp://127.0.0.1/", 1, "outbox: ftp://127.0.0.1/: is no URL of http or https\n" },
        { "run /no/where/outbox.db", 1, "outbox: /no/where/outbox.db: " },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        run_program(rows[i].words);
        assert_status(rows[i].status);
        assert_contains(program.err.bytes, rows[i].why);
        assert_string_equal(program.out.bytes, "");
    }
    run_program("--help");
    assert_status(0);
    assert_contains(program.out.bytes, "usage: ");
    assert_narrow();
}

static void read_zeros(void)
{
    dup2(open("/dev/zero", O_RDONLY), 0);
}

TEST(a_body_that_is_too_large_is_refused)
{
    program.before = read_zeros;
    program_start_words(PROGRAM, "add %s http://127.0.0.1/", store);
    program_end();
    assert_status(1);
    assert_contains(program.err.bytes, "the body: can't be read, or is longer than 16 MiB\n");
    assert_int_equal(number_of("SELECT COUNT(*) FROM jobs", 0), 0);
}

int main(int argc, char **argv)
{
    return run_on_store(argc, argv, begin);
}
