/* A stub of FreeRTOS's header, with ESP-IDF's default tick. SPDX-License-Identifier: MIT */
#include <stdint.h>

typedef uint32_t TickType_t;
#define portTICK_PERIOD_MS ((TickType_t)10)
