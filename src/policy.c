/* Is the policy valid? And how settings of a program become one that is.
   SPDX-License-Identifier: MIT */
#include "internal.h"

enum redial_fault_ redial_policy_fault_(const struct redial_policy *policy)
{
    if (!policy)
        return REDIAL_FAULT_NULL_;
    if (policy->base_ms == 0)
        return REDIAL_FAULT_BASE_;
    if (policy->cap_ms < policy->base_ms)
        return REDIAL_FAULT_CAP_;
    if (policy->jitter_ms > REDIAL_JITTER_MAX_MS)
        return REDIAL_FAULT_JITTER_MS_;
    if ((unsigned)policy->jitter > REDIAL_JITTER_NONE)
        return REDIAL_FAULT_JITTER_;
    if (policy->attempt_ms && policy->min_attempt_ms > policy->attempt_ms)
        return REDIAL_FAULT_MIN_ATTEMPT_;
    return REDIAL_FAULT_NONE_;
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

/* Never UINT32_MAX: that is REDIAL_NO_LIMIT. */
uint32_t redial_seconds_ms(int64_t seconds)
{
    if (seconds <= 0)
        return 0;
    return seconds > UINT32_MAX / 1000 ? UINT32_MAX - 1 : (uint32_t)seconds * 1000;
}

/* If the deadline has passed, the limit is 1 ms, and an attempt needs more. */
void redial_policy_deadline(struct redial_policy *policy, uint32_t now_ms, uint32_t deadline_ms)
{
    uint32_t left_ms = redial_elapsed_since_(deadline_ms, now_ms);
    uint32_t limit_ms = left_ms ? left_ms : 1;
    if (policy->max_elapsed_ms == 0 || policy->max_elapsed_ms > limit_ms)
        policy->max_elapsed_ms = limit_ms;
    if (left_ms)
        return;
    if (policy->min_attempt_ms < 2)
        policy->min_attempt_ms = 2;
    if (policy->attempt_ms == 1)
        policy->attempt_ms = 2;
}
