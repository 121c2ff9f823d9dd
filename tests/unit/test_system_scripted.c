/* src/system_posix.c or src/system_windows.c over an operating system that follows a script: its
   calls, their order and arguments, and what it does when the system refuses.
   SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#ifndef SCRIPTED_WINDOWS
#include <sys/types.h>
#include <time.h>
#ifndef SCRIPTED_RELATIVE   /* so it is Linux, because of the other variants' functions */
#include <pthread.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif

#include "support.h"
#include "uniform.h"

#include "../../src/system.h"

#define NS_PER_S 1000000000
#define KEPT 4321   /* errno, before and after every test */

/* ---- the scripted system ---- */

static struct {
    int64_t ticks, ticks_per_s;    /* the monotonic clock, which moves only in a sleep */
    int64_t date;
    unsigned long thread;
    unsigned clock_refused_at;     /* this reading of the clock and all after it fail; 0: none */
    int sleep_refused;             /* the error that every sleep ends with; 0: none */
    unsigned interruptions;        /* how many sleeps end a tick after they began */
    int64_t late;                  /* the other sleeps end so many ticks too late */
    unsigned cancel_at;            /* this call of `cancelled` returns true; 0: none */
    enum { WHOLE, SHORT, REFUSED } entropy;
    uint32_t bits;                 /* what the entropy source gives */
} os;

static char calls[200];            /* c: clock, s: sleep, a: cancelled was asked, r: entropy */
static int64_t longest;            /* the sleep that was asked for */
static uint64_t mixed_from[5];     /* what went into the last mix, and its address */
static uintptr_t mixed_at;

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
    if (length + 1 < sizeof calls)
        calls[length] = call;
}

static inline int64_t ticks_of(uint64_t ms)
{
    return (int64_t)ms * os.ticks_per_s / 1000;
}

/* False: a signal ended the sleep. */
static bool sleep_ticks(int64_t ticks)
{
    note('s');
    assert_true(ticks > 0);
    if (longest < ticks)
        longest = ticks;
    if (os.interruptions) {
        os.interruptions--;
        os.ticks++;
        return false;
    }
    os.ticks += ticks + os.late;
    return true;
}

static inline uint32_t noted_mix(const uint64_t *from, unsigned count)
{
    memcpy(mixed_from, from, count * sizeof *from);
    mixed_at = (uintptr_t)from;
    return redial_mix_(from, count);
}

#define redial_system scripted_system
const struct redial_env *scripted_system(void);
#ifdef SCRIPTED_WINDOWS
#include "scripted_windows.h"
#else
#include "scripted_posix.h"
#endif

/* ---- the start and the end of every test ---- */

static int start(void **state)
{
    errno = KEPT;
    memset(&os, 0, sizeof os);
    memset(calls, 0, sizeof calls);
    longest = 0;
    os.ticks_per_s = NS_PER_S;
    os.ticks = 1000 * os.ticks_per_s;
    return 0;
}

static int errno_is_kept(void **state)
{
    assert_int_equal(errno, KEPT);
    return 0;
}

static bool ask(const struct redial_env *env)
{
    note('a');
    return called('a') == os.cancel_at;
}

static bool wait_for(uint32_t ms, bool asking)
{
    struct redial_env env = *scripted_system();
    env.cancelled = asking ? ask : NULL;
    return env.wait_ms(&env, ms);
}

static uint32_t draw(void)
{
    return scripted_system()->random(scripted_system());
}

TEST(the_system_env_has_no_hooks_and_no_data)
{
    const struct redial_env *env = scripted_system();
    assert_true(!env->cancelled && !env->on_wait && !env->port && !env->user);
}

/* ---- the clock ---- */

TEST(the_clock_counts_whole_ms_of_the_monotonic_clock_and_wraps)
{
    static const struct { int64_t ticks, ticks_per_s; uint32_t ms; } rows[] = {
        { 999999, NS_PER_S, 0 },
        { 1000000, NS_PER_S, 1 },
        { 1000999999999, NS_PER_S, 1000999 },
        { 4294967295999999, NS_PER_S, UINT32_MAX },   /* 2^32 ms are 4294967.296 s */
        { 4294967296000000, NS_PER_S, 0 },
#ifdef SCRIPTED_WINDOWS
        { 9999, 10000000, 0 },
        { 10000, 10000000, 1 },
        { INT64_MAX, 10000000, 1566804069 },   /* floor((2^63 - 1) * 1000 / 10^7) modulo 2^32 */
        { INT64_MAX, 3579545, 68464241 },
        { 7158, 3579545, 1 },
        { 7160, 3579545, 2 },
#endif
    };
    os.date = 77 * (int64_t)NS_PER_S;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        os.ticks = rows[i].ticks;
        os.ticks_per_s = rows[i].ticks_per_s;
        assert_int_equal(scripted_system()->now_ms(scripted_system()), rows[i].ms);
    }
}

/* ---- waiting ---- */

TEST(a_wait_of_0_ms_neither_sleeps_nor_asks_cancelled)
{
    os.cancel_at = 1;
    assert_true(wait_for(0, true) && wait_for(0, false));
    assert_string_equal(calls, "cc");
}

/* After each sleep it reads the clock. Between two sleeps it asks `cancelled` once, but not after
   the last. */
static void assert_calls_in_order(bool asking)
{
    char expected[3 * sizeof calls] = "c";
    unsigned i, sleeps = called('s');
    for (i = 0; i < sleeps; i++)
        strcat(expected, i == 0 || !asking ? "sc" : "asc");
    assert_string_equal(calls, expected);
}

