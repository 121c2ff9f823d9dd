/* The outcome of an attempt. SPDX-License-Identifier: MIT */
#include "internal.h"

static struct redial_outcome redial_outcome_(enum redial_kind kind, int code,
                                             uint32_t retry_after_ms)
{
    struct redial_outcome outcome = { kind, code, retry_after_ms, 0 };
    return outcome;
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

struct redial_outcome redial_unsure(int code)
{
    return redial_outcome_(REDIAL_KIND_UNSURE, code, 0);
}

struct redial_outcome redial_cancelled(int code)
{
    return redial_outcome_(REDIAL_KIND_CANCELLED, code, 0);
}

struct redial_outcome redial_pending(uint32_t retry_after_ms)
{
    return redial_outcome_(REDIAL_KIND_PENDING, 0, retry_after_ms);
}

struct redial_outcome redial_held(uint32_t retry_after_ms)
{
    return redial_outcome_(REDIAL_KIND_HELD, 0, retry_after_ms);
}
