/* The blocking loops over an injected environment: redial_run, and a loop of the caller's own.
   SPDX-License-Identifier: MIT */
#include "internal.h"

/* What redial_run and the loop functions share while they run. */
struct redial_session_ {
    struct redial_call *call;
    const struct redial_env *env;
    struct redial_step step; /* the last decision */
    uint32_t elapsed_ms, waited_ms; /* of the whole run: a fresh start resets those of the call */
};

static bool redial_usable_(const struct redial_env *env)
{
    return env && env->now_ms && env->wait_ms && env->random;
}

static bool redial_is_cancelled_(const struct redial_env *env)
{
    return env->cancelled && env->cancelled(env);
}

static bool redial_end_(struct redial_session_ *run, enum redial_verdict verdict)
{
    struct redial_step step = { verdict, 0, 0 };
    run->step = step;
    return false;
}

/* Reads the clock, and returns the time since the last reading. The operation, the wait or hold_ms
   took it. */
static uint32_t redial_read_clock_in_(struct redial_session_ *run)
{
    uint32_t ms = redial_charge_time_(run->call, run->env->now_ms(run->env));
    run->call->wait_ms_ = 0;
    run->elapsed_ms = redial_saturating_add_(run->elapsed_ms, ms);
    return ms;
}

static void redial_call_on_wait_(const struct redial_session_ *run,
                                 const struct redial_outcome *outcome)
{
    struct redial_event event = { run->call->retries_, run->step.delay_ms, run->call->elapsed_ms_,
                                  *outcome };
    run->env->on_wait(run->env, &event);
}

/* Decides on the outcome of an attempt or of a hold, and waits. True: the wait is over. */
static bool redial_decide_and_wait_(struct redial_session_ *run,
                                    const struct redial_outcome *outcome)
{
    const struct redial_env *env = run->env;
    bool may_wait = redial_may_wait_(run->call->policy, outcome->kind), whole;
    if (may_wait && redial_is_cancelled_(env))
        return redial_end_(run, REDIAL_CANCELLED);
    run->step =
        redial_next(run->call, run->call->last_ms_, *outcome, may_wait ? env->random(env) : 0);
    if (run->step.verdict != REDIAL_WAIT)
        return false;
    if (env->on_wait)
        redial_call_on_wait_(run, outcome);
    whole = env->wait_ms(env, run->step.delay_ms);
    run->waited_ms = redial_saturating_add_(run->waited_ms, redial_read_clock_in_(run));
    return whole ? true : redial_end_(run, REDIAL_CANCELLED);
}

/* For how long nothing may be sent. The hooks before an attempt may take time, so the clock is read
   after them. */
static uint32_t redial_ask_hold_(struct redial_session_ *run)
{
    const struct redial_env *env = run->env;
    uint32_t ms = env->hold_ms ? env->hold_ms(env) : 0;
    if (env->hold_ms || env->cancelled)
        redial_read_clock_in_(run);
    return ms;
}

/* The checks before each attempt. A hold is decided as if the operation had returned redial_held.
   True: make the attempt now. */
static bool redial_admit_(struct redial_session_ *run)
{
    bool more;
    do {
        struct redial_outcome held;
        uint32_t held_ms;
        if (redial_is_cancelled_(run->env))
            return redial_end_(run, REDIAL_CANCELLED);
        held_ms = redial_ask_hold_(run);
        run->step = redial_ready(run->call, run->call->last_ms_);
        if (run->step.verdict != REDIAL_ATTEMPT)
            return false;
        if (!held_ms)
            return true;
        held = redial_held(held_ms);
        more = redial_decide_and_wait_(run, &held);
    } while (more);
    return false;
}

/* Without an env the call is begun with no policy, because redial.h promises that it is written. */
static bool redial_before_first_(struct redial_session_ *run, const struct redial_policy *policy)
{
    uint32_t now_ms = 0;
    if (redial_usable_(run->env))
        now_ms = run->env->now_ms(run->env);
    else
        policy = NULL;
    if (!redial_begin(run->call, policy, now_ms))
        return redial_end_(run, REDIAL_INVALID);
    return redial_admit_(run);
}

static bool redial_after_attempt_(struct redial_session_ *run, const struct redial_outcome *outcome)
{
    redial_read_clock_in_(run);
    return redial_decide_and_wait_(run, outcome) && redial_admit_(run);
}

static void redial_fill_in_(struct redial_report *report, const struct redial_session_ *run,
                            const struct redial_outcome *last, uint32_t attempts)
{
    struct redial_report filled = { run->step.verdict, *last,          attempts,
                                    run->elapsed_ms,   run->waited_ms, run->step.delay_ms };
    if (report)
        *report = filled;
}

enum redial_verdict redial_run(const struct redial_policy *policy, const struct redial_env *env,
                               redial_operation *operation, void *user,
                               struct redial_report *report)
{
    struct redial_outcome last = { REDIAL_KIND_INVALID, 0, 0, 0 };
    struct redial_attempt attempt = { 0, 0, env };
    struct redial_call call;
    struct redial_session_ run = { &call, env, { REDIAL_INVALID, 0, 0 }, 0, 0 };
    bool more;
    redial_fill_in_(report, &run, &last, 0); /* an operation may leave by a jump */
    if (!operation)
        return REDIAL_INVALID;
    more = redial_before_first_(&run, policy);
    while (more) {
        attempt.number = redial_saturating_add_(attempt.number, 1);
        attempt.timeout_ms = run.step.timeout_ms;
        last = operation(user, &attempt);
        more = redial_after_attempt_(&run, &last);
    }
    redial_fill_in_(report, &run, &last, attempt.number);
    return run.step.verdict;
}

struct redial_step redial_loop_begin(struct redial_call *call, const struct redial_policy *policy,
                                     const struct redial_env *env)
{
    struct redial_session_ run = { call, env, { REDIAL_INVALID, 0, 0 }, 0, 0 };
    redial_before_first_(&run, policy);
    return run.step;
}

struct redial_step redial_loop_next(struct redial_call *call, const struct redial_env *env,
                                    struct redial_outcome outcome)
{
    struct redial_session_ run = { call, env, { REDIAL_INVALID, 0, 0 }, 0, 0 };
    if (call && redial_usable_(env))
        redial_after_attempt_(&run, &outcome);
    return run.step;
}
