/* examples/outbox, on a store of either kind. SPDX-License-Identifier: MIT

       test_outbox [STORE] */
#include "outbox_fixture.h"

#include <curl/curl.h>
#include <sys/stat.h>

#include "../../examples/outbox/worker.h"

#define EMPTY "Content-Length: 0\r\n\r\n"
#define STATUS(code) { "HTTP/1.1 " #code " Status\r\n" EMPTY, KEEP, "/" #code, true }

/* A path whose first request fares otherwise has two rows. */
static const struct answer answers[] = {
    { "HTTP/1.1 200 OK\r\n" EMPTY, KEEP, "/ok", true },
    { "HTTP/1.1 503 Busy\r\nRetry-After: 7200\r\n" EMPTY, KEEP, "/hours", true },
    { "HTTP/1.1 429 Slow\r\nRetry-After: 3600\r\n" EMPTY, KEEP, "/429-first" },
    { "HTTP/1.1 200 OK\r\n" EMPTY, KEEP, "/429-first", true },
    { NULL, HANG, "/hold", true },
    { NULL, HANG, "/hold-first" },
    { "HTTP/1.1 200 OK\r\n" EMPTY, KEEP, "/hold-first", true },
    { "HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\nBu", CLOSE, "/cut-503", true },
    { "HTTP/1.1 307 Elsewhere\r\nLocation: /ok\r\n" EMPTY, KEEP, "/307", true },
    STATUS(308), STATUS(404), STATUS(408), STATUS(421), STATUS(423), STATUS(425), STATUS(503),
};

static int begin(void **state)
{
    for (unsigned i = 0; i < HOSTS; i++)
        assert_true(server_start(&hosts[i], answers, LENGTH(answers)));
    return empty_store(state);
}

#define assert_sent(host, count) assert_int_equal(server_stop(&hosts[host]), count)
#define assert_delivered(id) assert_job(id, "delivered, done, attempts 1, retries 0, HTTP status 200")

static void need(bool postgresql)
{
    if (postgresql != (strncmp(store, "postgresql:", 11) == 0))
        skip();
}

TEST(a_job_is_delivered_once_with_its_body_and_a_key_of_its_own)
{
    char words[128], key[64];
    struct stat file;
    snprintf(words, sizeof words, "add http://127.0.0.1:%u/ok --body -", (unsigned)hosts[0].port);
    for (unsigned i = 0; i < 2; i++) {
        start(words);
        say("{\"n\": 1}");
        program_end();
        assert_status(0);
    }
    assert_memory_equal(program.out.bytes, "job ", 4);
    work("");
    work("");
    assert_sent(0, 2);
    assert_true(server_was_asked(&hosts[0], 1, "PUT /ok"));
    assert_string_equal(hosts[0].requests[1].body, "{\"n\": 1}");
    snprintf(key, sizeof key, "%s", server_header(&hosts[0], 0, "Idempotency-Key"));
    assert_int_equal(strspn(key, "0123456789abcdef"), 32);
    assert_string_not_equal(server_header(&hosts[0], 1, "Idempotency-Key"), key);
    if (strncmp(store, "postgresql:", 11) != 0)
        assert_true(stat(store, &file) == 0 && (file.st_mode & 0777) == 0600);
}

/* Each attempt is made by another process. The seventh comes after 63 minutes, and the next one would after 123. */
TEST(after_each_restart_a_job_goes_on_where_it_was)
{
    int64_t id = add(0, "/503");
    for (unsigned k = 1; k <= 7; k++) {
        char text[64];
        travel_until_due(id);
        work("--base 1m --cap 1h --limit 100m");
        snprintf(text, sizeof text, "%s, attempts %u, retries %u, HTTP status 503",
                 k < 7 ? "waiting, retry" : "given_up, timed_out", k, k < 7 ? k : 6);
        assert_job(id, text);
        assert_int_equal(WAIT_MS(id), k < 7 ? 60000 << (k - 1) : 0);
    }
    assert_sent(0, 7);
    assert_string_equal(server_header(&hosts[0], 6, "Idempotency-Key"), KEY(id));
    assert_string_equal(server_header(&hosts[0], 6, "X-Attempt"), "7");
}

