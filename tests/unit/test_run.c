/* redial_run: what it calls, in which order, and what its report, its events and its attempts say.
   SPDX-License-Identifier: MIT */
#include "scripted_env.h"

/* ---- what is refused ---- */

static void assert_nothing_ran(struct redial_report report)
{
    assert_report(report, REDIAL_INVALID, 0, 0, 0, 0);
    assert_outcome(report.last, outcome_of((enum redial_kind)0, 0, 0, 0));
}

TEST(a_missing_hook_is_invalid_and_nothing_is_called)
{
    for (unsigned hook = 0; hook < 3; hook++) {
        struct scripted run = always_failing();
        remove_hook(&run.env, hook);
        assert_nothing_ran(scripted_run(&run));
        assert_string_equal(run.trace, "");
        assert_int_equal(redial_run(&run.policy, env_of(&run), scripted_attempt, &run, NULL), REDIAL_INVALID);
        assert_string_equal(run.trace, "");
    }
}

TEST(a_missing_env_or_operation_is_invalid_and_nothing_is_called)
{
    struct redial_report report;
    struct scripted run = always_failing();
    poison(&report, sizeof report);
    assert_int_equal(redial_run(&run.policy, NULL, scripted_attempt, &run, &report), REDIAL_INVALID);
    assert_nothing_ran(report);
    poison(&report, sizeof report);
    assert_int_equal(redial_run(&run.policy, env_of(&run), NULL, &run, &report), REDIAL_INVALID);
    assert_nothing_ran(report);
    assert_int_equal(redial_run(NULL, NULL, NULL, NULL, NULL), REDIAL_INVALID);
    assert_string_equal(run.trace, "");
}

TEST(a_refused_policy_is_invalid_and_nothing_is_attempted)
{
    struct redial_policy refused[INVALID_POLICIES];
    invalid_policies(refused);
    for (unsigned i = 0; i <= INVALID_POLICIES; i++) {
        const struct redial_policy *policy = i < INVALID_POLICIES ? &refused[i] : NULL;
        struct scripted run = always_failing();
        struct redial_report report;
        poison(&report, sizeof report);
        assert_int_equal(redial_run(policy, env_of(&run), scripted_attempt, &run, &report), REDIAL_INVALID);
        assert_nothing_ran(report);
        assert_null(strpbrk(run.trace, "corew"));   /* it may read the clock */
    }
}

/* ---- the order of the calls ---- */

TEST(a_success_at_the_first_attempt_reads_the_clock_twice_and_asks_cancelled_once)
{
    struct scripted run = SCRIPTED(redial_done());
    assert_report(scripted_run(&run), REDIAL_DONE, 1, 0, 0, 0);
    assert_string_equal(run.trace, "ncon");
}

TEST(hooks_are_called_in_the_documented_order)
{
    struct scripted run = SCRIPTED(redial_http(503, 0), redial_retry(7), redial_done());
    assert_report(scripted_run(&run), REDIAL_DONE, 3, 3000, 3000, 0);
    assert_string_equal(run.trace, "n" "c" "oncrewn" "c" "oncrewn" "c" "on");
}

TEST(a_failure_for_good_uses_no_random_bits_and_calls_no_on_wait)
{
    struct scripted run = SCRIPTED(redial_http(503, 0), redial_http(404, 9));
    struct redial_report report = scripted_run(&run);
    assert_report(report, REDIAL_FAILED, 2, 1000, 1000, 0);
    assert_outcome(report.last, run.outcomes[1]);
    assert_string_equal(run.trace, "n" "c" "oncrewn" "c" "on");
}

TEST(cancelled_and_on_wait_may_be_null)
{
    struct scripted run = always_failing();
    run.policy.max_retries = 1;
    run.env.cancelled = NULL;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 2, 1000, 1000, 0);
    assert_string_equal(run.trace, "n" "onrewn" "onr");
    run = again(&run);
    run.env.on_wait = NULL;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 2, 1000, 1000, 0);
    assert_string_equal(run.trace, "n" "c" "oncrwn" "c" "oncr");
}

