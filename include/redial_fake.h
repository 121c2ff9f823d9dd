/* redial_fake: a fake environment for tests. The test controls the clock, the waits and the random
   bits. The fake is this header alone.
   SPDX-License-Identifier: MIT

       struct redial_fake fake;
       redial_fake_init(&fake);
       fake.random = UINT32_MAX;   // the longest waits; 0: the shortest
       redial_run(&policy, &fake.env, my_operation, my_data, &report);
       assert(fake.waits == 2 && fake.waited_ms[0] == 2000);

   The test does not really wait: time passes only in a wait of the fake, or when the test or its
   operation changes now_ms. */
#ifndef REDIAL_FAKE_H
#define REDIAL_FAKE_H

#include "redial.h"

#if defined(__cplusplus)
#  define REDIAL_INLINE_ inline   /* a C++ module can export it */
#elif defined(__GNUC__)
#  define REDIAL_INLINE_ static __inline__   /* GCC accepts it with -std=c89, too */
#else
#  define REDIAL_INLINE_ static inline
#endif

/* The fake records the first waits, up to this number. */
#define REDIAL_FAKE_WAITS 64

#ifdef __cplusplus
REDIAL_INLINE_BEGIN_
#endif

struct redial_fake {
    /* Pass &fake.env, or a copy with hooks of your own. */
    struct redial_env env;
    /* The time. You may set it to any value. It wraps. */
    uint32_t now_ms;
    /* Every call of env.random returns this. */
    uint32_t random;
    /* The number of waits that began, and the requested length of the first ones. */
    uint32_t waits;
    uint32_t waited_ms[REDIAL_FAKE_WAITS];
    /* Which wait is cancelled: 1 is the first, 0 means none. The cancelled wait is recorded, but
       takes no time. */
    uint32_t cancel_at_wait;
};

#ifdef __cplusplus
#  define REDIAL_FAKE_OF_(env) static_cast<struct redial_fake *>((env)->port)
#else
#  define REDIAL_FAKE_OF_(env) ((struct redial_fake *)(env)->port)
#endif

REDIAL_INLINE_ uint32_t redial_fake_now_(const struct redial_env *env)
{
    return REDIAL_FAKE_OF_(env)->now_ms;
}

REDIAL_INLINE_ uint32_t redial_fake_random_(const struct redial_env *env)
{
    return REDIAL_FAKE_OF_(env)->random;
}

REDIAL_INLINE_ bool redial_fake_wait_(const struct redial_env *env, uint32_t ms)
{
    struct redial_fake *fake = REDIAL_FAKE_OF_(env);
    uint64_t end_ms = fake->now_ms; /* in 64 bits: a sanitizer may report a sum that wraps */
    if (fake->waits < REDIAL_FAKE_WAITS)
        fake->waited_ms[fake->waits] = ms;
    fake->waits++;
    if (fake->waits == fake->cancel_at_wait)
        return false;
    end_ms += ms;
    fake->now_ms = end_ms & UINT32_MAX;
    return true;
}

/* Sets the time and random to 0. No wait is cancelled, and nothing is held. Do not move the fake
   afterwards. */
REDIAL_INLINE_ void redial_fake_init(struct redial_fake *fake)
{
    static struct redial_fake zero; /* without an initialiser, which would be another in C++ */
    *fake = zero;
    fake->env.now_ms = redial_fake_now_;
    fake->env.wait_ms = redial_fake_wait_;
    fake->env.random = redial_fake_random_;
    fake->env.port = fake;
}

#ifdef __cplusplus
REDIAL_INLINE_END_
#endif

#endif
