/* Makes policies, budgets and outcomes from an input. SPDX-License-Identifier: MIT */
#ifndef ANY_POLICY_H
#define ANY_POLICY_H

#include "../unit/model.h"
#include "bytes.h"

static inline bool odd_statuses(const void *user, int status)
{
    (void)user;
    return status % 2 == 1;
}

/* Mostly valid ones. Half of them have the budget. */
static inline struct redial_policy some_policy(struct bytes *bytes, struct redial_budget *budget)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    unsigned flags = byte(bytes), mode;
    policy.base_ms = number(bytes);
    policy.cap_ms = number(bytes);
    policy.jitter_ms = (uint32_t)word(bytes, 2) % (REDIAL_JITTER_MAX_MS + 2);
    policy.max_retries = flags & 1 ? REDIAL_NO_LIMIT : number(bytes);
    policy.max_elapsed_ms = flags & 2 ? 0 : number(bytes);
    policy.max_retry_after_ms = flags & 4 ? 0 : number(bytes);
    policy.min_uptime_ms = flags & 8 ? 0 : number(bytes);
    policy.attempt_ms = flags & 16 ? number(bytes) : 0;
    policy.retryable = flags & 64 ? odd_statuses : NULL;
    policy.budget = flags & 128 ? budget : NULL;
    mode = byte(bytes);
    policy.jitter = (enum redial_jitter)(mode == 255 ? REDIAL_JITTER_NONE + 1 : mode % (REDIAL_JITTER_NONE + 1));
    return policy;
}

static inline bool valid(const struct redial_policy *policy)
{
    bool needs_jitter = policy->jitter == REDIAL_JITTER_ADDED || policy->jitter == REDIAL_JITTER_SPREAD;
    return policy->base_ms >= 1 && policy->base_ms <= policy->cap_ms && policy->jitter_ms <= REDIAL_JITTER_MAX_MS &&
           (unsigned)policy->jitter <= REDIAL_JITTER_NONE && !(needs_jitter && policy->jitter_ms == 0);
}

static inline struct redial_outcome some_outcome(struct bytes *bytes)
{
    struct redial_outcome outcome;
    unsigned flags = byte(bytes);
    outcome.kind = (enum redial_kind)(flags < 8 ? REDIAL_KIND_DONE - 1 + flags : REDIAL_KIND_DONE + flags % 6);
    outcome.code = (int)word(bytes, 2) % 1024 - 64;
    outcome.retry_after_ms = flags & 16 ? number(bytes) : 0;
    outcome.uptime_ms = flags & 32 ? number(bytes) : 0;
    return outcome;
}

/* The model of a call that begins at now_ms. */
static inline struct model some_model(const struct redial_policy *policy, uint32_t capacity, uint32_t percent,
                                      uint32_t now_ms)
{
    struct model model;
    model_resume(&model, policy, 0, 0, now_ms);
    model.cents = model.room_cents = UINT64_C(100) * capacity;
    model.earns_cents = percent;
    return model;
}

/* Some time after now_ms, often after the whole delay. */
static inline uint32_t some_time(struct bytes *bytes, uint32_t now_ms, uint32_t delay_ms)
{
    unsigned choice = byte(bytes);
    uint64_t ms = choice < 64 ? delay_ms : choice < 128 ? choice : number(bytes);
    return (uint32_t)((now_ms + ms) & UINT32_MAX);
}

#endif
