/* src/call.c is as the model of the tests, for all policies, outcomes, clocks and random bits.
   SPDX-License-Identifier: MIT

   One step from any state of the call, so it does not matter what came before. The waits are any
   numbers here: delay.c says which. */
#include "proof.h"
#include <string.h>

#include "../model/waits.h"

static uint32_t random_bits;
static uint64_t cents;          /* of the budget: hundredths of a token */
static unsigned policy_fault;
static struct redial_policy policy;
static struct redial_budget budget;
static struct redial_outcome outcome;

#define ROOM_CENTS ((uint64_t)UINT32_MAX * 100)
#define EARNS_CENTS 100

/* Any number, but always the same one. */
uint32_t __CPROVER_uninterpreted_own_wait(uint64_t n, uint32_t random);
uint32_t __CPROVER_uninterpreted_asked_wait(enum redial_kind kind, uint64_t n,
                                            uint32_t retry_after_ms, uint32_t random);

uint32_t redial_random_delay_ms(const struct redial_policy *asked, uint32_t n, uint32_t random)
{
    prove(asked == &policy);
    return __CPROVER_uninterpreted_own_wait(n, random);
}

uint32_t redial_asked_delay_ms_(const struct redial_policy *asked, enum redial_kind kind,
                                uint32_t n, uint32_t retry_after_ms, uint32_t random)
{
    uint32_t wait = __CPROVER_uninterpreted_asked_wait(kind, n, retry_after_ms, random);
    prove(asked == &policy && retry_after_ms > 0);
    assume(wait >= retry_after_ms);
    return wait;
}

unsigned redial_policy_fault_(const struct redial_policy *asked)
{
    prove(asked == &policy);
    return policy_fault;
}

#define wide_random_delay(policy, n, random) __CPROVER_uninterpreted_own_wait((n), (random))
#define wide_asked_delay(policy, kind, n, retry_after_ms, random) \
    __CPROVER_uninterpreted_asked_wait((kind), (n), (retry_after_ms), (random))
#include "../model/decision.h"

#include "../../src/call.c"

/* ---- the policy and the budget around the call ---- */

static bool take(struct redial_budget *asked)
{
    bool taken = cents >= 100;
    prove(asked == &budget);
    cents -= taken ? 100 : 0;
    return taken;
}

static void earn(struct redial_budget *asked)
{
    prove(asked == &budget);
    cents = wide_min(cents + EARNS_CENTS, ROOM_CENTS);
}

static struct redial_call any_call(void)
{
    struct redial_call call = nondet_call();
    bool zeroed = nondet_bool();   /* a zeroed budget grants nothing */
    policy = nondet_policy();
    policy.budget = nondet_bool() ? &budget : NULL;
    policy_fault = nondet_u32();
    budget.take_ = zeroed ? NULL : take;
    budget.earn_ = zeroed ? NULL : earn;
    cents = zeroed ? 0 : nondet_u64();
    assume(cents <= ROOM_CENTS);
    outcome = nondet_outcome();
    random_bits = nondet_u32();
    call.policy = &policy;
    return call;
}

static struct model model_of(const struct redial_call *call)
{
    struct model model;
    model_resume(&model, call->policy, call->retries_, call->elapsed_ms_, call->last_ms_);
    model.polls = call->polls_;
    model.cents = cents;
    model.earns_cents = budget.earn_ ? EARNS_CENTS : 0;
    model.room_cents = ROOM_CENTS;
    return model;
}

static void is_same_state(const struct redial_call *call, const struct model *model)
{
    prove(call->policy == model->policy && call->retries_ == model->retries);
    prove(call->polls_ == model->polls);
    prove(call->elapsed_ms_ == model->elapsed_ms && call->last_ms_ == model->then_ms);
}

static bool is_time_after(uint64_t elapsed_ms)
{
    if (policy.max_elapsed_ms == 0 || policy.max_elapsed_ms == REDIAL_NO_LIMIT)
        return true;
    return elapsed_ms < policy.max_elapsed_ms
           && elapsed_ms + policy.min_attempt_ms <= policy.max_elapsed_ms;
}

