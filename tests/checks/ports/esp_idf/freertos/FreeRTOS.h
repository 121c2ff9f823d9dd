/* What FreeRTOS has, with ESP-IDF's usual tick. SPDX-License-Identifier: MIT */
#include <stdint.h>

typedef uint32_t TickType_t;
#define portTICK_PERIOD_MS ((TickType_t)10)
