/* redial_run: its time limit, hooks that take time, and clocks that stand still, step back, jump or wrap.
   SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "scripted_env.h"

#define HOUR_MS UINT32_C(3600000)
#define BACK_HOUR_MS (UINT32_MAX - HOUR_MS + 1)   /* added to a clock that wraps */
#define LONGEST_MS UINT32_C(0x7fffffff)   /* what one reading of the clock can count */

static const struct redial_outcome failing = { REDIAL_KIND_HTTP, 503, 0, 0 };

static struct redial_policy limited(uint32_t max_elapsed_ms)
{
    struct redial_policy policy = plain_policy();
    policy.max_elapsed_ms = max_elapsed_ms;
    return policy;
}

/* ---- the limit ---- */

static void the_last_wait_ends_before_the_limit(void **state)
{
    struct redial_policy policy;
    struct world world;
    (void)state;
    policy = limited(3001);
    world_init(&world, &failing, 1);
    assert_report(world_run(&world, &policy), REDIAL_TIMED_OUT, 3, 3000, 3000, 4000);
    assert_int_equal(world.attempt[2].timeout_ms, 1);
    policy = limited(3000);
    world_init(&world, &failing, 1);
    assert_report(world_run(&world, &policy), REDIAL_TIMED_OUT, 2, 1000, 1000, 2000);
}

static void no_attempt_follows_a_wait_that_ended_too_late(void **state)
{
    struct redial_policy policy = limited(2500);
    struct redial_report report;
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    world.late_ms = 1500;
    report = world_run(&world, &policy);
    assert_report(report, REDIAL_TIMED_OUT, 1, 2500, 2500, 0);
    assert_outcome(report.last, failing);
    assert_string_equal(world.trace, "n" "c" "oncrewn" "c");
    world_init(&world, &failing, 1);
    world.late_ms = 1499;
    assert_report(world_run(&world, &policy), REDIAL_TIMED_OUT, 2, 2499, 2499, 2000);
    assert_int_equal(world.attempt[1].timeout_ms, 1);
}

static void the_time_that_an_attempt_takes_counts(void **state)
{
    struct redial_policy policy = limited(10000);
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    world.attempt_ms = 8999;
    assert_report(world_run(&world, &policy), REDIAL_TIMED_OUT, 2, 18998, 1000, 2000);
    assert_int_equal(world.attempt[1].timeout_ms, 1);
    world_init(&world, &failing, 1);
    world.attempt_ms = 9000;
    assert_report(world_run(&world, &policy), REDIAL_TIMED_OUT, 1, 9000, 0, 1000);
}

static void a_success_past_the_limit_is_a_success(void **state)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_RETRY, 1, 0, 0 }, { REDIAL_KIND_DONE, 0, 0, 0 } };
    struct redial_policy policy = limited(10000);
    struct world world;
    (void)state;
    world_init(&world, outcomes, 2);
    world.attempt_ms = 8000;
    assert_report(world_run(&world, &policy), REDIAL_DONE, 2, 17000, 1000, 0);
}

static void the_shortest_limit_allows_one_attempt(void **state)
{
    struct redial_policy policy = limited(1);
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    assert_report(world_run(&world, &policy), REDIAL_TIMED_OUT, 1, 0, 0, 1000);
    assert_int_equal(world.attempt[0].timeout_ms, 1);
}

static void the_longest_limit_is_a_limit(void **state)
{
    struct redial_policy policy = limited(UINT32_MAX);
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 6, 31000, 31000, 0);
    assert_int_equal(world.attempt[0].timeout_ms, UINT32_MAX);
    assert_int_equal(world.attempt[1].timeout_ms, UINT32_MAX - 1000);
    world_init(&world, &failing, 1);
    world.attempt_ms = LONGEST_MS;
    assert_report(world_run(&world, &policy), REDIAL_TIMED_OUT, 2, UINT32_MAX, 1000, 2000);
}

static void the_limit_counts_from_the_run_not_from_the_policy(void **state)
{
    struct redial_policy policy = limited(1001);
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    world.now_ms = HOUR_MS;
    assert_report(world_run(&world, &policy), REDIAL_TIMED_OUT, 2, 1000, 1000, 2000);
}

/* ---- hooks that take time: their time counts, but a decision does not foresee it ---- */