/* What the script says is set. The wait may end late by what the last sleep was late. */
static void check_wait(uint32_t ms, bool asking)
{
    const uint32_t most = asking ? 25 : LONGEST_SLEEP_MS;
    const unsigned interruptions = os.interruptions;
    const int64_t begun = os.ticks;
    int64_t waited;
    memset(calls, 0, sizeof calls);
    longest = 0;
    assert_true(wait_for(ms, asking));
    waited = os.ticks - begun;
    assert_true(waited * 1000 >= ms * os.ticks_per_s);
    assert_true((waited - os.late) * 1000 <= ((int64_t)ms + LATE_MS) * os.ticks_per_s);
    assert_calls_in_order(asking);
    if (ms > most)
        assert_true(longest == ticks_of(most));
    else
        assert_true(called('s') <= 1 + interruptions + LATE_MS);
}

TEST(a_wait_never_ends_early_and_asks_cancelled_every_25_ms_but_not_at_its_end)
{
#ifdef SCRIPTED_WINDOWS
    static const int64_t frequencies[] = { 1000, 3579545, 10000000, 2400000000 };
#else
    static const int64_t frequencies[] = { NS_PER_S };
#endif
    static const uint32_t lengths_ms[] = { 1, 2, 20, 24, 25, 26, 49, 50, 51, 75, 999, 1000, 1001 };
    static const double moments_s[] = {
        0, 1e-9, 37e-6, 0.5, 0.998999999, 0.999, 0.999000001, 0.999999999
    };
    static const struct { unsigned interruptions; double late_s; } table[] = {
        { 0, 0 }, { 1, 0 }, { 5, 0 },   /* after a signal it goes on to the same end */
        { 0, 1e-9 }, { 0, 0.48 }
    };
    for (size_t f = 0; f < LENGTH(frequencies); f++)
        for (size_t i = 0; i < LENGTH(table); i++)
            for (size_t l = 0; l < 2 * LENGTH(lengths_ms); l++)
                for (size_t m = 0; m < LENGTH(moments_s); m++) {
                    os.ticks_per_s = frequencies[f];
                    os.ticks = 1000 * frequencies[f]
                               + (int64_t)(moments_s[m] * (double)frequencies[f] + 0.5);
                    os.interruptions = table[i].interruptions;
                    os.late = (int64_t)(table[i].late_s * (double)frequencies[f] + 0.5);
                    check_wait(lengths_ms[l / 2], l % 2);
                }
}

TEST(a_long_wait_is_whole_too)
{
    check_wait(59999, false);
    check_wait(150000, false);
    assert_int_equal(called('s'), 150000 / LONGEST_SLEEP_MS + 1);
#ifndef SCRIPTED_WINDOWS
    check_wait(UINT32_MAX, false);
#endif
}

TEST(a_cancelled_wait_does_not_sleep_again)
{
    const int64_t begun = os.ticks;
    for (unsigned at = 1; at <= 39; at++) {
        start(state);
        os.cancel_at = at;
        assert_false(wait_for(1000, true));
        assert_int_equal(called('a'), at);
        assert_int_equal(called('s'), at);
        assert_true(os.ticks - begun == ticks_of(25 * at));
    }
}

#ifndef SCRIPTED_WINDOWS

TEST(without_a_clock_the_time_is_0_and_a_wait_fails_at_once)
{
    os.clock_refused_at = 1;
    assert_int_equal(scripted_system()->now_ms(scripted_system()), 0);
    assert_false(wait_for(UINT32_MAX, false));
    assert_string_equal(calls, "cc");
    start(state);
    os.clock_refused_at = 2;
    assert_false(wait_for(1, false));
    assert_string_equal(calls, "csc");
}

TEST(a_wait_fails_at_once_when_sleep_is_refused)
{
    static const int errors[] = { EPERM, ENOSYS, EINVAL };
    for (size_t i = 0; i < LENGTH(errors); i++) {
        start(state);
        os.sleep_refused = errors[i];
        assert_false(wait_for(1, false));
        assert_false(wait_for(1000, true));
        assert_string_equal(calls, "cscs");
    }
}

#endif

/* ---- randomness ---- */

TEST(every_random_number_comes_from_the_system)
{
    os.bits = 0x12345678;
    assert_true(draw() == 0x12345678);
    os.bits = UINT32_MAX;
    assert_true(draw() == UINT32_MAX);
    assert_string_equal(calls, "rr");
}

#ifndef SCRIPTED_RELATIVE   /* arc4random never fails */

static void assert_mixed(uint64_t a, uint64_t b, uint64_t c)
{
    os.thread = 56;
    assert_true(draw() == redial_mix_(mixed_from, SOURCES));
    assert_true(mixed_from[0] == a && mixed_from[1] == b && mixed_from[2] == c);
    assert_true(mixed_from[SOURCES - 1] == mixed_at);
}

/* test_internal.c shows that each source counts. */
TEST(without_entropy_the_clocks_the_thread_and_the_address_of_the_stack_are_mixed)
{
    os.ticks = 1000000000123;
    os.date = 456000000789;
#ifdef SCRIPTED_WINDOWS
    os.entropy = REFUSED;
    assert_mixed(1000000000123, 456000000789, 56);
#else
    for (os.entropy = SHORT; os.entropy <= REFUSED; os.entropy++) {
        os.clock_refused_at = 0;
        assert_mixed(123, 789, 456);
#ifdef __linux__
        assert_true(mixed_from[3] == 56);
#endif
        os.clock_refused_at = 1;
        assert_mixed(0, 0, 0);
    }
#endif
}

static uint32_t draw_later(void)
{
    os.ticks += 100;
    return draw();
}

TEST(without_entropy_the_bits_are_uniform)
{
    os.entropy = REFUSED;
    assert_uniform(draw_later, 65536);
}

#endif

int main(void)
{
    return run_all_with(start, errno_is_kept, NULL, NULL);
}
