/* Makes policies, outcomes and times from an input. SPDX-License-Identifier: MIT */
#ifndef INPUTS_H
#define INPUTS_H

#include "bytes.h"
#include "decision.h"
#include "machine.h"

/* Mostly valid ones. Half of them have the budget. The initialiser names no member, so that a new
   member of the policy cannot be forgotten here. */
#ifdef __GNUC__
#  pragma GCC diagnostic push
#  pragma GCC diagnostic error "-Wmissing-field-initializers"
#endif
static inline struct redial_policy some_policy(struct bytes *bytes, struct redial_budget *budget)
{
    unsigned flags = byte(bytes), mode = byte(bytes);
    uint32_t base_ms = number(bytes), cap_ms = number(bytes);
    uint32_t jitter_ms = number(bytes) % (REDIAL_JITTER_MAX_MS + 2);
    uint32_t max_retries = flags & 1 ? REDIAL_NO_LIMIT : small_number(bytes);
    uint32_t max_elapsed_ms = flags & 2 ? 0 : number(bytes);
    uint32_t attempt_ms = flags & 4 ? number(bytes) : 0;
    uint32_t min_attempt_ms = flags & 8 ? number(bytes) : 0;
    uint32_t max_retry_after_ms = flags & 16 ? 0 : number(bytes);
    uint32_t min_uptime_ms = flags & 32 ? 0 : number(bytes);
    mode = mode == 255 ? REDIAL_JITTER_NONE + 1 : mode % (REDIAL_JITTER_NONE + 1);
    if (flags & 64 && cap_ms < base_ms)
        cap_ms = base_ms;
    return (struct redial_policy){
        base_ms, cap_ms, jitter_ms, (enum redial_jitter)mode, max_retries, max_elapsed_ms,
        attempt_ms, min_attempt_ms, max_retry_after_ms, min_uptime_ms, flags & 128 ? budget : NULL
    };
}
#ifdef __GNUC__
#  pragma GCC diagnostic pop
#endif

static inline bool valid(const struct redial_policy *policy)
{
    if (policy->attempt_ms != 0 && policy->attempt_ms < policy->min_attempt_ms)
        return false;
    return policy->base_ms >= 1 && policy->base_ms <= policy->cap_ms
           && policy->jitter_ms <= REDIAL_JITTER_MAX_MS
           && (unsigned)policy->jitter <= REDIAL_JITTER_NONE;
}

static inline struct redial_outcome some_outcome(struct bytes *bytes)
{
    enum { RETRY = REDIAL_KIND_RETRY, PENDING = REDIAL_KIND_PENDING, HELD = REDIAL_KIND_HELD };
    static const uint8_t kinds[] = { REDIAL_KIND_DONE, REDIAL_KIND_FAIL, REDIAL_KIND_UNSURE,
                                     REDIAL_KIND_CANCELLED, RETRY, RETRY, RETRY, RETRY, RETRY,
                                     PENDING, PENDING, HELD };
    static const uint8_t unknown[] = { REDIAL_KIND_INVALID, 1, 15, 20, 31, 35, 48, 255 };
    struct redial_outcome outcome;
    unsigned flags = byte(bytes);
    outcome.kind = (enum redial_kind)(flags < 8 ? unknown[flags] : kinds[flags % 12]);
    outcome.code = byte(bytes);
    outcome.retry_after_ms = flags & 16 ? number(bytes) : 0;
    outcome.uptime_ms = flags & 32 ? number(bytes) : 0;
    return outcome;
}

/* Often at the end of the wait, or shortly before. */
static inline uint32_t some_time(struct bytes *bytes, uint32_t now_ms, uint32_t delay_ms)
{
    unsigned choice = byte(bytes);
    if (choice < 64)
        return after(now_ms, delay_ms);
    if (choice < 96 && delay_ms > 0)
        return after(now_ms, delay_ms - 1);
    return after(now_ms, choice < 128 ? choice : number(bytes));
}

/* A call that begins at now_ms. */
static inline struct model some_model(const struct redial_policy *policy, uint32_t capacity,
                                      uint32_t percent, uint32_t now_ms)
{
    struct model model;
    model_resume(&model, policy, 0, 0, now_ms);
    model.cents = model.room_cents = UINT64_C(100) * capacity;
    model.earns_cents = percent;
    return model;
}

#endif
