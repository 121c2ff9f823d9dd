/* src/system_posix.c or src/system_windows.c, with the wait of src/system.h, over an operating
   system that follows a script: which calls they make, in which order, and what they do when the
   system refuses. SPDX-License-Identifier: MIT */
#include <errno.h>

#include "../common/support.h"

#include "../../src/system.h"

#define NS_PER_S 1000000000
#define MS INT64_C(1000000)   /* in ticks of a nanosecond */
#define KEPT 4321             /* errno, before and after every test */
#define MIXED 0xabcdef01      /* what mixing gives */
#define NEVER 1000

/* ---- the scripted system ---- */

static struct script {
    int64_t ticks;                /* the monotonic clock, which advances only in a sleep */
    int64_t ticks_per_s, date;
    unsigned long thread;
    unsigned interruptions;       /* so many sleeps end 1 ms after they began */
    int64_t late;                 /* the other sleeps end so many ticks too late */
    unsigned cancel_at;           /* this call of `cancelled` returns true; 0: it is NULL */
    unsigned clock_refused_at;    /* this reading of the clock and all later ones fail; 0: none */
    int sleep_refused;            /* the error that every sleep ends with; 0: none */
    enum { WHOLE, SHORT, REFUSED } entropy;
    uint32_t bits;                /* what the source of entropy gives */
} os;

static char calls[200];   /* c: clock read, s: sleep, a: cancelled asked, r: entropy drawn */

static void note(char call)
{
    size_t length = strlen(calls);
    if (length + 1 < sizeof calls)
        calls[length] = call;
}

/* False: a signal ended the sleep. */
static bool sleep_ticks(int64_t ticks)
{
    note('s');
    assert_true(ticks > 0);
    if (os.interruptions) {
        os.interruptions--;
        os.ticks += MS;
        return false;
    }
    os.ticks += ticks + os.late;
    return true;
}

static inline uint32_t scripted_mix(const uint64_t *sources, unsigned count);

#define redial_system scripted_system
#define redial_mix_ scripted_mix
const struct redial_env *scripted_system(void);
#ifdef SCRIPTED_WINDOWS
#include "scripted_windows.h"
#else
#include "scripted_posix.h"
#endif

/* test_mix.c shows what mixing does. */
static inline uint32_t scripted_mix(const uint64_t *sources, unsigned count)
{
    const uint64_t up = os.clock_refused_at ? 0 : (uint64_t)os.ticks;
    const uint64_t date = os.clock_refused_at ? 0 : (uint64_t)os.date;
    const uint64_t expected[] = { CLOCKS(up, date), os.thread, (uint64_t)(uintptr_t)sources };
    assert_int_equal(count, LENGTH(expected));
    assert_memory_equal(sources, expected, sizeof expected);
    return MIXED;
}

/* ---- the start and the end of every test ---- */

static void follow(struct script script)
{
    os = script;
    os.ticks_per_s = NS_PER_S;
    memset(calls, 0, sizeof calls);
}

static int start(void **state)
{
    errno = KEPT;
    follow((struct script){ .ticks = 0 });
    return 0;
}

static int errno_is_kept(void **state)
{
    return errno != KEPT;
}

TEST(the_system_env_has_no_hooks_and_no_data)
{
    const struct redial_env *env = scripted_system();
    assert_true(!env->cancelled && !env->on_wait && !env->hold_ms);
    assert_true(!env->port && !env->user);
}

/* ---- the clock ---- */

static uint32_t now_ms(void)
{
    return scripted_system()->now_ms(scripted_system());
}

TEST(the_clock_counts_whole_ms_of_the_monotonic_clock_and_wraps)
{
    static const struct { int64_t ticks, ticks_per_s; uint32_t ms; } rows[] = {
        { 999999, NS_PER_S, 0 },
        { 1000000, NS_PER_S, 1 },
        { 1000999999999, NS_PER_S, 1000999 },
        { 4294967295999999, NS_PER_S, UINT32_MAX },   /* 2^32 ms are 4294967.296 s */
        { 4294967296000000, NS_PER_S, 0 },
#ifdef SCRIPTED_WINDOWS
        { INT64_MAX, 10000000, 1566804069 },   /* (2^63 - 1) * 1000 / 10^7 modulo 2^32 */
        { INT64_MAX, 3579545, 68464241 },
        { 7158, 3579545, 1 },
        { 7160, 3579545, 2 },
#endif
    };
    os.date = 77 * (int64_t)NS_PER_S;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        os.ticks = rows[i].ticks;
        os.ticks_per_s = rows[i].ticks_per_s;
        assert_int_equal(now_ms(), rows[i].ms);
    }
}

/* ---- waiting ---- */

static bool ask(const struct redial_env *env)
{
    note('a');
    return --os.cancel_at == 0;
}

