/* The decision: why a retry is refused, which reason comes first, and what a refusal leaves untouched.
   SPDX-License-Identifier: MIT */
#include "decision.h"

/* ---- which reason comes first ---- */

enum { USED_UP = 1, TOO_LONG = 2, TOO_LATE = 4, NO_TOKEN = 8, ALL = 16 };

static const enum redial_kind kinds[] = { REDIAL_KIND_RETRY, REDIAL_KIND_PENDING, REDIAL_KIND_POSTPONED };

/* With each of the four reasons to refuse present or not. The server asks for 600 ms. */
static struct redial_step decided(unsigned reasons, enum redial_kind kind, struct counting_budget *counting)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    counting_budget_init(counting, reasons & NO_TOKEN ? 0 : 1, &policy);
    policy.max_retries = reasons & USED_UP ? 0 : 1;
    policy.max_elapsed_ms = reasons & TOO_LATE ? 600 : 601;
    policy.max_retry_after_ms = reasons & TOO_LONG ? 599 : 600;
    call = begun(&policy, 0);
    return redial_next(&call, outcome_of(kind, 429, 600, 0), 0, HIGHEST);
}

TEST(refusals_come_in_the_documented_order_and_two_of_them_are_for_retries_alone)
{
    for (unsigned reasons = 0; reasons < ALL; reasons++)
        for (unsigned k = 0; k < LENGTH(kinds); k++) {
            bool retry = kinds[k] == REDIAL_KIND_RETRY;
            struct counting_budget counting;
            struct redial_step step = decided(reasons, kinds[k], &counting);
            if (retry && reasons & USED_UP)
                assert_step(step, REDIAL_EXHAUSTED, 0);
            else if (reasons & TOO_LONG)
                assert_step(step, REDIAL_WAIT_TOO_LONG, 600);
            else if (reasons & TOO_LATE)
                assert_step(step, REDIAL_TIMED_OUT, 600);
            else if (retry && reasons & NO_TOKEN)
                assert_step(step, REDIAL_BUDGET_EMPTY, 600);
            else
                assert_step(step, REDIAL_RETRY, 600);
        }
}

TEST(only_a_granted_retry_takes_a_token_and_only_a_poll_earns_one)
{
    for (unsigned reasons = 0; reasons < ALL; reasons++)
        for (unsigned k = 0; k < LENGTH(kinds); k++) {
            bool asks = kinds[k] == REDIAL_KIND_RETRY && !(reasons & (USED_UP | TOO_LONG | TOO_LATE));
            unsigned long had = reasons & NO_TOKEN ? 0 : 1, earned = kinds[k] == REDIAL_KIND_PENDING;
            struct counting_budget counting;
            decided(reasons, kinds[k], &counting);
            assert_counts(&counting, (asks ? 0 : had) + earned, asks, earned);
        }
}

/* ---- a verdict other than RETRY leaves everything as it was ---- */

TEST(after_any_other_verdict_a_call_goes_on_unchanged)
{
    struct redial_policy generous = plain_policy(), strict = plain_policy();
    struct redial_budget empty;
    const struct {
        struct redial_outcome outcome;
        uint32_t max_retries, max_elapsed_ms;
        struct redial_budget *budget;
        enum redial_verdict verdict;
        uint32_t delay_ms;
    } table[] = {
        { redial_done(), 5, 0, NULL, REDIAL_DONE, 0 },
        { redial_http(204, 9), 5, 0, NULL, REDIAL_DONE, 0 },
        { redial_fail(1), 5, 0, NULL, REDIAL_FAILED, 0 },
        { redial_http(404, 9), 5, 0, NULL, REDIAL_FAILED, 0 },
        { outcome_of(REDIAL_KIND_INVALID, 0, 9, 9), 5, 0, NULL, REDIAL_INVALID, 0 },
        { redial_retry(1), 2, 0, NULL, REDIAL_EXHAUSTED, 0 },
        { redial_retry_after(1, 300001), 5, 0, NULL, REDIAL_WAIT_TOO_LONG, 300001 },
        { redial_postponed(300001), 5, 0, NULL, REDIAL_WAIT_TOO_LONG, 300001 },
        { redial_retry(1), 5, 4000, NULL, REDIAL_TIMED_OUT, 4000 },
        { redial_postponed(0), 5, 1000, NULL, REDIAL_TIMED_OUT, 1000 },
        { redial_retry(1), 5, 0, &empty, REDIAL_BUDGET_EMPTY, 4000 },
        { redial_retry_after(1, 9000), 5, 0, &empty, REDIAL_BUDGET_EMPTY, 9000 }
    };
    struct redial_call call = begun(&generous, 0);
    redial_budget_init(&empty, 0, 0);
    assert_next(&call, redial_pending(0), REDIAL_RETRY, 1000);
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 1000);
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 2000);
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_call before = call;
        strict.max_retries = table[i].max_retries;
        strict.max_elapsed_ms = table[i].max_elapsed_ms;
        strict.budget = table[i].budget;
        call.policy = &strict;
        assert_next(&call, table[i].outcome, table[i].verdict, table[i].delay_ms);
        call.policy = &generous;
        assert_memory_equal(&call, &before, sizeof call);
    }
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 4000);
    assert_next(&call, redial_pending(0), REDIAL_RETRY, 2000);
}

