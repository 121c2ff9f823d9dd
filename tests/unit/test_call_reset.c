/* The decision: a connection that worked for long enough resets the call. SPDX-License-Identifier: MIT */
#include "decision.h"

static struct redial_policy reconnecting(void)
{
    struct redial_policy policy = plain_policy();
    policy.min_uptime_ms = 60000;
    return policy;
}

TEST(enough_uptime_resets_the_call_and_1_ms_less_does_not)
{
    struct redial_policy policy = reconnecting();
    struct redial_call call = begun(&policy, 0);
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 1000);
    assert_next(&call, redial_disconnected(1, 59999), REDIAL_RETRY, 2000);
    assert_next(&call, redial_disconnected(1, 60000), REDIAL_RETRY, 1000);
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 2000);
    assert_next(&call, redial_disconnected(1, UINT32_MAX), REDIAL_RETRY, 1000);
}

TEST(with_min_uptime_ms_0_no_call_is_reset)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    assert_next(&call, redial_disconnected(1, 0), REDIAL_RETRY, 1000);
    assert_next(&call, redial_disconnected(1, UINT32_MAX), REDIAL_RETRY, 2000);
}

TEST(a_reset_forgets_retries_polls_and_time_and_earns_one_success)
{
    struct redial_policy policy = reconnecting();
    struct counting_budget counting;
    struct redial_call call;
    counting_budget_init(&counting, 5, &policy);
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_pending(0), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_pending(0), 1000, 0), REDIAL_RETRY, 2000);
    assert_step(redial_next(&call, redial_retry(1), 3000, 0), REDIAL_RETRY, 1000);
    assert_counts(&counting, 6, 1, 2);
    assert_step(redial_next(&call, redial_disconnected(1, 60000), 64000, 0), REDIAL_RETRY, 1000);
    assert_counts(&counting, 6, 2, 3);
    assert_int_equal(redial_retries(&call), 1);
    assert_int_equal(redial_elapsed_ms(&call, 64000), 0);
    assert_step(redial_next(&call, redial_pending(0), 65000, 0), REDIAL_RETRY, 1000);
}

TEST(a_reset_comes_before_every_reason_to_refuse)
{
    struct redial_policy policy = reconnecting();
    struct counting_budget counting;
    struct redial_call call;
    counting_budget_init(&counting, 1, &policy);
    policy.max_retries = 1;
    policy.max_elapsed_ms = 2000;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    /* No retry is left, no time, and no token. */
    assert_step(redial_next(&call, redial_disconnected(1, 60000), 61000, 0), REDIAL_RETRY, 1000);
    assert_counts(&counting, 0, 2, 1);
    assert_int_equal(redial_timeout_ms(&call, 61000), 2000);
    assert_step(redial_next(&call, redial_disconnected(1, 59999), 62000, 0), REDIAL_EXHAUSTED, 0);
    assert_counts(&counting, 0, 2, 1);
}

TEST(a_reset_counts_even_where_the_retry_is_refused)
{
    struct redial_policy policy = reconnecting();
    struct counting_budget counting;
    struct redial_call call;
    counting_budget_init(&counting, 5, &policy);
    policy.max_elapsed_ms = 10000;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_retry(1), 1000, 0), REDIAL_RETRY, 2000);
    assert_step(redial_next(&call, outcome_of(REDIAL_KIND_RETRY, 1, 300001, 60000), 63000, 0), REDIAL_WAIT_TOO_LONG,
                300001);
    assert_counts(&counting, 4, 2, 1);
    assert_int_equal(redial_timeout_ms(&call, 63000), 10000);
    assert_step(redial_next(&call, redial_retry(1), 63000, 0), REDIAL_RETRY, 1000);
}

TEST(the_time_limit_applies_to_each_outage)
{
    struct redial_policy policy = reconnecting();
    struct redial_call call;
    uint32_t now_ms = 0;
    policy.max_elapsed_ms = 8000;
    call = begun(&policy, 0);
    for (unsigned outage = 0; outage < 20; outage++) {
        now_ms += 60000;
        assert_step(redial_next(&call, redial_disconnected(1, 60000), now_ms, 0), REDIAL_RETRY, 1000);
        assert_step(redial_next(&call, redial_retry(1), now_ms + 1000, 0), REDIAL_RETRY, 2000);
        assert_step(redial_next(&call, redial_retry(1), now_ms + 3000, 0), REDIAL_RETRY, 4000);
        assert_step(redial_next(&call, redial_retry(1), now_ms + 7000, 0), REDIAL_TIMED_OUT, 8000);
        now_ms += 7000;
    }
}

TEST(an_attempt_that_hangs_has_no_uptime)
{
    struct redial_policy policy = reconnecting();
    struct redial_call call = begun(&policy, 0);
    uint32_t now_ms = 0;
    for (unsigned n = 0; n < 5; n++) {
        now_ms += 120000;   /* a connect that hangs for two minutes */
        assert_step(redial_next(&call, redial_retry(1), now_ms, 0), REDIAL_RETRY, wide_delay(1000, 32000, n, 0));
    }
    assert_step(redial_next(&call, redial_retry(1), now_ms + 120000, 0), REDIAL_EXHAUSTED, 0);
}

TEST(a_connection_that_keeps_breaking_early_keeps_the_waits_growing)
{
    struct redial_policy policy = reconnecting();
    struct redial_call call;
    policy.max_retries = REDIAL_NO_LIMIT;
    call = begun(&policy, 0);
    for (unsigned n = 0; n < 40; n++)
        assert_next(&call, redial_disconnected(1, 59999), REDIAL_RETRY, wide_delay(1000, 32000, n, 0));
}

TEST(only_an_outcome_worth_a_retry_resets_the_call)
{
    static const struct { enum redial_kind kind; int code; bool is_reset; } table[] = {
        { REDIAL_KIND_RETRY, 1, true }, { REDIAL_KIND_HTTP, 503, true }, { REDIAL_KIND_HTTP, 0, true },
        { REDIAL_KIND_HTTP, 404, false }, { REDIAL_KIND_HTTP, 200, false }, { REDIAL_KIND_FAIL, 1, false },
        { REDIAL_KIND_DONE, 0, false }, { REDIAL_KIND_PENDING, 0, false }, { REDIAL_KIND_POSTPONED, 0, false }
    };
    struct redial_policy policy = reconnecting();
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_call call = resumed(&policy, 2, 5000, 0);
        redial_next(&call, outcome_of(table[i].kind, table[i].code, 0, 60000), 0, 0);
        assert_int_equal(redial_elapsed_ms(&call, 0), table[i].is_reset ? 0 : 5000);
    }
}

int main(void)
{
    return run_all();
}
