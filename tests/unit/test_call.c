/* The decision: how a call begins, how its retries are counted, and how long it waits. SPDX-License-Identifier: MIT */
#include "decision.h"

/* ---- how a call begins ---- */

static void assert_not_begun(struct redial_call *call)
{
    const struct redial_outcome outcomes[] = {
        redial_done(), redial_fail(1), redial_retry(1), redial_retry_after(1, 9), redial_http(200, 0),
        redial_http(404, 9), redial_http(503, 9), redial_pending(0), redial_pending(9), redial_postponed(9)
    };
    for (unsigned i = 0; i < LENGTH(outcomes); i++)
        assert_step(redial_next(call, outcomes[i], 5, HIGHEST), REDIAL_INVALID, 0);
    if (call)
        assert_int_equal(redial_timeout_ms(call, 5), 0);
}

static void assert_refused(const struct redial_policy *policy)
{
    struct redial_call call;
    poison(&call, sizeof call);
    assert_false(redial_begin(&call, policy, 5));
    assert_not_begun(&call);
    poison(&call, sizeof call);
    assert_false(redial_resume(&call, policy, 1, 1, 5));
    assert_not_begun(&call);
}

TEST(a_call_without_a_policy_is_not_begun)
{
    assert_refused(NULL);
}

TEST(every_invalid_policy_is_refused_at_the_beginning)
{
    struct redial_policy refused[INVALID_POLICIES];
    invalid_policies(refused);
    for (unsigned i = 0; i < LENGTH(refused); i++)
        assert_refused(&refused[i]);
}

TEST(a_null_call_and_a_zeroed_call_are_not_begun)
{
    static struct redial_call zeroed;
    struct redial_policy policy = plain_policy();
    assert_false(redial_begin(NULL, &policy, 0));
    assert_false(redial_begin(NULL, NULL, 0));
    assert_false(redial_resume(NULL, &policy, 0, 0, 0));
    assert_false(redial_resume(NULL, NULL, 0, 0, 0));
    assert_not_begun(NULL);
    assert_not_begun(&zeroed);
}

TEST(a_refused_begin_ends_the_call_in_progress)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    assert_false(redial_begin(&call, NULL, 0));
    assert_not_begun(&call);
}

TEST(a_call_that_begins_again_forgets_everything)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    policy.max_retries = 2;
    policy.max_elapsed_ms = 10000;
    poison(&call, sizeof call);
    for (unsigned round = 0; round < 3; round++) {
        uint32_t now_ms = round * 1000000u;
        assert_true(redial_begin(&call, &policy, now_ms));
        assert_ptr_equal(call.policy, &policy);
        assert_int_equal(redial_retries(&call), 0);
        assert_int_equal(redial_elapsed_ms(&call, now_ms), 0);
        assert_step(redial_next(&call, redial_pending(0), now_ms, 0), REDIAL_RETRY, 1000);
        assert_step(redial_next(&call, redial_retry(1), now_ms + 1000, 0), REDIAL_RETRY, 1000);
        assert_step(redial_next(&call, redial_retry(1), now_ms + 2000, 0), REDIAL_RETRY, 2000);
        assert_step(redial_next(&call, redial_retry(1), now_ms + 4000, 0), REDIAL_EXHAUSTED, 0);
        assert_int_equal(redial_timeout_ms(&call, now_ms + 4000), 6000);
    }
}

/* ---- how retries are counted ---- */

TEST(max_retries_is_exactly_how_many_retries_are_granted)
{
    static const uint32_t limits[] = { 0, 1, 2, 5, 100 };
    for (unsigned i = 0; i < LENGTH(limits); i++) {
        struct redial_policy policy = plain_policy();
        struct redial_call call;
        policy.max_retries = limits[i];
        call = begun(&policy, 0);
        for (uint32_t n = 0; n < limits[i]; n++)
            assert_next(&call, redial_retry(1), REDIAL_RETRY, wide_delay(1000, 32000, n, 0));
        assert_next(&call, redial_retry(1), REDIAL_EXHAUSTED, 0);
        assert_next(&call, redial_retry_after(1, 9), REDIAL_EXHAUSTED, 0);
    }
}

TEST(unlimited_retries_go_on_when_their_counter_saturates)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    policy.max_retries = REDIAL_NO_LIMIT;
    call = resumed(&policy, UINT32_MAX - 2, 0, 0);
    for (unsigned i = 0; i < 10; i++)
        assert_next(&call, redial_retry(1), REDIAL_RETRY, 32000);
    assert_int_equal(redial_retries(&call), UINT32_MAX);
}

TEST(the_largest_number_below_REDIAL_NO_LIMIT_is_a_limit)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    policy.max_retries = REDIAL_NO_LIMIT - 1;
    call = resumed(&policy, UINT32_MAX - 3, 0, 0);
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 32000);
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 32000);
    assert_next(&call, redial_retry(1), REDIAL_EXHAUSTED, 0);
    call = resumed(&policy, UINT32_MAX, 0, 0);
    assert_next(&call, redial_retry(1), REDIAL_EXHAUSTED, 0);
}

/* ---- how long is waited ---- */

