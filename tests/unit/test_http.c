/* Which statuses and methods may be retried, src/http.c. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "support.h"

TEST(only_429_and_500_to_599_are_retryable)
{
    for (int status = -1000; status <= 70000; status++)
        if (redial_http_retryable(status) != (status == 429 || status / 100 == 5))
            fail_msg("status %d", status);
    assert_false(redial_http_retryable(INT_MIN));
    assert_false(redial_http_retryable(INT_MAX));
}

TEST(the_idempotent_methods_are_those_of_RFC_9110)
{
    static const char *const methods[] = { "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" };
    for (size_t i = 0; i < LENGTH(methods); i++)
        assert_true(redial_http_idempotent(methods[i]));
}

TEST(no_other_text_is_an_idempotent_method)
{
    static const char *const methods[] = {
        "POST", "PATCH", "CONNECT", "LOCK", "", "G", "GE", "P", "D", "get", "Get", "GeT", "put", "GETS", "PUTS", "PU",
        " GET", "GET ", "GET\n", "GET / HTTP/1.1", "OPTION", "OPTIONSS", "OPTIONS*", "DELETED", "HEADER", "TRAC", "*",
        "GETHEAD", "\xc7\x45T",
    };
    for (size_t i = 0; i < LENGTH(methods); i++)
        if (redial_http_idempotent(methods[i]))
            fail_msg("\"%s\" was taken for idempotent", methods[i]);
    assert_false(redial_http_idempotent(NULL));
}

int main(void)
{
    return run_all();
}
