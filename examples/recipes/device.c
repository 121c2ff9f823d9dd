/* A tick, random bits and an env for a device or an RTOS. SPDX-License-Identifier: MIT */
#include <redial.h>

/* Yours. FreeRTOS: configTICK_RATE_HZ, (TickType_t)-1, xTaskGetTickCount() and vTaskDelay(). */
#ifndef TICK_HZ
#define TICK_HZ 32768u        /* at most 4,000,000 */
#define TICK_MASK 0xffffffu   /* the counter has 24 bits */
#endif
uint32_t read_ticks(void);
void sleep_ticks(uint32_t ticks);
void feed_watchdog(void);

/* Milliseconds that run through all 32 bits, from a tick of any width and rate, without a 64-bit
   division. Read it at least once in each round of the counter, here in 512 s: if an attempt may
   take longer, from a timer. Call it in one task, or with interrupts off. */
uint32_t tick_ms(void)
{
    static uint32_t last, ms, part;   /* part: of the next millisecond, in 1/TICK_HZ */
    uint32_t now = read_ticks(), past = (now - last) & TICK_MASK;
    last = now;
    part += past % TICK_HZ * 1000;
    ms += past / TICK_HZ * 1000 + part / TICK_HZ;
    part %= TICK_HZ;
    return ms;
}

/* 32 random bits. Set the seed to the serial number plus what is new at each start, such as noise
   or a count. It is mixed, because seeds that are near each other would wait alike. */
static uint32_t seed;

uint32_t random_bits(void)
{
    uint32_t bits = seed += 0x9e3779b9;
    bits = (bits ^ bits >> 16) * 0x85ebca6b;
    bits = (bits ^ bits >> 13) * 0xc2b2ae35;
    return bits ^ bits >> 16;
}

/* Waits until tick_ms says so, in slices of half a second, so that the watchdog is fed, `cancelled`
   is asked and no wrap is missed. A slice that ends late makes the wait no longer. The first tick
   may come at once: so a wait has one more. */
static bool rtos_wait(const struct redial_env *env, uint32_t ms)
{
    const uint32_t one_ms = (1000 + TICK_HZ - 1) / TICK_HZ;
    uint32_t last_ms = tick_ms(), past_ms;
    uint32_t left_ms = ms == 0 || ms > UINT32_MAX - one_ms ? ms : ms + one_ms;
    for (; left_ms > 0; left_ms -= past_ms < left_ms ? past_ms : left_ms) {
        uint32_t slice_ms = left_ms < 500 ? left_ms : 500;
        if (env->cancelled && env->cancelled(env))
            return false;
        feed_watchdog();
        sleep_ticks((slice_ms * TICK_HZ + 999) / 1000);   /* pdMS_TO_TICKS may give 0 */
        past_ms = tick_ms() - last_ms;
        last_ms += past_ms;
    }
    return true;
}

static uint32_t rtos_now(const struct redial_env *env)
{
    (void)env;
    return tick_ms();
}

static uint32_t rtos_random(const struct redial_env *env)
{
    (void)env;
    return random_bits();
}

const struct redial_env rtos_env = { .now_ms = rtos_now, .wait_ms = rtos_wait,
                                     .random = rtos_random };
