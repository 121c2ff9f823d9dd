/* Makes each call whose instructions are counted once. Each function calls what it is about
   directly, so callgrind reports them separately. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "redial_fake.h"

#define COUNTED __attribute__((noinline))

static struct redial_policy policy, full_jitter;
static struct redial_fake fake;
static struct redial_call begun;
static struct redial_outcome unavailable;

static struct redial_outcome succeed(void *user, const struct redial_attempt *attempt)
{
    (void)user;
    (void)attempt;
    return redial_http(200, 0, "GET");
}

/* The compiler must not know the value here, as it does not know it in redial_run's callers. */
static redial_operation *volatile operation = succeed;

COUNTED static bool run_once(void)
{
    return redial_run(&policy, &fake.env, operation, NULL, NULL) == REDIAL_DONE;
}

static bool is_first_retry(struct redial_step step)
{
    return step.verdict == REDIAL_WAIT && step.delay_ms == 1500;
}

COUNTED static bool next_once(void)
{
    struct redial_call call = begun;
    return is_first_retry(redial_next(&call, 20, unavailable, 0x80000000));
}

COUNTED static bool next_and_http_once(void)
{
    struct redial_call call = begun;
    return is_first_retry(redial_next(&call, 20, redial_http(503, 0, "GET"), 0x80000000));
}

COUNTED static bool full_draw_once(void)
{
    return redial_random_delay_ms(&full_jitter, 3, 0x80000000) == 4000;
}

int main(void)
{
    policy = full_jitter = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    full_jitter.jitter = REDIAL_JITTER_FULL;
    redial_fake_init(&fake);
    redial_begin(&begun, &policy, 0);
    unavailable = redial_http(503, 0, "GET");
    printf("call_bytes %zu\n", sizeof begun);
    return !(run_once() && next_once() && next_and_http_once() && full_draw_once());
}
