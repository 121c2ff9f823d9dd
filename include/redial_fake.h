/* A fake world for redial_run: a clock, waits and randomness that a test commands. Header only.
   SPDX-License-Identifier: MIT

       struct redial_fake fake;
       redial_fake_init(&fake);
       fake.random = UINT32_MAX;                                  // longest waits; 0: shortest
       redial_run(&policy, &fake.env, my_operation, my_data, &report);
       assert(fake.waits == 2 && fake.waited_ms[0] == 2000);      // took no time at all

   Time stands still but in a wait, or when the test or its operation moves now_ms. */
#ifndef REDIAL_FAKE_H
#define REDIAL_FAKE_H

#include "redial.h"

#define REDIAL_FAKE_WAITS 64   /* this many waits are recorded */

struct redial_fake {
    struct redial_env env;                  /* pass &fake.env, or a copy with hooks of your own */
    uint32_t now_ms;                        /* may be set to anything; wraps */
    uint32_t random;                        /* every draw gives this */
    uint32_t waits;                         /* how many waits were begun */
    uint32_t waited_ms[REDIAL_FAKE_WAITS];  /* what the first ones were asked for */
    uint32_t cancel_at_wait;                /* this wait is cancelled: recorded, but time does not move. 1 for the
                                               first; 0: none */
};

#ifdef __cplusplus
extern "C" {
#endif

static inline uint32_t redial_fake_now_(const struct redial_env *env)
{
    return ((const struct redial_fake *)env->port)->now_ms;
}

static inline uint32_t redial_fake_random_(const struct redial_env *env)
{
    return ((const struct redial_fake *)env->port)->random;
}

static inline bool redial_fake_wait_(const struct redial_env *env, uint32_t ms)
{
    struct redial_fake *fake = (struct redial_fake *)env->port;
    if (fake->waits < REDIAL_FAKE_WAITS)
        fake->waited_ms[fake->waits] = ms;
    fake->waits++;
    if (fake->waits == fake->cancel_at_wait)
        return false;
    fake->now_ms = (uint32_t)(((uint64_t)fake->now_ms + ms) & UINT32_MAX);   /* a wrap that no sanitizer minds */
    return true;
}

/* The time is 0, random is 0, nothing is cancelled. The fake must not move in memory afterwards. */
static inline void redial_fake_init(struct redial_fake *fake)
{
    static const struct redial_fake fresh = { { NULL, NULL, NULL, NULL, NULL, NULL, NULL }, 0, 0, 0, { 0 }, 0 };
    *fake = fresh;
    fake->env.now_ms = redial_fake_now_;
    fake->env.wait_ms = redial_fake_wait_;
    fake->env.random = redial_fake_random_;
    fake->env.port = fake;
}

#ifdef __cplusplus
}
#endif

#endif
