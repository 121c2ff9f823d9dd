/* Helpers of the proofs. CBMC reads the proofs, and no compiler does. SPDX-License-Identifier: MIT

   A proof is a function without parameters. It includes the sources that it is about, so that it
   reaches their static functions. Where the table of `run` replaces a function that is too hard for
   the solver, another proof shows what the replacement takes for granted. A function whose name
   begins with nondet_ gives any value. */
#ifndef REDIAL_PROOF_H
#define REDIAL_PROOF_H

#include "../../src/internal.h"

#define assume(condition) __CPROVER_assume(condition)
#define prove(condition) __CPROVER_assert((condition), #condition)

/* Every proof ends with it. It must be the only claim that fails: a proof whose end is not reached
   would claim nothing. */
#define reached() __CPROVER_assert(0, "the end is reached")

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

#endif
