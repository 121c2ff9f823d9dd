/* The decision: how a call begins, what an outcome is taken for, and how retries are counted.
   SPDX-License-Identifier: MIT */
#include <limits.h>

#include "decision.h"

/* ---- how a call begins ---- */

static void assert_not_begun(struct redial_call *call)
{
    assert_step(redial_next(call, redial_retry(1), 0, HIGHEST), REDIAL_INVALID, 0);
    assert_step(redial_next(call, again_after(9), 0, HIGHEST), REDIAL_INVALID, 0);
    assert_step(redial_next(call, redial_http(503, 9), 0, HIGHEST), REDIAL_INVALID, 0);
    assert_step(redial_next(call, redial_http(404, 9), 0, HIGHEST), REDIAL_INVALID, 0);
    assert_step(redial_next(call, redial_done(), 0, HIGHEST), REDIAL_INVALID, 0);
    assert_step(redial_next(call, redial_fail(1), 0, HIGHEST), REDIAL_INVALID, 0);
}

static void a_call_without_a_policy_is_not_begun(void **state)
{
    struct redial_call call;
    (void)state;
    poison(&call, sizeof call);
    assert_false(redial_begin(&call, NULL, 5));
    assert_null(call.policy);
    assert_int_equal(redial_timeout_ms(&call, 5), 0);
    assert_not_begun(&call);
}

static void a_missing_call_is_not_begun(void **state)
{
    struct redial_policy policy = plain_policy();
    (void)state;
    assert_false(redial_begin(NULL, &policy, 0));
    assert_false(redial_begin(NULL, NULL, 0));
    assert_not_begun(NULL);
}

static void a_zeroed_call_is_not_begun(void **state)
{
    static struct redial_call call;
    (void)state;
    assert_not_begun(&call);
    assert_int_equal(redial_timeout_ms(&call, 0), 0);
}

static void every_refused_policy_is_refused_at_the_beginning(void **state)
{
    struct redial_policy refused[6];
    unsigned i;
    (void)state;
    for (i = 0; i < 6; i++)
        refused[i] = plain_policy();
    refused[0].base_ms = 0;
    refused[1].cap_ms = refused[1].base_ms - 1;
    refused[2].jitter_ms = REDIAL_JITTER_MAX_MS + 1;
    refused[3].jitter = (enum redial_jitter)(REDIAL_JITTER_FULL + 1);
    refused[4].jitter = (enum redial_jitter)-1;
    memset(&refused[5], 0, sizeof refused[5]);
    for (i = 0; i < 6; i++) {
        struct redial_call call;
        poison(&call, sizeof call);
        assert_false(redial_begin(&call, &refused[i], 0));
        assert_not_begun(&call);
        assert_int_equal(redial_timeout_ms(&call, 0), 0);
    }
}

static void a_refused_beginning_ends_the_call_that_was(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    (void)state;
    assert_false(redial_begin(&call, NULL, 0));
    assert_not_begun(&call);
}

static void a_call_that_begins_again_forgets_everything(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    unsigned round;
    (void)state;
    policy.max_retries = 2;
    policy.max_elapsed_ms = 8000;
    poison(&call, sizeof call);
    for (round = 0; round < 3; round++) {
        uint32_t now_ms = round * 1000000u;
        assert_true(redial_begin(&call, &policy, now_ms));
        assert_ptr_equal(call.policy, &policy);
        assert_int_equal(redial_timeout_ms(&call, now_ms), 8000);
        assert_step(redial_next(&call, redial_retry(1), now_ms, 0), REDIAL_RETRY, 1000);
        assert_step(redial_next(&call, redial_retry(1), now_ms + 1000, 0), REDIAL_RETRY, 2000);
        assert_step(redial_next(&call, redial_retry(1), now_ms + 3000, 0), REDIAL_EXHAUSTED, 0);
        assert_int_equal(redial_timeout_ms(&call, now_ms + 3000), 5000);
    }
}

/* ---- what an outcome is taken for ---- */

struct classifier {
    int asked[8];
    unsigned count;
};

