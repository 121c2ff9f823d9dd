/* Outcomes, src/outcome.c. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "decision.h"

TEST(an_outcome_has_the_given_values_and_is_zero_elsewhere)
{
    assert_outcome(redial_done(), outcome_of(REDIAL_KIND_DONE, 0, 0, 0));
    assert_outcome(redial_http(503, UINT32_MAX, "GET"),
                   outcome_of(REDIAL_KIND_RETRY, 503, UINT32_MAX, 0));
    assert_outcome(redial_retry(-104, 0), outcome_of(REDIAL_KIND_RETRY, -104, 0, 0));
    assert_outcome(redial_retry(INT_MIN, 1000), outcome_of(REDIAL_KIND_RETRY, INT_MIN, 1000, 0));
    assert_outcome(redial_fail(-1), outcome_of(REDIAL_KIND_FAIL, -1, 0, 0));
    assert_outcome(redial_pending(1000), outcome_of(REDIAL_KIND_PENDING, 0, 1000, 0));
    assert_outcome(redial_postponed(UINT32_MAX),
                   outcome_of(REDIAL_KIND_POSTPONED, 0, UINT32_MAX, 0));
}

static void assert_http(int status, enum redial_kind safe, enum redial_kind unsafe)
{
    /* which methods are idempotent is the subject of test_http.c */
    assert_outcome(redial_http(status, 7, "DELETE"), outcome_of(safe, status, 7, 0));
    assert_outcome(redial_http(status, UINT32_MAX, REDIAL_IDEMPOTENT),
                   outcome_of(safe, status, UINT32_MAX, 0));
    assert_outcome(redial_http(status, 0, "POST"), outcome_of(unsafe, status, 0, 0));
    assert_outcome(redial_http(status, 7, NULL), outcome_of(unsafe, status, 7, 0));
}

TEST(a_status_is_done_failed_or_retried_by_the_table_of_the_header)
{
    enum { DONE = REDIAL_KIND_DONE, FAIL = REDIAL_KIND_FAIL, RETRY = REDIAL_KIND_RETRY };
    static const struct { int from, to, safe, unsafe; } rows[] = {
        { -600, 100, RETRY, FAIL },   /* no whole response came */
        { 101, 101, DONE, DONE },     /* but this is one */
        { 102, 199, RETRY, FAIL },
        { 200, 300, DONE, DONE },
        { 301, 303, FAIL, FAIL },     /* redirects that were not followed */
        { 304, 306, DONE, DONE },
        { 307, 308, FAIL, FAIL },
        { 309, 399, DONE, DONE },
        { 400, 428, FAIL, FAIL },
        { 429, 429, RETRY, RETRY },   /* it was not done */
        { 430, 499, FAIL, FAIL },
        { 500, 599, RETRY, FAIL },    /* it may have been done */
        { 600, 1100, FAIL, FAIL },
        { INT_MAX, INT_MAX, FAIL, FAIL },
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        for (int status = rows[i].from;; status++) {
            assert_http(status, (enum redial_kind)rows[i].safe, (enum redial_kind)rows[i].unsafe);
            if (status == rows[i].to)
                break;
        }
    assert_http(INT_MIN, REDIAL_KIND_RETRY, REDIAL_KIND_FAIL);
}

int main(void)
{
    return run_all();
}
