/* src/call.c: every rule of the decision, for all policies, outcomes, clocks and random bits.
   SPDX-License-Identifier: MIT

   One step from any state of the call, so it does not matter what came before. redial_next is redial_classify, the
   charging of the time, and redial_decide; the loops of run.c call the same three. The waits are any numbers here:
   delay.c says which. */
#include "proof.h"

static uint32_t random_bits;                     /* what the caller gave */
static uint32_t own_wait, server_wait;           /* any; the second is never earlier than the server said */
static unsigned own_waits, server_waits, asks, takes, earns;   /* calls */
static uint32_t waited_n;                        /* n, as in 2^n */
static uint32_t tokens;
static bool answer;                              /* of the hook `retryable` */
static enum redial_policy_error policy_error;
static struct redial_policy policy, policy_before;
static struct redial_budget budget, budget_before;
static struct redial_outcome outcome;

uint32_t redial_random_delay_ms(const struct redial_policy *asked, uint32_t n, uint32_t random)
{
    prove(asked == &policy && random == random_bits);
    own_waits++;
    waited_n = n;
    return own_wait;
}

uint32_t redial_server_delay_ms(const struct redial_policy *asked, uint32_t n, uint32_t retry_after_ms,
                                uint32_t random)
{
    prove(asked == &policy && random == random_bits);
    prove(retry_after_ms == outcome.retry_after_ms && retry_after_ms > 0);
    server_waits++;
    waited_n = n;
    return server_wait;
}

enum redial_policy_error redial_policy_check(const struct redial_policy *asked)
{
    prove(asked == &policy);
    return policy_error;
}

#include "../../src/call.c"
#include "../../src/http.c"
#include "../../src/outcome.c"

/* ---- the policy, the budget and the hooks around the call ---- */

