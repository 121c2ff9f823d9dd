/* A hostile world out of an input, for redial_run and for whatever has to go as it does: policies of all kinds, a clock
   that jumps, cancellations anywhere, odd outcomes, an operation that closes the gate. The world writes down what each
   hook and each attempt is given, in their order. SPDX-License-Identifier: MIT */
#ifndef ANY_WORLD_H
#define ANY_WORLD_H

#include "any_policy.h"

#define KEEPS 4096   /* a call is ended before the world has written down more numbers than that */

struct any_world {
    struct redial_env env;
    struct redial_policy policy;
    struct redial_budget budget;
    uint32_t capacity, percent;     /* of the budget */
    struct redial_gate gate;
    struct any_world *self;         /* policy.user points to it */
    struct bytes bytes;             /* what happens next; when all is read, the call is ended */
    uint32_t now_ms;
    uint32_t waits, first_wait_ms;  /* since waits was set to 0 */
    uint32_t records[KEEPS];
    size_t length;
};

static inline void record(struct any_world *world, uint32_t value)
{
    must(world->length < KEEPS);
    world->records[world->length++] = value;
}

static inline void record_outcome(struct any_world *world, const struct redial_outcome *outcome)
{
    record(world, (uint32_t)outcome->kind);
    record(world, (uint32_t)outcome->code);
    record(world, outcome->retry_after_ms);
    record(world, outcome->uptime_ms);
}

static inline bool at_end(const struct any_world *world)
{
    return world->bytes.at == world->bytes.end || world->length > KEEPS - 64;
}

/* ---- the hooks and the operation ---- */

static inline uint32_t hook_now(const struct redial_env *env)
{
    struct any_world *world = (struct any_world *)env->port;
    unsigned choice = byte(&world->bytes);
    uint64_t ms = choice < 128 ? choice : number(&world->bytes);
    record(world, 'n');
    world->now_ms = (uint32_t)((world->now_ms + ms) & UINT32_MAX);
    return world->now_ms;
}

static inline bool hook_wait(const struct redial_env *env, uint32_t ms)
{
    struct any_world *world = (struct any_world *)env->port;
    unsigned choice = byte(&world->bytes);
    record(world, 'w');
    record(world, ms);
    if (world->waits++ == 0)
        world->first_wait_ms = ms;
    if (choice & 1)
        world->now_ms = (uint32_t)((world->now_ms + (uint64_t)ms) & UINT32_MAX);
    return choice < 240 && !at_end(world);
}

static inline uint32_t hook_random(const struct redial_env *env)
{
    struct any_world *world = (struct any_world *)env->port;
    record(world, 'r');
    return number(&world->bytes);
}

static inline bool hook_cancelled(const struct redial_env *env)
{
    struct any_world *world = (struct any_world *)env->user;
    record(world, 'c');
    return byte(&world->bytes) >= 250;
}

static inline void hook_on_wait(const struct redial_env *env, const struct redial_event *event)
{
    struct any_world *world = (struct any_world *)env->user;
    record(world, 'e');
    record(world, event->retry);
    record(world, event->delay_ms);
    record(world, event->elapsed_ms);
    record_outcome(world, &event->outcome);
}

static inline bool hook_retryable(const void *user, int status)
{
    record(*(struct any_world *const *)user, 'q');
    return odd_statuses(NULL, status);
}

static inline struct redial_outcome any_attempt(void *user, const struct redial_attempt *attempt)
{
    struct any_world *world = (struct any_world *)user;
    must(attempt->env == &world->env);
    record(world, 'o');
    record(world, attempt->number);
    record(world, attempt->timeout_ms);
    if (at_end(world))
        return redial_fail((int)world->length);
    if (byte(&world->bytes) >= 224) {
        uint32_t now_ms = attempt->env->now_ms(attempt->env);
        redial_gate_close(&world->gate, now_ms, number(&world->bytes));
    }
    return some_outcome(&world->bytes);
}

/* ---- the world ---- */

