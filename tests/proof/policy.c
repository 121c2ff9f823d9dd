/* src/policy.c, for every policy. SPDX-License-Identifier: MIT */
#include "proof.h"
#include <string.h>

#include "../../src/names.c"
#include "../../src/policy.c"
#include "../../src/call.c"

/* The rules, in the order of redial.h. */
static unsigned first_broken_rule(const struct redial_policy *policy)
{
    bool unknown = policy->jitter < REDIAL_JITTER_ADDED || policy->jitter > REDIAL_JITTER_NONE;
    bool too_short = policy->attempt_ms != 0 && policy->min_attempt_ms > policy->attempt_ms;
    bool broken[] = { false, policy == NULL, policy->base_ms == 0,
                      policy->cap_ms < policy->base_ms,
                      policy->jitter_ms > REDIAL_JITTER_MAX_MS, unknown, too_short };
    unsigned rule;
    for (rule = 1; rule < 7; rule++)
        if (broken[rule])
            return rule;
    return 0;
}

void fault_is_the_first_rule_that_is_broken(void)
{
    struct redial_policy policy = nondet_policy();
    unsigned fault = redial_policy_fault_(&policy);
    prove(fault == first_broken_rule(&policy));
    prove(redial_policy_fault_(NULL) == 1);
    prove((redial_policy_error(&policy) == NULL) == (fault == 0));
    prove(redial_policy_error(NULL) != NULL);
    reached();
}

static int64_t within(int64_t value, int64_t least)
{
    return value < least ? least : value > UINT32_MAX ? UINT32_MAX : value;
}

void settings_become_the_nearest_valid_waits(void)
{
    struct redial_policy policy = nondet_policy();
    int64_t base_ms = nondet_i64(), cap_ms = nondet_i64();
    redial_policy_waits(&policy, base_ms, cap_ms);
    prove(policy.base_ms == within(base_ms, 1));
    prove(policy.cap_ms == within(cap_ms, within(base_ms, 1)));
    reached();
}

void a_deadline_leaves_a_valid_policy_and_no_attempt_once_it_has_passed(void)
{
    struct redial_policy policy = nondet_policy(), before = policy;
    struct redial_call call;
    int64_t left_ms = nondet_i64(), limit_ms = policy.max_elapsed_ms;
    uint32_t begun_ms = nondet_u32(), now_ms = nondet_u32();
    assume(redial_policy_fault_(&policy) == 0);
    limit_ms = limit_ms == 0 ? REDIAL_NO_LIMIT : limit_ms;
    redial_policy_deadline(&policy, left_ms);
    prove(redial_begin(&call, &policy, begun_ms));
    if (left_ms <= 0) {
        prove(redial_ready(&call, now_ms).timeout_ms == 0);
        policy.min_attempt_ms = before.min_attempt_ms;
        policy.attempt_ms = before.attempt_ms;
    } else {
        prove(policy.max_elapsed_ms == (left_ms < limit_ms ? left_ms : limit_ms));
    }
    policy.max_elapsed_ms = before.max_elapsed_ms;
    prove(memcmp(&policy, &before, sizeof policy) == 0);
    reached();
}