void next_keeps_every_rule(void)
{
    struct redial_call call = any_call();
    struct model model = model_of(&call);
    uint32_t now_ms = nondet_u32();
    struct redial_step step = redial_next(&call, now_ms, outcome, random_bits), expected;
    expected = model_next(&model, outcome, now_ms, random_bits);
    prove(step.verdict == expected.verdict && step.delay_ms == expected.delay_ms);
    prove(step.timeout_ms == 0);
    is_same_state(&call, &model);
    prove(cents == model.cents);
    if (step.verdict == REDIAL_WAIT) {
        prove(step.delay_ms >= outcome.retry_after_ms);
        prove(is_time_after((uint64_t)call.elapsed_ms_ + step.delay_ms));
    }
    reached();
}

void next_without_a_policy_or_a_call_is_invalid(void)
{
    struct redial_call call = any_call(), before;
    struct redial_step step;
    call.policy = NULL;
    before = call;
    step = redial_next(nondet_bool() ? &call : NULL, nondet_u32(), outcome, random_bits);
    prove(step.verdict == REDIAL_INVALID && step.delay_ms == 0 && step.timeout_ms == 0);
    prove(redial_ready(&call, nondet_u32()).timeout_ms == 0);
    prove(memcmp(&call, &before, sizeof call) == 0);
    reached();
}

void a_call_tells_its_retries_and_its_time(void)
{
    struct redial_call call = any_call();
    struct model model = model_of(&call);
    uint32_t now_ms = nondet_u32();
    prove(redial_retries(&call) == model.retries);
    prove(redial_elapsed_ms(&call, now_ms) == model_elapsed_ms(&model, now_ms));
    prove(redial_ready(&call, now_ms).timeout_ms == model_timeout_ms(&model, now_ms));
    is_same_state(&call, &model);
    reached();
}

/* ---- resume ---- */

void resume_after_nothing_is_begin(void)
{
    struct redial_call begun = any_call(), resumed = nondet_call();
    struct model model;
    uint32_t now_ms = nondet_u32(), retries = nondet_u32(), elapsed_ms = nondet_u32();
    bool valid = policy_fault == 0;
    prove(redial_begin(&begun, &policy, now_ms) == valid);
    prove(redial_resume(&resumed, &policy, retries, elapsed_ms, now_ms) == valid);
    model_resume(&model, valid ? &policy : NULL, retries, elapsed_ms, now_ms);
    is_same_state(&resumed, &model);
    prove(retries || elapsed_ms || memcmp(&begun, &resumed, sizeof begun) == 0);
    prove(!redial_begin(NULL, &policy, now_ms));
    prove(!redial_resume(NULL, &policy, retries, elapsed_ms, now_ms));
    reached();
}

/* Kept at one time, resumed, and looked at later: once the time is charged, both are the same, and
   so is all that follows. Polls start anew, so the call has none. The clock may read anything at
   the three moments, since only the time between them counts (internal.c). */
enum { LAST, KEPT, NOW };
static uint32_t passed_ms[NOW + 1];

uint32_t some_time(uint32_t now_ms, uint32_t then_ms)   /* in the place of redial_elapsed_since_ */
{
    prove(then_ms <= now_ms && now_ms <= NOW);
    return passed_ms[now_ms] - passed_ms[then_ms];
}

void a_call_that_was_kept_goes_on_as_the_call_itself(void)
{
    struct redial_call call = any_call(), kept = nondet_call();
    assume(policy_fault == 0 && call.polls_ == 0);
    passed_ms[LAST] = 0;
    passed_ms[KEPT] = nondet_u32();
    passed_ms[NOW] = nondet_u32();
    assume(passed_ms[KEPT] <= passed_ms[NOW]);
    call.last_ms_ = LAST;
    prove(redial_resume(&kept, &policy, redial_retries(&call), redial_elapsed_ms(&call, KEPT),
                        KEPT));
    redial_charge_time_(&call, NOW);
    redial_charge_time_(&kept, NOW);
    prove(memcmp(&call, &kept, sizeof call) == 0);
    reached();
}
