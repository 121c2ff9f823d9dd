/* The decision: why a retry is refused, which reason comes first, and what a refusal leaves untouched.
   SPDX-License-Identifier: MIT */
#include "decision.h"

/* ---- which reason comes first ---- */

enum { USED_UP = 1, TOO_LONG = 2, TOO_LATE = 4, NO_TOKEN = 8, ALL = 16 };

/* With each of the four reasons to refuse present or not; the wait of our own is 1000 ms. */
static struct redial_step refused(unsigned reasons, struct purse *purse)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    purse_init(purse, reasons & NO_TOKEN ? 0 : 1);
    policy.budget = &purse->budget;
    policy.max_retries = reasons & USED_UP ? 0 : 1;
    policy.max_elapsed_ms = reasons & TOO_LATE ? 1000 : 1001;
    policy.max_retry_after_ms = reasons & TOO_LONG ? 499 : 500;
    call = begun(&policy, 0);
    return redial_next(&call, again_after(500), 0, HIGHEST);
}

static void reasons_to_refuse_have_their_order(void **state)
{
    unsigned reasons;
    (void)state;
    for (reasons = 0; reasons < ALL; reasons++) {
        struct purse purse;
        struct redial_step step = refused(reasons, &purse);
        if (reasons & USED_UP)
            assert_step(step, REDIAL_EXHAUSTED, 0);
        else if (reasons & TOO_LONG)
            assert_step(step, REDIAL_WAIT_TOO_LONG, 500);
        else if (reasons & TOO_LATE)
            assert_step(step, REDIAL_TIMED_OUT, 1000);
        else if (reasons & NO_TOKEN)
            assert_step(step, REDIAL_BUDGET_EMPTY, 1000);
        else
            assert_step(step, REDIAL_RETRY, 1000);
    }
}

static void only_a_granted_retry_costs_a_token(void **state)
{
    unsigned reasons;
    (void)state;
    for (reasons = 0; reasons < ALL; reasons++) {
        struct purse purse;
        unsigned long asked = reasons & (USED_UP | TOO_LONG | TOO_LATE) ? 0 : 1;
        unsigned long had = reasons & NO_TOKEN ? 0 : 1;
        refused(reasons, &purse);
        assert_purse(&purse, had && asked ? 0 : had, asked, 0);
    }
}

/* ---- a refusal leaves everything as it was ---- */

/* This outcome under this policy, in the middle of a call that goes on under another: what follows must not show it. */
static void assert_goes_on(struct redial_policy *policy, struct redial_outcome outcome, enum redial_verdict verdict,
                           uint32_t delay_ms)
{
    struct redial_policy generous = plain_policy();
    struct redial_call call;
    generous.max_retries = 3;
    call = begun(&generous, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    call.policy = policy;
    assert_step(redial_next(&call, outcome, 0, 0), verdict, delay_ms);
    assert_step(redial_next(&call, outcome, 0, 0), verdict, delay_ms);
    call.policy = &generous;
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 2000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 4000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_EXHAUSTED, 0);
}

static void after_exhausted_a_call_may_go_on(void **state)
{
    struct redial_policy policy = plain_policy();
    (void)state;
    policy.max_retries = 1;
    assert_goes_on(&policy, redial_retry(1), REDIAL_EXHAUSTED, 0);
}

static void after_deferred_a_call_may_go_on(void **state)
{
    struct redial_policy policy = plain_policy();
    (void)state;
    assert_goes_on(&policy, again_after(300001), REDIAL_WAIT_TOO_LONG, 300001);
}

static void after_timed_out_a_call_may_go_on(void **state)
{
    struct redial_policy policy = plain_policy();
    (void)state;
    policy.max_elapsed_ms = 1;
    assert_goes_on(&policy, redial_retry(1), REDIAL_TIMED_OUT, 2000);
}

static void after_throttled_a_call_may_go_on(void **state)
{
    struct redial_policy policy = plain_policy();
    struct purse purse;
    (void)state;
    purse_init(&purse, 0);
    policy.budget = &purse.budget;
    assert_goes_on(&policy, redial_retry(1), REDIAL_BUDGET_EMPTY, 2000);
}

static void after_stopped_a_call_may_go_on(void **state)
{
    struct redial_policy policy = plain_policy();
    (void)state;
    assert_goes_on(&policy, redial_fail(1), REDIAL_FAILED, 0);
    assert_goes_on(&policy, redial_http(404, 9), REDIAL_FAILED, 0);
}

static void after_done_a_call_may_go_on(void **state)
{
    struct redial_policy policy = plain_policy();
    (void)state;
    assert_goes_on(&policy, redial_done(), REDIAL_DONE, 0);
}

