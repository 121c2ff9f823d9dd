/* The redial_run of a program whose attempts end a hundred times as early. Compile the program with
   -Dredial_run=quick_run. SPDX-License-Identifier: MIT */
#include "redial.h"

enum redial_verdict quick_run(const struct redial_policy *policy, const struct redial_env *env,
                              redial_operation *operation, void *user,
                              struct redial_report *report);

enum redial_verdict quick_run(const struct redial_policy *policy, const struct redial_env *env,
                              redial_operation *operation, void *user,
                              struct redial_report *report)
{
    struct redial_policy quick = *policy;
    quick.attempt_ms /= 100;
    return redial_run(&quick, env, operation, user, report);
}
