/* Which policies are valid, src/policy.c, and the texts for those that are not, src/names.c.
   SPDX-License-Identifier: MIT */
#include "../common/support.h"

#define UNKNOWN 4 /* the first value that is no jitter mode */

#define BASE "base_ms must be at least 1"
#define CAP "cap_ms must not be less than base_ms"
#define JITTER_MS "jitter_ms must be at most 1000"
#define JITTER "jitter must be REDIAL_JITTER_ADDED, _WIDE, _FULL or _NONE"
#define MIN_ATTEMPT "min_attempt_ms must not be more than attempt_ms"

TEST(four_fields_are_the_default_and_the_documented_algorithm)
{
    static const struct redial_policy initialised = REDIAL_POLICY_DEFAULT, four = {
        .base_ms = 1000, .cap_ms = 32000, .jitter = REDIAL_JITTER_ADDED, .max_retries = 5
    };
    assert_memory_equal(&initialised, &four, sizeof four);   /* jitter_ms is 0, for a second */
    assert_null(redial_policy_error(&four));
}

/* A row with several errors shows which one comes first. */
TEST(an_error_begins_right_past_its_limit_and_the_first_one_is_named)
{
    static const struct {
        uint32_t base_ms, cap_ms, jitter_ms;
        int jitter;
        uint32_t attempt_ms, min_attempt_ms;
        const char *error;
    } rows[] = {
        { 1, 1, 1, REDIAL_JITTER_ADDED, 0, 0, NULL },
        { 1, 1, 1000, REDIAL_JITTER_ADDED, 0, 0, NULL }, /* a jitter_ms above cap_ms does no harm */
        { UINT32_MAX, UINT32_MAX, 0, REDIAL_JITTER_WIDE, 0, 0, NULL },
        { 1000, 1000, 0, REDIAL_JITTER_NONE, 0, 0, NULL },
        { 1, 1, 1, REDIAL_JITTER_ADDED, 0, UINT32_MAX, NULL }, /* no timeout of an attempt */
        { 1, 1, 1, REDIAL_JITTER_ADDED, 1, 1, NULL },
        { 1, 1, 1, REDIAL_JITTER_ADDED, UINT32_MAX - 1, UINT32_MAX - 1, NULL },
        { 0, 0, 0, 0, 0, 0, BASE }, /* a zero-initialised policy */
        { 0, 0, 1001, UNKNOWN, 1, 2, BASE },
        { 1000, 999, 1, 0, 0, 0, CAP },
        { 2, 1, 1001, UNKNOWN, 1, 2, CAP },
        { 1, 2, 1001, UNKNOWN, 1, 2, JITTER_MS },
        { 1, 1, UINT32_MAX, 0, 0, 0, JITTER_MS },
        { 1, 1, 0, UNKNOWN, 1, 2, JITTER },
        { 1, 1, 1, -1, 0, 0, JITTER },
        { 1, 1, 0, REDIAL_JITTER_WIDE, 1, 2, MIN_ATTEMPT },
        { 1, 1, 1, REDIAL_JITTER_ADDED, UINT32_MAX - 1, UINT32_MAX, MIN_ATTEMPT },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        struct redial_call call;
        const char *error;
        policy.base_ms = rows[i].base_ms;
        policy.cap_ms = rows[i].cap_ms;
        policy.jitter_ms = rows[i].jitter_ms;
        policy.jitter = (enum redial_jitter)rows[i].jitter;
        policy.attempt_ms = rows[i].attempt_ms;
        policy.max_elapsed_ms = 1; /* it does not matter */
        policy.min_attempt_ms = rows[i].min_attempt_ms;
        error = redial_policy_error(&policy);
        if (!error != !rows[i].error
            || (error && strncmp(error, rows[i].error, strlen(rows[i].error))))
            fail_msg("row %u: %s", (unsigned)i, error ? error : "valid");
        assert_int_equal(redial_begin(&call, &policy, 0), !error);
    }
    assert_string_equal(redial_policy_error(NULL), "the policy must not be NULL");
}

