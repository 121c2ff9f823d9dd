/* The blocking loop, over an injected environment. SPDX-License-Identifier: MIT */
#include "internal.h"

static bool usable(const struct redial_env *env)
{
    return env && env->now_ms && env->wait_ms && env->random;
}

static bool cancelled(const struct redial_env *env)
{
    return env->cancelled && env->cancelled(env);
}

/* Counts what the operation or the wait has taken. */
static uint32_t spent(struct redial_call *call, const struct redial_env *env, struct redial_report *report)
{
    uint32_t ms = redial_count(call, env->now_ms(env));
    report->elapsed_ms = redial_sum(report->elapsed_ms, ms);
    return ms;
}

static void tell(struct redial_call *call, const struct redial_env *env, uint32_t delay_ms,
                 const struct redial_outcome *outcome)
{
    struct redial_event event;
    event.retry = call->retries_;
    event.delay_ms = delay_ms;
    event.elapsed_ms = call->elapsed_ms_;
    event.outcome = *outcome;
    env->on_wait(env, &event);
}

static enum redial_verdict attempts(struct redial_call *call, const struct redial_env *env,
                                    redial_operation *operation, void *user, struct redial_report *report)
{
    struct redial_attempt attempt;
    bool whole = true;
    while (whole && !cancelled(env)) {
        struct redial_step step;
        struct redial_outcome known;   /* its kind is settled: retryable is asked once */
        attempt.timeout_ms = redial_timeout_ms(call, call->last_ms_);
        if (attempt.timeout_ms == 0)
            return REDIAL_TIMED_OUT;
        attempt.number = report->attempts = redial_sum(report->attempts, 1);
        report->last = known = operation(user, &attempt);
        spent(call, env, report);
        known.kind = redial_classify(call->policy, known);
        if (known.kind != REDIAL_KIND_RETRY)
            return redial_settle(call->policy, known.kind);
        if (cancelled(env))
            break;
        step = redial_next(call, known, call->last_ms_, env->random(env));
        if (step.verdict != REDIAL_RETRY) {
            report->refused_wait_ms = step.delay_ms;
            return step.verdict;
        }
        if (env->on_wait)
            tell(call, env, step.delay_ms, &report->last);
        whole = env->wait_ms(env, step.delay_ms);
        report->waited_ms = redial_sum(report->waited_ms, spent(call, env, report));
    }
    return REDIAL_CANCELLED;
}

enum redial_verdict redial_run(const struct redial_policy *policy, const struct redial_env *env,
                               redial_operation *operation, void *user, struct redial_report *report)
{
    static const struct redial_report fresh = { REDIAL_INVALID, { (enum redial_kind)0, 0, 0, 0 }, 0, 0, 0, 0 };
    struct redial_report unread;
    struct redial_call call;
    if (!report)
        report = &unread;
    *report = fresh;
    if (operation && usable(env) && redial_begin(&call, policy, env->now_ms(env)))
        report->verdict = attempts(&call, env, operation, user, report);
    return report->verdict;
}
