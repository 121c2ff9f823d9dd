/* redial_run: what it calls, in which order, and what its report, its events and its attempts say.
   SPDX-License-Identifier: MIT */
#include "scripted_env.h"

static const struct redial_outcome failing = { REDIAL_KIND_HTTP, 503, 0, 0 };

/* ---- what is refused ---- */

static void assert_nothing_ran(struct redial_report report)
{
    assert_report(report, REDIAL_INVALID, 0, 0, 0, 0);
    assert_outcome(report.last, outcome_of((enum redial_kind)0, 0, 0, 0));
}

static void a_missing_hook_is_invalid_and_nothing_is_called(void **state)
{
    struct redial_policy policy = plain_policy();
    unsigned hook;
    (void)state;
    for (hook = 0; hook < 3; hook++) {
        struct world world;
        world_init(&world, &failing, 1);
        if (hook == 0)
            world.env.now_ms = NULL;
        else if (hook == 1)
            world.env.wait_ms = NULL;
        else
            world.env.random = NULL;
        assert_nothing_ran(world_run(&world, &policy));
        assert_string_equal(world.trace, "");
        assert_int_equal(redial_run(&policy, &world.env, world_attempt, &world, NULL), REDIAL_INVALID);
        assert_string_equal(world.trace, "");
    }
}

static void a_missing_env_or_operation_is_invalid_and_nothing_is_called(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_report report;
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    poison(&report, sizeof report);
    assert_int_equal(redial_run(&policy, NULL, world_attempt, &world, &report), REDIAL_INVALID);
    assert_nothing_ran(report);
    poison(&report, sizeof report);
    assert_int_equal(redial_run(&policy, &world.env, NULL, &world, &report), REDIAL_INVALID);
    assert_nothing_ran(report);
    assert_int_equal(redial_run(NULL, NULL, NULL, NULL, NULL), REDIAL_INVALID);
    assert_string_equal(world.trace, "");
}

static void a_refused_policy_is_invalid_and_nothing_is_attempted(void **state)
{
    struct redial_policy refused[6];
    unsigned i;
    (void)state;
    for (i = 0; i < 5; i++)
        refused[i] = plain_policy();
    refused[0].base_ms = 0;
    refused[1].cap_ms = refused[1].base_ms - 1;
    refused[2].jitter_ms = REDIAL_JITTER_MAX_MS + 1;
    refused[3].jitter = (enum redial_jitter)(REDIAL_JITTER_NONE + 1);
    refused[4].jitter_ms = 0;
    refused[4].jitter = REDIAL_JITTER_ADDED;
    memset(&refused[5], 0, sizeof refused[5]);
    for (i = 0; i < 7; i++) {
        struct world world;
        world_init(&world, &failing, 1);
        assert_nothing_ran(world_run(&world, i < 6 ? &refused[i] : NULL));
        assert_null(strpbrk(world.trace, "corew"));   /* it may read the clock */
    }
}

/* ---- the order of the calls ---- */

static void a_success_at_the_first_attempt_reads_the_clock_twice_and_asks_cancelled_once(void **state)
{
    const struct redial_outcome done = redial_done();
    struct redial_policy policy = plain_policy();
    struct world world;
    (void)state;
    world_init(&world, &done, 1);
    assert_report(world_run(&world, &policy), REDIAL_DONE, 1, 0, 0, 0);
    assert_string_equal(world.trace, "ncon");
}

static void hooks_are_called_in_the_documented_order(void **state)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_HTTP, 503, 0, 0 }, { REDIAL_KIND_RETRY, 7, 0, 0 },
                                                      { REDIAL_KIND_DONE, 0, 0, 0 } };
    struct redial_policy policy = plain_policy();
    struct world world;
    (void)state;
    world_init(&world, outcomes, 3);
    assert_report(world_run(&world, &policy), REDIAL_DONE, 3, 3000, 3000, 0);
    assert_string_equal(world.trace, "n" "c" "oncrewn" "c" "oncrewn" "c" "on");
}

