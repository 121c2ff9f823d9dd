/* redial_system on Windows. SPDX-License-Identifier: MIT */
#if defined(_WIN32) && !defined(_CRT_RAND_S)
#define _CRT_RAND_S /* for rand_s */
#endif
#include "system.h"

#ifdef _WIN32
#include <stdlib.h>
/* src/single.cmake does not rename what an indented #define defines. */
/* clang-format off */
#ifndef WIN32_LEAN_AND_MEAN /* without winsock.h, which would conflict with a later winsock2.h */
#  define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX /* without the macros min and max */
#  define NOMINMAX
#endif
/* clang-format on */
#include <windows.h>

/* Milliseconds since the machine started. Whole seconds are divided off first: the counter times 1000 may overflow. */
static uint64_t uptime(void)
{
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (uint64_t)(count.QuadPart / frequency.QuadPart) * 1000
           + (uint64_t)(count.QuadPart % frequency.QuadPart * 1000 / frequency.QuadPart);
}

static uint32_t system_now(const struct redial_env *env)
{
    (void)env;
    return (uint32_t)uptime();
}

/* Sleep() counts in ticks and may end before the last tick is over, so the clock is read again after it. uptime()
   rounds down, so one millisecond is added: the wait is then never too short. */
static bool system_wait(const struct redial_env *env, uint32_t ms)
{
    uint64_t now = uptime(), end = now + ms + (ms > 0);
    while (now < end) {
        uint64_t most = env->cancelled ? REDIAL_ASK_MS : 60000, left = end - now;
        Sleep((DWORD)(left < most ? left : most));
        now = uptime();
        if (now < end && env->cancelled && env->cancelled(env))
            return false;
    }
    return true;
}

static uint32_t mixed(void)
{
    LARGE_INTEGER up;
    FILETIME date;
    uint64_t sources[5];
    QueryPerformanceCounter(&up);
    GetSystemTimeAsFileTime(&date);
    sources[0] = (uint64_t)up.QuadPart;
    sources[1] = date.dwLowDateTime;
    sources[2] = date.dwHighDateTime;
    sources[3] = GetCurrentThreadId();
    sources[4] = (uint64_t)(uintptr_t)sources;
    return redial_mix(sources, sizeof sources / sizeof *sources);
}

static uint32_t system_random(const struct redial_env *env)
{
    unsigned bits;
    (void)env;
    return rand_s(&bits) == 0 ? (uint32_t)bits : mixed();
}

const struct redial_env *redial_system(void)
{
    static const struct redial_env system = { system_now, system_wait, system_random, NULL, NULL, NULL, NULL };
    return &system;
}
#endif
