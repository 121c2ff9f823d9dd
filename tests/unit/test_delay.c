/* The arithmetic of src/delay.c, against arithmetic wide enough to need no care. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "support.h"

static const uint32_t edges_ms[] = { 1, 2, 3, 999, 1000, 1001, 32000, 64000, 0x7fffffff, 0x80000000, 0x80000001,
                                     UINT32_MAX - 1000, UINT32_MAX - 1, UINT32_MAX };
static const uint32_t edges_of_retry[] = { 0, 1, 2, 3, 4, 5, 6, 15, 16, 30, 31, 32, 33, 62, 63, 64, 65, 1000,
                                           0x7fffffff, 0x80000000, UINT32_MAX - 1, UINT32_MAX };
static const uint32_t edges_of_jitter[] = { 0, 1, 2, 999, 1000 };   /* those that a policy may have */
static const enum redial_jitter kinds[] = { REDIAL_JITTER_ADDED, REDIAL_JITTER_SPREAD, REDIAL_JITTER_EQUAL,
                                            REDIAL_JITTER_FULL };

static struct redial_policy policy_of(uint32_t base_ms, uint32_t cap_ms, uint32_t jitter_ms, enum redial_jitter jitter)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.base_ms = base_ms;
    policy.cap_ms = cap_ms;
    policy.jitter_ms = jitter_ms;
    policy.jitter = jitter;
    return policy;
}

/* Of any size, small ones as often as large ones. */
static uint32_t of_any_size(uint64_t *random)
{
    uint32_t bits = random32(random);
    return random32(random) >> (bits & 31);
}

/* ---- policy ---- */

static void the_default_policy_is_the_documented_one_and_valid(void **state)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    (void)state;
    assert_int_equal(policy.base_ms, 1000);
    assert_int_equal(policy.cap_ms, 32000);
    assert_int_equal(policy.jitter_ms, 1000);
    assert_int_equal(policy.max_retries, 5);
    assert_int_equal(policy.max_elapsed_ms, 0);
    assert_int_equal(policy.max_retry_after_ms, 300000);
    assert_int_equal(policy.min_uptime_ms, 0);
    assert_int_equal(policy.jitter, REDIAL_JITTER_ADDED);
    assert_true(policy.retryable == NULL);
    assert_null(policy.ctx);
    assert_null(policy.budget);
    assert_int_equal(redial_policy_check(&policy), REDIAL_POLICY_OK);
}

static enum redial_policy_error problem_of(uint32_t base_ms, uint32_t cap_ms, uint32_t jitter_ms, int jitter)
{
    struct redial_policy policy = policy_of(base_ms, cap_ms, jitter_ms, (enum redial_jitter)jitter);
    return redial_policy_check(&policy);
}

static void no_policy_and_a_zeroed_one_are_refused(void **state)
{
    struct redial_policy zeroed;
    (void)state;
    memset(&zeroed, 0, sizeof zeroed);
    assert_int_equal(redial_policy_check(NULL), REDIAL_POLICY_BASE_ZERO);
    assert_int_equal(redial_policy_check(&zeroed), REDIAL_POLICY_BASE_ZERO);
}

static void each_problem_begins_right_past_its_boundary(void **state)
{
    (void)state;
    assert_int_equal(problem_of(1, 1, 0, 0), REDIAL_POLICY_OK);
    assert_int_equal(problem_of(UINT32_MAX, UINT32_MAX, 1000, REDIAL_JITTER_FULL), REDIAL_POLICY_OK);
    assert_int_equal(problem_of(0, UINT32_MAX, 0, 0), REDIAL_POLICY_BASE_ZERO);
    assert_int_equal(problem_of(1, 0, 0, 0), REDIAL_POLICY_CAP_BELOW_BASE);
    assert_int_equal(problem_of(1000, 999, 0, 0), REDIAL_POLICY_CAP_BELOW_BASE);
    assert_int_equal(problem_of(1000, 1000, 0, 0), REDIAL_POLICY_OK);
    assert_int_equal(problem_of(UINT32_MAX, UINT32_MAX - 1, 0, 0), REDIAL_POLICY_CAP_BELOW_BASE);
    assert_int_equal(problem_of(1, 1, 1000, 0), REDIAL_POLICY_OK);   /* a jitter above the cap is harmless */
    assert_int_equal(problem_of(1, 1, 1001, 0), REDIAL_POLICY_JITTER_TOO_LONG);
    assert_int_equal(problem_of(1, 1, UINT32_MAX, 0), REDIAL_POLICY_JITTER_TOO_LONG);
}