static struct classifier *heard;   /* policy.ctx is const: the answer goes here */

static bool retry_403(const void *ctx, int status)
{
    assert_ptr_equal(ctx, heard);
    assert_true(heard->count < 8);
    heard->asked[heard->count++] = status;
    return status == 403;
}

static void statuses_become_kinds_at_these_edges(void **state)
{
    static const struct { int status; enum redial_kind kind; } table[] = {
        { INT_MIN, REDIAL_KIND_RETRY }, { -1, REDIAL_KIND_RETRY }, { 0, REDIAL_KIND_RETRY },
        { 1, REDIAL_KIND_FAIL }, { 99, REDIAL_KIND_FAIL }, { 100, REDIAL_KIND_DONE }, { 200, REDIAL_KIND_DONE },
        { 399, REDIAL_KIND_DONE }, { 400, REDIAL_KIND_FAIL }, { 404, REDIAL_KIND_FAIL }, { 428, REDIAL_KIND_FAIL },
        { 429, REDIAL_KIND_RETRY }, { 430, REDIAL_KIND_FAIL }, { 499, REDIAL_KIND_FAIL }, { 500, REDIAL_KIND_RETRY },
        { 503, REDIAL_KIND_RETRY }, { 599, REDIAL_KIND_RETRY }, { 600, REDIAL_KIND_FAIL }, { 999, REDIAL_KIND_FAIL },
        { INT_MAX, REDIAL_KIND_FAIL }
    };
    struct redial_policy policy = plain_policy();
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(table); i++) {
        struct redial_call call = begun(&policy, 0);
        struct redial_step step = redial_next(&call, redial_http(table[i].status, 0), 0, 0);
        assert_int_equal(redial_classify(&policy, redial_http(table[i].status, 0)), table[i].kind);
        assert_int_equal(step.verdict == REDIAL_DONE, table[i].kind == REDIAL_KIND_DONE);
        assert_int_equal(step.verdict == REDIAL_RETRY, table[i].kind == REDIAL_KIND_RETRY);
        assert_int_equal(step.verdict == REDIAL_FAILED, table[i].kind == REDIAL_KIND_FAIL);
    }
}

static void the_policy_is_asked_outside_100_to_399_alone(void **state)
{
    static const int statuses[] = { INT_MIN, -1, 0, 1, 99, 100, 200, 399, 400, 403, 503, INT_MAX };
    static const int asked[] = { 1, 99, 400, 403, 503, INT_MAX };
    struct redial_policy policy = plain_policy();
    struct classifier classifier = { { 0 }, 0 };
    unsigned i;
    (void)state;
    heard = &classifier;
    policy.retryable = retry_403;
    policy.ctx = &classifier;
    for (i = 0; i < LENGTH(statuses); i++)
        assert_int_not_equal(redial_classify(&policy, redial_http(statuses[i], 0)), 0);
    assert_int_equal(classifier.count, LENGTH(asked));
    assert_memory_equal(classifier.asked, asked, sizeof asked);
}

static void the_policy_is_not_asked_about_other_kinds(void **state)
{
    struct redial_policy policy = plain_policy();
    struct classifier classifier = { { 0 }, 0 };
    (void)state;
    heard = &classifier;
    policy.retryable = retry_403;
    policy.ctx = &classifier;
    assert_int_equal(redial_classify(&policy, redial_retry(503)), REDIAL_KIND_RETRY);
    assert_int_equal(redial_classify(&policy, redial_disconnected(503, 1)), REDIAL_KIND_RETRY);
    assert_int_equal(redial_classify(&policy, redial_fail(503)), REDIAL_KIND_FAIL);
    assert_int_equal(redial_classify(&policy, redial_done()), REDIAL_KIND_DONE);
    assert_int_equal(redial_classify(&policy, outcome_of((enum redial_kind)0, 503, 0, 0)), 0);
    assert_int_equal(classifier.count, 0);
}

