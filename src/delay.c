/* How long to wait: pure arithmetic. SPDX-License-Identifier: MIT */
#include "internal.h"

/* min(base_ms * 2^n, cap_ms). It compares before it shifts, so that base_ms << n cannot overflow:
   base <= cap >> n is the same as base * 2^n <= cap. */
static uint32_t redial_doubled_(const struct redial_policy *policy, uint32_t n)
{
    if (n < 32 && policy->base_ms <= policy->cap_ms >> n)
        return policy->base_ms << n;
    return policy->cap_ms;
}

/* min(wait + more, cap_ms). wait must not be above cap_ms. */
static uint32_t redial_capped_(const struct redial_policy *policy, uint32_t wait, uint32_t more)
{
    return more < policy->cap_ms - wait ? wait + more : policy->cap_ms;
}

uint32_t redial_between_ms(uint32_t low_ms, uint32_t high_ms, uint32_t random_bits)
{
    return low_ms + (high_ms > low_ms ? redial_scale_(random_bits, high_ms - low_ms) : 0);
}

static uint32_t redial_base_up_to_a_second_(const struct redial_policy *policy)
{
    return policy->base_ms < REDIAL_JITTER_MAX_MS ? policy->base_ms : REDIAL_JITTER_MAX_MS;
}

uint32_t redial_delay_ms(const struct redial_policy *policy, uint32_t n, uint32_t jitter_ms)
{
    return redial_capped_(policy, redial_doubled_(policy, n), jitter_ms);
}

/* high_ms is the v of redial.h. Where base_ms and cap_ms are the same, waits may be shorter than
   that: it is the only jitter there is. */
static uint32_t redial_wide_ms_(const struct redial_policy *policy, uint32_t high_ms,
                                uint32_t random_bits)
{
    uint32_t low_ms = high_ms - high_ms / 2;
    if (low_ms < policy->base_ms && policy->base_ms < policy->cap_ms)
        low_ms = policy->base_ms;
    return redial_between_ms(low_ms, high_ms, random_bits);
}

uint32_t redial_random_delay_ms(const struct redial_policy *policy, uint32_t n,
                                uint32_t random_bits)
{
    uint32_t most;
    uint32_t wait = redial_doubled_(policy, n);
    if (policy->jitter == REDIAL_JITTER_FULL)
        return redial_scale_(random_bits, wait);
    if (policy->jitter == REDIAL_JITTER_NONE)
        return wait;
    if (policy->jitter == REDIAL_JITTER_WIDE)
        return redial_wide_ms_(policy, redial_capped_(policy, wait, wait), random_bits);
    most = policy->jitter_ms ? policy->jitter_ms : redial_base_up_to_a_second_(policy);
    return redial_capped_(policy, wait, redial_between_ms(0, most, random_bits));
}

/* The wait is never shorter than was asked for. After a failure it is also at least half of our own
   backoff, because a server that was often wrong is believed less, and its random part is as wide
   as our own backoff, because the server may have told many clients the same. A poll, and what a
   caller imposes on itself (HELD), keep the time as it is, but for jitter_ms. */
uint32_t redial_asked_delay_ms_(const struct redial_policy *policy, enum redial_kind kind,
                                uint32_t n, uint32_t retry_after_ms, uint32_t random_bits)
{
    uint32_t least = 0, most = policy->jitter_ms ? policy->jitter_ms : REDIAL_JITTER_MAX_MS;
    if (kind != REDIAL_KIND_HELD && policy->jitter == REDIAL_JITTER_NONE) {
        least = redial_base_up_to_a_second_(policy);
        most = 0;
    } else if (kind == REDIAL_KIND_RETRY) {
        uint32_t own = redial_doubled_(policy, n);
        least = own / 2;
        most = own > most ? own : most;
    }
    least = retry_after_ms > least ? retry_after_ms : least;
    return redial_saturating_add_(least, redial_between_ms(0, most, random_bits));
}
