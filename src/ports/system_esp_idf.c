/* redial_system on ESP-IDF. SPDX-License-Identifier: MIT

   esp_random returns true random bits while Wi-Fi or Bluetooth is on, or after
   bootloader_random_enable(). */
#include "system.h"

#ifndef __unix__ /* ESP-IDF's target "linux" uses system_posix.c */
#include <esp_random.h>
#include <esp_timer.h>
#include <freertos/FreeRTOS.h>
#include <freertos/task.h>

static uint64_t uptime_ms(void)
{
    return (uint64_t)esp_timer_get_time() / 1000;
}

/* Whole ticks, rounded up: a wait with sleeps of 0 ticks would keep the processor busy. */
static void sleep_ms(uint32_t ms)
{
    vTaskDelay((TickType_t)(((uint64_t)ms * configTICK_RATE_HZ + 999) / 1000));
}

static uint32_t system_now(const struct redial_env *env)
{
    (void)env;
    return (uint32_t)uptime_ms();
}

static bool system_wait(const struct redial_env *env, uint32_t ms)
{
    return redial_wait_by_(env, ms, 1, uptime_ms, sleep_ms);
}

static uint32_t system_random(const struct redial_env *env)
{
    (void)env;
    return esp_random();
}

const struct redial_env *redial_system(void)
{
    static const struct redial_env system = {
        .now_ms = system_now,
        .wait_ms = system_wait,
        .random = system_random,
    };
    return &system;
}
#endif
