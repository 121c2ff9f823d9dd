/* redial_run: its time limit, hooks that take time, and clocks that stand still, step back, jump or wrap.
   SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "scripted_env.h"

#define HOUR_MS UINT32_C(3600000)
#define BACK_HOUR_MS (UINT32_MAX - HOUR_MS + 1)   /* added to a clock that wraps */
#define LONGEST_MS UINT32_C(0x7fffffff)   /* what one reading of the clock can count */

/* Its attempts fail. */
static struct scripted limited(uint32_t max_elapsed_ms)
{
    struct scripted run = always_failing();
    run.policy.max_elapsed_ms = max_elapsed_ms;
    return run;
}

/* ---- the limit ---- */

TEST(the_last_wait_ends_before_the_limit)
{
    struct scripted run = limited(3001);
    assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 3, 3000, 3000, 4000);
    assert_int_equal(run.attempt[2].timeout_ms, 1);
    run = limited(3000);
    assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 2, 1000, 1000, 2000);
}

TEST(no_attempt_follows_a_wait_that_ended_too_late)
{
    struct redial_report report;
    struct scripted run = limited(2500);
    run.late_ms = 1500;
    report = scripted_run(&run);
    assert_report(report, REDIAL_TIMED_OUT, 1, 2500, 2500, 0);
    assert_outcome(report.last, unavailable);
    assert_string_equal(run.trace, "n" "c" "oncrewn" "c");
    run = again(&run);
    run.late_ms = 1499;
    assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 2, 2499, 2499, 2000);
    assert_int_equal(run.attempt[1].timeout_ms, 1);
}

TEST(the_time_that_an_attempt_takes_counts)
{
    struct scripted run = limited(10000);
    run.attempt_ms = 8999;
    assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 2, 18998, 1000, 2000);
    assert_int_equal(run.attempt[1].timeout_ms, 1);
    run = again(&run);
    run.attempt_ms = 9000;
    assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 1, 9000, 0, 1000);
}

TEST(a_success_past_the_limit_is_a_success)
{
    struct scripted run = SCRIPTED(redial_retry(1), redial_done());
    run.policy.max_elapsed_ms = 10000;
    run.attempt_ms = 8000;
    assert_report(scripted_run(&run), REDIAL_DONE, 2, 17000, 1000, 0);
}

TEST(the_shortest_limit_allows_one_attempt)
{
    struct scripted run = limited(1);
    assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 1, 0, 0, 1000);
    assert_int_equal(run.attempt[0].timeout_ms, 1);
}

TEST(the_longest_limit_is_a_limit)
{
    struct scripted run = limited(UINT32_MAX);
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 6, 31000, 31000, 0);
    assert_int_equal(run.attempt[0].timeout_ms, UINT32_MAX);
    assert_int_equal(run.attempt[1].timeout_ms, UINT32_MAX - 1000);
    run = again(&run);
    run.attempt_ms = LONGEST_MS;
    assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 2, UINT32_MAX, 1000, 2000);
}

TEST(the_limit_counts_from_the_run_not_from_the_policy)
{
    struct scripted run = limited(1001);
    run.now_ms = HOUR_MS;
    assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 2, 1000, 1000, 2000);
}

/* ---- hooks that take time: it counts, but only from the next decision on ---- */

TEST(the_time_that_on_wait_takes_counts_as_waited_and_is_not_foreseen)
{
    struct scripted run = limited(2500);
    run.event_ms = 1499;
    assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 2, 2499, 2499, 2000);
    assert_int_equal(run.attempt[1].timeout_ms, 1);
    run = again(&run);
    run.event_ms = 1500;
    assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 1, 2500, 2500, 0);   /* after the wait, not before */
    assert_int_equal(run.waited_ms[0], 1000);
}

TEST(the_time_that_cancelled_takes_counts_at_the_next_reading_of_the_clock)
{
    struct scripted run = limited(2500);
    run.question_ms = 700;
    assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 2, 3100, 1700, 2000);
    assert_int_equal(run.attempt[0].timeout_ms, 2500);   /* the first question is not counted yet */
    assert_int_equal(run.event[0].elapsed_ms, 700);      /* the first question; the second counts with the wait */
    assert_int_equal(run.attempt[1].timeout_ms, 100);
}

/* ---- clocks ---- */

