/* examples/outbox, on a store of either kind, against a receiver that is slow, busy, or answers nothing.
   SPDX-License-Identifier: MIT

       test_outbox sqlite | postgresql */
#include "outbox_fixture.h"

/* ---- until it arrives ---- */

static void a_job_is_delivered_once_with_its_body_and_its_key(void **state)
{
    int64_t id = add(0, "/ok");
    (void)state;
    work("");
    work("");
    assert_string_equal(STATE(id), "delivered");
    assert_string_equal(ANSWER(id), "HTTP status 200");
    assert_int_equal(receiver_count(&receiver, NULL), 1);
    assert_memory_equal(receiver.arrivals[0].body, "0/ok ", 5);
    assert_string_equal(receiver.arrivals[0].key, KEY(id));
    assert_int_equal(strspn(receiver.arrivals[0].key, "0123456789abcdef"), 32);
}

static void two_jobs_have_different_keys(void **state)
{
    (void)state;
    add(0, "/ok");
    add(0, "/ok");
    work("");
    assert_int_equal(receiver_count(&receiver, NULL), 2);
    assert_string_not_equal(receiver.arrivals[0].key, receiver.arrivals[1].key);
}

/* Or libcurl would repeat a request by itself, at once, where it finds that its connection has died. */
static void each_attempt_has_a_connection_of_its_own(void **state)
{
    (void)state;
    add(0, "/keep");
    add(0, "/keep");
    work("");
    assert_int_equal(receiver_count(&receiver, NULL), 2);
    assert_int_equal(atomic_load(&receiver.reused), 0);
}

/* Each attempt is made by another process. */
static void after_each_restart_a_job_goes_on_where_it_was(void **state)
{
    int64_t id = add(0, "/503"), wait_ms = 1000, ended_ms;
    unsigned k;
    (void)state;
    for (k = 1; k <= 8; k++) {
        work("");
        assert_int_equal(ATTEMPTS(id), k);
        assert_int_equal(RETRIES(id), k);
        ended_ms = number_of("SELECT MAX(ended_ms) FROM attempts WHERE job = $1", id);
        assert_int_equal(DUE_MS(id) - ended_ms, wait_ms);
        wait_ms = wait_ms * 2 < 60000 ? wait_ms * 2 : 60000;
        travel_until_due(id);
    }
    assert_int_equal(receiver_count(&receiver, KEY(id)), 8);
}

static void nothing_is_sent_before_it_is_due(void **state)
{
    int64_t id = add(0, "/hours");
    (void)state;
    work("");
    travel(DUE_MS(id) - store_now_ms() - HOUR_MS);
    work("");
    assert_int_equal(ATTEMPTS(id), 1);
    assert_int_equal(receiver_count(&receiver, NULL), 1);
    travel_until_due(id);
    work("");
    assert_int_equal(ATTEMPTS(id), 2);
}

static void a_retry_after_of_hours_is_kept(void **state)
{
    int64_t id = add(0, "/hours"), ended_ms;
    (void)state;
    work("");
    assert_string_equal(STATE(id), "waiting");
    assert_string_equal(ANSWER(id), "HTTP status 503, Retry-After: 7200 s");
    ended_ms = number_of("SELECT ended_ms FROM attempts WHERE job = $1", id);
    assert_int_equal(DUE_MS(id) - ended_ms, 2 * HOUR_MS);
}

static void a_worker_waits_until_the_first_job_is_due(void **state)
{
    int64_t id = add(0, "/503");
    (void)state;
    start_worker(0, "--base 20 --cap 20 --mode none --retries 3 --until empty");
    child_finish(&workers[0]);
    assert_int_equal(workers[0].exit_status, 0);
    assert_int_equal(ATTEMPTS(id), 4);
    assert_string_equal(STATE(id), "given_up");
}

/* ---- jobs that are given up ---- */

static void a_job_that_is_refused_for_good_stays_with_the_reason(void **state)
{
    int64_t id = add(0, "/404");
    (void)state;
    work("");
    travel(100 * HOUR_MS);
    work("");
    assert_string_equal(STATE(id), "given_up");
    assert_string_equal(VERDICT(id), "failed");
    assert_string_equal(ANSWER(id), "HTTP status 404");
    assert_int_equal(receiver_count(&receiver, NULL), 1);
}

static void a_job_whose_retries_are_used_up_stays_with_the_reason(void **state)
{
    int64_t id = add(0, "/503");
    (void)state;
    work("--retries 1");
    travel_until_due(id);
    work("--retries 1");
    assert_string_equal(STATE(id), "given_up");
    assert_string_equal(VERDICT(id), "exhausted");
    assert_string_equal(ANSWER(id), "HTTP status 503");
}