/* The jobs have one host: none of these answers closes its gate. */
TEST(the_answer_decides_whether_and_when_a_job_is_sent_again)
{
    static const char *const paths[] = { "/408", "/421", "/423", "/425", "/503", "/cut-503", "/404", "/307", "/308" };
    int64_t ids[LENGTH(paths)], hours = add(0, "/hours");
    for (unsigned i = 0; i < LENGTH(paths); i++)
        ids[i] = add(0, paths[i]);
    work("");
    for (unsigned i = 0; i < LENGTH(paths); i++) {
        char text[64];
        snprintf(text, sizeof text, "%s, HTTP status %s", i < 6 ? "waiting, retry, attempts 1, retries 1"
                 : "given_up, failed, attempts 1, retries 0", paths[i] + strlen(paths[i]) - 3);
        assert_job(ids[i], text);
    }
    assert_job(hours, "waiting, retry, attempts 1, retries 1, HTTP status 503, Retry-After: 7200 s");
    assert_int_equal(WAIT_MS(hours), 2 * HOUR_MS);
}

TEST(a_worker_waits_until_the_first_job_is_due_and_gives_it_up_after_its_retries)
{
    int64_t id = add(0, "/503");
    run_program("run --base 20ms --cap 20ms --mode none --retries 3 --until empty");
    assert_status(0);
    assert_job(id, "given_up, exhausted, attempts 4, retries 3, HTTP status 503");
}

/* 50 days are more milliseconds than 32 bits hold. */
TEST(the_time_of_a_job_begins_with_its_first_attempt_and_once_it_is_over_there_is_another_one)
{
    int64_t failed = add(0, "/503"), delivered = add(0, "/429-first");
    travel(50 * 24 * HOUR_MS);
    work("--limit 72h");
    assert_job(failed, "waiting, retry, attempts 1, retries 1, HTTP status 503");
    travel(50 * 24 * HOUR_MS);
    work("--limit 72h");
    assert_job(failed, "given_up, timed_out, attempts 2, retries 1, HTTP status 503");
    assert_job(delivered, "delivered, done, attempts 2, retries 1, HTTP status 200");
}

TEST(what_was_given_up_begins_anew_with_the_same_key)
{
    int64_t one = add(0, "/503"), all = add(0, "/404");
    char words[64];
    for (unsigned k = 0; k < 2; k++, travel(100 * HOUR_MS))
        work("--retries 1");
    assert_job(one, "given_up, exhausted, attempts 2, retries 1, HTTP status 503");
    change("UPDATE jobs SET due_ms = due_ms + 864000000 WHERE id = $1", one);   /* by a clock that was 10 days ahead */
    snprintf(words, sizeof words, "requeue --job %lld", (long long)one);
    run_program(words);
    work("--limit 72h --retries 1");
    assert_job(one, "waiting, retry, attempts 3, retries 1, HTTP status 503");
    run_program("requeue");
    assert_string_equal(program.out.bytes, "sent again: 1\n");
    work("");
    assert_job(all, "given_up, failed, attempts 2, retries 0, HTTP status 404");
    server_stop(&hosts[0]);
    assert_string_equal(server_header(&hosts[0], 3, "Idempotency-Key"), KEY(one));
}

TEST(a_host_that_hangs_holds_no_other_host)
{
    for (unsigned i = 0; i < 100; i++)
        add(0, "/hold");
    add(1, "/ok");
    worker_start(0, USUAL "--attempt 100ms");
    server_await(&hosts[1], 1);
    worker_end(0, SIGTERM);
    assert_true(server_stop(&hosts[0]) < 50);   /* two, and more only if this test stood still */
}

TEST(a_429_closes_the_gate_of_its_host_and_of_no_other)
{
    int64_t first = add(0, "/429-first"), held = add(0, "/ok"), other = add(1, "/ok");
    work("--limit 2h");
    assert_job(first, "waiting, retry, attempts 1, retries 1, HTTP status 429, Retry-After: 3600 s");
    assert_job(held, "waiting, retry, attempts 0, retries 0, ");
    assert_delivered(other);
    assert_true(DUE_MS(held) >= number_of("SELECT until_ms FROM closings", 0));
    travel_until_due(held);
    work("--limit 2h");
    assert_job(first, "delivered, done, attempts 2, retries 1, HTTP status 200");
    assert_delivered(held);
}

