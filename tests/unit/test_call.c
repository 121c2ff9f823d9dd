/* The decision, rule by rule: redial.h numbers the rules at redial_next. The expected numbers
   are worked out by hand. tests/model compares the decision with a model over random
   histories. SPDX-License-Identifier: MIT */
#include "call.h"

/* What happens to a call, a line a decision, and what has to come of it. */
struct line {
    uint32_t now_ms;
    struct redial_outcome outcome;
    uint32_t random;
    enum redial_verdict verdict;
    uint32_t delay_ms, retries;   /* retries: after the decision */
};

static void assert_lines(struct redial_call *call, const struct line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct redial_step step =
            redial_next(call, lines[i].now_ms, lines[i].outcome, lines[i].random);
        uint32_t retries = redial_retries(call);
        if (step.verdict != lines[i].verdict || step.delay_ms != lines[i].delay_ms
            || retries != lines[i].retries)
            fail_msg("line %lu: %s, %lu ms, %lu retries; not %s, %lu ms, %lu retries",
                     (unsigned long)i + 1, redial_verdict_name(step.verdict),
                     (unsigned long)step.delay_ms, (unsigned long)retries,
                     redial_verdict_name(lines[i].verdict), (unsigned long)lines[i].delay_ms,
                     (unsigned long)lines[i].retries);
        assert_int_equal(step.timeout_ms, 0);
    }
}

/* A new call of the policy follows the lines. A macro, because it needs the length of the array. */
#define assert_call(policy, lines) do { \
    struct redial_call call_ = begun((policy), 0); \
    assert_lines(&call_, (lines), LENGTH(lines)); \
} while (0)

/* ---- how a call begins ---- */

static void assert_not_begun(struct redial_call *call)
{
    assert_step(redial_next(call, 5, redial_retry(1, 0), HIGHEST), REDIAL_INVALID, 0);
    assert_step(redial_next(call, 5, redial_done(), HIGHEST), REDIAL_INVALID, 0);
    assert_step(redial_ready(call, 5), REDIAL_INVALID, 0);
}

/* test_policy.c has all the errors that a policy can have. */
TEST(a_refused_policy_a_null_call_and_a_zeroed_one_make_no_call)
{
    static struct redial_call zeroed;
    struct redial_policy policy = plain_policy(), refused = plain_policy();
    const struct redial_policy *const invalid[] = { &refused, NULL };
    refused.base_ms = 0;
    for (unsigned i = 0; i < LENGTH(invalid); i++) {
        struct redial_call call = begun(&policy, 0);   /* a refusal ends it */
        assert_false(redial_begin(&call, invalid[i], 5));
        assert_not_begun(&call);
        poison(&call, sizeof call);
        assert_false(redial_resume(&call, invalid[i], 1, 1, 5));
        assert_not_begun(&call);
    }
    assert_false(redial_begin(NULL, &policy, 0));
    assert_false(redial_resume(NULL, NULL, 0, 0, 0));
    assert_not_begun(NULL);
    assert_not_begun(&zeroed);
}

/* ---- rules 1 and 2 ---- */

