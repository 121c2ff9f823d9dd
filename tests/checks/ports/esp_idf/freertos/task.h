/* What FreeRTOS has, of a made-up world. SPDX-License-Identifier: MIT */
#include "world.h"

static inline void vTaskDelay(TickType_t ticks)
{
    world_sleep(ticks, 10000);
}
