/* src/run.c: what the loops do from one attempt to the next. SPDX-License-Identifier: MIT

   The decision and the environment may return anything (decision.c says which decisions are right).
   A call begins in any state of the call and of the report, as if attempts had come before; only
   the count of attempts is given. One attempt is made, and hold_ms holds at most twice. A later
   attempt, or a third hold, begins in such a state, too. Every function that is called proves that
   it is its turn, and that the call and the report are up to date. */
#include "proof.h"
#include "../../src/run.c"

/* The last step of the loop. */
enum stage {
    NOTHING,
    BEGUN,         /* or a wait is over: an attempt is due */
    ASKED,         /* before an attempt: it is not cancelled */
    HOLD_ASKED,    /* and the time that the hook took is not counted yet */
    HOLD_COUNTED,
    TIMED,         /* time is left, and nothing is held */
    HELD,          /* so a wait is due */
    SENT,
    COUNTED,       /* the time that the attempt took */
    CLASSIFIED,    /* its outcome */
    ASKED_AGAIN,   /* before a wait: it is not cancelled */
    RANDOM_READ,   /* random bits for the wait */
    DECIDED,       /* to wait */
    TOLD,          /* on_wait */
    WAITED,
    CUT_SHORT,     /* the wait */
    ENDED
};

static enum stage stage;
static bool reports, policy_is_valid;            /* reports: not NULL */
static struct redial_env env;
static struct redial_policy policy;
static struct redial_call *call;
static struct redial_report report, expected;    /* ours; what it must say */
static struct redial_outcome reason;             /* of the next wait */
static enum redial_kind kind;                    /* of the reason */
static bool clock_is_read;                       /* and the time not charged yet */
static uint32_t read_ms, clock_ms, used_ms;      /* read; charged; in the call */
static uint32_t random_bits, timeout_ms, held_ms, decided_ms;
static unsigned sent, holds;
static char anything;

static bool is_same(const struct redial_outcome *a, const struct redial_outcome *b)
{
    return a->kind == b->kind && a->code == b->code && a->retry_after_ms == b->retry_after_ms
           && a->uptime_ms == b->uptime_ms;
}

static bool is_same_report(const struct redial_report *a, const struct redial_report *b)
{
    return a->verdict == b->verdict && is_same(&a->last, &b->last) && a->attempts == b->attempts
           && a->elapsed_ms == b->elapsed_ms && a->waited_ms == b->waited_ms
           && a->refused_wait_ms == b->refused_wait_ms;
}

static bool is_fresh(const struct redial_report *told)
{
    static const struct redial_report fresh = { .verdict = REDIAL_INVALID };
    return is_same_report(told, &fresh);
}

static void up_to_date(void)
{
    if (stage < BEGUN)
        return;
    prove(call->elapsed_ms_ == used_ms && call->last_ms_ == clock_ms && call->policy == &policy);
    prove(!reports || is_same_report(&report, &expected));
}

static void end_with(enum redial_verdict verdict, uint32_t refused_wait_ms)
{
    stage = ENDED;
    expected.verdict = verdict;
    expected.refused_wait_ms = refused_wait_ms;
}

static bool wait_is_due(void)
{
    return stage == HELD || (stage == CLASSIFIED && kind >= REDIAL_KIND_RETRY);
}

/* ---- the clock ---- */

static uint32_t now_hook(const struct redial_env *asked)
{
    up_to_date();
    prove(asked == &env && !clock_is_read);
    prove(stage == NOTHING || stage == HOLD_ASKED || stage == SENT || stage == WAITED
          || stage == CUT_SHORT);
    clock_is_read = true;
    read_ms = nondet_u32();
    return read_ms;
}

static bool clock_was_read_for(uint32_t now_ms)
{
    bool read = clock_is_read && now_ms == read_ms;
    clock_is_read = false;
    return read;
}

/* In the place of redial_charge_time_: any time has passed. */
uint32_t some_charge(struct redial_call *asked, uint32_t now_ms)
{
    uint32_t ms = nondet_u32();
    prove(asked == call && clock_was_read_for(now_ms) && asked->last_ms_ == clock_ms);
    asked->last_ms_ = clock_ms = now_ms;
    asked->elapsed_ms_ = used_ms = nondet_u32();
    expected.elapsed_ms = redial_saturating_add_(expected.elapsed_ms, ms);
    if (stage == WAITED || stage == CUT_SHORT)
        expected.waited_ms = redial_saturating_add_(expected.waited_ms, ms);
    if (stage == CUT_SHORT)
        end_with(REDIAL_CANCELLED, 0);
    else
        stage = stage == SENT ? COUNTED : stage == HOLD_ASKED ? HOLD_COUNTED : BEGUN;
    return ms;
}