TEST(a_429_whose_wait_is_too_long_gives_up_its_own_job_alone)
{
    for (unsigned host = 0; host < HOSTS; host++) {
        int64_t first = add(host, "/429-first"), second = add(host, "/ok");
        work(host == 0 ? "--limit 1h" : "--retry-after 3599999ms");
        assert_contains(JOB(first), host == 0 ? "given_up, timed_out" : "given_up, wait_too_long");
        assert_delivered(second);
    }
}

TEST(a_worker_believes_a_gate_for_as_long_as_its_own_longest_retry_after_and_none_of_a_clock_that_was_ahead)
{
    int64_t first = add(0, "/429-first"), second;
    work("");
    second = add(0, "/ok");
    work("--retry-after 1m --limit 30s");
    assert_job(second, "waiting, retry, attempts 0, retries 0, ");
    travel(60000);
    travel_until_due(second);
    work("--retry-after 1m --limit 30s");
    assert_delivered(second);
    assert_contains(JOB(first), "waiting, retry, attempts 1");
    travel(-30 * 24 * HOUR_MS);
    for (unsigned k = 0; k < 2; k++) {
        second = add(0, "/ok");
        work("");
        assert_delivered(second);
    }
}

TEST(the_later_end_of_a_gate_counts_unless_its_clock_was_wrong)
{
    struct job job = { .state = JOB_WAITING, .gate_ms = 7200000, .host = "h" };
    bool kept;
    for (unsigned i = 0; i < 2; i++, job.gate_ms /= 2)
        require(store_finish(&db, &job, 1, &kept));
    assert_int_equal(number_of("SELECT until_ms FROM closings", 0), 7200000);
    change("UPDATE closings SET closed_ms = 2", 0);
    require(store_finish(&db, &job, 1, &kept));
    assert_int_equal(number_of("SELECT until_ms FROM closings", 0), 1800000);
}

TEST(an_attempt_in_which_the_worker_died_counts_and_the_job_is_due_after_the_lease)
{
    int64_t id = add(0, "/hold");
    static const char *const stored[] = { "retry, attempts 1, retries 1", "retry, attempts 2, retries 2",
                                          "exhausted, attempts 3, retries 2" };
    for (unsigned k = 1; k <= 3; k++) {
        worker_start(0, USUAL "--retries 2");
        server_await(&hosts[0], k);
        worker_end(0, SIGKILL);
        assert_contains(JOB(id), stored[k - 1]);
        assert_contains(JOB(id), "unknown: the worker ended");
        assert_int_equal(WAIT_MS(id), k < 3 ? 1000 * k : 0);
        assert_true(DUE_MS(id) - now_ms() > LEASE_MS - 60000);   /* the attempt began less than a minute ago */
        work("--retries 2");
        travel_until_due(id);
    }
    work("--retries 2");
    assert_job(id, "given_up, exhausted, attempts 3, retries 2, unknown: the worker ended");
    assert_sent(0, 3);
}

/* While one worker is in its attempt, the lease keeps the others away. One that stood still for longer is too late. */
TEST(a_job_has_one_worker_at_a_time)
{
    int64_t id = add(0, "/hold-first");
    worker_start(0, USUAL);
    server_await(&hosts[0], 1);
    kill(workers[0].pid, SIGSTOP);
    work("");
    assert_contains(JOB(id), "sending, retry, attempts 1");
    travel_until_due(id);
    work("");
    kill(workers[0].pid, SIGTERM);
    worker_end(0, SIGCONT);
    assert_status(0);
    assert_contains(program.err.bytes, "another worker has the job");
    assert_job(id, "delivered, done, attempts 2, retries 1, HTTP status 200");
}

TEST(sigterm_in_an_attempt_costs_no_retry)
{
    int64_t id = add(0, "/hold");
    for (unsigned k = 1; k <= 3; k++) {
        worker_start(0, USUAL "--retries 2");
        server_await(&hosts[0], k);
        worker_end(0, SIGTERM);
        assert_status(0);
        assert_contains(JOB(id), "retries 0, none: the worker was told to end");
        travel_until_due(id);
    }
}

