/* How late real waits end, by the system's clock; one that ends early is a failure. SPDX-License-Identifier: MIT */
#include "bench.h"
#include "redial.h"

#define MOST_WAITS 200

static double late_us(uint32_t ms)
{
    const struct redial_env *env = redial_system();
    double start = ns_of(CLOCK_MONOTONIC);
    env->wait_ms(env, ms);
    return (ns_of(CLOCK_MONOTONIC) - start) / 1e3 - ms * 1e3;
}

static int waits(uint32_t ms, int count)
{
    double us[MOST_WAITS];
    struct spread spread;
    int i, early = 0;
    for (i = 0; i < count; i++) {
        us[i] = late_us(ms);
        early += us[i] < 0;
    }
    spread = spread_of(us, (size_t)count);
    printf("%u %d %d %.0f %.0f\n", (unsigned)ms, count, early, spread.median, spread.most);
    return early;
}

int main(void)
{
    return waits(1, MOST_WAITS) + waits(10, 50) + waits(50, 20) > 0;
}