TEST(rules_1_and_2_a_final_outcome_changes_nothing_but_a_success_earns_once)
{
    const struct line lines[] = {
        { 0, redial_retry(1, 0), 0, REDIAL_WAIT, 1000, 1 },
        { 50, outcome_of(REDIAL_KIND_INVALID, 503, 60000, 60000), 0, REDIAL_INVALID, 0, 1 },
        { 50, outcome_of((enum redial_kind)15, 503, 60000, 60000), 0, REDIAL_INVALID, 0, 1 },
        { 50, outcome_of((enum redial_kind)20, 503, 60000, 60000), 0, REDIAL_INVALID, 0, 1 },
        { 50, outcome_of((enum redial_kind)30, 503, 60000, 60000), 0, REDIAL_INVALID, 0, 1 },
        { 50, outcome_of((enum redial_kind)35, 503, 60000, 60000), 0, REDIAL_INVALID, 0, 1 },
        { 50, outcome_of(REDIAL_KIND_FAIL, 1, UINT32_MAX, 60000), 0, REDIAL_FAILED, 0, 1 },
        { 50, redial_http(404, UINT32_MAX, "GET"), 0, REDIAL_FAILED, 0, 1 },
        { 50, outcome_of(REDIAL_KIND_UNSURE, 1, UINT32_MAX, 60000), 0, REDIAL_UNSURE, 0, 1 },
        { 50, outcome_of(REDIAL_KIND_CANCELLED, 1, UINT32_MAX, 60000), 0, REDIAL_CANCELLED, 0, 1 },
        { 50, outcome_of(REDIAL_KIND_DONE, 1, UINT32_MAX, 60000), 0, REDIAL_DONE, 0, 1 },
        { 50, outcome_of((enum redial_kind)31, 503, 60000, 60000), 0, REDIAL_INVALID, 0, 1 },
        { 50, redial_http(304, UINT32_MAX, "GET"), 0, REDIAL_DONE, 0, 1 },
        { 50, redial_http(303, UINT32_MAX, "PUT"), 0, REDIAL_FAILED, 0, 1 },
        { 0, redial_http(503, 0, "GET"), 0, REDIAL_WAIT, 2000, 2 },
        { 0, redial_http(0, 0, "GET"), 0, REDIAL_WAIT, 4000, 3 }
    };
    struct redial_policy policy = plain_policy();
    struct redial_budget budget;
    give_budget(&policy, &budget, 3);
    policy.min_uptime_ms = 1;
    policy.max_elapsed_ms = 60000;
    assert_call(&policy, lines);
    /* two successes and three retries */
    assert_int_equal(redial_budget_tokens(&budget), 3 + 20 - 3);
}

TEST(rule_1_a_poll_needs_a_limit_of_time_or_no_limit_by_name)
{
    const struct line lines[] = {
        { 0, redial_retry(1, 0), 0, REDIAL_WAIT, 1000, 1 },
        { 9, redial_pending(0), 0, REDIAL_INVALID, 0, 1 },
        { 9, redial_pending(5), 0, REDIAL_INVALID, 0, 1 },
        { 9, redial_held(0), 0, REDIAL_WAIT, 1000, 1 },
        { 9, redial_retry(1, 0), 0, REDIAL_WAIT, 2000, 2 }   /* nothing had changed */
    };
    struct redial_policy policy = plain_policy();
    struct redial_budget budget;
    give_budget(&policy, &budget, 2);
    assert_call(&policy, lines);
    assert_int_equal(redial_budget_tokens(&budget), 0);
}

/* ---- rule 3 ---- */

TEST(rule_3_enough_uptime_resets_retries_polls_and_time_and_earns_one_success)
{
    const struct line lines[] = {
        { 0, redial_pending(0), 0, REDIAL_WAIT, 1000, 0 },
        { 1000, redial_retry(1, 0), 0, REDIAL_WAIT, 1000, 1 },
        { 2000, disconnected(1, 59999), 0, REDIAL_EXHAUSTED, 0, 1 },
        { 62000, disconnected(1, 60000), 0, REDIAL_WAIT, 1000, 1 },   /* otherwise EXHAUSTED */
        { 62000, redial_pending(0), 0, REDIAL_WAIT, 1000, 0 },   /* otherwise the second poll */
        { 63000, outcome_of(REDIAL_KIND_RETRY, 1, 300001, 60000), 0, REDIAL_WAIT_TOO_LONG, 300001,
          0 },
        { 63000, outcome_of(REDIAL_KIND_PENDING, 1, 0, 60000), 0, REDIAL_WAIT, 1000, 0 },
        /* a poll is no reset */
        { 63000, outcome_of(REDIAL_KIND_PENDING, 1, 0, 60000), 0, REDIAL_WAIT, 2000, 0 }
    };
    struct redial_policy policy = plain_policy();
    struct redial_budget budget;
    struct redial_call call;
    give_budget(&policy, &budget, 0);
    policy.max_retries = 1;
    policy.max_elapsed_ms = 10000;
    policy.min_uptime_ms = 60000;
    call = begun(&policy, 0);
    assert_lines(&call, lines, LENGTH(lines));
    /* four polls and two resets, and two retries */
    assert_int_equal(redial_budget_tokens(&budget), 60 - 2);
    assert_int_equal(redial_elapsed_ms(&call, 63000), 0);
    policy.min_uptime_ms = 0;   /* never */
    assert_step(redial_next(&call, 64000, disconnected(1, UINT32_MAX), 0), REDIAL_WAIT, 1000);
    assert_int_equal(redial_elapsed_ms(&call, 64000), 1000);
}