TEST(a_damaged_row_does_not_stop_the_other_jobs)
{
    int64_t damaged = add(0, "/ok"), other = add(0, "/ok");
    change("UPDATE jobs SET attempts = -1, retries = 5000000000, counted_ms = -9223372036854775807 WHERE id = $1",
           damaged);
    work("");
    assert_contains(JOB(damaged), "delivered, done");
    assert_delivered(other);
}

/* A worker asks this while it waits for the lock. */
static bool unlock(const struct redial_env *env)
{
    db_end(&db, true);
    return false;
}

static bool stopped(const struct redial_env *env)
{
    return true;
}

/* Advances with each reading. */
static uint32_t clock_now_ms, clock_step_ms;

static uint32_t stepping_clock(const struct redial_env *env)
{
    return clock_now_ms += clock_step_ms;
}

/* Half a second later than at the reading before, a program that should end waits no longer. */
static const struct redial_env *env_that_should_end(void)
{
    static struct redial_env env;
    env = *redial_system();
    env.cancelled = stopped;
    env.now_ms = stepping_clock;
    clock_now_ms = 0;
    clock_step_ms = 500;
    return &env;
}

TEST(a_store_that_is_locked_is_waited_for_unless_the_program_should_end)
{
    struct redial_env env = *redial_system();
    struct db other;
    need(false);
    require(db_run(&db, "PRAGMA journal_mode = DELETE", NULL, 0) && db_begin(&db));
    env.cancelled = unlock;
    assert_true(store_open(&other, store, &env));
    require(db_begin(&db));
    other.env = env_that_should_end();
    assert_false(db_begin(&other));
    assert_true(clock_now_ms <= 1000);
    assert_string_equal(other.error, "database is locked");
    db_end(&db, false);
    db_close(&other);
}

/* Its journal is moved, too: SQLite would otherwise take it for that of the new file. */
TEST(a_store_that_was_replaced_is_opened_again)
{
    char move[3 * sizeof store];
    need(false);
    add(0, "/ok");
    worker_start(0, USUAL);
    server_await(&hosts[0], 1);
    kill(workers[0].pid, SIGSTOP);
    snprintf(move, sizeof move, "mkdir %s/old && mv %s* %s/old", dir, store, dir);
    assert_int_equal(system(move), 0);
    kill(workers[0].pid, SIGCONT);
    db_close(&db);
    require(store_open(&db, store, redial_system()));
    add(0, "/ok");
    server_await(&hosts[0], 2);
    worker_end(0, SIGTERM);
    assert_contains(program.err.bytes, "the store: its file was moved or replaced");
}

TEST(an_order_and_its_job_are_kept_in_one_transaction_or_not_at_all)
{
    require(db_begin(&db));
    add(0, "/ok");
    assert_false(db_run(&db, "SELECT nothing", NULL, 0));
    db_end(&db, false);
    assert_contains(db.error, "nothing");
    assert_int_equal(number_of("SELECT COUNT(*) FROM jobs", 0), 0);
}

/* Between the beginning of the transaction and the attempt, the clock is read twice. */
TEST(a_lease_that_is_nearly_over_after_the_commit_is_not_used)
{
    int64_t id = add(0, "/ok");
    need(false);
    for (unsigned k = 0; k < 2; k++) {
        struct worker worker = { .store = store, .policy = REDIAL_POLICY_DEFAULT, .lease_ms = LEASE_MS,
                                 .until = WORKER_IDLE, .env = *redial_system() };
        worker.policy.attempt_ms = 60000;
        worker.env.now_ms = stepping_clock;
        clock_step_ms = LEASE_MS - 60000 - k;
        assert_int_equal(worker_run(&worker), 0);
        travel_until_due(id);
    }
    assert_job(id, "delivered, done, attempts 2, retries 0, HTTP status 200");
    assert_sent(0, 1);
}

static void cut_the_connections_of_workers(void)
{
    change("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
           " WHERE application_name = 'outbox' AND pid <> pg_backend_pid()", 0);
}

