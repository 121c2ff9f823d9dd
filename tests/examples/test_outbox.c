/* examples/outbox, on a store of either kind, against a receiver that is slow, busy, or answers nothing.
   SPDX-License-Identifier: MIT

       test_outbox sqlite | postgresql */
#include "outbox_fixture.h"

/* ---- until it arrives ---- */

TEST(a_job_is_delivered_once_with_its_body_and_its_key)
{
    int64_t id = add(0, "/ok");
    work("");
    work("");
    assert_string_equal(STATE(id), "delivered");
    assert_string_equal(ANSWER(id), "HTTP status 200");
    assert_int_equal(receiver_count(&receiver, NULL), 1);
    assert_memory_equal(receiver.arrivals[0].body, "0/ok ", 5);
    assert_string_equal(receiver.arrivals[0].key, KEY(id));
    assert_int_equal(strspn(receiver.arrivals[0].key, "0123456789abcdef"), 32);
}

TEST(two_jobs_have_different_keys)
{
    add(0, "/ok");
    add(0, "/ok");
    work("");
    assert_int_equal(receiver_count(&receiver, NULL), 2);
    assert_string_not_equal(receiver.arrivals[0].key, receiver.arrivals[1].key);
}

/* On a kept connection that has died, libcurl would repeat a request by itself, at once. */
TEST(each_attempt_has_a_connection_of_its_own)
{
    add(0, "/keep");
    add(0, "/keep");
    work("");
    assert_int_equal(receiver_count(&receiver, NULL), 2);
    assert_int_equal(atomic_load(&receiver.reused), 0);
}

