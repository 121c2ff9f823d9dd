/* The blocking loops over an injected environment: redial_run, and a loop of the caller's own.
   SPDX-License-Identifier: MIT */
#include "internal.h"

static bool redial_usable_(const struct redial_env *env)
{
    return env && env->now_ms && env->wait_ms && env->random;
}

static bool redial_cancelled_(const struct redial_env *env)
{
    return env->cancelled && env->cancelled(env);
}

struct redial_run_ {
    struct redial_call *call;
    const struct redial_env *env;
    struct redial_report *report;
    struct redial_step step; /* the last decision */
};

static bool redial_conclude_(struct redial_run_ *run, enum redial_verdict verdict)
{
    run->step.verdict = verdict;
    run->step.delay_ms = run->step.timeout_ms = 0;
    return false;
}

/* Adds the time since the last reading of the clock to the call and to the report, and returns it.
   The operation, the wait or hold_ms took it. */
static inline uint32_t redial_charge_(struct redial_run_ *run)
{
    uint32_t ms = redial_charge_time_(run->call, run->env->now_ms(run->env));
    run->report->elapsed_ms = redial_saturating_add_(run->report->elapsed_ms, ms);
    return ms;
}

static void redial_report_wait_(const struct redial_run_ *run, const struct redial_outcome *outcome)
{
    struct redial_event event = {
        REDIAL_AT_(retry) run->call->retries_,
        REDIAL_AT_(delay_ms) run->step.delay_ms,
        REDIAL_AT_(elapsed_ms) run->call->elapsed_ms_,
        REDIAL_AT_(outcome) * outcome,
    };
    run->env->on_wait(run->env, &event);
}

/* Decides on an outcome whose kind may wait, and waits. True: the wait is over, and the loop
   continues. */
static bool redial_decide_and_wait_(struct redial_run_ *run, enum redial_kind kind,
                                    const struct redial_outcome *outcome)
{
    const struct redial_env *env = run->env;
    struct redial_report *report = run->report;
    bool whole;
    if (redial_cancelled_(env))
        return redial_conclude_(run, REDIAL_CANCELLED);
    run->step = redial_decide_(run->call, kind, outcome, env->random(env));
    if (run->step.verdict != REDIAL_RETRY)
        return false;
    if (env->on_wait)
        redial_report_wait_(run, outcome);
    whole = env->wait_ms(env, run->step.delay_ms);
    report->waited_ms = redial_saturating_add_(report->waited_ms, redial_charge_(run));
    if (!whole)
        return redial_conclude_(run, REDIAL_CANCELLED);
    run->step.delay_ms = 0; /* it has been waited */
    return true;
}

/* For how long nothing may be sent. The hook may take time, so the clock is read after it. */
static inline uint32_t redial_hold_(struct redial_run_ *run)
{
    uint32_t hold_ms;
    if (!run->env->hold_ms)
        return 0;
    hold_ms = run->env->hold_ms(run->env);
    redial_charge_(run);
    return hold_ms;
}

/* The checks before each attempt. A hold is decided as if the operation had returned
   redial_postponed. True: make the attempt now. */
static inline bool redial_admit_(struct redial_run_ *run)
{
    struct redial_outcome held;
    do {
        if (redial_cancelled_(run->env))
            return redial_conclude_(run, REDIAL_CANCELLED);
        held = redial_postponed(redial_hold_(run));
        run->step.timeout_ms = redial_timeout_ms(run->call, run->call->last_ms_);
        if (!run->step.timeout_ms)
            return redial_conclude_(run, REDIAL_TIMED_OUT);
        if (!held.retry_after_ms)
            return true;
    } while (redial_decide_and_wait_(run, REDIAL_KIND_POSTPONED, &held));
    return false;
}

/* Without an env the call is begun with no policy, because redial.h promises that it is written. */
static inline bool redial_before_first_(struct redial_run_ *run, const struct redial_policy *policy)
{
    if (!redial_usable_(run->env)) {
        redial_begin(run->call, NULL, 0);
        return redial_conclude_(run, REDIAL_INVALID);
    }
    if (!redial_begin(run->call, policy, run->env->now_ms(run->env)))
        return redial_conclude_(run, REDIAL_INVALID);
    run->step.verdict = REDIAL_RETRY;
    return redial_admit_(run);
}

static inline bool redial_after_attempt_(struct redial_run_ *run,
                                         const struct redial_outcome *outcome)
{
    enum redial_kind kind;
    redial_charge_(run);
    kind = redial_classify(run->call->policy, *outcome);
    if (kind < REDIAL_KIND_RETRY)
        return redial_conclude_(run, redial_settle_(run->call, kind));
    return redial_decide_and_wait_(run, kind, outcome) && redial_admit_(run);
}

/* Member by member, for the reason at REDIAL_AT_: a report is large. */
static void redial_set_up_(struct redial_run_ *run, struct redial_call *call,
                           const struct redial_env *env, struct redial_report *report)
{
    static const struct redial_step none = {
        REDIAL_AT_(verdict) REDIAL_INVALID,
        REDIAL_AT_(delay_ms) 0,
        REDIAL_AT_(timeout_ms) 0,
    };
    report->verdict = REDIAL_INVALID;
    report->last.kind = REDIAL_KIND_INVALID;
    report->last.code = 0;
    report->last.retry_after_ms = report->last.uptime_ms = 0;
    report->attempts = report->elapsed_ms = report->waited_ms = report->refused_wait_ms = 0;
    run->call = call;
    run->env = env;
    run->report = report;
    run->step = none;
}

enum redial_verdict redial_run(const struct redial_policy *policy, const struct redial_env *env,
                               redial_operation *operation, void *user,
                               struct redial_report *report)
{
    struct redial_report unread;
    struct redial_attempt attempt = {
        REDIAL_AT_(number) 0,
        REDIAL_AT_(timeout_ms) 0,
        REDIAL_AT_(env) env,
    };
    struct redial_call call;
    struct redial_run_ run;
    bool more;
    if (!report)
        report = &unread;
    redial_set_up_(&run, &call, env, report);
    if (!operation)
        return REDIAL_INVALID;
    more = redial_before_first_(&run, policy);
    while (more) {
        report->attempts = attempt.number = redial_saturating_add_(attempt.number, 1);
        attempt.timeout_ms = run.step.timeout_ms;
        report->last = operation(user, &attempt);
        more = redial_after_attempt_(&run, &report->last);
    }
    report->refused_wait_ms = run.step.delay_ms;
    report->verdict = run.step.verdict;
    return run.step.verdict;
}

struct redial_step redial_loop_begin(struct redial_call *call, const struct redial_policy *policy,
                                     const struct redial_env *env)
{
    struct redial_report unread;
    struct redial_run_ run;
    redial_set_up_(&run, call, env, &unread);
    redial_before_first_(&run, policy);
    return run.step;
}

struct redial_step redial_loop_next(struct redial_call *call, const struct redial_env *env,
                                    struct redial_outcome outcome)
{
    struct redial_report unread;
    struct redial_run_ run;
    redial_set_up_(&run, call, env, &unread);
    if (call && redial_usable_(env))
        redial_after_attempt_(&run, &outcome);
    return run.step;
}
