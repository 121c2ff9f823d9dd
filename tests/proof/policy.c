/* src/policy.c, for every policy. SPDX-License-Identifier: MIT */
#include "proof.h"
#include "../../src/policy.c"

void check_tells_the_first_rule_that_is_broken(void)
{
    struct redial_policy policy = nondet_policy();
    bool needs_jitter = policy.jitter == REDIAL_JITTER_ADDED || policy.jitter == REDIAL_JITTER_SPREAD;
    bool broken[] = {
        [REDIAL_POLICY_BASE_ZERO] = policy.base_ms == 0,
        [REDIAL_POLICY_CAP_BELOW_BASE] = policy.cap_ms < policy.base_ms,
        [REDIAL_POLICY_JITTER_TOO_LONG] = policy.jitter_ms > REDIAL_JITTER_MAX_MS,
        [REDIAL_POLICY_JITTER_UNKNOWN] = policy.jitter < REDIAL_JITTER_ADDED || policy.jitter > REDIAL_JITTER_NONE,
        [REDIAL_POLICY_JITTER_ZERO] = needs_jitter && policy.jitter_ms == 0,
    };
    unsigned rule = REDIAL_POLICY_BASE_ZERO;
    while (rule <= REDIAL_POLICY_JITTER_ZERO && !broken[rule])
        rule++;
    prove(redial_policy_check(&policy) == (rule <= REDIAL_POLICY_JITTER_ZERO ? rule : REDIAL_POLICY_OK));
    prove(redial_policy_check(NULL) == REDIAL_POLICY_NULL);
    reached();
}
