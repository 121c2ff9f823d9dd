/* The decision: a connection that worked for long starts the call afresh. SPDX-License-Identifier: MIT */
#include "decision.h"

static struct redial_policy reconnecting(void)
{
    struct redial_policy policy = plain_policy();
    policy.min_uptime_ms = 60000;
    return policy;
}

static void a_steady_time_starts_the_backoff_afresh_and_1_ms_less_does_not(void **state)
{
    struct redial_policy policy = reconnecting();
    struct redial_call call = begun(&policy, 0);
    (void)state;
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_disconnected(1, 59999), 0, 0), REDIAL_RETRY, 2000);
    assert_step(redial_next(&call, redial_disconnected(1, 60000), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 2000);
    assert_step(redial_next(&call, redial_disconnected(1, UINT32_MAX), 0, 0), REDIAL_RETRY, 1000);
}

static void steady_ms_0_means_never(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    (void)state;
    assert_step(redial_next(&call, redial_disconnected(1, 0), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_disconnected(1, UINT32_MAX), 0, 0), REDIAL_RETRY, 2000);
}

static void a_fresh_start_comes_before_every_reason_to_refuse(void **state)
{
    struct redial_policy policy = reconnecting();
    struct purse purse;
    struct redial_call call;
    (void)state;
    purse_init(&purse, 1);
    policy.budget = &purse.budget;
    policy.max_retries = 1;
    policy.max_elapsed_ms = 2000;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    /* No retry left, no time left, no token left. */
    assert_step(redial_next(&call, redial_disconnected(1, 60000), 61000, 0), REDIAL_RETRY, 1000);
    assert_purse(&purse, 0, 2, 1);
    assert_int_equal(redial_timeout_ms(&call, 61000), 2000);
    assert_step(redial_next(&call, redial_disconnected(1, 59999), 62000, 0), REDIAL_EXHAUSTED, 0);
    assert_purse(&purse, 0, 2, 1);
}

static void a_fresh_start_that_is_refused_has_started_all_the_same(void **state)
{
    struct redial_policy policy = reconnecting();
    struct purse purse;
    struct redial_call call;
    (void)state;
    purse_init(&purse, 5);
    policy.budget = &purse.budget;
    policy.max_elapsed_ms = 10000;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_retry(1), 1000, 0), REDIAL_RETRY, 2000);
    assert_step(redial_next(&call, outcome_of(REDIAL_KIND_RETRY, 1, 300001, 60000), 63000, 0), REDIAL_WAIT_TOO_LONG, 300001);
    assert_purse(&purse, 4, 2, 1);
    assert_int_equal(redial_timeout_ms(&call, 63000), 10000);
    assert_step(redial_next(&call, redial_retry(1), 63000, 0), REDIAL_RETRY, 1000);
}

static void what_one_outage_takes_is_all_that_the_limit_counts(void **state)
{
    struct redial_policy policy = reconnecting();
    struct redial_call call;
    uint32_t now_ms = 0;
    unsigned outage;
    (void)state;
    policy.max_elapsed_ms = 8000;
    call = begun(&policy, 0);
    for (outage = 0; outage < 20; outage++) {
        now_ms += 60000;
        assert_step(redial_next(&call, redial_disconnected(1, 60000), now_ms, 0), REDIAL_RETRY, 1000);
        assert_step(redial_next(&call, redial_retry(1), now_ms + 1000, 0), REDIAL_RETRY, 2000);
        assert_step(redial_next(&call, redial_retry(1), now_ms + 3000, 0), REDIAL_RETRY, 4000);
        assert_step(redial_next(&call, redial_retry(1), now_ms + 7000, 0), REDIAL_TIMED_OUT, 8000);
        now_ms += 7000;
    }
}

static void an_attempt_that_hangs_is_not_steady(void **state)
{
    struct redial_policy policy = reconnecting();
    struct redial_call call = begun(&policy, 0);
    uint32_t now_ms = 0;
    unsigned retry;
    (void)state;
    for (retry = 0; retry < 5; retry++) {
        now_ms += 120000;   /* a connect that hangs for two minutes */
        assert_step(redial_next(&call, redial_retry(1), now_ms, 0), REDIAL_RETRY, wide_delay(1000, 32000, retry, 0));
    }
    assert_step(redial_next(&call, redial_retry(1), now_ms + 120000, 0), REDIAL_EXHAUSTED, 0);
}

static void flapping_keeps_the_backoff_growing(void **state)
{
    struct redial_policy policy = reconnecting();
    struct redial_call call;
    unsigned retry;
    (void)state;
    policy.max_retries = REDIAL_NO_LIMIT;
    call = begun(&policy, 0);
    for (retry = 0; retry < 40; retry++)
        assert_step(redial_next(&call, redial_disconnected(1, 59999), 0, 0), REDIAL_RETRY, wide_delay(1000, 32000, retry, 0));
}

static void every_outcome_worth_a_retry_may_be_steady_and_no_other(void **state)
{
    struct redial_policy policy = reconnecting();
    struct purse purse;
    struct redial_call call;
    (void)state;
    purse_init(&purse, 5);
    policy.budget = &purse.budget;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, outcome_of(REDIAL_KIND_FAIL, 1, 0, 60000), 0, 0), REDIAL_FAILED, 0);
    assert_step(redial_next(&call, outcome_of(REDIAL_KIND_HTTP, 404, 0, 60000), 0, 0), REDIAL_FAILED, 0);
    assert_purse(&purse, 4, 1, 0);
    assert_step(redial_next(&call, outcome_of(REDIAL_KIND_DONE, 0, 0, 60000), 0, 0), REDIAL_DONE, 0);
    assert_purse(&purse, 5, 1, 1);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 2000);
    assert_step(redial_next(&call, outcome_of(REDIAL_KIND_HTTP, 503, 0, 60000), 0, 0), REDIAL_RETRY, 1000);
    assert_purse(&purse, 4, 3, 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_time_starts_the_backoff_afresh_and_1_ms_less_does_not),
        cmocka_unit_test(steady_ms_0_means_never),
        cmocka_unit_test(a_fresh_start_comes_before_every_reason_to_refuse),
        cmocka_unit_test(a_fresh_start_that_is_refused_has_started_all_the_same),
        cmocka_unit_test(what_one_outage_takes_is_all_that_the_limit_counts),
        cmocka_unit_test(an_attempt_that_hangs_is_not_steady),
        cmocka_unit_test(flapping_keeps_the_backoff_growing),
        cmocka_unit_test(every_outcome_worth_a_retry_may_be_steady_and_no_other)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
