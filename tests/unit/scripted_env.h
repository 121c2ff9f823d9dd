/* A hand-made world for redial_run that writes down every call of a hook and of the operation, and does what a test
   sets. SPDX-License-Identifier: MIT */
#ifndef SCRIPTED_ENV_H
#define SCRIPTED_ENV_H

#include "decision.h"

#define WORLD_KEEPS 16   /* this many attempts, events and waits are kept; all are traced */

struct world {
    struct redial_env env;
    char trace[256];   /* n: now_ms, c: cancelled, o: operation, r: random, e: on_wait, w: wait_ms */
    size_t length;

    uint32_t now_ms;
    uint32_t attempt_ms;      /* what an attempt takes */
    uint32_t late_ms;         /* what a wait takes longer than asked */
    const uint32_t *draws;    /* the random bits, one after the other; NULL: 0 */
    const struct redial_outcome *outcomes;   /* what the attempts come to; the last one stays */
    unsigned outcome_count;
    unsigned cancel_at_asking;   /* cancelled is true from this asking on; 0: never */
    unsigned cut_wait;           /* this wait is cut short after cut_ms; 0: none */
    uint32_t cut_ms;

    unsigned attempts, askings, drawn, events, waits;
    struct redial_attempt attempt[WORLD_KEEPS];
    struct redial_event event[WORLD_KEEPS];
    uint32_t waited_ms[WORLD_KEEPS];
};

static inline void world_trace(struct world *world, char letter)
{
    assert_true(world->length + 1 < sizeof world->trace);
    world->trace[world->length++] = letter;
    world->trace[world->length] = 0;
}

static inline uint32_t world_now(const struct redial_env *env)
{
    struct world *world = (struct world *)env->port;
    world_trace(world, 'n');
    return world->now_ms;
}

static inline bool world_wait(const struct redial_env *env, uint32_t ms)
{
    struct world *world = (struct world *)env->port;
    bool cut = ++world->waits == world->cut_wait;
    world_trace(world, 'w');
    assert_true(world->waits <= WORLD_KEEPS);
    world->waited_ms[world->waits - 1] = ms;
    world->now_ms = cut ? later(world->now_ms, world->cut_ms) : later(later(world->now_ms, ms), world->late_ms);
    return !cut;
}

static inline uint32_t world_random(const struct redial_env *env)
{
    struct world *world = (struct world *)env->port;
    world_trace(world, 'r');
    return world->draws ? world->draws[world->drawn++] : 0;
}

static inline bool world_cancelled(const struct redial_env *env)
{
    struct world *world = (struct world *)env->ctx;
    world_trace(world, 'c');
    world->askings++;
    return world->cancel_at_asking && world->askings >= world->cancel_at_asking;
}

static inline void world_on_retry(const struct redial_env *env, const struct redial_event *event)
{
    struct world *world = (struct world *)env->ctx;
    world_trace(world, 'e');
    assert_true(world->events < WORLD_KEEPS);
    world->event[world->events++] = *event;
}

/* The operation; user is the world. */
static inline struct redial_outcome world_attempt(void *user, const struct redial_attempt *attempt)
{
    struct world *world = (struct world *)user;
    unsigned i = world->attempts++;
    world_trace(world, 'o');
    assert_true(i < WORLD_KEEPS);
    world->attempt[i] = *attempt;
    world->now_ms = later(world->now_ms, world->attempt_ms);
    return world->outcomes[i < world->outcome_count ? i : world->outcome_count - 1];
}

/* All hooks set; the attempts come to these outcomes. */
static inline void world_init(struct world *world, const struct redial_outcome *outcomes, unsigned count)
{
    memset(world, 0, sizeof *world);
    world->env.now_ms = world_now;
    world->env.wait_ms = world_wait;
    world->env.random = world_random;
    world->env.port = world;
    world->env.cancelled = world_cancelled;
    world->env.on_wait = world_on_retry;
    world->env.ctx = world;
    world->outcomes = outcomes;
    world->outcome_count = count;
}

/* The report of a run, poisoned before; what redial_run returns is the report's verdict. */
static inline struct redial_report world_run(struct world *world, const struct redial_policy *policy)
{
    struct redial_report report;
    enum redial_verdict verdict;
    poison(&report, sizeof report);
    verdict = redial_run(policy, &world->env, world_attempt, world, &report);
    assert_int_equal(verdict, report.verdict);
    return report;
}

static inline void assert_outcome(struct redial_outcome got, struct redial_outcome wanted)
{
    assert_int_equal(got.kind, wanted.kind);
    assert_int_equal(got.code, wanted.code);
    assert_int_equal(got.retry_after_ms, wanted.retry_after_ms);
    assert_int_equal(got.uptime_ms, wanted.uptime_ms);
}

/* The report, but for last. A macro, so that a failure shows the line of the test. */
#define assert_report(got, verdict_, attempts_, elapsed_, waited_, wanted_) do { \
    struct redial_report report_ = (got); \
    assert_string_equal(redial_verdict_name((int)report_.verdict), redial_verdict_name((int)(verdict_))); \
    assert_int_equal(report_.attempts, attempts_); \
    assert_int_equal(report_.elapsed_ms, elapsed_); \
    assert_int_equal(report_.waited_ms, waited_); \
    assert_int_equal(report_.refused_wait_ms, wanted_); \
} while (0)

#endif
