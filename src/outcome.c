/* The outcome of an attempt. SPDX-License-Identifier: MIT */
#include "internal.h"

static struct redial_outcome redial_outcome_(enum redial_kind kind, int code,
                                             uint32_t retry_after_ms)
{
    struct redial_outcome outcome = { kind, code, retry_after_ms, 0 };
    return outcome;
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
    return redial_outcome_(redial_http_kind_(status, method), status, retry_after_ms);
}

struct redial_outcome redial_done(void)
{
    return redial_outcome_(REDIAL_KIND_DONE, 0, 0);
}

struct redial_outcome redial_retry(int code, uint32_t retry_after_ms)
{
    return redial_outcome_(REDIAL_KIND_RETRY, code, retry_after_ms);
}

struct redial_outcome redial_fail(int code)
{
    return redial_outcome_(REDIAL_KIND_FAIL, code, 0);
}

struct redial_outcome redial_pending(uint32_t retry_after_ms)
{
    return redial_outcome_(REDIAL_KIND_PENDING, 0, retry_after_ms);
}

struct redial_outcome redial_postponed(uint32_t retry_after_ms)
{
    return redial_outcome_(REDIAL_KIND_POSTPONED, 0, retry_after_ms);
}
