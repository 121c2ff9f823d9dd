/* src/delay.c, for every valid policy and every argument. SPDX-License-Identifier: MIT

   `doubled` is proven by itself. Where a proof rests on that, some_doubled takes its place. Likewise some_scale takes
   the place of redial_scale (arithmetic.c). */
#include "proof.h"

static uint32_t scale_random, scale_most, scaled;   /* what redial_scale was asked last, and what it said */
static unsigned scalings;

/* Any number of the range that arithmetic.c proves. */
static uint32_t some_scale(uint32_t random, uint32_t most)
{
    scalings++;
    scale_random = random;
    scale_most = most;
    scaled = nondet_u32();
    assume(scaled <= most);
    assume(random != 0 || scaled == 0);
    assume(random != UINT32_MAX || scaled == most);
    return scaled;
}

#define redial_scale some_scale
#include "../../src/delay.c"
#undef redial_scale

/* ---- doubling ---- */

/* min(base * 2^n + jitter, cap), in arithmetic so wide that nothing can be lost. */
static unsigned __int128 formula(const struct redial_policy *policy, uint32_t n, uint32_t jitter_ms)
{
    unsigned __int128 wait = (unsigned __int128)policy->base_ms << (n < 64 ? n : 64);
    wait += jitter_ms;
    return wait < policy->cap_ms ? wait : policy->cap_ms;
}

/* The properties of doubled() that some_doubled has, too. */
void doubled_is_the_formula(void)
{
    struct redial_policy policy = valid_policy();
    uint32_t n = nondet_u32(), wait = doubled(&policy, n);
    prove(wait == formula(&policy, n, 0));
    prove(policy.base_ms <= wait && wait <= policy.cap_ms);
    prove(n < 32 || wait == policy.cap_ms);
    reached();
}

void doubled_grows(void)
{
    struct redial_policy policy = valid_policy();
    uint32_t n = nondet_u32();
    prove(n == UINT32_MAX || doubled(&policy, n) <= doubled(&policy, n + 1));
    reached();
}

/* ---- the delay ---- */

void delay_is_the_formula(void)
{
    struct redial_policy policy = valid_policy();
    uint32_t n = nondet_u32(), jitter_ms = nondet_u32();
    prove(redial_delay_ms(&policy, n, jitter_ms) == formula(&policy, n, jitter_ms));
    reached();
}

/* The waits of two retries, the second the next after the first. */
static uint32_t first_n, first_wait, next_wait;

uint32_t some_doubled(const struct redial_policy *policy, uint32_t n)
{
    prove(policy->base_ms > 0 && (n == first_n || n == first_n + 1));
    return n == first_n ? first_wait : next_wait;
}

static struct redial_policy policy_with_waits(void)
{
    struct redial_policy policy = valid_policy();
    first_n = nondet_u32();
    first_wait = nondet_u32();
    next_wait = nondet_u32();
    assume(first_n < UINT32_MAX);
    assume(policy.base_ms <= first_wait && first_wait <= next_wait && next_wait <= policy.cap_ms);
    assume(first_n < 32 || first_wait == policy.cap_ms);
    return policy;
}

void delay_grows_to_the_cap(void)
{
    struct redial_policy policy = policy_with_waits();
    uint32_t jitter_ms = nondet_u32(), delay = redial_delay_ms(&policy, first_n, jitter_ms);
    prove(delay >= 1 && delay <= policy.cap_ms);
    prove(delay <= redial_delay_ms(&policy, first_n + 1, jitter_ms));
    prove(jitter_ms == UINT32_MAX || delay <= redial_delay_ms(&policy, first_n, jitter_ms + 1));
    prove(first_n < 32 || delay == policy.cap_ms);
    reached();
}

/* ---- the random delay: the range that the header gives each mode ---- */

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

void random_delay_keeps_its_range(void)
{
    struct redial_policy policy = policy_with_waits();
    uint32_t delay = redial_random_delay_ms(&policy, first_n, nondet_u32());
    prove(delay >= shortest(&policy));
    prove(delay <= longest(&policy));
    prove(delay <= policy.cap_ms);
    reached();
}

void random_delay_reaches_both_ends(void)
{
    struct redial_policy policy = policy_with_waits();
    uint32_t most = redial_random_delay_ms(&policy, first_n, UINT32_MAX);
    prove(redial_random_delay_ms(&policy, first_n, 0) == shortest(&policy));
    prove(most == longest(&policy));
    prove(first_n < 32 || most == policy.cap_ms);
    reached();
}

/* ---- the wait that a server asked for: rule 7 of redial_next, with w = first_wait ---- */

void server_delay_is_the_formula_and_never_too_early(void)
{
    struct redial_policy policy = policy_with_waits();
    uint32_t retry_after_ms = nondet_u32(), random = nondet_u32(), delay;
    uint64_t least = retry_after_ms > first_wait / 2 ? retry_after_ms : first_wait / 2;
    scalings = 0;
    delay = redial_server_delay_ms(&policy, first_n, retry_after_ms, random);
    prove(delay >= retry_after_ms);
    if (policy.jitter == REDIAL_JITTER_NONE) {
        prove(delay == least);
    } else {
        prove(scalings == 1 && scale_random == random);
        prove(scale_most == (policy.jitter_ms > first_wait ? policy.jitter_ms : first_wait));
        prove(delay == sum_of(least, scaled));
    }
    reached();
}

/* ---- the longest total ----

   It is the sum of the longest waits. For the first 32 retries these may be anything up to the cap here; from then on
   they are the cap (random_delay_reaches_both_ends). No wait is longer than the longest (random_delay_keeps_its_range).
   The product of two unknown numbers is too hard for the solver, so beyond 32 retries only the highest limit is
   looked at: another limit changes a factor only. */

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

static void total_is_the_sum_of_the_longest_waits(uint32_t max_retries)
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
        prove(waits == (max_retries < 32 ? max_retries : 32));
        waits_total += (uint64_t)(max_retries - waits) * policy.cap_ms;
    }
    if (policy.max_elapsed_ms && waits_total >= policy.max_elapsed_ms)
        waits_total = policy.max_elapsed_ms - 1;
    prove(total == waits_total);
}

void longest_waits_is_the_sum_of_the_longest_waits(void)
{
    uint32_t max_retries = nondet_u32();
    assume(max_retries <= 32);
    total_is_the_sum_of_the_longest_waits(max_retries);
    reached();
}

void longest_waits_goes_on_at_the_cap(void)
{
    total_is_the_sum_of_the_longest_waits(UINT32_MAX - 1);
    total_is_the_sum_of_the_longest_waits(REDIAL_NO_LIMIT);
    reached();
}
