/* Fuzz target: redial_run in a hostile environment, against a second loop over the model in a twin of it. The clock
   jumps, cancellations strike anywhere, outcomes are odd; what each hook is given is compared, in its order.
   SPDX-License-Identifier: MIT */
#include "any_policy.h"

#define KEEPS 4096   /* a run is stopped before it has told more numbers than that */

struct world {
    struct redial_env env;
    struct bytes bytes;   /* what the world does next; a stop when it has been read */
    uint32_t now_ms;
    uint32_t told[KEEPS];
    size_t length;
};

static void tell(struct world *world, uint32_t value)
{
    must(world->length < KEEPS);
    world->told[world->length++] = value;
}

static void tell_outcome(struct world *world, const struct redial_outcome *outcome)
{
    tell(world, (uint32_t)outcome->kind);
    tell(world, (uint32_t)outcome->code);
    tell(world, outcome->retry_after_ms);
    tell(world, outcome->uptime_ms);
}

/* ---- the hooks and the operation ---- */

static uint32_t hook_now(const struct redial_env *env)
{
    struct world *world = env->port;
    unsigned choice = byte(&world->bytes);
    uint64_t ms = choice < 128 ? choice : number(&world->bytes);
    tell(world, 'n');
    world->now_ms = (uint32_t)((world->now_ms + ms) & UINT32_MAX);
    return world->now_ms;
}

static bool hook_wait(const struct redial_env *env, uint32_t ms)
{
    struct world *world = env->port;
    unsigned choice = byte(&world->bytes);
    tell(world, 'w');
    tell(world, ms);
    if (choice & 1)
        world->now_ms = (uint32_t)((world->now_ms + (uint64_t)ms) & UINT32_MAX);
    return choice < 240;
}

static uint32_t hook_random(const struct redial_env *env)
{
    struct world *world = env->port;
    tell(world, 'r');
    return number(&world->bytes);
}

static bool hook_cancelled(const struct redial_env *env)
{
    struct world *world = env->ctx;
    tell(world, 'c');
    return byte(&world->bytes) >= 250;
}

static void hook_on_retry(const struct redial_env *env, const struct redial_event *event)
{
    struct world *world = env->ctx;
    tell(world, 'e');
    tell(world, event->retry);
    tell(world, event->delay_ms);
    tell(world, event->elapsed_ms);
    tell_outcome(world, &event->outcome);
}

static struct redial_outcome attempt_it(void *user, const struct redial_attempt *attempt)
{
    struct world *world = user;
    tell(world, 'o');
    tell(world, attempt->number);
    tell(world, attempt->timeout_ms);
    if (world->bytes.at == world->bytes.end || world->length > KEEPS - 64)
        return redial_fail((int)world->length);
    return some_outcome(&world->bytes);
}

static void some_world(struct world *world, struct bytes bytes)
{
    unsigned flags = byte(&bytes);
    world->env.now_ms = hook_now;
    world->env.wait_ms = hook_wait;
    world->env.random = hook_random;
    world->env.port = world;
    world->env.cancelled = flags & 1 ? NULL : hook_cancelled;
    world->env.on_wait = flags & 2 ? NULL : hook_on_retry;
    world->env.ctx = world;
    world->now_ms = number(&bytes);
    world->bytes = bytes;
    world->length = 0;
}

/* ---- the second loop ---- */

static bool stopped_by_hand(const struct redial_env *env)
{
    return env->cancelled && env->cancelled(env);
}

static uint32_t plus(uint32_t a, uint64_t b)
{
    return (uint32_t)least(a + b, UINT32_MAX);
}

/* The report counts what passes up to the next reading of the clock; the model has yet to. */
static uint32_t tick(const struct model *model, const struct redial_env *env, struct redial_report *report,
                     uint32_t *now_ms)
{
    uint32_t ms;
    *now_ms = env->now_ms(env);
    ms = (uint32_t)passed(model->then_ms, *now_ms);
    report->elapsed_ms = plus(report->elapsed_ms, ms);
    return ms;
}

