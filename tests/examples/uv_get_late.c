/* uv_get on a slow machine: to read an answer takes longer than the first wait, and
   after two retries no time is left. Compile them with -Dhttp_header_outcome=slow_header_outcome
   and -Dredial_timeout_ms=late_timeout_ms. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "redial.h"

struct redial_outcome http_header_outcome(const char *header);
struct redial_outcome slow_header_outcome(const char *header);
uint32_t late_timeout_ms(const struct redial_call *call, uint32_t now_ms);

static uint32_t answered_ms;

static uint32_t clock_ms(void)
{
    return redial_system()->now_ms(redial_system());
}

struct redial_outcome slow_header_outcome(const char *header)
{
    redial_system()->wait_ms(redial_system(), 150);
    answered_ms = clock_ms();
    return http_header_outcome(header);
}

/* Every wait of the program is at least 50 ms long. */
uint32_t late_timeout_ms(const struct redial_call *call, uint32_t now_ms)
{
    if (redial_retries(call) > 0 && clock_ms() - answered_ms < 49) {
        puts("it did not wait");
        exit(EXIT_FAILURE);
    }
    return redial_retries(call) == 2 ? 0 : redial_timeout_ms(call, now_ms);
}
