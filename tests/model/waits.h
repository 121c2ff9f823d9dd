/* The waits by the formulas of redial.h, in 64-bit arithmetic, which cannot overflow here.
   SPDX-License-Identifier: MIT */
#ifndef WAITS_H
#define WAITS_H

#include "redial.h"

static inline uint64_t wide_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t wide_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* U[low, high] for these 32 random bits. */
static inline uint64_t wide_uniform(uint64_t low, uint64_t high, uint64_t random)
{
    return low + (random * (high - low + 1) >> 32);
}

/* min(base * 2^n + jitter, cap): doubled n times, as long as that changes anything. */
static inline uint64_t wide_delay(uint64_t base, uint64_t cap, uint64_t n, uint64_t jitter)
{
    uint64_t wait = base;
    for (; n > 0 && wait < cap; n--)
        wait *= 2;
    return wide_min(wait + jitter, cap);
}

/* What jitter_ms means where it may be 0. */
static inline uint64_t wide_jitter(const struct redial_policy *policy, uint64_t if_0)
{
    return policy->jitter_ms != 0 ? policy->jitter_ms : wide_min(if_0, 1000);
}

/* redial_random_delay_ms */
static inline uint64_t wide_random_delay(const struct redial_policy *policy, uint64_t n,
                                         uint64_t random)
{
    uint64_t base = policy->base_ms, cap = policy->cap_ms, w = wide_delay(base, cap, n, 0);
    uint64_t v = wide_min(2 * w, cap);
    switch (policy->jitter) {
    case REDIAL_JITTER_NONE:
        return w;
    case REDIAL_JITTER_FULL:
        return wide_uniform(0, w, random);
    case REDIAL_JITTER_WIDE:
        return wide_uniform(base == cap ? v - v / 2 : wide_max(base, v - v / 2), v, random);
    case REDIAL_JITTER_ADDED:
        break;
    }
    return wide_delay(base, cap, n, wide_uniform(0, wide_jitter(policy, base), random));
}

/* The wait for a retry_after_ms that is not 0. It may be longer than 32 bits. */
static inline uint64_t wide_asked_delay(const struct redial_policy *policy, enum redial_kind kind,
                                        uint64_t n, uint64_t retry_after_ms, uint64_t random)
{
    uint64_t base = policy->base_ms, w = wide_delay(base, policy->cap_ms, n, 0);
    uint64_t jitter = wide_jitter(policy, 1000);
    if (kind != REDIAL_KIND_HELD && policy->jitter == REDIAL_JITTER_NONE)
        return wide_max(retry_after_ms, wide_min(base, 1000));
    if (kind != REDIAL_KIND_RETRY)
        return retry_after_ms + wide_uniform(0, jitter, random);
    return wide_max(retry_after_ms, w / 2) + wide_uniform(0, wide_max(jitter, w), random);
}

#endif