/* The third wait, at most 4 s + 1 s, stays below the cap of 6 s, so SPREAD is ADDED. The fourth is at the cap. */
TEST(each_jitter_mode_reaches_both_ends_of_its_range)
{
    static const struct { enum redial_jitter jitter; uint32_t shortest[4], longest[4]; } table[] = {
        { REDIAL_JITTER_ADDED,  { 1000, 2000, 4000, 6000 }, { 2000, 3000, 5000, 6000 } },
        { REDIAL_JITTER_SPREAD, { 1000, 2000, 4000, 3000 }, { 2000, 3000, 5000, 6000 } },
        { REDIAL_JITTER_EQUAL,  {  500, 1000, 2000, 3000 }, { 1000, 2000, 4000, 6000 } },
        { REDIAL_JITTER_FULL,   {    0,    0,    0,    0 }, { 1000, 2000, 4000, 6000 } },
        { REDIAL_JITTER_NONE,   { 1000, 2000, 4000, 6000 }, { 1000, 2000, 4000, 6000 } }
    };
    for (unsigned mode = 0; mode < LENGTH(table); mode++) {
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        struct redial_call low, high;
        policy.cap_ms = 6000;
        policy.jitter = table[mode].jitter;
        low = begun(&policy, 0);
        high = begun(&policy, 0);
        for (unsigned n = 0; n < 4; n++) {
            assert_step(redial_next(&low, redial_retry(1), 0, 0), REDIAL_RETRY, table[mode].shortest[n]);
            assert_step(redial_next(&high, redial_retry(1), 0, HIGHEST), REDIAL_RETRY, table[mode].longest[n]);
        }
    }
}

TEST(each_wait_uses_the_random_bits_of_its_own_decision)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_call call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, UINT32_C(0x80000000)), REDIAL_RETRY, 1500);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 2000);
    assert_step(redial_next(&call, redial_retry(1), 0, HIGHEST), REDIAL_RETRY, 5000);
    assert_step(redial_next(&call, redial_retry(1), 0, UINT32_C(0x40000000)), REDIAL_RETRY, 8250);
}

/* A caller need not get random bits for the kinds below REDIAL_KIND_RETRY. */
TEST(only_the_kinds_from_RETRY_on_use_random_bits)
{
    const struct redial_outcome outcomes[] = { redial_done(), redial_fail(1), redial_http(200, 9), redial_http(404, 9),
                                               redial_http(503, 0), redial_http(0, 9), redial_retry(1),
                                               redial_retry_after(1, 9), redial_pending(0), redial_pending(9),
                                               redial_postponed(9), outcome_of(REDIAL_KIND_INVALID, 1, 9, 9) };
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    for (unsigned i = 0; i < LENGTH(outcomes); i++) {
        struct redial_call low = begun(&policy, 0), high = begun(&policy, 0);
        bool differ = redial_next(&low, outcomes[i], 0, 0).delay_ms !=
                      redial_next(&high, outcomes[i], 0, HIGHEST).delay_ms;
        assert_int_equal(differ, redial_classify(&policy, outcomes[i]) >= REDIAL_KIND_RETRY);
    }
}

TEST(two_calls_of_one_policy_are_independent)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_call one = begun(&policy, 0), two = begun(&policy, 0);
    assert_step(redial_next(&one, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&one, redial_retry(1), 0, HIGHEST), REDIAL_RETRY, 3000);
    assert_step(redial_next(&two, redial_retry(1), 0, HIGHEST), REDIAL_RETRY, 2000);
    assert_step(redial_next(&one, redial_retry(1), 0, 0), REDIAL_RETRY, 4000);
    assert_step(redial_next(&two, redial_retry(1), 0, 0), REDIAL_RETRY, 2000);
}

/* ---- the policy may change between two decisions ---- */

static bool nothing_is(const void *user, int status)
{
    (void)user;
    (void)status;
    return false;
}

TEST(a_changed_policy_counts_from_the_next_decision_on)
{
    static struct redial_budget empty;
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    assert_next(&call, redial_http(503, 0), REDIAL_RETRY, 1000);
    policy.base_ms = 100;
    assert_next(&call, redial_http(503, 0), REDIAL_RETRY, 200);
    policy.cap_ms = 300;
    assert_next(&call, redial_http(503, 0), REDIAL_RETRY, 300);
    policy.jitter = REDIAL_JITTER_EQUAL;
    assert_next(&call, redial_http(503, 0), REDIAL_RETRY, 150);
    policy.max_retries = 4;
    assert_next(&call, redial_http(503, 0), REDIAL_EXHAUSTED, 0);
    policy.max_retries = 10;
    policy.budget = &empty;
    assert_next(&call, redial_http(503, 0), REDIAL_BUDGET_EMPTY, 150);
    policy.max_elapsed_ms = 50;
    assert_next(&call, redial_http(503, 0), REDIAL_TIMED_OUT, 150);
    assert_int_equal(redial_timeout_ms(&call, 0), 50);
    policy.attempt_ms = 40;
    assert_int_equal(redial_timeout_ms(&call, 0), 40);
    policy.max_retry_after_ms = 6;
    assert_next(&call, redial_http(503, 7), REDIAL_WAIT_TOO_LONG, 7);
    policy.retryable = nothing_is;
    assert_next(&call, redial_http(503, 0), REDIAL_FAILED, 0);
    assert_int_equal(redial_retries(&call), 4);
    policy.min_uptime_ms = 5;
    assert_next(&call, redial_disconnected(1, 5), REDIAL_TIMED_OUT, 50);
    assert_int_equal(redial_retries(&call), 0);
}

int main(void)
{
    return run_all();
}
