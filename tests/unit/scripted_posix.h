/* The POSIX functions that src/system_posix.c calls, as the script of test_system_scripted.c has
   them. A tick is a nanosecond. SPDX-License-Identifier: MIT */
#define SOURCES 5                      /* which the bits are mixed of without entropy */
#define LONGEST_SLEEP_MS UINT32_MAX    /* where `cancelled` is not asked */
#define LATE_MS 0                      /* a wait is exact */

static int scripted_clock_gettime(clockid_t clock, struct timespec *now)
{
    int64_t ns = clock == CLOCK_MONOTONIC ? os.ticks : os.date;
    note('c');
    assert_true(clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME);
    if (os.clock_refused_at && called('c') >= os.clock_refused_at)
        return errno = EINVAL, -1;   /* and *now stays as it was, which is not initialised */
    now->tv_sec = (time_t)(ns / NS_PER_S);
    now->tv_nsec = (long)(ns % NS_PER_S);
    return 0;
}

static int scripted_sleep(const struct timespec *time, int64_t from)
{
    assert_true(time->tv_nsec >= 0 && time->tv_nsec < NS_PER_S);
    if (sleep_ticks(time->tv_sec * (int64_t)NS_PER_S + time->tv_nsec - from))
        return os.sleep_refused;
    return EINTR;
}

#ifdef SCRIPTED_RELATIVE

static int scripted_nanosleep(const struct timespec *duration, struct timespec *left)
{
    assert_null(left);
    errno = scripted_sleep(duration, 0);
    return errno ? -1 : 0;
}

static uint32_t scripted_arc4random(void)
{
    note('r');
    return os.bits;
}

#define nanosleep scripted_nanosleep
#define arc4random scripted_arc4random
#ifndef __OpenBSD__
#define __OpenBSD__ 1   /* all headers have been included */
#endif

#else

static int scripted_clock_nanosleep(clockid_t clock, int flags, const struct timespec *end,
                                    struct timespec *left)
{
    assert_true(clock == CLOCK_MONOTONIC);
    assert_int_equal(flags, TIMER_ABSTIME);
    assert_null(left);
    return scripted_sleep(end, os.ticks);
}

static long scripted_getrandom(void *memory, size_t size)
{
    note('r');
    assert_int_equal(size, sizeof os.bits);
    errno = ENOSYS;
    if (os.entropy == REFUSED)
        return -1;
    memcpy(memory, &os.bits, size);
    return os.entropy == SHORT ? 3 : (long)size;
}

#ifdef SCRIPTED_GETENTROPY

static int scripted_getentropy(void *memory, size_t size)
{
    return scripted_getrandom(memory, size) == (long)size ? 0 : -1;
}

#define getentropy scripted_getentropy
#undef __linux__   /* all headers have been included */

#else

static long scripted_syscall(long number, ...)
{
    va_list arguments;
    void *memory;
    size_t size;
    if (number == SYS_gettid)
        return (long)os.thread;
    assert_int_equal(number, SYS_getrandom);
    va_start(arguments, number);
    memory = va_arg(arguments, void *);
    size = va_arg(arguments, size_t);
    number = scripted_getrandom(memory, size);
    assert_int_equal(va_arg(arguments, unsigned), GRND_NONBLOCK);
    va_end(arguments);
    return number;
}
#define syscall scripted_syscall

#endif
#define clock_nanosleep scripted_clock_nanosleep

#endif

#define clock_gettime scripted_clock_gettime
#define redial_mix_ noted_mix
#include "../../src/system_posix.c"
#undef redial_mix_
