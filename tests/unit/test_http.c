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