static void the_four_kinds_of_jitter_are_known_and_no_other(void **state)
{
    static const int others[] = { 4, 5, 255, 256, 32767, -1, -2, -256, INT_MAX, INT_MIN };
    size_t i;
    (void)state;
    for (i = 0; i < LENGTH(kinds); i++)
        assert_int_equal(problem_of(1, 1, 0, (int)kinds[i]), REDIAL_POLICY_OK);
    for (i = 0; i < LENGTH(others); i++)
        assert_int_equal(problem_of(1, 1, 0, others[i]), REDIAL_POLICY_JITTER_UNKNOWN);
}

/* A base of 0 above a cap of 0 is no cap below the base, so those two can't meet. */
static void of_several_problems_the_first_of_the_enum_is_named(void **state)
{
    (void)state;
    assert_int_equal(problem_of(0, 0, 1001, 4), REDIAL_POLICY_BASE_ZERO);
    assert_int_equal(problem_of(0, 5, 0, 4), REDIAL_POLICY_BASE_ZERO);
    assert_int_equal(problem_of(2, 1, 1001, 4), REDIAL_POLICY_CAP_BELOW_BASE);
    assert_int_equal(problem_of(2, 1, 0, 4), REDIAL_POLICY_CAP_BELOW_BASE);
    assert_int_equal(problem_of(2, 1, 1001, 0), REDIAL_POLICY_CAP_BELOW_BASE);
    assert_int_equal(problem_of(1, 2, 1001, 4), REDIAL_POLICY_JITTER_TOO_LONG);
}

static void other_fields_may_hold_anything(void **state)
{
    struct redial_policy policy;
    (void)state;
    poison(&policy, sizeof policy);
    policy.base_ms = policy.cap_ms = 1;
    policy.jitter_ms = 0;
    policy.jitter = REDIAL_JITTER_EQUAL;
    assert_int_equal(redial_policy_check(&policy), REDIAL_POLICY_OK);
}

/* ---- delay ---- */

static void check_delay(uint32_t base_ms, uint32_t cap_ms, uint32_t retry, uint32_t jitter_ms)
{
    struct redial_policy policy = policy_of(base_ms, cap_ms, 0, REDIAL_JITTER_ADDED);
    uint32_t got = redial_delay_ms(&policy, retry, jitter_ms);
    if (got != wide_delay(base_ms, cap_ms, retry, jitter_ms))
        fail_msg("min(%lu * 2^%lu + %lu, %lu) came out as %lu", (unsigned long)base_ms, (unsigned long)retry,
                 (unsigned long)jitter_ms, (unsigned long)cap_ms, (unsigned long)got);
}

static void the_default_waits_1_2_4_8_16_and_then_32_seconds(void **state)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    static const uint32_t s[] = { 1, 2, 4, 8, 16, 32, 32, 32 };
    uint32_t retry;
    (void)state;
    for (retry = 0; retry < LENGTH(s); retry++)
        assert_int_equal(redial_delay_ms(&policy, retry, 0), s[retry] * 1000);
    assert_int_equal(redial_delay_ms(&policy, 4, 999), 16999);
    assert_int_equal(redial_delay_ms(&policy, 4, 15999), 31999);
    assert_int_equal(redial_delay_ms(&policy, 4, 16000), 32000);
    assert_int_equal(redial_delay_ms(&policy, 4, 16001), 32000);
}

