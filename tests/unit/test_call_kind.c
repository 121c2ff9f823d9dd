/* The decision: what an outcome is taken for. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "decision.h"

/* A `retryable` that retries only 403. It records what it is asked in a static, because policy.user is const. */
static struct {
    int statuses[16];
    unsigned count;
} asked;

static bool only_403(const void *user, int status)
{
    assert_ptr_equal(user, &asked);
    assert_true(asked.count < LENGTH(asked.statuses));
    asked.statuses[asked.count++] = status;
    return status == 403;
}

static struct redial_policy asking_policy(void)
{
    struct redial_policy policy = plain_policy();
    policy.retryable = only_403;
    policy.user = &asked;
    asked.count = 0;
    return policy;
}

static enum redial_verdict verdict_of(const struct redial_policy *policy, struct redial_outcome outcome)
{
    struct redial_call call = begun(policy, 0);
    return redial_next(&call, outcome, 0, 0).verdict;
}

static void statuses_are_classified_at_every_edge(void **state)
{
    static const struct { int status; enum redial_kind kind; } table[] = {
        { INT_MIN, REDIAL_KIND_RETRY }, { -1, REDIAL_KIND_RETRY }, { 0, REDIAL_KIND_RETRY },
        { 1, REDIAL_KIND_FAIL }, { 99, REDIAL_KIND_FAIL }, { 100, REDIAL_KIND_DONE }, { 200, REDIAL_KIND_DONE },
        { 399, REDIAL_KIND_DONE }, { 400, REDIAL_KIND_FAIL }, { 404, REDIAL_KIND_FAIL }, { 428, REDIAL_KIND_FAIL },
        { 429, REDIAL_KIND_RETRY }, { 430, REDIAL_KIND_FAIL }, { 499, REDIAL_KIND_FAIL }, { 500, REDIAL_KIND_RETRY },
        { 501, REDIAL_KIND_RETRY }, { 503, REDIAL_KIND_RETRY }, { 599, REDIAL_KIND_RETRY }, { 600, REDIAL_KIND_FAIL },
        { 999, REDIAL_KIND_FAIL }, { INT_MAX, REDIAL_KIND_FAIL }
    };
    struct redial_policy policy = plain_policy();
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(table); i++) {
        struct redial_outcome outcome = redial_http(table[i].status, 0);
        enum redial_verdict verdict = verdict_of(&policy, outcome);
        assert_int_equal(redial_classify(&policy, outcome), table[i].kind);
        assert_int_equal(verdict == REDIAL_DONE, table[i].kind == REDIAL_KIND_DONE);
        assert_int_equal(verdict == REDIAL_RETRY, table[i].kind == REDIAL_KIND_RETRY);
        assert_int_equal(verdict == REDIAL_FAILED, table[i].kind == REDIAL_KIND_FAIL);
    }
}

static void retryable_is_asked_once_for_each_status_outside_100_to_399(void **state)
{
    static const int statuses[] = { INT_MIN, -1, 0, 1, 99, 100, 200, 399, 400, 403, 503, INT_MAX };
    static const int expected[] = { 1, 99, 400, 403, 503, INT_MAX };
    struct redial_policy policy = asking_policy();
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(statuses); i++)
        verdict_of(&policy, redial_http(statuses[i], 0));
    assert_int_equal(asked.count, LENGTH(expected));
    assert_memory_equal(asked.statuses, expected, sizeof expected);
    asked.count = 0;
    for (i = 0; i < LENGTH(statuses); i++)
        redial_classify(&policy, redial_http(statuses[i], 0));
    assert_int_equal(asked.count, LENGTH(expected));
    assert_memory_equal(asked.statuses, expected, sizeof expected);
}

static void a_policy_may_retry_403_and_refuse_501_and_503(void **state)
{
    struct redial_policy policy = asking_policy();
    (void)state;
    assert_int_equal(verdict_of(&policy, redial_http(403, 0)), REDIAL_RETRY);
    assert_int_equal(verdict_of(&policy, redial_http(501, 0)), REDIAL_FAILED);
    assert_int_equal(verdict_of(&policy, redial_http(503, 0)), REDIAL_FAILED);
}

