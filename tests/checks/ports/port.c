/* Tests that a port does what redial.h promises of redial_system, on a clock of the test.
   SPDX-License-Identifier: MIT */
#include <stdio.h>

#include <redial.h>

#include "fake_clock.h"

enum { LATE_US = 30000, ASKED_WITHIN_US = 50000 };

int64_t fake_us;
uint32_t fake_sleeps;

static unsigned failed;
static int64_t asked_us, longest_us, cancel_us;

void fake_sleep(uint32_t ticks, int64_t tick_us)
{
    fake_us = (fake_us / tick_us + ticks) * tick_us;
    fake_sleeps++;
}

static void expect(bool so, const char *what, uint32_t number)
{
    if (!so)
        printf("failed: %s (%lu)\n", what, (unsigned long)number);
    failed += !so;
}

static bool is_cancelled(const struct redial_env *env)
{
    (void)env;
    if (fake_us - asked_us > longest_us)
        longest_us = fake_us - asked_us;
    asked_us = fake_us;
    return fake_us >= cancel_us;
}

/* The wait begins in the middle of a tick. */
static void begin(struct redial_env *env, bool can_be_cancelled, int64_t cancel_after_us)
{
    *env = *redial_system();
    env->cancelled = can_be_cancelled ? is_cancelled : NULL;
    fake_us = asked_us = 123456789;
    cancel_us = fake_us + cancel_after_us;
    longest_us = 0;
    fake_sleeps = 0;
}

static void a_wait_is_whole_and_sleeps(uint32_t ms, bool can_be_cancelled)
{
    struct redial_env env;
    int64_t took_us;
    begin(&env, can_be_cancelled, INT64_MAX / 2);
    expect(env.wait_ms(&env, ms), "a wait that nobody cancels ends well", ms);
    took_us = fake_us - 123456789;
    expect(took_us >= (int64_t)ms * 1000, "a wait is no shorter than asked", ms);
    expect(took_us <= (int64_t)ms * 1000 + LATE_US, "a wait is hardly longer than asked", ms);
    expect((ms == 0) == (fake_sleeps == 0), "only a wait of 0 does not sleep", ms);
    expect(longest_us <= ASKED_WITHIN_US, "the wait is asked often enough", ms);
}

static void a_cancelled_wait_ends_soon(void)
{
    struct redial_env env;
    begin(&env, true, 400000);
    expect(!env.wait_ms(&env, 60000), "a cancelled wait says so", 60000);
    expect(fake_us <= cancel_us + ASKED_WITHIN_US, "a cancelled wait ends soon", 60000);
}

static void a_wait_that_is_over_is_not_cancelled(void)
{
    struct redial_env env;
    begin(&env, true, 5000);
    expect(env.wait_ms(&env, 5), "a wait that is over is not cancelled", 5);
}

static void the_clock_wraps_after_32_bits(void)
{
    struct redial_env env = *redial_system();
    fake_us = ((int64_t)1 << 32) * 1000 + 7999;
    expect(env.now_ms(&env) == 7, "the clock wraps after 32 bits", env.now_ms(&env));
}

int main(void)
{
    static const uint32_t waits[] = { 0, 1, 9, 10, 11, 25, 26, 1000, 60001, 86400000, UINT32_MAX };
    struct redial_env env = *redial_system();
    unsigned i;
    for (i = 0; i < sizeof waits / sizeof *waits; i++) {
        a_wait_is_whole_and_sleeps(waits[i], false);
        if (waits[i] <= 86400000)
            a_wait_is_whole_and_sleeps(waits[i], true);
    }
    a_cancelled_wait_ends_soon();
    a_wait_that_is_over_is_not_cancelled();
    the_clock_wraps_after_32_bits();
    expect(env.random(&env) == 0x89abcdef, "random bits come from the system", env.random(&env));
    printf("%s\n", failed ? "the port fails" : "the port keeps its promises");
    return failed != 0;
}
