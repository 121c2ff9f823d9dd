/* A stub of ESP-IDF's header, with the clock of the test. SPDX-License-Identifier: MIT */
#include "fake_clock.h"

static inline int64_t esp_timer_get_time(void)
{
    return fake_us;
}
