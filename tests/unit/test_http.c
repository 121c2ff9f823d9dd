/* Which statuses and methods may be retried, src/http.c. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "call.h"

TEST(only_429_and_500_to_599_are_retryable)
{
    for (int status = -1000; status <= 70000; status++)
        if (redial_http_retryable(status) != (status == 429 || status / 100 == 5))
            fail_msg("status %d", status);
    assert_false(redial_http_retryable(INT_MIN));
    assert_false(redial_http_retryable(INT_MAX));
}

TEST(the_idempotent_methods_are_those_of_RFC_9110_and_QUERY_and_no_other_text_is_one)
{
    static const char *const idempotent[] = { "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE",
                                              "QUERY" };
    static const char *const others[] = {
        "POST", "PATCH", "CONNECT", "", "GE", "get", "GeT", "GETS", "PUTS", "PU", " GET", "GET ",
        "GET\n", "OPTION", "OPTIONSS", "DELETED", "HEADER", "TRAC", "*", "GETHEAD", "\xc7\x45T",
        "QUER", "QUERYS", "query", "PROPFIND", "SEARCH", "REPORT",   /* by other documents */
    };
    for (size_t i = 0; i < LENGTH(idempotent); i++)
        assert_true(redial_http_idempotent(idempotent[i]));
    for (size_t i = 0; i < LENGTH(others); i++)
        if (redial_http_idempotent(others[i]))
            fail_msg("\"%s\" was taken for idempotent", others[i]);
    assert_false(redial_http_idempotent(NULL));
}

static void assert_http(int status, enum redial_kind safe, enum redial_kind unsafe)
{
    assert_outcome(redial_http(status, 7, "DELETE"), outcome_of(safe, status, 7, 0));
    assert_outcome(redial_http(status, UINT32_MAX, REDIAL_IDEMPOTENT),
                   outcome_of(safe, status, UINT32_MAX, 0));
    assert_outcome(redial_http(status, 0, "POST"), outcome_of(unsafe, status, 0, 0));
    assert_outcome(redial_http(status, 7, NULL), outcome_of(unsafe, status, 7, 0));
}

TEST(a_status_is_done_failed_or_retried_by_the_table_of_the_header)
{
    enum { DONE = REDIAL_KIND_DONE, FAIL = REDIAL_KIND_FAIL, RETRY = REDIAL_KIND_RETRY,
           UNSURE = REDIAL_KIND_UNSURE };
    static const struct { int from, to, safe, unsafe; } rows[] = {
        { -600, 100, RETRY, UNSURE },   /* no whole response came */
        { 101, 101, DONE, DONE },     /* but this is one */
        { 102, 199, RETRY, UNSURE },
        { 200, 300, DONE, DONE },
        { 301, 303, FAIL, UNSURE },   /* redirects that were not followed; it may have been done */
        { 304, 306, DONE, DONE },
        { 307, 308, FAIL, FAIL },
        { 309, 399, DONE, DONE },
        { 400, 428, FAIL, FAIL },
        { 429, 429, RETRY, RETRY },   /* it was not done */
        { 430, 499, FAIL, FAIL },
        { 500, 599, RETRY, UNSURE },    /* it may have been done */
        { 600, 1100, FAIL, UNSURE },
        { INT_MAX, INT_MAX, FAIL, UNSURE },
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        for (int status = rows[i].from;; status++) {
            assert_http(status, (enum redial_kind)rows[i].safe, (enum redial_kind)rows[i].unsafe);
            if (status == rows[i].to)
                break;
        }
    assert_http(INT_MIN, REDIAL_KIND_RETRY, REDIAL_KIND_UNSURE);
}

int main(void)
{
    return run_all();
}