/* ---- rule 5; tests/model has rule 4 ---- */

TEST(rule_5_max_retries_is_exactly_how_many_retries_are_granted)
{
    static const struct { uint32_t max_retries, before; unsigned granted; } table[] = {
        { 0, 0, 0 }, { 1, 0, 1 }, { 5, 0, 5 }, { 5, 6, 0 }, { UINT32_MAX - 1, UINT32_MAX - 3, 2 },
        /* the counter saturates */
        { UINT32_MAX - 1, UINT32_MAX, 0 }, { REDIAL_NO_LIMIT, UINT32_MAX - 2, 9 }
    };
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_policy policy = plain_policy();
        struct redial_call call;
        unsigned granted = 0;
        policy.max_retries = table[i].max_retries;
        call = resumed(&policy, table[i].before, 0, 0);
        while (granted < 9 && redial_next(&call, 0, redial_retry(1, 0), 0).verdict == REDIAL_WAIT)
            granted++;
        assert_int_equal(granted, table[i].granted);
        if (granted < 9)
            assert_next(&call, redial_retry(1, 0), REDIAL_EXHAUSTED, 0);
        assert_true(redial_retries(&call)
                    == (granted < 9 ? table[i].before + granted : UINT32_MAX));
    }
}

/* ---- rule 6 ---- */

TEST(rule_6_max_retry_after_ms_limits_what_the_server_asks_for_and_not_the_wait)
{
    static const struct { uint32_t max_retry_after_ms, cap_ms, longest; } table[] = {
        { 0, 32000, 300000 }, { 0, 300001, 300001 }, { 0, UINT32_MAX - 1, UINT32_MAX - 1 },
        { 1, 300001, 1 }, { 31999, 32000, 31999 }, { 300002, 300001, 300002 },
        { UINT32_MAX - 1, 32000, UINT32_MAX - 1 }
    };
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_call call = begun(&policy, 0);
    for (unsigned i = 0; i < LENGTH(table); i++) {
        uint32_t longest = table[i].longest;
        policy.max_retry_after_ms = table[i].max_retry_after_ms;
        policy.cap_ms = table[i].cap_ms;
        call = begun(&policy, 0);
        assert_step(redial_next(&call, 0, redial_retry(429, longest + 1), HIGHEST),
                    REDIAL_WAIT_TOO_LONG, longest + 1);
        assert_int_equal(redial_next(&call, 0, redial_retry(429, longest), HIGHEST).verdict,
                         REDIAL_WAIT);
    }
    policy.max_retry_after_ms = UINT32_MAX;
    assert_next(&call, redial_held(UINT32_MAX), REDIAL_WAIT, UINT32_MAX);
}

/* ---- rule 7 ---- */

/* It waits as long as a server asks for, and as often as is needed. */
static struct redial_policy patient_policy(uint32_t base_ms, uint32_t jitter_ms, unsigned mode)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.base_ms = base_ms;
    policy.jitter_ms = jitter_ms;
    policy.jitter = (enum redial_jitter)mode;
    policy.max_retries = REDIAL_NO_LIMIT;
    policy.max_elapsed_ms = REDIAL_NO_LIMIT;
    policy.max_retry_after_ms = UINT32_MAX;
    return policy;
}

/* Two calls that differ only in their random bits get the shortest and the longest wait. */
static void assert_range(const struct redial_policy *policy, uint32_t n,
                         struct redial_outcome outcome, uint32_t shortest, uint32_t longest)
{
    struct redial_call low = resumed(policy, n, 0, 0), high = low;
    assert_next(&low, outcome, REDIAL_WAIT, shortest);
    assert_step(redial_next(&high, 0, outcome, HIGHEST), REDIAL_WAIT, longest);
}

