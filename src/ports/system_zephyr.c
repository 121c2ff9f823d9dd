/* redial_system on Zephyr 3.5 or later. SPDX-License-Identifier: MIT */
#include "system.h"

#include <zephyr/kernel.h>
#include <zephyr/random/random.h>

static uint64_t uptime_ms(void)
{
    return (uint64_t)k_uptime_get();
}

static void sleep_ms(uint32_t ms)
{
    k_msleep((int32_t)ms);
}

static uint32_t system_now(const struct redial_env *env)
{
    (void)env;
    return (uint32_t)uptime_ms();
}

/* The uptime is that of the last tick, in whole milliseconds. */
static bool system_wait(const struct redial_env *env, uint32_t ms)
{
    return redial_wait_by_(env, ms, k_ticks_to_ms_ceil32(1) + 1, uptime_ms, sleep_ms);
}

static uint32_t system_random(const struct redial_env *env)
{
    (void)env;
    return sys_rand32_get();
}

const struct redial_env *redial_system(void)
{
    static const struct redial_env system = {
        .now_ms = system_now,
        .wait_ms = system_wait,
        .random = system_random,
    };
    return &system;
}
