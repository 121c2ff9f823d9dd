/* src/system_windows.c over a Windows that follows a script: its calls, and what it does when Windows
   refuses. SPDX-License-Identifier: MIT */
#define _CRT_RAND_S
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "support.h"
#include "uniform.h"

#include "../../src/system.h"

/* ---- the scripted system ---- */

static struct {
    int64_t ticks, ticks_per_s;   /* the clock, which moves only in a sleep */
    int64_t early;                /* how many ticks too early a sleep of more than 2 ms ends */
    uint64_t date;
    unsigned long thread;
    unsigned cancel_at;           /* this call of `cancelled` returns true; 0: none */
    bool no_entropy;
    unsigned bits;                /* what rand_s gives */
} os;

static char calls[200];           /* c: clock read, s: sleep, a: cancelled asked, r: rand_s */
static unsigned long sleeps[100];
static unsigned slept;

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

/* Windows writes 64 bits through either pointer. */
union _LARGE_INTEGER { int64_t whole; };
struct _FILETIME { uint64_t whole; };

static int scripted_counter(union _LARGE_INTEGER *count)
{
    note('c');
    count->whole = os.ticks;
    return 1;
}

static int scripted_frequency(union _LARGE_INTEGER *frequency)
{
    frequency->whole = os.ticks_per_s;
    return 1;
}

static void scripted_sleep(unsigned long ms)
{
    note('s');
    assert_true(slept < LENGTH(sleeps));
    sleeps[slept++] = ms;
    os.ticks += (int64_t)ms * os.ticks_per_s / 1000 - (ms > 2 ? os.early : 0);
}

static void scripted_date(struct _FILETIME *date)
{
    date->whole = os.date;
}

static unsigned long scripted_thread(void)
{
    return os.thread;
}

static int scripted_rand_s(unsigned *bits)
{
    note('r');
    *bits = os.bits;
    errno = ENOMEM;
    return os.no_entropy ? EINVAL : 0;
}

static uint64_t mixed_from[4];    /* what went into the last mix, and its address */
static uintptr_t mixed_at;

static uint32_t noted_mix(const uint64_t *from, unsigned count)
{
    assert_int_equal(count, LENGTH(mixed_from));
    memcpy(mixed_from, from, sizeof mixed_from);
    mixed_at = (uintptr_t)from;
    return redial_mix(from, count);
}

#define redial_mix noted_mix
#define QueryPerformanceCounter scripted_counter
#define QueryPerformanceFrequency scripted_frequency
#define Sleep scripted_sleep
#define GetSystemTimeAsFileTime scripted_date
#define GetCurrentThreadId scripted_thread
#define rand_s scripted_rand_s
#define redial_system scripted_system
const struct redial_env *scripted_system(void);
#include "as_on_windows.h"
#include "../../src/system_windows.c"
#undef redial_mix

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
    slept = 0;
    os.ticks_per_s = 10000000;
    os.ticks = 1000 * os.ticks_per_s;
    return 0;
}

static bool ask(const struct redial_env *env)
{
    (void)env;
    note('a');
    return called('a') == os.cancel_at;
}

