/* src/system_posix.c over an operating system that follows a script: the order and the arguments of its calls, to the
   nanosecond, and what it does when the system refuses. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#ifdef __linux__
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "support.h"
#include "uniform.h"

#include "../../src/system.h"

#define NS_PER_S 1000000000

/* ---- the scripted system ---- */

static struct {
    bool real_clocks;                      /* read the real clocks; otherwise: */
    struct timespec monotonic, date;       /* they move only in a sleep */
    unsigned clock_refused_at;             /* this reading of the clock and all after it fail; 0: none */
    int sleep_refused;                     /* the error that every sleep ends with at once; 0: none */
    unsigned interruptions;                /* how many sleeps a signal ends 1 ns after they began */
    struct timespec awake;                 /* when a sleep ends; 0: at its end */
    unsigned cancel_at;                    /* this call of `cancelled` returns true; 0: none */
    enum { WHOLE, SHORT, REFUSED } entropy;
    uint32_t bits;                         /* what the entropy source gives */
} os;

static char calls[200];              /* c: clock read, s: sleep, a: cancelled asked, r: entropy drawn */
static struct timespec ends[100];    /* until when each sleep was asked for */
static unsigned sleeps;

static unsigned called(char what)
{
    unsigned count = 0;
    const char *at;
    for (at = calls; *at; at++)
        count += *at == what;
    return count;
}

static void note(char call)
{
    size_t length = strlen(calls);
    if (!os.real_clocks && length + 1 < sizeof calls)   /* real clocks are also read by threads */
        calls[length] = call;
}

static int scripted_clock_gettime(clockid_t clock, struct timespec *now)
{
    note('c');
    assert_true(clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME);
    if (os.real_clocks)
        return clock_gettime(clock, now);
    if (os.clock_refused_at && called('c') >= os.clock_refused_at)
        return errno = EINVAL, -1;   /* and *now stays as it was, which is not initialised */
    *now = clock == CLOCK_MONOTONIC ? os.monotonic : os.date;
    return 0;
}

static int sleep_until_end(struct timespec end)
{
    note('s');
    assert_true(sleeps < sizeof ends / sizeof *ends);
    assert_true(end.tv_nsec >= 0 && end.tv_nsec < NS_PER_S);
    ends[sleeps++] = end;
    if (os.sleep_refused)
        return os.sleep_refused;
    if (os.interruptions == 0) {
        os.monotonic = os.awake.tv_sec ? os.awake : end;
        return 0;
    }
    os.interruptions--;
    os.monotonic.tv_nsec++;
    return EINTR;
}

#ifdef SCRIPTED_RELATIVE

