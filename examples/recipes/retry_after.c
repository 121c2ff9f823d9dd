/* What a server that is full answers, so that the clients that it refuses come back one after
   another, at the rate that it takes. SPDX-License-Identifier: MIT

   Each refused client is given the next free slot. If all were told the same time, all would be
   back at that time. A client of redial is there at the time that it was told or up to a second
   later (WIDE and ADDED with a base of a second), so that those of one second do not come at once.

       static struct slots slots = { .rate = 1000 };
       ...
       if (full)   // 429, or 503
           set_header("Retry-After", next_slot_s(&slots, my_clock_ms()));

   Threads may share the slots. now_ms is any free-running counter, as everywhere in redial. */
#include <stdatomic.h>
#include <stdint.h>

#define SLOTS_MOST_S 300u       /* a longer Retry-After ends a call of redial by default */

struct slots {
    uint32_t rate;              /* requests per second that the server takes: 1.. */
    _Atomic uint64_t last_us;   /* the slot that was given last; zero-initialised */
};

/* How far ahead of now the last slot is. One that is further ahead than any that was given has
   passed: the counter of milliseconds wraps. */
static uint64_t slots_ahead_us(uint64_t last_us, uint32_t now_ms)
{
    uint32_t ahead_ms = (uint32_t)(last_us / 1000) - now_ms;
    if (last_us == 0 || ahead_ms > 2 * SLOTS_MOST_S * 1000)
        return 0;
    return (uint64_t)ahead_ms * 1000 + last_us % 1000;
}

uint32_t next_slot_s(struct slots *slots, uint32_t now_ms);

/* The whole seconds for the Retry-After of a client that is refused now: 1 to 300. When the slots
   of the next five minutes are given, all others are told 300. */
uint32_t next_slot_s(struct slots *slots, uint32_t now_ms)
{
    uint64_t last_us = atomic_load(&slots->last_us), ahead_us;
    uint32_t step_us = slots->rate < 1000000 ? 1000000 / slots->rate : 1;
    do {
        ahead_us = slots_ahead_us(last_us, now_ms) + step_us;
        if (ahead_us > SLOTS_MOST_S * 1000000)
            return SLOTS_MOST_S;
    } while (!atomic_compare_exchange_weak(&slots->last_us, &last_us,
                                           (uint64_t)now_ms * 1000 + ahead_us));
    return (uint32_t)((ahead_us + 999999) / 1000000);
}