static void the_delay_is_exact_at_every_edge(void **state)
{
    static const uint32_t jitters[] = { 0, 1, 2, 999, 1000, 1001, 0x7fffffff, 0x80000000, UINT32_MAX - 1, UINT32_MAX };
    size_t b, c, r, j;
    (void)state;
    for (b = 0; b < LENGTH(edges_ms); b++)
        for (c = b; c < LENGTH(edges_ms); c++)
            for (r = 0; r < LENGTH(edges_of_retry); r++)
                for (j = 0; j < LENGTH(jitters); j++)
                    check_delay(edges_ms[b], edges_ms[c], edges_of_retry[r], jitters[j]);
}

/* Base 1 has the longest way to go, and no exponent may stop short of it. */
static void every_power_of_two_is_reached_and_capped_one_above_and_below(void **state)
{
    uint32_t retry;
    (void)state;
    for (retry = 0; retry < 32; retry++) {
        uint32_t power = (uint32_t)1 << retry;
        check_delay(1, UINT32_MAX, retry, 0);
        check_delay(1, power, retry, 1);
        check_delay(1, power, retry + 1, 0);
        check_delay(1, power - (retry > 0), retry, 0);
        check_delay(1, power + (power - 1), retry, power - 1);
        check_delay(power, UINT32_MAX, 31 - retry, 0);
        check_delay(power, UINT32_MAX, 32 - retry, 0);
    }
}

static void the_delay_is_exact_at_millions_of_random_points(void **state)
{
    const uint64_t seed = 0x9e3779b97f4a7c15;
    uint64_t random = seed;
    unsigned long i;
    (void)state;
    for (i = 0; i < 2000000; i++) {
        uint32_t a = of_any_size(&random), b = of_any_size(&random), bits = random32(&random);
        uint32_t base = (a < b ? a : b), cap = (a < b ? b : a);
        struct redial_policy policy = policy_of(base ? base : 1, cap ? cap : 1, 0, REDIAL_JITTER_ADDED);
        uint32_t jitter = bits & 64 ? bits >> 22 : of_any_size(&random), retry = bits & 63;
        if (redial_delay_ms(&policy, retry, jitter) != wide_delay(policy.base_ms, policy.cap_ms, retry, jitter)) {
            print_error("seed %08lx%08lx, point %lu\n", (unsigned long)(seed >> 32),
                        (unsigned long)(seed & UINT32_MAX), i);
            check_delay(policy.base_ms, policy.cap_ms, retry, jitter);
        }
    }
}

static void the_policy_s_own_jitter_and_its_kind_do_not_matter_to_the_delay(void **state)
{
    size_t k;
    (void)state;
    for (k = 0; k < LENGTH(kinds); k++) {
        struct redial_policy policy = policy_of(1000, 32000, 1000, kinds[k]);
        assert_int_equal(redial_delay_ms(&policy, 2, 7), 4007);
    }
}

/* ---- draw ---- */

struct range {
    uint64_t low, high;
};

/* The header's own words for the four kinds. */
static struct range documented(const struct redial_policy *policy, uint32_t retry)
{
    uint64_t cap = policy->cap_ms, w = wide_delay(policy->base_ms, cap, retry, 0);
    uint64_t with_jitter = wide_delay(policy->base_ms, cap, retry, policy->jitter_ms);
    struct range added = { w, with_jitter }, spread = { cap - cap / 2, cap };
    struct range equal = { w - w / 2, w }, full = { 0, w };
    switch (policy->jitter) {
    case REDIAL_JITTER_SPREAD:
        return with_jitter < cap ? added : spread;
    case REDIAL_JITTER_EQUAL:
        return equal;
    case REDIAL_JITTER_FULL:
        return full;
    default:
        return added;
    }
}

