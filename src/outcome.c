/* The outcome of an attempt, and its classification. SPDX-License-Identifier: MIT */
#include "redial.h"

static struct redial_outcome outcome_of(enum redial_kind kind, int code, uint32_t retry_after_ms,
                                        uint32_t uptime_ms)
{
    struct redial_outcome outcome;
    outcome.kind = kind;
    outcome.code = code;
    outcome.retry_after_ms = retry_after_ms;
    outcome.uptime_ms = uptime_ms;
    return outcome;
}

struct redial_outcome redial_http(int status, uint32_t retry_after_ms)
{
    return outcome_of(REDIAL_KIND_HTTP, status, retry_after_ms, 0);
}

struct redial_outcome redial_http_request(const char *method, int status, uint32_t retry_after_ms)
{
    bool may_be_done = status <= 0 || status >= 500;
    enum redial_kind kind =
        may_be_done && !redial_http_idempotent(method) ? REDIAL_KIND_FAIL : REDIAL_KIND_HTTP;
    return outcome_of(kind, status, retry_after_ms, 0);
}

struct redial_outcome redial_done(void)
{
    return outcome_of(REDIAL_KIND_DONE, 0, 0, 0);
}

struct redial_outcome redial_retry(int code)
{
    return outcome_of(REDIAL_KIND_RETRY, code, 0, 0);
}

struct redial_outcome redial_retry_after(int code, uint32_t retry_after_ms)
{
    return outcome_of(REDIAL_KIND_RETRY, code, retry_after_ms, 0);
}

struct redial_outcome redial_disconnected(int code, uint32_t uptime_ms)
{
    return outcome_of(REDIAL_KIND_RETRY, code, 0, uptime_ms);
}

struct redial_outcome redial_fail(int code)
{
    return outcome_of(REDIAL_KIND_FAIL, code, 0, 0);
}

struct redial_outcome redial_pending(uint32_t retry_after_ms)
{
    return outcome_of(REDIAL_KIND_PENDING, 0, retry_after_ms, 0);
}

struct redial_outcome redial_postponed(uint32_t retry_after_ms)
{
    return outcome_of(REDIAL_KIND_POSTPONED, 0, retry_after_ms, 0);
}

static enum redial_kind http_kind(const struct redial_policy *policy, int status)
{
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
    if (!policy)
        return REDIAL_KIND_INVALID;
    if (outcome.kind == REDIAL_KIND_HTTP)
        return http_kind(policy, outcome.code);
    if (outcome.kind < REDIAL_KIND_DONE || outcome.kind > REDIAL_KIND_POSTPONED)
        return REDIAL_KIND_INVALID;
    return outcome.kind;
}