static void a_wait_that_would_end_after_the_limit_gives_the_job_up(void **state)
{
    int64_t id = add(0, "/hours");
    (void)state;
    work("--limit 7200000");
    assert_string_equal(VERDICT(id), "timed_out");
    id = add(0, "/hours");
    work("--retry-after 7199999");
    assert_string_equal(VERDICT(id), "wait_too_long");
}

/* The time without a worker counts, too. */
static void a_job_whose_time_is_over_is_given_up_without_another_attempt(void **state)
{
    int64_t id = add(0, "/503");
    (void)state;
    work("--limit 259200000");
    travel(72 * HOUR_MS);
    work("--limit 259200000");
    assert_string_equal(STATE(id), "given_up");
    assert_string_equal(VERDICT(id), "timed_out");
    assert_string_equal(ANSWER(id), "HTTP status 503");
    assert_int_equal(ATTEMPTS(id), 1);
}

static void a_redirect_is_no_delivery_and_not_followed(void **state)
{
    int64_t id = add(0, "/307");
    (void)state;
    work("");
    assert_string_equal(VERDICT(id), "failed");
    assert_string_equal(ANSWER(id), "HTTP status 307");
    assert_int_equal(receiver_count(&receiver, NULL), 1);
}

/* ---- the gate ---- */

static void a_429_closes_the_gate_of_its_host_and_of_no_other(void **state)
{
    int64_t first = add(0, "/429-first"), held = add(0, "/ok"), other = add(1, "/ok");
    (void)state;
    work("");
    assert_string_equal(STATE(first), "waiting");
    assert_string_equal(STATE(held), "waiting");
    assert_string_equal(STATE(other), "delivered");
    assert_int_equal(ATTEMPTS(held), 0);
    assert_int_equal(RETRIES(held), 0);
    assert_true(DUE_MS(held) >= number_of("SELECT closed_until_ms FROM gates", 0));
    assert_in(run_program("status")->out, "answered 429: nothing is sent to it for 59 m");
    travel_until_due(held);
    work("");
    assert_string_equal(STATE(first), "delivered");
    assert_string_equal(STATE(held), "delivered");
}

static void a_503_closes_no_gate(void **state)
{
    int64_t first = add(0, "/hours"), second = add(0, "/ok");
    (void)state;
    work("");
    assert_string_equal(STATE(first), "waiting");
    assert_string_equal(STATE(second), "delivered");
    assert_int_equal(number_of("SELECT COUNT(*) FROM gates", 0), 0);
}

static void a_job_whose_gate_stays_closed_beyond_its_limit_is_given_up(void **state)
{
    int64_t first = add(0, "/429-first"), held = add(0, "/ok");
    (void)state;
    work("--limit 3600000");
    assert_string_equal(VERDICT(first), "timed_out");
    assert_string_equal(VERDICT(held), "timed_out");
    assert_int_equal(ATTEMPTS(held), 0);
}

/* ---- workers that die or stand still ---- */

static void kill_in_an_attempt(const char *more)
{
    unsigned before = atomic_load(&receiver.count);
    start_worker(0, more);
    await_arrivals(before + 1);
    kill(workers[0].pid, SIGKILL);
    child_finish(&workers[0]);
    assert_int_equal(workers[0].exit_status, -1);
    assert_true(receiver_settle(&receiver));
}

static void an_attempt_in_which_the_worker_died_counts(void **state)
{
    int64_t id = add(0, "/hold-first"), started_ms;
    (void)state;
    kill_in_an_attempt(USUAL);
    started_ms = number_of("SELECT started_ms FROM attempts WHERE job = $1", id);
    assert_string_equal(STATE(id), "sending");
    assert_int_equal(RETRIES(id), 1);
    assert_int_equal(DUE_MS(id), started_ms + LEASE_MS + 1000);
    work("");
    assert_int_equal(ATTEMPTS(id), 1);
    travel_until_due(id);
    work("");
    assert_string_equal(STATE(id), "delivered");
    assert_int_equal(ATTEMPTS(id), 2);
    assert_string_equal(receiver.arrivals[0].key, receiver.arrivals[1].key);
}

static void a_job_whose_last_attempt_killed_its_worker_is_given_up(void **state)
{
    int64_t id = add(0, "/hold-first");
    (void)state;
    kill_in_an_attempt(USUAL "--retries 0");
    assert_string_equal(STATE(id), "sending");
    assert_int_equal(number_of("SELECT due_ms - started_ms FROM jobs JOIN attempts ON job = id WHERE id = $1", id),
                     LEASE_MS);
    travel_until_due(id);
    work("--retries 0");
    assert_string_equal(STATE(id), "given_up");
    assert_string_equal(VERDICT(id), "exhausted");
    assert_string_equal(ANSWER(id), "unknown: the worker ended");
    assert_int_equal(receiver_count(&receiver, NULL), 1);
}