static void the_time_that_on_wait_takes_counts_as_waited_and_is_not_foreseen(void **state)
{
    struct redial_policy policy = limited(2500);
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    world.event_ms = 1499;
    assert_report(world_run(&world, &policy), REDIAL_TIMED_OUT, 2, 2499, 2499, 2000);
    assert_int_equal(world.attempt[1].timeout_ms, 1);
    world_init(&world, &failing, 1);
    world.event_ms = 1500;
    assert_report(world_run(&world, &policy), REDIAL_TIMED_OUT, 1, 2500, 2500, 0);   /* after the wait, not before */
    assert_int_equal(world.waited_ms[0], 1000);
}

static void the_time_that_cancelled_takes_counts_at_the_next_reading_of_the_clock(void **state)
{
    struct redial_policy policy = limited(2500);
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    world.question_ms = 700;
    assert_report(world_run(&world, &policy), REDIAL_TIMED_OUT, 2, 3100, 1700, 2000);
    assert_int_equal(world.attempt[0].timeout_ms, 2500);   /* the first question is not counted yet */
    assert_int_equal(world.event[0].elapsed_ms, 700);      /* the first question; the second counts with the wait */
    assert_int_equal(world.attempt[1].timeout_ms, 100);
}

/* ---- clocks ---- */

static void a_run_is_the_same_wherever_its_clock_begins(void **state)
{
    static const uint32_t starts_ms[] = { 0, 1, HOUR_MS, LONGEST_MS - 1, LONGEST_MS, LONGEST_MS + 1,
                                          UINT32_MAX - 7000, UINT32_MAX - 3000, UINT32_MAX - 1, UINT32_MAX };
    struct redial_policy policy = limited(17000);
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(starts_ms); i++) {
        struct world world;
        world_init(&world, &failing, 1);
        world.now_ms = starts_ms[i];
        world.attempt_ms = 500;
        assert_report(world_run(&world, &policy), REDIAL_TIMED_OUT, 4, 9000, 7000, 8000);
        assert_int_equal(world.attempt[3].timeout_ms, 8500);
        assert_int_equal(world.event[2].elapsed_ms, 4500);
    }
}

static bool stand_still(const struct redial_env *env, uint32_t ms)
{
    struct redial_fake *fake = (struct redial_fake *)env->port;
    (void)ms;
    fake->waits++;
    return true;
}

static void a_run_ends_although_the_clock_stands_still(void **state)
{
    struct redial_policy policy = limited(40000);
    struct redial_report report;
    struct redial_fake fake;
    struct redial_env env;
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    redial_fake_init(&fake);
    env = fake.env;
    env.wait_ms = stand_still;
    poison(&report, sizeof report);
    redial_run(&policy, &env, world_attempt, &world, &report);
    assert_report(report, REDIAL_EXHAUSTED, 6, 0, 0, 0);
    assert_int_equal(fake.waits, 5);
    assert_int_equal(world.attempt[5].timeout_ms, 40000);
}

/* What a run of two attempts counts when each takes step_ms by the clock. */
static struct redial_report stepping(uint32_t step_ms)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_RETRY, 1, 0, 0 }, { REDIAL_KIND_DONE, 0, 0, 0 } };
    struct redial_policy policy = limited(2 * HOUR_MS);
    struct world world;
    world_init(&world, outcomes, 2);
    world.now_ms = HOUR_MS / 2;
    world.attempt_ms = step_ms;
    return world_run(&world, &policy);
}

static void a_clock_that_steps_back_in_an_attempt_counts_nothing(void **state)
{
    (void)state;
    assert_report(stepping(UINT32_MAX), REDIAL_DONE, 2, 1000, 1000, 0);
    assert_report(stepping(BACK_HOUR_MS), REDIAL_DONE, 2, 1000, 1000, 0);
    assert_report(stepping(LONGEST_MS + 1), REDIAL_DONE, 2, 1000, 1000, 0);
}

static void a_clock_that_jumps_ahead_in_an_attempt_counts(void **state)
{
    (void)state;
    assert_report(stepping(HOUR_MS), REDIAL_DONE, 2, 2 * HOUR_MS + 1000, 1000, 0);
    assert_report(stepping(LONGEST_MS), REDIAL_TIMED_OUT, 1, LONGEST_MS, 0, 1000);
}

