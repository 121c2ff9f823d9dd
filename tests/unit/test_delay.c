/* The arithmetic of src/delay.c, compared with the 64-bit arithmetic of wide.h.
   SPDX-License-Identifier: MIT */
#include "../common/support.h"

static const uint32_t edges_of_n[] = { 0, 1, 2, 3, 4, 5, 6, 15, 16, 30, 31, 32, 33, 62, 63, 64, 65,
                                       1000, 0x7fffffff, 0x80000000, UINT32_MAX - 1, UINT32_MAX };
static const uint32_t edges[] = { 0, 1, 2, 3, 999, 1000, 1001, 0x7fffffff, 0x80000000,
                                  UINT32_MAX - 1, UINT32_MAX };
enum { MODES = REDIAL_JITTER_NONE + 1 };

static struct redial_policy policy_of(uint32_t base_ms, uint32_t cap_ms, uint32_t jitter_ms,
                                      unsigned mode)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.base_ms = base_ms;
    policy.cap_ms = cap_ms;
    policy.jitter_ms = jitter_ms;
    policy.jitter = (enum redial_jitter)mode;
    return policy;
}

/* Calls check with every valid policy of these edges. */
static void with_every_policy(void (*check)(const struct redial_policy *policy))
{
    for (unsigned mode = 0; mode < MODES; mode++)
        for (size_t b = 0; b < LENGTH(edges); b++)
            for (size_t c = b; c < LENGTH(edges); c++)
                for (size_t j = 0; j < LENGTH(edges); j++) {
                    struct redial_policy policy = policy_of(edges[b], edges[c], edges[j], mode);
                    if (!redial_policy_error(&policy))
                        check(&policy);
                }
}

static void fail_with(const char *what, const struct redial_policy *policy, uint32_t n,
                      uint32_t value, uint32_t got)
{
    fail_msg("%s: mode %d, base %lu, cap %lu, jitter %lu, n %lu, %lu: %lu", what,
             (int)policy->jitter, (unsigned long)policy->base_ms, (unsigned long)policy->cap_ms,
             (unsigned long)policy->jitter_ms, (unsigned long)n, (unsigned long)value,
             (unsigned long)got);
}

/* ---- the delay ---- */

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

TEST(wide_waits_from_half_of_twice_the_wait_and_the_base_to_all_of_it_within_the_cap)
{
    static const struct { uint32_t base_ms, cap_ms, n, shortest, longest; } rows[] = {
        { 1000, 32000,  0,  1000,  2000 },
        { 1000, 32000,  3,  8000, 16000 },
        { 1000, 32000,  5, 16000, 32000 },
        { 1000, 32000, 99, 16000, 32000 },
        { 1000,  1998,  0,  1000,  1998 },   /* the cap is less than twice the base */
        { 1000,  1000,  0,   500,  1000 },   /* otherwise there would be no jitter */
        {    1,     1,  0,     1,     1 },
        { 0x7fffffff, UINT32_MAX, 0, 0x7fffffff, UINT32_MAX - 1 },
        { 0x80000000, UINT32_MAX, 0, 0x80000000, UINT32_MAX },
        { UINT32_MAX, UINT32_MAX, 9, 0x80000000, UINT32_MAX }
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct redial_policy policy =
            policy_of(rows[i].base_ms, rows[i].cap_ms, 0, REDIAL_JITTER_WIDE);
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

/* redial_policy_error refuses such a policy, but a wait beyond the cap would surprise its user. */
TEST(an_unknown_mode_waits_no_longer_than_the_cap)
{
    struct redial_policy policy = policy_of(1000, 32000, 1000, MODES);
    for (size_t i = 0; i < LENGTH(edges_of_n); i++)
        assert_true(redial_random_delay_ms(&policy, edges_of_n[i], UINT32_MAX) <= 32000);
}

/* ---- all delays, compared with wide.h ---- */

/* The wait for a retry_after_ms, as a decision gives it. */
static uint32_t asked_delay(const struct redial_policy *policy, enum redial_kind kind, uint32_t n,
                            uint32_t retry_after_ms, uint32_t random)
{
    struct redial_outcome outcome = { kind, 0, retry_after_ms, 0 };
    struct redial_policy patient = *policy;
    struct redial_call call;
    patient.max_retries = patient.max_elapsed_ms = REDIAL_NO_LIMIT;
    patient.max_retry_after_ms = UINT32_MAX;
    assert_true(redial_resume(&call, &patient, n, 0, 0));
    return redial_next(&call, 0, outcome, random).delay_ms;
}

static void check_delays(const struct redial_policy *policy, uint32_t n, uint32_t value)
{
    uint32_t got = redial_delay_ms(policy, n, value);
    if (got != wide_delay(policy->base_ms, policy->cap_ms, n, value))
        fail_with("redial_delay_ms", policy, n, value, got);
    got = redial_random_delay_ms(policy, n, value);
    if (got != wide_random_delay(policy, n, value))
        fail_with("redial_random_delay_ms", policy, n, value, got);
    for (size_t i = 1; i < LENGTH(edges); i++)
        for (int kind = REDIAL_KIND_RETRY; kind <= REDIAL_KIND_HELD; kind++) {
            enum redial_kind why = (enum redial_kind)kind;
            got = asked_delay(policy, why, n, edges[i], value);
            if (got != wide_min(wide_asked_delay(policy, why, n, edges[i], value), UINT32_MAX))
                fail_with("the wait for a time that was named", policy, n, edges[i], got);
        }
}

static void check_edges(const struct redial_policy *policy)
{
    for (size_t i = 0; i < LENGTH(edges_of_n); i++)
        for (size_t r = 0; r < LENGTH(edges); r++)
            check_delays(policy, edges_of_n[i], edges[r]);
}

TEST(every_mode_is_exact_at_every_edge)
{
    with_every_policy(check_edges);
}

/* ---- how even the random delay is ---- */

/* The smallest random number whose wait is at least delay. The wait grows with the random
   number. */
static uint64_t first_random(const struct redial_policy *policy, uint32_t delay)
{
    uint64_t low = 0, high = (uint64_t)1 << 32;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (redial_random_delay_ms(policy, 0, (uint32_t)middle) < delay)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Each of n waits comes from 2^32 / n of the 2^32 random numbers, rounded down or up. */
TEST(each_wait_gets_an_equal_share_of_the_random_numbers_give_or_take_one)
{
    static const uint32_t mosts[] = { 1, 2, 3, 6, 255, 256, 999, 1000 };
    for (size_t m = 0; m < LENGTH(mosts); m++) {
        const struct redial_policy added =
            policy_of(5000, UINT32_MAX, mosts[m], REDIAL_JITTER_ADDED);
        const struct redial_policy full = policy_of(mosts[m], mosts[m], 1, REDIAL_JITTER_FULL);
        const struct redial_policy wide = policy_of(mosts[m], UINT32_MAX, 0, REDIAL_JITTER_WIDE);
        uint64_t share = ((uint64_t)1 << 32) / (mosts[m] + 1);
        for (uint32_t i = 0; i <= mosts[m]; i++) {
            uint64_t size = first_random(&full, i + 1) - first_random(&full, i);
            assert_true(size == share || size == share + 1);
            assert_true(first_random(&added, 5000 + i) == first_random(&full, i));
            assert_true(first_random(&wide, mosts[m] + i) == first_random(&full, i));
        }
    }
}

int main(void)
{
    return run_all();
}
