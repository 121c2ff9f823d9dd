/* Helpers that the ports to systems share. SPDX-License-Identifier: MIT */
#ifndef REDIAL_SYSTEM_H
#define REDIAL_SYSTEM_H

#include "internal.h"

/* A wait calls `cancelled` this often. redial.h promises twice this time, because the system may
   wake a thread late. */
#define REDIAL_CANCEL_POLL_MS_ 25

/* A wait where clock and sleep count milliseconds. A sleep may end early, so the clock is read
   again after it. The clock may be behind by up to rounding_ms, so that is added: no wait is then
   too short. No sleep is longer than 10 s, so that its ticks fit in 31 bits. */
static inline bool redial_wait_by_(const struct redial_env *env, uint32_t ms, uint32_t rounding_ms,
                                   uint64_t (*uptime_ms)(void), void (*sleep_ms)(uint32_t ms))
{
    uint64_t now = uptime_ms(), end = now + ms + (ms > 0 ? rounding_ms : 0);
    while (now < end) {
        uint64_t most = env->cancelled ? REDIAL_CANCEL_POLL_MS_ : 10000, left = end - now;
        sleep_ms((uint32_t)(left < most ? left : most));
        now = uptime_ms();
        if (now < end && env->cancelled && env->cancelled(env))
            return false;
    }
    return true;
}

/* Mixes sources into 32 bits. Each source is only a little random. It multiplies and folds once for
   each half of a source. */
static inline uint32_t redial_mix_(const uint64_t *sources, unsigned count)
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
