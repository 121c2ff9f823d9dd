/* The decision: what time it counts, on which clocks, and where the limit lies. SPDX-License-Identifier: MIT */
#include "decision.h"

#define HOUR_MS UINT32_C(3600000)

static struct redial_policy limited(uint32_t max_elapsed_ms)
{
    struct redial_policy policy = plain_policy();
    policy.max_retries = REDIAL_NO_LIMIT;
    policy.max_elapsed_ms = max_elapsed_ms;
    return policy;
}

/* The time counted between two readings of the clock: before the decision, by the decision, and for the timeout. */
static uint32_t counted(uint32_t then_ms, uint32_t now_ms)
{
    struct redial_policy policy = limited(UINT32_MAX);
    struct redial_call call = begun(&policy, then_ms);
    uint32_t elapsed_ms = redial_elapsed_ms(&call, now_ms);
    assert_int_equal(redial_timeout_ms(&call, now_ms), UINT32_MAX - elapsed_ms);
    redial_next(&call, redial_retry(1), now_ms, 0);
    assert_int_equal(redial_elapsed_ms(&call, now_ms), elapsed_ms);
    assert_int_equal(redial_timeout_ms(&call, now_ms), UINT32_MAX - elapsed_ms);
    return elapsed_ms;
}

/* ---- clocks ---- */

TEST(a_clock_that_stands_still_counts_nothing)
{
    assert_int_equal(counted(0, 0), 0);
    assert_int_equal(counted(123456, 123456), 0);
    assert_int_equal(counted(UINT32_MAX, UINT32_MAX), 0);
}

TEST(time_is_counted_across_the_wrap_of_the_clock)
{
    assert_int_equal(counted(0, 1), 1);
    assert_int_equal(counted(1000, 601000), 600000);
    assert_int_equal(counted(UINT32_MAX, 0), 1);
    assert_int_equal(counted(UINT32_MAX, 1), 2);
    assert_int_equal(counted(UINT32_MAX - 499, 500), 1000);
}

TEST(a_clock_that_steps_back_counts_nothing)
{
    assert_int_equal(counted(1, 0), 0);
    assert_int_equal(counted(2 * HOUR_MS, HOUR_MS), 0);
    assert_int_equal(counted(HOUR_MS / 2, UINT32_MAX - HOUR_MS / 2 + 1), 0);   /* back through the wrap */
    assert_int_equal(counted(0, UINT32_MAX), 0);
}

TEST(a_difference_of_2_to_the_31_is_a_clock_that_stepped_back)
{
    static const uint32_t starts[] = { 0, 1, 12345, UINT32_C(0x7fffffff), UINT32_C(0x80000000), UINT32_MAX };
    for (unsigned i = 0; i < LENGTH(starts); i++) {
        assert_int_equal(counted(starts[i], later(starts[i], UINT32_C(0x7fffffff))), 0x7fffffff);
        assert_int_equal(counted(starts[i], later(starts[i], UINT32_C(0x80000000))), 0);
        assert_int_equal(counted(starts[i], later(starts[i], UINT32_C(0x80000001))), 0);
    }
}

TEST(after_a_step_back_time_counts_from_there)
{
    struct redial_policy policy = limited(10000);
    struct redial_call call = begun(&policy, 2 * HOUR_MS);
    assert_step(redial_next(&call, redial_retry(1), 2 * HOUR_MS + 500, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_retry(1), HOUR_MS, 0), REDIAL_RETRY, 2000);
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS), 9500);
    assert_step(redial_next(&call, redial_retry(1), HOUR_MS + 2000, 0), REDIAL_RETRY, 4000);
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS + 2000), 7500);
    assert_step(redial_next(&call, redial_retry(1), HOUR_MS + 6000, 0), REDIAL_TIMED_OUT, 8000);
}

TEST(retries_end_a_call_whose_clock_stands_still)
{
    struct redial_policy policy = limited(40000);
    struct redial_call call;
    policy.max_retries = 50;
    call = begun(&policy, 7);
    for (unsigned n = 0; n < 50; n++)
        assert_step(redial_next(&call, redial_retry(1), 7, 0), REDIAL_RETRY, wide_delay(1000, 32000, n, 0));
    assert_step(redial_next(&call, redial_retry(1), 7, 0), REDIAL_EXHAUSTED, 0);
}