static void a_policy_may_retry_403_and_leave_503(void **state)
{
    struct redial_policy policy = plain_policy();
    struct classifier classifier = { { 0 }, 0 };
    struct redial_call call;
    (void)state;
    heard = &classifier;
    policy.retryable = retry_403;
    policy.ctx = &classifier;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_http(403, 0), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_http(503, 0), 0, 0), REDIAL_FAILED, 0);
}

static bool all_but_501(const void *ctx, int status)
{
    (void)ctx;
    return status != 501 && redial_http_retryable(status);
}

static void one_line_of_policy_leaves_501_out(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    (void)state;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_http(501, 0), 0, 0), REDIAL_RETRY, 1000);
    policy.retryable = all_but_501;
    assert_step(redial_next(&call, redial_http(501, 0), 0, 0), REDIAL_FAILED, 0);
    assert_step(redial_next(&call, redial_http(503, 0), 0, 0), REDIAL_RETRY, 2000);
}

static void an_unknown_kind_is_invalid_and_touches_nothing(void **state)
{
    static const int kinds[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 20, 255, -1 };
    struct redial_policy policy = plain_policy();
    struct purse purse;
    struct redial_call call;
    unsigned i;
    (void)state;
    purse_init(&purse, 3);
    policy.budget = &purse.budget;
    policy.min_uptime_ms = 1;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    for (i = 0; i < LENGTH(kinds); i++) {
        struct redial_outcome outcome = outcome_of((enum redial_kind)kinds[i], 503, 60000, 60000);
        assert_step(redial_next(&call, outcome, 50, HIGHEST), REDIAL_INVALID, 0);
        assert_int_equal(redial_classify(&policy, outcome), 0);
    }
    assert_purse(&purse, 2, 1, 0);
    assert_step(redial_next(&call, redial_retry(1), 1000, 0), REDIAL_RETRY, 2000);
}

static void no_policy_means_no_kind(void **state)
{
    (void)state;
    assert_int_equal(redial_classify(NULL, redial_done()), 0);
    assert_int_equal(redial_classify(NULL, redial_retry(1)), 0);
    assert_int_equal(redial_classify(NULL, redial_fail(1)), 0);
    assert_int_equal(redial_classify(NULL, redial_http(503, 0)), 0);
}

/* ---- how retries are counted ---- */

static void k_retries_are_k_and_not_one_more(void **state)
{
    static const uint32_t limits[] = { 0, 1, 2, 5, 100 };
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(limits); i++) {
        struct redial_policy policy = plain_policy();
        struct redial_call call;
        uint32_t retry;
        policy.max_retries = limits[i];
        call = begun(&policy, 0);
        for (retry = 0; retry < limits[i]; retry++)
            assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, wide_delay(1000, 32000, retry, 0));
        assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_EXHAUSTED, 0);
        assert_step(redial_next(&call, again_after(9), 0, 0), REDIAL_EXHAUSTED, 0);
    }
}

static void for_ever_survives_the_end_of_its_counter(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    unsigned i;
    (void)state;
    policy.max_retries = REDIAL_NO_LIMIT;
    call = begun(&policy, 0);
    call.retries_ = UINT32_MAX - 2;
    for (i = 0; i < 10; i++)
        assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 32000);
}

static void the_largest_number_below_for_ever_is_a_limit(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    (void)state;
    policy.max_retries = REDIAL_NO_LIMIT - 1;
    call = begun(&policy, 0);
    call.retries_ = UINT32_MAX - 3;
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 32000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 32000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_EXHAUSTED, 0);
    call.retries_ = UINT32_MAX;
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_EXHAUSTED, 0);
}

static void a_limit_that_changes_meanwhile_counts_at_once(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    (void)state;
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 2000);
    policy.max_retries = 1;
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_EXHAUSTED, 0);
    policy.max_retries = 3;
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 4000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_EXHAUSTED, 0);
}

/* ---- how long is waited ---- */

