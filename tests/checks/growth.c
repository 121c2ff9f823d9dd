/* What the library fills and hands to a program of a later 1.x: the new member of each struct is
   zero, unless the library means something by it. SPDX-License-Identifier: MIT */
#include <assert.h>

#include "redial_fake.h"

static unsigned waits;

static void on_wait(const struct redial_env *env, const struct redial_event *event)
{
    assert(!env->grown && !event->grown && !event->outcome.grown);
    waits++;
}

static struct redial_outcome unavailable(void *user, const struct redial_attempt *attempt)
{
    (void)user;
    assert(!attempt->grown && !attempt->env->grown);
    return redial_http(503, 0, "GET");
}

int main(void)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    const struct redial_outcome outcomes[] = { redial_done(), redial_fail(1), redial_retry(1, 0),
                                               redial_pending(0), redial_postponed(0),
                                               redial_errno(1), redial_http(429, 0, NULL) };
    struct redial_report report;
    struct redial_fake fake;
    struct redial_call call;
    redial_fake_init(&fake);
    fake.env.on_wait = on_wait;
    assert(!policy.grown && !fake.env.grown && !redial_system()->grown);
    assert(redial_run(&policy, &fake.env, unavailable, NULL, &report) == REDIAL_EXHAUSTED);
    assert(waits == 5 && !report.last.grown);
    assert(!redial_loop_begin(&call, &policy, &fake.env).grown);
    assert(!redial_loop_next(&call, &fake.env, outcomes[2]).grown && waits == 6);
    assert(!redial_loop_begin(NULL, &policy, NULL).grown);
    redial_begin(&call, &policy, 0);
    for (unsigned i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        assert(!outcomes[i].grown && !redial_next(&call, 0, outcomes[i], 0).grown);
    assert(!redial_next(NULL, 0, outcomes[0], 0).grown);
    return 0;
}