TEST(a_wait_of_0_ms_calls_wait_ms_too)
{
    struct scripted run = always_failing();
    run.policy.max_retries = 1;
    run.policy.jitter = REDIAL_JITTER_FULL;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 2, 0, 0, 0);
    assert_string_equal(run.trace, "n" "c" "oncrewn" "c" "oncr");
    assert_int_equal(run.waited_ms[0], 0);
    assert_int_equal(run.event[0].delay_ms, 0);
}

/* ---- how many attempts there are ---- */

TEST(k_retries_are_k_plus_1_attempts_and_each_may_succeed)
{
    struct redial_outcome outcomes[8];
    for (unsigned retries = 0; retries <= 5; retries++)
        for (unsigned success = 1; success <= retries + 2; success++) {
            struct redial_report report;
            struct scripted run;
            unsigned i, made = success <= retries + 1 ? success : retries + 1;
            uint32_t waited = (UINT32_C(1) << (made - 1)) * 1000 - 1000;   /* 1 + 2 + 4 ... s */
            for (i = 1; i <= retries + 2; i++)
                outcomes[i - 1] = i == success ? redial_http(200, 0) : redial_http(503, 0);
            run = scripted(outcomes, retries + 2);
            run.policy.max_retries = retries;
            report = scripted_run(&run);
            assert_report(report, success == made ? REDIAL_DONE : REDIAL_EXHAUSTED, made, waited, waited, 0);
            assert_outcome(report.last, outcomes[made - 1]);
            assert_int_equal(run.attempts, made);
            assert_int_equal(run.waits, made - 1);
            assert_int_equal(run.events, made - 1);
        }
}

/* ---- the other verdicts ---- */

TEST(wait_too_long_reports_what_the_server_asked_for)
{
    struct scripted run = SCRIPTED(redial_http(503, 0), redial_http(429, 300001));
    struct redial_report report = scripted_run(&run);
    assert_report(report, REDIAL_WAIT_TOO_LONG, 2, 1000, 1000, 300001);
    assert_outcome(report.last, run.outcomes[1]);
    assert_string_equal(run.trace, "n" "c" "oncrewn" "c" "oncr");
}

TEST(timed_out_reports_the_wait_that_would_end_too_late)
{
    struct redial_report report;
    struct scripted run = always_failing();
    run.policy.max_elapsed_ms = 7000;
    report = scripted_run(&run);
    assert_report(report, REDIAL_TIMED_OUT, 3, 3000, 3000, 4000);
    assert_outcome(report.last, unavailable);
    assert_string_equal(run.trace, "n" "c" "oncrewn" "c" "oncrewn" "c" "oncr");
}

TEST(budget_empty_reports_the_wait_that_was_not_begun)
{
    struct redial_budget budget;
    struct redial_report report;
    struct scripted run = always_failing();
    redial_budget_init(&budget, 1, 0);
    run.policy.budget = &budget;
    report = scripted_run(&run);
    assert_report(report, REDIAL_BUDGET_EMPTY, 2, 1000, 1000, 2000);
    assert_outcome(report.last, unavailable);
    run = again(&run);
    assert_report(scripted_run(&run), REDIAL_BUDGET_EMPTY, 1, 0, 0, 1000);
    assert_string_equal(run.trace, "n" "c" "oncr");
}

TEST(an_outcome_of_an_unknown_kind_is_invalid)
{
    static const int kinds[] = { 0, REDIAL_RETRY, REDIAL_EXHAUSTED, REDIAL_INVALID, 15, 22, 255 };
    for (unsigned i = 0; i < LENGTH(kinds); i++) {
        struct redial_outcome outcomes[2];
        struct redial_report report;
        struct scripted run;
        outcomes[0] = unavailable;
        outcomes[1] = outcome_of((enum redial_kind)kinds[i], 503, 9, 9);
        run = scripted(outcomes, 2);
        report = scripted_run(&run);
        assert_report(report, REDIAL_INVALID, 2, 1000, 1000, 0);
        assert_outcome(report.last, outcomes[1]);
        assert_string_equal(run.trace, "n" "c" "oncrewn" "c" "on");
    }
}