/* What a run counts whose only wait takes step_ms by the clock. */
static struct redial_report waking(uint32_t step_ms)
{
    static const struct redial_outcome outcomes[] = { { REDIAL_KIND_RETRY, 1, 0, 0 }, { REDIAL_KIND_DONE, 0, 0, 0 } };
    struct redial_policy policy = limited(2 * HOUR_MS);
    struct world world;
    world_init(&world, outcomes, 2);
    world.now_ms = HOUR_MS / 2;
    world.late_ms = later(step_ms, UINT32_MAX - 999);
    return world_run(&world, &policy);
}

static void a_clock_that_steps_back_in_a_wait_counts_nothing(void **state)
{
    (void)state;
    assert_report(waking(UINT32_MAX), REDIAL_DONE, 2, 0, 0, 0);
    assert_report(waking(BACK_HOUR_MS), REDIAL_DONE, 2, 0, 0, 0);
    assert_report(waking(LONGEST_MS + 1), REDIAL_DONE, 2, 0, 0, 0);
}

static void a_clock_that_jumps_ahead_in_a_wait_counts(void **state)
{
    (void)state;
    assert_report(waking(HOUR_MS), REDIAL_DONE, 2, HOUR_MS, HOUR_MS, 0);
    assert_report(waking(3 * HOUR_MS), REDIAL_TIMED_OUT, 1, 3 * HOUR_MS, 3 * HOUR_MS, 0);
    assert_report(waking(LONGEST_MS), REDIAL_TIMED_OUT, 1, LONGEST_MS, LONGEST_MS, 0);
}

static void the_times_of_the_report_saturate(void **state)
{
    struct redial_policy policy = plain_policy();
    struct world world;
    (void)state;
    policy.max_retries = 3;
    policy.base_ms = policy.cap_ms = LONGEST_MS;
    world_init(&world, &failing, 1);
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 4, UINT32_MAX, UINT32_MAX, 0);
    assert_int_equal(world.event[2].elapsed_ms, UINT32_MAX - 1);
    policy = plain_policy();
    world_init(&world, &failing, 1);
    world.attempt_ms = LONGEST_MS;
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 6, UINT32_MAX, 31000, 0);
    assert_int_equal(world.event[4].elapsed_ms, UINT32_MAX);
}

static void the_longest_waits_are_passed_to_wait_ms_unchanged(void **state)
{
    struct redial_policy policy = plain_policy();
    struct world world;
    (void)state;
    policy.max_retries = 2;
    policy.base_ms = LONGEST_MS + 1;   /* counted as 0 from here on */
    policy.cap_ms = UINT32_MAX;
    world_init(&world, &failing, 1);
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, 3, 0, 0, 0);
    assert_int_equal(world.waited_ms[0], LONGEST_MS + 1);
    assert_int_equal(world.waited_ms[1], UINT32_MAX);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_wait_ends_before_the_limit),
        cmocka_unit_test(no_attempt_follows_a_wait_that_ended_too_late),
        cmocka_unit_test(the_time_that_an_attempt_takes_counts),
        cmocka_unit_test(a_success_past_the_limit_is_a_success),
        cmocka_unit_test(the_shortest_limit_allows_one_attempt),
        cmocka_unit_test(the_longest_limit_is_a_limit),
        cmocka_unit_test(the_limit_counts_from_the_run_not_from_the_policy),
        cmocka_unit_test(the_time_that_on_wait_takes_counts_as_waited_and_is_not_foreseen),
        cmocka_unit_test(the_time_that_cancelled_takes_counts_at_the_next_reading_of_the_clock),
        cmocka_unit_test(a_run_is_the_same_wherever_its_clock_begins),
        cmocka_unit_test(a_run_ends_although_the_clock_stands_still),
        cmocka_unit_test(a_clock_that_steps_back_in_an_attempt_counts_nothing),
        cmocka_unit_test(a_clock_that_jumps_ahead_in_an_attempt_counts),
        cmocka_unit_test(a_clock_that_steps_back_in_a_wait_counts_nothing),
        cmocka_unit_test(a_clock_that_jumps_ahead_in_a_wait_counts),
        cmocka_unit_test(the_times_of_the_report_saturate),
        cmocka_unit_test(the_longest_waits_are_passed_to_wait_ms_unchanged)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
