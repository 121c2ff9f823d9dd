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

static uint32_t tick;
static int answers, sent;

uint32_t tick_ms(void)
{
    return tick;
}

uint32_t random_bits(void)
{
    return 0;
}

bool modem_answered(int *status, uint32_t *retry_after_ms)
{
    *status = 503;
    *retry_after_ms = 2000;
    return answers > 0 && answers-- > 0;
}

void modem_send(void)
{
    sent++;
}

static void the_superloop_sends_once_when_the_wait_is_over(void)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_step step = { REDIAL_DONE, 0, 0 };
    struct redial_call call;
    uint32_t since_ms = 0;
    bool waiting = false;
    tick = UINT32_MAX - 500;   /* the tick wraps during the wait */
    answers = 1;
    redial_begin(&call, &policy, tick);
    for (unsigned ms = 0; ms < 3000; ms++) {
        pass(&call, &step, &since_ms, &waiting);
        assert(sent == (ms >= 2000));
        tick++;
    }
}

int main(void)
{
    a_server_that_is_down_is_tried_six_times();
    the_superloop_sends_once_when_the_wait_is_over();
    return 0;
}
