/* Atomic access to one 32-bit word, for the budget and the gate. SPDX-License-Identifier: MIT

   Every access is sequentially consistent: all threads see all accesses in one order. redial_swap_
   is the compare-and-swap. If it fails, it stores in *expected the value that it found. */
#ifndef REDIAL_ATOMIC_H
#define REDIAL_ATOMIC_H

#include "redial.h"

#ifdef REDIAL_NO_ATOMICS
/* For programs with one thread that call budget and gate in no interrupt. */
static inline uint32_t redial_load_(const uint32_t *word)
{
    return *word;
}
static inline void redial_store_(uint32_t *word, uint32_t value)
{
    *word = value;
}
static inline bool redial_swap_(uint32_t *word, uint32_t *expected, uint32_t value)
{
    bool swapped = *word == *expected;
    *expected = *word;
    if (swapped)
        *word = value;
    return swapped;
}
#elif defined(_MSC_VER)
#include <intrin.h>
/* A volatile read would be ordered on x86 only. This compare-and-swap is ordered on every
   processor. It writes nothing but a 0 over a 0. */
static inline uint32_t redial_load_(const uint32_t *word)
{
    return (uint32_t)_InterlockedCompareExchange((volatile long *)(uintptr_t)word, 0, 0);
}
static inline void redial_store_(uint32_t *word, uint32_t value)
{
    _InterlockedExchange((volatile long *)word, (long)value);
}
static inline bool redial_swap_(uint32_t *word, uint32_t *expected, uint32_t value)
{
    uint32_t found =
        (uint32_t)_InterlockedCompareExchange((volatile long *)word, (long)value, (long)*expected);
    bool swapped = found == *expected;
    *expected = found;
    return swapped;
}
#else
static inline uint32_t redial_load_(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}
static inline void redial_store_(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}
static inline bool redial_swap_(uint32_t *word, uint32_t *expected, uint32_t value)
{
    return __atomic_compare_exchange_n(word, expected, value, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}
#endif

#endif