/* test_delay.c compares the wait for a time with the formulas, in each mode. */
TEST(rule_7_a_server_s_wait_is_as_random_as_w_and_exact_with_none)
{
    enum { ADDED = REDIAL_JITTER_ADDED, WIDE = REDIAL_JITTER_WIDE, FULL = REDIAL_JITTER_FULL,
           NONE = REDIAL_JITTER_NONE, RETRY = REDIAL_KIND_RETRY, PENDING = REDIAL_KIND_PENDING,
           HELD = REDIAL_KIND_HELD };
    static const struct {
        int kind, mode;
        uint32_t base_ms, n, jitter_ms, retry_after_ms, shortest, longest;
    } table[] = {
        { RETRY,     ADDED, 1000,  0, 1000,      499,    500,   1500 },
        { RETRY,     FULL,  1000,  0, 1000,      501,    501,   1501 },
        { RETRY,     WIDE,  1000,  3, 1000,        1,   4000,  12000 },
        { RETRY,     ADDED, 1000, 40, 1000,    60000,  60000,  92000 },
        { RETRY,     ADDED,   10,  0, 1000,        7,      7,   1007 },   /* jitter_ms is wider */
        { RETRY,     ADDED,   10,  1,    0,        7,     10,   1010 },
        { RETRY,     ADDED, 1001,  0, 1000,        7,    500,   1501 },   /* w/2 is rounded down */
        { RETRY,     NONE,  1000,  9, 1000,        1,   1000,   1000 },
        { RETRY,     NONE,  1000,  9, 1000,     7000,   7000,   7000 },
        { RETRY,     NONE,    10,  5, 1000,        7,     10,     10 },
        { PENDING,   NONE, 32000,  3, 1000,        1,   1000,   1000 },
        { PENDING,   FULL,  1000,  9,  500,     7000,   7000,   7500 },
        { HELD, NONE,  1000,  9, 1000,        1,      1,   1001 },
        { HELD, WIDE,  1000,  9,    0,        7,      7,   1007 },
        { HELD, FULL,  1000,  9, 1000, UINT32_MAX - 999, UINT32_MAX - 999, UINT32_MAX }
    };
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_policy policy =
            patient_policy(table[i].base_ms, table[i].jitter_ms, (unsigned)table[i].mode);
        assert_range(&policy, table[i].n,
                     outcome_of((enum redial_kind)table[i].kind, 1, table[i].retry_after_ms, 0),
                     table[i].shortest, table[i].longest);
    }
}

/* ---- rule 8 ---- */

/* The wait takes 1 s. */
TEST(rule_8_a_wait_is_refused_if_it_leaves_nothing_or_less_than_min_attempt_ms)
{
    enum { GRANTED = REDIAL_WAIT, REFUSED = REDIAL_TIMED_OUT };
    static const struct {
        uint32_t max_elapsed_ms, min_attempt_ms, before_ms, now_ms;
        int verdict;
    } table[] = {
        { 1001,           0,                 0,          0, GRANTED },
        { 1001,           1,                 0,          0, GRANTED },
        { 5001,           0,              3000,       1000, GRANTED },
        { 5001,           0,              3000,       1001, REFUSED },
        { 5000,        1000,              3000,          0, GRANTED },
        { 5000,        1000,              3001,          0, REFUSED },
        { 5000,        1000,        UINT32_MAX,          0, REFUSED },
        { 5001,           0,                 0, 0x7fffffff, REFUSED },
        { 5001,           0,                 0, 0x80000000, GRANTED },   /* it stepped back */
        { UINT32_MAX - 1, 0, UINT32_MAX - 1002,          0, GRANTED },
        { UINT32_MAX - 1, 0, UINT32_MAX - 1001,          0, REFUSED },
        { UINT32_MAX - 1, 0,        UINT32_MAX,          9, REFUSED },
        { 0,              0,        UINT32_MAX, 0x7fffffff, GRANTED },   /* no limit */
        { REDIAL_NO_LIMIT, 0,       UINT32_MAX, 0x7fffffff, GRANTED },
        { REDIAL_NO_LIMIT, UINT32_MAX, UINT32_MAX,       0, GRANTED }
    };
    const uint32_t begun_ms = UINT32_MAX - 500;   /* so that the clock wraps */
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_policy policy = plain_policy();
        struct redial_call call;
        policy.max_elapsed_ms = table[i].max_elapsed_ms;
        policy.min_attempt_ms = table[i].min_attempt_ms;
        call = resumed(&policy, 0, table[i].before_ms, begun_ms);
        assert_step(redial_next(&call, later(begun_ms, table[i].now_ms), redial_retry(1, 0), 0),
                    (enum redial_verdict)table[i].verdict, 1000);
    }
}

