/* The arithmetic of src/internal.h, for every argument. SPDX-License-Identifier: MIT */
#include "proof.h"
#include "../model/decision.h"

void sum_saturates(void)
{
    uint32_t a = nondet_u32(), b = nondet_u32();
    prove(redial_saturating_add_(a, b) == wide_min((uint64_t)a + b, UINT32_MAX));
    reached();
}

void difference_counts_over_the_wrap(void)
{
    uint32_t earlier_ms = nondet_u32(), ms = nondet_u32();
    uint64_t later_ms = ((uint64_t)earlier_ms + ms) & UINT32_MAX;
    prove(redial_difference_((uint32_t)later_ms, earlier_ms) == ms);
    reached();
}

void time_is_charged_once_and_is_0_where_the_clock_stepped_back(void)
{
    struct redial_call call = nondet_call(), before = call;
    uint32_t now_ms = nondet_u32();
    uint64_t ms = passed(before.last_ms_, now_ms);
    prove(redial_charge_time_(&call, now_ms) == ms && call.last_ms_ == now_ms);
    prove(call.elapsed_ms_ == wide_min(before.elapsed_ms_ + ms, UINT32_MAX));
    prove(call.policy == before.policy && call.retries_ == before.retries_);
    prove(call.polls_ == before.polls_);
    reached();
}

/* By Z3: CBMC's own solver gets lost in the product. On paper: random is at most 2^32 - 1, so
   random * (most + 1) / 2^32 is below most + 1. Both solvers find it too hard that UINT32_MAX gives
   most: (2^32 - 1) * (most + 1) / 2^32 is most + 1 - (most + 1) / 2^32, which rounds down to most.
   scale_ends.c tries all. */
void scale_is_in_range(void)
{
    uint32_t most = nondet_u32();
    prove(redial_scale_(nondet_u32(), most) <= most);
    reached();
}
