/* A world in which time passes only while a port sleeps, or asks for the time. SPDX-License-Identifier: MIT */
#ifndef WORLD_H
#define WORLD_H

#include <stdint.h>

extern int64_t world_us;
extern uint32_t world_sleeps;

/* To the next tick but ticks - 1, as real-time systems do: up to one tick less than asked for. */
void world_sleep(uint32_t ticks, int64_t tick_us);

#endif
