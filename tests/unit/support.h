/* What several test programs need. SPDX-License-Identifier: MIT */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wide.h"

#define LENGTH(array) (sizeof (array) / sizeof *(array))

/* Fills an output, so that an unwritten byte shows. */
static inline void poison(void *memory, size_t size)
{
    memset(memory, 0xA5, size);
}

/* The upper half of xorshift64*; *state is the seed, never 0. */
static inline uint32_t random32(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)(*state * 0x2545f4914f6cdd1d >> 32);
}

#endif
