/* src/delay.c, for every valid policy and every argument. SPDX-License-Identifier: MIT

   `doubled` is proven by itself; where a proof stands on that, some_doubled takes its place. Likewise
   redial_scale (arithmetic.c) and some_scale. */
#include "proof.h"

/* Anything with the range that arithmetic.c proves. */
static uint32_t some_scale(uint32_t random, uint32_t most)
{
    uint32_t scaled = nondet_u32();
    assume(scaled <= most);
    assume(random != 0 || scaled == 0);
    assume(random != UINT32_MAX || scaled == most);
    return scaled;
}

#define redial_scale some_scale
#include "../../src/delay.c"
#undef redial_scale

/* ---- the check, and doubling ---- */

void check_is_exact(void)
{
    struct redial_policy policy = nondet_policy();
    prove((redial_policy_check(&policy) == REDIAL_POLICY_OK) == is_valid(&policy));
    prove(redial_policy_check(NULL) == REDIAL_POLICY_BASE_ZERO);
    reached();
}

/* min(base * 2^retry + jitter, cap), in arithmetic so wide that nothing can be lost. */
static unsigned __int128 formula(const struct redial_policy *policy, uint32_t retry, uint32_t jitter_ms)
{
    unsigned __int128 wait = (unsigned __int128)policy->base_ms << (retry < 64 ? retry : 64);
    wait += jitter_ms;
    return wait < policy->cap_ms ? wait : policy->cap_ms;
}

/* What some_doubled may rely on. */
void doubled_is_the_formula(void)
{
    struct redial_policy policy = valid_policy();
    uint32_t retry = nondet_u32(), wait = doubled(&policy, retry);
    prove(wait == formula(&policy, retry, 0));
    prove(policy.base_ms <= wait && wait <= policy.cap_ms);
    prove(retry < 32 || wait == policy.cap_ms);
    reached();
}

void doubled_grows(void)
{
    struct redial_policy policy = valid_policy();
    uint32_t retry = nondet_u32();
    prove(retry == UINT32_MAX || doubled(&policy, retry) <= doubled(&policy, retry + 1));
    reached();
}

/* ---- the delay ---- */

void delay_is_the_formula(void)
{
    struct redial_policy policy = valid_policy();
    uint32_t retry = nondet_u32(), jitter_ms = nondet_u32();
    prove(redial_delay_ms(&policy, retry, jitter_ms) == formula(&policy, retry, jitter_ms));
    reached();
}

/* The waits of two retries, the second the next after the first. */
static uint32_t first_retry, first_wait, next_wait;

uint32_t some_doubled(const struct redial_policy *policy, uint32_t retry)
{
    prove(policy->base_ms > 0 && (retry == first_retry || retry == first_retry + 1));
    return retry == first_retry ? first_wait : next_wait;
}

static struct redial_policy policy_with_waits(void)
{
    struct redial_policy policy = valid_policy();
    first_retry = nondet_u32();
    first_wait = nondet_u32();
    next_wait = nondet_u32();
    assume(first_retry < UINT32_MAX);
    assume(policy.base_ms <= first_wait && first_wait <= next_wait && next_wait <= policy.cap_ms);
    assume(first_retry < 32 || first_wait == policy.cap_ms);
    return policy;
}

void delay_grows_to_the_cap(void)
{
    struct redial_policy policy = policy_with_waits();
    uint32_t jitter_ms = nondet_u32(), delay = redial_delay_ms(&policy, first_retry, jitter_ms);
    prove(delay >= 1 && delay <= policy.cap_ms);
    prove(delay <= redial_delay_ms(&policy, first_retry + 1, jitter_ms));
    prove(jitter_ms == UINT32_MAX || delay <= redial_delay_ms(&policy, first_retry, jitter_ms + 1));
    prove(first_retry < 32 || delay == policy.cap_ms);
    reached();
}

/* ---- the draw: the range that the header gives each kind ---- */

