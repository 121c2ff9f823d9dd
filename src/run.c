/* The blocking loops over an injected environment: redial_run, and a loop of the caller's own.
   SPDX-License-Identifier: MIT */
#include "internal.h"

static bool usable(const struct redial_env *env)
{
    return env && env->now_ms && env->wait_ms && env->random;
}

static bool cancelled(const struct redial_env *env)
{
    return env->cancelled && env->cancelled(env);
}

static uint32_t gate_left(struct redial_gate *gate, uint32_t now_ms)
{
    return gate && gate->left_ ? gate->left_(gate, now_ms) : 0;
}

struct run {
    struct redial_call *call;
    const struct redial_env *env;
    struct redial_report *report;
    struct redial_step step; /* the last decision */
};

static bool conclude(struct run *run, enum redial_verdict verdict)
{
    run->step.verdict = verdict;
    run->step.delay_ms = run->step.timeout_ms = 0;
    return false;
}

/* Adds the time that the operation or the wait took to the call and to the report, and returns it.
   */
static inline uint32_t charge(struct run *run)
{
    uint32_t ms = redial_charge_time(run->call, run->env->now_ms(run->env));
    run->report->elapsed_ms = redial_saturating_add(run->report->elapsed_ms, ms);
    return ms;
}

static void report_wait(const struct run *run, const struct redial_outcome *outcome)
{
    struct redial_event event;
    event.retry = run->call->retries_;
    event.delay_ms = run->step.delay_ms;
    event.elapsed_ms = run->call->elapsed_ms_;
    event.outcome = *outcome;
    run->env->on_wait(run->env, &event);
}

/* Decides on an outcome whose kind may wait, and waits. True: the wait is over, and the loop
   continues. */
static bool decide_and_wait(struct run *run, enum redial_kind kind,
                            const struct redial_outcome *outcome)
{
    const struct redial_env *env = run->env;
    bool whole;
    if (cancelled(env))
        return conclude(run, REDIAL_CANCELLED);
    run->step = redial_decide(run->call, kind, outcome, env->random(env));
    if (run->step.verdict != REDIAL_RETRY)
        return false;
    if (env->on_wait)
        report_wait(run, outcome);
    whole = env->wait_ms(env, run->step.delay_ms);
    run->report->waited_ms = redial_saturating_add(run->report->waited_ms, charge(run));
    if (!whole)
        conclude(run, REDIAL_CANCELLED);
    return whole;
}

/* Decides and waits as if the operation had returned redial_postponed. delay_ms remains the wait of
   the last retry. */
static bool wait_at_gate(struct run *run, uint32_t closed_ms)
{
    struct redial_outcome postponed = redial_postponed(closed_ms);
    uint32_t delay_ms = run->step.delay_ms;
    bool over = decide_and_wait(run, REDIAL_KIND_POSTPONED, &postponed);
    if (over)
        run->step.delay_ms = delay_ms;
    return over;
}

/* The checks before each attempt. True: make the attempt now. */
static inline bool admit(struct run *run)
{
    struct redial_call *call = run->call;
    uint32_t closed_ms;
    do {
        if (cancelled(run->env))
            return conclude(run, REDIAL_CANCELLED);
        run->step.timeout_ms = redial_timeout_ms(call, call->last_ms_);
        if (!run->step.timeout_ms)
            return conclude(run, REDIAL_TIMED_OUT);
        closed_ms = gate_left(call->policy->gate, call->last_ms_);
        if (!closed_ms)
            return true;
    } while (wait_at_gate(run, closed_ms));
    return false;
}

static inline bool before_first_attempt(struct run *run, const struct redial_policy *policy)
{
    uint32_t now_ms = 0;
    if (usable(run->env))
        now_ms = run->env->now_ms(run->env);
    else
        policy = NULL;
    if (!redial_begin(run->call, policy, now_ms))
        return conclude(run, REDIAL_INVALID);
    run->step.verdict = REDIAL_RETRY;
    run->step.delay_ms = 0;
    return admit(run);
}

static inline bool after_attempt(struct run *run, const struct redial_outcome *outcome)
{
    enum redial_kind kind;
    charge(run);
    kind = redial_classify(run->call->policy, *outcome);
    if (kind < REDIAL_KIND_RETRY)
        return conclude(run, redial_settle(run->call, kind));
    return decide_and_wait(run, kind, outcome) && admit(run);
}

/* Member by member, because a compiler may set a whole struct with memset, and bare metal may have
   none. */
static void set_up(struct run *run, struct redial_call *call, const struct redial_env *env,
                   struct redial_report *report)
{
    report->verdict = REDIAL_INVALID;
    report->last.kind = REDIAL_KIND_INVALID;
    report->last.code = 0;
    report->last.retry_after_ms = report->last.uptime_ms = 0;
    report->attempts = report->elapsed_ms = report->waited_ms = report->refused_wait_ms = 0;
    run->call = call;
    run->env = env;
    run->report = report;
    conclude(run, REDIAL_INVALID);
}

enum redial_verdict redial_run(const struct redial_policy *policy, const struct redial_env *env,
                               redial_operation *operation, void *user,
                               struct redial_report *report)
{
    struct redial_report unread;
    struct redial_attempt attempt = { 0, 0, env };
    struct redial_call call;
    struct run run;
    bool more;
    if (!report)
        report = &unread;
    set_up(&run, &call, env, report);
    if (!operation)
        return REDIAL_INVALID;
    more = before_first_attempt(&run, policy);
    while (more) {
        report->attempts = attempt.number = redial_saturating_add(attempt.number, 1);
        attempt.timeout_ms = run.step.timeout_ms;
        report->last = operation(user, &attempt);
        more = after_attempt(&run, &report->last);
    }
    report->refused_wait_ms = run.step.delay_ms;
    report->verdict = run.step.verdict;
    return run.step.verdict;
}

struct redial_step redial_loop_begin(struct redial_call *call, const struct redial_policy *policy,
                                     const struct redial_env *env)
{
    struct redial_report unread;
    struct run run;
    set_up(&run, call, env, &unread);
    before_first_attempt(&run, policy);
    return run.step;
}

struct redial_step redial_loop_next(struct redial_call *call, const struct redial_env *env,
                                    struct redial_outcome outcome)
{
    struct redial_report unread;
    struct run run;
    set_up(&run, call, env, &unread);
    if (call && usable(env))
        after_attempt(&run, &outcome);
    return run.step;
}
