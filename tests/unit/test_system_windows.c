/* redial_system() against the real clock and randomness of Windows. SPDX-License-Identifier: MIT

   As in test_system.c, nothing depends on how late a busy machine lets a process run. Exact behaviour is the subject of
   test_system_windows_scripted.c. */
#include <stdbool.h>
#include <stdio.h>
#include <windows.h>

#include "support.h"
#include "uniform.h"

#define LONG_MS 60000   /* a test that waits this long has failed */

static const char *program;

static uint64_t ticks(void)
{
    LARGE_INTEGER count;
    assert_true(QueryPerformanceCounter(&count));
    return (uint64_t)count.QuadPart;
}

static uint64_t ticks_per_s(void)
{
    LARGE_INTEGER frequency;
    assert_true(QueryPerformanceFrequency(&frequency));
    return (uint64_t)frequency.QuadPart;
}

static uint32_t ms_of(uint64_t at)
{
    return (uint32_t)(at / ticks_per_s() * 1000 + at % ticks_per_s() * 1000 / ticks_per_s());
}

/* ---- the clock ---- */

TEST(redial_system_always_returns_the_same_env_without_hooks)
{
    const struct redial_env *env = redial_system();
    assert_ptr_equal(env, redial_system());
    assert_true(env->now_ms && env->wait_ms && env->random);
    assert_false(env->cancelled || env->on_wait);
}

TEST(the_clock_is_the_monotonic_one_in_whole_ms)
{
    const struct redial_env *env = redial_system();
    unsigned i;
    for (i = 0; i < 10000; i++) {
        uint32_t before = ms_of(ticks()), now = env->now_ms(env), after = ms_of(ticks());
        assert_true(now - before <= after - before);   /* between the two, even if the clock wraps */
    }
}

/* ---- waiting ---- */

static unsigned asked, cancel_at;   /* 0: never */
static uint64_t asked_at[32];

static bool ask(const struct redial_env *env)
{
    (void)env;
    if (asked < LENGTH(asked_at))
        asked_at[asked] = ticks();
    return ++asked == cancel_at;
}

static struct redial_env asking(unsigned cancel)
{
    struct redial_env env = *redial_system();
    env.cancelled = ask;
    asked = 0;
    cancel_at = cancel;
    return env;
}

static void assert_waits_are_whole(const struct redial_env *env)
{
    uint32_t ms;
    for (ms = 0; ms <= 50; ms++) {
        uint32_t now = env->now_ms(env);
        uint64_t start = ticks();
        assert_true(env->wait_ms(env, ms));
        assert_true((ticks() - start) * 1000 >= ms * ticks_per_s());
        assert_true(env->now_ms(env) - now >= ms);
    }
}

TEST(a_wait_never_ends_early)
{
    assert_waits_are_whole(redial_system());
}

TEST(a_wait_that_could_be_cancelled_never_ends_early)
{
    struct redial_env env = asking(0);
    assert_waits_are_whole(&env);
    assert_true(asked > 0);
}

TEST(a_wait_asks_cancelled_within_50_ms_and_ends_when_told)
{
    struct redial_env env = asking(20);
    uint64_t least = UINT64_MAX, start = ticks();
    unsigned i;
    assert_false(env.wait_ms(&env, LONG_MS));
    assert_int_equal(asked, 20);
    assert_true((ticks() - start) / ticks_per_s() < LONG_MS / 2000);
    for (i = 1; i < asked; i++)
        if (asked_at[i] - asked_at[i - 1] < least)
            least = asked_at[i] - asked_at[i - 1];
    assert_true(least * 1000 <= 50 * ticks_per_s());   /* a busy machine only adds time, so the least counts */
    assert_true(least * 1000 >= 5 * ticks_per_s());    /* it sleeps in between */
}

/* ---- randomness ---- */

static uint32_t draw(void)
{
    return redial_system()->random(redial_system());
}

TEST(the_random_bits_are_uniform)
{
    assert_uniform(draw, 65536);
}

static void print_draws(void)
{
    unsigned i;
    for (i = 0; i < DRAWS; i++)
        printf("%u\n", (unsigned)draw());
}

static void draw_in_another_process(uint32_t sequence[DRAWS])
{
    char command[600];
    unsigned i, number;
    FILE *child;
    assert_true(snprintf(command, sizeof command, "%s draw", program) < (int)sizeof command);
    child = _popen(command, "r");
    assert_non_null(child);
    for (i = 0; i < DRAWS; i++) {
        assert_int_equal(fscanf(child, "%u", &number), 1);
        sequence[i] = number;
    }
    assert_int_equal(_pclose(child), 0);
}

TEST(processes_get_different_random_bits)
{
    uint32_t sequences[3][DRAWS];
    draw_sequence(draw, sequences[0]);
    draw_in_another_process(sequences[1]);
    draw_in_another_process(sequences[2]);
    assert_pairwise_different(sequences, 3);
}

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 1) {
        print_draws();
        return 0;
    }
    return run_all();
}
