/* Helpers that the two system files share. SPDX-License-Identifier: MIT */
#ifndef REDIAL_SYSTEM_H
#define REDIAL_SYSTEM_H

#include "redial.h"

/* A wait calls `cancelled` this often. redial.h promises twice this time, because the system may
   wake a thread late. */
#define REDIAL_ASK_MS_ 25

/* Mixes sources into 32 bits. Each source is only a little random. It multiplies and folds once for
   each half of a source. */
static inline uint32_t redial_mix_(const uint64_t *sources, unsigned count)
{
    uint32_t bits = 0x6a09e667;
    unsigned i;
    for (i = 0; i < 2 * count; i++) {
        uint64_t product;
        bits ^= (uint32_t)(i & 1 ? sources[i / 2] >> 32 : sources[i / 2]);
        product = (uint64_t)bits * 0x9e3779b1;
        bits = (uint32_t)(product ^ product >> 32);
    }
    return bits;
}

#endif
