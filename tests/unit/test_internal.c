/* The helpers that the library's files share, src/internal.h and src/system.h.
   SPDX-License-Identifier: MIT */
#include "../common/support.h"

#include "../../src/internal.h"
#include "../../src/system.h"

TEST(a_sum_saturates)
{
    static const struct { uint32_t a, b, sum; } sums[] = {
        { 1, 2, 3 }, { UINT32_MAX - 2, 1, UINT32_MAX - 1 }, { UINT32_MAX - 1, 1, UINT32_MAX },
        { 1, UINT32_MAX, UINT32_MAX }, { UINT32_MAX, UINT32_MAX, UINT32_MAX },
        { 0x80000000, 0x80000000, UINT32_MAX },
    };
    for (size_t i = 0; i < LENGTH(sums); i++)
        assert_true(redial_saturating_add_(sums[i].a, sums[i].b) == sums[i].sum);
}

TEST(time_passes_over_the_wrap_and_half_of_the_range_is_a_step_back)
{
    static const struct { uint32_t now, then, ms; } times[] = {
        { 5, 5, 0 }, { 1, 0, 1 }, { 4, 0xfffffff0, 20 }, { 0x7fffffff, 0, 0x7fffffff },
        { 0x7ffffffe, UINT32_MAX, 0x7fffffff }, { 0x80000000, 0, 0 }, { 0x7fffffff, UINT32_MAX, 0 },
        { 4, 5, 0 }, { UINT32_MAX - 1, UINT32_MAX, 0 },
    };
    for (size_t i = 0; i < LENGTH(times); i++)
        assert_true(redial_elapsed_since_(times[i].now, times[i].then) == times[i].ms);
    assert_true(redial_difference_(5, 7) == UINT32_MAX - 1 && redial_difference_(7, 5) == 2);
    assert_true(redial_difference_(UINT32_MAX, 0) == UINT32_MAX
                && redial_difference_(0, 1) == UINT32_MAX);
}

TEST(time_is_charged_once_and_says_how_much_it_was)
{
    struct redial_call call = { .retries_ = 3, .polls_ = 4, .elapsed_ms_ = 100, .last_ms_ = 1000 };
    assert_true(redial_charge_time_(&call, 1050) == 50);
    assert_true(call.elapsed_ms_ == 150 && call.last_ms_ == 1050);
    assert_true(redial_charge_time_(&call, 1050) == 0);
    assert_true(redial_charge_time_(&call, 1040) == 0);   /* back by 10 */
    assert_true(redial_charge_time_(&call, 1050) == 10);
    assert_true(call.elapsed_ms_ == 160 && call.last_ms_ == 1050);
    assert_true(call.retries_ == 3 && call.polls_ == 4);
    assert_true(redial_charge_time_(&call, 1050u + 0x7fffffff) == 0x7fffffff);
    assert_true(redial_charge_time_(&call, 1048) == 0x7fffffff
                && redial_charge_time_(&call, 2048) == 1000);
    assert_true(call.elapsed_ms_ == UINT32_MAX);
}

TEST(random_bits_are_scaled_to_both_ends_of_a_range)
{
    static const struct { uint32_t random, most, scaled; } draws[] = {
        { UINT32_MAX, 0, 0 }, { 0, UINT32_MAX, 0 }, { UINT32_MAX, UINT32_MAX, UINT32_MAX },
        { 0x12345678, UINT32_MAX, 0x12345678 }, { 0x7fffffff, 1, 0 }, { 0x80000000, 1, 1 },
        { 0x7fffffff, 999, 499 }, { 0x80000000, 999, 500 }, { UINT32_MAX, 1000, 1000 },
    };
    for (size_t i = 0; i < LENGTH(draws); i++)
        assert_true(redial_scale_(draws[i].random, draws[i].most) == draws[i].scaled);
}

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