/* ---- rules 9 and 10 ---- */

/* The outcome asks for 1,600 ms. Each refusal comes first with all reasons that come later, and
   then alone. */
TEST(rule_9_refusals_come_in_order_and_only_a_granted_retry_takes_a_token)
{
    static const struct {
        enum redial_kind kind;
        uint32_t max_retries, max_retry_after_ms, max_elapsed_ms, tokens;
        enum redial_verdict verdict;
        uint32_t tokens_left;
    } table[] = {
        { REDIAL_KIND_RETRY,     0, 1599, 1600, 0, REDIAL_EXHAUSTED,     0 },
        { REDIAL_KIND_RETRY,     0, 1600, 1601, 5, REDIAL_EXHAUSTED,     5 },
        { REDIAL_KIND_RETRY,     1, 1599, 1600, 0, REDIAL_WAIT_TOO_LONG, 0 },
        { REDIAL_KIND_RETRY,     1, 1599, 1601, 5, REDIAL_WAIT_TOO_LONG, 5 },
        { REDIAL_KIND_RETRY,     1, 1600, 1600, 0, REDIAL_TIMED_OUT,     0 },
        { REDIAL_KIND_RETRY,     1, 1600, 1600, 5, REDIAL_TIMED_OUT,     5 },
        { REDIAL_KIND_RETRY,     1, 1600, 1601, 0, REDIAL_BUDGET_EMPTY,  0 },
        { REDIAL_KIND_RETRY,     1, 1600, 1601, 5, REDIAL_WAIT,         4 },
        /* a poll earns ten tokens */
        { REDIAL_KIND_PENDING,   0, 1599, 1600, 0, REDIAL_WAIT_TOO_LONG, 10 },
        { REDIAL_KIND_PENDING,   0, 1600, 1600, 0, REDIAL_TIMED_OUT,     10 },
        { REDIAL_KIND_PENDING,   0, 1600, 1601, 0, REDIAL_WAIT,         10 },
        { REDIAL_KIND_HELD, 0, 1599, 1600, 0, REDIAL_WAIT_TOO_LONG, 0 },
        { REDIAL_KIND_HELD, 0, 1600, 1600, 0, REDIAL_TIMED_OUT,     0 },
        { REDIAL_KIND_HELD, 0, 1600, 1601, 0, REDIAL_WAIT,         0 }
    };
    for (unsigned i = 0; i < LENGTH(table); i++) {
        const struct redial_outcome outcome = outcome_of(table[i].kind, 429, 1600, 0);
        struct redial_policy policy = plain_policy();
        struct redial_budget budget;
        struct redial_call call;
        give_budget(&policy, &budget, table[i].tokens);
        policy.max_retries = table[i].max_retries;
        policy.max_retry_after_ms = table[i].max_retry_after_ms;
        policy.max_elapsed_ms = table[i].max_elapsed_ms;
        call = begun(&policy, 0);
        assert_next(&call, outcome, table[i].verdict,
                    table[i].verdict == REDIAL_EXHAUSTED ? 0u : 1600u);
        assert_int_equal(redial_budget_tokens(&budget), table[i].tokens_left);
    }
}

TEST(rule_9_a_zeroed_budget_never_grants_a_retry)
{
    static struct redial_budget zeroed;
    const struct line lines[] = {
        { 0, redial_done(), 0, REDIAL_DONE, 0, 0 },
        { 0, redial_pending(0), 0, REDIAL_WAIT, 1000, 0 },
        { 0, disconnected(1, 10), 0, REDIAL_BUDGET_EMPTY, 1000, 0 }
    };
    struct redial_policy policy = plain_policy();
    policy.budget = &zeroed;
    policy.min_uptime_ms = 10;
    policy.max_elapsed_ms = REDIAL_NO_LIMIT;
    assert_call(&policy, lines);
}

