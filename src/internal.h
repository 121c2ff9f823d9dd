/* What more than one file needs and nobody else. SPDX-License-Identifier: MIT */
#ifndef REDIAL_INTERNAL_H
#define REDIAL_INTERNAL_H

#include "redial.h"

static inline uint32_t redial_sum(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* now - then on a counter that may have wrapped once, without an overflow; 0 for one that stepped back. */
static inline uint32_t redial_since(uint32_t now_ms, uint32_t then_ms)
{
    uint32_t ms = now_ms >= then_ms ? now_ms - then_ms : UINT32_MAX - then_ms + 1 + now_ms;
    return ms >> 31 ? 0 : ms;
}

/* 32 uniform bits to 0..most: random * (most + 1) / 2^32, which has both ends and needs no division. */
static inline uint32_t redial_scale(uint32_t random, uint32_t most)
{
    return (uint32_t)(((uint64_t)random * most + random) >> 32);
}

/* Counts the time up to now_ms as used by the call, and says how much that was. */
static inline uint32_t redial_count(struct redial_call *call, uint32_t now_ms)
{
    uint32_t ms = redial_since(now_ms, call->last_ms_);
    call->last_ms_ = now_ms;
    call->elapsed_ms_ = redial_sum(call->elapsed_ms_, ms);
    return ms;
}

/* The verdict on a kind that is worth no retry; 0 is an invalid one, and policy may be NULL then. */
enum redial_verdict redial_settle(const struct redial_policy *policy, enum redial_kind kind);

#define REDIAL_ASK_MS 25   /* how often a real wait asks whether it is cancelled: twice as often as it must */

/* Bits from sources of which each is a little random: a product that fits, folded, for each half. */
static inline uint32_t redial_mix(const uint64_t *sources, unsigned count)
{
    uint32_t bits = 0x6a09e667;
    unsigned i;
    for (i = 0; i < 2 * count; i++) {
        uint64_t product;
        bits ^= (uint32_t)(i & 1 ? sources[i / 2] >> 32 : sources[i / 2]);
        product = (uint64_t)bits * 0x9e3779b1;
        bits = (uint32_t)(product ^ product >> 32);
    }
    return bits;
}

#endif
