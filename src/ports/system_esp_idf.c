/* redial_system on ESP-IDF. SPDX-License-Identifier: MIT

   esp_random returns true random bits while Wi-Fi or Bluetooth is on, or after
   bootloader_random_enable(). */
#include "system.h"

#ifndef __unix__ /* ESP-IDF's target "linux" uses system_posix.c */
#include <esp_random.h>
#include <esp_timer.h>
#include <freertos/FreeRTOS.h>
#include <freertos/task.h>

static uint64_t redial_uptime_ms_(void)
{
    return (uint64_t)esp_timer_get_time() / 1000;
}

/* Whole ticks, rounded up: a wait with sleeps of 0 ticks would keep the processor busy. */
static void redial_sleep_ms_(uint32_t ms)
{
    vTaskDelay((TickType_t)(((uint64_t)ms * configTICK_RATE_HZ + 999) / 1000));
}

static uint32_t redial_system_now_(const struct redial_env *env)
{
    (void)env;
    return (uint32_t)redial_uptime_ms_();
}

static bool redial_system_wait_(const struct redial_env *env, uint32_t ms)
{
    return redial_wait_by_(env, ms, 1, redial_uptime_ms_, redial_sleep_ms_);
}

static uint32_t redial_system_random_(const struct redial_env *env)
{
    (void)env;
    return esp_random();
}

const struct redial_env *redial_system(void)
{
    static const struct redial_env system = {
        redial_system_now_, redial_system_wait_, redial_system_random_, NULL, NULL, NULL, NULL, NULL
    };
    return &system;
}
#endif
