/* src/run.c: what the loop does from one attempt to the next. SPDX-License-Identifier: MIT

   The decision is any (decision.c says which), and so is the world. One attempt is looked at, up to the beginning
   of the next: since it begins in any state of the call and the report, a later one does nothing else. Every hook
   proves that its turn has come. redial_sum and redial_since are arithmetic.c's. */
#include "proof.h"
#include "../../src/run.c"

enum stage { BEGUN, ASKED, TRIED, COUNTED, ASKED_AGAIN, DRAWN, DECIDED, TOLD, WAITED, ENDED };

static enum stage stage;
static struct redial_env env;
static struct redial_call call;
static struct redial_report report;
static struct redial_outcome given;
static enum redial_kind kind;
static enum redial_verdict expected;            /* once ENDED */
static uint32_t clock_ms, random_bits, delay_ms, left_ms, refused_wait_ms;
static uint32_t tries, elapsed_ms, waited_ms;   /* what the report must say */
static unsigned begun;
static char anything;

static bool cancelled_hook(const struct redial_env *asked)
{
    bool yes = nondet_bool();
    prove(asked == &env && (stage == BEGUN || (stage == COUNTED && kind == REDIAL_KIND_RETRY)));
    stage = stage == BEGUN ? ASKED : ASKED_AGAIN;
    if (yes) {
        stage = ENDED;
        expected = REDIAL_CANCELLED;
    }
    return yes;
}

uint32_t redial_timeout_ms(const struct redial_call *asked, uint32_t now_ms)
{
    prove(asked == &call && now_ms == call.last_ms_ && stage == (env.cancelled ? ASKED : BEGUN));
    left_ms = nondet_u32();
    if (left_ms == 0) {
        stage = ENDED;
        expected = REDIAL_TIMED_OUT;
    }
    return left_ms;
}

static struct redial_outcome operation(void *user, const struct redial_attempt *attempt)
{
    prove(user == &anything && stage == (env.cancelled ? ASKED : BEGUN));
    prove(attempt->timeout_ms == left_ms && left_ms > 0);
    assume(++begun < 2);
    stage = TRIED;
    tries = redial_sum(tries, 1);
    prove(attempt->number == tries);
    given = nondet_outcome();
    return given;
}

static uint32_t now_hook(const struct redial_env *asked)
{
    uint32_t now_ms = nondet_u32();
    uint32_t ms = redial_since(now_ms, call.last_ms_);
    prove(asked == &env && (stage == TRIED || stage == WAITED || stage == ENDED));
    elapsed_ms = redial_sum(elapsed_ms, ms);
    if (stage == TRIED) {
        stage = COUNTED;
    } else {
        waited_ms = redial_sum(waited_ms, ms);
        stage = stage == WAITED ? BEGUN : ENDED;
    }
    clock_ms = now_ms;
    return now_ms;
}

enum redial_kind redial_classify(const struct redial_policy *policy, struct redial_outcome outcome)
{
    prove(policy == call.policy && stage == COUNTED && outcome.kind == given.kind && outcome.code == given.code);
    kind = (enum redial_kind)nondet_u32();
    assume(kind == 0 || kind == REDIAL_KIND_DONE || kind == REDIAL_KIND_RETRY || kind == REDIAL_KIND_FAIL);
    return kind;
}

enum redial_verdict redial_settle(const struct redial_policy *policy, enum redial_kind settled)
{
    prove(policy == call.policy && stage == COUNTED && settled == kind && kind != REDIAL_KIND_RETRY);
    stage = ENDED;
    expected = nondet_bool() ? REDIAL_DONE : REDIAL_FAILED;
    return expected;
}

static uint32_t random_hook(const struct redial_env *asked)
{
    prove(asked == &env && kind == REDIAL_KIND_RETRY && stage == (env.cancelled ? ASKED_AGAIN : COUNTED));
    stage = DRAWN;
    random_bits = nondet_u32();
    return random_bits;
}

struct redial_step redial_next(struct redial_call *asked, struct redial_outcome outcome, uint32_t now_ms,
                               uint32_t random)
{
    struct redial_step step;
    prove(asked == &call && stage == DRAWN && random == random_bits && now_ms == clock_ms && now_ms == call.last_ms_);
    prove(outcome.kind == kind && outcome.code == given.code && outcome.retry_after_ms == given.retry_after_ms
          && outcome.uptime_ms == given.uptime_ms);
    step.verdict = (enum redial_verdict)nondet_u32();
    step.delay_ms = delay_ms = nondet_u32();
    stage = DECIDED;
    if (step.verdict != REDIAL_RETRY) {
        stage = ENDED;
        expected = step.verdict;
        refused_wait_ms = delay_ms;
    }
    call.retries_ = nondet_u32();
    call.elapsed_ms_ = nondet_u32();
    return step;
}

static void told_hook(const struct redial_env *asked, const struct redial_event *event)
{
    prove(asked == &env && stage == DECIDED && event->delay_ms == delay_ms);
    prove(event->retry == call.retries_ && event->elapsed_ms == call.elapsed_ms_ && event->outcome.kind == given.kind
          && event->outcome.code == given.code);
    stage = TOLD;
}

static bool wait_hook(const struct redial_env *asked, uint32_t ms)
{
    bool whole = nondet_bool();
    prove(asked == &env && ms == delay_ms && stage == (env.on_wait ? TOLD : DECIDED));
    stage = WAITED;
    if (!whole) {
        stage = ENDED;
        expected = REDIAL_CANCELLED;
    }
    return whole;
}

static void any_run(void)
{
    static const struct redial_env hooks = { now_hook, wait_hook, random_hook, NULL, NULL, NULL, NULL };
    env = hooks;
    env.cancelled = nondet_bool() ? cancelled_hook : NULL;
    env.on_wait = nondet_bool() ? told_hook : NULL;
    call = nondet_call();
    report = nondet_report();
    report.refused_wait_ms = refused_wait_ms = 0;
    tries = report.attempts;
    elapsed_ms = report.elapsed_ms;
    waited_ms = report.waited_ms;
    stage = BEGUN;
    begun = 0;
}

void loop_asks_tries_counts_and_waits_in_turn(void)
{
    enum redial_verdict verdict;
    any_run();
    verdict = attempts(&call, &env, operation, &anything, &report);
    prove(stage == ENDED && verdict == expected);
    prove(report.attempts == tries);
    prove(report.elapsed_ms == elapsed_ms);
    prove(report.waited_ms == waited_ms);
    prove(report.refused_wait_ms == refused_wait_ms);
    reached();
}
