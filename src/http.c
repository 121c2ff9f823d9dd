/* Which statuses and methods may be retried. SPDX-License-Identifier: MIT */
#include "redial.h"

bool redial_http_retryable(int status)
{
    return status == 429 || (status >= 500 && status <= 599);
}

static bool redial_same_(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

bool redial_http_idempotent(const char *method)
{
    static const char methods[][8] = { "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" };
    unsigned i;
    if (!method)
        return false;
    for (i = 0; i < sizeof methods / sizeof *methods; i++)
        if (redial_same_(methods[i], method))
            return true;
    return false;
}