static void check_draw(const struct redial_policy *policy, uint32_t retry, uint32_t random)
{
    struct range range = documented(policy, retry);
    uint32_t got = redial_random_delay_ms(policy, retry, random);
    if (got < range.low || got > range.high || (random == 0 && got != range.low)
        || (random == UINT32_MAX && got != range.high))
        fail_msg("kind %d, base %lu, cap %lu, jitter %lu, retry %lu, random %lu: %lu is none of %lu..%lu",
                 (int)policy->jitter, (unsigned long)policy->base_ms, (unsigned long)policy->cap_ms,
                 (unsigned long)policy->jitter_ms, (unsigned long)retry, (unsigned long)random, (unsigned long)got,
                 (unsigned long)range.low, (unsigned long)range.high);
}

static void check_draws(const struct redial_policy *policy)
{
    static const uint32_t randoms[] = { 0, 1, 0x7fffffff, 0x80000000, UINT32_MAX - 1, UINT32_MAX };
    size_t r, i;
    for (r = 0; r < LENGTH(edges_of_retry); r++)
        for (i = 0; i < LENGTH(randoms); i++)
            check_draw(policy, edges_of_retry[r], randoms[i]);
}

static void every_kind_has_both_ends_of_its_range_at_every_edge_and_nothing_outside(void **state)
{
    size_t k, b, c, j;
    (void)state;
    for (k = 0; k < LENGTH(kinds); k++)
        for (b = 0; b < LENGTH(edges_ms); b++)
            for (c = b; c < LENGTH(edges_ms); c++)
                for (j = 0; j < LENGTH(edges_of_jitter); j++) {
                    struct redial_policy policy = policy_of(edges_ms[b], edges_ms[c], edges_of_jitter[j], kinds[k]);
                    check_draws(&policy);
                }
}

static void a_draw_is_within_its_range_at_random_points_and_grows_with_random(void **state)
{
    uint64_t random = 0x2545f4914f6cdd1d;
    unsigned long i;
    (void)state;
    for (i = 0; i < 300000; i++) {
        uint32_t a = of_any_size(&random) | 1, b = of_any_size(&random) | 1, bits = random32(&random);
        struct redial_policy policy = policy_of(a < b ? a : b, a < b ? b : a, bits % 1001, kinds[bits >> 30]);
        uint32_t retry = bits >> 10 & 31, low = random32(&random), high = low | random32(&random);
        check_draw(&policy, retry, low);
        if (redial_random_delay_ms(&policy, retry, low) > redial_random_delay_ms(&policy, retry, high))
            fail_msg("%lu gave more than %lu", (unsigned long)low, (unsigned long)high);
    }
}

static void the_jitter_of_the_first_retry_is_not_left_out_and_includes_its_last_millisecond(void **state)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    (void)state;
    assert_int_equal(redial_random_delay_ms(&policy, 0, 0), 1000);
    assert_int_equal(redial_random_delay_ms(&policy, 0, UINT32_MAX), 2000);
    policy.jitter = REDIAL_JITTER_SPREAD;
    assert_int_equal(redial_random_delay_ms(&policy, 0, 0), 1000);
    assert_int_equal(redial_random_delay_ms(&policy, 0, UINT32_MAX), 2000);
    policy.jitter = REDIAL_JITTER_EQUAL;
    assert_int_equal(redial_random_delay_ms(&policy, 0, 0), 500);
    assert_int_equal(redial_random_delay_ms(&policy, 0, UINT32_MAX), 1000);
    policy.jitter = REDIAL_JITTER_FULL;
    assert_int_equal(redial_random_delay_ms(&policy, 0, 0), 0);
    assert_int_equal(redial_random_delay_ms(&policy, 0, UINT32_MAX), 1000);
}

