/* Helpers that several source files share. SPDX-License-Identifier: MIT */
#ifndef REDIAL_INTERNAL_H
#define REDIAL_INTERNAL_H

#include "redial.h"

static inline uint32_t redial_saturating_add(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* later_ms - earlier_ms on a counter that wraps. No subtraction here wraps, because a sanitizer
   might report that. */
static inline uint32_t redial_difference(uint32_t later_ms, uint32_t earlier_ms)
{
    return later_ms >= earlier_ms ? later_ms - earlier_ms : UINT32_MAX - earlier_ms + 1 + later_ms;
}

/* The time from then_ms to now_ms. It is 0 if the clock stepped back. */
static inline uint32_t redial_elapsed_since(uint32_t now_ms, uint32_t then_ms)
{
    uint32_t ms = redial_difference(now_ms, then_ms);
    return ms >> 31 ? 0 : ms;
}

/* Maps 32 uniform bits to 0..most, both ends included: random * (most + 1) / 2^32. A shift replaces
   the division. */
static inline uint32_t redial_scale(uint32_t random, uint32_t most)
{
    return (uint32_t)(((uint64_t)random * most + random) >> 32);
}

/* Adds the time since the last call of this function to the elapsed time, and returns it. */
static inline uint32_t redial_charge_time(struct redial_call *call, uint32_t now_ms)
{
    uint32_t ms = redial_elapsed_since(now_ms, call->last_ms_);
    call->last_ms_ = now_ms;
    call->elapsed_ms_ = redial_saturating_add(call->elapsed_ms_, ms);
    return ms;
}

/* The wait when the server asked for retry_after_ms, which must not be 0. Defined in delay.c. */
uint32_t redial_server_delay_ms(const struct redial_policy *policy, uint32_t n,
                                uint32_t retry_after_ms, uint32_t random);

/* Rules 1 and 2 of redial_next, for a kind that does not wait. Defined in call.c. */
enum redial_verdict redial_settle(const struct redial_call *call, enum redial_kind kind);

/* Rules 2 to 10 of redial_next. kind is what redial_classify returned for the outcome. The caller
   has called redial_charge_time. Defined in call.c. */
struct redial_step redial_decide(struct redial_call *call, enum redial_kind kind,
                                 const struct redial_outcome *outcome, uint32_t random);

#endif
