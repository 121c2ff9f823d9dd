/* Statuses, methods and outcomes, src/http.c. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "support.h"

/* ---- statuses ---- */

static void worth_a_retry_are_429_and_500_to_599(void **state)
{
    int status;
    (void)state;
    for (status = -1000; status <= 70000; status++)
        if (redial_http_retryable(status) != (status == 429 || status / 100 == 5))
            fail_msg("status %d", status);
    assert_false(redial_http_retryable(INT_MIN));
    assert_false(redial_http_retryable(INT_MAX));
}

static void the_edges_of_the_statuses_are_as_listed(void **state)
{
    static const int again[] = { 429, 500, 501, 502, 503, 504, 505, 511, 599 };
    static const int never[] = { -1, 0, 99, 100, 200, 302, 400, 401, 403, 404, 408, 428, 430, 499, 600, 999 };
    size_t i;
    (void)state;
    for (i = 0; i < LENGTH(again); i++)
        assert_true(redial_http_retryable(again[i]));
    for (i = 0; i < LENGTH(never); i++)
        assert_false(redial_http_retryable(never[i]));
}

/* ---- methods ---- */

static void the_idempotent_methods_are_those_of_RFC_9110(void **state)
{
    static const char *const methods[] = { "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" };
    size_t i;
    (void)state;
    for (i = 0; i < LENGTH(methods); i++)
        assert_true(redial_http_idempotent(methods[i]));
}

static void no_other_method_is_idempotent_nor_another_case_a_part_or_an_extension(void **state)
{
    static const char *const methods[] = {
        "POST", "PATCH", "CONNECT", "LOCK", "", "G", "GE", "P", "D", "get", "Get", "GeT", "put", "GETS", "PUTS", "PU",
        " GET", "GET ", "GET\n", "GET / HTTP/1.1", "OPTION", "OPTIONSS", "OPTIONS*", "DELETED", "HEADER", "TRAC", "*",
        "GETHEAD", "\xc7\x45T",
    };
    size_t i;
    (void)state;
    for (i = 0; i < LENGTH(methods); i++)
        if (redial_http_idempotent(methods[i]))
            fail_msg("\"%s\" was taken for idempotent", methods[i]);
    assert_false(redial_http_idempotent(NULL));
}

/* ---- outcomes ---- */

static void assert_outcome(struct redial_outcome outcome, enum redial_kind kind, int code, uint32_t retry_after_ms,
                           uint32_t uptime_ms)
{
    assert_int_equal(outcome.kind, kind);
    assert_int_equal(outcome.code, code);
    assert_int_equal(outcome.retry_after_ms, retry_after_ms);
    assert_int_equal(outcome.uptime_ms, uptime_ms);
}

static void an_outcome_holds_what_it_was_made_of_and_zeros(void **state)
{
    static const int codes[] = { 0, 1, -1, 7, 200, 403, 503, INT_MIN, INT_MAX };
    size_t i;
    (void)state;
    assert_outcome(redial_done(), REDIAL_KIND_DONE, 0, 0, 0);
    for (i = 0; i < LENGTH(codes); i++) {
        assert_outcome(redial_http(codes[i], 0), REDIAL_KIND_HTTP, codes[i], 0, 0);
        assert_outcome(redial_http(codes[i], UINT32_MAX), REDIAL_KIND_HTTP, codes[i], UINT32_MAX, 0);
        assert_outcome(redial_retry(codes[i]), REDIAL_KIND_RETRY, codes[i], 0, 0);
        assert_outcome(redial_fail(codes[i]), REDIAL_KIND_FAIL, codes[i], 0, 0);
        assert_outcome(redial_disconnected(codes[i], 0), REDIAL_KIND_RETRY, codes[i], 0, 0);
        assert_outcome(redial_disconnected(codes[i], UINT32_MAX), REDIAL_KIND_RETRY, codes[i], 0, UINT32_MAX);
    }
}

/* No verdict is among the kinds, nor a kind among the verdicts. */
static void kinds_and_verdicts_share_no_value(void **state)
{
    (void)state;
    assert_true((int)REDIAL_KIND_DONE > (int)REDIAL_INVALID);
}

/* ---- what an outcome will be taken for ---- */

/* What a retryable hook was asked, and what it is to answer. */
struct question {
    int times, status;
    bool answer;
};

/* The policy keeps a const pointer; the test owns what is behind it. */
static struct question question;

static bool ask(const void *ctx, int status)
{
    question.times++;
    question.status = status;
    assert_ptr_equal(ctx, &question);
    return question.answer;
}

static enum redial_kind asked_kind(bool answer, struct redial_outcome outcome)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.retryable = ask;
    policy.ctx = &question;
    poison(&question, sizeof question);
    question.times = 0;
    question.answer = answer;
    return redial_classify(&policy, outcome);
}

