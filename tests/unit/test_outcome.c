/* Outcomes and their classification, src/outcome.c. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "support.h"

static const int codes[] = { 0, 1, -1, 7, 200, 403, 429, 503, INT_MIN, INT_MAX };
static const uint32_t numbers[] = { 0, 1, 1000, UINT32_MAX };

/* Each outcome is assigned to poisoned memory, so that a member which is not written shows. */
#define assert_outcome(call, kind_, code_, retry_after_ms_, uptime_ms_) do { \
    struct redial_outcome outcome_; \
    poison(&outcome_, sizeof outcome_); \
    outcome_ = (call); \
    assert_int_equal(outcome_.kind, kind_); \
    assert_int_equal(outcome_.code, code_); \
    assert_int_equal(outcome_.retry_after_ms, retry_after_ms_); \
    assert_int_equal(outcome_.uptime_ms, uptime_ms_); \
} while (0)

TEST(an_outcome_has_the_given_values_and_is_0_elsewhere)
{
    assert_outcome(redial_done(), REDIAL_KIND_DONE, 0, 0, 0);
    for (size_t i = 0; i < LENGTH(numbers); i++) {
        assert_outcome(redial_pending(numbers[i]), REDIAL_KIND_PENDING, 0, numbers[i], 0);
        assert_outcome(redial_postponed(numbers[i]), REDIAL_KIND_POSTPONED, 0, numbers[i], 0);
        for (size_t c = 0; c < LENGTH(codes); c++) {
            assert_outcome(redial_http(codes[c], numbers[i]), REDIAL_KIND_HTTP, codes[c], numbers[i], 0);
            assert_outcome(redial_retry(codes[c]), REDIAL_KIND_RETRY, codes[c], 0, 0);
            assert_outcome(redial_retry_after(codes[c], numbers[i]), REDIAL_KIND_RETRY, codes[c], numbers[i], 0);
            assert_outcome(redial_disconnected(codes[c], numbers[i]), REDIAL_KIND_RETRY, codes[c], 0, numbers[i]);
            assert_outcome(redial_fail(codes[c]), REDIAL_KIND_FAIL, codes[c], 0, 0);
        }
    }
}

/* Which methods are idempotent is the subject of test_http.c. */
TEST(a_request_that_is_not_idempotent_fails_without_a_response_and_from_500_on)
{
    static const struct { int status; bool may_be_done; } rows[] = {
        { INT_MIN, true }, { -1, true }, { 0, true }, { 1, false }, { 99, false }, { 200, false }, { 404, false },
        { 429, false }, { 499, false }, { 500, true }, { 503, true }, { 600, true }, { INT_MAX, true },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        int status = rows[i].status;
        enum redial_kind kind = rows[i].may_be_done ? REDIAL_KIND_FAIL : REDIAL_KIND_HTTP;
        assert_outcome(redial_http_request("POST", status, 7), kind, status, 7, 0);
        assert_outcome(redial_http_request(NULL, status, UINT32_MAX), kind, status, UINT32_MAX, 0);
        assert_outcome(redial_http_request("PUT", status, 7), REDIAL_KIND_HTTP, status, 7, 0);
    }
}

TEST(kinds_and_verdicts_share_no_value)
{
    assert_true((int)REDIAL_KIND_DONE > (int)REDIAL_INVALID);
}

/* ---- what redial_classify takes an outcome for ---- */

/* The calls of a retryable hook, and its result. The policy keeps a const pointer to it. */
static struct { int times, status; bool answer; } question;

static bool ask(const void *user, int status)
{
    question.times++;
    question.status = status;
    assert_ptr_equal(user, &question);
    return question.answer;
}

static enum redial_kind asked_kind(bool answer, struct redial_outcome outcome)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.retryable = ask;
    policy.user = &question;
    question.times = 0;
    question.answer = answer;
    return redial_classify(&policy, outcome);
}

/* The hook is not asked, and its answer would not matter. */
static void assert_unasked(struct redial_outcome outcome, enum redial_kind kind)
{
    for (int answer = 0; answer < 2; answer++) {
        assert_int_equal(asked_kind(answer, outcome), kind);
        assert_int_equal(question.times, 0);
    }
}

/* It is asked once, and decides. */
static void assert_asked(struct redial_outcome outcome)
{
    for (int answer = 0; answer < 2; answer++) {
        assert_int_equal(asked_kind(answer, outcome), answer ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL);
        assert_int_equal(question.times, 1);
        assert_int_equal(question.status, outcome.code);
    }
}

/* Without a hook, the documented statuses are retried. */
static void check_status(int status)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    const struct redial_outcome outcome = redial_http(status, 1);
    enum redial_kind kind = redial_classify(&policy, outcome);
    if (status <= 0 || (100 <= status && status < 400)) {
        assert_int_equal(kind, status <= 0 ? REDIAL_KIND_RETRY : REDIAL_KIND_DONE);
        assert_unasked(outcome, kind);
        return;
    }
    assert_int_equal(kind, status == 429 || (500 <= status && status < 600) ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL);
    assert_asked(outcome);
}

TEST(no_response_is_retried_100_to_399_are_done_and_the_hook_is_asked_once_about_all_others)
{
    for (int status = -600; status <= 1100; status++)
        check_status(status);
    check_status(INT_MIN);
    check_status(INT_MAX);
}

/* So an operation can retry a 403 for a user's rate limit, and fail after a 403 for the limit of a day. */
TEST(the_hook_is_not_asked_about_an_outcome_that_is_no_http_status)
{
    assert_unasked(redial_done(), REDIAL_KIND_DONE);
    assert_unasked(redial_pending(5), REDIAL_KIND_PENDING);
    assert_unasked(redial_postponed(5), REDIAL_KIND_POSTPONED);
    for (size_t i = 0; i < LENGTH(codes); i++) {
        assert_unasked(redial_retry(codes[i]), REDIAL_KIND_RETRY);
        assert_unasked(redial_fail(codes[i]), REDIAL_KIND_FAIL);
    }
    assert_unasked(redial_http_request("POST", 503, 0), REDIAL_KIND_FAIL);   /* which may have been done */
}

TEST(a_kind_that_does_not_exist_or_a_missing_policy_is_invalid)
{
    static const int kinds[] = { 0, 1, REDIAL_INVALID, 15, REDIAL_KIND_POSTPONED + 1, 255, 272,
                                 65536 + REDIAL_KIND_DONE, INT_MAX, -1, -REDIAL_KIND_DONE, INT_MIN };
    struct redial_outcome outcome = redial_http(503, 0);
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        outcome.kind = (enum redial_kind)kinds[i];
        assert_unasked(outcome, REDIAL_KIND_INVALID);
    }
    for (int kind = REDIAL_KIND_INVALID; kind <= REDIAL_KIND_POSTPONED; kind++) {
        outcome.kind = (enum redial_kind)kind;
        assert_int_equal(redial_classify(NULL, outcome), REDIAL_KIND_INVALID);
    }
}

int main(void)
{
    return run_all();
}
