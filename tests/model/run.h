/* Random histories of redial_run, of the loop functions and of a second loop over the model: a
   clock that jumps, holds, cancellations at any point, odd outcomes, and an operation that closes
   the gate that hold_ms asks. Each has a copy of the same environment, and what each hook and each
   attempt is given must be the same, in the same order. SPDX-License-Identifier: MIT */
#ifndef RUN_H
#define RUN_H

#include "inputs.h"

#define MOST_RECORDS 4096   /* a call is ended before it has more */

struct any_env {
    struct redial_env env;
    struct redial_policy policy;
    struct redial_budget budget;
    struct redial_gate gate;
    uint32_t capacity, percent;   /* of the budget */
    struct bytes bytes;   /* what happens next; when all is read, the call is ended */
    uint32_t now_ms;
    uint32_t waits, records;
    uint64_t recorded;   /* a hash of all records, in their order */
};

static unsigned long ends[REDIAL_CANCELLED + 1], holds;   /* of each verdict; runs that were held */

static void record(struct any_env *any, uint64_t value)
{
    any->records++;
    any->recorded = (any->recorded ^ value) * UINT64_C(0x100000001b3);
    any->recorded ^= any->recorded >> 29;
}

static bool at_end(const struct any_env *any)
{
    return any->bytes.at == any->bytes.end || any->records > MOST_RECORDS;
}

/* ---- the hooks and the operation ---- */

static uint32_t hook_now(const struct redial_env *env)
{
    struct any_env *any = (struct any_env *)env->port;
    unsigned choice = byte(&any->bytes);
    record(any, 'n');
    any->now_ms = after(any->now_ms, choice < 128 ? choice : number(&any->bytes));
    return any->now_ms;
}

static bool hook_wait(const struct redial_env *env, uint32_t ms)
{
    struct any_env *any = (struct any_env *)env->port;
    unsigned choice = byte(&any->bytes);
    record(any, 'w');
    record(any, ms);
    any->waits++;
    any->now_ms = after(any->now_ms, choice & 1 ? ms : 0);
    return choice < 240 && !at_end(any);
}

/* Asks the gate, or is a limiter that holds as it likes. It may take time. */
static uint32_t hook_hold(const struct redial_env *env)
{
    struct any_env *any = (struct any_env *)env->user;
    unsigned choice = byte(&any->bytes);
    record(any, 'h');
    if (choice >= 192)
        any->now_ms = after(any->now_ms, number(&any->bytes));
    if (choice & 1)
        return redial_gate_left_ms(&any->gate, any->now_ms);
    return choice & 2 ? number(&any->bytes) : 0;
}

static uint32_t hook_random(const struct redial_env *env)
{
    struct any_env *any = (struct any_env *)env->port;
    record(any, 'r');
    return number(&any->bytes);
}

/* It may take time, too. */
static bool hook_cancelled(const struct redial_env *env)
{
    struct any_env *any = (struct any_env *)env->user;
    unsigned choice = byte(&any->bytes);
    record(any, 'c');
    if (choice < 16)
        any->now_ms = after(any->now_ms, number(&any->bytes));
    return choice >= 250;
}

static void hook_on_wait(const struct redial_env *env, const struct redial_event *event)
{
    struct any_env *any = (struct any_env *)env->user;
    const uint64_t values[] = {
        'e', event->retry, event->delay_ms, event->elapsed_ms, (uint64_t)event->outcome.kind,
        (uint64_t)event->outcome.code, event->outcome.retry_after_ms, event->outcome.uptime_ms
    };
    unsigned i;
    for (i = 0; i < sizeof values / sizeof *values; i++)
        record(any, values[i]);
}

static struct redial_outcome any_attempt(void *user, const struct redial_attempt *attempt)
{
    struct any_env *any = (struct any_env *)user;
    same("attempt->env", attempt->env == &any->env, true);
    record(any, 'o');
    record(any, attempt->number);
    record(any, attempt->timeout_ms);
    if (at_end(any))
        return redial_fail(1);
    if (byte(&any->bytes) >= 224) {
        uint32_t now_ms = attempt->env->now_ms(attempt->env);
        redial_gate_close(&any->gate, now_ms, number(&any->bytes));
    }
    return some_outcome(&any->bytes);
}

static void some_env(struct any_env *any, struct bytes bytes)
{
    unsigned flags = byte(&bytes);
    *any = (struct any_env){
        .env = { .now_ms = hook_now, .wait_ms = hook_wait, .random = hook_random, .port = any,
                 .cancelled = flags & 1 ? NULL : hook_cancelled,
                 .on_wait = flags & 2 ? NULL : hook_on_wait,
                 .hold_ms = flags & 4 ? hook_hold : NULL, .user = any }
    };
    any->policy = some_policy(&bytes, &any->budget);
    any->capacity = small_number(&bytes);
    any->percent = number(&bytes);
    redial_budget_init(&any->budget, any->capacity, any->percent);
    any->now_ms = number(&bytes);
    if (flags & 8)   /* closed already */
        redial_gate_close(&any->gate, any->now_ms, number(&bytes));
    any->bytes = bytes;
}

/* ---- the two other ways; each returns the report ---- */

