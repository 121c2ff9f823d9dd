/* A clock that advances only when a port sleeps or reads the time. SPDX-License-Identifier: MIT */
#ifndef FAKE_CLOCK_H
#define FAKE_CLOCK_H

#include <stdint.h>

extern int64_t fake_us;
extern uint32_t fake_sleeps;

/* Sleeps to the next tick and then ticks - 1 more, as real-time systems do. So it may sleep almost a tick less than
   asked for. */
void fake_sleep(uint32_t ticks, int64_t tick_us);

#endif