/* Two halves of a gap that as a whole is a clock stepped back: what is counted at the first half shows. */
static uint32_t counted_by(struct redial_outcome outcome)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    policy.max_elapsed_ms = UINT32_MAX;
    policy.max_retries = 0;
    call = begun(&policy, 0);
    redial_next(&call, outcome, UINT32_C(1) << 30, 0);
    redial_next(&call, redial_retry(1), UINT32_C(1) << 31, 0);
    return UINT32_MAX - redial_timeout_ms(&call, UINT32_C(1) << 31);
}

static void only_an_outcome_worth_a_retry_counts_the_time(void **state)
{
    (void)state;
    assert_int_equal(counted_by(redial_retry(1)), UINT32_C(1) << 31);
    assert_int_equal(counted_by(redial_http(503, 0)), UINT32_C(1) << 31);
    assert_int_equal(counted_by(redial_fail(1)), 0);
    assert_int_equal(counted_by(redial_http(404, 0)), 0);
    assert_int_equal(counted_by(outcome_of((enum redial_kind)0, 0, 0, 0)), 0);
}

/* ---- the budget ---- */

static void a_success_earns_once_and_a_stop_never(void **state)
{
    struct redial_policy policy = plain_policy();
    struct purse purse;
    struct redial_call call;
    (void)state;
    purse_init(&purse, 0);
    policy.budget = &purse.budget;
    policy.min_uptime_ms = 1;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_fail(1), 0, HIGHEST), REDIAL_FAILED, 0);
    assert_step(redial_next(&call, redial_http(404, 7), 0, HIGHEST), REDIAL_FAILED, 0);
    assert_step(redial_next(&call, outcome_of(REDIAL_KIND_FAIL, 1, 7, 7), 0, HIGHEST), REDIAL_FAILED, 0);
    assert_purse(&purse, 0, 0, 0);
    assert_step(redial_next(&call, redial_done(), 0, HIGHEST), REDIAL_DONE, 0);
    assert_purse(&purse, 1, 0, 1);
    assert_step(redial_next(&call, redial_http(200, 7), 0, HIGHEST), REDIAL_DONE, 0);
    assert_purse(&purse, 2, 0, 2);
    assert_step(redial_next(&call, outcome_of(REDIAL_KIND_DONE, 0, 7, 7), 0, HIGHEST), REDIAL_DONE, 0);
    assert_purse(&purse, 3, 0, 3);
}

static void no_token_means_throttled_until_a_success(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_budget budget;
    struct redial_call call;
    (void)state;
    poison(&budget, sizeof budget);
    redial_budget_init(&budget, 2, 50);
    policy.budget = &budget;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 2000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_BUDGET_EMPTY, 4000);
    assert_int_equal(redial_budget_tokens(&budget), 0);
    assert_step(redial_next(&call, redial_done(), 0, 0), REDIAL_DONE, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_BUDGET_EMPTY, 4000);
    assert_step(redial_next(&call, redial_done(), 0, 0), REDIAL_DONE, 0);
    assert_int_equal(redial_budget_tokens(&budget), 1);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 4000);
}

static void a_zeroed_budget_is_empty_for_good(void **state)
{
    static struct redial_budget budget;
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    (void)state;
    policy.budget = &budget;
    policy.min_uptime_ms = 10;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_done(), 0, 0), REDIAL_DONE, 0);
    assert_step(redial_next(&call, redial_disconnected(1, 10), 0, 0), REDIAL_BUDGET_EMPTY, 1000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_BUDGET_EMPTY, 1000);
}

static void a_budget_binds_only_the_calls_that_have_it(void **state)
{
    struct redial_policy dead = plain_policy(), alive = plain_policy(), unbound = plain_policy();
    struct redial_budget empty, full;
    struct redial_call one, two, three;
    (void)state;
    redial_budget_init(&empty, 0, 0);
    redial_budget_init(&full, 1, 0);
    dead.budget = &empty;
    alive.budget = &full;
    one = begun(&dead, 0);
    two = begun(&alive, 0);
    three = begun(&unbound, 0);
    assert_step(redial_next(&one, redial_retry(1), 0, 0), REDIAL_BUDGET_EMPTY, 1000);
    assert_step(redial_next(&two, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&three, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons_to_refuse_have_their_order),
        cmocka_unit_test(only_a_granted_retry_costs_a_token),
        cmocka_unit_test(after_exhausted_a_call_may_go_on),
        cmocka_unit_test(after_deferred_a_call_may_go_on),
        cmocka_unit_test(after_timed_out_a_call_may_go_on),
        cmocka_unit_test(after_throttled_a_call_may_go_on),
        cmocka_unit_test(after_stopped_a_call_may_go_on),
        cmocka_unit_test(after_done_a_call_may_go_on),
        cmocka_unit_test(only_an_outcome_worth_a_retry_counts_the_time),
        cmocka_unit_test(a_success_earns_once_and_a_stop_never),
        cmocka_unit_test(no_token_means_throttled_until_a_success),
        cmocka_unit_test(a_zeroed_budget_is_empty_for_good),
        cmocka_unit_test(a_budget_binds_only_the_calls_that_have_it)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
