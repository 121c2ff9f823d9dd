/* A second decision, written from the rules in 64-bit arithmetic that needs no care. SPDX-License-Identifier: MIT */
#ifndef MODEL_H
#define MODEL_H

#include "redial.h"

#define MODEL_WRAP (UINT64_C(1) << 32)

struct model {
    const struct redial_policy *policy;
    uint64_t retries, elapsed_ms;
    uint64_t cents, earns_cents, room_cents;   /* the budget, in hundredths of a token */
    uint32_t then_ms;
};

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* U[low, high] for these random bits. */
static inline uint64_t uniform(uint64_t low, uint64_t high, uint64_t random)
{
    return low + random * (high - low + 1) / MODEL_WRAP;
}

static inline uint64_t own_wait(const struct redial_policy *policy, uint64_t retries, uint64_t random)
{
    uint64_t cap = policy->cap_ms, wait = policy->base_ms, added;
    for (; retries > 0 && wait < MODEL_WRAP; retries--)
        wait *= 2;
    added = wait + uniform(0, policy->jitter_ms, random);
    if (policy->jitter == REDIAL_JITTER_FULL)
        return uniform(0, least(wait, cap), random);
    if (policy->jitter == REDIAL_JITTER_EQUAL)
        return uniform(least(wait, cap) - least(wait, cap) / 2, least(wait, cap), random);
    if (policy->jitter == REDIAL_JITTER_SPREAD && wait + policy->jitter_ms >= cap)
        return uniform(cap - cap / 2, cap, random);
    return least(added, cap);
}

static inline uint64_t passed(uint32_t then_ms, uint32_t now_ms)
{
    uint64_t ms = (MODEL_WRAP + now_ms - then_ms) % MODEL_WRAP;
    return ms < MODEL_WRAP / 2 ? ms : 0;
}

static inline enum redial_verdict judged(const struct redial_policy *policy, struct redial_outcome outcome)
{
    int status = outcome.code;
    if (outcome.kind == REDIAL_KIND_DONE)
        return REDIAL_DONE;
    if (outcome.kind == REDIAL_KIND_RETRY)
        return REDIAL_RETRY;
    if (outcome.kind == REDIAL_KIND_FAIL)
        return REDIAL_FAILED;
    if (outcome.kind != REDIAL_KIND_HTTP)
        return REDIAL_INVALID;
    if (status <= 0)
        return REDIAL_RETRY;
    if (status / 100 == 1 || status / 100 == 2 || status / 100 == 3)
        return REDIAL_DONE;
    if (policy->retryable)
        return policy->retryable(policy->ctx, status) ? REDIAL_RETRY : REDIAL_FAILED;
    return status == 429 || status / 100 == 5 ? REDIAL_RETRY : REDIAL_FAILED;
}

static inline struct redial_step answer(enum redial_verdict verdict, uint64_t delay_ms)
{
    struct redial_step step;
    step.verdict = verdict;
    step.delay_ms = (uint32_t)least(delay_ms, UINT32_MAX);
    return step;
}

static inline void model_earn(struct model *model)
{
    model->cents = least(model->cents + model->earns_cents, model->room_cents);
}

static inline struct redial_step model_next(struct model *model, struct redial_outcome outcome, uint32_t now_ms,
                                            uint32_t random)
{
    const struct redial_policy *policy = model->policy;
    enum redial_verdict verdict = judged(policy, outcome);
    uint64_t wait;
    if (verdict == REDIAL_DONE)
        model_earn(model);
    if (verdict != REDIAL_RETRY)
        return answer(verdict, 0);
    model->elapsed_ms = least(model->elapsed_ms + passed(model->then_ms, now_ms), UINT32_MAX);
    model->then_ms = now_ms;
    if (policy->min_uptime_ms != 0 && outcome.uptime_ms >= policy->min_uptime_ms) {
        model->retries = model->elapsed_ms = 0;
        model_earn(model);
    }
    if (policy->max_retries != REDIAL_NO_LIMIT && model->retries >= policy->max_retries)
        return answer(REDIAL_EXHAUSTED, 0);
    wait = own_wait(policy, model->retries, random);
    if (outcome.retry_after_ms != 0) {
        if (outcome.retry_after_ms > (policy->max_retry_after_ms != 0 ? policy->max_retry_after_ms : policy->cap_ms))
            return answer(REDIAL_WAIT_TOO_LONG, outcome.retry_after_ms);
        wait = most(wait, outcome.retry_after_ms + uniform(0, policy->jitter_ms, random));
    }
    if (policy->max_elapsed_ms != 0 && model->elapsed_ms + wait >= policy->max_elapsed_ms)
        return answer(REDIAL_TIMED_OUT, wait);
    if (policy->budget && model->cents < 100)
        return answer(REDIAL_BUDGET_EMPTY, wait);
    if (policy->budget)
        model->cents -= 100;
    model->retries++;
    return answer(REDIAL_RETRY, wait);
}

static inline uint64_t model_time_left(const struct model *model, uint32_t now_ms)
{
    uint64_t elapsed_ms = model->elapsed_ms + passed(model->then_ms, now_ms), limit_ms = model->policy->max_elapsed_ms;
    return limit_ms == 0 ? UINT32_MAX : limit_ms - least(limit_ms, elapsed_ms);
}

#endif
