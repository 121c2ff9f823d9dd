/* The decision: PENDING, which polls, and POSTPONED, where nothing was sent. SPDX-License-Identifier: MIT */
#include "decision.h"

/* ---- PENDING ---- */

TEST(a_poll_costs_no_retry_and_no_token_and_earns_one_success)
{
    struct redial_policy policy = plain_policy();
    struct counting_budget counting;
    struct redial_call call;
    counting_budget_init(&counting, 0, &policy);
    policy.max_retries = 0;
    call = begun(&policy, 0);
    assert_next(&call, redial_pending(0), REDIAL_RETRY, 1000);
    assert_counts(&counting, 1, 0, 1);
    assert_next(&call, redial_pending(9000), REDIAL_RETRY, 9000);
    assert_counts(&counting, 2, 0, 2);
    assert_int_equal(redial_retries(&call), 0);
}

TEST(the_waits_between_polls_grow_like_those_of_retries)
{
    for (unsigned mode = 0; mode < LENGTH(jitter_modes); mode++) {
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        struct redial_call polling, retrying;
        policy.max_retries = REDIAL_NO_LIMIT;
        policy.jitter = jitter_modes[mode];
        polling = begun(&policy, 0);
        retrying = begun(&policy, 0);
        for (unsigned n = 0; n < 40; n++) {
            uint32_t random = UINT32_MAX / 39 * n;
            struct redial_step poll = redial_next(&polling, redial_pending(0), 0, random);
            assert_step(redial_next(&retrying, redial_retry(1), 0, random), REDIAL_RETRY, poll.delay_ms);
            assert_int_equal(poll.verdict, REDIAL_RETRY);
        }
    }
}

TEST(a_poll_with_a_retry_after_waits_as_the_first_poll_does_and_is_not_counted)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    assert_next(&call, redial_pending(0), REDIAL_RETRY, 1000);
    assert_next(&call, redial_pending(0), REDIAL_RETRY, 2000);
    assert_next(&call, redial_pending(1), REDIAL_RETRY, 500);
    assert_next(&call, redial_pending(7000), REDIAL_RETRY, 7000);
    assert_next(&call, redial_pending(0), REDIAL_RETRY, 4000);
    policy.jitter = REDIAL_JITTER_ADDED;
    assert_step(redial_next(&call, redial_pending(1), 0, HIGHEST), REDIAL_RETRY, 1500);
    assert_step(redial_next(&call, redial_pending(7000), 0, HIGHEST), REDIAL_RETRY, 8000);
}

TEST(a_poll_resets_the_retries_and_a_retry_keeps_the_polls)
{
    static const uint32_t retry_after_ms[] = { 0, 9000 };
    for (unsigned i = 0; i < LENGTH(retry_after_ms); i++) {
        struct redial_policy policy = plain_policy();
        struct redial_call call;
        policy.max_retries = 2;
        call = begun(&policy, 0);
        assert_next(&call, redial_pending(0), REDIAL_RETRY, 1000);
        assert_next(&call, redial_pending(0), REDIAL_RETRY, 2000);
        assert_next(&call, redial_retry(1), REDIAL_RETRY, 1000);
        assert_next(&call, redial_retry(1), REDIAL_RETRY, 2000);
        assert_next(&call, redial_retry(1), REDIAL_EXHAUSTED, 0);
        assert_next(&call, redial_pending(retry_after_ms[i]), REDIAL_RETRY, i == 0 ? 4000 : 9000);
        assert_int_equal(redial_retries(&call), 0);
        assert_next(&call, redial_retry(1), REDIAL_RETRY, 1000);
        assert_next(&call, redial_pending(0), REDIAL_RETRY, i == 0 ? 8000 : 4000);
    }
}

TEST(a_poll_refused_for_lack_of_time_is_not_counted_but_earns_its_success)
{
    struct redial_policy policy = plain_policy();
    struct counting_budget counting;
    struct redial_call call;
    counting_budget_init(&counting, 5, &policy);
    policy.max_elapsed_ms = 10000;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_pending(0), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_retry(1), 1000, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_pending(0), 8000, 0), REDIAL_TIMED_OUT, 2000);
    assert_step(redial_next(&call, redial_pending(2000), 8000, 0), REDIAL_TIMED_OUT, 2000);
    assert_counts(&counting, 7, 1, 3);
    assert_int_equal(redial_retries(&call), 0);
    policy.max_elapsed_ms = 10001;
    assert_step(redial_next(&call, redial_pending(0), 8000, 0), REDIAL_RETRY, 2000);
}

TEST(the_count_of_polls_saturates)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    call.polls_ = UINT32_MAX - 1;
    for (unsigned i = 0; i < 4; i++)
        assert_next(&call, redial_pending(0), REDIAL_RETRY, 32000);
}

/* ---- POSTPONED ---- */

TEST(postponing_counts_nothing_and_asks_no_budget)
{
    static const uint32_t retry_after_ms[] = { 0, 9000, 1 }, wait_ms[] = { 1000, 9000, 500 };
    struct redial_policy policy = plain_policy();
    struct counting_budget counting;
    struct redial_call call;
    counting_budget_init(&counting, 1, &policy);
    policy.max_retries = 1;
    call = begun(&policy, 0);
    assert_next(&call, redial_pending(0), REDIAL_RETRY, 1000);
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 1000);
    assert_next(&call, redial_retry(1), REDIAL_EXHAUSTED, 0);
    assert_counts(&counting, 1, 1, 1);
    counting.tokens = 0;
    for (unsigned i = 0; i < LENGTH(retry_after_ms); i++) {
        struct redial_call before = call;
        assert_next(&call, redial_postponed(retry_after_ms[i]), REDIAL_RETRY, wait_ms[i]);
        assert_next(&call, redial_postponed(retry_after_ms[i]), REDIAL_RETRY, wait_ms[i]);
        assert_memory_equal(&call, &before, sizeof call);
    }
    assert_counts(&counting, 0, 1, 1);
}

TEST(postponing_waits_as_a_first_retry_does_in_every_mode)
{
    for (unsigned mode = 0; mode < LENGTH(jitter_modes); mode++) {
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        struct redial_call call;
        policy.jitter = jitter_modes[mode];
        call = resumed(&policy, 4, 0, 0);
        assert_step(redial_next(&call, redial_postponed(0), 0, HIGHEST), REDIAL_RETRY,
                    redial_random_delay_ms(&policy, 0, HIGHEST));
        assert_step(redial_next(&call, redial_postponed(7000), 0, HIGHEST), REDIAL_RETRY,
                    policy.jitter == REDIAL_JITTER_NONE ? 7000 : 8000);
    }
}

TEST(max_elapsed_ms_limits_postponing)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    policy.max_elapsed_ms = 10000;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_postponed(6000), 3999, 0), REDIAL_RETRY, 6000);
    assert_int_equal(redial_elapsed_ms(&call, 3999), 3999);
    assert_step(redial_next(&call, redial_postponed(6000), 4000, 0), REDIAL_TIMED_OUT, 6000);
    assert_step(redial_next(&call, redial_postponed(0), 9000, 0), REDIAL_TIMED_OUT, 1000);
}

int main(void)
{
    return run_all();
}
