/* A model of redial_next and redial_ready, written from the rules of redial.h in 64-bit arithmetic,
   which cannot overflow here. SPDX-License-Identifier: MIT */
#ifndef DECISION_MODEL_H
#define DECISION_MODEL_H

#include "waits.h"

struct model {
    const struct redial_policy *policy;
    uint64_t retries, polls, elapsed_ms;
    uint32_t then_ms;   /* when the time was counted last */
    uint64_t wait_ms;   /* the wait that the last decision gave, from then_ms on */
    uint64_t cents, earns_cents, room_cents;   /* the budget, in hundredths of a token */
};

/* A call that begins at now_ms, with a full budget. */
static inline struct model model_begin(const struct redial_policy *policy, uint32_t capacity,
                                       uint32_t percent, uint32_t now_ms)
{
    uint64_t cents = UINT64_C(100) * capacity;
    return (struct model){ policy, 0, 0, 0, now_ms, 0, cents, percent, cents };
}

/* From then to now on a clock that wraps. */
static inline uint64_t difference(uint32_t then_ms, uint32_t now_ms)
{
    const uint64_t wrap = UINT64_C(1) << 32;
    return (wrap + now_ms - then_ms) % wrap;
}

/* The same as a time: 0 if the clock stepped back. */
static inline uint64_t passed(uint32_t then_ms, uint32_t now_ms)
{
    uint64_t ms = difference(then_ms, now_ms);
    return ms < UINT64_C(1) << 31 ? ms : 0;
}

static inline uint64_t model_elapsed_ms(const struct model *model, uint32_t now_ms)
{
    return wide_min(model->elapsed_ms + passed(model->then_ms, now_ms), UINT32_MAX);
}

/* Counts the time. That ends the wait. */
static inline void model_count(struct model *model, uint32_t now_ms)
{
    model->elapsed_ms = model_elapsed_ms(model, now_ms);
    model->then_ms = now_ms;
    model->wait_ms = 0;
}

/* What max_elapsed_ms leaves for an attempt after elapsed_ms. 0: too little for one. */
static inline uint64_t model_left_ms(const struct redial_policy *policy, uint64_t elapsed_ms)
{
    uint64_t limit_ms = policy->max_elapsed_ms;
    if (limit_ms == 0 || limit_ms == REDIAL_NO_LIMIT)
        return UINT32_MAX;
    return elapsed_ms + wide_max(policy->min_attempt_ms, 1) > limit_ms ? 0 : limit_ms - elapsed_ms;
}

static inline struct redial_step answer(enum redial_verdict verdict, uint64_t delay_ms,
                                        uint64_t timeout_ms)
{
    return (struct redial_step){ verdict, (uint32_t)wide_min(delay_ms, UINT32_MAX),
                                 (uint32_t)timeout_ms };
}

static inline struct redial_step model_ready(const struct model *model, uint32_t now_ms)
{
    uint64_t left_ms = model_left_ms(model->policy, model_elapsed_ms(model, now_ms));
    uint64_t waited_ms = difference(model->then_ms, now_ms);
    uint64_t attempt_ms = model->policy->attempt_ms;
    if (left_ms == 0)
        return answer(REDIAL_TIMED_OUT, 0, 0);
    if (waited_ms < model->wait_ms)
        return answer(REDIAL_WAIT, model->wait_ms - waited_ms, 0);
    return answer(REDIAL_ATTEMPT, 0, attempt_ms != 0 ? wide_min(attempt_ms, left_ms) : left_ms);
}

/* Rule 1: what is not valid is INVALID. */
static inline enum redial_kind model_kind(const struct redial_policy *policy, enum redial_kind kind)
{
    bool known = (kind >= REDIAL_KIND_DONE && kind <= REDIAL_KIND_CANCELLED)
                 || (kind >= REDIAL_KIND_RETRY && kind <= REDIAL_KIND_HELD);
    bool endless = kind == REDIAL_KIND_PENDING && policy->max_elapsed_ms == 0;
    return known && !endless ? kind : REDIAL_KIND_INVALID;
}

static inline void model_earn(struct model *model)
{
    if (model->policy->budget)
        model->cents = wide_min(model->cents + model->earns_cents, model->room_cents);
}

/* Rule 2. */
static inline struct redial_step model_end(struct model *model, enum redial_kind kind)
{
    if (kind == REDIAL_KIND_DONE) {
        model_earn(model);
        return answer(REDIAL_DONE, 0, 0);
    }
    if (kind == REDIAL_KIND_FAIL)
        return answer(REDIAL_FAILED, 0, 0);
    if (kind == REDIAL_KIND_UNSURE)
        return answer(REDIAL_UNSURE, 0, 0);
    return answer(kind == REDIAL_KIND_CANCELLED ? REDIAL_CANCELLED : REDIAL_INVALID, 0, 0);
}

/* Rules 3 and 4: the changes before a retry is granted or refused. */
static inline void model_account(struct model *model, enum redial_kind kind, uint32_t uptime_ms)
{
    uint32_t min_uptime_ms = model->policy->min_uptime_ms;
    if (kind == REDIAL_KIND_RETRY && min_uptime_ms != 0 && uptime_ms >= min_uptime_ms) {
        model->retries = model->polls = model->elapsed_ms = 0;
        model_earn(model);
    }
    if (kind == REDIAL_KIND_PENDING) {
        model->retries = 0;
        model_earn(model);
    }
}

static inline struct redial_step model_next(struct model *model, struct redial_outcome outcome,
                                            uint32_t now_ms, uint32_t random)
{
    const struct redial_policy *policy = model->policy;
    enum redial_kind kind = model_kind(policy, outcome.kind);
    uint64_t longest = policy->max_retry_after_ms, wait, n = 0;
    bool retry = kind == REDIAL_KIND_RETRY, told = outcome.retry_after_ms != 0;
    bool poll = kind == REDIAL_KIND_PENDING && !told;
    if (longest == 0)
        longest = policy->cap_ms > 300000 ? policy->cap_ms : 300000;
    model->wait_ms = 0;
    if (kind < REDIAL_KIND_RETRY)
        return model_end(model, kind);
    model_count(model, now_ms);
    model_account(model, kind, outcome.uptime_ms);
    if (retry && policy->max_retries != REDIAL_NO_LIMIT && model->retries >= policy->max_retries)
        return answer(REDIAL_EXHAUSTED, 0, 0);
    if (outcome.retry_after_ms > longest)
        return answer(REDIAL_WAIT_TOO_LONG, outcome.retry_after_ms, 0);
    if (retry)
        n = model->retries;
    if (poll)
        n = model->polls;
    wait = told ? wide_asked_delay(policy, kind, n, outcome.retry_after_ms, random)
                : wide_random_delay(policy, n, random);
    if (model_left_ms(policy, model->elapsed_ms + wait) == 0)
        return answer(REDIAL_TIMED_OUT, wait, 0);
    if (retry && policy->budget && model->cents < 100)
        return answer(REDIAL_BUDGET_EMPTY, wait, 0);
    if (retry && policy->budget)
        model->cents -= 100;
    model->retries = wide_min(model->retries + retry, UINT32_MAX);
    model->polls = wide_min(model->polls + poll, UINT32_MAX);
    model->wait_ms = wide_min(wait, UINT32_MAX);
    return answer(REDIAL_WAIT, wait, 0);
}

#endif