static void retryable_is_not_asked_about_the_other_kinds(void **state)
{
    static const struct { enum redial_kind kind; enum redial_verdict verdict; } table[] = {
        { REDIAL_KIND_DONE, REDIAL_DONE }, { REDIAL_KIND_FAIL, REDIAL_FAILED }, { REDIAL_KIND_RETRY, REDIAL_RETRY },
        { REDIAL_KIND_PENDING, REDIAL_RETRY }, { REDIAL_KIND_POSTPONED, REDIAL_RETRY },
        { REDIAL_KIND_INVALID, REDIAL_INVALID }
    };
    struct redial_policy policy = asking_policy();
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(table); i++) {
        struct redial_outcome outcome = outcome_of(table[i].kind, 503, 9, 9);
        assert_int_equal(redial_classify(&policy, outcome), table[i].kind);
        assert_int_equal(verdict_of(&policy, outcome), table[i].verdict);
    }
    assert_int_equal(asked.count, 0);
}

static void an_unknown_kind_is_invalid_and_changes_nothing(void **state)
{
    static const int kinds[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 22, 255, -1 };
    struct redial_policy policy = plain_policy();
    struct purse purse;
    struct redial_call call;
    unsigned i;
    (void)state;
    purse_init(&purse, 3);
    policy.budget = &purse.budget;
    policy.min_uptime_ms = 1;
    call = begun(&policy, 0);
    assert_next(&call, redial_retry(1), REDIAL_RETRY, 1000);
    for (i = 0; i < LENGTH(kinds); i++) {
        struct redial_outcome outcome = outcome_of((enum redial_kind)kinds[i], 503, 60000, 60000);
        struct redial_call before = call;
        assert_step(redial_next(&call, outcome, 50, HIGHEST), REDIAL_INVALID, 0);
        assert_int_equal(redial_classify(&policy, outcome), REDIAL_KIND_INVALID);
        assert_memory_equal(&call, &before, sizeof call);
    }
    assert_purse(&purse, 2, 1, 0);
}

static void without_a_policy_every_outcome_is_invalid(void **state)
{
    const struct redial_outcome outcomes[] = { redial_done(), redial_fail(1), redial_http(503, 0), redial_http(200, 0),
                                               redial_retry(1), redial_pending(0), redial_postponed(9) };
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(outcomes); i++)
        assert_int_equal(redial_classify(NULL, outcomes[i]), REDIAL_KIND_INVALID);
}

/* A caller need not get random bits for the kinds below REDIAL_KIND_RETRY. */
static void only_the_kinds_from_RETRY_on_use_random_bits(void **state)
{
    const struct redial_outcome outcomes[] = { redial_done(), redial_fail(1), redial_http(200, 9), redial_http(404, 9),
                                               redial_http(503, 0), redial_http(0, 9), redial_retry(1),
                                               redial_retry_after(1, 9), redial_pending(0), redial_pending(9),
                                               redial_postponed(9), outcome_of(REDIAL_KIND_INVALID, 1, 9, 9) };
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(outcomes); i++) {
        struct redial_call low = begun(&policy, 0), high = begun(&policy, 0);
        bool differ = redial_next(&low, outcomes[i], 0, 0).delay_ms !=
                      redial_next(&high, outcomes[i], 0, HIGHEST).delay_ms;
        assert_int_equal(differ, redial_classify(&policy, outcomes[i]) >= REDIAL_KIND_RETRY);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_are_classified_at_every_edge),
        cmocka_unit_test(retryable_is_asked_once_for_each_status_outside_100_to_399),
        cmocka_unit_test(a_policy_may_retry_403_and_refuse_501_and_503),
        cmocka_unit_test(retryable_is_not_asked_about_the_other_kinds),
        cmocka_unit_test(an_unknown_kind_is_invalid_and_changes_nothing),
        cmocka_unit_test(without_a_policy_every_outcome_is_invalid),
        cmocka_unit_test(only_the_kinds_from_RETRY_on_use_random_bits)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