TEST(the_report_may_be_null_whatever_the_verdict_is)
{
    const struct { struct redial_outcome outcome; enum redial_verdict verdict; } table[] = {
        { redial_done(), REDIAL_DONE },
        { redial_fail(1), REDIAL_FAILED },
        { redial_retry(1), REDIAL_BUDGET_EMPTY },
        { redial_retry_after(1, UINT32_MAX), REDIAL_WAIT_TOO_LONG },
        { redial_retry_after(1, 90000), REDIAL_TIMED_OUT },
        { outcome_of((enum redial_kind)0, 1, 0, 0), REDIAL_INVALID }
    };
    struct redial_budget budget;
    struct scripted run;
    redial_budget_init(&budget, 0, 0);
    for (unsigned i = 0; i < LENGTH(table); i++) {
        run = scripted(&table[i].outcome, 1);
        run.policy.budget = &budget;
        run.policy.max_elapsed_ms = 90000;
        assert_int_equal(redial_run(&run.policy, env_of(&run), scripted_attempt, &run, NULL), table[i].verdict);
        assert_int_equal(run.attempts, 1);
    }
    run = always_failing();
    run.policy.max_retries = 0;
    assert_int_equal(redial_run(&run.policy, env_of(&run), scripted_attempt, &run, NULL), REDIAL_EXHAUSTED);
    run.cancel_at_question = 1;
    assert_int_equal(redial_run(&run.policy, env_of(&run), scripted_attempt, &run, NULL), REDIAL_CANCELLED);
    assert_int_equal(redial_run(NULL, env_of(&run), scripted_attempt, &run, NULL), REDIAL_INVALID);
}

/* ---- what attempts and events say ---- */

TEST(attempts_are_numbered_and_get_the_env_and_what_is_left_of_max_elapsed_ms)
{
    static const uint32_t left_ms[] = { 60000, 57000, 53000, 47000, 37000, 19000 };
    struct scripted run = always_failing();
    run.policy.max_elapsed_ms = 60000;
    run.attempt_ms = 2000;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 6, 43000, 31000, 0);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(run.attempt[i].number, i + 1);
        assert_int_equal(run.attempt[i].timeout_ms, left_ms[i]);
        assert_ptr_equal(run.attempt[i].env, env_of(&run));
    }
}

TEST(an_attempt_may_take_attempt_ms_or_what_is_left_if_that_is_less)
{
    static const struct { uint32_t attempt_ms, max_elapsed_ms, timeout_ms[3]; } table[] = {
        { 0, 0, { UINT32_MAX, UINT32_MAX, UINT32_MAX } },
        { 1, 0, { 1, 1, 1 } },
        { 6000, 0, { 6000, 6000, 6000 } },
        { 6000, 10000, { 6000, 6000, 3000 } },
        { 9000, 10000, { 9000, 7000, 3000 } },
        { UINT32_MAX, 10000, { 10000, 7000, 3000 } }
    };
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct scripted run = always_failing();
        run.policy.max_retries = 2;
        run.policy.attempt_ms = table[i].attempt_ms;
        run.policy.max_elapsed_ms = table[i].max_elapsed_ms;
        run.attempt_ms = 2000;
        scripted_run(&run);
        assert_int_equal(run.attempts, 3);
        for (unsigned j = 0; j < 3; j++)
            assert_int_equal(run.attempt[j].timeout_ms, table[i].timeout_ms[j]);
    }
}

