/* The decision against a second one, over random policies, outcomes and clocks. SPDX-License-Identifier: MIT */
#include "decision.h"
#include "model.h"

#define STEPS 300000ul
#define STEPS_EACH 16   /* with one policy */

/* ---- what it is tried with ---- */

/* Every magnitude alike, and the edges often. */
static uint32_t any32(uint64_t *seed)
{
    uint32_t bits = random32(seed), kind = random32(seed) % 8;
    if (kind == 0)
        return bits % 4;
    if (kind == 1)
        return UINT32_MAX - bits % 4;
    if (kind == 2)
        return (((UINT32_C(1) << bits % 32) - 1) + (bits >> 8) % 3) & UINT32_MAX;
    return bits >> random32(seed) % 32;
}

static uint32_t chance(uint64_t *seed, uint32_t one_in, uint32_t value, uint32_t otherwise)
{
    return random32(seed) % one_in ? otherwise : value;
}

static bool odd_statuses(const void *ctx, int status)
{
    (void)ctx;
    return status % 2 == 1;
}

static struct redial_policy any_policy(uint64_t *seed, struct purse *purse)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.base_ms = any32(seed);
    policy.cap_ms = any32(seed);
    if (policy.base_ms > policy.cap_ms) {
        uint32_t swapped = policy.base_ms;
        policy.base_ms = policy.cap_ms;
        policy.cap_ms = swapped;
    }
    policy.cap_ms += policy.cap_ms == 0;
    policy.base_ms += policy.base_ms == 0;
    policy.jitter_ms = chance(seed, 4, REDIAL_JITTER_MAX_MS, random32(seed) % (REDIAL_JITTER_MAX_MS + 1));
    policy.max_retries = chance(seed, 3, REDIAL_NO_LIMIT, any32(seed));
    policy.max_elapsed_ms = chance(seed, 3, 0, any32(seed));
    policy.max_retry_after_ms = chance(seed, 2, 0, any32(seed));
    policy.min_uptime_ms = chance(seed, 2, 0, any32(seed));
    policy.jitter = (enum redial_jitter)(random32(seed) % 4);
    policy.retryable = chance(seed, 2, 1, 0) ? odd_statuses : NULL;
    policy.budget = chance(seed, 2, 1, 0) ? &purse->budget : NULL;
    return policy;
}

static struct redial_outcome any_outcome(uint64_t *seed)
{
    static const int codes[] = { -1, 0, 1, 99, 100, 200, 399, 400, 403, 428, 429, 430, 499, 500, 503, 599, 600, 999 };
    uint32_t kind = random32(seed) % 16;
    uint32_t retry_after_ms = chance(seed, 2, 0, any32(seed)), uptime_ms = chance(seed, 2, 0, any32(seed));
    int code = codes[random32(seed) % (LENGTH(codes))];
    if (kind < 6)
        return outcome_of(REDIAL_KIND_RETRY, code, retry_after_ms, uptime_ms);
    return outcome_of((enum redial_kind)(kind == 6 ? random32(seed) % 24 : REDIAL_KIND_DONE + kind % 4), code, retry_after_ms,
                      uptime_ms);
}

/* The clock goes on as asked, stands, strays by a little, or jumps anywhere. */
static uint32_t any_time(uint64_t *seed, uint32_t now_ms, uint32_t delay_ms)
{
    static const uint32_t jumps[] = { 0, 1, UINT32_MAX, UINT32_C(0x7fffffff), UINT32_C(0x80000000) };
    uint32_t choice = random32(seed) % 16;
    uint32_t ms = random32(seed) % 5000;
    if (choice < 5)
        ms = jumps[choice];
    else if (choice < 9)
        ms = delay_ms;
    else if (choice < 12)
        ms = any32(seed);
    return later(now_ms, ms);
}

/* ---- the comparison ---- */

static void assert_same(unsigned long number, struct redial_step got, struct redial_step wanted)
{
    if (got.verdict != wanted.verdict || got.delay_ms != wanted.delay_ms)
        fail_msg("step %lu: %s, %lu ms; the model says %s, %lu ms", number, redial_verdict_name((int)got.verdict),
                 (unsigned long)got.delay_ms, redial_verdict_name((int)wanted.verdict), (unsigned long)wanted.delay_ms);
}

/* One policy, one call, a few decisions. The first may be as after a long history. */
static void compare_one_history(uint64_t *seed, unsigned long first, unsigned long *seen)
{
    struct purse purse;
    struct redial_policy policy;
    struct redial_call call;
    struct model model;
    uint32_t now_ms = any32(seed);
    unsigned long number;
    purse_init(&purse, random32(seed) % 8);
    policy = any_policy(seed, &purse);
    call = begun(&policy, now_ms);
    call.retries_ = chance(seed, 2, 0, any32(seed));
    model.policy = &policy;
    model.retries = call.retries_;
    model.elapsed_ms = 0;
    model.cents = 100 * purse.tokens;
    model.earns_cents = 100;
    model.room_cents = UINT64_MAX;
    model.then_ms = now_ms;
    for (number = first; number < first + STEPS_EACH; number++) {
        struct redial_outcome outcome = any_outcome(seed);
        uint32_t random = any32(seed);
        struct redial_step step = redial_next(&call, outcome, now_ms, random);
        assert_same(number, step, model_next(&model, outcome, now_ms, random));
        seen[step.verdict]++;
        if (policy.budget)
            assert_int_equal(100 * purse.tokens, model.cents);
        now_ms = any_time(seed, now_ms, step.delay_ms);
        assert_int_equal(redial_timeout_ms(&call, now_ms), model_time_left(&model, now_ms));
    }
}

static void random_histories_go_as_the_rules_say(void **state)
{
    unsigned long seen[REDIAL_INVALID + 1] = { 0 }, number;
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
    (void)state;
    for (number = 0; number < STEPS; number += STEPS_EACH)
        compare_one_history(&seed, number, seen);
    for (number = REDIAL_DONE; number <= REDIAL_INVALID; number++)   /* every verdict came, but the one never given */
        assert_true(number == REDIAL_CANCELLED ? seen[number] == 0 : seen[number] > STEPS / 200);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_histories_go_as_the_rules_say)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