/* While one worker is in its attempt, the lease keeps the others away. */
static void a_job_has_one_worker_at_a_time(void **state)
{
    int64_t id = add(0, "/hold");
    (void)state;
    start_worker(0, USUAL);
    await_arrivals(1);
    assert_int_equal(run_program("run " USUAL "--until idle")->exit_status, 0);
    assert_int_equal(ATTEMPTS(id), 1);
    assert_int_equal(receiver_count(&receiver, NULL), 1);
    assert_in(run_program("status")->out, "being sent");
    kill(workers[0].pid, SIGKILL);
    child_finish(&workers[0]);
}

/* A worker that stood still for longer than its lease. */
static void what_a_worker_says_after_its_lease_changes_nothing(void **state)
{
    int64_t id = add(0, "/hold-first");
    (void)state;
    start_worker(0, USUAL);
    await_arrivals(1);
    kill(workers[0].pid, SIGSTOP);
    travel_until_due(id);
    assert_int_equal(run_program("run " USUAL "--until idle")->exit_status, 0);
    assert_string_equal(STATE(id), "delivered");
    kill(workers[0].pid, SIGTERM);
    kill(workers[0].pid, SIGCONT);
    child_finish(&workers[0]);
    assert_int_equal(workers[0].exit_status, 0);
    assert_in(workers[0].err, "another worker has the job");
    assert_string_equal(STATE(id), "delivered");
    assert_int_equal(ATTEMPTS(id), 2);
}

static void a_worker_that_is_told_to_stop_ends_its_attempt_and_keeps_the_job(void **state)
{
    int64_t id = add(0, "/hold-first");
    (void)state;
    start_worker(0, USUAL);
    await_arrivals(1);
    kill(workers[0].pid, SIGTERM);
    child_finish(&workers[0]);
    assert_int_equal(workers[0].exit_status, 0);
    assert_string_equal(STATE(id), "waiting");
    assert_int_equal(RETRIES(id), 1);
    travel_until_due(id);
    work("");
    assert_string_equal(STATE(id), "delivered");
}

/* PostgreSQL alone has connections that can be cut. */
static void a_worker_whose_connection_to_the_store_is_cut_comes_back(void **state)
{
    int64_t id = add(0, "/ok");
    (void)state;
    if (strncmp(store, "postgresql:", 11) != 0)
        skip();
    start_worker(0, USUAL);
    while (strcmp(STATE(id), "delivered") != 0)
        usleep(1000);
    change("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
           " WHERE application_name = 'outbox' AND pid <> pg_backend_pid()", 0);
    add(0, "/ok");
    await_arrivals(2);
    kill(workers[0].pid, SIGTERM);
    child_finish(&workers[0]);
    assert_int_equal(workers[0].exit_status, 0);
    assert_in(workers[0].err, "the store: ");
}

/* Each has to take a lock first. The test holds it until all of them wait for it. */
static void workers_that_start_at_once_make_the_tables_one_after_the_other(void **state)
{
    unsigned k;
    (void)state;
    if (strncmp(store, "postgresql:", 11) != 0)
        skip();
    change("DROP TABLE attempts, gates, jobs", 0);
    require(db_begin(&db) && db_run(&db, "SELECT pg_advisory_xact_lock(7258415)", NULL, 0));
    for (k = 0; k < WORKERS; k++)
        start_worker(k, "--until idle");
    while (number_of("SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted", 0) < WORKERS)
        usleep(1000);
    require(db_commit(&db));
    for (k = 0; k < WORKERS; k++) {
        child_finish(&workers[k]);
        assert_string_equal(workers[k].err, "");
        assert_int_equal(workers[k].exit_status, 0);
    }
    assert_int_equal(number_of("SELECT COUNT(*) FROM jobs", 0), 0);
}

static void a_store_that_can_not_be_opened_ends_the_worker(void **state)
{
    char kept[sizeof store];
    (void)state;
    memcpy(kept, store, sizeof store);
    snprintf(store, sizeof store, "%s/no/outbox.db", dir);
    assert_int_equal(run_program("run")->exit_status, 1);
    assert_int_equal(run_program("status")->exit_status, 1);
    memcpy(store, kept, sizeof store);
}

/* ---- what a person sees ---- */