TEST(any_two_settings_become_valid_waits_and_no_other_field_changes)
{
    static const int64_t power_32 = INT64_C(1) << 32;
    const struct {
        int64_t base, cap;
        uint32_t base_ms, cap_ms;
    } rows[] = {
        { 1000, 32000, 1000, 32000 },
        { 0, 0, 1, 1 },
        { -1, -1, 1, 1 },
        { 60000, 59999, 60000, 60000 },
        { 60000, 60001, 60000, 60001 },
        { 60000, INT64_MIN, 60000, 60000 },
        { 5, power_32 - 2, 5, UINT32_MAX - 1 },
        { 5, power_32 - 1, 5, UINT32_MAX },
        { 5, INT64_MAX, 5, UINT32_MAX },
        { power_32 - 2, 1, UINT32_MAX - 1, UINT32_MAX - 1 },
        { power_32, 1, UINT32_MAX, UINT32_MAX },
        { power_32 + 7, power_32 + 5, UINT32_MAX, UINT32_MAX },
        { INT64_MAX, INT64_MAX, UINT32_MAX, UINT32_MAX },
        { INT64_MIN, INT64_MAX, 1, UINT32_MAX },
        { 7 - power_32, 9 - power_32, 1, 1 }, /* the low half alone would be valid */
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct redial_policy policy = REDIAL_POLICY_DEFAULT, any, expected;
        redial_policy_waits(&policy, rows[i].base, rows[i].cap);
        if (policy.base_ms != rows[i].base_ms || policy.cap_ms != rows[i].cap_ms)
            fail_msg("row %u: base_ms %lu, cap_ms %lu", (unsigned)i, (unsigned long)policy.base_ms,
                     (unsigned long)policy.cap_ms);
        assert_null(redial_policy_error(&policy));
        poison(&any, sizeof any);
        poison(&expected, sizeof expected);
        any.jitter = expected.jitter = (enum redial_jitter)(i % (REDIAL_JITTER_NONE + 1));
        expected.base_ms = rows[i].base_ms;
        expected.cap_ms = rows[i].cap_ms;
        redial_policy_waits(&any, rows[i].base, rows[i].cap);
        assert_memory_equal(&any, &expected, sizeof any);
    }
}

/* A call with the policy has the timeout, its elapsed_ms being 0. */
static uint32_t timeout_of(const struct redial_policy *policy)
{
    struct redial_call call;
    assert_null(redial_policy_error(policy));
    assert_true(redial_begin(&call, policy, 0));
    return redial_ready(&call, 0).timeout_ms;
}

/* The policy after a deadline, which has changed nothing else. */
static struct redial_policy limited(struct redial_policy policy, uint32_t now_ms,
                                    uint32_t deadline_ms, bool passed)
{
    struct redial_policy before = policy;
    redial_policy_deadline(&policy, now_ms, deadline_ms);
    before.max_elapsed_ms = policy.max_elapsed_ms;
    if (passed) {
        before.attempt_ms = before.attempt_ms == 1 ? 2 : before.attempt_ms;
        before.min_attempt_ms = before.min_attempt_ms > 2 ? before.min_attempt_ms : 2;
    }
    assert_memory_equal(&policy, &before, sizeof policy);
    return policy;
}

TEST(a_deadline_only_lowers_the_limit_and_leaves_no_attempt_once_it_has_passed)
{
    enum { HALF = INT32_MAX };   /* 2^31 - 1: the furthest deadline that is ahead */
    const struct {
        uint32_t max_elapsed_ms, attempt_ms, min_attempt_ms, left_ms, limit_ms, timeout_ms;
    } rows[] = {
        { 0, 0, 0, 1, 1, 1 },
        { 0, 0, 0, HALF, HALF, HALF },
        { 0, 0, 0, HALF + 1u, 1, 0 },
        { 0, 0, 0, UINT32_MAX - 1, 1, 0 },
        { 0, 0, 0, UINT32_MAX, 1, 0 },
        { REDIAL_NO_LIMIT, 0, 0, 7000, 7000, 7000 },
        { 700, 0, 0, 1728000000, 700, 700 },   /* a deadline in 20 days */
        { 7000, 0, 0, 7001, 7000, 7000 },
        { 7000, 0, 0, 7000, 7000, 7000 },
        { 7000, 0, 0, 6999, 6999, 6999 },
        { 0, 500, 0, 7000, 7000, 500 },
        { 0, 500, 500, 499, 499, 0 },
        { 0, 0, 0, 0, 1, 0 },
        { 60000, 0, 0, 0, 1, 0 },
        { 60000, 0, 0, UINT32_MAX - 4, 1, 0 },   /* 5 ms ago */
        { 0, 1, 0, 0, 1, 0 },
        { 0, 1, 1, UINT32_MAX, 1, 0 },
        { 0, 0, UINT32_MAX, 0, 1, 0 },
    };
    static const uint32_t nows[] = { 0, 1, 5000, UINT32_MAX - 3, UINT32_MAX };
    for (size_t i = 0; i < LENGTH(rows) * LENGTH(nows); i++) {
        uint32_t now_ms = nows[i % LENGTH(nows)];
        uint32_t left_ms = rows[i / LENGTH(nows)].left_ms;
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        policy.max_elapsed_ms = rows[i / LENGTH(nows)].max_elapsed_ms;
        policy.attempt_ms = rows[i / LENGTH(nows)].attempt_ms;
        policy.min_attempt_ms = rows[i / LENGTH(nows)].min_attempt_ms;
        policy.jitter = (enum redial_jitter)(i % (REDIAL_JITTER_NONE + 1));
        policy = limited(policy, now_ms, now_ms + left_ms, left_ms == 0 || left_ms > HALF);
        if (policy.max_elapsed_ms != rows[i / LENGTH(nows)].limit_ms
            || timeout_of(&policy) != rows[i / LENGTH(nows)].timeout_ms)
            fail_msg("row %u: %lu ms, %lu ms", (unsigned)(i / LENGTH(nows)),
                     (unsigned long)policy.max_elapsed_ms, (unsigned long)timeout_of(&policy));
    }
}

int main(void)
{
    return run_all();
}
