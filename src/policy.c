/* Is the policy valid? SPDX-License-Identifier: MIT */
#include "redial.h"

struct redial_policy redial_policy_default(void)
{
    /* Member by member, because a compiler may copy a whole struct with memcpy, and bare metal may
       have none. */
    struct redial_policy policy;
    policy.base_ms = 1000;
    policy.cap_ms = 32000;
    policy.jitter_ms = 1000;
    policy.max_retries = 5;
    policy.max_elapsed_ms = policy.max_retry_after_ms = policy.attempt_ms = policy.min_uptime_ms =
        0;
    policy.jitter = REDIAL_JITTER_ADDED;
    policy.retryable = NULL;
    policy.user = NULL;
    policy.budget = NULL;
    policy.gate = NULL;
    return policy;
}

enum redial_policy_error redial_policy_check(const struct redial_policy *policy)
{
    if (!policy)
        return REDIAL_POLICY_NULL;
    if (policy->base_ms == 0)
        return REDIAL_POLICY_BASE_ZERO;
    if (policy->cap_ms < policy->base_ms)
        return REDIAL_POLICY_CAP_BELOW_BASE;
    if (policy->jitter_ms > REDIAL_JITTER_MAX_MS)
        return REDIAL_POLICY_JITTER_TOO_LONG;
    if ((unsigned)policy->jitter > REDIAL_JITTER_NONE)
        return REDIAL_POLICY_JITTER_UNKNOWN;
    if (policy->jitter_ms == 0 && policy->jitter <= REDIAL_JITTER_SPREAD)
        return REDIAL_POLICY_JITTER_ZERO;
    return REDIAL_POLICY_OK;
}
