/* Which policies are valid, src/policy.c. SPDX-License-Identifier: MIT */
#include "support.h"

#define UNKNOWN 5   /* the first value that is no jitter mode */

static void assert_default(const struct redial_policy *policy)
{
    assert_int_equal(policy->base_ms, 1000);
    assert_int_equal(policy->cap_ms, 32000);
    assert_int_equal(policy->jitter_ms, 1000);
    assert_int_equal(policy->max_retries, 5);
    assert_int_equal(policy->max_elapsed_ms, 0);
    assert_int_equal(policy->max_retry_after_ms, 0);
    assert_int_equal(policy->attempt_ms, 0);
    assert_int_equal(policy->min_uptime_ms, 0);
    assert_int_equal(policy->jitter, REDIAL_JITTER_ADDED);
    assert_true(!policy->retryable && !policy->user && !policy->budget && !policy->gate);
    assert_int_equal(redial_policy_check(policy), REDIAL_POLICY_OK);
}

TEST(the_default_is_the_documented_algorithm_as_four_fields_an_initialiser_and_a_value)
{
    static const struct redial_policy initialised = REDIAL_POLICY_DEFAULT;
    const struct redial_policy first_four = { .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000, .max_retries = 5 };
    struct redial_policy value;
    poison(&value, sizeof value);
    value = redial_policy_default();
    assert_default(&initialised);
    assert_default(&first_four);
    assert_default(&value);
}

/* A row with several errors shows which one comes first. */
TEST(each_error_begins_right_past_its_limit_and_the_first_one_is_returned)
{
    static const struct {
        uint32_t base_ms, cap_ms, jitter_ms;
        int jitter;
        enum redial_policy_error error;
    } rows[] = {
        { 1, 1, 1, REDIAL_JITTER_ADDED, REDIAL_POLICY_OK },
        { 1, 1, 1000, REDIAL_JITTER_SPREAD, REDIAL_POLICY_OK },   /* a jitter_ms above cap_ms does no harm */
        { UINT32_MAX, UINT32_MAX, 0, REDIAL_JITTER_EQUAL, REDIAL_POLICY_OK },
        { 1000, 1000, 0, REDIAL_JITTER_FULL, REDIAL_POLICY_OK },
        { 1000, 1000, 0, REDIAL_JITTER_NONE, REDIAL_POLICY_OK },
        { 0, 0, 0, 0, REDIAL_POLICY_BASE_ZERO },   /* a zeroed policy */
        { 0, 0, 1001, UNKNOWN, REDIAL_POLICY_BASE_ZERO },
        { 1000, 999, 1, 0, REDIAL_POLICY_CAP_BELOW_BASE },
        { UINT32_MAX, UINT32_MAX - 1, 0, 0, REDIAL_POLICY_CAP_BELOW_BASE },
        { 2, 1, 1001, UNKNOWN, REDIAL_POLICY_CAP_BELOW_BASE },
        { 1, 1, 1001, REDIAL_JITTER_NONE, REDIAL_POLICY_JITTER_TOO_LONG },
        { 1, 2, 1001, UNKNOWN, REDIAL_POLICY_JITTER_TOO_LONG },
        { 1, 1, UINT32_MAX, 0, REDIAL_POLICY_JITTER_TOO_LONG },
        { 1, 1, 0, UNKNOWN, REDIAL_POLICY_JITTER_UNKNOWN },
        { 1, 1, 1, -1, REDIAL_POLICY_JITTER_UNKNOWN },
        { 1, 1, 0, REDIAL_JITTER_ADDED, REDIAL_POLICY_JITTER_ZERO },
        { 1, 1, 0, REDIAL_JITTER_SPREAD, REDIAL_POLICY_JITTER_ZERO },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        enum redial_policy_error error;
        policy.base_ms = rows[i].base_ms;
        policy.cap_ms = rows[i].cap_ms;
        policy.jitter_ms = rows[i].jitter_ms;
        policy.jitter = (enum redial_jitter)rows[i].jitter;
        error = redial_policy_check(&policy);
        if (error != rows[i].error)
            fail_msg("row %u: error %d, not %d", (unsigned)i, (int)error, (int)rows[i].error);
    }
    assert_int_equal(redial_policy_check(NULL), REDIAL_POLICY_NULL);
}

int main(void)
{
    return run_all();
}