static void a_failure_for_good_uses_no_random_bits_and_calls_no_on_wait(void **state)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_HTTP, 503, 0, 0 },
                                                      { REDIAL_KIND_HTTP, 404, 9, 0 } };
    struct redial_policy policy = plain_policy();
    struct world world;
    struct redial_report report;
    (void)state;
    world_init(&world, outcomes, 2);
    report = world_run(&world, &policy);
    assert_report(report, REDIAL_FAILED, 2, 1000, 1000, 0);
    assert_outcome(report.last, outcomes[1]);
    assert_string_equal(world.trace, "n" "c" "oncrewn" "c" "on");
}

static void cancelled_and_on_wait_may_be_null(void **state)
{
    struct redial_policy policy = plain_policy();
    struct world world;
    (void)state;
    policy.max_retries = 1;
    world_init(&world, &failing, 1);
    world.env.cancelled = NULL;
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 2, 1000, 1000, 0);
    assert_string_equal(world.trace, "n" "onrewn" "onr");
    world_init(&world, &failing, 1);
    world.env.on_wait = NULL;
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 2, 1000, 1000, 0);
    assert_string_equal(world.trace, "n" "c" "oncrwn" "c" "oncr");
}

static void a_wait_of_0_ms_calls_wait_ms_too(void **state)
{
    struct redial_policy policy = plain_policy();
    struct world world;
    (void)state;
    policy.max_retries = 1;
    policy.jitter = REDIAL_JITTER_FULL;
    world_init(&world, &failing, 1);
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 2, 0, 0, 0);
    assert_string_equal(world.trace, "n" "c" "oncrewn" "c" "oncr");
    assert_int_equal(world.waited_ms[0], 0);
    assert_int_equal(world.event[0].delay_ms, 0);
}

/* ---- how many attempts there are ---- */

static void k_retries_are_k_plus_1_attempts_and_each_may_succeed(void **state)
{
    struct redial_outcome outcomes[8];
    unsigned retries, success;
    (void)state;
    for (retries = 0; retries <= 5; retries++)
        for (success = 1; success <= retries + 2; success++) {
            struct redial_policy policy = plain_policy();
            struct redial_report report;
            struct world world;
            unsigned i, made = success <= retries + 1 ? success : retries + 1;
            uint32_t waited = (UINT32_C(1) << (made - 1)) * 1000 - 1000;   /* 1 + 2 + 4 ... s */
            for (i = 1; i <= retries + 2; i++)
                outcomes[i - 1] = i == success ? redial_http(200, 0) : redial_http(503, 0);
            policy.max_retries = retries;
            world_init(&world, outcomes, retries + 2);
            report = world_run(&world, &policy);
            assert_report(report, success == made ? REDIAL_DONE : REDIAL_EXHAUSTED, made, waited, waited, 0);
            assert_outcome(report.last, outcomes[made - 1]);
            assert_int_equal(world.attempts, made);
            assert_int_equal(world.waits, made - 1);
            assert_int_equal(world.events, made - 1);
        }
}

/* ---- the other verdicts ---- */

static void wait_too_long_reports_what_the_server_asked_for(void **state)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_HTTP, 503, 0, 0 },
                                                      { REDIAL_KIND_HTTP, 429, 300001, 0 } };
    struct redial_policy policy = plain_policy();
    struct redial_report report;
    struct world world;
    (void)state;
    world_init(&world, outcomes, 2);
    report = world_run(&world, &policy);
    assert_report(report, REDIAL_WAIT_TOO_LONG, 2, 1000, 1000, 300001);
    assert_outcome(report.last, outcomes[1]);
    assert_string_equal(world.trace, "n" "c" "oncrewn" "c" "oncr");
}

static void timed_out_reports_the_wait_that_would_end_too_late(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_report report;
    struct world world;
    (void)state;
    policy.max_elapsed_ms = 7000;
    world_init(&world, &failing, 1);
    report = world_run(&world, &policy);
    assert_report(report, REDIAL_TIMED_OUT, 3, 3000, 3000, 4000);
    assert_outcome(report.last, failing);
    assert_string_equal(world.trace, "n" "c" "oncrewn" "c" "oncrewn" "c" "oncr");
}

