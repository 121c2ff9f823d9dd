/* uv_get on a slow machine: to read an answer takes longer than the first wait, and
   after two retries no time is left. Compile them with -Dhttp_header_outcome=slow_header_outcome
   and -Dredial_ready=late_ready. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "redial.h"

struct redial_outcome http_header_outcome(const char *header);
struct redial_outcome slow_header_outcome(const char *header);
struct redial_step late_ready(const struct redial_call *call, uint32_t now_ms);

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
struct redial_step late_ready(const struct redial_call *call, uint32_t now_ms)
{
    struct redial_step step;
    if (redial_retries(call) > 0 && clock_ms() - answered_ms < 49) {
        puts("it did not wait");
        exit(EXIT_FAILURE);
    }
    step = redial_ready(call, now_ms);
    if (redial_retries(call) == 2)
        step.timeout_ms = 0;
    return step;
}
