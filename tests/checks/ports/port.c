/* A port waits as redial.h promises, whether its ticks are long or short. That waits are exact is
   the subject of tests/unit/test_system_scripted.c. SPDX-License-Identifier: MIT */
#include <assert.h>

#include <redial.h>

#include "rtos.h"

#define MS INT64_C(1000000)

int64_t fake_ns, fake_hz;
static uint32_t sleeps;
static bool cancel;

void fake_sleep(uint32_t ticks)
{
    int64_t tick_ns = 1000000000 / fake_hz;
    assert(ticks > 0);   /* otherwise the wait would keep the processor busy */
    fake_ns = (fake_ns / tick_ns + ticks) * tick_ns;
    sleeps++;
}

static bool cancelled(const struct redial_env *env)
{
    (void)env;
    return cancel;
}

/* A wait that nobody cancels is whole and hardly longer. Each of its sleeps may take most_ms. */
static void check_wait(bool asking, uint32_t ms, uint32_t most_ms)
{
    const int64_t begin_ns = fake_ns;
    struct redial_env env = *redial_system();
    int64_t late_ns;
    env.cancelled = asking ? cancelled : NULL;
    sleeps = 0;
    assert(env.wait_ms(&env, ms));
    late_ns = fake_ns - begin_ns - ms * MS;
    assert(late_ns >= 0 && late_ns <= 3 * MS + 3000000000 / fake_hz);
    assert(sleeps <= ms / most_ms + 3);
    fake_ns += ms % 32 * 777777;   /* the next one begins at another moment of a tick */
}

static void check_cancelled_wait(void)
{
    const int64_t begin_ns = fake_ns;
    struct redial_env env = *redial_system();
    env.cancelled = cancelled;
    cancel = true;
    assert(!env.wait_ms(&env, 60000));
    assert(fake_ns - begin_ns <= 50 * MS + 3000000000 / fake_hz);
    cancel = false;
}

int main(void)
{
    static const int64_t rates[] = { 1, 10, 100, 128, 1000, 32000, 1000000, 200000000 };
    const struct redial_env *env = redial_system();
    uint32_t rate, ms;
    for (rate = 0; rate < sizeof rates / sizeof *rates; rate++) {
        fake_hz = rates[rate];
        for (ms = 1; ms < 2000; ms++) {
            check_wait(false, ms, 10000);
            check_wait(true, ms, 25);
        }
        check_wait(false, UINT32_MAX, 10000);
        check_cancelled_wait();
    }
    fake_ns = ((int64_t)1 << 32) * MS + 7999999;
    assert(env->now_ms(env) == 7);
    assert(env->random(env) == 0x89abcdef);
    return 0;
}