static bool hook(const void *user, int http_status)
{
    prove(user == &answer && http_status == outcome.code);
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

static void any_surroundings(void)
{
    bool zeroed = nondet_bool();
    policy = nondet_policy();
    policy.retryable = nondet_bool() ? hook : NULL;
    policy.user = &answer;
    policy.budget = nondet_bool() ? &budget : NULL;
    policy.gate = NULL;
    budget.take_ = zeroed ? NULL : take;
    budget.earn_ = zeroed ? NULL : earn;
    policy_before = policy;
    budget_before = budget;
    outcome = nondet_outcome();
    answer = nondet_bool();
    tokens = zeroed ? 0 : nondet_u32();
    own_wait = nondet_u32();
    server_wait = nondet_u32();
    assume(server_wait >= outcome.retry_after_ms);
    random_bits = nondet_u32();
    policy_error = (enum redial_policy_error)nondet_u32();
    own_waits = server_waits = asks = takes = earns = 0;
}

static bool surroundings_are_unchanged(void)
{
    return policy.base_ms == policy_before.base_ms && policy.cap_ms == policy_before.cap_ms
           && policy.jitter_ms == policy_before.jitter_ms && policy.max_retries == policy_before.max_retries
           && policy.max_elapsed_ms == policy_before.max_elapsed_ms
           && policy.max_retry_after_ms == policy_before.max_retry_after_ms
           && policy.attempt_ms == policy_before.attempt_ms && policy.min_uptime_ms == policy_before.min_uptime_ms
           && policy.jitter == policy_before.jitter && policy.retryable == policy_before.retryable
           && policy.user == policy_before.user && policy.budget == policy_before.budget
           && policy.gate == policy_before.gate && budget.take_ == budget_before.take_
           && budget.earn_ == budget_before.earn_;
}

static struct redial_call any_call(void)
{
    struct redial_call call = nondet_call();
    call.policy = nondet_bool() ? &policy : NULL;
    return call;
}

static bool is_same(const struct redial_call *a, const struct redial_call *b)
{
    return a->policy == b->policy && a->retries_ == b->retries_ && a->polls_ == b->polls_
           && a->elapsed_ms_ == b->elapsed_ms_ && a->last_ms_ == b->last_ms_;
}

/* ---- the rules, as the header numbers them, in arithmetic that can't overflow ---- */

struct expected {
    enum redial_verdict verdict;
    uint64_t delay_ms, retries, polls, elapsed_ms, last_ms, n;
    unsigned own_waits, server_waits, asks, takes, earns;
};

static bool status_is_retried(struct expected *expected)
{
    if (!policy.retryable)
        return outcome.code == 429 || (outcome.code >= 500 && outcome.code < 600);
    expected->asks = 1;
    return answer;
}

static enum redial_kind rule_1(struct expected *expected, const struct redial_call *call)
{
    if (!call->policy)
        return REDIAL_KIND_INVALID;
    switch (outcome.kind) {
    case REDIAL_KIND_DONE:
    case REDIAL_KIND_FAIL:
    case REDIAL_KIND_RETRY:
    case REDIAL_KIND_PENDING:
    case REDIAL_KIND_POSTPONED:
        return outcome.kind;
    case REDIAL_KIND_HTTP:
        if (outcome.code >= 100 && outcome.code < 400)
            return REDIAL_KIND_DONE;
        return outcome.code <= 0 || status_is_retried(expected) ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL;
    default:
        return REDIAL_KIND_INVALID;
    }
}

static unsigned one_success(void)
{
    return policy.budget && budget.earn_ ? 1 : 0;
}

static void rules_3_and_4(struct expected *expected, enum redial_kind kind, uint32_t now_ms)
{
    expected->elapsed_ms = sum_of(expected->elapsed_ms, time_between(expected->last_ms, now_ms));
    expected->last_ms = now_ms;
    if (kind == REDIAL_KIND_RETRY && policy.min_uptime_ms && outcome.uptime_ms >= policy.min_uptime_ms) {
        expected->retries = expected->polls = expected->elapsed_ms = 0;
        expected->earns = one_success();
    }
    if (kind == REDIAL_KIND_PENDING) {
        expected->retries = 0;
        expected->earns = one_success();
    }
}

static bool rules_5_and_6_refuse(struct expected *expected, enum redial_kind kind)
{
    uint32_t longest_ms = policy.cap_ms > 300000 ? policy.cap_ms : 300000;
    if (policy.max_retry_after_ms != 0)
        longest_ms = policy.max_retry_after_ms;
    if (kind == REDIAL_KIND_RETRY && policy.max_retries != REDIAL_NO_LIMIT
        && expected->retries >= policy.max_retries) {
        expected->verdict = REDIAL_EXHAUSTED;
        return true;
    }
    if (outcome.retry_after_ms > longest_ms) {
        expected->verdict = REDIAL_WAIT_TOO_LONG;
        expected->delay_ms = outcome.retry_after_ms;
        return true;
    }
    return false;
}

static void rules_7_to_10(struct expected *expected, enum redial_kind kind)
{
    bool asked = outcome.retry_after_ms != 0, polls = kind == REDIAL_KIND_PENDING && !asked;
    expected->n = kind == REDIAL_KIND_RETRY ? expected->retries : polls ? expected->polls : 0;
    expected->own_waits = !asked;
    expected->server_waits = asked;
    expected->delay_ms = asked ? server_wait : own_wait;
    expected->verdict = REDIAL_TIMED_OUT;
    if (policy.max_elapsed_ms && expected->elapsed_ms + expected->delay_ms >= policy.max_elapsed_ms)
        return;
    expected->verdict = REDIAL_BUDGET_EMPTY;
    expected->takes = kind == REDIAL_KIND_RETRY && policy.budget && budget.take_;
    if (kind == REDIAL_KIND_RETRY && policy.budget && !tokens)
        return;
    expected->verdict = REDIAL_RETRY;
    if (kind == REDIAL_KIND_RETRY)
        expected->retries = sum_of(expected->retries, 1);
    if (polls)
        expected->polls = sum_of(expected->polls, 1);
}

static struct expected expect(const struct redial_call *call, uint32_t now_ms)
{
    struct expected expected = { REDIAL_INVALID, 0, call->retries_, call->polls_, call->elapsed_ms_, call->last_ms_ };
    enum redial_kind kind = rule_1(&expected, call);
    if (kind == REDIAL_KIND_FAIL)
        expected.verdict = REDIAL_FAILED;
    if (kind == REDIAL_KIND_DONE) {   /* rule 2 */
        expected.verdict = REDIAL_DONE;
        expected.earns = one_success();
    }
    if (kind >= REDIAL_KIND_RETRY) {
        rules_3_and_4(&expected, kind, now_ms);
        if (!rules_5_and_6_refuse(&expected, kind))
            rules_7_to_10(&expected, kind);
    }
    return expected;
}

void next_keeps_every_rule(void)
{
    struct redial_call call, before;
    struct redial_step step;
    struct expected expected;
    uint32_t now_ms = nondet_u32();
    any_surroundings();
    call = before = any_call();
    expected = expect(&before, now_ms);
    step = redial_next(&call, outcome, now_ms, random_bits);
    prove(step.verdict == expected.verdict);
    prove(step.delay_ms == expected.delay_ms);
    prove(step.timeout_ms == 0);
    prove(call.policy == before.policy);
    prove(call.retries_ == expected.retries);
    prove(call.polls_ == expected.polls);
    prove(call.elapsed_ms_ == expected.elapsed_ms);
    prove(call.last_ms_ == expected.last_ms);
    prove(own_waits == expected.own_waits);
    prove(server_waits == expected.server_waits);
    prove(own_waits + server_waits == 0 || waited_n == expected.n);
    prove(asks == expected.asks);
    prove(takes == expected.takes);
    prove(earns == expected.earns);
    prove(surroundings_are_unchanged());
    reached();
}

/* Properties of a decision that do not depend on the order of the rules. */
void next_never_waits_too_long_nor_too_short(void)
{
    struct redial_call call;
    struct redial_step step;
    enum redial_kind kind;
    uint32_t had;
    any_surroundings();
    had = tokens;
    call = any_call();
    kind = redial_classify(call.policy, outcome);
    step = redial_next(&call, outcome, nondet_u32(), random_bits);
    prove(step.verdict == REDIAL_RETRY || step.verdict == REDIAL_WAIT_TOO_LONG || step.verdict == REDIAL_TIMED_OUT
          || step.verdict == REDIAL_BUDGET_EMPTY || step.delay_ms == 0);
    prove(step.verdict != REDIAL_CANCELLED);
    prove(step.verdict != REDIAL_RETRY || kind >= REDIAL_KIND_RETRY);
    if (step.verdict == REDIAL_RETRY) {
        prove(step.delay_ms >= outcome.retry_after_ms);
        prove(!policy.max_elapsed_ms || (uint64_t)call.elapsed_ms_ + step.delay_ms < policy.max_elapsed_ms);
    }
    if (step.verdict == REDIAL_RETRY && kind == REDIAL_KIND_RETRY) {
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
    any_surroundings();
    step = redial_next(NULL, outcome, nondet_u32(), random_bits);
    prove(step.verdict == REDIAL_INVALID && step.delay_ms == 0 && step.timeout_ms == 0);
    prove(!own_waits && !server_waits && !asks && !takes && !earns);
    reached();
}

/* ---- begin and resume: as if the retries had been made ----

   By induction. A call that begins is one that resumes after no retries and no time; one more retry of a call that
   resumed is a call that resumes after one retry more. The call was kept by redial_retries and redial_elapsed_ms. */

void resume_after_nothing_is_begin(void)
{
    struct redial_call begun = nondet_call(), resumed = nondet_call();
    uint32_t now_ms = nondet_u32();
    bool valid;
    any_surroundings();
    valid = policy_error == REDIAL_POLICY_OK;
    prove(redial_begin(&begun, &policy, now_ms) == valid);
    prove(redial_resume(&resumed, &policy, 0, 0, now_ms) == valid);
    prove(is_same(&begun, &resumed));
    prove(begun.policy == (valid ? &policy : NULL));
    prove(begun.retries_ == 0 && begun.polls_ == 0 && begun.elapsed_ms_ == 0 && begun.last_ms_ == now_ms);
    prove(!redial_begin(NULL, &policy, now_ms) && !redial_resume(NULL, &policy, 0, 0, now_ms));
    prove(surroundings_are_unchanged());
    reached();
}

void resume_after_one_retry_more_is_resume_and_a_retry(void)
{
    struct redial_call call = nondet_call(), resumed = nondet_call();
    uint32_t retries = nondet_u32(), used_ms = nondet_u32(), then_ms = nondet_u32(), now_ms = nondet_u32();
    any_surroundings();
    assume(policy_error == REDIAL_POLICY_OK);
    assume(outcome.kind == REDIAL_KIND_RETRY && (!policy.min_uptime_ms || outcome.uptime_ms < policy.min_uptime_ms));
    prove(redial_resume(&call, &policy, retries, used_ms, then_ms));
    assume(redial_next(&call, outcome, now_ms, random_bits).verdict == REDIAL_RETRY);
    prove(redial_resume(&resumed, &policy, (uint32_t)sum_of(retries, 1),
                        (uint32_t)sum_of(used_ms, time_between(then_ms, now_ms)), now_ms));
    prove(is_same(&call, &resumed));
    reached();
}

/* Kept at one time, resumed, and looked at later: once the time is charged, both are the same, and so is all that
   follows. Polls start anew, so the call has none. The clock may read anything at the three moments, since only the
   time between them counts (arithmetic.c). */
enum { LAST, KEPT, NOW };
static uint32_t passed_ms[NOW + 1];

uint32_t some_time(uint32_t now_ms, uint32_t then_ms)   /* in the place of redial_elapsed_since */
{
    prove(then_ms <= now_ms && now_ms <= NOW);
    return passed_ms[now_ms] - passed_ms[then_ms];
}

void a_call_that_was_kept_goes_on_as_the_call_itself(void)
{
    struct redial_call call, kept = nondet_call();
    any_surroundings();
    assume(policy_error == REDIAL_POLICY_OK);
    passed_ms[LAST] = 0;
    passed_ms[KEPT] = nondet_u32();
    passed_ms[NOW] = nondet_u32();
    assume(passed_ms[KEPT] <= passed_ms[NOW]);
    call = any_call();
    assume(call.policy && call.polls_ == 0);
    call.last_ms_ = LAST;
    prove(redial_resume(&kept, &policy, redial_retries(&call), redial_elapsed_ms(&call, KEPT), KEPT));
    redial_charge_time(&call, NOW);
    redial_charge_time(&kept, NOW);
    prove(is_same(&call, &kept));
    reached();
}

/* ---- redial_retries, redial_elapsed_ms, redial_timeout_ms ---- */

void a_call_tells_its_retries_and_its_time(void)
{
    struct redial_call call, before;
    uint32_t now_ms = nondet_u32();
    any_surroundings();
    call = before = any_call();
    prove(redial_retries(&call) == before.retries_);
    prove(redial_elapsed_ms(&call, now_ms) == sum_of(before.elapsed_ms_, time_between(before.last_ms_, now_ms)));
    prove(is_same(&call, &before));
    reached();
}

static uint32_t elapsed_ms, elapsed_now_ms;

uint32_t some_elapsed(const struct redial_call *call, uint32_t now_ms)   /* in the place of redial_elapsed_ms */
{
    prove(call->policy == &policy && now_ms == elapsed_now_ms);
    return elapsed_ms;
}

void timeout_is_the_smaller_of_the_attempts_and_what_is_left(void)
{
    struct redial_call call, before;
    uint64_t left = UINT32_MAX;
    any_surroundings();
    elapsed_ms = nondet_u32();
    elapsed_now_ms = nondet_u32();
    call = before = any_call();
    if (policy.max_elapsed_ms)
        left = elapsed_ms < policy.max_elapsed_ms ? policy.max_elapsed_ms - elapsed_ms : 0;
    if (policy.attempt_ms && left > policy.attempt_ms)
        left = policy.attempt_ms;
    prove(redial_timeout_ms(&call, elapsed_now_ms) == (call.policy ? left : 0));
    prove(is_same(&call, &before));
    reached();
}