static uint32_t read_clock(void)
{
    return scripted_system()->now_ms(scripted_system());
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

/* ---- the clock ---- */

TEST(the_clock_counts_whole_ms_and_wraps)
{
    static const struct { int64_t ticks, ticks_per_s; uint32_t ms; } rows[] = {
        { 0, 10000000, 0 },
        { 9999, 10000000, 0 },
        { 10000, 10000000, 1 },
        { 10009999, 10000000, 1000 },
        { 4294967295 * 10000 + 9999, 10000000, UINT32_MAX },
        { 4294967296 * 10000, 10000000, 0 },
        { INT64_MAX, 10000000, 1566804069 },   /* floor((2^63 - 1) * 1000 / 10^7) modulo 2^32 */
        { INT64_MAX, 3579545, 68464241 },
        { 7158, 3579545, 1 },
        { 7160, 3579545, 2 },
    };
    size_t i;
    for (i = 0; i < LENGTH(rows); i++) {
        os.ticks = rows[i].ticks;
        os.ticks_per_s = rows[i].ticks_per_s;
        assert_int_equal(read_clock(), rows[i].ms);
    }
}

/* ---- waiting ---- */

TEST(a_wait_of_0_ms_neither_sleeps_nor_asks_cancelled)
{
    os.cancel_at = 1;
    assert_true(wait_asking(0));
    assert_true(wait_uncancelled(0));
    assert_string_equal(calls, "cc");
}

TEST(a_wait_is_never_too_short_and_at_most_2_ms_too_long)
{
    static const int64_t frequencies[] = { 1000, 3579545, 10000000, 2400000000 };
    size_t i;
    uint32_t ms, offset;
    for (i = 0; i < LENGTH(frequencies); i++)
        for (ms = 1; ms < 300; ms++)
            for (offset = 0; offset < 1000; offset += 37) {
                int64_t begun, waited;
                start(state);
                os.ticks_per_s = frequencies[i];
                begun = os.ticks += offset * os.ticks_per_s / 1000000;   /* us, within a ms */
                assert_true(wait_uncancelled(ms));
                waited = (os.ticks - begun) * 1000;
                assert_true(waited >= ms * os.ticks_per_s);
                assert_true(waited <= (ms + 2) * os.ticks_per_s);   /* the clock and Sleep count whole ones */
                assert_true(slept <= 2);
            }
}

TEST(a_long_wait_sleeps_a_minute_at_a_time)
{
    const int64_t begun = os.ticks;
    assert_true(wait_uncancelled(150000));
    assert_int_equal(slept, 3);
    assert_int_equal(sleeps[0], 60000);
    assert_int_equal(sleeps[1], 60000);
    assert_true((os.ticks - begun) / (os.ticks_per_s / 1000) - 150000 <= 1);
}

TEST(a_sleep_that_ends_early_is_followed_by_another)
{
    int64_t begun, offset, early;
    for (offset = 0; offset < 10000; offset += 1111)
        for (early = 0; early < 20000; early += 999) {
            start(state);
            begun = os.ticks += offset;   /* within a ms */
            os.early = early;
            assert_true(wait_uncancelled(5));
            assert_true(os.ticks - begun >= 50000);
        }
}

TEST(a_wait_asks_cancelled_every_25_ms_but_not_at_its_end)
{
    assert_true(wait_asking(60));
    assert_int_equal(slept, 3);
    assert_int_equal(sleeps[0], 25);
    assert_int_equal(sleeps[1], 25);
    assert_int_equal(called('a'), 2);
}

TEST(a_cancelled_wait_does_not_sleep_again)
{
    unsigned at;
    for (at = 1; at <= 39; at++) {
        start(state);
        os.cancel_at = at;
        assert_false(wait_asking(1000));
        assert_int_equal(called('a'), at);
        assert_int_equal(slept, at);
    }
    start(state);
    os.cancel_at = 3;   /* the wait is over before it would be asked again */
    assert_true(wait_asking(60));
}

/* ---- randomness ---- */

static uint32_t draw(void)
{
    return scripted_system()->random(scripted_system());
}

static uint32_t draw_later(void)
{
    os.ticks += 100;
    return draw();
}

TEST(every_random_number_comes_from_the_system)
{
    static const uint32_t bits[] = { 0, 1, 0x12345678, 0x80000000, UINT32_MAX };
    size_t i;
    for (i = 0; i < LENGTH(bits); i++) {
        os.bits = bits[i];
        assert_true(draw() == bits[i]);
        assert_int_equal(called('r'), i + 1);
    }
    assert_int_equal(called('c'), 0);
}

TEST(without_entropy_time_date_thread_and_stack_are_mixed)
{
    uint32_t bits;
    os.no_entropy = true;
    os.ticks = 0x123456789a;
    os.date = 0x1dc123456789abc;
    os.thread = 56;
    bits = draw();
    assert_true(mixed_from[0] == 0x123456789a && mixed_from[1] == 0x1dc123456789abc && mixed_from[2] == 56);
    assert_true(mixed_from[3] == mixed_at);
    assert_true(bits == redial_mix(mixed_from, LENGTH(mixed_from)));
}

TEST(without_entropy_the_bits_are_uniform)
{
    os.no_entropy = true;
    assert_uniform(draw_later, 65536);
}

/* ---- the env ---- */

TEST(the_system_env_has_no_hooks_and_no_data)
{
    const struct redial_env *env = scripted_system();
    assert_true(!env->cancelled && !env->on_wait);
    assert_null(env->port);
    assert_null(env->user);
}

int main(void)
{
    return run_all_with(start, errno_is_kept, NULL, NULL);
}
