/* Helpers that several source files share. SPDX-License-Identifier: MIT */
#ifndef REDIAL_INTERNAL_H
#define REDIAL_INTERNAL_H

#include "redial.h"

/* In redial.c, which holds all sources, it is static. */
#ifndef REDIAL_INTERNAL_
#define REDIAL_INTERNAL_
#endif

static inline uint32_t redial_saturating_add_(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* later_ms - earlier_ms on a counter that wraps. No subtraction here wraps, because a sanitizer
   might report that. */
static inline uint32_t redial_difference_(uint32_t later_ms, uint32_t earlier_ms)
{
    return later_ms >= earlier_ms ? later_ms - earlier_ms : UINT32_MAX - earlier_ms + 1 + later_ms;
}

/* The time from then_ms to now_ms. It is 0 if the clock stepped back. */
static inline uint32_t redial_elapsed_since_(uint32_t now_ms, uint32_t then_ms)
{
    uint32_t ms = redial_difference_(now_ms, then_ms);
    return ms >> 31 ? 0 : ms;
}

/* Maps 32 uniform bits to 0..most, both ends included: random_bits * (most + 1) / 2^32. A shift
   replaces the division. */
static inline uint32_t redial_scale_(uint32_t random_bits, uint32_t most)
{
    return (uint32_t)(((uint64_t)random_bits * most + random_bits) >> 32);
}

/* Adds the time since the last call of this function to the elapsed time, and returns it. The wait
   that redial_ready measures began at the last reading: the caller ends it. */
static inline uint32_t redial_charge_time_(struct redial_call *call, uint32_t now_ms)
{
    uint32_t ms = redial_elapsed_since_(now_ms, call->last_ms_);
    call->last_ms_ = now_ms;
    call->elapsed_ms_ = redial_saturating_add_(call->elapsed_ms_, ms);
    return ms;
}

/* What is wrong with a policy: the first rule that it breaks. names.c has a text for each. */
enum redial_fault_ {
    REDIAL_FAULT_NONE_ = 0,
    REDIAL_FAULT_NULL_,
    REDIAL_FAULT_BASE_,
    REDIAL_FAULT_CAP_,
    REDIAL_FAULT_JITTER_MS_,
    REDIAL_FAULT_JITTER_,
    REDIAL_FAULT_MIN_ATTEMPT_,
    REDIAL_FAULTS_ /* how many there are */
};

/* Defined in policy.c. */
REDIAL_INTERNAL_ enum redial_fault_ redial_policy_fault_(const struct redial_policy *policy);

/* Rule 7 of redial_next for a retry_after_ms, which must not be 0. Defined in delay.c. */
REDIAL_INTERNAL_ uint32_t redial_asked_delay_ms_(const struct redial_policy *policy,
                                                 enum redial_kind kind, uint32_t n,
                                                 uint32_t retry_after_ms, uint32_t random_bits);

/* May an outcome of this kind lead to a wait? No: it is final, or not valid. Polls must have a
   limit. */
static inline bool redial_may_wait_(const struct redial_policy *policy, enum redial_kind kind)
{
    if (!policy || kind < REDIAL_KIND_RETRY || kind > REDIAL_KIND_HELD)
        return false;
    return kind != REDIAL_KIND_PENDING || policy->max_elapsed_ms;
}

#endif
