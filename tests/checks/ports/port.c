/* Tests that a port does what redial.h promises of redial_system, at all tick rates. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include <redial.h>

#include "rtos.h"

#define BEGIN_NS INT64_C(123456789000)   /* in the middle of a tick */
#define MS INT64_C(1000000)

int64_t fake_ns, fake_hz;
uint32_t fake_sleeps;

static unsigned failed;
static int64_t asked_ns, longest_ns, cancel_ns;

void fake_sleep(uint32_t ticks)
{
    int64_t tick_ns = 1000000000 / fake_hz;
    fake_ns = (fake_ns / tick_ns + ticks) * tick_ns;
    fake_sleeps++;
}

static void expect(bool so, const char *what, uint32_t ms)
{
    if (!so)
        printf("failed: %s (%lu ms, %lu ticks a second)\n", what, (unsigned long)ms, (unsigned long)fake_hz);
    failed += !so;
}

static bool is_cancelled(const struct redial_env *env)
{
    (void)env;
    if (fake_ns - asked_ns > longest_ns)
        longest_ns = fake_ns - asked_ns;
    asked_ns = fake_ns;
    return fake_ns >= cancel_ns;
}

/* The longest that a port may sleep before it asks, or too long. */
static int64_t slack_ns(int64_t least_ns)
{
    int64_t three_ticks = 3 * (1000000000 / fake_hz);
    return three_ticks > least_ns ? three_ticks : least_ns;
}

static bool waits(uint32_t ms, bool can_be_cancelled, int64_t cancel_after_ns)
{
    struct redial_env env = *redial_system();
    env.cancelled = can_be_cancelled ? is_cancelled : NULL;
    fake_ns = asked_ns = BEGIN_NS;
    cancel_ns = BEGIN_NS + cancel_after_ns;
    longest_ns = 0;
    fake_sleeps = 0;
    return env.wait_ms(&env, ms);
}

static void a_wait_is_whole_and_sleeps(uint32_t ms, bool can_be_cancelled)
{
    bool whole = waits(ms, can_be_cancelled, INT64_MAX / 2);
    expect(whole, "a wait that nobody cancels ends well", ms);
    expect(fake_ns - BEGIN_NS >= ms * MS, "a wait is no shorter than asked", ms);
    expect(fake_ns - BEGIN_NS <= ms * MS + slack_ns(30 * MS), "a wait is hardly longer than asked", ms);
    expect((ms == 0) == (fake_sleeps == 0), "only a wait of 0 does not sleep", ms);
    expect(fake_sleeps <= ms / 10 + 10, "a wait does not keep the processor busy", ms);
    expect(longest_ns <= slack_ns(50 * MS), "the wait is asked often enough", ms);
}

static void a_wait_can_be_cancelled_until_it_is_over(void)
{
    expect(!waits(60000, true, 400 * MS), "a cancelled wait says so", 60000);
    expect(fake_ns <= cancel_ns + slack_ns(50 * MS), "a cancelled wait ends soon", 60000);
    expect(waits(5, true, 5 * MS), "a wait that is over is not cancelled", 5);
}

int main(void)
{
    static const int64_t rates[] = { 1, 10, 100, 128, 1000, 32000, 1000000, 100000000 };
    static const uint32_t lengths[] = { 0, 1, 9, 10, 11, 25, 26, 1000, 60001, 86400000, UINT32_MAX };
    const struct redial_env *env = redial_system();
    unsigned i, rate;
    for (rate = 0; rate < sizeof rates / sizeof *rates; rate++) {
        fake_hz = rates[rate];
        for (i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            a_wait_is_whole_and_sleeps(lengths[i], false);
            if (lengths[i] <= 86400000)
                a_wait_is_whole_and_sleeps(lengths[i], true);
        }
        a_wait_can_be_cancelled_until_it_is_over();
    }
    fake_ns = ((int64_t)1 << 32) * MS + 7999999;
    expect(env->now_ms(env) == 7, "the clock wraps after 32 bits", 7);
    expect(env->random(env) == 0x89abcdef, "random bits come from the system", 0);
    printf("%s\n", failed ? "the port fails" : "the port keeps its promises");
    return failed != 0;
}
