/* src/call.c decides and answers as the model of the tests, for all policies, outcomes, clocks and
   random bits. SPDX-License-Identifier: MIT

   One step from any state of the call, so it does not matter what came before. The waits are any
   numbers here: delay.c says which. */
#include "proof.h"

#include "../model/waits.h"

static struct redial_policy policy;
static struct redial_budget budget;
static uint64_t cents;   /* of the budget: hundredths of a token */

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
    budget.take_ = zeroed ? NULL : take;
    budget.earn_ = zeroed ? NULL : earn;
    cents = zeroed ? 0 : nondet_u64();
    assume(cents <= ROOM_CENTS);
    call.policy = &policy;
    return call;
}

static struct model model_of(const struct redial_call *call)
{
    return (struct model){
        .policy = call->policy,
        .retries = call->retries_,
        .polls = call->polls_,
        .elapsed_ms = call->elapsed_ms_,
        .then_ms = call->last_ms_,
        .wait_ms = call->wait_ms_,
        .cents = cents,
        .earns_cents = budget.earn_ ? EARNS_CENTS : 0,
        .room_cents = ROOM_CENTS
    };
}

static void is_same_state(const struct redial_call *call, const struct model *model)
{
    prove(call->policy == model->policy && call->retries_ == model->retries);
    prove(call->polls_ == model->polls && call->wait_ms_ == model->wait_ms);
    prove(call->elapsed_ms_ == model->elapsed_ms && call->last_ms_ == model->then_ms);
}

static void is_same_step(struct redial_step step, struct redial_step expected)
{
    prove(step.verdict == expected.verdict && step.delay_ms == expected.delay_ms);
    prove(step.timeout_ms == expected.timeout_ms);
    prove((step.verdict == REDIAL_ATTEMPT) == (step.timeout_ms > 0));
}

/* ---- the proofs ---- */

void next_keeps_every_rule(void)
{
    struct redial_call call = any_call();
    struct model model = model_of(&call);
    struct redial_outcome outcome = nondet_outcome();
    uint32_t now_ms = nondet_u32(), random = nondet_u32();
    struct redial_step step = redial_next(&call, now_ms, outcome, random);
    is_same_step(step, model_next(&model, outcome, now_ms, random));
    is_same_state(&call, &model);
    prove(cents == model.cents);
    if (step.verdict == REDIAL_WAIT) {
        prove(step.delay_ms >= outcome.retry_after_ms);
        /* no useless wait: an attempt may follow it */
        prove(model_left_ms(&policy, (uint64_t)call.elapsed_ms_ + step.delay_ms) > 0);
    }
    reached();
}

void ready_answers_as_the_model_and_changes_nothing(void)
{
    struct redial_call call = any_call();
    struct model model = model_of(&call);
    uint32_t now_ms = nondet_u32();
    is_same_step(redial_ready(&call, now_ms), model_ready(&model, now_ms));
    prove(redial_retries(&call) == model.retries);
    prove(redial_elapsed_ms(&call, now_ms) == model_elapsed_ms(&model, now_ms));
    is_same_state(&call, &model);
    reached();
}
