/* quickstart for its test: attempts end a hundred times as early. SPDX-License-Identifier: MIT */
#include "redial.h"

static enum redial_verdict quick_run(const struct redial_policy *policy,
                                     const struct redial_env *env, redial_operation *operation,
                                     void *user, struct redial_report *report)
{
    struct redial_policy quick = *policy;
    quick.attempt_ms /= 100;
    return redial_run(&quick, env, operation, user, report);
}

#define redial_run quick_run
#include "../../examples/quickstart/quickstart.c"
