/* src/call.c: every rule of the decision, for all policies, outcomes, clocks and random bits.
   SPDX-License-Identifier: MIT

   One step from any state of the call, so whatever came before. What is drawn is any number: delay.c says which. */
#include "proof.h"

static uint32_t random_bits;                     /* what the caller gave */
static unsigned draws, scalings, asks, takes, earns;
static uint32_t drawn, drawn_for, scaled;        /* any; for which retry; any up to jitter_ms */
static uint32_t tokens;
static bool answer;                              /* of the retryable hook */
static const struct redial_policy *the_policy;
static enum redial_policy_error problem;

uint32_t redial_random_delay_ms(const struct redial_policy *policy, uint32_t retry, uint32_t random)
{
    prove(policy == the_policy && random == random_bits);
    draws++;
    drawn_for = retry;
    return drawn;
}

static uint32_t watched_scale(uint32_t random, uint32_t most)
{
    prove(random == random_bits && most == the_policy->jitter_ms);
    scalings++;
    return scaled;
}

enum redial_policy_error redial_policy_check(const struct redial_policy *policy)
{
    prove(policy == the_policy);
    return problem;
}

#define redial_scale watched_scale
#include "../../src/call.c"
#undef redial_scale
#include "../../src/http.c"

/* ---- the world around the call ---- */

static struct redial_policy policy, policy_before;
static struct redial_budget budget, budget_before;
static struct redial_outcome outcome;

static bool hook(const void *user, int http_status)
{
    prove(user == &answer && http_status == outcome.code && (http_status < 100 || http_status > 399) && http_status > 0);
    asks++;
    return answer;
}

static bool take(struct redial_budget *asked)
{
    prove(asked == &budget);
    takes++;
    if (!tokens)
        return false;
    tokens--;
    return true;
}

static void earn(struct redial_budget *asked)
{
    prove(asked == &budget);
    earns++;
}

static void any_world(void)
{
    bool zeroed = nondet_bool();
    policy = nondet_policy();
    policy.retryable = nondet_bool() ? hook : NULL;
    policy.user = &answer;
    policy.budget = nondet_bool() ? &budget : NULL;
    budget.take_ = zeroed ? NULL : take;
    budget.earn_ = zeroed ? NULL : earn;
    policy_before = policy;
    budget_before = budget;
    the_policy = &policy;
    outcome = nondet_outcome();
    answer = nondet_bool();
    tokens = zeroed ? 0 : nondet_u32();
    drawn = nondet_u32();
    scaled = nondet_u32();
    assume(scaled <= policy.jitter_ms);
    random_bits = nondet_u32();
    draws = scalings = asks = takes = earns = 0;
}

static bool world_is_unchanged(void)
{
    return policy.base_ms == policy_before.base_ms && policy.cap_ms == policy_before.cap_ms
           && policy.jitter_ms == policy_before.jitter_ms && policy.max_retries == policy_before.max_retries
           && policy.max_elapsed_ms == policy_before.max_elapsed_ms && policy.max_retry_after_ms == policy_before.max_retry_after_ms
           && policy.min_uptime_ms == policy_before.min_uptime_ms && policy.jitter == policy_before.jitter
           && policy.retryable == policy_before.retryable && policy.user == policy_before.user
           && policy.budget == policy_before.budget && budget.take_ == budget_before.take_
           && budget.earn_ == budget_before.earn_;
}

static struct redial_call any_call(void)
{
    struct redial_call call = nondet_call();
    call.policy = nondet_bool() ? &policy : NULL;
    return call;
}

/* ---- the rules, as the header numbers them, in arithmetic that can't overflow ---- */

struct expected {
    enum redial_verdict verdict;
    uint64_t delay_ms, retries, elapsed_ms, last_ms, drawn_for;
    unsigned draws, scalings, takes, earns;
};

static int kind_expected(const struct redial_call *call)   /* rule 1 */
{
    int status = outcome.code;
    if (!call->policy)
        return 0;
    if (outcome.kind == REDIAL_KIND_HTTP) {
        if (status <= 0)
            return REDIAL_KIND_RETRY;
        if (status >= 100 && status < 400)
            return REDIAL_KIND_DONE;
        if (policy.retryable)
            return answer ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL;
        return status == 429 || (status >= 500 && status < 600) ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL;
    }
    if (outcome.kind == REDIAL_KIND_DONE || outcome.kind == REDIAL_KIND_RETRY || outcome.kind == REDIAL_KIND_FAIL)
        return outcome.kind;
    return 0;
}

static bool earned(void)
{
    return policy.budget && budget.earn_;
}

static void expect_wait(struct expected *expected)   /* rules 5 to 8 */
{
    uint64_t asked = 0;
    expected->draws = 1;
    expected->drawn_for = expected->retries;
    if (outcome.retry_after_ms) {
        expected->scalings = 1;
        asked = sum_of(outcome.retry_after_ms, scaled);
    }
    expected->delay_ms = drawn > asked ? drawn : asked;
    expected->verdict = REDIAL_TIMED_OUT;
    if (policy.max_elapsed_ms && expected->elapsed_ms + expected->delay_ms >= policy.max_elapsed_ms)
        return;
    expected->verdict = REDIAL_BUDGET_EMPTY;
    expected->takes = policy.budget && budget.take_;
    if (policy.budget && !tokens)
        return;
    expected->verdict = REDIAL_RETRY;
    expected->retries = sum_of(expected->retries, 1);
}

