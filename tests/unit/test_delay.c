/* The waits of src/delay.c, worked out by hand. tests/model compares all of them with the formulas
   in 64-bit arithmetic, and tests/proof proves them. SPDX-License-Identifier: MIT */
#include "../common/support.h"

/* The waits that services document: min(2^n s + random_ms, maximum backoff). */
TEST(the_default_doubles_its_waits_up_to_the_cap_and_goes_on_there)
{
    static const struct { const char *use; uint32_t cap_ms, random, waits_ms[8]; } rows[] = {
        { "Memorystore for Redis", 32000, 0,
          { 1000, 2000, 4000, 8000, 16000, 32000, 32000, 32000 } },
        { "Memorystore for Redis", 32000, UINT32_MAX,
          { 2000, 3000, 5000, 9000, 17000, 32000, 32000, 32000 } },
        { "Memorystore for Valkey", 64000, UINT32_C(0x80000000),
          { 1500, 2500, 4500, 8500, 16500, 32500, 64000, 64000 } },
        { "Memorystore for Valkey", 64000, UINT32_MAX,
          { 2000, 3000, 5000, 9000, 17000, 33000, 64000, 64000 } },
        { "Bid Manager", UINT32_MAX, 0, { 1000, 2000, 4000, 8000, 16000 } },
        { "Bid Manager", UINT32_MAX, UINT32_MAX, { 2000, 3000, 5000, 9000, 17000 } },
    };
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    for (size_t i = 0; i < LENGTH(rows); i++)
        for (uint32_t n = 0; n < 8 && rows[i].waits_ms[n]; n++) {
            policy.cap_ms = rows[i].cap_ms;
            if (redial_random_delay_ms(&policy, n, rows[i].random) != rows[i].waits_ms[n])
                fail_msg("%s: retry %u", rows[i].use, (unsigned)n);
        }
    policy.cap_ms = 32000;
    assert_int_equal(redial_delay_ms(&policy, 4, 999), 16999);
    assert_int_equal(redial_delay_ms(&policy, 4, 15999), 31999);
    assert_int_equal(redial_delay_ms(&policy, 4, 16001), 32000);
}

TEST(each_mode_waits_from_its_shortest_to_its_longest_wait_within_the_cap)
{
    enum { ADDED = REDIAL_JITTER_ADDED, WIDE = REDIAL_JITTER_WIDE, FULL = REDIAL_JITTER_FULL,
           NONE = REDIAL_JITTER_NONE };
    static const struct {
        int mode;
        uint32_t base_ms, cap_ms, jitter_ms, n, shortest, longest;
    } rows[] = {
        { ADDED, 1000, 32000, 250, 1, 2000, 2250 },
        { ADDED,   10, 32000,   0, 1,   20,   30 },   /* a jitter_ms of 0 is the base */
        { ADDED, 5000, 32000,   0, 0, 5000, 6000 },   /* or a second */
        { ADDED,    1, 32000,   7, 0,    1,    8 },
        { ADDED, 1000,  1000, 500, 0, 1000, 1000 },
        { FULL,  1000, 32000,   0, 3,    0, 8000 },
        { NONE,  1000, 32000, 500, 3, 8000, 8000 },
        { NONE,     1, UINT32_MAX, 0, 31, 0x80000000, 0x80000000 },
        { NONE,     1, UINT32_MAX, 0, 32, UINT32_MAX, UINT32_MAX },
        { NONE,     3, 0xbfffffff, 0, 30, 0xbfffffff, 0xbfffffff },
        { NONE,     3, 0xc0000000, 0, 30, 0xc0000000, 0xc0000000 },   /* the doubling just fits */
        /* half of twice the wait, and the base at least, up to all of it */
        { WIDE,  1000, 32000, 0,  0,  1000,  2000 },
        { WIDE,  1000, 32000, 0,  3,  8000, 16000 },
        { WIDE,  1000, 32000, 0,  5, 16000, 32000 },
        { WIDE,  1000, 32000, 0, 99, 16000, 32000 },
        { WIDE,  1000,  1998, 0,  0,  1000,  1998 },   /* the cap is less than twice the base */
        { WIDE,  1000,  1000, 0,  0,   500,  1000 },   /* otherwise there would be no jitter */
        { WIDE,     1,     1, 0,  0,     1,     1 },
        { WIDE, 0x7fffffff, UINT32_MAX, 0, 0, 0x7fffffff, UINT32_MAX - 1 },
        { WIDE, 0x80000000, UINT32_MAX, 0, 0, 0x80000000, UINT32_MAX },
        { WIDE, UINT32_MAX, UINT32_MAX, 0, 9, 0x80000000, UINT32_MAX }
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        policy.base_ms = rows[i].base_ms;
        policy.cap_ms = rows[i].cap_ms;
        policy.jitter_ms = rows[i].jitter_ms;
        policy.jitter = (enum redial_jitter)rows[i].mode;
        assert_int_equal(redial_random_delay_ms(&policy, rows[i].n, 0), rows[i].shortest);
        assert_int_equal(redial_random_delay_ms(&policy, rows[i].n, UINT32_MAX), rows[i].longest);
    }
}

TEST(a_draw_from_a_range_has_both_ends_and_of_an_inverted_range_the_low_one)
{
    static const struct { uint32_t low, high, random, drawn; } rows[] = {
        { 900, 1100, 0, 900 },
        { 900, 1100, UINT32_C(0x80000000), 1000 },
        { 900, 1100, UINT32_MAX, 1100 },
        { 7, 6, UINT32_MAX, 7 },
        { UINT32_MAX, 0, UINT32_MAX, UINT32_MAX },
        { 0, UINT32_MAX, UINT32_C(0x12345678), UINT32_C(0x12345678) },
        { UINT32_MAX - 1, UINT32_MAX, UINT32_C(0x7fffffff), UINT32_MAX - 1 },
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        assert_int_equal(redial_between_ms(rows[i].low, rows[i].high, rows[i].random),
                         rows[i].drawn);
}

int main(void)
{
    return run_all();
}
