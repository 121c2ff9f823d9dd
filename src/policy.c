/* Is the policy valid? And how settings of a program become one that is.
   SPDX-License-Identifier: MIT */
#include "internal.h"

/* The order is that of the texts in names.c. */
unsigned redial_policy_fault_(const struct redial_policy *policy)
{
    if (!policy)
        return 1;
    if (policy->base_ms == 0)
        return 2;
    if (policy->cap_ms < policy->base_ms)
        return 3;
    if (policy->jitter_ms > REDIAL_JITTER_MAX_MS)
        return 4;
    if ((unsigned)policy->jitter > REDIAL_JITTER_NONE)
        return 5;
    if (policy->attempt_ms && policy->min_attempt_ms > policy->attempt_ms)
        return 6;
    return 0;
}

static uint32_t redial_clamp_(int64_t value, uint32_t least)
{
    if (value < (int64_t)least)
        return least;
    return value > (int64_t)UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

void redial_policy_waits(struct redial_policy *policy, int64_t base_ms, int64_t cap_ms)
{
    policy->base_ms = redial_clamp_(base_ms, 1);
    policy->cap_ms = redial_clamp_(cap_ms, policy->base_ms);
}

/* If nothing is left, the limit is 1 ms, and an attempt needs more. The name is in brackets,
   because it is a macro, too. */
void(redial_policy_deadline)(struct redial_policy *policy, int64_t left_ms)
{
    if (policy->max_elapsed_ms == 0)
        policy->max_elapsed_ms = REDIAL_NO_LIMIT;
    if (left_ms < (int64_t)policy->max_elapsed_ms)
        policy->max_elapsed_ms = redial_clamp_(left_ms, 1);
    if (left_ms > 0)
        return;
    if (policy->min_attempt_ms < 2)
        policy->min_attempt_ms = 2;
    if (policy->attempt_ms == 1)
        policy->attempt_ms = 2;
}
