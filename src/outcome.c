/* The outcome of an attempt, and its classification. SPDX-License-Identifier: MIT */
#include "internal.h"

static struct redial_outcome redial_outcome_(enum redial_kind kind, int code,
                                             uint32_t retry_after_ms)
{
    struct redial_outcome outcome = {
        REDIAL_AT_(kind) kind,
        REDIAL_AT_(code) code,
        REDIAL_AT_(retry_after_ms) retry_after_ms,
        REDIAL_AT_(uptime_ms) 0,
    };
    return outcome;
}

struct redial_outcome redial_http(int status, uint32_t retry_after_ms, const char *method)
{
    bool may_be_done = status <= 0 || status >= 500;
    bool repeatable = !may_be_done || redial_http_idempotent(method);
    return redial_outcome_(repeatable ? REDIAL_KIND_HTTP : REDIAL_KIND_FAIL, status,
                           retry_after_ms);
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

static enum redial_kind redial_http_kind_(const struct redial_policy *policy, int status)
{
    if (status == 301 || status == 302 || status == 307 || status == 308)
        return REDIAL_KIND_FAIL; /* the work was not done here */
    if (status >= 100 && status <= 399)
        return REDIAL_KIND_DONE;
    if (status <= 0)
        return REDIAL_KIND_RETRY;
    if (policy->retryable ? policy->retryable(policy->user, status) : redial_http_retryable(status))
        return REDIAL_KIND_RETRY;
    return REDIAL_KIND_FAIL;
}

enum redial_kind redial_classify(const struct redial_policy *policy, struct redial_outcome outcome)
{
    if (!policy || outcome.kind < REDIAL_KIND_DONE || outcome.kind > REDIAL_KIND_POSTPONED)
        return REDIAL_KIND_INVALID;
    if (outcome.kind == REDIAL_KIND_HTTP)
        return redial_http_kind_(policy, outcome.code);
    if (outcome.kind > REDIAL_KIND_FAIL && outcome.kind < REDIAL_KIND_HTTP)
        return REDIAL_KIND_INVALID;
    /* Polling must have a limit. */
    if (outcome.kind == REDIAL_KIND_PENDING && !policy->max_elapsed_ms)
        return REDIAL_KIND_INVALID;
    return outcome.kind;
}
