/* The POSIX functions that src/system_posix.c calls, as the script of test_system_scripted.c has
   them. A tick is a nanosecond. SPDX-License-Identifier: MIT */
#include <time.h>
#ifndef SCRIPTED_RELATIVE   /* so it is Linux, because of the other variants' functions */
#include <pthread.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#define ROUNDING_MS 0   /* a wait is exact */
#define CLOCKS(up, date) (up) % NS_PER_S, (date) % NS_PER_S, (date) / NS_PER_S

static int scripted_clock_gettime(clockid_t clock, struct timespec *now)
{
    int64_t ns = clock == CLOCK_MONOTONIC ? os.ticks : os.date;
    note('c');
    assert_true(clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME);
    if (os.clock_refused_at == 1)
        return errno = EINVAL, -1;   /* and *now stays as it was, which is not initialised */
    if (os.clock_refused_at)
        os.clock_refused_at--;
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
    int error = scripted_sleep(duration, 0);
    assert_null(left);
    if (error)   /* a success leaves errno alone */
        errno = error;
    return error ? -1 : 0;
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

#define clock_nanosleep scripted_clock_nanosleep

#ifdef SCRIPTED_GETENTROPY

static int scripted_getentropy(void *memory, size_t size)
{
    return scripted_getrandom(memory, size) == (long)size ? 0 : -1;
}

#define getentropy scripted_getentropy
#define pthread_self() os.thread
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
    assert_int_equal(va_arg(arguments, unsigned), GRND_NONBLOCK);
    va_end(arguments);
    return scripted_getrandom(memory, size);
}

#define syscall scripted_syscall

#endif
#endif

#define clock_gettime scripted_clock_gettime
#include "../../src/system_posix.c"
