/* Makes each call whose instructions are counted once, in the function NAME_once, and prints the
   size of a call. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "redial_fake.h"

#define COUNTED __attribute__((noinline))

static struct redial_policy policy = REDIAL_POLICY_DEFAULT;
static struct redial_fake fake;
static struct redial_call call;

static struct redial_outcome succeed(void *user, const struct redial_attempt *attempt)
{
    (void)user;
    (void)attempt;
    return redial_http(200, 0, "GET");
}

COUNTED static bool draw_once(void)
{
    return redial_random_delay_ms(&policy, 3, 0x80000000) == 8500;
}

COUNTED static bool next_once(struct redial_outcome outcome)
{
    return redial_next(&call, 20, outcome, 0x80000000).delay_ms == 1500;
}

COUNTED static bool decision_once(void)
{
    return redial_next(&call, 20, redial_http(503, 0, "GET"), 0x80000000).delay_ms == 2500;
}

COUNTED static bool run_once(void)
{
    return redial_run(&policy, &fake.env, succeed, NULL, NULL) == REDIAL_DONE;
}

int main(void)
{
    redial_fake_init(&fake);
    redial_begin(&call, &policy, 0);
    printf("%zu\n", sizeof call);
    return !(draw_once() && next_once(redial_http(503, 0, "GET")) && decision_once()
             && run_once());
}
