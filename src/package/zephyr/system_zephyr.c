/* redial_system on Zephyr 3.5 or later. SPDX-License-Identifier: MIT */
#include "system.h"

#include <zephyr/kernel.h>
#include <zephyr/random/random.h>

enum { LONGEST_PAUSE_MS = 60000 };   /* Zephyr may keep a timeout in 32 bits of ticks */

static uint32_t system_now(const struct redial_env *env)
{
    (void)env;
    return k_uptime_get_32();
}

/* Counts ticks. The current tick is already partly over, so one is added: the wait is then never
   too short. */
static bool system_wait(const struct redial_env *env, uint32_t ms)
{
    const int64_t longest =
        (int64_t)k_ms_to_ticks_ceil64(env->cancelled ? REDIAL_ASK_MS_ : LONGEST_PAUSE_MS);
    const int64_t most = longest < INT32_MAX ? longest : INT32_MAX;
    int64_t end = k_uptime_ticks() + (int64_t)k_ms_to_ticks_ceil64(ms) + (ms > 0), left;
    while ((left = end - k_uptime_ticks()) > 0) {
        k_sleep(K_TICKS((k_ticks_t)(left < most ? left : most)));
        if (k_uptime_ticks() < end && env->cancelled && env->cancelled(env))
            return false;
    }
    return true;
}

static uint32_t system_random(const struct redial_env *env)
{
    (void)env;
    return sys_rand32_get();
}

const struct redial_env *redial_system(void)
{
    static const struct redial_env system = { system_now, system_wait, system_random, NULL,
                                              NULL,       NULL,        NULL, NULL };
    return &system;
}
