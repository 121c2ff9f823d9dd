/* Makes an environment and a policy from an input, for redial_run and the loops that must do the
   same: all policies, a clock that jumps, cancellations at any point, odd outcomes, holds, and an
   operation that closes the gate that hold_ms asks. What each hook and each attempt is given is
   recorded in order.
   SPDX-License-Identifier: MIT */
#ifndef ANY_ENV_H
#define ANY_ENV_H

#include "../common/any_policy.h"
#include "fuzz.h"

#define KEEPS 4096   /* a call is ended before more numbers than that are recorded */

struct any_env {
    struct redial_env env;
    struct redial_policy policy;
    struct redial_budget budget;
    uint32_t capacity, percent;   /* of the budget */
    struct redial_gate gate;
    struct bytes bytes;     /* what happens next; when all is read, the call is ended */
    uint32_t now_ms;
    uint32_t waits;   /* since it was set to 0 */
    uint32_t records[KEEPS];
    size_t length;
};

static inline void record(struct any_env *any, uint32_t value)
{
    must(any->length < KEEPS);
    any->records[any->length++] = value;
}

static inline void record_outcome(struct any_env *any, const struct redial_outcome *outcome)
{
    record(any, (uint32_t)outcome->kind);
    record(any, (uint32_t)outcome->code);
    record(any, outcome->retry_after_ms);
    record(any, outcome->uptime_ms);
}

static inline bool at_end(const struct any_env *any)
{
    return any->bytes.at == any->bytes.end || any->length > KEEPS - 64;
}

/* ---- the hooks and the operation ---- */

static inline uint32_t hook_now(const struct redial_env *env)
{
    struct any_env *any = (struct any_env *)env->port;
    unsigned choice = byte(&any->bytes);
    uint64_t ms = choice < 128 ? choice : number(&any->bytes);
    record(any, 'n');
    any->now_ms = (uint32_t)((any->now_ms + ms) & UINT32_MAX);
    return any->now_ms;
}

static inline bool hook_wait(const struct redial_env *env, uint32_t ms)
{
    struct any_env *any = (struct any_env *)env->port;
    unsigned choice = byte(&any->bytes);
    record(any, 'w');
    record(any, ms);
    any->waits++;
    if (choice & 1)
        any->now_ms = (uint32_t)((any->now_ms + (uint64_t)ms) & UINT32_MAX);
    return choice < 240 && !at_end(any);
}

/* Asks the gate, or is a limiter that holds as it likes. It may take time. */
static inline uint32_t hook_hold(const struct redial_env *env)
{
    struct any_env *any = (struct any_env *)env->user;
    unsigned choice = byte(&any->bytes);
    record(any, 'h');
    if (choice >= 192)
        any->now_ms = (uint32_t)((any->now_ms + (uint64_t)number(&any->bytes)) & UINT32_MAX);
    if (choice & 1)
        return redial_gate_left_ms(&any->gate, any->now_ms);
    return choice & 2 ? number(&any->bytes) : 0;
}

static inline uint32_t hook_random(const struct redial_env *env)
{
    struct any_env *any = (struct any_env *)env->port;
    record(any, 'r');
    return number(&any->bytes);
}

static inline bool hook_cancelled(const struct redial_env *env)
{
    struct any_env *any = (struct any_env *)env->user;
    record(any, 'c');
    return byte(&any->bytes) >= 250;
}

static inline void hook_on_wait(const struct redial_env *env, const struct redial_event *event)
{
    struct any_env *any = (struct any_env *)env->user;
    record(any, 'e');
    record(any, event->retry);
    record(any, event->delay_ms);
    record(any, event->elapsed_ms);
    record_outcome(any, &event->outcome);
}

static inline struct redial_outcome any_attempt(void *user, const struct redial_attempt *attempt)
{
    struct any_env *any = (struct any_env *)user;
    must(attempt->env == &any->env);
    record(any, 'o');
    record(any, attempt->number);
    record(any, attempt->timeout_ms);
    if (at_end(any))
        return redial_fail((int)any->length);
    if (byte(&any->bytes) >= 224) {
        uint32_t now_ms = attempt->env->now_ms(attempt->env);
        redial_gate_close(&any->gate, now_ms, number(&any->bytes));
    }
    return some_outcome(&any->bytes);
}

