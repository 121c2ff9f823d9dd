/* A stub of Zephyr's header, with the clock of the test and a slow tick. SPDX-License-Identifier: MIT */
#include "fake_clock.h"

typedef uint32_t k_ticks_t;
typedef struct {
    k_ticks_t ticks;
} k_timeout_t;
#define K_TICKS(number) ((k_timeout_t){ number })

static inline uint32_t k_uptime_get_32(void)
{
    return (uint32_t)(fake_us / 1000);
}

static inline int64_t k_uptime_ticks(void)
{
    return fake_us / 10000;
}

static inline uint64_t k_ms_to_ticks_ceil64(uint64_t ms)
{
    return (ms + 9) / 10;
}

static inline uint32_t k_ms_to_ticks_ceil32(uint32_t ms)
{
    return (ms + 9) / 10;
}

/* At least as long as asked, because one tick has begun already. */
static inline int32_t k_sleep(k_timeout_t timeout)
{
    fake_sleep(timeout.ticks + 1, 10000);
    return 0;
}
