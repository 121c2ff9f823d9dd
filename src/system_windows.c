/* redial_system on Windows. SPDX-License-Identifier: MIT */
#if defined(_WIN32) && !defined(_CRT_RAND_S)
#define _CRT_RAND_S /* for rand_s */
#endif
#include "system.h"

#ifdef _WIN32
#include <errno.h>
#include <stdlib.h>

/* windows.h is not included: a source that includes redial.c would get ERROR, DELETE, min and a
   thousand other names. These declarations agree with windows.h. It may come later, or earlier if
   _CRT_RAND_S is defined before it. */
#ifdef __cplusplus
extern "C" {
#endif
union _LARGE_INTEGER; /* NOLINT: Windows gave the name */
struct _FILETIME; /* NOLINT */
__declspec(dllimport) int __stdcall QueryPerformanceCounter(union _LARGE_INTEGER *count);
__declspec(dllimport) int __stdcall QueryPerformanceFrequency(union _LARGE_INTEGER *frequency);
__declspec(dllimport) void __stdcall GetSystemTimeAsFileTime(struct _FILETIME *date);
__declspec(dllimport) unsigned long __stdcall GetCurrentThreadId(void);
__declspec(dllimport) void __stdcall Sleep(unsigned long ms);
#ifdef __cplusplus
}
#endif

/* A LARGE_INTEGER is an int64_t, and a FILETIME the two halves of one. */
static int64_t redial_counter_(void)
{
    int64_t count;
    QueryPerformanceCounter((union _LARGE_INTEGER *)&count);
    return count;
}

/* Milliseconds since the machine started. Whole seconds and the rest are converted separately,
   because the counter times 1000 may overflow. */
static uint64_t redial_uptime_(void)
{
    int64_t count = redial_counter_(), frequency;
    QueryPerformanceFrequency((union _LARGE_INTEGER *)&frequency);
    return (uint64_t)(count / frequency) * 1000 + (uint64_t)(count % frequency * 1000 / frequency);
}

static uint32_t redial_system_now_(const struct redial_env *env)
{
    (void)env;
    return (uint32_t)redial_uptime_();
}

static void redial_sleep_(uint32_t ms)
{
    Sleep(ms);
}

static bool redial_system_wait_(const struct redial_env *env, uint32_t ms)
{
    return redial_wait_by_(env, ms, 1, redial_uptime_, redial_sleep_);
}

static uint32_t redial_weak_random_(void)
{
    uint64_t sources[4];
    sources[0] = (uint64_t)redial_counter_();
    GetSystemTimeAsFileTime((struct _FILETIME *)&sources[1]);
    sources[2] = GetCurrentThreadId();
    sources[3] = (uint64_t)(uintptr_t)sources;
    return redial_mix_(sources, sizeof sources / sizeof *sources);
}

static uint32_t redial_system_random_(const struct redial_env *env)
{
    int before = errno, error;
    unsigned bits;
    (void)env;
    error = rand_s(&bits);
    errno = before;
    return error == 0 ? (uint32_t)bits : redial_weak_random_();
}

const struct redial_env *redial_system(void)
{
    static const struct redial_env system = {
        redial_system_now_, redial_system_wait_, redial_system_random_, NULL, NULL, NULL, NULL, NULL
    };
    return &system;
}
#endif
