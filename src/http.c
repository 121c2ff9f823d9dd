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
    static const char methods[][8] = {
        "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"
    };
    unsigned i;
    if (!method)
        return false;
    for (i = 0; i < sizeof methods / sizeof *methods; i++)
        if (redial_same_(methods[i], method))
            return true;
    return false;
}

/* Redirects that usually answer a request which was done. */
static bool redial_seen_other_(int status)
{
    return status >= 301 && status <= 303;
}

static bool redial_redirect_(int status)
{
    return redial_seen_other_(status) || status == 307 || status == 308;
}

/* 101 is a whole response. Below 200 all others are interim, so the answer itself did not come. */
static bool redial_answered_(int status)
{
    return status >= 200 || status == 101;
}

/* The server may have done the request, and its answer is none or says so. */
static bool redial_maybe_done_(int status)
{
    return redial_seen_other_(status) || status >= 500 || !redial_answered_(status);
}

static enum redial_kind redial_http_kind_(int status, const char *method)
{
    if (status == 429)
        return REDIAL_KIND_RETRY;
    if (redial_maybe_done_(status) && !redial_http_idempotent(method))
        return REDIAL_KIND_UNSURE;
    if (redial_http_retryable(status) || !redial_answered_(status))
        return REDIAL_KIND_RETRY;
    return status >= 400 || redial_redirect_(status) ? REDIAL_KIND_FAIL : REDIAL_KIND_DONE;
}

struct redial_outcome redial_http(int status, uint32_t retry_after_ms, const char *method)
{
    enum redial_kind kind = redial_http_kind_(status, method);
    struct redial_outcome outcome = { kind, status, retry_after_ms, 0 };
    return outcome;
}
