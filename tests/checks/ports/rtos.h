/* Stubs of what the ports use of ESP-IDF and of Zephyr, on a clock that advances only in a sleep,
   at any tick rate. SPDX-License-Identifier: MIT */
#ifndef RTOS_H
#define RTOS_H

#include <stdint.h>

extern int64_t fake_ns, fake_hz;

/* Sleeps to the next tick and then ticks - 1 more, as real-time systems do. */
void fake_sleep(uint32_t ticks);

typedef uint32_t TickType_t;
#define configTICK_RATE_HZ ((TickType_t)fake_hz)
#define vTaskDelay(ticks) fake_sleep(ticks)
#define esp_timer_get_time() (fake_ns / 1000)
#define esp_random() UINT32_C(0x89abcdef)

#define k_uptime_get() (fake_ns / (1000000000 / fake_hz) * 1000 / fake_hz)
#define k_ticks_to_ms_ceil32(ticks) ((uint32_t)(((ticks) * 1000 + fake_hz - 1) / fake_hz))
/* One tick more, because the current one has begun already. */
#define k_msleep(ms) fake_sleep((uint32_t)(((ms) * fake_hz + 999) / 1000) + 1)
#define sys_rand32_get() UINT32_C(0x89abcdef)

#endif
