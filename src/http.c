/* HTTP: which statuses and methods may be retried. SPDX-License-Identifier: MIT */
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

static bool redial_redirect_(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* 101 is a whole response. Below 200 all others are interim, so the answer itself did not come. */
static enum redial_kind redial_http_kind_(int status, const char *method)
{
    bool answered = status >= 200 || status == 101;
    if (!answered || redial_http_retryable(status))
        return status == 429 || redial_http_idempotent(method) ? REDIAL_KIND_RETRY
                                                               : REDIAL_KIND_FAIL;
    return status >= 400 || redial_redirect_(status) ? REDIAL_KIND_FAIL : REDIAL_KIND_DONE;
}

struct redial_outcome redial_http(int status, uint32_t retry_after_ms, const char *method)
{
    enum redial_kind kind = redial_http_kind_(status, method);
    struct redial_outcome outcome = { kind, status, retry_after_ms, 0 };
    return outcome;
}