static int scripted_nanosleep(const struct timespec *duration, struct timespec *left)
{
    struct timespec end = *duration;
    assert_null(left);
    assert_true(end.tv_nsec >= 0 && end.tv_nsec < NS_PER_S);
    assert_true(end.tv_sec > 0 || (end.tv_sec == 0 && end.tv_nsec > 0));
    end.tv_sec += os.monotonic.tv_sec;
    end.tv_nsec += os.monotonic.tv_nsec;
    if (end.tv_nsec >= NS_PER_S) {
        end.tv_nsec -= NS_PER_S;
        end.tv_sec++;
    }
    errno = sleep_until_end(end);
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

static int scripted_clock_nanosleep(clockid_t clock, int flags, const struct timespec *end, struct timespec *left)
{
    assert_true(clock == CLOCK_MONOTONIC);
    assert_int_equal(flags, TIMER_ABSTIME);
    assert_null(left);
    return sleep_until_end(*end);
}

static long scripted_getrandom(void *memory, size_t size, unsigned flags)
{
    note('r');
    assert_int_equal(size, sizeof os.bits);
    assert_int_equal(flags, GRND_NONBLOCK);
    if (os.entropy == REFUSED) {
        errno = ENOSYS;
        return -1;
    }
    memcpy(memory, &os.bits, size);
    errno = EAGAIN;
    return os.entropy == SHORT ? 3 : (long)size;
}

#ifdef __linux__
/* A thread's id is the real one. */
static long scripted_syscall(long number, ...)
{
    va_list arguments;
    void *memory;
    size_t size;
    unsigned flags;
    if (number == SYS_gettid)
        return syscall(number);
    assert_int_equal(number, SYS_getrandom);
    va_start(arguments, number);
    memory = va_arg(arguments, void *);
    size = va_arg(arguments, size_t);
    flags = va_arg(arguments, unsigned);
    va_end(arguments);
    return scripted_getrandom(memory, size, flags);
}
#endif

static uint64_t mixed_from[5];          /* what went into the last mix, and its address */
static uintptr_t mixed_at;

static uint32_t noted_mix(const uint64_t *from, unsigned count)
{
    assert_int_equal(count, LENGTH(mixed_from));
    if (!os.real_clocks) {
        memcpy(mixed_from, from, sizeof mixed_from);
        mixed_at = (uintptr_t)from;
    }
    return redial_mix(from, count);
}

#define redial_mix noted_mix
#define clock_nanosleep scripted_clock_nanosleep
#ifdef __linux__
#define syscall scripted_syscall
#else
#define getrandom scripted_getrandom
#endif

#endif

#define clock_gettime scripted_clock_gettime
#define redial_system scripted_system
const struct redial_env *scripted_system(void);
#include "../../src/system_posix.c"
#undef clock_gettime
#undef syscall

/* ---- the start of every test ---- */

#define KEPT 4321

static int errno_is_kept(void **state)
{
    assert_int_equal(errno, KEPT);
    return 0;
}

static int start(void **state)
{
    errno = KEPT;
    memset(&os, 0, sizeof os);
    memset(calls, 0, sizeof calls);
    sleeps = 0;
    os.monotonic.tv_sec = 1000;
    return 0;
}

static bool ask(const struct redial_env *env)
{
    (void)env;
    note('a');
    return called('a') == os.cancel_at;
}

static bool wait_uncancelled(uint32_t ms)
{
    return scripted_system()->wait_ms(scripted_system(), ms);
}

static bool wait_asking(uint32_t ms)
{
    struct redial_env env = *scripted_system();
    env.cancelled = ask;
    return env.wait_ms(&env, ms);
}

static void assert_end(unsigned i, time_t s, long ns)
{
    assert_true(i < sleeps);
    assert_true(ends[i].tv_sec == s);
    assert_true(ends[i].tv_nsec == ns);
}

/* ---- the clock ---- */

TEST(the_clock_counts_whole_ms_and_wraps)
{
    const struct redial_env *env = scripted_system();
    os.date.tv_sec = 77;
    os.monotonic.tv_nsec = 999999;
    assert_true(env->now_ms(env) == 1000000);
    os.monotonic.tv_nsec = 1000000;
    assert_true(env->now_ms(env) == 1000001);
    os.monotonic.tv_nsec = 999999999;
    assert_true(env->now_ms(env) == 1000999);
    os.monotonic.tv_sec = 4294967;   /* 2^32 ms are 4294967.296 s */
    os.monotonic.tv_nsec = 295999999;
    assert_true(env->now_ms(env) == UINT32_MAX);
    os.monotonic.tv_nsec = 296000000;
    assert_true(env->now_ms(env) == 0);
}

TEST(without_a_clock_the_time_is_0)
{
    os.clock_refused_at = 1;
    assert_int_equal(scripted_system()->now_ms(scripted_system()), 0);
}

/* ---- waiting ---- */

TEST(without_a_clock_a_wait_fails_at_once)
{
    os.clock_refused_at = 1;
    assert_false(wait_uncancelled(UINT32_MAX));
    assert_string_equal(calls, "c");
}

TEST(a_wait_fails_when_the_clock_is_refused_after_a_sleep)
{
    os.clock_refused_at = 2;
    assert_false(wait_uncancelled(1));
    assert_string_equal(calls, "csc");
}

TEST(a_wait_fails_at_once_when_sleep_is_refused)
{
    static const int errors[] = { EPERM, ENOSYS, EINVAL };
    size_t i;
    for (i = 0; i < LENGTH(errors); i++) {
        start(state);
        os.sleep_refused = errors[i];
        assert_false(wait_uncancelled(1));
        assert_false(wait_asking(1000));
        assert_string_equal(calls, "cscs");
    }
}

TEST(a_wait_of_0_ms_neither_sleeps_nor_asks_cancelled)
{
    os.cancel_at = 1;
    assert_true(wait_asking(0));
    assert_int_equal(called('s') + called('a'), 0);
}

TEST(a_wait_sleeps_once_until_its_exact_end)
{
    static const struct { long from_ns; uint32_t ms; time_t s; long ns; } waits[] = {
        { 0, 1, 1000, 1000000 },
        { 1, 999, 1000, 999000001 },
        { 0, 1000, 1001, 0 },
        { 998999999, 1, 1000, 999999999 },
        { 999000000, 1, 1001, 0 },
        { 999999999, 1, 1001, 999999 },
        { 999999999, 59999, 1060, 998999999 },
        { 0, UINT32_MAX, 1000 + 4294967, 295000000 },
    };
    size_t i;
    for (i = 0; i < sizeof waits / sizeof *waits; i++) {
        start(state);
        os.monotonic.tv_nsec = waits[i].from_ns;
        assert_true(wait_uncancelled(waits[i].ms));
        assert_int_equal(sleeps, 1);
        assert_end(0, waits[i].s, waits[i].ns);
    }
}

TEST(a_wait_that_wakes_late_is_over)
{
    os.monotonic.tv_nsec = 500000000;
    os.awake.tv_sec = 1001;   /* 0 ns, which is less than the ns of the end */
    os.cancel_at = 1;
    assert_true(wait_asking(20));
    assert_int_equal(sleeps, 1);
    assert_end(0, 1000, 520000000);
}

TEST(an_interrupted_wait_goes_on_to_the_same_end)
{
    unsigned i;
    os.interruptions = 40;
    assert_true(wait_uncancelled(5000));
    assert_int_equal(sleeps, 41);
    for (i = 0; i < sleeps; i++)
        assert_end(i, 1005, 0);
}

TEST(after_a_signal_cancelled_is_asked_before_it_sleeps_again)
{
    char *call;
    os.interruptions = 5;
    assert_true(wait_asking(20));
    assert_int_equal(called('s'), 6);
    assert_int_equal(called('a'), 5);
    for (call = strchr(calls, 's'); strchr(call + 1, 's'); call = strchr(call + 1, 's'))
        assert_true(strchr(call, 'a') < strchr(call + 1, 's'));
}

TEST(a_wait_asks_cancelled_every_25_ms_but_not_at_its_end)
{
    assert_true(wait_asking(75));
    assert_int_equal(sleeps, 3);
    assert_end(0, 1000, 25000000);
    assert_end(1, 1000, 50000000);
    assert_end(2, 1000, 75000000);
    assert_int_equal(called('a'), 2);
}

TEST(the_last_sleep_of_a_wait_ends_with_the_wait)
{
    os.monotonic.tv_nsec = 980000000;
    assert_true(wait_asking(26));
    assert_int_equal(sleeps, 2);
    assert_end(0, 1001, 5000000);
    assert_end(1, 1001, 6000000);
}

TEST(a_cancelled_wait_does_not_sleep_again)
{
    unsigned at;
    for (at = 1; at <= 39; at++) {
        start(state);
        os.cancel_at = at;
        assert_false(wait_asking(1000));
        assert_int_equal(called('a'), at);
        assert_int_equal(sleeps, at);
        assert_end(at - 1, 1000 + (time_t)at * 25 / 1000, (long)at * 25 % 1000 * 1000000);
    }
    start(state);
    os.cancel_at = 40;   /* the wait is over before it would be asked again */
    assert_true(wait_asking(1000));
}

/* ---- randomness ---- */

static uint32_t draw(void)
{
    uint32_t (*volatile random)(const struct redial_env *env) = scripted_system()->random;
    return random(scripted_system());
}

TEST(every_random_number_comes_from_the_system)
{
    static const uint32_t bits[] = { 0, 1, 0x12345678, 0x80000000, UINT32_MAX };
    size_t i;
    for (i = 0; i < sizeof bits / sizeof *bits; i++) {
        os.bits = bits[i];
        assert_true(draw() == bits[i]);
        assert_int_equal(called('r'), i + 1);
    }
    assert_int_equal(called('c'), 0);
}

#ifndef SCRIPTED_RELATIVE

static void assert_random_without_entropy(void)
{
    os.real_clocks = true;
    assert_true(draw() != draw());
    assert_uniform(draw, 20000);
    assert_differs_between_processes(draw);
    assert_differs_between_threads(draw);
}

TEST(when_entropy_is_refused_the_bits_are_uniform_and_differ_between_processes_and_threads)
{
    os.entropy = REFUSED;
    assert_random_without_entropy();
}

TEST(when_entropy_is_short_the_bits_are_uniform_and_differ_between_processes_and_threads)
{
    os.entropy = SHORT;
    assert_random_without_entropy();
}

TEST(without_entropy_only_clocks_thread_and_stack_are_mixed)
{
    os.entropy = REFUSED;
    os.monotonic.tv_nsec = 123;
    os.date.tv_sec = 456;
    os.date.tv_nsec = 789;
    draw();
    assert_true(mixed_from[0] == 123 && mixed_from[1] == 789 && mixed_from[2] == 456);
#ifdef __linux__
    assert_true(mixed_from[3] == (uint64_t)syscall(SYS_gettid));
#endif
    assert_true(mixed_from[4] == mixed_at);
    os.clock_refused_at = 1;
    draw();
    assert_true(mixed_from[0] == 0 && mixed_from[1] == 0 && mixed_from[2] == 0);
}

TEST(without_entropy_and_clocks_only_thread_and_stack_are_mixed)
{
    os.entropy = REFUSED;
    os.clock_refused_at = 1;
    draw();
    assert_true(mixed_from[0] == 0 && mixed_from[1] == 0 && mixed_from[2] == 0);
    assert_true(mixed_from[4] == mixed_at);
}

static uint32_t draw_deeper(void)
{
    volatile uint32_t more[64];
    more[0] = 0;
    return draw() + more[0];
}

/* AddressSanitizer must not move the stack, because its address is one of the sources. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_stack_use_after_return=0";
}

/* The clocks stand still except where the test moves them. An inlined call might have another stack, hence volatile. */
TEST(without_entropy_each_source_alone_makes_a_difference)
{
    draw_function *volatile here = draw, *volatile deeper = draw_deeper;
    uint32_t first;
    os.entropy = REFUSED;
    first = here();
    assert_true(here() == first);
    os.monotonic.tv_nsec++;
    assert_true(here() != first);
    os.monotonic.tv_nsec--;
    os.date.tv_nsec++;
    assert_true(here() != first);
    os.date.tv_nsec--;
    os.date.tv_sec++;
    assert_true(here() != first);
    os.date.tv_sec--;
    assert_true(here() == first);
    assert_true(deeper() != first);
    assert_differs_between_processes(draw);   /* the id of the thread differs */
}

#endif

/* ---- the env ---- */

TEST(the_system_env_has_no_hooks_and_no_data)
{
    const struct redial_env *env = scripted_system();
    assert_true(!env->cancelled && !env->on_wait);
    assert_null(env->port);
    assert_null(env->user);
}

/* ---- a whole run ---- */

static struct redial_outcome fail_until(void *user, const struct redial_attempt *attempt)
{
    const unsigned *good = user;
    return attempt->number < *good ? redial_http(503, 0) : redial_http(200, 0);
}

TEST(a_success_at_the_first_attempt_only_reads_the_clock)
{
    const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    unsigned good = 1;
    assert_int_equal(redial_run(&policy, scripted_system(), fail_until, &good, NULL), REDIAL_DONE);
    assert_string_equal(calls, "cc");
}

TEST(each_retry_takes_random_bits_once_and_sleeps_once)
{
    const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    unsigned good = 4;
    assert_int_equal(redial_run(&policy, scripted_system(), fail_until, &good, NULL), REDIAL_DONE);
    assert_int_equal(called('r'), 3);
    assert_int_equal(called('s'), 3);
    assert_end(2, 1007, 0);
}

TEST(without_a_clock_a_run_ends_as_cancelled_when_it_should_wait)
{
    const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    unsigned good = 2;
    os.clock_refused_at = 1;
    assert_int_equal(redial_run(&policy, scripted_system(), fail_until, &good, NULL), REDIAL_CANCELLED);
}

int main(void)
{
    return run_all_with(start, errno_is_kept, NULL, NULL);
}