/* Mostly small numbers of retries and tokens, so that they are used up. */
static inline uint32_t small_number(struct bytes *bytes)
{
    unsigned value = byte(bytes);
    return value < 192 ? value % 4 : number(bytes);
}

static inline struct redial_policy world_policy(struct any_world *world, struct bytes *bytes, unsigned flags)
{
    struct redial_policy policy = some_policy(bytes, &world->budget);
    if (policy.max_retries != REDIAL_NO_LIMIT)
        policy.max_retries = small_number(bytes);
    if (flags & 4)
        policy.gate = &world->gate;
    if (flags & 16 && policy.cap_ms < policy.base_ms)
        policy.cap_ms = policy.base_ms;
    if (policy.retryable)
        policy.retryable = hook_retryable;
    policy.user = &world->self;
    return policy;
}

static inline void some_world(struct any_world *world, struct bytes bytes)
{
    unsigned flags = byte(&bytes);
    memset(world, 0, sizeof *world);
    world->env.now_ms = hook_now;
    world->env.wait_ms = hook_wait;
    world->env.random = hook_random;
    world->env.port = world;
    world->env.cancelled = flags & 1 ? NULL : hook_cancelled;
    world->env.on_wait = flags & 2 ? NULL : hook_on_wait;
    world->env.user = world;
    world->self = world;
    world->policy = world_policy(world, &bytes, flags);
    world->capacity = small_number(&bytes);
    world->percent = number(&bytes);
    redial_budget_init(&world->budget, world->capacity, world->percent);
    world->now_ms = number(&bytes);
    redial_gate_init(&world->gate);
    if (flags & 8)   /* closed already */
        redial_gate_close(&world->gate, world->now_ms, number(&bytes));
    world->bytes = bytes;
}

static inline void must_be_same_world(const struct any_world *a, const struct any_world *b)
{
    must(a->length == b->length);
    must(memcmp(a->records, b->records, a->length * sizeof *a->records) == 0);
    must(redial_budget_tokens(&a->budget) == redial_budget_tokens(&b->budget));
    must(a->gate.end_ms_ == b->gate.end_ms_ && a->gate.longest_ms_ == b->gate.longest_ms_);
}

/* The report, but for the times. */
static inline void must_be_same_end(const struct redial_report *a, const struct redial_report *b)
{
    must(a->verdict == b->verdict);
    must(a->last.kind == b->last.kind && a->last.code == b->last.code);
    must(a->last.retry_after_ms == b->last.retry_after_ms && a->last.uptime_ms == b->last.uptime_ms);
    must(a->attempts == b->attempts);
    must(a->refused_wait_ms == b->refused_wait_ms);
}

/* ---- the calls ---- */

static inline struct redial_report run_in(struct any_world *world)
{
    struct redial_report report;
    enum redial_verdict verdict;
    memset(&report, 0xA5, sizeof report);
    verdict = redial_run(&world->policy, &world->env, any_attempt, world, &report);
    must(verdict == report.verdict);
    return report;
}

/* The loop of the header. It reports what redial_run would, but for the times. */
static inline struct redial_report loop_in(struct any_world *world)
{
    struct redial_report report;
    struct redial_call call;
    struct redial_step step;
    memset(&report, 0, sizeof report);
    memset(&call, 0xA5, sizeof call);
    step = redial_loop_begin(&call, &world->policy, &world->env);
    must(step.verdict != REDIAL_RETRY || step.delay_ms == 0);
    while (step.verdict == REDIAL_RETRY) {
        struct redial_attempt attempt = { ++report.attempts, step.timeout_ms, &world->env };
        must(step.timeout_ms == redial_timeout_ms(&call, world->now_ms) && step.timeout_ms > 0);
        report.last = any_attempt(world, &attempt);
        world->waits = 0;
        step = redial_loop_next(&call, &world->env, report.last);
        must(step.verdict != REDIAL_RETRY || (world->waits > 0 && step.delay_ms == world->first_wait_ms));
    }
    must(step.timeout_ms == 0);
    report.verdict = step.verdict;
    report.refused_wait_ms = step.delay_ms;
    return report;
}

#endif
