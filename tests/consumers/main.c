/* A user's program: a call with a budget fails twice, in the fake environment.
   SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <redial.h>
#include <redial_fake.h>

static struct redial_outcome fetch(void *user, const struct redial_attempt *attempt)
{
    (void)user;
    return redial_http(attempt->number < 3 ? 503 : 200, 0, "GET");
}

int main(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_fake fake;
    struct redial_budget budget;
    struct redial_report report;
    redial_fake_init(&fake);
    redial_budget_init(&budget, 2, 10);
    policy.budget = &budget;
    redial_run(&policy, &fake.env, fetch, NULL, &report);
    printf("%s after %u attempts, %u ms waited; %u tokens left\n",
           redial_verdict_name(report.verdict), (unsigned)report.attempts,
           (unsigned)report.waited_ms, (unsigned)redial_budget_tokens(&budget));
    return redial_system()->now_ms ? 0 : 1;
}
