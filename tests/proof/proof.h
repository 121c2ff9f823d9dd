/* Helpers of the proofs. CBMC reads the proofs, and no compiler does. SPDX-License-Identifier: MIT

   A proof is a function without parameters. It includes the sources it is about, so that it reaches
   their static functions; a function that would be too hard for the solver, or that the proof wants
   to watch, is replaced by another by #define or by the runner (see `proofs`), and its promise is
   proven by itself. A function whose name begins with nondet_ gives any value. */
#ifndef REDIAL_PROOF_H
#define REDIAL_PROOF_H

#include "../../src/internal.h"

#define assume(condition) __CPROVER_assume(condition)

/* Every proof ends with `reached`. It claims that the end is not reached. That claim must fail,
   which shows that the proof is not vacuous. */
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

/* A text of any content that ends where its array ends, so that a byte read beyond it is a byte
   beyond the array. */
#define LONGEST_TEXT 32
static char array[LONGEST_TEXT];

static const char *any_text(size_t length)
{
    unsigned i;
    assume(length <= LONGEST_TEXT);
    for (i = 0; i < LONGEST_TEXT; i++)
        array[i] = nondet_char();
    return array + (LONGEST_TEXT - length);
}

#endif
