/* The clock and the wait of an env whose time goes on while a laptop sleeps: set now_ms and wait_ms
   of a copy of *redial_system() to them. SPDX-License-Identifier: MIT */
#include <redial.h>
#include <time.h>

#ifndef CLOCK_BOOTTIME
#define CLOCK_BOOTTIME CLOCK_MONOTONIC   /* that of macOS goes on */
#endif

uint32_t boot_ms(const struct redial_env *env)
{
    struct timespec now = { 0, 0 };
    (void)env;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000);
}

/* In slices of a second, because redial_system's wait stands still with its clock. */
bool boot_wait(const struct redial_env *env, uint32_t ms)
{
    uint32_t start_ms = boot_ms(env), past_ms = 0;
    while (past_ms < ms && redial_system()->wait_ms(env, ms - past_ms < 1000 ? ms - past_ms : 1000))
        past_ms = boot_ms(env) - start_ms;
    return past_ms >= ms;
}
