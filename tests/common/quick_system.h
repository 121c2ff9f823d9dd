/* The environment of the system for tests of programs: a wait is over at once, and the clock is
   that much later. A test includes the source of a program after it, with redial_system defined as
   quick_system. The program must not wait in any other way. SPDX-License-Identifier: MIT */
#include "redial.h"

static uint32_t quick_waited_ms;

static uint32_t quick_now_ms(const struct redial_env *env)
{
    (void)env;
    return redial_system()->now_ms(redial_system()) + quick_waited_ms;
}

static bool quick_wait_ms(const struct redial_env *env, uint32_t ms)
{
    quick_waited_ms += ms;
    return !env->cancelled || !env->cancelled(env);
}

/* The shortest waits. */
static uint32_t quick_random(const struct redial_env *env)
{
    (void)env;
    return 0;
}

static const struct redial_env *quick_system(void)
{
    static const struct redial_env env = { .now_ms = quick_now_ms, .wait_ms = quick_wait_ms,
                                           .random = quick_random };
    return &env;
}
