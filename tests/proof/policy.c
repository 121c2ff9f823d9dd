/* src/policy.c, for every policy. SPDX-License-Identifier: MIT */
#include "proof.h"
#include "../../src/policy.c"

static bool breaks(const struct redial_policy *policy, enum redial_policy_error rule)
{
    switch (rule) {
    case REDIAL_POLICY_BASE_ZERO:
        return policy->base_ms == 0;
    case REDIAL_POLICY_CAP_BELOW_BASE:
        return policy->cap_ms < policy->base_ms;
    case REDIAL_POLICY_JITTER_TOO_LONG:
        return policy->jitter_ms > REDIAL_JITTER_MAX_MS;
    case REDIAL_POLICY_JITTER_UNKNOWN:
        return policy->jitter < REDIAL_JITTER_ADDED || policy->jitter > REDIAL_JITTER_NONE;
    case REDIAL_POLICY_JITTER_ZERO:
        return policy->jitter_ms == 0
               && (policy->jitter == REDIAL_JITTER_ADDED || policy->jitter == REDIAL_JITTER_SPREAD);
    default:
        return false;
    }
}

/* The other proofs assume is_valid of their policy. This proof shows that the check accepts exactly these policies. */
void check_tells_the_first_rule_that_is_broken(void)
{
    struct redial_policy policy = nondet_policy();
    enum redial_policy_error error = redial_policy_check(&policy), rule = (enum redial_policy_error)nondet_u32();
    prove((error == REDIAL_POLICY_OK) == is_valid(&policy));
    prove(error == REDIAL_POLICY_OK || breaks(&policy, error));
    prove(!breaks(&policy, rule) || (error != REDIAL_POLICY_OK && error <= rule));
    prove(redial_policy_check(NULL) == REDIAL_POLICY_NULL);
    reached();
}
