/* redial_system on ESP-IDF. SPDX-License-Identifier: MIT

   esp_random returns true random bits while Wi-Fi or Bluetooth is on, or after
   bootloader_random_enable(). */
#include "system.h"

#ifndef __unix__   /* ESP-IDF's target "linux" uses system_posix.c */
#include <esp_random.h>
#include <esp_timer.h>
#include <freertos/FreeRTOS.h>
#include <freertos/task.h>

enum { LONGEST_PAUSE_US = 60000000 };

static uint32_t system_now(const struct redial_env *env)
{
    (void)env;
    return (uint32_t)(esp_timer_get_time() / 1000);
}

/* Sleeps whole ticks, rounded up. If it slept 0 ticks, the loop below would keep the processor
   busy. */
static void pause_us(int64_t us, int64_t most_us)
{
    int64_t ticks = ((us < most_us ? us : most_us) * configTICK_RATE_HZ + 999999) / 1000000;
    vTaskDelay((TickType_t)(ticks < INT32_MAX ? ticks : INT32_MAX));
}

static bool system_wait(const struct redial_env *env, uint32_t ms)
{
    int64_t end = esp_timer_get_time() + (int64_t)ms * 1000, left;
    while ((left = end - esp_timer_get_time()) > 0) {
        pause_us(left, env->cancelled ? REDIAL_ASK_MS_ * 1000 : LONGEST_PAUSE_US);
        if (esp_timer_get_time() < end && env->cancelled && env->cancelled(env))
            return false;
    }
    return true;
}

static uint32_t system_random(const struct redial_env *env)
{
    (void)env;
    return esp_random();
}

const struct redial_env *redial_system(void)
{
    static const struct redial_env system = { system_now, system_wait, system_random, NULL,
                                              NULL,       NULL,        NULL, NULL };
    return &system;
}
#endif
