/* The code of README.md, compiled and run as a reader would use it. docs.sh extracts it and names each block.
   SPDX-License-Identifier: MIT */
#include "yours.h"
#include "put.c"
#include "firmware.c"
#include "test.c"

int http_put(const char *url, const char *body, uint32_t timeout_ms, uint32_t *retry_after_ms)
{
    (void)url;
    (void)body;
    (void)retry_after_ms;
    assert(timeout_ms == 10000);
    return 503;
}

static uint32_t tick, sent, sent_at[2];
static bool busy;

uint32_t tick_ms(void)
{
    return tick;
}

uint32_t random_bits(void)
{
    return 0;
}

bool modem_busy(void)
{
    return busy;
}

/* It answers each request after 5 ms. */
bool modem_answered(int *status, uint32_t *retry_after_ms)
{
    if (!busy || tick - sent_at[sent - 1] < 5)
        return false;
    busy = false;
    *status = sent == 1 ? 503 : 200;
    *retry_after_ms = sent == 1 ? 2000 : 0;
    return true;
}

void modem_send(void)
{
    assert(sent < 2 && !busy);
    busy = true;
    sent_at[sent++] = tick;
}

static void the_main_loop_sends_at_once_and_once_more_after_the_wait(void)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    const uint32_t start_ms = UINT32_MAX - 500;   /* the tick wraps during the wait */
    struct redial_step step = { REDIAL_RETRY, 0, 0 };
    struct redial_call call;
    uint32_t since_ms = tick = start_ms;
    redial_begin(&call, &policy, start_ms);
    while (tick++ - start_ms < 9000)
        pass(&call, &step, &since_ms);
    assert(sent == 2 && sent_at[0] == start_ms + 1 && sent_at[1] == sent_at[0] + 5 + 2000);
    assert(step.verdict == REDIAL_DONE);
}

int main(void)
{
    a_server_that_is_down_is_tried_six_times();
    the_main_loop_sends_at_once_and_once_more_after_the_wait();
    return 0;
}
