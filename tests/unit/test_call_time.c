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

static void a_clock_that_stands_still_counts_nothing(void **state)
{
    (void)state;
    assert_int_equal(counted(0, 0), 0);
    assert_int_equal(counted(123456, 123456), 0);
    assert_int_equal(counted(UINT32_MAX, UINT32_MAX), 0);
}

static void time_is_counted_across_the_wrap_of_the_clock(void **state)
{
    (void)state;
    assert_int_equal(counted(0, 1), 1);
    assert_int_equal(counted(1000, 601000), 600000);
    assert_int_equal(counted(UINT32_MAX, 0), 1);
    assert_int_equal(counted(UINT32_MAX, 1), 2);
    assert_int_equal(counted(UINT32_MAX - 499, 500), 1000);
}

static void a_clock_that_steps_back_counts_nothing(void **state)
{
    (void)state;
    assert_int_equal(counted(1, 0), 0);
    assert_int_equal(counted(2 * HOUR_MS, HOUR_MS), 0);
    assert_int_equal(counted(HOUR_MS / 2, UINT32_MAX - HOUR_MS / 2 + 1), 0);   /* back through the wrap */
    assert_int_equal(counted(0, UINT32_MAX), 0);
}

static void a_difference_of_2_to_the_31_is_a_clock_that_stepped_back(void **state)
{
    static const uint32_t starts[] = { 0, 1, 12345, UINT32_C(0x7fffffff), UINT32_C(0x80000000), UINT32_MAX };
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(starts); i++) {
        assert_int_equal(counted(starts[i], later(starts[i], UINT32_C(0x7fffffff))), 0x7fffffff);
        assert_int_equal(counted(starts[i], later(starts[i], UINT32_C(0x80000000))), 0);
        assert_int_equal(counted(starts[i], later(starts[i], UINT32_C(0x80000001))), 0);
    }
}

static void after_a_step_back_time_counts_from_there(void **state)
{
    struct redial_policy policy = limited(10000);
    struct redial_call call = begun(&policy, 2 * HOUR_MS);
    (void)state;
    assert_step(redial_next(&call, redial_retry(1), 2 * HOUR_MS + 500, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_retry(1), HOUR_MS, 0), REDIAL_RETRY, 2000);
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS), 9500);
    assert_step(redial_next(&call, redial_retry(1), HOUR_MS + 2000, 0), REDIAL_RETRY, 4000);
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS + 2000), 7500);
    assert_step(redial_next(&call, redial_retry(1), HOUR_MS + 6000, 0), REDIAL_TIMED_OUT, 8000);
}

static void retries_end_a_call_whose_clock_stands_still(void **state)
{
    struct redial_policy policy = limited(40000);
    struct redial_call call;
    unsigned n;
    (void)state;
    policy.max_retries = 50;
    call = begun(&policy, 7);
    for (n = 0; n < 50; n++)
        assert_step(redial_next(&call, redial_retry(1), 7, 0), REDIAL_RETRY, wide_delay(1000, 32000, n, 0));
    assert_step(redial_next(&call, redial_retry(1), 7, 0), REDIAL_EXHAUSTED, 0);
}

/* ---- where the limit lies ---- */

static void a_wait_that_would_end_at_the_limit_is_refused(void **state)
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
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(table); i++) {
        struct redial_policy policy = limited(table[i].limit_ms);
        struct redial_call call = begun(&policy, 0);
        assert_step(redial_next(&call, redial_retry(1), table[i].now_ms, 0), table[i].verdict, 1000);
    }
}

static void a_limit_of_1_ms_lets_a_wait_of_0_pass(void **state)
{
    struct redial_policy policy = limited(1);
    struct redial_call call;
    (void)state;
    policy.jitter = REDIAL_JITTER_FULL;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, HIGHEST), REDIAL_TIMED_OUT, 2000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 0);
    assert_step(redial_next(&call, redial_retry(1), 1, 0), REDIAL_TIMED_OUT, 0);
}

static void the_refused_wait_includes_its_jitter(void **state)
{
    struct redial_policy policy = limited(1500);
    struct redial_call call;
    (void)state;
    policy.jitter = REDIAL_JITTER_ADDED;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, HIGHEST), REDIAL_TIMED_OUT, 2000);
    assert_step(redial_next(&call, redial_retry(1), 0, UINT32_C(0x80000000)), REDIAL_TIMED_OUT, 1500);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
}

