/* redial_system on POSIX. This file is empty on other systems, and on bare metal.
   SPDX-License-Identifier: MIT */
/* With strict C99, glibc and musl do not declare clock_gettime and syscall without this macro. */
#if !defined(_WIN32) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE
#endif
#include "system.h"

#if defined(__unix__) || defined(__APPLE__)
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#define REDIAL_NS_PER_MS_ 1000000
#define REDIAL_NS_PER_S_ 1000000000

/* False: the system refused, as in some sandboxes. The time is then 0. Like each function here that
   calls the system, it leaves errno as it was. */
static bool redial_read_clock_(clockid_t clock, struct timespec *time)
{
    int before = errno;
    if (clock_gettime(clock, time) == 0)
        return true;
    errno = before;
    time->tv_sec = 0;
    time->tv_nsec = 0;
    return false;
}

static uint32_t redial_system_now_(const struct redial_env *env)
{
    struct timespec now;
    (void)env;
    redial_read_clock_(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / REDIAL_NS_PER_MS_);
}

/* ---- waiting ---- */

static struct timespec redial_later_(struct timespec time, uint32_t ms)
{
    time.tv_sec += (time_t)(ms / 1000);
    time.tv_nsec += (long)(ms % 1000) * REDIAL_NS_PER_MS_;
    if (time.tv_nsec >= REDIAL_NS_PER_S_) {
        time.tv_nsec -= REDIAL_NS_PER_S_;
        time.tv_sec++;
    }
    return time;
}

static bool redial_is_before_(struct timespec a, struct timespec b)
{
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

/* Sleeps from now, which must be earlier than end, until end. A signal may end it early. False: the
   system refuses. */
static bool redial_sleep_until_(struct timespec now, struct timespec end)
{
/* macOS and OpenBSD have no clock_nanosleep. Emscripten's takes the end for a duration. */
#if defined(__APPLE__) || defined(__OpenBSD__) || defined(__EMSCRIPTEN__)
    int before = errno, error;
    end.tv_sec -= now.tv_sec;
    end.tv_nsec -= now.tv_nsec;
    if (end.tv_nsec < 0) {
        end.tv_nsec += REDIAL_NS_PER_S_;
        end.tv_sec--;
    }
    error = nanosleep(&end, NULL) == 0 ? 0 : errno;
    errno = before;
#else
    int error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL); /* sets no errno */
    (void)now;
#endif
    return error == 0 || error == EINTR;
}

/* Without a clock or a sleep the wait could never end, so it fails at once. */
static bool redial_system_wait_(const struct redial_env *env, uint32_t ms)
{
    struct timespec now, end;
    if (!redial_read_clock_(CLOCK_MONOTONIC, &now))
        return false;
    end = redial_later_(now, ms);
    while (redial_is_before_(now, end)) {
        struct timespec next = redial_later_(now, REDIAL_CANCEL_POLL_MS_);
        if (!env->cancelled || redial_is_before_(end, next))
            next = end;
        if (!redial_sleep_until_(now, next) || !redial_read_clock_(CLOCK_MONOTONIC, &now))
            return false;
        if (redial_is_before_(now, end) && env->cancelled && env->cancelled(env))
            return false;
    }
    return true;
}

/* ---- randomness ---- */

#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)

/* With _POSIX_C_SOURCE, stdlib.h does not declare it. */
#ifdef __cplusplus
extern "C" uint32_t arc4random(void);
#else
uint32_t arc4random(void);
#endif

static uint32_t redial_system_random_(const struct redial_env *env)
{
    (void)env;
    return arc4random();
}

#else

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <pthread.h>

/* POSIX has it since 2024, in unistd.h. Some systems declare it elsewhere. */
#ifdef __cplusplus
extern "C" int getentropy(void *memory, size_t size);
#else
int getentropy(void *memory, size_t size);
#endif
#endif

/* On Linux it does not block: early at boot, waiting for entropy would delay the retry. It makes
   the system call itself, because glibc before 2.25 and Android before 9 have no getrandom. Headers
   from before Linux 3.17, and dietlibc's, lack the number of the call. */
static bool redial_os_random_(uint32_t *bits)
{
    int before = errno;
#if defined(__linux__) && defined(SYS_getrandom)
    const unsigned grnd_nonblock = 1;
    bool got = syscall(SYS_getrandom, bits, sizeof *bits, grnd_nonblock) == (int)sizeof *bits;
#elif defined(__linux__)
    bool got = false;
    (void)bits;
#else
    bool got = getentropy(bits, sizeof *bits) == 0;
#endif
    errno = before;
    return got;
}

static uint64_t redial_thread_id_(void)
{
#ifdef __linux__
    return (uint64_t)syscall(SYS_gettid); /* a forked process has another one */
#else
    return (uint64_t)(uintptr_t)pthread_self();
#endif
}

static uint32_t redial_weak_random_(void)
{
    struct timespec up, date;
    uint64_t sources[5];
    redial_read_clock_(CLOCK_MONOTONIC, &up);
    redial_read_clock_(CLOCK_REALTIME, &date);
    sources[0] = (uint64_t)up.tv_nsec;
    sources[1] = (uint64_t)date.tv_nsec;
    sources[2] = (uint64_t)date.tv_sec;
    sources[3] = redial_thread_id_();
    sources[4] = (uint64_t)(uintptr_t)sources;
    return redial_mix_(sources, sizeof sources / sizeof *sources);
}

static uint32_t redial_system_random_(const struct redial_env *env)
{
    uint32_t bits = 0; /* for MemorySanitizer, which does not see that syscall() writes it */
    (void)env;
    return redial_os_random_(&bits) ? bits : redial_weak_random_();
}

#endif

const struct redial_env *redial_system(void)
{
    static const struct redial_env system = {
        redial_system_now_, redial_system_wait_, redial_system_random_, NULL, NULL, NULL, NULL, NULL
    };
    return &system;
}
#endif
