/* A library that uses redial, and whose function is WORKS: a call fails twice, and all that redial
   hands to the operation, to the hook and to the caller is right. SPDX-License-Identifier: MIT */
#ifdef __cplusplus
extern "C" {   /* as programs include C headers, and the inline functions stay apart all the same */
#endif
#include "redial_fake.h"

int WORKS(void);
#ifdef __cplusplus
}
#endif

static struct redial_outcome third_time(void *user, const struct redial_attempt *attempt)
{
    (void)user;
    return redial_http(attempt->number < 3 && attempt->timeout_ms == 10000 ? 503 : 200, 0, "GET");
}

static void on_wait(const struct redial_env *env, const struct redial_event *event)
{
    unsigned *hundreds = (unsigned *)env->user;
    *hundreds += event->outcome.code == 503 ? event->retry * 100 : 0;
}

int WORKS(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_fake fake;
    struct redial_report report;
    struct redial_call call;
    struct redial_step step;
    unsigned hundreds = 0;
    redial_fake_init(&fake);
    fake.env.on_wait = on_wait;
    fake.env.user = &hundreds;
    policy.attempt_ms = 10000;
    redial_policy_deadline(&policy, 60000);
    redial_run(&policy, &fake.env, third_time, 0, &report);
    redial_begin(&call, &policy, 0);
    step = redial_next(&call, 0, redial_retry(1, 50000), 0);
    return report.verdict == REDIAL_DONE && report.attempts == 3 && report.waited_ms == 3000 &&
           report.last.code == 200 && hundreds == 300 && step.verdict == REDIAL_RETRY &&
           step.delay_ms == 50000;
}
