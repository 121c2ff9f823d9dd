/* redial_system on Zephyr 3.5 or later. SPDX-License-Identifier: MIT */
#include "system.h"

#include <zephyr/kernel.h>
#include <zephyr/random/random.h>

static uint64_t redial_uptime_ms_(void)
{
    return (uint64_t)k_uptime_get();
}

static void redial_sleep_ms_(uint32_t ms)
{
    k_msleep((int32_t)ms);
}

static uint32_t redial_system_now_(const struct redial_env *env)
{
    (void)env;
    return (uint32_t)redial_uptime_ms_();
}

/* The uptime is that of the last tick, in whole milliseconds. */
static bool redial_system_wait_(const struct redial_env *env, uint32_t ms)
{
    return redial_wait_by_(env, ms, k_ticks_to_ms_ceil32(1) + 1, redial_uptime_ms_,
                           redial_sleep_ms_);
}

static uint32_t redial_system_random_(const struct redial_env *env)
{
    (void)env;
    return sys_rand32_get();
}

const struct redial_env *redial_system(void)
{
    static const struct redial_env system = {
        redial_system_now_, redial_system_wait_, redial_system_random_, NULL, NULL, NULL, NULL, NULL
    };
    return &system;
}
