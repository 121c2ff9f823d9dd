/* What an attempt came to, and what HTTP allows to be retried. SPDX-License-Identifier: MIT */
#include "redial.h"

bool redial_http_retryable(int status)
{
    return status == 429 || (status >= 500 && status <= 599);
}

static bool same(const char *a, const char *b)
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
        if (same(methods[i], method))
            return true;
    return false;
}

static struct redial_outcome outcome_of(enum redial_kind kind, int code, uint32_t retry_after_ms, uint32_t uptime_ms)
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

struct redial_outcome redial_done(void)
{
    return outcome_of(REDIAL_KIND_DONE, 0, 0, 0);
}

struct redial_outcome redial_retry(int code)
{
    return outcome_of(REDIAL_KIND_RETRY, code, 0, 0);
}

struct redial_outcome redial_disconnected(int code, uint32_t uptime_ms)
{
    return outcome_of(REDIAL_KIND_RETRY, code, 0, uptime_ms);
}

struct redial_outcome redial_fail(int code)
{
    return outcome_of(REDIAL_KIND_FAIL, code, 0, 0);
}

static enum redial_kind http_kind(const struct redial_policy *policy, int status)
{
    if (status <= 0)
        return REDIAL_KIND_RETRY;
    if (status >= 100 && status <= 399)
        return REDIAL_KIND_DONE;
    if (policy->retryable ? policy->retryable(policy->ctx, status) : redial_http_retryable(status))
        return REDIAL_KIND_RETRY;
    return REDIAL_KIND_FAIL;
}

enum redial_kind redial_classify(const struct redial_policy *policy, struct redial_outcome outcome)
{
    if (!policy || outcome.kind < REDIAL_KIND_DONE || outcome.kind > REDIAL_KIND_FAIL)
        return (enum redial_kind)0;
    return outcome.kind == REDIAL_KIND_HTTP ? http_kind(policy, outcome.code) : outcome.kind;
}
