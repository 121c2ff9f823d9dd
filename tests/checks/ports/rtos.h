/* Stubs of what the ports use of ESP-IDF and of Zephyr, on a clock that advances only in a sleep, at any tick rate.
   SPDX-License-Identifier: MIT */
#ifndef RTOS_H
#define RTOS_H

#include <stdint.h>

extern int64_t fake_ns, fake_hz;
extern uint32_t fake_sleeps;

/* Sleeps to the next tick and then ticks - 1 more, as real-time systems do. */
void fake_sleep(uint32_t ticks);

typedef uint32_t TickType_t;
#define configTICK_RATE_HZ ((TickType_t)fake_hz)
#define vTaskDelay(ticks) fake_sleep(ticks)
#define esp_timer_get_time() (fake_ns / 1000)
#define esp_random() UINT32_C(0x89abcdef)

typedef uint32_t k_ticks_t;
typedef struct { k_ticks_t ticks; } k_timeout_t;
#define K_TICKS(number) ((k_timeout_t){ number })
#define k_uptime_get_32() ((uint32_t)(fake_ns / 1000000))
#define k_uptime_ticks() (fake_ns / (1000000000 / fake_hz))
#define k_ms_to_ticks_ceil64(ms) (((uint64_t)(ms) * (uint64_t)fake_hz + 999) / 1000)
#define k_sleep(timeout) fake_sleep((timeout).ticks + 1)   /* at least as long as asked: a tick has begun already */
#define sys_rand32_get() UINT32_C(0x89abcdef)

#endif