TEST(an_event_says_how_long_the_wait_will_be_and_why)
{
    static const uint32_t random[] = { UINT32_C(0x80000000), HIGHEST, 0 };
    static const uint32_t delays[] = { 1500, 7000, 4000 }, elapsed[] = { 100, 1700, 8800 };
    struct scripted run = SCRIPTED(redial_http(503, 0), redial_http(429, 5000), redial_disconnected(-104, 3),
                                   redial_done());
    run.policy = redial_policy_default();
    run.random = random;
    run.attempt_ms = 100;
    assert_report(scripted_run(&run), REDIAL_DONE, 4, 12900, 12500, 0);
    assert_int_equal(run.events, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(run.event[i].retry, i + 1);
        assert_int_equal(run.event[i].delay_ms, delays[i]);
        assert_int_equal(run.event[i].delay_ms, run.waited_ms[i]);
        assert_int_equal(run.event[i].elapsed_ms, elapsed[i]);
        assert_outcome(run.event[i].outcome, run.outcomes[i]);
    }
}

TEST(the_report_is_up_to_date_at_each_event_and_invalid_until_the_end)
{
    struct scripted run = SCRIPTED(redial_http(503, 4000), redial_disconnected(7, 9), redial_done());
    run.attempt_ms = 100;
    assert_report(scripted_run(&run), REDIAL_DONE, 3, 6300, 6000, 0);
    assert_report(run.reported[0], REDIAL_INVALID, 1, 100, 0, 0);
    assert_outcome(run.reported[0].last, run.outcomes[0]);
    assert_report(run.reported[1], REDIAL_INVALID, 2, 4200, 4000, 0);
    assert_outcome(run.reported[1].last, run.outcomes[1]);
}

TEST(a_reset_restarts_the_events_but_not_the_report)
{
    static const uint32_t retries[] = { 1, 1, 2, 1 }, elapsed[] = { 60000, 0, 61000, 0 },
                          left_ms[] = { 70000, 9000, 69000, 7000, 69000 };
    struct scripted run = SCRIPTED(redial_retry(1), redial_disconnected(2, 60000), redial_retry(3),
                                   redial_disconnected(4, 60000), redial_fail(5));
    run.policy.max_retries = 2;
    run.policy.max_elapsed_ms = 70000;
    run.policy.min_uptime_ms = 60000;
    run.attempt_ms = 60000;
    assert_report(scripted_run(&run), REDIAL_FAILED, 5, 305000, 5000, 0);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(run.event[i].retry, retries[i]);
        assert_int_equal(run.event[i].elapsed_ms, elapsed[i]);
    }
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(run.attempt[i].number, i + 1);
        assert_int_equal(run.attempt[i].timeout_ms, left_ms[i]);
    }
}

TEST(a_reset_earns_for_the_budget_and_so_does_the_success)
{
    struct counting_budget counting;
    struct scripted run = SCRIPTED(redial_disconnected(1, 60000), redial_disconnected(2, 60000), redial_done());
    counting_budget_init(&counting, 0, &run.policy);
    run.policy.min_uptime_ms = 60000;
    assert_report(scripted_run(&run), REDIAL_DONE, 3, 2000, 2000, 0);
    assert_counts(&counting, 1, 2, 3);
}

static int questions[8];
static unsigned question_count;

static bool retry_418(const void *user, int status)
{
    assert_ptr_equal(user, questions);
    assert_true(question_count < 8);
    questions[question_count++] = status;
    return status == 418;
}

TEST(retryable_is_asked_once_for_each_attempt)
{
    static const int expected[] = { 418, 418, 503 };
    struct redial_report report;
    struct scripted run = SCRIPTED(redial_http(418, 0), redial_http(0, 0), redial_http(418, 0), redial_http(503, 0));
    run.policy.retryable = retry_418;
    run.policy.user = questions;
    question_count = 0;
    report = scripted_run(&run);
    assert_report(report, REDIAL_FAILED, 4, 7000, 7000, 0);
    assert_outcome(report.last, run.outcomes[3]);
    assert_outcome(run.event[0].outcome, run.outcomes[0]);
    assert_int_equal(question_count, 3);
    assert_memory_equal(questions, expected, sizeof expected);
}

int main(void)
{
    return run_all();
}