/* ---- where the limit lies ---- */

TEST(a_wait_that_would_end_at_the_limit_is_refused)
{
    static const struct { uint32_t limit_ms, now_ms; enum redial_verdict verdict; } table[] = {
        { 1001,       0,   REDIAL_RETRY     },
        { 1000,       0,   REDIAL_TIMED_OUT },
        {  999,       0,   REDIAL_TIMED_OUT },
        {    1,       0,   REDIAL_TIMED_OUT },
        { 1501,     500,   REDIAL_RETRY     },
        { 1500,     500,   REDIAL_TIMED_OUT },
        { 1500,    1499,   REDIAL_TIMED_OUT },
        { 1500,    1500,   REDIAL_TIMED_OUT },   /* the attempt alone reached it */
        { 1500, 1000000,   REDIAL_TIMED_OUT },
        { UINT32_MAX, 0,   REDIAL_RETRY     },
        {    0,       0,   REDIAL_RETRY     },   /* no limit */
        {    0, 1000000,   REDIAL_RETRY     }
    };
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_policy policy = limited(table[i].limit_ms);
        struct redial_call call = begun(&policy, 0);
        assert_step(redial_next(&call, redial_retry(1), table[i].now_ms, 0), table[i].verdict, 1000);
    }
}

TEST(a_limit_of_1_ms_lets_a_wait_of_0_pass)
{
    struct redial_policy policy = limited(1);
    struct redial_call call;
    policy.jitter = REDIAL_JITTER_FULL;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, HIGHEST), REDIAL_TIMED_OUT, 2000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 0);
    assert_step(redial_next(&call, redial_retry(1), 1, 0), REDIAL_TIMED_OUT, 0);
}

TEST(the_refused_wait_includes_its_jitter)
{
    struct redial_policy policy = limited(1500);
    struct redial_call call;
    policy.jitter = REDIAL_JITTER_ADDED;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, HIGHEST), REDIAL_TIMED_OUT, 2000);
    assert_step(redial_next(&call, redial_retry(1), 0, UINT32_C(0x80000000)), REDIAL_TIMED_OUT, 1500);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
}

TEST(the_time_of_waits_and_of_attempts_counts)
{
    struct redial_policy policy = limited(20000);
    struct redial_call call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 3000, 0), REDIAL_RETRY, 1000);    /* an attempt of 3 s */
    assert_step(redial_next(&call, redial_retry(1), 9000, 0), REDIAL_RETRY, 2000);    /* a late wait, a slow attempt */
    assert_step(redial_next(&call, redial_retry(1), 11000, 0), REDIAL_RETRY, 4000);
    assert_step(redial_next(&call, redial_retry(1), 15000, 0), REDIAL_TIMED_OUT, 8000);
    assert_step(redial_next(&call, redial_retry_after(1, 1), 15000, 0), REDIAL_RETRY, 4000);
}

TEST(elapsed_time_saturates)
{
    struct redial_policy policy = limited(UINT32_MAX);
    struct redial_call call = resumed(&policy, 0, UINT32_MAX - 2001, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    assert_int_equal(redial_timeout_ms(&call, 2000), 1);
    assert_int_equal(redial_timeout_ms(&call, 2001), 0);
    assert_int_equal(redial_elapsed_ms(&call, 2002), UINT32_MAX);
    assert_int_equal(redial_timeout_ms(&call, 2002), 0);
    assert_step(redial_next(&call, redial_retry(1), 2002, 0), REDIAL_TIMED_OUT, 2000);
    assert_step(redial_next(&call, redial_retry(1), 5000, 0), REDIAL_TIMED_OUT, 2000);
    assert_int_equal(redial_elapsed_ms(&call, 5000), UINT32_MAX);
    assert_int_equal(redial_elapsed_ms(&call, 6000), UINT32_MAX);
}

TEST(elapsed_and_wait_together_do_not_wrap)
{
    struct redial_policy policy = limited(UINT32_MAX);
    struct redial_call call;
    policy.base_ms = policy.cap_ms = UINT32_MAX;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_TIMED_OUT, UINT32_MAX);
    assert_step(redial_next(&call, redial_retry(1), 100, 0), REDIAL_TIMED_OUT, UINT32_MAX);
    policy.base_ms = UINT32_MAX - 101;
    assert_step(redial_next(&call, redial_retry(1), 100, 0), REDIAL_RETRY, UINT32_MAX - 101);
}