static void the_status_is_a_table_with_what_needs_a_person_first(void **state)
{
    int64_t later = add(0, "/hours"), wrong = add(1, "/404");
    char line[160];
    const char *out;
    (void)state;
    add(0, "/ok");
    work("");
    travel(HOUR_MS - 5000);
    out = run_program("status")->out;
    assert_in(out, "1 waiting, 0 being sent, 1 delivered, 1 given up\n");
    assert_in(out, "   JOB  HOST             NEXT            ATTEMPTS  AGE        LAST ANSWER\n");
    snprintf(line, sizeof line, "\n%6lld  127.0.0.1:%u", (long long)wrong, (unsigned)receiver.ports[1]);
    assert_in(out, line);
    assert_in(out, "  given up               1  ");
    assert_in(out, "  failed: HTTP status 404\n");
    snprintf(line, sizeof line, "\n%6lld  127.0.0.1:%u", (long long)later, (unsigned)receiver.ports[0]);
    assert_in(strstr(out, "failed"), line);
    assert_in(out, "  in 1 h");
    assert_in(out, "  HTTP status 503, Retry-After: 7200 s\n");
}

static void the_status_of_a_job_lists_its_attempts(void **state)
{
    int64_t id = add(0, "/503");
    char words[64];
    const char *out;
    (void)state;
    work("");
    travel_until_due(id);
    work("");
    snprintf(words, sizeof words, "status --job %lld", (long long)id);
    out = run_program(words)->out;
    assert_in(out, KEY(id));
    assert_in(out, "\n       1  20");
    assert_in(out, "  next after 1 s      HTTP status 503\n");
    assert_in(strstr(out, "\n       2  20"), "  next after 2 s      HTTP status 503\n");
}

static void assert_refused(const char *words, const char *why)
{
    const struct child *child = run_program(words);
    assert_in(child->err, why);
    assert_string_equal(child->out, "");
    assert_int_equal(child->exit_status, 2);
}

static void help_fits_a_terminal(void **state)
{
    static const char *const words[] = { "--help", "add --help", "run --help", "status --help" };
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(words); i++) {
        const struct child *child = run_program(words[i]);
        const char *line;
        assert_int_equal(child->exit_status, 0);
        assert_in(child->out, "utbox");
        for (line = child->out; *line; line += strcspn(line, "\n") + 1)
            assert_true(strcspn(line, "\n") <= 80);
    }
}

static void a_mistake_is_named_in_one_line(void **state)
{
    (void)state;
    assert_refused("run --lease 10000 --attempt 10000", "outbox: --lease: must be longer than --attempt");
    assert_refused("add --body x", "outbox: add: a URL of http or https must follow\n");
    assert_refused("add ftp://127.0.0.1/ --body x", "outbox: add: a URL of http or https must follow\n");
    assert_refused("add http://127.0.0.1/", "outbox: --body: must be given\n");
    assert_refused("deliver", "outbox: deliver: no such option; --help lists them\n");
    assert_refused("run --wrong", "outbox: --wrong: no such option; --help lists them\n");
    assert_in(run_program("add http://127.0.0.1/ --body /no/where")->err, "outbox: /no/where: can't be read");
    assert_in(run_program("status --job 2147483647")->err, "outbox: the store: there is no job 2147483647\n");
}

/* ---- */

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, empty_store, stop_receiver)
    const struct CMUnitTest tests[] = {
        TEST(a_job_is_delivered_once_with_its_body_and_its_key),
        TEST(two_jobs_have_different_keys),
        TEST(each_attempt_has_a_connection_of_its_own),
        TEST(after_each_restart_a_job_goes_on_where_it_was),
        TEST(nothing_is_sent_before_it_is_due),
        TEST(a_retry_after_of_hours_is_kept),
        TEST(a_worker_waits_until_the_first_job_is_due),
        TEST(a_job_that_is_refused_for_good_stays_with_the_reason),
        TEST(a_job_whose_retries_are_used_up_stays_with_the_reason),
        TEST(a_wait_that_would_end_after_the_limit_gives_the_job_up),
        TEST(a_job_whose_time_is_over_is_given_up_without_another_attempt),
        TEST(a_redirect_is_no_delivery_and_not_followed),
        TEST(a_429_closes_the_gate_of_its_host_and_of_no_other),
        TEST(a_503_closes_no_gate),
        TEST(a_job_whose_gate_stays_closed_beyond_its_limit_is_given_up),
        TEST(an_attempt_in_which_the_worker_died_counts),
        TEST(a_job_whose_last_attempt_killed_its_worker_is_given_up),
        TEST(a_job_has_one_worker_at_a_time),
        TEST(what_a_worker_says_after_its_lease_changes_nothing),
        TEST(a_worker_that_is_told_to_stop_ends_its_attempt_and_keeps_the_job),
        TEST(a_worker_whose_connection_to_the_store_is_cut_comes_back),
        TEST(workers_that_start_at_once_make_the_tables_one_after_the_other),
        TEST(a_store_that_can_not_be_opened_ends_the_worker),
        TEST(the_status_is_a_table_with_what_needs_a_person_first),
        TEST(the_status_of_a_job_lists_its_attempts),
        TEST(help_fits_a_terminal),
        TEST(a_mistake_is_named_in_one_line),
    };
    return run_on_store(argc, argv, tests, LENGTH(tests));
}