static void the_time_of_waits_and_of_attempts_counts(void **state)
{
    struct redial_policy policy = limited(20000);
    struct redial_call call = begun(&policy, 0);
    (void)state;
    assert_step(redial_next(&call, redial_retry(1), 3000, 0), REDIAL_RETRY, 1000);    /* an attempt of 3 s */
    assert_step(redial_next(&call, redial_retry(1), 9000, 0), REDIAL_RETRY, 2000);    /* a late wait, a slow attempt */
    assert_step(redial_next(&call, redial_retry(1), 11000, 0), REDIAL_RETRY, 4000);
    assert_step(redial_next(&call, redial_retry(1), 15000, 0), REDIAL_TIMED_OUT, 8000);
    assert_step(redial_next(&call, redial_retry_after(1, 1), 15000, 0), REDIAL_RETRY, 4000);
}

static void elapsed_time_saturates(void **state)
{
    struct redial_policy policy = limited(UINT32_MAX);
    struct redial_call call = resumed(&policy, 0, UINT32_MAX - 2001, 0);
    (void)state;
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

static void elapsed_and_wait_together_do_not_wrap(void **state)
{
    struct redial_policy policy = limited(UINT32_MAX);
    struct redial_call call;
    (void)state;
    policy.base_ms = policy.cap_ms = UINT32_MAX;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_TIMED_OUT, UINT32_MAX);
    assert_step(redial_next(&call, redial_retry(1), 100, 0), REDIAL_TIMED_OUT, UINT32_MAX);
    policy.base_ms = UINT32_MAX - 101;
    assert_step(redial_next(&call, redial_retry(1), 100, 0), REDIAL_RETRY, UINT32_MAX - 101);
}

static void without_a_limit_time_never_ends_a_call(void **state)
{
    struct redial_policy policy = limited(0);
    struct redial_call call = begun(&policy, 0);
    uint32_t now_ms = 0;
    unsigned i;
    (void)state;
    for (i = 0; i < 10; i++) {
        assert_int_equal(redial_timeout_ms(&call, now_ms), UINT32_MAX);
        assert_step(redial_next(&call, redial_retry(1), now_ms, 0), REDIAL_RETRY, wide_delay(1000, 32000, i, 0));
        now_ms = later(now_ms, UINT32_C(0x70000000));
    }
}

static void the_time_before_the_call_began_does_not_count(void **state)
{
    struct redial_policy policy = limited(1500);   /* made long before */
    struct redial_call call = begun(&policy, HOUR_MS);
    (void)state;
    assert_step(redial_next(&call, redial_retry(1), HOUR_MS, 0), REDIAL_RETRY, 1000);
}

/* ---- redial_timeout_ms ---- */

static void an_attempt_may_take_attempt_ms_or_what_is_left_if_that_is_less(void **state)
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
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(table); i++) {
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

static void asking_for_the_timeout_changes_nothing_and_a_decision_counts_the_time_once(void **state)
{
    struct redial_policy policy = limited(5000);
    struct redial_call call = begun(&policy, HOUR_MS);
    (void)state;
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS + 4999), 1);
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS - 1), 5000);   /* the clock stepped back */
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS), 5000);
    assert_step(redial_next(&call, redial_retry(1), HOUR_MS + 100, 0), REDIAL_RETRY, 1000);
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS + 100), 4900);
    assert_int_equal(redial_timeout_ms(&call, HOUR_MS + 1100), 3900);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_that_stands_still_counts_nothing),
        cmocka_unit_test(time_is_counted_across_the_wrap_of_the_clock),
        cmocka_unit_test(a_clock_that_steps_back_counts_nothing),
        cmocka_unit_test(a_difference_of_2_to_the_31_is_a_clock_that_stepped_back),
        cmocka_unit_test(after_a_step_back_time_counts_from_there),
        cmocka_unit_test(retries_end_a_call_whose_clock_stands_still),
        cmocka_unit_test(a_wait_that_would_end_at_the_limit_is_refused),
        cmocka_unit_test(a_limit_of_1_ms_lets_a_wait_of_0_pass),
        cmocka_unit_test(the_refused_wait_includes_its_jitter),
        cmocka_unit_test(the_time_of_waits_and_of_attempts_counts),
        cmocka_unit_test(elapsed_time_saturates),
        cmocka_unit_test(elapsed_and_wait_together_do_not_wrap),
        cmocka_unit_test(without_a_limit_time_never_ends_a_call),
        cmocka_unit_test(the_time_before_the_call_began_does_not_count),
        cmocka_unit_test(an_attempt_may_take_attempt_ms_or_what_is_left_if_that_is_less),
        cmocka_unit_test(asking_for_the_timeout_changes_nothing_and_a_decision_counts_the_time_once)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