TEST(without_a_limit_time_never_ends_a_call)
{
    struct redial_policy policy = limited(0);
    struct redial_call call = begun(&policy, 0);
    uint32_t now_ms = 0;
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(redial_timeout_ms(&call, now_ms), UINT32_MAX);
        assert_step(redial_next(&call, redial_retry(1), now_ms, 0), REDIAL_RETRY, wide_delay(1000, 32000, i, 0));
        now_ms = later(now_ms, UINT32_C(0x70000000));
    }
}

TEST(the_time_before_the_call_began_does_not_count)
{
    struct redial_policy policy = limited(1500);   /* made long before */
    struct redial_call call = begun(&policy, HOUR_MS);
    assert_step(redial_next(&call, redial_retry(1), HOUR_MS, 0), REDIAL_RETRY, 1000);
}

/* ---- redial_timeout_ms ---- */

TEST(an_attempt_may_take_attempt_ms_or_what_is_left_if_that_is_less)
{
    static const struct { uint32_t attempt_ms, max_elapsed_ms, elapsed_ms, timeout_ms; } table[] = {
        {    0,    0,          0, UINT32_MAX }, {    0,    0, UINT32_MAX, UINT32_MAX },
        {  500,    0,          0,        500 }, {  500,    0, UINT32_MAX,        500 },
        {    0, 5000,          0,       5000 }, {    0, 5000,       4999,          1 }, { 0, 5000, 5000, 0 },
        {    0, 5000,       5001,          0 }, {    0, 5000, UINT32_MAX,          0 },
        {  500, 5000,          0,        500 }, {  500, 5000,       4500,        500 }, { 500, 5000, 4501, 499 },
        {  500, 5000,       4999,          1 }, {  500, 5000,       5000,          0 }, { 500, 5000, 5001, 0 },
        { 4999, 5000,          0,       4999 }, { 5000, 5000,          0,       5000 }, { 5001, 5000, 0, 5000 },
        {    1,    1,          0,          1 }, {    1,    1,          1,          0 }, { 1, UINT32_MAX, 1, 1 },
        { UINT32_MAX,          0, UINT32_MAX, UINT32_MAX }, { UINT32_MAX, 5000, 4999, 1 },
        { UINT32_MAX, UINT32_MAX,          0, UINT32_MAX }, { UINT32_MAX, UINT32_MAX, 1, UINT32_MAX - 1 },
        {          0, UINT32_MAX, UINT32_MAX,          0 }
    };
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_policy policy = limited(table[i].max_elapsed_ms);
        struct redial_call call;
        policy.attempt_ms = table[i].attempt_ms;
        call = resumed(&policy, 0, table[i].elapsed_ms, HOUR_MS);
        assert_int_equal(redial_timeout_ms(&call, HOUR_MS), table[i].timeout_ms);
        if (table[i].elapsed_ms < UINT32_MAX) {   /* and by the clock */
            call = begun(&policy, HOUR_MS);
            assert_int_equal(redial_timeout_ms(&call, HOUR_MS + table[i].elapsed_ms), table[i].timeout_ms);
        }
    }
}

TEST(asking_for_the_timeout_changes_nothing_and_a_decision_counts_the_time_once)
{
    struct redial_policy policy = limited(5000);
    struct redial_call call = begun(&policy, HOUR_MS);
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS + 4999), 1);
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS - 1), 5000);   /* the clock stepped back */
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS), 5000);
    assert_step(redial_next(&call, redial_retry(1), HOUR_MS + 100, 0), REDIAL_RETRY, 1000);
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS + 100), 4900);
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS + 1100), 3900);
}

int main(void)
{
    return run_all();
}
