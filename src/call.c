/* The decision: an outcome goes in, a verdict and a delay come out. It never waits.
   SPDX-License-Identifier: MIT */
#include "internal.h"

/* ---- the budget ----
   It is reached through its pointers, so that a program without one does not link budget.c. */

static void redial_earn_success_(struct redial_budget *budget)
{
    if (budget && budget->earn_)
        budget->earn_(budget);
}

static bool redial_take_token_(struct redial_budget *budget)
{
    return !budget || (budget->take_ && budget->take_(budget));
}

/* ---- the call ---- */

bool redial_resume(struct redial_call *call, const struct redial_policy *policy, uint32_t retries,
                   uint32_t elapsed_ms, uint32_t now_ms)
{
    if (!call)
        return false;
    call->policy = redial_policy_fault_(policy) ? NULL : policy;
    call->retries_ = retries;
    call->polls_ = 0;
    call->elapsed_ms_ = elapsed_ms;
    call->last_ms_ = now_ms;
    call->wait_ms_ = 0;
    return call->policy != NULL;
}

bool redial_begin(struct redial_call *call, const struct redial_policy *policy, uint32_t now_ms)
{
    return redial_resume(call, policy, 0, 0, now_ms);
}

uint32_t redial_retries(const struct redial_call *call)
{
    return call->retries_;
}

static uint32_t redial_elapsed_at_(const struct redial_call *call, uint32_t now_ms)
{
    return redial_saturating_add_(call->elapsed_ms_, redial_elapsed_since_(now_ms, call->last_ms_));
}

uint32_t redial_elapsed_ms(const struct redial_call *call, uint32_t now_ms)
{
    return redial_elapsed_at_(call, now_ms);
}

/* What max_elapsed_ms leaves for an attempt after elapsed_ms. UINT32_MAX: it sets no limit. 0: no
   attempt can be made, because nothing is left, or less than min_attempt_ms. */
static uint32_t redial_left_after_(const struct redial_policy *policy, uint32_t elapsed_ms)
{
    uint32_t limit_ms = policy->max_elapsed_ms;
    if (limit_ms == 0 || limit_ms == REDIAL_NO_LIMIT)
        return UINT32_MAX;
    if (elapsed_ms >= limit_ms || limit_ms - elapsed_ms < policy->min_attempt_ms)
        return 0;
    return limit_ms - elapsed_ms;
}

struct redial_step redial_ready(const struct redial_call *call, uint32_t now_ms)
{
    struct redial_step step = { REDIAL_INVALID, 0, 0 };
    uint32_t left_ms, waited_ms;
    if (!call || !call->policy)
        return step;
    step.verdict = REDIAL_TIMED_OUT;
    left_ms = redial_left_after_(call->policy, redial_elapsed_at_(call, now_ms));
    if (!left_ms)
        return step;
    waited_ms = redial_difference_(now_ms, call->last_ms_); /* huge if the clock stepped back */
    if (waited_ms < call->wait_ms_) {
        step.verdict = REDIAL_WAIT;
        step.delay_ms = call->wait_ms_ - waited_ms;
        return step;
    }
    step.verdict = REDIAL_ATTEMPT;
    step.timeout_ms = left_ms;
    if (call->policy->attempt_ms && call->policy->attempt_ms < left_ms)
        step.timeout_ms = call->policy->attempt_ms;
    return step;
}

/* ---- the decision; redial.h numbers the rules ---- */

static bool redial_retries_left_(const struct redial_call *call)
{
    uint32_t most = call->policy->max_retries;
    return most == REDIAL_NO_LIMIT || call->retries_ < most;
}

static bool redial_too_long_(const struct redial_policy *policy, uint32_t retry_after_ms)
{
    if (policy->max_retry_after_ms)
        return retry_after_ms > policy->max_retry_after_ms;
    return retry_after_ms > REDIAL_RETRY_AFTER_MAX_MS && retry_after_ms > policy->cap_ms;
}

/* Rules 1 and 2, for an outcome that leads to no wait. */
static enum redial_verdict redial_settle_(const struct redial_policy *policy, enum redial_kind kind)
{
    static const unsigned char verdicts[] = { REDIAL_DONE, REDIAL_FAILED, REDIAL_UNSURE,
                                              REDIAL_CANCELLED };
    if (kind < REDIAL_KIND_DONE || kind > REDIAL_KIND_CANCELLED)
        return REDIAL_INVALID;
    if (kind == REDIAL_KIND_DONE)
        redial_earn_success_(policy->budget);
    return (enum redial_verdict)verdicts[kind - REDIAL_KIND_DONE];
}

/* Rules 3 and 4. Returns the counter whose value is the n of rule 7, and which rule 10 increments.
   NULL: n is 0, and nothing is counted. */
static uint32_t *redial_account_(struct redial_call *call, const struct redial_outcome *outcome)
{
    const struct redial_policy *policy = call->policy;
    if (outcome->kind == REDIAL_KIND_RETRY) {
        if (policy->min_uptime_ms && outcome->uptime_ms >= policy->min_uptime_ms) {
            redial_earn_success_(policy->budget);
            call->retries_ = call->polls_ = call->elapsed_ms_ = 0;
        }
        return &call->retries_;
    }
    if (outcome->kind == REDIAL_KIND_PENDING) {
        redial_earn_success_(policy->budget);
        call->retries_ = 0;
        return outcome->retry_after_ms ? NULL : &call->polls_;
    }
    return NULL;
}

/* Rules 5 to 9. WAIT: the wait of rule 10 is *delay_ms. */
static enum redial_verdict redial_decide_wait_(const struct redial_call *call,
                                               const struct redial_outcome *outcome, uint32_t n,
                                               uint32_t random_bits, uint32_t *delay_ms)
{
    const struct redial_policy *policy = call->policy;
    uint32_t asked_ms = outcome->retry_after_ms;
    bool retry = outcome->kind == REDIAL_KIND_RETRY;
    if (retry && !redial_retries_left_(call))
        return REDIAL_EXHAUSTED;
    *delay_ms = asked_ms;
    if (!asked_ms)
        *delay_ms = redial_random_delay_ms(policy, n, random_bits);
    else if (redial_too_long_(policy, asked_ms))
        return REDIAL_WAIT_TOO_LONG;
    else
        *delay_ms = redial_asked_delay_ms_(policy, outcome->kind, n, asked_ms, random_bits);
    if (!redial_left_after_(policy, redial_saturating_add_(call->elapsed_ms_, *delay_ms)))
        return REDIAL_TIMED_OUT;
    return retry && !redial_take_token_(policy->budget) ? REDIAL_BUDGET_EMPTY : REDIAL_WAIT;
}

struct redial_step redial_next(struct redial_call *call, uint32_t now_ms,
                               struct redial_outcome outcome, uint32_t random_bits)
{
    struct redial_step step = { REDIAL_INVALID, 0, 0 };
    uint32_t *count;
    if (!call || !call->policy)
        return step;
    call->wait_ms_ = 0; /* a decision ends the wait of the one before */
    if (!redial_may_wait_(call->policy, outcome.kind)) {
        step.verdict = redial_settle_(call->policy, outcome.kind);
        return step;
    }
    redial_charge_time_(call, now_ms);
    count = redial_account_(call, &outcome);
    step.verdict =
        redial_decide_wait_(call, &outcome, count ? *count : 0, random_bits, &step.delay_ms);
    if (step.verdict == REDIAL_WAIT) {
        call->wait_ms_ = step.delay_ms;
        if (count)
            *count = redial_saturating_add_(*count, 1);
    }
    return step;
}