static uint64_t shortest(const struct redial_policy *policy)
{
    uint64_t wait = first_wait;
    switch (policy->jitter) {
    case REDIAL_JITTER_FULL:
        return 0;
    case REDIAL_JITTER_EQUAL:
        return wait - wait / 2;
    case REDIAL_JITTER_SPREAD:
        return wait + policy->jitter_ms < policy->cap_ms ? wait : policy->cap_ms - policy->cap_ms / 2;
    default:
        return wait;
    }
}

static uint64_t longest(const struct redial_policy *policy)
{
    bool adds = policy->jitter == REDIAL_JITTER_ADDED || policy->jitter == REDIAL_JITTER_SPREAD;
    uint64_t wait = (uint64_t)first_wait + (adds ? policy->jitter_ms : 0);
    return wait < policy->cap_ms ? wait : policy->cap_ms;
}

void draw_keeps_its_range(void)
{
    struct redial_policy policy = policy_with_waits();
    uint32_t drawn = redial_random_delay_ms(&policy, first_retry, nondet_u32());
    prove(drawn >= shortest(&policy));
    prove(drawn <= longest(&policy));
    prove(drawn <= policy.cap_ms);
    reached();
}

void draw_reaches_both_ends(void)
{
    struct redial_policy policy = policy_with_waits();
    uint32_t most = redial_random_delay_ms(&policy, first_retry, UINT32_MAX);
    prove(redial_random_delay_ms(&policy, first_retry, 0) == shortest(&policy));
    prove(most == longest(&policy));
    prove(first_retry < 32 || most == policy.cap_ms);
    reached();
}

/* ---- the longest total ----

   Every schedule is bounded by it: it is the sum of the highest draws, which for the first 32 retries may be anything
   up to the cap here, and the cap from then on (draw_reaches_both_ends); and no draw is above the highest
   (draw_keeps_its_range). The product of two unknown numbers is too hard for the solver, so max_retries is known:
   some up to 32, in which the loop has one turn more, and the last beyond, in which one factor is another. */

static uint32_t highest[32];

uint32_t highest_draw(const struct redial_policy *policy, uint32_t retry, uint32_t random)
{
    prove(policy->base_ms > 0 && retry < 32 && random == UINT32_MAX);
    return highest[retry];
}

static struct redial_policy policy_with_highest_draws(void)
{
    struct redial_policy policy = valid_policy();
    unsigned retry;
    for (retry = 0; retry < 32; retry++) {
        highest[retry] = nondet_u32();
        assume(highest[retry] <= policy.cap_ms);
    }
    return policy;
}

static void total_is_the_sum(struct redial_policy policy, uint32_t max_retries)
{
    uint64_t total, sum = 0;
    uint32_t retry;
    policy.max_retries = max_retries;
    total = redial_longest_total_ms(&policy);
    for (retry = 0; retry < 32 && retry < max_retries; retry++)
        sum += highest[retry];
    sum += (uint64_t)(max_retries - retry) * policy.cap_ms;
    if (max_retries == REDIAL_NO_LIMIT)
        sum = UINT64_MAX;
    if (policy.max_elapsed_ms && sum >= policy.max_elapsed_ms)
        sum = policy.max_elapsed_ms - 1;
    prove(total == sum);
}

void longest_total_is_the_sum_of_the_highest_draws(void)
{
    struct redial_policy policy = policy_with_highest_draws();
    total_is_the_sum(policy, 0);
    total_is_the_sum(policy, 1);
    total_is_the_sum(policy, 2);
    total_is_the_sum(policy, 5);
    total_is_the_sum(policy, 31);
    total_is_the_sum(policy, 32);
    reached();
}

void longest_total_goes_on_at_the_cap(void)
{
    struct redial_policy policy = policy_with_highest_draws();
    total_is_the_sum(policy, UINT32_MAX - 1);
    total_is_the_sum(policy, REDIAL_NO_LIMIT);
    reached();
}
