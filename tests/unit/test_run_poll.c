/* redial_run: outcomes that are neither a success nor a failure, PENDING and POSTPONED. SPDX-License-Identifier: MIT */
#include "scripted_env.h"

/* What one attempt after the other returns, and the event before the wait that follows. */
struct expected {
    struct redial_outcome outcome;
    uint32_t retry, delay_ms;
};

/* Runs the outcomes, and then a success. */
static void assert_events(const struct redial_policy *policy, const struct expected *expected, unsigned count)
{
    struct redial_outcome outcomes[WORLD_KEEPS];
    struct redial_report report;
    struct world world;
    uint32_t elapsed_ms = 0;
    unsigned i;
    for (i = 0; i < count; i++)
        outcomes[i] = expected[i].outcome;
    outcomes[count] = redial_done();
    world_init(&world, outcomes, count + 1);
    report = world_run(&world, policy);
    assert_int_equal(report.verdict, REDIAL_DONE);
    assert_int_equal(report.attempts, count + 1);
    assert_int_equal(world.events, count);
    for (i = 0; i < count; i++) {
        assert_int_equal(world.event[i].retry, expected[i].retry);
        assert_int_equal(world.event[i].delay_ms, expected[i].delay_ms);
        assert_int_equal(world.event[i].elapsed_ms, elapsed_ms);
        assert_outcome(world.event[i].outcome, expected[i].outcome);
        assert_int_equal(world.waited_ms[i], expected[i].delay_ms);
        assert_outcome(world.reported[i].last, expected[i].outcome);
        assert_int_equal(world.attempt[i + 1].number, i + 2);
        elapsed_ms += expected[i].delay_ms;
    }
    assert_int_equal(report.waited_ms, elapsed_ms);
}

static void polls_without_a_hint_wait_longer_and_longer_and_are_not_limited_in_number(void **state)
{
    static const uint32_t delays_ms[] = { 1000, 2000, 4000, 8000, 16000, 32000, 32000, 32000, 32000 };
    struct redial_policy policy = plain_policy();
    struct expected expected[LENGTH(delays_ms)];
    unsigned i;
    (void)state;
    policy.max_retries = 0;
    for (i = 0; i < LENGTH(delays_ms); i++) {
        expected[i].outcome = redial_pending(0);
        expected[i].retry = 0;
        expected[i].delay_ms = delays_ms[i];
    }
    assert_events(&policy, expected, LENGTH(expected));
}

static void a_poll_with_a_hint_waits_as_the_server_says_and_does_not_lengthen_the_next(void **state)
{
    static const struct expected expected[] = {
        { { REDIAL_KIND_PENDING, 0, 0, 0 }, 0, 1000 },
        { { REDIAL_KIND_PENDING, 0, 20000, 0 }, 0, 20000 },
        { { REDIAL_KIND_PENDING, 0, 0, 0 }, 0, 2000 },
        { { REDIAL_KIND_PENDING, 0, 1, 0 }, 0, 500 },   /* half of base_ms */
        { { REDIAL_KIND_PENDING, 0, 0, 0 }, 0, 4000 }
    };
    struct redial_policy policy = plain_policy();
    (void)state;
    assert_events(&policy, expected, LENGTH(expected));
}

static void after_a_poll_the_retries_start_anew(void **state)
{
    static const struct expected expected[] = {
        { { REDIAL_KIND_RETRY, 1, 0, 0 }, 1, 1000 },
        { { REDIAL_KIND_HTTP, 503, 0, 0 }, 2, 2000 },
        { { REDIAL_KIND_PENDING, 0, 0, 0 }, 0, 1000 },
        { { REDIAL_KIND_RETRY, 2, 0, 0 }, 1, 1000 },
        { { REDIAL_KIND_RETRY, 3, 0, 0 }, 2, 2000 },
        { { REDIAL_KIND_PENDING, 0, 9000, 0 }, 0, 9000 },
        { { REDIAL_KIND_RETRY, 4, 0, 0 }, 1, 1000 },
        { { REDIAL_KIND_PENDING, 0, 0, 0 }, 0, 2000 }
    };
    struct redial_policy policy = plain_policy();
    (void)state;
    policy.max_retries = 2;
    assert_events(&policy, expected, LENGTH(expected));
}

