/* How src/system.h mixes sources that are only a little random. SPDX-License-Identifier: MIT */
#include "../common/support.h"

#include "../../src/system.h"

/* Computed by another program, with integers of any length: for the low half of each source,
   then the high one, bits ^= half; bits = (bits * 0x9e3779b1) folded from 64 to 32. */
TEST(a_mix_depends_on_both_halves_of_every_source)
{
    static const struct { uint64_t sources[5]; unsigned count; uint32_t bits; } mixes[] = {
        { { 9, 9 }, 0, 0x6a09e667 },
        { { 1, 9 }, 1, 0xa7fa9d2f },
        { { 0x100000000, 9 }, 1, 0xd3dc267d },
        { { 0x100000002, 0x300000004, 0x500000006, 0x700000008, 0x90000000a }, 5, 0x36fbf060 },
        { { 0, 1 }, 2, 0xa9207a95 },
        { { 1, 0 }, 2, 0x0e9a8630 },
    };
    for (size_t i = 0; i < LENGTH(mixes); i++)
        assert_true(redial_mix_(mixes[i].sources, mixes[i].count) == mixes[i].bits);
}

int main(void)
{
    return run_all();
}