static void a_cap_of_one_millisecond_without_jitter_waits_it(void **state)
{
    struct redial_policy policy = policy_of(1, 1, 0, REDIAL_JITTER_ADDED);
    size_t r;
    (void)state;
    for (r = 0; r < LENGTH(edges_of_retry); r++)
        assert_int_equal(redial_random_delay_ms(&policy, edges_of_retry[r], 0x80000000), 1);
    policy.jitter = REDIAL_JITTER_SPREAD;
    assert_int_equal(redial_random_delay_ms(&policy, 0, 0), 1);
    policy.jitter = REDIAL_JITTER_EQUAL;
    assert_int_equal(redial_random_delay_ms(&policy, 0, 0), 1);
}

static void added_jitter_is_gone_at_the_cap_and_no_other_kind_s_is(void **state)
{
    struct redial_policy policy = policy_of(1000, 32000, 1000, REDIAL_JITTER_ADDED);
    size_t k;
    (void)state;
    assert_int_equal(redial_random_delay_ms(&policy, 5, 0), 32000);
    assert_int_equal(redial_random_delay_ms(&policy, UINT32_MAX, 0), 32000);
    for (k = 1; k < LENGTH(kinds); k++) {
        policy.jitter = kinds[k];
        assert_true(redial_random_delay_ms(&policy, 5, 0) <= 16000);
        assert_int_equal(redial_random_delay_ms(&policy, 5, UINT32_MAX), 32000);
    }
}

static void spread_begins_where_the_longest_jitter_meets_the_cap(void **state)
{
    struct redial_policy policy = policy_of(1000, 5001, 1000, REDIAL_JITTER_SPREAD);
    (void)state;
    assert_int_equal(redial_random_delay_ms(&policy, 2, 0), 4000);             /* 4000 + 1000 is below 5001 */
    assert_int_equal(redial_random_delay_ms(&policy, 2, UINT32_MAX), 5000);
    policy.cap_ms = 5000;                                              /* and not below 5000 */
    assert_int_equal(redial_random_delay_ms(&policy, 2, 0), 2500);
    assert_int_equal(redial_random_delay_ms(&policy, 2, UINT32_MAX), 5000);
    assert_int_equal(redial_random_delay_ms(&policy, 1, 0), 2000);
    policy.cap_ms = 4999;                                              /* odd: the longer half */
    assert_int_equal(redial_random_delay_ms(&policy, 2, 0), 2500);
    policy.jitter_ms = 0;
    assert_int_equal(redial_random_delay_ms(&policy, 2, 0), 4000);
    assert_int_equal(redial_random_delay_ms(&policy, 2, UINT32_MAX), 4000);
    policy.cap_ms = 4000;
    assert_int_equal(redial_random_delay_ms(&policy, 2, 0), 2000);
}

/* What the check refuses has no delay to promise, but none may be a surprise. */
static void a_kind_that_nobody_checked_waits_no_longer_than_the_cap(void **state)
{
    struct redial_policy policy = policy_of(1000, 32000, 1000, (enum redial_jitter)4);
    size_t r;
    (void)state;
    for (r = 0; r < LENGTH(edges_of_retry); r++)
        assert_true(redial_random_delay_ms(&policy, edges_of_retry[r], UINT32_MAX) <= 32000);
}

/* ---- draw: how evenly ---- */

/* A policy of the kind whose waits are least, least + 1, ... least + most; and that least. The caps are odd. */
static struct redial_policy policy_with(enum redial_jitter kind, uint32_t most, uint32_t *least)
{
    *least = kind == REDIAL_JITTER_FULL ? 0 : most + 1;
    if (kind == REDIAL_JITTER_ADDED)
        return policy_of(*least, UINT32_MAX, most, kind);
    return policy_of(*least + most, *least + most, 0, kind);
}

/* The smallest random that waits at least delay: random grows, and the wait with it. */
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