static void a_postponed_attempt_changes_neither_retries_nor_polls(void **state)
{
    static const struct expected expected[] = {
        { { REDIAL_KIND_POSTPONED, 0, 0, 0 }, 0, 1000 },
        { { REDIAL_KIND_POSTPONED, 0, 0, 0 }, 0, 1000 },
        { { REDIAL_KIND_PENDING, 0, 0, 0 }, 0, 1000 },
        { { REDIAL_KIND_POSTPONED, 0, 7000, 0 }, 0, 7000 },
        { { REDIAL_KIND_PENDING, 0, 0, 0 }, 0, 2000 },
        { { REDIAL_KIND_RETRY, 1, 0, 0 }, 1, 1000 },
        { { REDIAL_KIND_POSTPONED, 0, 7000, 0 }, 1, 7000 },
        { { REDIAL_KIND_RETRY, 2, 0, 0 }, 2, 2000 }
    };
    struct redial_policy policy = plain_policy();
    (void)state;
    policy.max_retries = 2;
    assert_events(&policy, expected, LENGTH(expected));
}

static void polls_earn_tokens_and_take_none_and_postponing_does_neither(void **state)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_POSTPONED, 0, 0, 0 },
                                                      { REDIAL_KIND_PENDING, 0, 0, 0 },
                                                      { REDIAL_KIND_PENDING, 0, 9, 0 }, { REDIAL_KIND_FAIL, 0, 0, 0 } };
    struct redial_policy policy = plain_policy();
    struct purse purse;
    struct world world;
    (void)state;
    purse_init(&purse, 0);
    policy.budget = &purse.budget;
    world_init(&world, outcomes, 4);
    assert_int_equal(world_run(&world, &policy).verdict, REDIAL_FAILED);
    assert_purse(&purse, 2, 0, 2);
}

/* The first attempt is postponed, and the second one ends the run. */
static void assert_ends(struct redial_outcome outcome, enum redial_verdict verdict, uint32_t refused_ms)
{
    struct redial_policy policy = plain_policy();
    struct redial_outcome outcomes[2];
    struct redial_report report;
    struct world world;
    policy.max_elapsed_ms = 11000;
    policy.max_retry_after_ms = 20000;
    outcomes[0] = redial_postponed(10000);
    outcomes[1] = outcome;
    world_init(&world, outcomes, 2);
    report = world_run(&world, &policy);
    assert_report(report, verdict, 2, 10000, 10000, refused_ms);
    assert_outcome(report.last, outcome);
    assert_string_equal(world.trace, "n" "c" "oncrewn" "c" "oncr");
}

static void polling_and_postponing_end_at_the_time_limit_or_at_too_long_a_wait(void **state)
{
    (void)state;
    assert_ends(redial_pending(0), REDIAL_TIMED_OUT, 1000);
    assert_ends(redial_postponed(0), REDIAL_TIMED_OUT, 1000);
    assert_ends(redial_pending(20000), REDIAL_TIMED_OUT, 20000);
    assert_ends(redial_postponed(20000), REDIAL_TIMED_OUT, 20000);
    assert_ends(redial_pending(20001), REDIAL_WAIT_TOO_LONG, 20001);
    assert_ends(redial_postponed(20001), REDIAL_WAIT_TOO_LONG, 20001);
}

static void a_cancelled_poll_draws_no_random_bits_and_earns_nothing(void **state)
{
    static const struct redial_outcome pending = { REDIAL_KIND_PENDING, 0, 0, 0 };
    struct redial_policy policy = plain_policy();
    struct purse purse;
    struct world world;
    (void)state;
    purse_init(&purse, 0);
    policy.budget = &purse.budget;
    world_init(&world, &pending, 1);
    world.cancel_at_question = 2;
    assert_report(world_run(&world, &policy), REDIAL_CANCELLED, 1, 0, 0, 0);
    assert_string_equal(world.trace, "n" "c" "onc");
    assert_purse(&purse, 0, 0, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(polls_without_a_hint_wait_longer_and_longer_and_are_not_limited_in_number),
        cmocka_unit_test(a_poll_with_a_hint_waits_as_the_server_says_and_does_not_lengthen_the_next),
        cmocka_unit_test(after_a_poll_the_retries_start_anew),
        cmocka_unit_test(a_postponed_attempt_changes_neither_retries_nor_polls),
        cmocka_unit_test(polls_earn_tokens_and_take_none_and_postponing_does_neither),
        cmocka_unit_test(polling_and_postponing_end_at_the_time_limit_or_at_too_long_a_wait),
        cmocka_unit_test(a_cancelled_poll_draws_no_random_bits_and_earns_nothing)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