TEST(an_unknown_kind_is_invalid_and_changes_nothing)
{
    static const int unknown[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 22, 255, -1 };
    struct redial_policy policy = plain_policy();
    struct counting_budget counting;
    struct redial_call call;
    counting_budget_init(&counting, 3, &policy);
    policy.min_uptime_ms = 1;
    call = begun(&policy, 0);
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 1000);
    for (unsigned i = 0; i < LENGTH(unknown); i++) {
        struct redial_outcome outcome = outcome_of((enum redial_kind)unknown[i], 503, 60000, 60000);
        struct redial_call before = call;
        assert_step(redial_next(&call, outcome, 50, HIGHEST), REDIAL_INVALID, 0);
        assert_int_equal(redial_classify(&policy, outcome), REDIAL_KIND_INVALID);
        assert_memory_equal(&call, &before, sizeof call);
    }
    assert_counts(&counting, 2, 1, 0);
}

/* 2^31 ms in one step count as a clock that stepped back. In two steps they count, if the outcome counts the first. */
TEST(only_outcomes_that_wait_count_the_elapsed_time_even_when_they_are_refused)
{
    const struct { struct redial_outcome outcome; bool counts; } table[] = {
        { redial_retry(1), true }, { redial_http(503, 0), true }, { redial_retry_after(1, UINT32_MAX), true },
        { redial_pending(0), true }, { redial_pending(UINT32_MAX), true }, { redial_postponed(9), true },
        { redial_postponed(UINT32_MAX), true }, { redial_fail(1), false }, { redial_http(404, 0), false },
        { redial_done(), false }, { redial_http(200, 0), false }, { outcome_of(REDIAL_KIND_INVALID, 0, 0, 0), false }
    };
    struct redial_policy policy = plain_policy();
    policy.max_retries = 0;
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_call call = begun(&policy, 0);
        redial_next(&call, table[i].outcome, UINT32_C(1) << 30, 0);
        assert_int_equal(redial_elapsed_ms(&call, UINT32_C(1) << 31), table[i].counts ? UINT32_C(1) << 31 : 0);
    }
}

/* ---- the budget ---- */

TEST(a_success_earns_once_and_a_failure_never)
{
    struct redial_policy policy = plain_policy();
    struct counting_budget counting;
    struct redial_call call;
    counting_budget_init(&counting, 0, &policy);
    policy.min_uptime_ms = 1;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_fail(1), 0, HIGHEST), REDIAL_FAILED, 0);
    assert_step(redial_next(&call, redial_http(404, 7), 0, HIGHEST), REDIAL_FAILED, 0);
    assert_step(redial_next(&call, outcome_of(REDIAL_KIND_FAIL, 1, 7, 7), 0, HIGHEST), REDIAL_FAILED, 0);
    assert_counts(&counting, 0, 0, 0);
    assert_step(redial_next(&call, redial_done(), 0, HIGHEST), REDIAL_DONE, 0);
    assert_counts(&counting, 1, 0, 1);
    assert_step(redial_next(&call, redial_http(200, 7), 0, HIGHEST), REDIAL_DONE, 0);
    assert_counts(&counting, 2, 0, 2);
    assert_step(redial_next(&call, outcome_of(REDIAL_KIND_DONE, 0, 7, 7), 0, HIGHEST), REDIAL_DONE, 0);
    assert_counts(&counting, 3, 0, 3);
}

TEST(without_a_token_no_retry_is_granted_until_successes_earn_one)
{
    struct redial_policy policy = plain_policy();
    struct redial_budget budget;
    struct redial_call call;
    poison(&budget, sizeof budget);
    redial_budget_init(&budget, 2, 50);
    policy.budget = &budget;
    call = begun(&policy, 0);
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 1000);
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 2000);
    assert_next(&call, redial_retry(1), REDIAL_BUDGET_EMPTY, 4000);
    assert_int_equal(redial_budget_tokens(&budget), 0);
    assert_next(&call, redial_done(), REDIAL_DONE, 0);
    assert_next(&call, redial_retry(1), REDIAL_BUDGET_EMPTY, 4000);
    assert_next(&call, redial_done(), REDIAL_DONE, 0);
    assert_int_equal(redial_budget_tokens(&budget), 1);
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 4000);
}

TEST(a_zeroed_budget_never_grants_a_retry)
{
    static struct redial_budget budget;
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    policy.budget = &budget;
    policy.min_uptime_ms = 10;
    call = begun(&policy, 0);
    assert_next(&call, redial_done(), REDIAL_DONE, 0);
    assert_next(&call, redial_pending(0), REDIAL_RETRY, 1000);
    assert_next(&call, redial_disconnected(1, 10), REDIAL_BUDGET_EMPTY, 1000);
    assert_next(&call, redial_retry(1), REDIAL_BUDGET_EMPTY, 1000);
}

TEST(a_budget_limits_only_the_calls_that_use_it)
{
    struct redial_policy dead = plain_policy(), alive = plain_policy(), unbound = plain_policy();
    struct redial_budget empty, full;
    struct redial_call one, two, three;
    redial_budget_init(&empty, 0, 0);
    redial_budget_init(&full, 1, 0);
    dead.budget = &empty;
    alive.budget = &full;
    one = begun(&dead, 0);
    two = begun(&alive, 0);
    three = begun(&unbound, 0);
    assert_next(&one, redial_retry(1), REDIAL_BUDGET_EMPTY, 1000);
    assert_next(&two, redial_retry(1), REDIAL_RETRY, 1000);
    assert_next(&three, redial_retry(1), REDIAL_RETRY, 1000);
}

int main(void)
{
    return run_all();
}