static void budget_empty_reports_the_wait_that_was_not_begun(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_budget budget;
    struct redial_report report;
    struct world world;
    (void)state;
    redial_budget_init(&budget, 1, 0);
    policy.budget = &budget;
    world_init(&world, &failing, 1);
    report = world_run(&world, &policy);
    assert_report(report, REDIAL_BUDGET_EMPTY, 2, 1000, 1000, 2000);
    assert_outcome(report.last, failing);
    world_init(&world, &failing, 1);
    assert_report(world_run(&world, &policy), REDIAL_BUDGET_EMPTY, 1, 0, 0, 1000);
    assert_string_equal(world.trace, "n" "c" "oncr");
}

static void an_outcome_of_an_unknown_kind_is_invalid(void **state)
{
    static const int kinds[] = { 0, REDIAL_RETRY, REDIAL_EXHAUSTED, REDIAL_INVALID, 15, 22, 255 };
    struct redial_policy policy = plain_policy();
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(kinds); i++) {
        struct redial_outcome outcomes[2];
        struct redial_report report;
        struct world world;
        outcomes[0] = failing;
        outcomes[1] = outcome_of((enum redial_kind)kinds[i], 503, 9, 9);
        world_init(&world, outcomes, 2);
        report = world_run(&world, &policy);
        assert_report(report, REDIAL_INVALID, 2, 1000, 1000, 0);
        assert_outcome(report.last, outcomes[1]);
        assert_string_equal(world.trace, "n" "c" "oncrewn" "c" "on");
    }
}

static void the_report_may_be_null_whatever_the_verdict_is(void **state)
{
    static const struct { struct redial_outcome outcome; enum redial_verdict verdict; } table[] = {
        { { REDIAL_KIND_DONE, 0, 0, 0 },           REDIAL_DONE },
        { { REDIAL_KIND_FAIL, 1, 0, 0 },           REDIAL_FAILED },
        { { REDIAL_KIND_RETRY, 1, 0, 0 },          REDIAL_BUDGET_EMPTY },
        { { REDIAL_KIND_RETRY, 1, UINT32_MAX, 0 }, REDIAL_WAIT_TOO_LONG },
        { { REDIAL_KIND_RETRY, 1, 90000, 0 },      REDIAL_TIMED_OUT },
        { { (enum redial_kind)0, 1, 0, 0 },        REDIAL_INVALID }
    };
    struct redial_policy policy = plain_policy();
    struct redial_budget budget;
    struct world world;
    unsigned i;
    (void)state;
    redial_budget_init(&budget, 0, 0);
    policy.budget = &budget;
    policy.max_elapsed_ms = 90000;
    for (i = 0; i < LENGTH(table); i++) {
        world_init(&world, &table[i].outcome, 1);
        assert_int_equal(redial_run(&policy, &world.env, world_attempt, &world, NULL), table[i].verdict);
        assert_int_equal(world.attempts, 1);
    }
    policy.max_retries = 0;
    world_init(&world, &failing, 1);
    assert_int_equal(redial_run(&policy, &world.env, world_attempt, &world, NULL), REDIAL_EXHAUSTED);
    world.cancel_at_question = 1;
    assert_int_equal(redial_run(&policy, &world.env, world_attempt, &world, NULL), REDIAL_CANCELLED);
    assert_int_equal(redial_run(NULL, &world.env, world_attempt, &world, NULL), REDIAL_INVALID);
}

/* ---- what attempts and events say ---- */

static void attempts_are_numbered_and_get_the_env_and_what_is_left_of_max_elapsed_ms(void **state)
{
    static const uint32_t left_ms[] = { 60000, 57000, 53000, 47000, 37000, 19000 };
    struct redial_policy policy = plain_policy();
    struct world world;
    unsigned i;
    (void)state;
    policy.max_elapsed_ms = 60000;
    world_init(&world, &failing, 1);
    world.attempt_ms = 2000;
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 6, 43000, 31000, 0);
    for (i = 0; i < 6; i++) {
        assert_int_equal(world.attempt[i].number, i + 1);
        assert_int_equal(world.attempt[i].timeout_ms, left_ms[i]);
        assert_ptr_equal(world.attempt[i].env, &world.env);
    }
}

