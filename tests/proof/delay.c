/* src/delay.c gives the waits of tests/model/waits.h, for every valid policy and every argument.
   SPDX-License-Identifier: MIT */
#include "proof.h"
#include "../model/waits.h"

#include "../../src/delay.c"
#include "../../src/policy.c"

static struct redial_policy valid_policy(void)
{
    struct redial_policy policy = nondet_policy();
    assume(redial_policy_fault_(&policy) == REDIAL_FAULT_NONE_);
    return policy;
}

/* ---- the doubled base and the random part: any wait rests on them ---- */

void doubled_is_the_formula(void)
{
    struct redial_policy policy = valid_policy();
    uint32_t n = nondet_u32(), wait = redial_doubled_(&policy, n);
    prove(policy.base_ms <= wait && wait <= policy.cap_ms);
    prove(wait == wide_delay(policy.base_ms, policy.cap_ms, n, 0));
    reached();
}

/* Any number, but always the same one. */
uint32_t __CPROVER_uninterpreted_doubled(uint32_t n);

/* In the place of redial_doubled_. */
uint32_t some_doubled(const struct redial_policy *policy, uint32_t n)
{
    uint32_t wait = __CPROVER_uninterpreted_doubled(n);
    assume(policy->base_ms <= wait && wait <= policy->cap_ms);
    return wait;
}

/* In the place of wide_delay. */
uint64_t some_wide_delay(uint64_t base, uint64_t cap, uint64_t n, uint64_t jitter)
{
    return wide_min(__CPROVER_uninterpreted_doubled((uint32_t)n) + jitter, cap);
}

void scaled_is_the_formula_and_within_its_range(void)
{
    uint32_t random = nondet_u32(), most = nondet_u32(), scaled = redial_scale_(random, most);
    prove(scaled == wide_uniform(0, most, random) && scaled <= most);
    reached();
}

/* Any number, but always the same one. */
uint32_t __CPROVER_uninterpreted_scale(uint32_t random, uint32_t most);

/* In the place of redial_scale_. */
uint32_t some_scale(uint32_t random, uint32_t most)
{
    uint32_t scaled = __CPROVER_uninterpreted_scale(random, most);
    assume(scaled <= most);
    return scaled;
}

/* In the place of wide_uniform. */
uint64_t some_wide_uniform(uint64_t low, uint64_t high, uint64_t random)
{
    prove(low <= high);
    return low + some_scale((uint32_t)random, (uint32_t)(high - low));
}

/* ---- the waits ---- */

void own_waits_are_the_formulas_and_within_the_cap(void)
{
    struct redial_policy policy = valid_policy();
    uint32_t n = nondet_u32(), random = nondet_u32();
    uint32_t delay = redial_random_delay_ms(&policy, n, random);
    prove(redial_delay_ms(&policy, n, random)
          == wide_delay(policy.base_ms, policy.cap_ms, n, random));
    prove(delay == wide_random_delay(&policy, n, random));
    prove(delay <= policy.cap_ms);
    if (policy.jitter == REDIAL_JITTER_WIDE && policy.base_ms < policy.cap_ms)
        prove(delay >= policy.base_ms);
    reached();
}

void a_range_is_drawn_from_its_ends_on(void)
{
    uint32_t low_ms = nondet_u32(), high_ms = nondet_u32(), random = nondet_u32();
    uint32_t drawn = redial_between_ms(low_ms, high_ms, random);
    prove(drawn == (high_ms > low_ms ? wide_uniform(low_ms, high_ms, random) : low_ms));
    reached();
}

void asked_wait_is_the_formula_and_never_too_early(void)
{
    struct redial_policy policy = valid_policy();
    enum redial_kind kind = (enum redial_kind)nondet_u32();
    uint32_t n = nondet_u32(), retry_after_ms = nondet_u32(), random = nondet_u32();
    uint32_t delay = redial_asked_delay_ms_(&policy, kind, n, retry_after_ms, random);
    prove(delay == wide_min(wide_asked_delay(&policy, kind, n, retry_after_ms, random),
                            UINT32_MAX));
    prove(delay >= retry_after_ms);
    reached();
}