TEST(rule_10_a_refusal_changes_nothing_so_that_a_caller_may_overrule_it)
{
    struct redial_policy generous = plain_policy(), strict = plain_policy();
    const struct redial_outcome refused[] = { redial_retry(1, 0), redial_retry(1, 300001),
                                              redial_held(0) };
    struct redial_call call = begun(&generous, 0);
    generous.max_elapsed_ms = REDIAL_NO_LIMIT;
    strict.max_retries = 2;
    strict.max_elapsed_ms = 1;
    assert_next(&call, redial_pending(0), REDIAL_WAIT, 1000);
    assert_next(&call, redial_retry(1, 0), REDIAL_WAIT, 1000);
    assert_next(&call, redial_retry(1, 0), REDIAL_WAIT, 2000);
    for (unsigned i = 0; i < LENGTH(refused); i++) {
        struct redial_call before = call;
        before.wait_ms_ = 0;   /* but it ends the wait */
        call.policy = &strict;
        assert_int_not_equal(redial_next(&call, 0, refused[i], 0).verdict, REDIAL_WAIT);
        call.policy = &generous;
        /* without the padding that may follow */
        assert_memory_equal(&call, &before,
                            offsetof(struct redial_call, wait_ms_) + sizeof call.wait_ms_);
    }
    assert_next(&call, redial_retry(1, 0), REDIAL_WAIT, 4000);
    assert_next(&call, redial_pending(0), REDIAL_WAIT, 2000);
    call.polls_ = UINT32_MAX;   /* the count of polls saturates */
    assert_next(&call, redial_pending(0), REDIAL_WAIT, 32000);
    assert_next(&call, redial_pending(0), REDIAL_WAIT, 32000);
}

/* ---- redial_ready ---- */

/* The call was resumed at the reading 7. */
TEST(an_attempt_may_take_attempt_ms_or_what_is_left_and_needs_min_attempt_ms)
{
    static const struct {
        uint32_t attempt_ms, max_elapsed_ms, min_attempt_ms, elapsed_ms, timeout_ms;   /* 0: none */
    } rows[] = {
        {   0,               0,          0, UINT32_MAX, UINT32_MAX },
        { 500,               0,          0, UINT32_MAX,        500 },
        {   0,            5000,          0,          0,       5000 },
        {   0,            5000,          0,       4999,          1 },
        {   0,            5000,          0,       5000,          0 },
        { 500,            5000,          0,       4500,        500 },
        { 500,            5000,          0,       4501,        499 },
        {   0,            5000,        400,       4600,        400 },
        {   0,            5000,        400,       4601,          0 },
        {   0,  UINT32_MAX - 1,          0, UINT32_MAX,          0 },
        { UINT32_MAX, UINT32_MAX - 1,    0,          1, UINT32_MAX - 2 },
        {   0, REDIAL_NO_LIMIT, UINT32_MAX, UINT32_MAX, UINT32_MAX },
        { 500, REDIAL_NO_LIMIT,          0, UINT32_MAX,        500 }
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct redial_policy policy = plain_policy();
        struct redial_call call;
        enum redial_verdict verdict = rows[i].timeout_ms ? REDIAL_ATTEMPT : REDIAL_TIMED_OUT;
        policy.max_elapsed_ms = rows[i].max_elapsed_ms;
        policy.attempt_ms = rows[i].attempt_ms;
        policy.min_attempt_ms = rows[i].min_attempt_ms;
        call = resumed(&policy, 0, rows[i].elapsed_ms, 7);
        assert_whole_step(redial_ready(&call, 7), verdict, 0, rows[i].timeout_ms);
        /* the clock stepped back */
        assert_whole_step(redial_ready(&call, 6), verdict, 0, rows[i].timeout_ms);
        assert_int_equal(redial_elapsed_ms(&call, 6), rows[i].elapsed_ms);
    }
}

