/* Outcomes and their classification, src/outcome.c. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "decision.h"

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

/* ---- how an outcome is made ---- */

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

TEST(a_request_that_is_not_idempotent_fails_without_a_response_and_from_500_on)
{
    static const struct {
        const char *method;
        bool idempotent;
    } methods[] = {
        { "GET", true }, { "HEAD", true }, { "OPTIONS", true }, { "TRACE", true }, { "PUT", true }, { "DELETE", true },
        { "POST", false }, { "PATCH", false }, { "CONNECT", false }, { "BREW", false }, { "get", false }, { "", false },
        { NULL, false },
    };
    static const struct {
        int status;
        bool may_be_done;   /* the server may have done the work */
    } statuses[] = {
        { INT_MIN, true }, { -1, true }, { 0, true }, { 1, false }, { 99, false }, { 100, false }, { 200, false },
        { 399, false }, { 400, false }, { 404, false }, { 429, false }, { 499, false }, { 500, true }, { 503, true },
        { 599, true }, { 600, true }, { INT_MAX, true },
    };
    for (size_t m = 0; m < LENGTH(methods); m++)
        for (size_t s = 0; s < LENGTH(statuses); s++)
            for (size_t i = 0; i < LENGTH(numbers); i++) {
                bool fails = statuses[s].may_be_done && !methods[m].idempotent;
                assert_outcome(redial_http_request(methods[m].method, statuses[s].status, numbers[i]),
                               fails ? REDIAL_KIND_FAIL : REDIAL_KIND_HTTP, statuses[s].status, numbers[i], 0);
            }
}

TEST(kinds_and_verdicts_share_no_value)
{
    assert_true((int)REDIAL_KIND_DONE > (int)REDIAL_INVALID);
}

/* ---- what redial_classify takes an outcome for, and the same in redial_next ---- */

/* The calls of a retryable hook, and its result. */
struct question {
    int times, status;
    bool answer;
};

/* The policy keeps a const pointer. The test owns what it points to. */
static struct question question;

static bool ask(const void *user, int status)
{
    question.times++;
    question.status = status;
    assert_ptr_equal(user, &question);
    return question.answer;
}

/* The kind from redial_classify. redial_next must decide by the same kind, and call the hook as often. */
static enum redial_kind kind_of(const struct redial_policy *policy, struct redial_outcome outcome)
{
    enum redial_kind kind = redial_classify(policy, outcome);
    enum redial_verdict verdict = kind == REDIAL_KIND_DONE      ? REDIAL_DONE
                                  : kind == REDIAL_KIND_FAIL    ? REDIAL_FAILED
                                  : kind == REDIAL_KIND_INVALID ? REDIAL_INVALID
                                                                : REDIAL_RETRY;
    struct redial_call call = begun(policy, 0);
    int times = question.times;
    question.times = 0;
    assert_int_equal(redial_next(&call, outcome, 0, 0).verdict, verdict);
    assert_int_equal(question.times, times);
    return kind;
}

static enum redial_kind asked_kind(bool answer, struct redial_outcome outcome)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.retryable = ask;
    policy.user = &question;
    poison(&question, sizeof question);
    question.times = 0;
    question.answer = answer;
    return kind_of(&policy, outcome);
}

/* The hook is not asked, and its answer would not matter. */
static void assert_unasked(struct redial_outcome outcome, enum redial_kind kind)
{
    assert_int_equal(asked_kind(true, outcome), kind);
    assert_int_equal(question.times, 0);
    assert_int_equal(asked_kind(false, outcome), kind);
    assert_int_equal(question.times, 0);
}

TEST(without_a_hook_the_documented_statuses_are_retried)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    question.times = 0;
    for (int status = -600; status <= 1100; status++) {
        enum redial_kind expected = REDIAL_KIND_FAIL;
        if (status <= 0 || status == 429 || (500 <= status && status < 600))
            expected = REDIAL_KIND_RETRY;
        else if (100 <= status && status < 400)
            expected = REDIAL_KIND_DONE;
        if (kind_of(&policy, redial_http(status, 0)) != expected)
            fail_msg("status %d", status);
    }
    assert_int_equal(kind_of(&policy, redial_http(INT_MIN, 0)), REDIAL_KIND_RETRY);
    assert_int_equal(kind_of(&policy, redial_http(INT_MAX, 0)), REDIAL_KIND_FAIL);
}

TEST(the_hook_is_asked_once_about_400_and_up_and_below_100_and_decides)
{
    static const int statuses[] = { 1, 2, 99, 400, 401, 403, 404, 428, 429, 430, 499, 500, 501, 503, 599, 600, 999,
                                    INT_MAX };
    for (size_t i = 0; i < LENGTH(statuses); i++) {
        assert_int_equal(asked_kind(true, redial_http(statuses[i], 0)), REDIAL_KIND_RETRY);
        assert_int_equal(question.times, 1);
        assert_int_equal(question.status, statuses[i]);
        assert_int_equal(asked_kind(false, redial_http(statuses[i], 0)), REDIAL_KIND_FAIL);
        assert_int_equal(question.times, 1);
    }
}

TEST(the_hook_is_not_asked_about_a_success_or_a_missing_response)
{
    static const int missing[] = { 0, -1, -503, INT_MIN };
    for (int status = 100; status < 400; status++)
        assert_unasked(redial_http(status, 1), REDIAL_KIND_DONE);
    for (size_t i = 0; i < LENGTH(missing); i++)
        assert_unasked(redial_http(missing[i], 0), REDIAL_KIND_RETRY);
}

/* So an operation can retry a 403 for a user's rate limit, and fail after a 403 for the limit of a day. */
TEST(the_hook_is_not_asked_about_an_outcome_that_is_no_http_status)
{
    assert_unasked(redial_done(), REDIAL_KIND_DONE);
    assert_unasked(redial_pending(5), REDIAL_KIND_PENDING);
    assert_unasked(redial_postponed(5), REDIAL_KIND_POSTPONED);
    for (size_t i = 0; i < LENGTH(codes); i++) {
        assert_unasked(redial_retry(codes[i]), REDIAL_KIND_RETRY);
        assert_unasked(redial_retry_after(codes[i], 1), REDIAL_KIND_RETRY);
        assert_unasked(redial_disconnected(codes[i], 1), REDIAL_KIND_RETRY);
        assert_unasked(redial_fail(codes[i]), REDIAL_KIND_FAIL);
    }
}

TEST(the_hook_cannot_retry_a_post_that_may_have_been_done)
{
    assert_unasked(redial_http_request("POST", 503, 0), REDIAL_KIND_FAIL);
    assert_unasked(redial_http_request("POST", 0, 0), REDIAL_KIND_FAIL);
    assert_unasked(redial_http_request("POST", 201, 0), REDIAL_KIND_DONE);
    assert_int_equal(asked_kind(true, redial_http_request("POST", 429, 0)), REDIAL_KIND_RETRY);
    assert_int_equal(question.times, 1);
    assert_int_equal(asked_kind(true, redial_http_request("PUT", 503, 0)), REDIAL_KIND_RETRY);
    assert_int_equal(question.times, 1);
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
