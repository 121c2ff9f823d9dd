/* A clock that goes on only while a port sleeps, or asks for the time. SPDX-License-Identifier: MIT */
#ifndef FAKE_CLOCK_H
#define FAKE_CLOCK_H

#include <stdint.h>

extern int64_t fake_us;
extern uint32_t fake_sleeps;

/* To the next tick but ticks - 1, as real-time systems do: up to one tick less than asked for. */
void fake_sleep(uint32_t ticks, int64_t tick_us);

#endif