/* A wait of 1 s began at 500 ms before the wrap of the clock. 700 ms are left of the limit then. */
TEST(an_early_timer_is_told_what_is_left_of_the_wait_and_the_limit_comes_first)
{
    static const struct {
        uint32_t max_elapsed_ms, later_ms;
        enum redial_verdict verdict;
        uint32_t delay_ms, timeout_ms;
    } rows[] = {
        { 0,             0, REDIAL_WAIT,      1000, 0 },
        { 0,             1, REDIAL_WAIT,       999, 0 },
        { 0,           500, REDIAL_WAIT,       500, 0 },
        { 0,           999, REDIAL_WAIT,         1, 0 },
        { 0,          1000, REDIAL_ATTEMPT,      0, UINT32_MAX },
        { 0,    0x7fffffff, REDIAL_ATTEMPT,      0, UINT32_MAX },
        { 0,    UINT32_MAX, REDIAL_ATTEMPT,      0, UINT32_MAX },   /* it stepped back by 1 ms */
        { 5000,        999, REDIAL_WAIT,         1, 0 },
        { 5000,       1000, REDIAL_ATTEMPT,      0, 4000 },
        { 5000,       5000, REDIAL_TIMED_OUT,    0, 0 },
        { 700,         699, REDIAL_WAIT,       301, 0 },
        { 700,         700, REDIAL_TIMED_OUT,    0, 0 },
    };
    const uint32_t begun_ms = UINT32_MAX - 499;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct redial_policy generous = plain_policy(), policy = plain_policy();
        struct redial_call call = begun(&generous, begun_ms), before;
        policy.max_elapsed_ms = rows[i].max_elapsed_ms;
        assert_step(redial_next(&call, begun_ms, redial_retry(1, 0), 0), REDIAL_WAIT, 1000);
        call.policy = &policy;
        before = call;
        assert_whole_step(redial_ready(&call, later(begun_ms, rows[i].later_ms)), rows[i].verdict,
                          rows[i].delay_ms, rows[i].timeout_ms);
        assert_memory_equal(&call, &before, sizeof call);
    }
}

/* A wait of 2^31 ms and more is measured, too: a reading is never taken for an older one. */
TEST(the_longest_wait_is_over_at_its_end_and_not_before)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 7);
    policy.max_retry_after_ms = UINT32_MAX;
    assert_step(redial_next(&call, 7, redial_retry(1, UINT32_MAX), 0), REDIAL_WAIT, UINT32_MAX);
    assert_step(redial_ready(&call, later(7, 0x80000000)), REDIAL_WAIT, 0x7fffffff);
    assert_step(redial_ready(&call, later(7, UINT32_MAX - 1)), REDIAL_WAIT, 1);
    assert_whole_step(redial_ready(&call, 6), REDIAL_ATTEMPT, 0, UINT32_MAX);
}

TEST(each_decision_replaces_or_ends_the_wait_and_so_does_a_fresh_begin)
{
    const struct { struct redial_outcome outcome; uint32_t left_ms; } rows[] = {
        { redial_retry(1, 0), 2000 }, { redial_pending(7000), 7000 }, { redial_held(3000), 3000 },
        { redial_retry(1, 300001), 0 }, { redial_done(), 0 }, { redial_fail(1), 0 },
        { redial_unsure(1), 0 }, { redial_cancelled(1), 0 },
        { outcome_of(REDIAL_KIND_INVALID, 0, 0, 0), 0 }
    };
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    policy.max_elapsed_ms = REDIAL_NO_LIMIT;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        call = begun(&policy, 0);
        assert_next(&call, redial_retry(1, 0), REDIAL_WAIT, 1000);
        (void)redial_next(&call, 500, rows[i].outcome, 0);
        assert_int_equal(redial_ready(&call, 500).delay_ms, rows[i].left_ms);
    }
    assert_next(&call, redial_retry(1, 0), REDIAL_WAIT, 2000);
    assert_true(redial_begin(&call, &policy, 100));
    assert_whole_step(redial_ready(&call, 100), REDIAL_ATTEMPT, 0, UINT32_MAX);
    assert_next(&call, redial_retry(1, 0), REDIAL_WAIT, 1000);
    assert_true(redial_resume(&call, &policy, 1, 100, 100));
    assert_whole_step(redial_ready(&call, 100), REDIAL_ATTEMPT, 0, UINT32_MAX);
}

int main(void)
{
    return run_all();
}
