/* Makes numbers, policies, outcomes and times of an input. SPDX-License-Identifier: MIT */
#ifndef INPUTS_H
#define INPUTS_H

#include "decision.h"
#include "machine.h"

/* The rest of an input; beyond its end there are zeros. */
struct bytes {
    const uint8_t *at, *end;
};

static inline uint8_t byte(struct bytes *bytes)
{
    return bytes->at == bytes->end ? 0 : *bytes->at++;
}

/* A first byte up to 32 means a power of two or a number next to it. Otherwise the next four bytes
   are the number. */
static inline uint32_t number(struct bytes *bytes)
{
    unsigned kind = byte(bytes), i;
    uint64_t value = 0;
    if (kind <= 32)
        return (uint32_t)(((UINT64_C(1) << kind) + UINT32_MAX + byte(bytes) % 3) & UINT32_MAX);
    for (i = 0; i < 4; i++)
        value = value << 8 | byte(bytes);
    return (uint32_t)(value >> kind % 32);
}

/* Mostly a small one, so that retries and tokens are used up. */
static inline uint32_t small_number(struct bytes *bytes)
{
    unsigned value = byte(bytes);
    return value < 192 ? value % 4 : number(bytes);
}

/* The reading ms later, on a clock that wraps. */
static inline uint32_t after(uint32_t now_ms, uint64_t ms)
{
    return (uint32_t)((now_ms + ms) & UINT32_MAX);
}

/* ---- policies, outcomes and times ---- */

/* Mostly valid ones. Half of them have the budget. The initialiser names no member, so that a new
   member of the policy cannot be forgotten here. */
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
    if (choice < 128)
        return after(now_ms, delay_ms - (choice < 32 && delay_ms > 0));
    return after(now_ms, choice < 144 ? choice : number(bytes));
}

#endif
