/* src/delay.c gives the waits of the tests' wide.h, for every valid policy and every argument.
   SPDX-License-Identifier: MIT */
#include "proof.h"
#include "../unit/wide.h"

#include "../../src/delay.c"
#include "../../src/policy.c"

static struct redial_policy valid_policy(void)
{
    struct redial_policy policy = nondet_policy();
    assume(!redial_policy_error(&policy));
    return policy;
}

/* ---- the doubled base: it is proven by itself, and any other wait rests on it ---- */

static uint32_t doublings, doubled_ms;

static bool may_be_doubled(const struct redial_policy *policy, uint32_t n, uint32_t wait)
{
    return policy->base_ms <= wait && wait <= policy->cap_ms && (n < 32 || wait == policy->cap_ms);
}

void doubled_is_the_formula(void)
{
    struct redial_policy policy = valid_policy();
    uint32_t n = nondet_u32(), wait = doubled(&policy, n);
    prove(may_be_doubled(&policy, n, wait));
    prove(wait == wide_delay(policy.base_ms, policy.cap_ms, n, 0));
    reached();
}

static struct redial_policy policy_with_wait(void)
{
    struct redial_policy policy = valid_policy();
    doublings = nondet_u32();
    doubled_ms = nondet_u32();
    assume(may_be_doubled(&policy, doublings, doubled_ms));
    return policy;
}

uint32_t some_doubled(const struct redial_policy *policy, uint32_t n)   /* in the place of doubled */
{
    prove(n == doublings);
    return doubled_ms;
}

uint64_t some_wide_delay(uint64_t base, uint64_t cap, uint64_t n, uint64_t jitter)   /* in the place of wide_delay */
{
    prove(n == doublings);
    return wide_min(doubled_ms + jitter, cap);
}

/* ---- the random part ---- */

uint32_t __CPROVER_uninterpreted_scale(uint32_t random, uint32_t most);   /* any number, but always the same one */

/* In the place of redial_scale: a number of the range that arithmetic.c proves. */
uint32_t some_scale(uint32_t random, uint32_t most)
{
    uint32_t scaled = __CPROVER_uninterpreted_scale(random, most);
    assume(scaled <= most && (random != 0 || scaled == 0) && (random != UINT32_MAX || scaled == most));
    return scaled;
}

uint64_t some_wide_uniform(uint64_t low, uint64_t high, uint64_t random)   /* in the place of wide_uniform */
{
    prove(low <= high);
    return low + some_scale((uint32_t)random, (uint32_t)(high - low));
}

/* ---- the waits ---- */

void delay_is_the_formula(void)
{
    struct redial_policy policy = policy_with_wait();
    uint32_t jitter_ms = nondet_u32();
    prove(redial_delay_ms(&policy, doublings, jitter_ms)
          == wide_delay(policy.base_ms, policy.cap_ms, doublings, jitter_ms));
    reached();
}

void random_delay_is_the_formula(void)
{
    struct redial_policy policy = policy_with_wait();
    uint32_t random = nondet_u32(), delay = redial_random_delay_ms(&policy, doublings, random);
    prove(delay == wide_random_delay(&policy, doublings, random));
    prove(delay <= policy.cap_ms);
    prove(delay <= redial_random_delay_ms(&policy, doublings, UINT32_MAX));
    prove(doublings < 32 || random != UINT32_MAX || delay == policy.cap_ms);
    reached();
}

void server_delay_is_the_formula_and_never_too_early(void)
{
    struct redial_policy policy = policy_with_wait();
    uint32_t retry_after_ms = nondet_u32(), random = nondet_u32();
    uint32_t delay = redial_server_delay_ms(&policy, doublings, retry_after_ms, random);
    prove(delay == wide_min(wide_server_delay(&policy, doublings, retry_after_ms, random), UINT32_MAX));
    prove(delay >= retry_after_ms);
    reached();
}

/* ---- the longest total ----

   It is the sum of the longest waits. For the first 32 retries these may be anything up to the cap here; from then on
   they are the cap, and none is longer (random_delay_is_the_formula). The product of two unknown numbers is too hard
   for the solver, so beyond 32 retries only the highest limit is looked at: another limit changes a factor only. */

static uint32_t waits;        /* asked for so far, in order */
static uint64_t waits_total;

uint32_t longest_wait(const struct redial_policy *policy, uint32_t n, uint32_t random)
{
    uint32_t wait = nondet_u32();
    prove(n == waits && random == UINT32_MAX);
    assume(wait <= policy->cap_ms);
    waits++;
    waits_total += wait;
    return wait;
}

static void total_is_the_sum(uint32_t max_retries)
{
    struct redial_policy policy = valid_policy();
    uint64_t total;
    policy.max_retries = max_retries;
    waits = 0;
    waits_total = 0;
    total = redial_longest_waits_ms(&policy);
    if (max_retries == REDIAL_NO_LIMIT) {
        waits_total = UINT64_MAX;
    } else {
        prove(waits == wide_min(max_retries, 32));
        waits_total += (uint64_t)(max_retries - waits) * policy.cap_ms;
    }
    prove(total == (policy.max_elapsed_ms ? wide_min(waits_total, policy.max_elapsed_ms - 1) : waits_total));
}

void longest_waits_is_the_sum_of_the_longest_waits(void)
{
    uint32_t few = nondet_u32();
    assume(few <= 32);
    total_is_the_sum(few);
    reached();
}

void longest_waits_goes_on_at_the_cap(void)
{
    total_is_the_sum(UINT32_MAX - 1);
    total_is_the_sum(REDIAL_NO_LIMIT);
    reached();
}
