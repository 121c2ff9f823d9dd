/* The arithmetic of src/internal.h, for every argument. SPDX-License-Identifier: MIT */
#include "proof.h"

void sum_saturates(void)
{
    uint32_t a = nondet_u32(), b = nondet_u32();
    prove(redial_sum(a, b) == sum_of(a, b));
    reached();
}

void since_counts_over_the_wrap_and_not_back(void)
{
    uint32_t now_ms = nondet_u32(), then_ms = nondet_u32();
    prove(redial_since(now_ms, then_ms) == time_between(then_ms, now_ms));
    reached();
}

/* By Z3: CBMC's own solver gets lost in the product. On paper: random is at most 2^32 - 1, so
   random * (most + 1) / 2^32 is below most + 1. That UINT32_MAX gives most, both solvers find too hard:
   (2^32 - 1) * (most + 1) / 2^32 is most + 1 - (most + 1) / 2^32, which rounds down to most. scale_ends.c tries all. */
void scale_is_in_range(void)
{
    uint32_t most = nondet_u32();
    prove(redial_scale(nondet_u32(), most) <= most);
    reached();
}