/* The loop of the header. Its report has no times. */
static struct redial_report by_loop(struct any_env *any)
{
    struct redial_report report = { REDIAL_INVALID, { REDIAL_KIND_INVALID, 0, 0, 0 }, 0, 0, 0, 0 };
    struct redial_call call;
    struct redial_step step = redial_loop_begin(&call, &any->policy, &any->env);
    while (step.verdict == REDIAL_ATTEMPT) {
        struct redial_attempt attempt = { ++report.attempts, step.timeout_ms, &any->env };
        struct redial_step ready = redial_ready(&call, any->now_ms);   /* no wait is left */
        same("redial_ready", ready.verdict, REDIAL_ATTEMPT);
        same("its timeout_ms", ready.timeout_ms, step.timeout_ms);
        same("delay_ms of an attempt", step.delay_ms, 0);
        report.last = any_attempt(any, &attempt);
        step = redial_loop_next(&call, &any->env, report.last);
    }
    same("timeout_ms at the end", step.timeout_ms, 0);
    report.verdict = step.verdict;
    report.refused_wait_ms = step.delay_ms;
    return report;
}

static bool is_cancelled(const struct redial_env *env)
{
    return env->cancelled && env->cancelled(env);
}

/* Reads the clock. Returns the time since the last reading. */
static uint32_t model_read(struct model *model, const struct redial_env *env,
                           struct redial_report *report)
{
    uint32_t now_ms = env->now_ms(env), ms = (uint32_t)passed(model->then_ms, now_ms);
    report->elapsed_ms = (uint32_t)wide_min((uint64_t)report->elapsed_ms + ms, UINT32_MAX);
    model_count(model, now_ms);
    return ms;
}

/* Decides on the outcome of an attempt or of a hold, and waits. WAIT: the wait is over. */
static struct redial_step model_follow(struct model *model, const struct redial_env *env,
                                       struct redial_outcome outcome, struct redial_report *report)
{
    bool may_wait = model_kind(model->policy, outcome.kind) >= REDIAL_KIND_RETRY, whole;
    struct redial_step step;
    if (may_wait && is_cancelled(env))
        return answer(REDIAL_CANCELLED, 0, 0);
    step = model_next(model, outcome, model->then_ms, may_wait ? env->random(env) : 0);
    if (step.verdict != REDIAL_WAIT)
        return step;
    if (env->on_wait)
        env->on_wait(env, &(struct redial_event){ (uint32_t)model->retries, step.delay_ms,
                                                  (uint32_t)model->elapsed_ms, outcome });
    whole = env->wait_ms(env, step.delay_ms);
    report->waited_ms = (uint32_t)wide_min(
        (uint64_t)report->waited_ms + model_read(model, env, report), UINT32_MAX);
    return whole ? step : answer(REDIAL_CANCELLED, 0, 0);
}

/* Asks cancelled, hold_ms and the time, until all let the attempt be made. */
static struct redial_step model_admit(struct model *model, const struct redial_env *env,
                                      struct redial_report *report)
{
    struct redial_step step;
    uint32_t held_ms;
    do {
        if (is_cancelled(env))
            return answer(REDIAL_CANCELLED, 0, 0);
        held_ms = env->hold_ms ? env->hold_ms(env) : 0;
        if (env->hold_ms || env->cancelled)
            model_read(model, env, report);
        step = model_ready(model, model->then_ms);
        if (step.verdict == REDIAL_ATTEMPT && held_ms != 0)
            step = model_follow(model, env, redial_held(held_ms), report);
    } while (step.verdict == REDIAL_WAIT);
    return step;
}

static struct redial_report by_model(struct any_env *any)
{
    struct redial_report report = { REDIAL_INVALID, { REDIAL_KIND_INVALID, 0, 0, 0 }, 0, 0, 0, 0 };
    const struct redial_env *env = &any->env;
    struct model model = model_begin(&any->policy, any->capacity, any->percent, env->now_ms(env));
    struct redial_step step = answer(REDIAL_INVALID, 0, 0);
    if (valid(&any->policy))
        step = model_admit(&model, env, &report);
    while (step.verdict == REDIAL_ATTEMPT) {
        struct redial_attempt attempt = { ++report.attempts, step.timeout_ms, env };
        report.last = any_attempt(any, &attempt);
        model_read(&model, env, &report);
        step = model_follow(&model, env, report.last, &report);
        if (step.verdict == REDIAL_WAIT)
            step = model_admit(&model, env, &report);
    }
    report.verdict = step.verdict;
    report.refused_wait_ms = step.delay_ms;
    /* the model had a budget of its own */
    redial_budget_init(&any->budget, (uint32_t)(model.cents / 100), 0);
    return report;
}

/* ---- the comparison ---- */

static void same_run(const struct any_env *a, const struct redial_report *of_a,
                     const struct any_env *b, const struct redial_report *of_b)
{
    same("verdict", of_a->verdict, of_b->verdict);
    same("attempts", of_a->attempts, of_b->attempts);
    same("refused_wait_ms", of_a->refused_wait_ms, of_b->refused_wait_ms);
    same("last.kind", of_a->last.kind, of_b->last.kind);
    same("last.code", (uint64_t)of_a->last.code, (uint64_t)of_b->last.code);
    same("what was recorded", a->recorded, b->recorded);
    same("tokens", redial_budget_tokens(&a->budget), redial_budget_tokens(&b->budget));
}

static void run_history(struct bytes bytes)
{
    static struct any_env any, twin;
    struct redial_report report, other;
    enum redial_verdict verdict;
    some_env(&any, bytes);
    verdict = redial_run(&any.policy, &any.env, any_attempt, &any, &report);
    same("what redial_run returned", verdict, report.verdict);
    some_env(&twin, bytes);
    other = by_loop(&twin);
    same_run(&any, &report, &twin, &other);
    some_env(&twin, bytes);
    other = by_model(&twin);
    same_run(&any, &report, &twin, &other);
    same("elapsed_ms", report.elapsed_ms, other.elapsed_ms);
    same("waited_ms", report.waited_ms, other.waited_ms);
    ends[report.verdict]++;
    holds += any.waits > report.attempts;
}

#endif
