/* The loop: what it calls, in which order, and what its report, its events and its attempts say.
   SPDX-License-Identifier: MIT */
#include "scripted_env.h"

static const struct redial_outcome failing = { REDIAL_KIND_HTTP, 503, 0, 0 };

/* ---- what keeps it from beginning ---- */

static void assert_nothing_ran(struct redial_report report)
{
    assert_report(report, REDIAL_INVALID, 0, 0, 0, 0);
    assert_outcome(report.last, outcome_of((enum redial_kind)0, 0, 0, 0));
}

static void without_a_hook_that_it_needs_nothing_is_called(void **state)
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

static void without_an_env_or_an_operation_nothing_is_called(void **state)
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

static void with_a_refused_policy_nothing_is_attempted(void **state)
{
    struct redial_policy refused[5];
    unsigned i;
    (void)state;
    for (i = 0; i < 4; i++)
        refused[i] = plain_policy();
    refused[0].base_ms = 0;
    refused[1].cap_ms = refused[1].base_ms - 1;
    refused[2].jitter_ms = REDIAL_JITTER_MAX_MS + 1;
    refused[3].jitter = (enum redial_jitter)4;
    memset(&refused[4], 0, sizeof refused[4]);
    for (i = 0; i < 6; i++) {
        struct world world;
        world_init(&world, &failing, 1);
        assert_nothing_ran(world_run(&world, i < 5 ? &refused[i] : NULL));
        assert_null(strpbrk(world.trace, "corew"));   /* a look at the clock does no harm */
    }
}

/* ---- the order of things ---- */

static void a_success_at_once_reads_the_clock_and_asks_once_whether_it_is_cancelled(void **state)
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

static void a_stop_draws_nothing_and_tells_nobody(void **state)
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

static void cancelled_and_on_retry_may_be_left_out(void **state)
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

static void a_wait_of_0_is_waited_too(void **state)
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

/* ---- success through every attempt and past the last ---- */

static void k_retries_reach_a_success_at_every_attempt_to_k_and_1(void **state)
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

/* ---- every other way to end ---- */

static void deferred_tells_what_the_server_asked_for(void **state)
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

static void timed_out_tells_the_wait_that_was_too_long(void **state)
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

static void an_empty_budget_lets_no_wait_begin(void **state)
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

static void an_unknown_kind_ends_the_run_at_once(void **state)
{
    static const int kinds[] = { 0, REDIAL_RETRY, REDIAL_EXHAUSTED, REDIAL_INVALID, 15, 20, 255 };
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

static void a_report_may_be_left_out_on_every_path(void **state)
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
    world.cancel_at_asking = 1;
    assert_int_equal(redial_run(&policy, &world.env, world_attempt, &world, NULL), REDIAL_CANCELLED);
    assert_int_equal(redial_run(NULL, &world.env, world_attempt, &world, NULL), REDIAL_INVALID);
}

/* ---- what attempts and events are told ---- */

static void attempts_are_numbered_and_know_their_time(void **state)
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
    }
}

static void without_a_limit_time_left_is_the_most_there_is(void **state)
{
    struct redial_policy policy = plain_policy();
    struct world world;
    unsigned i;
    (void)state;
    world_init(&world, &failing, 1);
    world_run(&world, &policy);
    for (i = 0; i < 6; i++)
        assert_int_equal(world.attempt[i].timeout_ms, UINT32_MAX);
}

static void an_event_tells_what_is_about_to_be_waited_and_why(void **state)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_HTTP, 503, 0, 0 },
                                                      { REDIAL_KIND_HTTP, 429, 5000, 0 },
                                                      { REDIAL_KIND_RETRY, -104, 0, 3 },
                                                      { REDIAL_KIND_DONE, 0, 0, 0 } };
    static const uint32_t draws[] = { UINT32_C(0x80000000), HIGHEST, 0 };
    static const uint32_t delays[] = { 1500, 6000, 4000 }, elapsed[] = { 100, 1700, 7800 };
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct world world;
    unsigned i;
    (void)state;
    world_init(&world, outcomes, 4);
    world.draws = draws;
    world.attempt_ms = 100;
    assert_report(world_run(&world, &policy), REDIAL_DONE, 4, 11900, 11500, 0);
    assert_int_equal(world.events, 3);
    for (i = 0; i < 3; i++) {
        assert_int_equal(world.event[i].retry, i + 1);
        assert_int_equal(world.event[i].delay_ms, delays[i]);
        assert_int_equal(world.event[i].delay_ms, world.waited_ms[i]);
        assert_int_equal(world.event[i].elapsed_ms, elapsed[i]);
        assert_outcome(world.event[i].outcome, outcomes[i]);
    }
}

static void fresh_starts_restart_the_events_and_not_the_report(void **state)
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

static void fresh_starts_earn_and_so_does_the_success(void **state)
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

static bool retry_418(const void *ctx, int status)
{
    assert_ptr_equal(ctx, questions);
    assert_true(question_count < 8);
    questions[question_count++] = status;
    return status == 418;
}

static void the_policy_is_asked_once_for_each_attempt(void **state)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_HTTP, 418, 0, 0 }, { REDIAL_KIND_HTTP, 0, 0, 0 },
                                                      { REDIAL_KIND_HTTP, 418, 0, 0 },
                                                      { REDIAL_KIND_HTTP, 503, 0, 0 } };
    static const int wanted[] = { 418, 418, 503 };
    struct redial_policy policy = plain_policy();
    struct redial_report report;
    struct world world;
    (void)state;
    policy.retryable = retry_418;
    policy.ctx = questions;
    question_count = 0;
    world_init(&world, outcomes, 4);
    report = world_run(&world, &policy);
    assert_report(report, REDIAL_FAILED, 4, 7000, 7000, 0);
    assert_outcome(report.last, outcomes[3]);
    assert_outcome(world.event[0].outcome, outcomes[0]);
    assert_int_equal(question_count, 3);
    assert_memory_equal(questions, wanted, sizeof wanted);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_hook_that_it_needs_nothing_is_called),
        cmocka_unit_test(without_an_env_or_an_operation_nothing_is_called),
        cmocka_unit_test(with_a_refused_policy_nothing_is_attempted),
        cmocka_unit_test(a_success_at_once_reads_the_clock_and_asks_once_whether_it_is_cancelled),
        cmocka_unit_test(hooks_are_called_in_the_documented_order),
        cmocka_unit_test(a_stop_draws_nothing_and_tells_nobody),
        cmocka_unit_test(cancelled_and_on_retry_may_be_left_out),
        cmocka_unit_test(a_wait_of_0_is_waited_too),
        cmocka_unit_test(k_retries_reach_a_success_at_every_attempt_to_k_and_1),
        cmocka_unit_test(deferred_tells_what_the_server_asked_for),
        cmocka_unit_test(timed_out_tells_the_wait_that_was_too_long),
        cmocka_unit_test(an_empty_budget_lets_no_wait_begin),
        cmocka_unit_test(an_unknown_kind_ends_the_run_at_once),
        cmocka_unit_test(a_report_may_be_left_out_on_every_path),
        cmocka_unit_test(attempts_are_numbered_and_know_their_time),
        cmocka_unit_test(without_a_limit_time_left_is_the_most_there_is),
        cmocka_unit_test(an_event_tells_what_is_about_to_be_waited_and_why),
        cmocka_unit_test(fresh_starts_restart_the_events_and_not_the_report),
        cmocka_unit_test(fresh_starts_earn_and_so_does_the_success),
        cmocka_unit_test(the_policy_is_asked_once_for_each_attempt)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