bool redial_begin(struct redial_call *begun, const struct redial_policy *asked, uint32_t now_ms)
{
    call = begun;
    if (!begun || !asked || !policy_is_valid) {
        clock_is_read = false;
        return false;
    }
    prove(asked == &policy && stage == NOTHING && clock_was_read_for(now_ms));
    stage = BEGUN;
    *begun = nondet_call();
    begun->policy = asked;
    begun->last_ms_ = clock_ms = now_ms;
    used_ms = begun->elapsed_ms_;
    prove(!reports || is_fresh(&report));
    report = nondet_report();
    report.verdict = REDIAL_INVALID;
    report.attempts = 0;   /* redial_run keeps its own count */
    report.refused_wait_ms = 0;
    expected = report;
    return true;
}

/* ---- before an attempt: is it cancelled, is it held, is time left ---- */

static bool cancelled_hook(const struct redial_env *asked)   /* after an outcome that waits, too */
{
    bool yes = nondet_bool();
    up_to_date();
    prove(asked == &env && (stage == BEGUN || wait_is_due()));
    stage = stage == BEGUN ? ASKED : ASKED_AGAIN;
    if (yes)
        end_with(REDIAL_CANCELLED, 0);
    return yes;
}

static bool is_not_cancelled(void)
{
    return stage == (env.cancelled ? ASKED : BEGUN);
}

static uint32_t hold_hook(const struct redial_env *asked)
{
    up_to_date();
    prove(asked == &env && is_not_cancelled());
    stage = HOLD_ASKED;
    held_ms = nondet_u32();
    assume(held_ms == 0 || ++holds <= 2);
    return held_ms;
}

struct redial_outcome redial_postponed(uint32_t retry_after_ms)
{
    struct redial_outcome outcome = { REDIAL_KIND_POSTPONED, 0, 0, 0 };
    outcome.retry_after_ms = retry_after_ms;
    return outcome;
}

uint32_t redial_timeout_ms(const struct redial_call *asked, uint32_t now_ms)
{
    up_to_date();
    prove(asked == call && now_ms == clock_ms);
    prove(env.hold_ms ? stage == HOLD_COUNTED : is_not_cancelled());
    timeout_ms = nondet_u32();
    stage = TIMED;
    if (timeout_ms == 0) {
        end_with(REDIAL_TIMED_OUT, 0);
    } else if (env.hold_ms && held_ms > 0) {
        stage = HELD;
        kind = REDIAL_KIND_POSTPONED;
        reason = redial_postponed(held_ms);
    }
    return timeout_ms;
}

/* ---- the attempt ---- */

static bool attempt_is_due(void)
{
    return stage == TIMED && timeout_ms > 0;
}

static struct redial_outcome send_now(void)
{
    assume(++sent < 2);
    stage = SENT;
    expected.last = reason = nondet_outcome();
    return reason;
}

static struct redial_outcome operation(void *user, const struct redial_attempt *attempt)
{
    expected.attempts = redial_saturating_add_(expected.attempts, 1);
    up_to_date();
    prove(user == &anything && attempt_is_due());
    prove(attempt->number == expected.attempts && attempt->timeout_ms == timeout_ms);
    prove(attempt->env == &env);
    return send_now();
}

/* ---- after it ---- */

enum redial_kind redial_classify(const struct redial_policy *asked, struct redial_outcome outcome)
{
    up_to_date();
    prove(asked == &policy && stage == COUNTED && is_same(&outcome, &expected.last));
    stage = CLASSIFIED;
    kind = (enum redial_kind)nondet_u32();
    assume(kind == REDIAL_KIND_INVALID || kind == REDIAL_KIND_DONE || kind == REDIAL_KIND_FAIL
           || kind == REDIAL_KIND_RETRY || kind == REDIAL_KIND_PENDING
           || kind == REDIAL_KIND_POSTPONED);
    return kind;
}

static uint32_t random_hook(const struct redial_env *asked)
{
    up_to_date();
    prove(asked == &env && (env.cancelled ? stage == ASKED_AGAIN : wait_is_due()));
    stage = RANDOM_READ;
    random_bits = nondet_u32();
    return random_bits;
}

enum redial_verdict redial_settle_(const struct redial_call *asked, enum redial_kind settled)
{
    enum redial_verdict verdict = (enum redial_verdict)nondet_u32();
    up_to_date();
    prove(asked == call && settled == kind && kind < REDIAL_KIND_RETRY && stage == CLASSIFIED);
    assume(verdict != REDIAL_RETRY);
    end_with(verdict, 0);
    return verdict;
}