/* Of 2^32 randoms, each of n waits gets 2^32 / n, rounded down or up. */
static void no_wait_is_favoured_by_more_than_one_random_in_2_to_the_32(void **state)
{
    static const uint32_t mosts[] = { 1, 2, 3, 6, 255, 256, 999, 1000 };
    size_t k, m;
    (void)state;
    for (k = 0; k < LENGTH(kinds); k++)
        for (m = 0; m < LENGTH(mosts); m++) {
            uint32_t least, i;
            struct redial_policy policy = policy_with(kinds[k], mosts[m], &least);
            uint64_t share = ((uint64_t)1 << 32) / (mosts[m] + 1);
            for (i = 0; i <= mosts[m]; i++) {
                uint64_t size = first_random(&policy, least + i + 1) - first_random(&policy, least + i);
                assert_true(size == share || size == share + 1);
            }
        }
}

static void the_widest_range_has_a_wait_for_each_random(void **state)
{
    struct redial_policy policy = policy_of(UINT32_MAX, UINT32_MAX, 1000, REDIAL_JITTER_FULL);
    uint64_t random = 1;
    unsigned i;
    (void)state;
    for (i = 0; i < 1000; i++) {
        uint32_t bits = random32(&random);
        assert_int_equal(redial_random_delay_ms(&policy, i, bits), bits);
    }
}

/* 1001 equally likely waits, 500 of each expected. Chi-square with 1000 degrees of freedom is 1000 with a standard
   deviation of 44.7; the sum of the waits is 500 a draw with a variance of 83500 a draw. Either may be off by 4 of its
   deviations. */
static void check_evenness(enum redial_jitter kind)
{
    static int64_t seen[1001];
    enum { EACH = 500, DRAWS = 1001 * EACH };
    uint64_t random = 0x853c49e6748fea9b;
    uint32_t least;
    struct redial_policy policy = policy_with(kind, 1000, &least);
    int64_t chi_square = 0, off = 0;
    long i;
    memset(seen, 0, sizeof seen);
    for (i = 0; i < DRAWS; i++) {
        uint32_t more = redial_random_delay_ms(&policy, 0, random32(&random)) - least;
        seen[more]++;
        off += (int64_t)more - 500;
    }
    for (i = 0; i < 1001; i++)
        chi_square += (seen[i] - EACH) * (seen[i] - EACH);
    assert_true(chi_square > (int64_t)821 * EACH && chi_square < (int64_t)1179 * EACH);
    assert_true(off * off < (int64_t)16 * DRAWS * 83500);
}

static void the_1001_waits_of_a_second_of_jitter_come_equally_often(void **state)
{
    size_t k;
    (void)state;
    for (k = 0; k < LENGTH(kinds); k++)
        check_evenness(kinds[k]);
}

/* ---- the longest total ---- */

/* Retry by retry, as far as that can be waited for; nothing doubles more than 32 times below 2^32. */
static uint64_t added_up(const struct redial_policy *policy)
{
    uint64_t total = 0;
    uint32_t retry;
    for (retry = 0; retry < policy->max_retries && retry < 100; retry++)
        total += documented(policy, retry).high;
    return total + (uint64_t)(policy->max_retries - retry) * policy->cap_ms;
}

static void check_total(struct redial_policy policy, uint64_t total, uint64_t max_elapsed_ms)
{
    uint64_t got;
    policy.max_elapsed_ms = max_elapsed_ms < UINT32_MAX ? (uint32_t)max_elapsed_ms : UINT32_MAX;
    if (policy.max_elapsed_ms && total > policy.max_elapsed_ms - 1)
        total = policy.max_elapsed_ms - 1;
    got = redial_longest_total_ms(&policy);
    if (got != total)
        fail_msg("kind %d, base %lu, cap %lu, %lu retries, limit %lu: off by %ld", (int)policy.jitter,
                 (unsigned long)policy.base_ms, (unsigned long)policy.cap_ms, (unsigned long)policy.max_retries,
                 (unsigned long)policy.max_elapsed_ms, (long)(got - total));
}

