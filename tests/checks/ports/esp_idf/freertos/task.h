/* A stub of FreeRTOS's header, with the clock of the test. SPDX-License-Identifier: MIT */
#include "fake_clock.h"

static inline void vTaskDelay(TickType_t ticks)
{
    fake_sleep(ticks, 10000);
}
