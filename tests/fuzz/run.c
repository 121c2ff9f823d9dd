/* Fuzz target: redial_run against a second loop over the model, and against the loop functions.
   Each has a copy of the same environment. What each hook and each attempt is given is compared, in
   order. SPDX-License-Identifier: MIT */
#include "any_env.h"

/* ---- the second loop ---- */

static bool is_cancelled(const struct redial_env *env)
{
    return env->cancelled && env->cancelled(env);
}

static uint32_t plus(uint32_t a, uint64_t b)
{
    return (uint32_t)wide_min(a + b, UINT32_MAX);
}

/* Reads the clock. The report counts the time at once; the model counts it when it decides. */
static uint32_t tick(const struct model *model, const struct redial_env *env,
                     struct redial_report *report, uint32_t *now_ms)
{
    uint32_t ms;
    *now_ms = env->now_ms(env);
    ms = (uint32_t)passed(model->then_ms, *now_ms);
    report->elapsed_ms = plus(report->elapsed_ms, ms);
    return ms;
}

/* The same where nothing is decided: after a wait, and after hold_ms. */
static uint32_t settle(struct model *model, const struct redial_env *env,
                       struct redial_report *report)
{
    uint32_t now_ms, ms = tick(model, env, report, &now_ms);
    model->elapsed_ms = model_elapsed_ms(model, now_ms);
    model->then_ms = now_ms;
    return ms;
}

static bool model_wait(struct model *model, const struct redial_env *env, uint32_t delay_ms,
                       struct redial_outcome outcome, struct redial_report *report)
{
    struct redial_event event = { (uint32_t)model->retries, delay_ms,
                                  (uint32_t)model->elapsed_ms, outcome };
    bool whole;
    if (env->on_wait)
        env->on_wait(env, &event);
    whole = env->wait_ms(env, delay_ms);
    report->waited_ms = plus(report->waited_ms, settle(model, env, report));
    return whole;
}

/* Decides on the outcome of an attempt or of a hold, and waits. RETRY: the wait is over. */
static enum redial_verdict model_follow(struct model *model, const struct redial_env *env,
                                        struct redial_outcome outcome, uint32_t now_ms,
                                        struct redial_report *report)
{
    struct redial_step step;
    uint32_t random = 0;
    if (model_kind(model->policy, outcome) >= REDIAL_KIND_RETRY) {
        if (is_cancelled(env))
            return REDIAL_CANCELLED;
        random = env->random(env);
    }
    step = model_next(model, outcome, now_ms, random);
    if (step.verdict != REDIAL_WAIT)
        report->refused_wait_ms = step.delay_ms;
    else if (!model_wait(model, env, step.delay_ms, outcome, report))
        return REDIAL_CANCELLED;
    return step.verdict;
}

/* Asks cancelled, hold_ms and the time, until all let the attempt be made: ATTEMPT. */
static enum redial_verdict model_admit(struct model *model, const struct redial_env *env,
                                       uint32_t *timeout_ms, struct redial_report *report)
{
    for (;;) {
        enum redial_verdict verdict;
        uint32_t held_ms = 0;
        if (is_cancelled(env))
            return REDIAL_CANCELLED;
        if (env->hold_ms)
            held_ms = env->hold_ms(env);
        if (env->hold_ms || env->cancelled)
            settle(model, env, report);
        *timeout_ms = (uint32_t)model_timeout_ms(model, model->then_ms);
        if (*timeout_ms == 0)
            return REDIAL_TIMED_OUT;
        if (held_ms == 0)
            return REDIAL_ATTEMPT;
        verdict = model_follow(model, env, redial_held(held_ms), model->then_ms, report);
        if (verdict != REDIAL_WAIT)
            return verdict;
    }
}

static enum redial_verdict model_run(struct model *model, struct any_env *any,
                                     struct redial_report *report)
{
    const struct redial_env *env = &any->env;
    uint32_t now_ms = env->now_ms(env), timeout_ms;
    enum redial_verdict verdict;
    if (!valid(&any->policy))
        return REDIAL_INVALID;
    model_resume(model, &any->policy, 0, 0, now_ms);
    while ((verdict = model_admit(model, env, &timeout_ms, report)) == REDIAL_ATTEMPT) {
        struct redial_attempt attempt = { ++report->attempts, timeout_ms, env };
        report->last = any_attempt(any, &attempt);
        tick(model, env, report, &now_ms);
        verdict = model_follow(model, env, report->last, now_ms, report);
        if (verdict != REDIAL_WAIT)
            break;
    }
    return verdict;
}

static struct redial_report model_in(struct any_env *any)
{
    struct redial_report report;
    struct model model;
    memset(&report, 0, sizeof report);
    memset(&model, 0, sizeof model);
    model.cents = model.room_cents = UINT64_C(100) * any->capacity;
    model.earns_cents = any->percent;
    report.verdict = model_run(&model, any, &report);
    must(redial_budget_tokens(&any->budget) == any->capacity);   /* the model has its own budget */
    redial_budget_init(&any->budget, (uint32_t)(model.cents / 100), 0);
    return report;
}

/* ---- the comparison ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct any_env any, twin, third;
    struct bytes bytes = { data, data + size };
    struct redial_report ours, models, loops;
    some_env(&any, bytes);
    some_env(&twin, bytes);
    some_env(&third, bytes);
    ours = run_in(&any);
    loops = loop_in(&third);
    must_be_same_end(&ours, &loops);
    must_be_same_env(&any, &third);
    models = model_in(&twin);
    must_be_same_end(&ours, &models);
    must(ours.elapsed_ms == models.elapsed_ms && ours.waited_ms == models.waited_ms);
    must_be_same_env(&any, &twin);
    return 0;
}