static void expect_again(struct expected *expected, uint32_t now_ms)   /* rules 3 to 5 */
{
    expected->elapsed_ms = sum_of(expected->elapsed_ms, time_between(expected->last_ms, now_ms));
    expected->last_ms = now_ms;
    if (policy.min_uptime_ms && outcome.uptime_ms >= policy.min_uptime_ms) {
        expected->retries = expected->elapsed_ms = 0;
        expected->earns = earned();
    }
    if (policy.max_retries != REDIAL_NO_LIMIT && expected->retries >= policy.max_retries) {
        expected->verdict = REDIAL_EXHAUSTED;
    } else if (outcome.retry_after_ms > (policy.max_retry_after_ms == 0 ? policy.cap_ms : policy.max_retry_after_ms)) {
        expected->verdict = REDIAL_WAIT_TOO_LONG;
        expected->delay_ms = outcome.retry_after_ms;
    } else {
        expect_wait(expected);
    }
}

static struct expected expect(const struct redial_call *call, uint32_t now_ms)
{
    struct expected expected = { REDIAL_INVALID, 0, call->retries_, call->elapsed_ms_, call->last_ms_, 0, 0, 0, 0, 0 };
    int kind = kind_expected(call);
    if (kind == REDIAL_KIND_RETRY)
        expect_again(&expected, now_ms);
    if (kind == REDIAL_KIND_FAIL)
        expected.verdict = REDIAL_FAILED;
    if (kind == REDIAL_KIND_DONE) {   /* rule 2 */
        expected.verdict = REDIAL_DONE;
        expected.earns = earned();
    }
    return expected;
}

void next_keeps_every_rule(void)
{
    struct redial_call call, before;
    struct redial_step step;
    struct expected expected;
    uint32_t now_ms = nondet_u32();
    any_world();
    call = before = any_call();
    expected = expect(&before, now_ms);
    step = redial_next(&call, outcome, now_ms, random_bits);
    prove(step.verdict == expected.verdict);
    prove(step.delay_ms == expected.delay_ms);
    prove(call.policy == before.policy);
    prove(call.retries_ == expected.retries);
    prove(call.elapsed_ms_ == expected.elapsed_ms);
    prove(call.last_ms_ == expected.last_ms);
    prove(draws == expected.draws && (!draws || drawn_for == expected.drawn_for));
    prove(scalings == expected.scalings);
    prove(takes == expected.takes);
    prove(earns == expected.earns);
    prove(world_is_unchanged());
    reached();
}

/* What a reader wants to know, said without the order of the rules. */
void next_never_waits_too_long_nor_too_short(void)
{
    struct redial_call call;
    struct redial_step step;
    uint32_t had;
    any_world();
    had = tokens;
    call = any_call();
    step = redial_next(&call, outcome, nondet_u32(), random_bits);
    prove(step.verdict == REDIAL_RETRY || step.verdict == REDIAL_WAIT_TOO_LONG || step.verdict == REDIAL_TIMED_OUT
          || step.verdict == REDIAL_BUDGET_EMPTY || step.delay_ms == 0);
    if (step.verdict == REDIAL_RETRY) {
        prove(step.delay_ms >= outcome.retry_after_ms);
        prove(!policy.max_elapsed_ms || (uint64_t)call.elapsed_ms_ + step.delay_ms < policy.max_elapsed_ms);
        prove(call.retries_ >= 1 && (call.retries_ <= policy.max_retries || policy.max_retries == REDIAL_NO_LIMIT));
        prove(!policy.budget || tokens + 1 == had);
    } else {
        prove(tokens == had);
    }
    reached();
}

void next_without_a_call_is_invalid(void)
{
    struct redial_step step;
    any_world();
    step = redial_next(NULL, outcome, nondet_u32(), random_bits);
    prove(step.verdict == REDIAL_INVALID && step.delay_ms == 0);
    prove(!draws && !scalings && !asks && !takes && !earns);
    reached();
}

/* ---- begin, and the time left ---- */

void begin_starts_at_nothing_used(void)
{
    struct redial_call call = nondet_call();
    uint32_t now_ms = nondet_u32();
    bool fine;
    any_world();
    problem = nondet_bool() ? REDIAL_POLICY_OK : REDIAL_POLICY_CAP_BELOW_BASE;
    fine = problem == REDIAL_POLICY_OK;
    prove(redial_begin(&call, &policy, now_ms) == fine);
    prove(call.policy == (fine ? &policy : NULL));
    prove(call.retries_ == 0 && call.elapsed_ms_ == 0 && call.last_ms_ == now_ms);
    prove(!redial_begin(NULL, &policy, now_ms));
    prove(world_is_unchanged());
    reached();
}

void time_left_is_what_the_limit_leaves(void)
{
    struct redial_call call, before;
    uint32_t now_ms = nondet_u32(), left;
    uint64_t used;
    any_world();
    call = before = any_call();
    used = sum_of(call.elapsed_ms_, time_between(call.last_ms_, now_ms));
    left = redial_timeout_ms(&call, now_ms);
    if (!call.policy)
        prove(left == 0);
    else if (!policy.max_elapsed_ms)
        prove(left == UINT32_MAX);
    else
        prove(left == (used < policy.max_elapsed_ms ? policy.max_elapsed_ms - used : 0));
    prove(call.elapsed_ms_ == before.elapsed_ms_ && call.last_ms_ == before.last_ms_ && call.policy == before.policy);
    reached();
}