/* ---- the environment ---- */

/* Mostly small numbers of retries and tokens, so that they are used up. */
static inline uint32_t small_number(struct bytes *bytes)
{
    unsigned value = byte(bytes);
    return value < 192 ? value % 4 : number(bytes);
}

static inline struct redial_policy policy_of(struct any_env *any, struct bytes *bytes,
                                             unsigned flags)
{
    struct redial_policy policy = some_policy(bytes, &any->budget);
    if (policy.max_retries != REDIAL_NO_LIMIT)
        policy.max_retries = small_number(bytes);
    if (flags & 16 && policy.cap_ms < policy.base_ms)
        policy.cap_ms = policy.base_ms;
    return policy;
}

static inline void some_env(struct any_env *any, struct bytes bytes)
{
    unsigned flags = byte(&bytes);
    memset(any, 0, sizeof *any);
    any->env.now_ms = hook_now;
    any->env.wait_ms = hook_wait;
    any->env.random = hook_random;
    any->env.port = any;
    any->env.cancelled = flags & 1 ? NULL : hook_cancelled;
    any->env.on_wait = flags & 2 ? NULL : hook_on_wait;
    any->env.hold_ms = flags & 4 ? hook_hold : NULL;
    any->env.user = any;
    any->policy = policy_of(any, &bytes, flags);
    any->capacity = small_number(&bytes);
    any->percent = number(&bytes);
    redial_budget_init(&any->budget, any->capacity, any->percent);
    any->now_ms = number(&bytes);
    if (flags & 8)   /* closed already */
        redial_gate_close(&any->gate, any->now_ms, number(&bytes));
    any->bytes = bytes;
}

static inline void must_be_same_env(const struct any_env *a, const struct any_env *b)
{
    must(a->length == b->length);
    must(memcmp(a->records, b->records, a->length * sizeof *a->records) == 0);
    must(redial_budget_tokens(&a->budget) == redial_budget_tokens(&b->budget));
    must(a->gate.end_ms_ == b->gate.end_ms_ && a->gate.longest_ms_ == b->gate.longest_ms_);
}

/* The report without its times. */
static inline void must_be_same_end(const struct redial_report *a, const struct redial_report *b)
{
    if (a->verdict != b->verdict)
        fprintf(stderr, "redial_run: %s, the other loop: %s, code: %d\n",
                redial_verdict_name(a->verdict), redial_verdict_name(b->verdict), a->last.code);
    must(a->verdict == b->verdict);
    must(a->last.kind == b->last.kind && a->last.code == b->last.code);
    must(a->last.retry_after_ms == b->last.retry_after_ms);
    must(a->last.uptime_ms == b->last.uptime_ms);
    must(a->attempts == b->attempts);
    must(a->refused_wait_ms == b->refused_wait_ms);
}

/* ---- the calls ---- */

static inline struct redial_report run_in(struct any_env *any)
{
    struct redial_report report;
    enum redial_verdict verdict;
    memset(&report, 0xA5, sizeof report);
    verdict = redial_run(&any->policy, &any->env, any_attempt, any, &report);
    must(verdict == report.verdict);
    return report;
}

/* The loop of the header. It makes the report of redial_run, except for the times. */
static inline struct redial_report loop_in(struct any_env *any)
{
    struct redial_report report;
    struct redial_call call;
    struct redial_step step;
    memset(&report, 0, sizeof report);
    memset(&call, 0xA5, sizeof call);
    step = redial_loop_begin(&call, &any->policy, &any->env);
    must(step.verdict != REDIAL_ATTEMPT || step.delay_ms == 0);
    while (step.verdict == REDIAL_ATTEMPT) {
        struct redial_attempt attempt = { ++report.attempts, step.timeout_ms, &any->env };
        must(step.timeout_ms == redial_ready(&call, any->now_ms).timeout_ms && step.timeout_ms > 0);
        report.last = any_attempt(any, &attempt);
        any->waits = 0;
        step = redial_loop_next(&call, &any->env, report.last);
        must(step.verdict != REDIAL_ATTEMPT || (any->waits > 0 && step.delay_ms == 0));
    }
    must(step.timeout_ms == 0);
    report.verdict = step.verdict;
    report.refused_wait_ms = step.delay_ms;
    return report;
}

#endif
