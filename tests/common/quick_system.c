/* The environment of the system for tests of programs: a wait is over at once, and the clock is
   that much later. Compile a program with -Dredial_system=quick_system. It must not wait in any
   other way. SPDX-License-Identifier: MIT */
#include "redial.h"

const struct redial_env *quick_system(void);

static uint32_t waited_ms;

static uint32_t quick_now_ms(const struct redial_env *env)
{
    (void)env;
    return redial_system()->now_ms(redial_system()) + waited_ms;
}

static bool quick_wait_ms(const struct redial_env *env, uint32_t ms)
{
    waited_ms += ms;
    return !env->cancelled || !env->cancelled(env);
}

/* The shortest waits. */
static uint32_t quick_random(const struct redial_env *env)
{
    (void)env;
    return 0;
}

const struct redial_env *quick_system(void)
{
    static struct redial_env env;
    env.now_ms = quick_now_ms;
    env.wait_ms = quick_wait_ms;
    env.random = quick_random;
    return &env;
}