static void check_totals(struct redial_policy policy)
{
    static const uint32_t retries[] = { 0, 1, 2, 3, 5, 6, 30, 31, 32, 33, 34, 99, UINT32_MAX - 1, REDIAL_NO_LIMIT };
    size_t i;
    for (i = 0; i < LENGTH(retries); i++) {
        uint64_t total;
        policy.max_retries = retries[i];
        total = retries[i] == REDIAL_NO_LIMIT ? UINT64_MAX : added_up(&policy);
        check_total(policy, total, 0);
        check_total(policy, total, 1);
        check_total(policy, total, total ? total - 1 : 0);
        check_total(policy, total, total);
        check_total(policy, total, total < UINT64_MAX ? total + 1 : total);
        check_total(policy, total, UINT32_MAX);
    }
}

/* Where the work were not constant, the 2^32 - 2 retries among these would not end. */
static void the_longest_total_is_the_sum_of_the_longest_waits_or_just_below_the_limit(void **state)
{
    size_t k, b, c, j;
    (void)state;
    for (k = 0; k < LENGTH(kinds); k++)
        for (b = 0; b < LENGTH(edges_ms); b++)
            for (c = b; c < LENGTH(edges_ms); c++)
                for (j = 0; j < LENGTH(edges_of_jitter); j += 2)
                    check_totals(policy_of(edges_ms[b], edges_ms[c], edges_of_jitter[j], kinds[k]));
}

static void the_default_s_longest_total_is_36_seconds(void **state)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    (void)state;
    assert_true(redial_longest_total_ms(&policy) == 2000 + 3000 + 5000 + 9000 + 17000);
    policy.max_retries = REDIAL_NO_LIMIT;
    assert_true(redial_longest_total_ms(&policy) == UINT64_MAX);
    policy.max_elapsed_ms = 60000;
    assert_true(redial_longest_total_ms(&policy) == 59999);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_policy_is_the_documented_one_and_valid),
        cmocka_unit_test(no_policy_and_a_zeroed_one_are_refused),
        cmocka_unit_test(each_problem_begins_right_past_its_boundary),
        cmocka_unit_test(the_four_kinds_of_jitter_are_known_and_no_other),
        cmocka_unit_test(of_several_problems_the_first_of_the_enum_is_named),
        cmocka_unit_test(other_fields_may_hold_anything),
        cmocka_unit_test(the_default_waits_1_2_4_8_16_and_then_32_seconds),
        cmocka_unit_test(the_delay_is_exact_at_every_edge),
        cmocka_unit_test(every_power_of_two_is_reached_and_capped_one_above_and_below),
        cmocka_unit_test(the_delay_is_exact_at_millions_of_random_points),
        cmocka_unit_test(the_policy_s_own_jitter_and_its_kind_do_not_matter_to_the_delay),
        cmocka_unit_test(every_kind_has_both_ends_of_its_range_at_every_edge_and_nothing_outside),
        cmocka_unit_test(a_draw_is_within_its_range_at_random_points_and_grows_with_random),
        cmocka_unit_test(the_jitter_of_the_first_retry_is_not_left_out_and_includes_its_last_millisecond),
        cmocka_unit_test(a_cap_of_one_millisecond_without_jitter_waits_it),
        cmocka_unit_test(added_jitter_is_gone_at_the_cap_and_no_other_kind_s_is),
        cmocka_unit_test(spread_begins_where_the_longest_jitter_meets_the_cap),
        cmocka_unit_test(a_kind_that_nobody_checked_waits_no_longer_than_the_cap),
        cmocka_unit_test(no_wait_is_favoured_by_more_than_one_random_in_2_to_the_32),
        cmocka_unit_test(the_widest_range_has_a_wait_for_each_random),
        cmocka_unit_test(the_1001_waits_of_a_second_of_jitter_come_equally_often),
        cmocka_unit_test(the_longest_total_is_the_sum_of_the_longest_waits_or_just_below_the_limit),
        cmocka_unit_test(the_default_s_longest_total_is_36_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