/* At 4 s with a jitter of 1 s and a cap of 6 s, which SPREAD still takes for ADDED, and at the cap. */
static void each_kind_of_jitter_has_its_ends(void **state)
{
    static const struct { enum redial_jitter jitter; uint32_t shortest[4], longest[4]; } table[] = {
        { REDIAL_JITTER_ADDED,  { 1000, 2000, 4000, 6000 }, { 2000, 3000, 5000, 6000 } },
        { REDIAL_JITTER_SPREAD, { 1000, 2000, 4000, 3000 }, { 2000, 3000, 5000, 6000 } },
        { REDIAL_JITTER_EQUAL,  {  500, 1000, 2000, 3000 }, { 1000, 2000, 4000, 6000 } },
        { REDIAL_JITTER_FULL,   {    0,    0,    0,    0 }, { 1000, 2000, 4000, 6000 } }
    };
    unsigned kind, retry;
    (void)state;
    for (kind = 0; kind < 4; kind++) {
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        struct redial_call low, high;
        policy.cap_ms = 6000;
        policy.jitter = table[kind].jitter;
        low = begun(&policy, 0);
        high = begun(&policy, 0);
        for (retry = 0; retry < 4; retry++) {
            assert_step(redial_next(&low, redial_retry(1), 0, 0), REDIAL_RETRY, table[kind].shortest[retry]);
            assert_step(redial_next(&high, redial_retry(1), 0, HIGHEST), REDIAL_RETRY, table[kind].longest[retry]);
        }
    }
}

static void each_wait_has_random_bits_of_its_own(void **state)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_call call = begun(&policy, 0);
    (void)state;
    assert_step(redial_next(&call, redial_retry(1), 0, UINT32_C(0x80000000)), REDIAL_RETRY, 1500);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 2000);
    assert_step(redial_next(&call, redial_retry(1), 0, HIGHEST), REDIAL_RETRY, 5000);
    assert_step(redial_next(&call, redial_retry(1), 0, UINT32_C(0x40000000)), REDIAL_RETRY, 8250);
}

static void two_calls_of_one_policy_go_their_own_ways(void **state)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_call one = begun(&policy, 0), two = begun(&policy, 0);
    (void)state;
    assert_step(redial_next(&one, redial_retry(1), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&one, redial_retry(1), 0, HIGHEST), REDIAL_RETRY, 3000);
    assert_step(redial_next(&two, redial_retry(1), 0, HIGHEST), REDIAL_RETRY, 2000);
    assert_step(redial_next(&one, redial_retry(1), 0, 0), REDIAL_RETRY, 4000);
    assert_step(redial_next(&two, redial_retry(1), 0, 0), REDIAL_RETRY, 2000);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_without_a_policy_is_not_begun),
        cmocka_unit_test(a_missing_call_is_not_begun),
        cmocka_unit_test(a_zeroed_call_is_not_begun),
        cmocka_unit_test(every_refused_policy_is_refused_at_the_beginning),
        cmocka_unit_test(a_refused_beginning_ends_the_call_that_was),
        cmocka_unit_test(a_call_that_begins_again_forgets_everything),
        cmocka_unit_test(statuses_become_kinds_at_these_edges),
        cmocka_unit_test(the_policy_is_asked_outside_100_to_399_alone),
        cmocka_unit_test(the_policy_is_not_asked_about_other_kinds),
        cmocka_unit_test(a_policy_may_retry_403_and_leave_503),
        cmocka_unit_test(one_line_of_policy_leaves_501_out),
        cmocka_unit_test(an_unknown_kind_is_invalid_and_touches_nothing),
        cmocka_unit_test(no_policy_means_no_kind),
        cmocka_unit_test(k_retries_are_k_and_not_one_more),
        cmocka_unit_test(for_ever_survives_the_end_of_its_counter),
        cmocka_unit_test(the_largest_number_below_for_ever_is_a_limit),
        cmocka_unit_test(a_limit_that_changes_meanwhile_counts_at_once),
        cmocka_unit_test(each_kind_of_jitter_has_its_ends),
        cmocka_unit_test(each_wait_has_random_bits_of_its_own),
        cmocka_unit_test(two_calls_of_one_policy_go_their_own_ways)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