/* If it waited for the lock, it would wait for ever. */
TEST(a_worker_skips_a_job_that_another_one_has_locked)
{
    int64_t locked = add(0, "/ok"), other = add(0, "/ok");
    need(true);
    require(db_begin(&db));
    change("SELECT 1 FROM jobs WHERE id = $1 FOR UPDATE", locked);
    work("");
    require(db_end(&db, true));
    assert_delivered(other);
    assert_contains(JOB(locked), "waiting, retry, attempts 0");
}

TEST(a_worker_whose_connection_is_cut_comes_back_and_an_answer_that_it_can_not_store_counts_as_a_failure)
{
    int64_t id = add(0, "/ok");
    need(true);
    worker_start(0, USUAL);
    while (strncmp(JOB(id), "delivered", 9) != 0)
        usleep(1000);
    cut_the_connections_of_workers();
    id = add(0, "/hold");
    server_await(&hosts[0], 2);
    cut_the_connections_of_workers();
    worker_end(0, SIGTERM);
    assert_status(0);
    assert_contains(program.err.bytes, "its answer is not stored: it counts as a failure");
    assert_job(id, "sending, retry, attempts 1, retries 1, unknown: the worker ended");
}

/* Each has to take a lock first. The test holds it until all of them wait for it. */
TEST(workers_that_start_at_once_make_the_tables_one_after_the_other)
{
    need(true);
    change("DROP TABLE closings, jobs", 0);
    require(db_begin(&db) && db_run(&db, "SELECT pg_advisory_xact_lock(7258415)", NULL, 0));
    for (unsigned k = 0; k < WORKERS; k++)
        worker_start(k, "run --until idle");
    while (number_of("SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted", 0) < WORKERS)
        usleep(1000);
    require(db_end(&db, true));
    for (unsigned k = 0; k < WORKERS; k++) {
        worker_finish(k);
        assert_string_equal(program.err.bytes, "");
        assert_status(0);
    }
}

/* It would wait for ever: here for a statement, then for a connection. */
TEST(sigterm_ends_a_worker_whose_store_does_not_answer)
{
    char silent[64];
    struct db other;
    need(true);
    add(0, "/hold");
    worker_start(0, USUAL);
    server_await(&hosts[0], 1);
    require(db_begin(&db));
    change("LOCK TABLE jobs", 0);
    worker_end(0, SIGTERM);
    require(db_end(&db, true));
    assert_status(0);
    snprintf(silent, sizeof silent, "postgresql://127.0.0.1:%u/", (unsigned)hosts[1].port);
    assert_false(store_open(&other, silent, env_that_should_end()));
    assert_true(clock_now_ms <= 2000);
}

TEST(help_fits_a_terminal)
{
    static const char *const words[] = { "--help", "add --help", "run --help", "requeue --help" };
    for (unsigned i = 0; i < LENGTH(words); i++) {
        run_program(words[i]);
        assert_status(0);
        assert_contains(program.out.bytes, "utbox");
        assert_narrow();
    }
}

TEST(a_mistake_is_named_in_one_line)
{
    static const struct { const char *words; int status; const char *why; } rows[] = {
        { "run --lease 10s --attempt 10s", 2, "outbox: --lease: must be longer than --attempt" },
        { "add --body x", 2, "outbox: add: a URL of http or https must follow\n" },
        { "add ftp://127.0.0.1/ --body x", 2, "outbox: add: a URL of http or https must follow\n" },
        { "add http://127.0.0.1/", 2, "outbox: --body: must be given\n" },
        { "deliver", 2, "outbox: " },
        { "add http://127.0.0.1/ --body /no/where", 1, "outbox: /no/where: can't be read" },
        { "add http://127.0.0.1/ --body /dev/zero", 1, "/dev/zero: can't be read, or is longer than 16 MiB\n" },
        { "run --store /no/where/outbox.db", 1, "the store: " },
        { "add http://127.0.0.1/ --body /dev/null --store=", 1, "the store: its name is empty\n" },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        run_program(rows[i].words);
        assert_status(rows[i].status);
        assert_contains(program.err.bytes, rows[i].why);
        assert_string_equal(program.out.bytes, "");
    }
}

int main(int argc, char **argv)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
    return run_on_store(argc, argv, begin);
}