struct redial_step redial_decide_(struct redial_call *asked, enum redial_kind settled,
                                  const struct redial_outcome *outcome, uint32_t random)
{
    struct redial_step step = { REDIAL_DONE, 0, 0 };
    up_to_date();
    prove(asked == call && settled == kind && kind >= REDIAL_KIND_RETRY);
    prove(is_same(outcome, &reason));
    prove(stage == RANDOM_READ && random == random_bits);
    step.verdict = (enum redial_verdict)nondet_u32();
    step.delay_ms = decided_ms = nondet_u32();
    call->retries_ = nondet_u32();
    call->polls_ = nondet_u32();
    call->elapsed_ms_ = used_ms = nondet_u32();
    stage = DECIDED;
    if (step.verdict != REDIAL_RETRY)
        end_with(step.verdict, decided_ms);
    return step;
}

static void on_wait_hook(const struct redial_env *asked, const struct redial_event *event)
{
    up_to_date();
    prove(asked == &env && stage == DECIDED);
    prove(event->retry == call->retries_ && event->delay_ms == decided_ms);
    prove(event->elapsed_ms == used_ms);
    prove(is_same(&event->outcome, &reason));
    stage = TOLD;
}

static bool wait_hook(const struct redial_env *asked, uint32_t ms)
{
    bool whole = nondet_bool();
    up_to_date();
    prove(asked == &env && ms == decided_ms && stage == (env.on_wait ? TOLD : DECIDED));
    stage = whole ? WAITED : CUT_SHORT;
    return whole;
}

/* ---- the three functions ---- */

static void any_run(void)
{
    static const struct redial_env hooks = { now_hook, wait_hook, random_hook };
    env = hooks;
    env.cancelled = nondet_bool() ? cancelled_hook : NULL;
    env.on_wait = nondet_bool() ? on_wait_hook : NULL;
    env.hold_ms = nondet_bool() ? hold_hook : NULL;
    policy_is_valid = true;
    reports = false;
    stage = NOTHING;
    clock_is_read = false;
    sent = holds = 0;
}

void run_asks_sends_decides_and_waits_in_turn(void)
{
    enum redial_verdict verdict;
    any_run();
    reports = true;
    report = nondet_report();
    verdict = redial_run(&policy, &env, operation, &anything, &report);
    prove(stage == ENDED && verdict == expected.verdict && is_same_report(&report, &expected));
    reached();
}

void a_loop_of_ones_own_does_the_same(void)
{
    struct redial_call own = nondet_call();
    struct redial_step step;
    any_run();
    step = redial_loop_begin(&own, &policy, &env);
    while (step.verdict == REDIAL_RETRY) {
        prove(attempt_is_due() && step.timeout_ms == timeout_ms && step.delay_ms == 0);
        step = redial_loop_next(&own, &env, send_now());
    }
    prove(stage == ENDED && step.verdict == expected.verdict);
    prove(step.delay_ms == expected.refused_wait_ms && step.timeout_ms == 0);
    reached();
}

/* The clock alone may have been read. */
static bool is_refused(struct redial_step step)
{
    return step.verdict == REDIAL_INVALID && step.delay_ms == 0 && step.timeout_ms == 0
           && stage == NOTHING;
}

enum part { ENV, CLOCK, WAIT, RANDOM, OPERATION_OR_CALL, VALID_POLICY };

static void is_refused_without(enum part missing)
{
    struct redial_call own = nondet_call();
    struct redial_call *begun = missing == OPERATION_OR_CALL ? NULL : &own;
    const struct redial_env *used = missing == ENV ? NULL : &env;
    any_run();
    policy_is_valid = missing != VALID_POLICY;
    env.now_ms = missing == CLOCK ? NULL : now_hook;
    env.wait_ms = missing == WAIT ? NULL : wait_hook;
    env.random = missing == RANDOM ? NULL : random_hook;
    report = nondet_report();
    prove(redial_run(&policy, used, begun ? operation : NULL, &anything, &report)
          == REDIAL_INVALID);
    prove(stage == NOTHING && is_fresh(&report));
    prove(is_refused(redial_loop_begin(begun, &policy, used)));
    if (missing != VALID_POLICY)
        prove(is_refused(redial_loop_next(begun, used, nondet_outcome())));
}

void nothing_is_asked_where_something_is_missing(void)
{
    enum part missing;
    for (missing = ENV; missing <= VALID_POLICY; missing++)
        is_refused_without(missing);
    reached();
}