/* Each attempt is made by another process. */
TEST(after_each_restart_a_job_goes_on_where_it_was)
{
    int64_t id = add(0, "/503"), wait_ms = 1000, ended_ms;
    for (unsigned k = 1; k <= 8; k++) {
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

TEST(nothing_is_sent_before_it_is_due)
{
    int64_t id = add(0, "/hours");
    work("");
    travel(DUE_MS(id) - store_now_ms() - HOUR_MS);
    work("");
    assert_int_equal(ATTEMPTS(id), 1);
    assert_int_equal(receiver_count(&receiver, NULL), 1);
    travel_until_due(id);
    work("");
    assert_int_equal(ATTEMPTS(id), 2);
}

TEST(a_retry_after_of_hours_is_kept)
{
    int64_t id = add(0, "/hours"), ended_ms;
    work("");
    assert_string_equal(STATE(id), "waiting");
    assert_string_equal(ANSWER(id), "HTTP status 503, Retry-After: 7200 s");
    ended_ms = number_of("SELECT ended_ms FROM attempts WHERE job = $1", id);
    assert_int_equal(DUE_MS(id) - ended_ms, 2 * HOUR_MS);
}

TEST(the_status_decides_however_long_the_answer_is)
{
    int64_t id = add(0, "/long");
    work("");
    assert_string_equal(STATE(id), "waiting");
    assert_string_equal(ANSWER(id), "HTTP status 503");
}

TEST(a_worker_waits_until_the_first_job_is_due)
{
    int64_t id = add(0, "/503");
    start_worker(0, "--base 20ms --cap 20ms --mode none --retries 3 --until empty");
    child_finish(&workers[0]);
    assert_int_equal(workers[0].exit_status, 0);
    assert_int_equal(ATTEMPTS(id), 4);
    assert_string_equal(STATE(id), "given_up");
}

/* ---- jobs that are given up ---- */

static void assert_given_up(int64_t id, const char *verdict, const char *answer)
{
    assert_string_equal(STATE(id), "given_up");
    assert_string_equal(VERDICT(id), verdict);
    assert_string_equal(ANSWER(id), answer);
}

TEST(a_job_that_is_refused_for_good_stays_with_the_reason)
{
    int64_t id = add(0, "/404");
    work("");
    travel(100 * HOUR_MS);
    work("");
    assert_given_up(id, "failed", "HTTP status 404");
    assert_int_equal(receiver_count(&receiver, NULL), 1);
}

TEST(a_job_whose_retries_are_used_up_stays_with_the_reason)
{
    int64_t id = add(0, "/503");
    work("--retries 1");
    travel_until_due(id);
    work("--retries 1");
    assert_given_up(id, "exhausted", "HTTP status 503");
}

TEST(a_wait_that_would_end_after_the_limit_gives_the_job_up)
{
    int64_t id = add(0, "/hours");
    work("--limit 2h");
    assert_string_equal(VERDICT(id), "timed_out");
    id = add(0, "/hours");
    work("--retry-after 7199999ms");
    assert_string_equal(VERDICT(id), "wait_too_long");
}

/* The time without a worker counts, too. */
TEST(a_job_whose_time_is_over_is_given_up_without_another_attempt)
{
    int64_t id = add(0, "/503");
    work("--limit 72h");
    travel(72 * HOUR_MS);
    work("--limit 72h");
    assert_given_up(id, "timed_out", "HTTP status 503");
    assert_int_equal(ATTEMPTS(id), 1);
}

TEST(a_redirect_is_no_delivery_and_not_followed)
{
    int64_t id = add(0, "/307");
    work("");
    assert_string_equal(VERDICT(id), "failed");
    assert_string_equal(ANSWER(id), "HTTP status 307");
    assert_int_equal(receiver_count(&receiver, NULL), 1);
}

/* ---- the gate ---- */

TEST(a_429_closes_the_gate_of_its_host_and_of_no_other)
{
    int64_t first = add(0, "/429-first"), held = add(0, "/ok"), other = add(1, "/ok");
    work("");
    assert_string_equal(STATE(first), "waiting");
    assert_string_equal(STATE(held), "waiting");
    assert_string_equal(STATE(other), "delivered");
    assert_int_equal(ATTEMPTS(held), 0);
    assert_int_equal(RETRIES(held), 0);
    assert_true(DUE_MS(held) >= number_of("SELECT closed_until_ms FROM gates", 0));
    travel_until_due(held);
    work("");
    assert_string_equal(STATE(first), "delivered");
    assert_string_equal(STATE(held), "delivered");
}

TEST(a_503_closes_no_gate)
{
    int64_t first = add(0, "/hours"), second = add(0, "/ok");
    work("");
    assert_string_equal(STATE(first), "waiting");
    assert_string_equal(STATE(second), "delivered");
    assert_int_equal(number_of("SELECT COUNT(*) FROM gates", 0), 0);
}

TEST(a_job_whose_gate_stays_closed_beyond_its_limit_is_given_up)
{
    int64_t held;
    add(0, "/429-first");
    work("");
    held = add(0, "/ok");
    work("--limit 3500s");
    assert_string_equal(VERDICT(held), "timed_out");
    assert_int_equal(ATTEMPTS(held), 0);
}

TEST(a_429_whose_wait_is_too_long_for_every_job_gives_up_its_own_alone)
{
    int64_t first = add(0, "/429-first"), second = add(0, "/ok"), third, fourth;
    work("--limit 1h");
    assert_string_equal(VERDICT(first), "timed_out");
    assert_string_equal(STATE(second), "delivered");
    third = add(0, "/429-first");
    fourth = add(0, "/ok");
    work("--retry-after 3599999ms");
    assert_string_equal(VERDICT(third), "wait_too_long");
    assert_string_equal(STATE(fourth), "delivered");
}

TEST(a_429_at_the_last_attempt_of_a_job_closes_the_gate_too)
{
    int64_t first = add(0, "/429-first"), held = add(0, "/ok");
    work("--retries 0");
    assert_string_equal(VERDICT(first), "exhausted");
    assert_string_equal(STATE(held), "waiting");
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

TEST(an_attempt_in_which_the_worker_died_counts)
{
    int64_t id = add(0, "/hold-first"), started_ms;
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

TEST(a_job_whose_last_attempt_killed_its_worker_is_given_up)
{
    int64_t id = add(0, "/hold-first");
    kill_in_an_attempt(USUAL "--retries 0");
    assert_string_equal(STATE(id), "sending");
    assert_int_equal(number_of("SELECT due_ms - started_ms FROM jobs JOIN attempts ON job = id WHERE id = $1", id),
                     LEASE_MS);
    travel_until_due(id);
    work("--retries 0");
    assert_given_up(id, "exhausted", "unknown: the worker ended");
    assert_int_equal(receiver_count(&receiver, NULL), 1);
}

/* While one worker is in its attempt, the lease keeps the others away. */
TEST(a_job_has_one_worker_at_a_time)
{
    int64_t id = add(0, "/hold");
    start_worker(0, USUAL);
    await_arrivals(1);
    assert_int_equal(run_program("run " USUAL "--until idle")->exit_status, 0);
    assert_int_equal(ATTEMPTS(id), 1);
    assert_int_equal(receiver_count(&receiver, NULL), 1);
    assert_string_equal(STATE(id), "sending");
    kill(workers[0].pid, SIGKILL);
    child_finish(&workers[0]);
}

/* A worker that stood still for longer than its lease. */
TEST(a_result_after_the_end_of_the_lease_is_not_stored)
{
    int64_t id = add(0, "/hold-first");
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
    assert_contains(workers[0].err, "another worker has the job");
    assert_string_equal(STATE(id), "delivered");
    assert_int_equal(ATTEMPTS(id), 2);
}

TEST(a_worker_that_gets_sigterm_ends_its_attempt_and_keeps_the_job)
{
    int64_t id = add(0, "/hold-first");
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

/* ---- what PostgreSQL alone has: connections that can be cut, and locks of rows ---- */

static void need_postgresql(void)
{
    if (strncmp(store, "postgresql:", 11) != 0)
        skip();
}

static void cut_the_connections_of_workers(void)
{
    change("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
           " WHERE application_name = 'outbox' AND pid <> pg_backend_pid()", 0);
}

/* If it waited for the lock, it would wait for ever. */
TEST(a_worker_skips_a_job_that_another_one_has_locked)
{
    int64_t locked, free;
    need_postgresql();
    locked = add(0, "/ok");
    free = add(0, "/ok");
    require(db_begin(&db));
    change("SELECT 1 FROM jobs WHERE id = $1 FOR UPDATE", locked);
    start_worker(0, USUAL "--until idle");
    await_arrivals(1);
    child_finish(&workers[0]);
    assert_string_equal(receiver.arrivals[0].key, KEY(free));
    assert_int_equal(atomic_load(&receiver.count), 1);
    require(db_commit(&db));
    work("");
    assert_string_equal(STATE(locked), "delivered");
}

TEST(an_answer_that_can_not_be_stored_counts_as_a_failure)
{
    int64_t id;
    need_postgresql();
    id = add(0, "/hold-first");
    start_worker(0, USUAL);
    await_arrivals(1);
    cut_the_connections_of_workers();
    kill(workers[0].pid, SIGTERM);
    child_finish(&workers[0]);
    assert_contains(workers[0].err, "its answer is not stored: it counts as a failure");
    assert_string_equal(STATE(id), "sending");
    assert_int_equal(RETRIES(id), 1);
    travel_until_due(id);
    work("");
    assert_string_equal(STATE(id), "delivered");
    assert_string_equal(receiver.arrivals[0].key, receiver.arrivals[1].key);
}

TEST(a_worker_whose_connection_to_the_store_is_cut_comes_back)
{
    int64_t id;
    need_postgresql();
    id = add(0, "/ok");
    start_worker(0, USUAL);
    while (strcmp(STATE(id), "delivered") != 0)
        usleep(1000);
    cut_the_connections_of_workers();
    add(0, "/ok");
    await_arrivals(2);
    kill(workers[0].pid, SIGTERM);
    child_finish(&workers[0]);
    assert_int_equal(workers[0].exit_status, 0);
    assert_contains(workers[0].err, "the store: ");
}

/* Each has to take a lock first. The test holds it until all of them wait for it. */
TEST(workers_that_start_at_once_make_the_tables_one_after_the_other)
{
    need_postgresql();
    change("DROP TABLE attempts, gates, jobs", 0);
    require(db_begin(&db) && db_run(&db, "SELECT pg_advisory_xact_lock(7258415)", NULL, 0));
    for (unsigned k = 0; k < WORKERS; k++)
        start_worker(k, "--until idle");
    while (number_of("SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted", 0) < WORKERS)
        usleep(1000);
    require(db_commit(&db));
    for (unsigned k = 0; k < WORKERS; k++) {
        child_finish(&workers[k]);
        assert_string_equal(workers[k].err, "");
        assert_int_equal(workers[k].exit_status, 0);
    }
    assert_int_equal(number_of("SELECT COUNT(*) FROM jobs", 0), 0);
}

TEST(a_store_that_can_not_be_opened_ends_the_worker)
{
    char kept[sizeof store];
    memcpy(kept, store, sizeof store);
    snprintf(store, sizeof store, "%s/no/outbox.db", dir);
    assert_int_equal(run_program("run")->exit_status, 1);
    store[0] = '\0';
    assert_contains(run_program("add http://127.0.0.1/ --body /dev/null")->err, "the store: its name is empty\n");
    memcpy(store, kept, sizeof store);
}

/* ---- what a person sees ---- */

static void assert_refused(const char *words, const char *why)
{
    const struct child *child = run_program(words);
    assert_contains(child->err, why);
    assert_string_equal(child->out, "");
    assert_int_equal(child->exit_status, 2);
}

TEST(help_fits_a_terminal)
{
    static const char *const words[] = { "--help", "add --help", "run --help" };
    for (unsigned i = 0; i < LENGTH(words); i++) {
        const struct child *child = run_program(words[i]);
        const char *line;
        assert_int_equal(child->exit_status, 0);
        assert_contains(child->out, "utbox");
        for (line = child->out; *line; line += strcspn(line, "\n") + 1)
            assert_true(strcspn(line, "\n") <= 80);
    }
}

TEST(a_mistake_is_named_in_one_line)
{
    assert_refused("run --lease 10s --attempt 10s", "outbox: --lease: must be longer than --attempt");
    assert_refused("add --body x", "outbox: add: a URL of http or https must follow\n");
    assert_refused("add ftp://127.0.0.1/ --body x", "outbox: add: a URL of http or https must follow\n");
    assert_refused("add http://127.0.0.1/", "outbox: --body: must be given\n");
    assert_refused("deliver", "outbox: argument 1: is no option; --help lists them\n");
    assert_refused("run --wrong", "outbox: --wrong: no such option; --help lists them\n");
    assert_contains(run_program("add http://127.0.0.1/ --body /no/where")->err, "outbox: /no/where: can't be read");
}

/* ---- */

int main(int argc, char **argv)
{
    return run_on_store(argc, argv);
}