static bool model_wait(struct model *model, const struct redial_env *env, uint32_t delay_ms,
                       struct redial_report *report)
{
    struct redial_event event = { (uint32_t)model->retries, delay_ms, (uint32_t)model->elapsed_ms, report->last };
    uint32_t now_ms, ms;
    bool whole;
    if (env->on_wait)
        env->on_wait(env, &event);
    whole = env->wait_ms(env, delay_ms);
    ms = tick(model, env, report, &now_ms);
    report->waited_ms = plus(report->waited_ms, ms);
    model->elapsed_ms = plus((uint32_t)model->elapsed_ms, ms);
    model->then_ms = now_ms;
    return whole;
}

static enum redial_verdict model_run(struct model *model, struct world *world, struct redial_report *report)
{
    const struct redial_env *env = &world->env;
    model->then_ms = env->now_ms(env);
    for (;;) {
        struct redial_attempt attempt = { report->attempts + 1, 0 };
        struct redial_step step;
        uint32_t now_ms, random = 0;
        if (stopped_by_hand(env))
            return REDIAL_CANCELLED;
        attempt.timeout_ms = (uint32_t)model_time_left(model, model->then_ms);
        if (attempt.timeout_ms == 0)
            return REDIAL_TIMED_OUT;
        report->last = attempt_it(world, &attempt);
        report->attempts++;
        tick(model, env, report, &now_ms);
        if (judged(model->policy, report->last) == REDIAL_RETRY) {
            if (stopped_by_hand(env))
                return REDIAL_CANCELLED;
            random = env->random(env);
        }
        step = model_next(model, report->last, now_ms, random);
        if (step.verdict != REDIAL_RETRY) {
            report->refused_wait_ms = step.delay_ms;
            return step.verdict;
        }
        if (!model_wait(model, env, step.delay_ms, report))
            return REDIAL_CANCELLED;
    }
}

/* ---- the comparison ---- */

static void same_outcome(struct redial_outcome a, struct redial_outcome b)
{
    must(a.kind == b.kind && a.code == b.code && a.retry_after_ms == b.retry_after_ms && a.uptime_ms == b.uptime_ms);
}

static void same_report(const struct redial_report *got, const struct redial_report *wanted)
{
    must(got->verdict == wanted->verdict);
    same_outcome(got->last, wanted->last);
    must(got->attempts == wanted->attempts);
    must(got->elapsed_ms == wanted->elapsed_ms);
    must(got->waited_ms == wanted->waited_ms);
    must(got->refused_wait_ms == wanted->refused_wait_ms);
}

/* What needs no model. */
static void sound_report(const struct redial_policy *policy, const struct redial_report *report)
{
    bool refused = report->verdict == REDIAL_TIMED_OUT || report->verdict == REDIAL_WAIT_TOO_LONG ||
                   report->verdict == REDIAL_BUDGET_EMPTY;
    must(report->verdict != REDIAL_RETRY);
    must(report->refused_wait_ms == 0 || refused);
    must(report->waited_ms <= report->elapsed_ms);
    must(report->attempts > 0 || report->last.kind == 0);
    must(policy->min_uptime_ms != 0 || policy->max_retries == REDIAL_NO_LIMIT ||
         report->attempts <= policy->max_retries + UINT64_C(1));
}

static struct redial_report ours, twins;
static struct world world, twin;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes bytes = { data, data + size };
    struct redial_budget budget;
    struct redial_policy policy = some_policy(&bytes, &budget);
    struct model model = some_model(&bytes, &policy, &budget, 0);
    enum redial_verdict verdict;
    some_world(&world, bytes);
    some_world(&twin, bytes);
    memset(&ours, 0xA5, sizeof ours);
    memset(&twins, 0, sizeof twins);
    verdict = redial_run(&policy, &world.env, attempt_it, &world, &ours);
    must(verdict == ours.verdict);
    twins.verdict = valid(&policy) ? model_run(&model, &twin, &twins) : REDIAL_INVALID;
    same_report(&ours, &twins);
    sound_report(&policy, &ours);
    if (policy.budget)
        must(redial_budget_tokens(&budget) == model.cents / 100);
    if (valid(&policy)) {
        must(world.length == twin.length);
        must(memcmp(world.told, twin.told, world.length * sizeof *world.told) == 0);
    }
    return 0;
}
