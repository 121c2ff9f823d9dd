/* Which statuses and methods may be retried, src/http.c. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "../common/support.h"

TEST(only_429_and_500_to_599_are_retryable)
{
    for (int status = -1000; status <= 70000; status++)
        if (redial_http_retryable(status) != (status == 429 || status / 100 == 5))
            fail_msg("status %d", status);
    assert_false(redial_http_retryable(INT_MIN));
    assert_false(redial_http_retryable(INT_MAX));
}

/* For what services document. */
static enum redial_verdict verdict_for(int status)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_call call;
    assert_true(redial_begin(&call, &policy, 0));
    return redial_next(&call, 0, redial_http(status, 0, "GET"), 0).verdict;
}

TEST(memorystore_retries_429_and_every_5xx)
{
    for (int status = 400; status <= 599; status++)
        if (verdict_for(status)
            != (status == 429 || status >= 500 ? REDIAL_RETRY : REDIAL_FAILED))
            fail_msg("status %d", status);
}

TEST(the_idempotent_methods_are_those_of_RFC_9110_and_no_other_text_is_one)
{
    static const char *const idempotent[] = { "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" };
    static const char *const others[] = {
        "POST", "PATCH", "CONNECT", "", "GE", "get", "GeT", "GETS", "PUTS", "PU", " GET", "GET ",
        "GET\n", "OPTION", "OPTIONSS", "DELETED", "HEADER", "TRAC", "*", "GETHEAD", "\xc7\x45T",
    };
    for (size_t i = 0; i < LENGTH(idempotent); i++)
        assert_true(redial_http_idempotent(idempotent[i]));
    for (size_t i = 0; i < LENGTH(others); i++)
        if (redial_http_idempotent(others[i]))
            fail_msg("\"%s\" was taken for idempotent", others[i]);
    assert_false(redial_http_idempotent(NULL));
}

int main(void)
{
    return run_all();
}