static void without_a_hook_the_kind_of_a_status_is_the_documented_one(void **state)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    int status;
    (void)state;
    for (status = -600; status <= 1100; status++) {
        enum redial_kind want = REDIAL_KIND_FAIL;
        if (status <= 0 || status == 429 || (500 <= status && status < 600))
            want = REDIAL_KIND_RETRY;
        else if (100 <= status && status < 400)
            want = REDIAL_KIND_DONE;
        if (redial_classify(&policy, redial_http(status, 0)) != want)
            fail_msg("status %d", status);
    }
    assert_int_equal(redial_classify(&policy, redial_http(INT_MIN, 0)), REDIAL_KIND_RETRY);
    assert_int_equal(redial_classify(&policy, redial_http(INT_MAX, 0)), REDIAL_KIND_FAIL);
}

static void the_hook_decides_every_status_of_400_and_up_and_below_100(void **state)
{
    static const int statuses[] = { 1, 2, 99, 400, 401, 403, 404, 428, 429, 430, 499, 500, 503, 599, 600, 999,
                                    INT_MAX };
    size_t i;
    (void)state;
    for (i = 0; i < LENGTH(statuses); i++) {
        assert_int_equal(asked_kind(true, redial_http(statuses[i], 0)), REDIAL_KIND_RETRY);
        assert_int_equal(question.times, 1);
        assert_int_equal(question.status, statuses[i]);
        assert_int_equal(asked_kind(false, redial_http(statuses[i], 0)), REDIAL_KIND_FAIL);
        assert_int_equal(question.times, 1);
    }
}

static void the_hook_is_not_asked_about_a_success_or_a_missing_response(void **state)
{
    static const int missing[] = { 0, -1, -503, INT_MIN };
    int status;
    size_t i;
    (void)state;
    for (status = 100; status < 400; status++) {
        assert_int_equal(asked_kind(true, redial_http(status, 1)), REDIAL_KIND_DONE);
        assert_int_equal(question.times, 0);
    }
    for (i = 0; i < LENGTH(missing); i++) {
        assert_int_equal(asked_kind(false, redial_http(missing[i], 0)), REDIAL_KIND_RETRY);
        assert_int_equal(question.times, 0);
    }
}

/* So 403 userRateLimitExceeded can be retried and 403 dailyLimitExceeded not. */
static void an_outcome_that_says_what_it_is_stands_whatever_its_code(void **state)
{
    static const int codes[] = { 0, -1, 200, 403, 404, 429, 503 };
    size_t i;
    (void)state;
    for (i = 0; i < LENGTH(codes); i++) {
        assert_int_equal(asked_kind(false, redial_retry(codes[i])), REDIAL_KIND_RETRY);
        assert_int_equal(asked_kind(false, redial_disconnected(codes[i], 1)), REDIAL_KIND_RETRY);
        assert_int_equal(asked_kind(true, redial_fail(codes[i])), REDIAL_KIND_FAIL);
        assert_int_equal(question.times, 0);
    }
    assert_int_equal(asked_kind(true, redial_done()), REDIAL_KIND_DONE);
    assert_int_equal(question.times, 0);
}

static bool but_for_good_ones(const void *ctx, int status)
{
    (void)ctx;
    return redial_http_retryable(status) && status != 501 && status != 505 && status != 511;
}

static void a_hook_of_one_line_leaves_out_the_5xx_that_last(void **state)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    int status;
    (void)state;
    policy.retryable = but_for_good_ones;
    for (status = 400; status < 700; status++) {
        bool again = status == 429 || (status / 100 == 5 && status != 501 && status != 505 && status != 511);
        assert_int_equal(redial_classify(&policy, redial_http(status, 0)),
                         again ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL);
    }
}

static void a_kind_that_is_none_or_no_policy_is_invalid(void **state)
{
    static const int kinds[] = { 0, 1, REDIAL_INVALID, 15, 20, 255, 272, 65536 + REDIAL_KIND_DONE, INT_MAX, -1,
                                 -REDIAL_KIND_DONE, INT_MIN };
    struct redial_outcome outcome = redial_http(503, 0);
    size_t i;
    (void)state;
    for (i = 0; i < LENGTH(kinds); i++) {
        outcome.kind = (enum redial_kind)kinds[i];
        assert_int_equal(asked_kind(true, outcome), 0);
        assert_int_equal(question.times, 0);
    }
    assert_int_equal(redial_classify(NULL, redial_done()), 0);
    assert_int_equal(redial_classify(NULL, redial_http(503, 0)), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worth_a_retry_are_429_and_500_to_599),
        cmocka_unit_test(the_edges_of_the_statuses_are_as_listed),
        cmocka_unit_test(the_idempotent_methods_are_those_of_RFC_9110),
        cmocka_unit_test(no_other_method_is_idempotent_nor_another_case_a_part_or_an_extension),
        cmocka_unit_test(an_outcome_holds_what_it_was_made_of_and_zeros),
        cmocka_unit_test(kinds_and_verdicts_share_no_value),
        cmocka_unit_test(without_a_hook_the_kind_of_a_status_is_the_documented_one),
        cmocka_unit_test(the_hook_decides_every_status_of_400_and_up_and_below_100),
        cmocka_unit_test(the_hook_is_not_asked_about_a_success_or_a_missing_response),
        cmocka_unit_test(an_outcome_that_says_what_it_is_stands_whatever_its_code),
        cmocka_unit_test(a_hook_of_one_line_leaves_out_the_5xx_that_last),
        cmocka_unit_test(a_kind_that_is_none_or_no_policy_is_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
