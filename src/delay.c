/* How long to wait: pure arithmetic. SPDX-License-Identifier: MIT */
#include "internal.h"

/* min(base_ms * 2^n, cap_ms). It compares before it shifts, so that base_ms << n cannot overflow:
   base <= cap >> n is the same as base * 2^n <= cap. */
static uint32_t doubled(const struct redial_policy *policy, uint32_t n)
{
    if (n < 32 && policy->base_ms <= policy->cap_ms >> n)
        return policy->base_ms << n;
    return policy->cap_ms;
}

static uint32_t capped(const struct redial_policy *policy, uint32_t wait, uint32_t more)
{
    return more < policy->cap_ms - wait ? wait + more : policy->cap_ms;
}

uint32_t redial_delay_ms(const struct redial_policy *policy, uint32_t n, uint32_t jitter_ms)
{
    return capped(policy, doubled(policy, n), jitter_ms);
}

/* Is the random part added to the doubled base, as in the documented algorithm? */
static bool is_added(const struct redial_policy *policy, uint32_t own)
{
    return policy->jitter == REDIAL_JITTER_ADDED
           || (policy->jitter == REDIAL_JITTER_SPREAD && policy->jitter_ms < policy->cap_ms - own);
}

uint32_t redial_random_delay_ms(const struct redial_policy *policy, uint32_t n, uint32_t random)
{
    uint32_t own = doubled(policy, n);
    if (is_added(policy, own))
        return capped(policy, own, redial_scale(random, policy->jitter_ms));
    if (policy->jitter == REDIAL_JITTER_NONE)
        return own;
    if (policy->jitter == REDIAL_JITTER_FULL)
        return redial_scale(random, own);
    if (policy->jitter == REDIAL_JITTER_SPREAD)
        own = policy->cap_ms;
    return own - own / 2 + redial_scale(random, own / 2);
}

/* Rule 7 of redial_next. The wait is never shorter than the server asked for. It is at least half
   of our own backoff, so that a server that was often wrong is believed less. The random part is as
   wide as our own backoff, because the server may have told many clients the same. */
uint32_t redial_server_delay_ms(const struct redial_policy *policy, uint32_t n,
                                uint32_t retry_after_ms, uint32_t random)
{
    uint32_t own = doubled(policy, n), most = own > policy->jitter_ms ? own : policy->jitter_ms;
    uint32_t least = retry_after_ms > own / 2 ? retry_after_ms : own / 2;
    if (policy->jitter == REDIAL_JITTER_NONE)
        return least;
    return redial_saturating_add(least, redial_scale(random, most));
}

uint64_t redial_longest_waits_ms(const struct redial_policy *policy)
{
    uint64_t limit = policy->max_elapsed_ms ? policy->max_elapsed_ms - 1 : UINT64_MAX, total = 0;
    uint32_t n;
    if (policy->max_retries == REDIAL_NO_LIMIT)
        return limit;
    /* From n = 32 on every wait is the cap, even with base_ms = 1 and cap_ms = UINT32_MAX. */
    for (n = 0; n < policy->max_retries && n < 32; n++)
        total += redial_random_delay_ms(policy, n, UINT32_MAX);
    total += (uint64_t)(policy->max_retries - n) * policy->cap_ms;
    return total < limit ? total : limit;
}