static bool wait_for(uint32_t ms)
{
    struct redial_env env = *scripted_system();
    env.cancelled = os.cancel_at ? ask : NULL;
    return env.wait_ms(&env, ms);
}

/* A wait of `ms`, with what rounding adds, makes these calls and ends after `after_ms`. */
static void check_wait(struct script script, uint32_t ms, const char *expected, bool whole,
                       uint32_t after_ms)
{
    follow(script);
    assert_true(wait_for(ms - ROUNDING_MS) == whole);
    assert_string_equal(calls, expected);
    assert_true(os.ticks - script.ticks == after_ms * MS);
}

TEST(a_wait_of_no_time_neither_sleeps_nor_asks_cancelled)
{
    check_wait((struct script){ .cancel_at = 0 }, ROUNDING_MS, "c", true, 0);
    check_wait((struct script){ .cancel_at = 1 }, ROUNDING_MS, "c", true, 0);
}

TEST(a_wait_asks_cancelled_often_but_not_at_its_end)
{
    static const struct { uint32_t ms; const char *calls; } rows[] = {
        { 2, "csc" }, { 24, "csc" }, { 25, "csc" }, { 26, "cscasc" }, { 50, "cscasc" },
        { 51, "cscascasc" }, { 75, "cscascasc" },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        /* Two of the waits end at the last nanosecond of a second and at the first. */
        const int64_t moments[] = { 0, 1, 37000, 500 * MS, NS_PER_S - rows[i].ms * MS - 1,
                                    NS_PER_S - rows[i].ms * MS, 999 * MS, 999999999 };
        for (size_t m = 0; m < LENGTH(moments); m++) {
            struct script script = { .ticks = moments[m] };
            check_wait(script, rows[i].ms, "csc", true, rows[i].ms);
            script.cancel_at = NEVER;
            check_wait(script, rows[i].ms, rows[i].calls, true, rows[i].ms);
        }
    }
}

TEST(after_a_signal_or_a_late_end_a_wait_goes_on_to_the_same_end)
{
    check_wait((struct script){ .interruptions = 2 }, 2000, "cscscsc", true, 2000);
    check_wait((struct script){ .interruptions = 1, .cancel_at = NEVER }, 26, "cscasc", true, 26);
    check_wait((struct script){ .late = 480 * MS, .cancel_at = NEVER }, 1000, "cscasc", true, 1010);
}

TEST(the_longest_wait_is_whole)
{
    assert_true(wait_for(UINT32_MAX));
    assert_true(os.ticks == ((int64_t)UINT32_MAX + ROUNDING_MS) * MS);
}

TEST(a_cancelled_wait_does_not_sleep_again)
{
    check_wait((struct script){ .cancel_at = 1 }, 1000, "csca", false, 25);
    check_wait((struct script){ .cancel_at = 3 }, 1000, "cscascasca", false, 75);
}

#ifdef SCRIPTED_WINDOWS

TEST(no_sleep_of_a_wait_is_too_long_for_the_system)
{
    check_wait((struct script){ .ticks = 0 }, 20000, "cscsc", true, 20000);
    check_wait((struct script){ .ticks = 0 }, 20001, "cscscsc", true, 20001);
}

#else

TEST(without_a_clock_the_time_is_zero_and_without_it_or_sleep_a_wait_fails_at_once)
{
    os.clock_refused_at = 1;
    assert_int_equal(now_ms(), 0);
    check_wait((struct script){ .clock_refused_at = 1 }, UINT32_MAX, "c", false, 0);
    check_wait((struct script){ .clock_refused_at = 2 }, 1, "csc", false, 1);
    check_wait((struct script){ .sleep_refused = EPERM }, 1, "cs", false, 1);
    check_wait((struct script){ .sleep_refused = ENOSYS }, 1000, "cs", false, 1000);
}

#endif

/* ---- randomness ---- */

static uint32_t draw(void)
{
    return scripted_system()->random(scripted_system());
}

TEST(every_random_number_comes_from_the_system)
{
    os.bits = 0x12345678;
    assert_true(draw() == 0x12345678);
    os.bits = UINT32_MAX;
    assert_true(draw() == UINT32_MAX);
    assert_string_equal(calls, "rr");
}

#ifndef SCRIPTED_RELATIVE   /* arc4random never fails */

TEST(without_entropy_the_clocks_the_thread_and_the_address_of_the_stack_are_mixed)
{
    os.ticks = 1000000000123;
    os.date = 456000000789;
    os.thread = 56;
    os.entropy = SHORT;
    assert_true(draw() == MIXED);
    os.entropy = REFUSED;
    assert_true(draw() == MIXED);
#ifndef SCRIPTED_WINDOWS
    os.clock_refused_at = 1;
    assert_true(draw() == MIXED);
#endif
}

#endif

int main(void)
{
    return run_all_with(start, errno_is_kept, NULL, NULL);
}
