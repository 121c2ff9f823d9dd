/* Helpers of the proofs. CBMC reads the proofs, and no compiler does. SPDX-License-Identifier: MIT

   A proof is a function without parameters. It includes the sources it is about, so that it reaches their static
   functions; a function that would be too hard for the solver, or that the proof wants to watch, is replaced by
   another by #define or by the runner (see `proofs`), and its promise is proven by itself. A function whose name begins
   with nondet_ gives any value. */
#ifndef REDIAL_PROOF_H
#define REDIAL_PROOF_H

#include "../../src/internal.h"

#define assume(condition) __CPROVER_assume(condition)

/* Every proof ends with `reached`. It claims that the end is not reached. That claim must fail, which shows that the
   proof is not vacuous. */
#ifdef VACUOUS
#define prove(condition) ((void)0)
#define reached() __CPROVER_assert(0, "the end is not reached")
#else
#define prove(condition) __CPROVER_assert((condition), #condition)
#define reached() ((void)0)
#endif

bool nondet_bool(void);
char nondet_char(void);
int nondet_int(void);
uint32_t nondet_u32(void);
uint64_t nondet_u64(void);
int64_t nondet_i64(void);
size_t nondet_size(void);
struct redial_policy nondet_policy(void);
struct redial_call nondet_call(void);
struct redial_outcome nondet_outcome(void);
struct redial_report nondet_report(void);

/* It does not call redial_policy_check, because that function is proven to agree with this one. */
static bool is_valid(const struct redial_policy *policy)
{
    bool needs_jitter = policy->jitter == REDIAL_JITTER_ADDED || policy->jitter == REDIAL_JITTER_SPREAD;
    return policy->base_ms >= 1 && policy->base_ms <= policy->cap_ms && policy->jitter_ms <= REDIAL_JITTER_MAX_MS
           && (needs_jitter ? policy->jitter_ms >= 1
                            : policy->jitter == REDIAL_JITTER_EQUAL || policy->jitter == REDIAL_JITTER_FULL
                                  || policy->jitter == REDIAL_JITTER_NONE);
}

static struct redial_policy valid_policy(void)
{
    struct redial_policy policy = nondet_policy();
    assume(is_valid(&policy));
    return policy;
}

/* a + b, and the time from then to now on a counter that wraps, in arithmetic so wide that nothing can be lost. */
static uint64_t sum_of(uint64_t a, uint64_t b)
{
    return a + b < UINT32_MAX ? a + b : UINT32_MAX;
}

static uint64_t time_between(uint64_t then_ms, uint64_t now_ms)
{
    uint64_t ms = now_ms >= then_ms ? now_ms - then_ms : now_ms + ((uint64_t)1 << 32) - then_ms;
    return ms < (uint64_t)1 << 31 ? ms : 0;
}

#endif
