/* How long to wait: pure arithmetic. SPDX-License-Identifier: MIT */
#include "internal.h"

enum redial_policy_error redial_policy_check(const struct redial_policy *policy)
{
    if (!policy || policy->base_ms == 0)
        return REDIAL_POLICY_BASE_ZERO;
    if (policy->cap_ms < policy->base_ms)
        return REDIAL_POLICY_CAP_BELOW_BASE;
    if (policy->jitter_ms > REDIAL_JITTER_MAX_MS)
        return REDIAL_POLICY_JITTER_TOO_LONG;
    if ((unsigned)policy->jitter > REDIAL_JITTER_FULL)
        return REDIAL_POLICY_JITTER_UNKNOWN;
    return REDIAL_POLICY_OK;
}

/* min(base_ms * 2^retry, cap_ms). Compared before it is shifted, so nothing is lost: base <= cap / 2^retry,
   rounded down, says the same as base * 2^retry <= cap. */
static uint32_t doubled(const struct redial_policy *policy, uint32_t retry)
{
    if (retry < 32 && policy->base_ms <= policy->cap_ms >> retry)
        return policy->base_ms << retry;
    return policy->cap_ms;
}

static uint32_t capped(const struct redial_policy *policy, uint32_t wait, uint32_t more)
{
    return more < policy->cap_ms - wait ? wait + more : policy->cap_ms;
}

uint32_t redial_delay_ms(const struct redial_policy *policy, uint32_t retry, uint32_t jitter_ms)
{
    return capped(policy, doubled(policy, retry), jitter_ms);
}

/* Every kind is a least wait and a random part of more. */
uint32_t redial_random_delay_ms(const struct redial_policy *policy, uint32_t retry, uint32_t random)
{
    uint32_t least = doubled(policy, retry), more = policy->jitter_ms;
    switch (policy->jitter) {
    case REDIAL_JITTER_FULL:
        more = least;
        least = 0;
        break;
    case REDIAL_JITTER_SPREAD:
        if (more < policy->cap_ms - least)
            break;
        least = policy->cap_ms;
        /* fall through */
    case REDIAL_JITTER_EQUAL:
        more = least / 2;
        least -= more;
        break;
    default:   /* ADDED */
        break;
    }
    return capped(policy, least, redial_scale(random, more));
}

uint64_t redial_longest_total_ms(const struct redial_policy *policy)
{
    uint64_t limit = policy->max_elapsed_ms ? policy->max_elapsed_ms - 1 : UINT64_MAX, total = 0;
    uint32_t retry;
    if (policy->max_retries == REDIAL_NO_LIMIT)
        return limit;
    /* Base 1 and cap UINT32_MAX take longest to the cap: every wait is that from retry 32 on. */
    for (retry = 0; retry < policy->max_retries && retry < 32; retry++)
        total += redial_random_delay_ms(policy, retry, UINT32_MAX);
    total += (uint64_t)(policy->max_retries - retry) * policy->cap_ms;
    return total < limit ? total : limit;
}