static void an_attempt_may_take_attempt_ms_or_what_is_left_if_that_is_less(void **state)
{
    static const struct { uint32_t attempt_ms, max_elapsed_ms, timeout_ms[3]; } table[] = {
        { 0, 0, { UINT32_MAX, UINT32_MAX, UINT32_MAX } },
        { 1, 0, { 1, 1, 1 } },
        { 6000, 0, { 6000, 6000, 6000 } },
        { 6000, 10000, { 6000, 6000, 3000 } },
        { 9000, 10000, { 9000, 7000, 3000 } },
        { UINT32_MAX, 10000, { 10000, 7000, 3000 } }
    };
    unsigned i, j;
    (void)state;
    for (i = 0; i < LENGTH(table); i++) {
        struct redial_policy policy = plain_policy();
        struct world world;
        policy.max_retries = 2;
        policy.attempt_ms = table[i].attempt_ms;
        policy.max_elapsed_ms = table[i].max_elapsed_ms;
        world_init(&world, &failing, 1);
        world.attempt_ms = 2000;
        world_run(&world, &policy);
        assert_int_equal(world.attempts, 3);
        for (j = 0; j < 3; j++)
            assert_int_equal(world.attempt[j].timeout_ms, table[i].timeout_ms[j]);
    }
}

static void an_event_says_how_long_the_wait_will_be_and_why(void **state)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_HTTP, 503, 0, 0 },
                                                      { REDIAL_KIND_HTTP, 429, 5000, 0 },
                                                      { REDIAL_KIND_RETRY, -104, 0, 3 },
                                                      { REDIAL_KIND_DONE, 0, 0, 0 } };
    static const uint32_t random[] = { UINT32_C(0x80000000), HIGHEST, 0 };
    static const uint32_t delays[] = { 1500, 7000, 4000 }, elapsed[] = { 100, 1700, 8800 };
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct world world;
    unsigned i;
    (void)state;
    world_init(&world, outcomes, 4);
    world.random = random;
    world.attempt_ms = 100;
    assert_report(world_run(&world, &policy), REDIAL_DONE, 4, 12900, 12500, 0);
    assert_int_equal(world.events, 3);
    for (i = 0; i < 3; i++) {
        assert_int_equal(world.event[i].retry, i + 1);
        assert_int_equal(world.event[i].delay_ms, delays[i]);
        assert_int_equal(world.event[i].delay_ms, world.waited_ms[i]);
        assert_int_equal(world.event[i].elapsed_ms, elapsed[i]);
        assert_outcome(world.event[i].outcome, outcomes[i]);
    }
}

static void the_report_is_up_to_date_at_each_event_and_invalid_until_the_end(void **state)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_HTTP, 503, 4000, 0 },
                                                      { REDIAL_KIND_RETRY, 7, 0, 9 }, { REDIAL_KIND_DONE, 0, 0, 0 } };
    struct redial_policy policy = plain_policy();
    struct world world;
    (void)state;
    world_init(&world, outcomes, 3);
    world.attempt_ms = 100;
    assert_report(world_run(&world, &policy), REDIAL_DONE, 3, 6300, 6000, 0);
    assert_report(world.reported[0], REDIAL_INVALID, 1, 100, 0, 0);
    assert_outcome(world.reported[0].last, outcomes[0]);
    assert_report(world.reported[1], REDIAL_INVALID, 2, 4200, 4000, 0);
    assert_outcome(world.reported[1].last, outcomes[1]);
}

static void a_fresh_start_restarts_the_events_but_not_the_report(void **state)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_RETRY, 1, 0, 0 },
                                                      { REDIAL_KIND_RETRY, 2, 0, 60000 },
                                                      { REDIAL_KIND_RETRY, 3, 0, 0 },
                                                      { REDIAL_KIND_RETRY, 4, 0, 60000 },
                                                      { REDIAL_KIND_FAIL, 5, 0, 0 } };
    static const uint32_t retries[] = { 1, 1, 2, 1 }, elapsed[] = { 60000, 0, 61000, 0 },
                          left_ms[] = { 70000, 9000, 69000, 7000, 69000 };
    struct redial_policy policy = plain_policy();
    struct world world;
    unsigned i;
    (void)state;
    policy.max_retries = 2;
    policy.max_elapsed_ms = 70000;
    policy.min_uptime_ms = 60000;
    world_init(&world, outcomes, 5);
    world.attempt_ms = 60000;
    assert_report(world_run(&world, &policy), REDIAL_FAILED, 5, 305000, 5000, 0);
    for (i = 0; i < 4; i++) {
        assert_int_equal(world.event[i].retry, retries[i]);
        assert_int_equal(world.event[i].elapsed_ms, elapsed[i]);
    }
    for (i = 0; i < 5; i++) {
        assert_int_equal(world.attempt[i].number, i + 1);
        assert_int_equal(world.attempt[i].timeout_ms, left_ms[i]);
    }
}

