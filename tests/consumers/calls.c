/* Makes the call that its argument names, whose instructions are counted.
   SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "redial_fake.h"

static struct redial_outcome succeed(void *user, const struct redial_attempt *attempt)
{
    (void)user;
    (void)attempt;
    return redial_done();
}

int main(int count, char **arguments)
{
    const char *name = count > 1 ? arguments[1] : "";
    redial_operation *volatile operation = succeed; /* which the compiler must not know */
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_outcome unavailable = redial_retry(503, 0);
    struct redial_fake fake;
    struct redial_call call;
    if (strcmp(name, "size") == 0)
        return printf("%u\n", (unsigned)sizeof call) < 0;
    policy.jitter = strcmp(name, "draw") == 0 ? REDIAL_JITTER_FULL : REDIAL_JITTER_ADDED;
    if (strcmp(name, "draw") == 0)
        return redial_random_delay_ms(&policy, 3, 0x80000000) != 4000;
    redial_fake_init(&fake);
    if (strcmp(name, "run") == 0)
        return redial_run(&policy, &fake.env, operation, NULL, NULL) != REDIAL_DONE;
    redial_begin(&call, &policy, 0);
    if (strcmp(name, "http") == 0)
        unavailable = redial_http(503, 0, "GET");
    return redial_next(&call, 20, unavailable, 0x80000000).delay_ms != 1500;
}
