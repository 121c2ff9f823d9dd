/* The decision: an outcome in, a verdict and a delay out. Never waits. SPDX-License-Identifier: MIT */
#include "internal.h"

/* ---- the budget, through the pointers that its init has set ---- */

static void earn_success(struct redial_budget *budget)
{
    if (budget && budget->earn_)
        budget->earn_(budget);
}

static bool take_token(struct redial_budget *budget)
{
    return !budget || (budget->take_ && budget->take_(budget));
}

/* ---- the call ---- */

bool redial_begin(struct redial_call *call, const struct redial_policy *policy, uint32_t now_ms)
{
    bool fine = redial_policy_check(policy) == REDIAL_POLICY_OK;
    if (!call)
        return false;
    call->policy = fine ? policy : NULL;
    call->retries_ = 0;
    call->elapsed_ms_ = 0;
    call->last_ms_ = now_ms;
    return fine;
}

uint32_t redial_timeout_ms(const struct redial_call *call, uint32_t now_ms)
{
    const struct redial_policy *policy = call->policy;
    uint32_t elapsed;
    if (!policy)
        return 0;
    if (!policy->max_elapsed_ms)
        return UINT32_MAX;
    elapsed = redial_sum(call->elapsed_ms_, redial_since(now_ms, call->last_ms_));
    return policy->max_elapsed_ms > elapsed ? policy->max_elapsed_ms - elapsed : 0;
}

enum redial_verdict redial_settle(const struct redial_policy *policy, enum redial_kind kind)
{
    if (kind == REDIAL_KIND_DONE) {
        earn_success(policy->budget);
        return REDIAL_DONE;
    }
    return kind == REDIAL_KIND_FAIL ? REDIAL_FAILED : REDIAL_INVALID;
}

static void start_afresh(struct redial_call *call)
{
    call->retries_ = 0;
    call->elapsed_ms_ = 0;
    earn_success(call->policy->budget);
}

/* Another attempt, or why not; *delay_ms is 0 before. */
static enum redial_verdict another(struct redial_call *call, uint32_t retry_after_ms, uint32_t random, uint32_t *delay_ms)
{
    const struct redial_policy *policy = call->policy;
    uint32_t delay;
    if (call->retries_ >= policy->max_retries && policy->max_retries != REDIAL_NO_LIMIT)
        return REDIAL_EXHAUSTED;
    if (retry_after_ms > (policy->max_retry_after_ms ? policy->max_retry_after_ms : policy->cap_ms)) {
        *delay_ms = retry_after_ms;
        return REDIAL_WAIT_TOO_LONG;
    }
    delay = redial_random_delay_ms(policy, call->retries_, random);
    if (retry_after_ms)
        retry_after_ms = redial_sum(retry_after_ms, redial_scale(random, policy->jitter_ms));
    if (delay < retry_after_ms)
        delay = retry_after_ms;
    *delay_ms = delay;
    if (policy->max_elapsed_ms && redial_sum(call->elapsed_ms_, delay) >= policy->max_elapsed_ms)
        return REDIAL_TIMED_OUT;
    if (!take_token(policy->budget))
        return REDIAL_BUDGET_EMPTY;
    call->retries_ = redial_sum(call->retries_, 1);
    return REDIAL_RETRY;
}

struct redial_step redial_next(struct redial_call *call, struct redial_outcome outcome, uint32_t now_ms,
                               uint32_t random)
{
    struct redial_step step = { REDIAL_INVALID, 0 };
    enum redial_kind kind;
    if (!call)
        return step;
    kind = redial_classify(call->policy, outcome);
    if (kind == REDIAL_KIND_RETRY) {
        redial_count(call, now_ms);
        if (call->policy->min_uptime_ms && outcome.uptime_ms >= call->policy->min_uptime_ms)
            start_afresh(call);
        step.verdict = another(call, outcome.retry_after_ms, random, &step.delay_ms);
    } else {
        step.verdict = redial_settle(call->policy, kind);
    }
    return step;
}
