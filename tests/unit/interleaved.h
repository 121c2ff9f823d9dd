/* Replaces src/atomic.h. Each access to a shared word calls interrupt() first. In that function a
   test acts as a second thread, at the moments that it chooses. SPDX-License-Identifier: MIT */
#ifndef INTERLEAVED_H
#define INTERLEAVED_H

#define REDIAL_API       /* what is tested is compiled into the test, never imported from a DLL */
#define REDIAL_ATOMIC_H
#include "../common/support.h"

static unsigned writes;   /* stores and swaps, including failed ones */

static void interrupt(void);

static uint32_t redial_load_(const uint32_t *word)
{
    interrupt();
    return *word;
}

static void redial_store_(uint32_t *word, uint32_t value)
{
    interrupt();
    writes++;
    *word = value;
}

static bool redial_swap_(uint32_t *word, uint32_t *expected, uint32_t value)
{
    interrupt();
    writes++;
    if (*word != *expected) {
        *expected = *word;
        return false;
    }
    *word = value;
    return true;
}

#endif