TEST(a_run_is_the_same_wherever_its_clock_begins)
{
    static const uint32_t starts_ms[] = { 0, 1, HOUR_MS, LONGEST_MS - 1, LONGEST_MS, LONGEST_MS + 1,
                                          UINT32_MAX - 7000, UINT32_MAX - 3000, UINT32_MAX - 1, UINT32_MAX };
    for (unsigned i = 0; i < LENGTH(starts_ms); i++) {
        struct scripted run = limited(17000);
        run.now_ms = starts_ms[i];
        run.attempt_ms = 500;
        assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 4, 9000, 7000, 8000);
        assert_int_equal(run.attempt[3].timeout_ms, 8500);
        assert_int_equal(run.event[2].elapsed_ms, 4500);
    }
}

static bool stand_still(const struct redial_env *env, uint32_t ms)
{
    struct redial_fake *fake = (struct redial_fake *)env->port;
    (void)ms;
    fake->waits++;
    return true;
}

TEST(a_run_ends_although_the_clock_stands_still)
{
    struct redial_fake fake;
    struct redial_env env;
    struct scripted run = limited(40000);
    redial_fake_init(&fake);
    env = fake.env;
    env.wait_ms = stand_still;
    assert_report(run_in(&run, &env, scripted_attempt), REDIAL_EXHAUSTED, 6, 0, 0, 0);
    assert_int_equal(fake.waits, 5);
    assert_int_equal(run.attempt[5].timeout_ms, 40000);
}

/* The elapsed time of a run whose two attempts take attempt_ms each by the clock, and whose only wait takes wait_ms. */
static struct redial_report timed(uint32_t attempt_ms, uint32_t wait_ms)
{
    struct scripted run = SCRIPTED(redial_retry(1), redial_done());
    run.policy.max_elapsed_ms = 2 * HOUR_MS;
    run.now_ms = HOUR_MS / 2;
    run.attempt_ms = attempt_ms;
    run.late_ms = later(wait_ms, UINT32_MAX - 999);
    return scripted_run(&run);
}

TEST(a_clock_that_steps_back_in_an_attempt_counts_nothing)
{
    assert_report(timed(UINT32_MAX, 1000), REDIAL_DONE, 2, 1000, 1000, 0);
    assert_report(timed(BACK_HOUR_MS, 1000), REDIAL_DONE, 2, 1000, 1000, 0);
    assert_report(timed(LONGEST_MS + 1, 1000), REDIAL_DONE, 2, 1000, 1000, 0);
}

TEST(a_clock_that_jumps_ahead_in_an_attempt_counts)
{
    assert_report(timed(HOUR_MS, 1000), REDIAL_DONE, 2, 2 * HOUR_MS + 1000, 1000, 0);
    assert_report(timed(LONGEST_MS, 1000), REDIAL_TIMED_OUT, 1, LONGEST_MS, 0, 1000);
}

TEST(a_clock_that_steps_back_in_a_wait_counts_nothing)
{
    assert_report(timed(0, UINT32_MAX), REDIAL_DONE, 2, 0, 0, 0);
    assert_report(timed(0, BACK_HOUR_MS), REDIAL_DONE, 2, 0, 0, 0);
    assert_report(timed(0, LONGEST_MS + 1), REDIAL_DONE, 2, 0, 0, 0);
}

TEST(a_clock_that_jumps_ahead_in_a_wait_counts)
{
    assert_report(timed(0, HOUR_MS), REDIAL_DONE, 2, HOUR_MS, HOUR_MS, 0);
    assert_report(timed(0, 3 * HOUR_MS), REDIAL_TIMED_OUT, 1, 3 * HOUR_MS, 3 * HOUR_MS, 0);
    assert_report(timed(0, LONGEST_MS), REDIAL_TIMED_OUT, 1, LONGEST_MS, LONGEST_MS, 0);
}

TEST(the_times_of_the_report_saturate)
{
    struct scripted run = always_failing();
    run.policy.max_retries = 3;
    run.policy.base_ms = run.policy.cap_ms = LONGEST_MS;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 4, UINT32_MAX, UINT32_MAX, 0);
    assert_int_equal(run.event[2].elapsed_ms, UINT32_MAX - 1);
    run = always_failing();
    run.attempt_ms = LONGEST_MS;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 6, UINT32_MAX, 31000, 0);
    assert_int_equal(run.event[4].elapsed_ms, UINT32_MAX);
}

TEST(the_longest_waits_are_passed_to_wait_ms_unchanged)
{
    struct scripted run = always_failing();
    run.policy.max_retries = 2;
    run.policy.base_ms = LONGEST_MS + 1;   /* counted as 0 from here on */
    run.policy.cap_ms = UINT32_MAX;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 3, 0, 0, 0);
    assert_int_equal(run.waited_ms[0], LONGEST_MS + 1);
    assert_int_equal(run.waited_ms[1], UINT32_MAX);
}

int main(void)
{
    return run_all();
}
