/* Random bits must be uniform. SPDX-License-Identifier: MIT */
#ifndef UNIFORM_H
#define UNIFORM_H

#include "../common/support.h"

/* Each of the 32 bits is set in half of the draws, give or take 7 standard deviations of
   sqrt(draws)/2. Each value of each byte comes equally often: chi-square, 255 degrees of
   freedom, so 255 give or take 8 times sqrt(510). */
static inline void assert_uniform(uint32_t (*draw)(void), unsigned draws)
{
    static unsigned bytes[4][256];
    unsigned i, value, bit, bits[32] = { 0 };
    memset(bytes, 0, sizeof bytes);
    for (i = 0; i < draws; i++) {
        uint32_t random = draw();
        for (bit = 0; bit < 32; bit++)
            bits[bit] += random >> bit & 1;
        for (bit = 0; bit < 32; bit += 8)
            bytes[bit / 8][random >> bit & 255]++;
    }
    for (bit = 0; bit < 32; bit++) {
        double off = 2.0 * bits[bit] - draws;
        assert_true(off * off < 49.0 * draws);
    }
    for (i = 0; i < 4; i++) {
        double expected = draws / 256.0, chi_square = 0;
        for (value = 0; value < 256; value++)
            chi_square += (bytes[i][value] - expected) * (bytes[i][value] - expected) / expected;
        assert_true(chi_square > 75 && chi_square < 435);
    }
}

#endif