static void a_fresh_start_earns_for_the_budget_and_so_does_the_success(void **state)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_RETRY, 1, 0, 60000 },
                                                      { REDIAL_KIND_RETRY, 2, 0, 60000 },
                                                      { REDIAL_KIND_DONE, 0, 0, 0 } };
    struct redial_policy policy = plain_policy();
    struct purse purse;
    struct world world;
    (void)state;
    purse_init(&purse, 0);
    policy.budget = &purse.budget;
    policy.min_uptime_ms = 60000;
    world_init(&world, outcomes, 3);
    assert_report(world_run(&world, &policy), REDIAL_DONE, 3, 2000, 2000, 0);
    assert_purse(&purse, 1, 2, 3);
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

static void retryable_is_asked_once_for_each_attempt(void **state)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_HTTP, 418, 0, 0 }, { REDIAL_KIND_HTTP, 0, 0, 0 },
                                                      { REDIAL_KIND_HTTP, 418, 0, 0 },
                                                      { REDIAL_KIND_HTTP, 503, 0, 0 } };
    static const int expected[] = { 418, 418, 503 };
    struct redial_policy policy = plain_policy();
    struct redial_report report;
    struct world world;
    (void)state;
    policy.retryable = retry_418;
    policy.user = questions;
    question_count = 0;
    world_init(&world, outcomes, 4);
    report = world_run(&world, &policy);
    assert_report(report, REDIAL_FAILED, 4, 7000, 7000, 0);
    assert_outcome(report.last, outcomes[3]);
    assert_outcome(world.event[0].outcome, outcomes[0]);
    assert_int_equal(question_count, 3);
    assert_memory_equal(questions, expected, sizeof expected);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_hook_is_invalid_and_nothing_is_called),
        cmocka_unit_test(a_missing_env_or_operation_is_invalid_and_nothing_is_called),
        cmocka_unit_test(a_refused_policy_is_invalid_and_nothing_is_attempted),
        cmocka_unit_test(a_success_at_the_first_attempt_reads_the_clock_twice_and_asks_cancelled_once),
        cmocka_unit_test(hooks_are_called_in_the_documented_order),
        cmocka_unit_test(a_failure_for_good_uses_no_random_bits_and_calls_no_on_wait),
        cmocka_unit_test(cancelled_and_on_wait_may_be_null),
        cmocka_unit_test(a_wait_of_0_ms_calls_wait_ms_too),
        cmocka_unit_test(k_retries_are_k_plus_1_attempts_and_each_may_succeed),
        cmocka_unit_test(wait_too_long_reports_what_the_server_asked_for),
        cmocka_unit_test(timed_out_reports_the_wait_that_would_end_too_late),
        cmocka_unit_test(budget_empty_reports_the_wait_that_was_not_begun),
        cmocka_unit_test(an_outcome_of_an_unknown_kind_is_invalid),
        cmocka_unit_test(the_report_may_be_null_whatever_the_verdict_is),
        cmocka_unit_test(attempts_are_numbered_and_get_the_env_and_what_is_left_of_max_elapsed_ms),
        cmocka_unit_test(an_attempt_may_take_attempt_ms_or_what_is_left_if_that_is_less),
        cmocka_unit_test(an_event_says_how_long_the_wait_will_be_and_why),
        cmocka_unit_test(the_report_is_up_to_date_at_each_event_and_invalid_until_the_end),
        cmocka_unit_test(a_fresh_start_restarts_the_events_but_not_the_report),
        cmocka_unit_test(a_fresh_start_earns_for_the_budget_and_so_does_the_success),
        cmocka_unit_test(retryable_is_asked_once_for_each_attempt)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
