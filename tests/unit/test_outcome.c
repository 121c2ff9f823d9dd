/* Outcomes and their classification, src/outcome.c. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "decision.h"

TEST(an_outcome_has_the_given_values_and_is_zero_elsewhere)
{
    assert_outcome(redial_done(), outcome_of(REDIAL_KIND_DONE, 0, 0, 0));
    assert_outcome(redial_http(503, UINT32_MAX, "GET"),
                   outcome_of(REDIAL_KIND_HTTP, 503, UINT32_MAX, 0));
    assert_outcome(redial_retry(-104, 0), outcome_of(REDIAL_KIND_RETRY, -104, 0, 0));
    assert_outcome(redial_retry(INT_MIN, 1000), outcome_of(REDIAL_KIND_RETRY, INT_MIN, 1000, 0));
    assert_outcome(redial_fail(-1), outcome_of(REDIAL_KIND_FAIL, -1, 0, 0));
    assert_outcome(redial_pending(1000), outcome_of(REDIAL_KIND_PENDING, 0, 1000, 0));
    assert_outcome(redial_postponed(UINT32_MAX),
                   outcome_of(REDIAL_KIND_POSTPONED, 0, UINT32_MAX, 0));
}

/* Which methods are idempotent is the subject of test_http.c. */
TEST(a_request_that_is_not_idempotent_fails_without_a_response_and_from_500_on)
{
    static const struct { int status; bool may_be_done; } rows[] = {
        { INT_MIN, true }, { -1, true }, { 0, true }, { 1, false }, { 99, false }, { 200, false },
        { 404, false }, { 429, false }, { 499, false }, { 500, true }, { 503, true }, { 600, true },
        { INT_MAX, true },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        int status = rows[i].status;
        enum redial_kind kind = rows[i].may_be_done ? REDIAL_KIND_FAIL : REDIAL_KIND_HTTP;
        assert_outcome(redial_http(status, 7, "POST"), outcome_of(kind, status, 7, 0));
        assert_outcome(redial_http(status, UINT32_MAX, NULL),
                       outcome_of(kind, status, UINT32_MAX, 0));
        assert_outcome(redial_http(status, 7, "DELETE"),
                       outcome_of(REDIAL_KIND_HTTP, status, 7, 0));
        assert_outcome(redial_http(status, 7, REDIAL_IDEMPOTENT),
                       outcome_of(REDIAL_KIND_HTTP, status, 7, 0));
    }
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
    policy.max_elapsed_ms = 1;   /* so that it may poll */
    policy.retryable = ask;
    policy.user = &question;
    question.times = 0;
    question.answer = answer;
    return redial_classify(&policy, outcome);
}

/* The hook is not asked, and its answer would not matter. */
static void assert_unasked(struct redial_outcome outcome, enum redial_kind kind)
{
    for (int answer = 0; answer < 2; answer++)
        if (asked_kind(answer, outcome) != kind || question.times != 0)
            fail_msg("kind %d, code %d, answer %d", (int)outcome.kind, outcome.code, answer);
}

/* It is asked once, and decides. */
static void assert_asked(int status)
{
    for (int answer = 0; answer < 2; answer++) {
        enum redial_kind kind = asked_kind(answer, redial_http(status, 1, "GET"));
        if (kind != (answer ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL) || question.times != 1
            || question.status != status)
            fail_msg("status %d, answer %d", status, answer);
    }
}

TEST(the_hook_is_asked_once_about_each_status_that_may_be_a_failure)
{
    static const struct redial_policy without_hook = REDIAL_POLICY_DEFAULT;
    assert_unasked(redial_http(INT_MIN, 1, "GET"), REDIAL_KIND_RETRY);
    for (int status = -600; status <= 0; status++)
        assert_unasked(redial_http(status, 1, "GET"), REDIAL_KIND_RETRY);
    for (int status = 100; status <= 399; status++) {
        bool elsewhere = status == 301 || status == 302 || status == 307 || status == 308;
        assert_unasked(redial_http(status, 1, "GET"),
                       elsewhere ? REDIAL_KIND_FAIL : REDIAL_KIND_DONE);
    }
    for (int status = 1; status <= 1100; status += status == 99 ? 301 : 1) {
        assert_asked(status);
        assert_int_equal(redial_classify(&without_hook, redial_http(status, 1, "GET")),
                         redial_http_retryable(status) ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL);
    }
    assert_asked(INT_MAX);
}

/* So an operation can retry a 403 for a user's rate limit, and fail after a 403 for the limit of
   a day. */
TEST(the_hook_is_not_asked_about_an_outcome_that_is_no_http_status)
{
    assert_unasked(redial_done(), REDIAL_KIND_DONE);
    assert_unasked(redial_pending(5), REDIAL_KIND_PENDING);
    assert_unasked(redial_postponed(5), REDIAL_KIND_POSTPONED);
    assert_unasked(redial_retry(403, 0), REDIAL_KIND_RETRY);
    assert_unasked(redial_fail(503), REDIAL_KIND_FAIL);
    assert_unasked(redial_http(503, 0, "POST"), REDIAL_KIND_FAIL);   /* which may have been done */
}

TEST(a_kind_that_does_not_exist_or_a_missing_policy_is_invalid)
{
    static const int kinds[] = { 0, 1, REDIAL_INVALID, 15, 18, 19, 30, 35, 36, 255, 272, INT_MAX,
                                 -1, INT_MIN };
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        struct redial_outcome outcome = redial_http(503, 0, "GET");
        outcome.kind = (enum redial_kind)kinds[i];
        if ((int)outcome.kind == kinds[i])   /* it fits, with -fshort-enums, too */
            assert_unasked(outcome, REDIAL_KIND_INVALID);
    }
    assert_int_equal(redial_classify(NULL, redial_http(503, 0, "GET")), REDIAL_KIND_INVALID);
    assert_int_equal(redial_classify(NULL, redial_done()), REDIAL_KIND_INVALID);
}

/* Otherwise it would poll for ever. */
TEST(a_poll_without_a_limit_of_time_is_invalid_and_no_limit_is_one_by_name)
{
    static const struct { uint32_t max_elapsed_ms; enum redial_kind poll; } rows[] = {
        { 0, REDIAL_KIND_INVALID }, { 1, REDIAL_KIND_PENDING },
        { REDIAL_NO_LIMIT, REDIAL_KIND_PENDING }
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        policy.max_elapsed_ms = rows[i].max_elapsed_ms;
        assert_int_equal(redial_classify(&policy, redial_pending(0)), rows[i].poll);
        assert_int_equal(redial_classify(&policy, redial_pending(5)), rows[i].poll);
        assert_int_equal(redial_classify(&policy, redial_postponed(0)), REDIAL_KIND_POSTPONED);
        assert_int_equal(redial_classify(&policy, redial_retry(1, 0)), REDIAL_KIND_RETRY);
    }
}

int main(void)
{
    return run_all();
}
