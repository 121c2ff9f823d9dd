/* A scripted world for redial_run and the loop functions. It writes down every call of a hook and of the operation, and
   does what the test sets. SPDX-License-Identifier: MIT */
#ifndef SCRIPTED_ENV_H
#define SCRIPTED_ENV_H

#include "decision.h"

#define WORLD_KEEPS 16   /* this many attempts, events and waits are kept; all are traced */

struct world {
    struct redial_env env;
    char trace[256];   /* n: now_ms, c: cancelled, g: gate, o: operation, r: random, e: on_wait, w: wait_ms */
    size_t length;

    uint32_t now_ms;
    uint32_t attempt_ms;         /* the time that an attempt takes */
    uint32_t late_ms;            /* a wait takes longer by this much */
    uint32_t question_ms;        /* the time that cancelled takes */
    uint32_t event_ms;           /* the time that on_wait takes */
    const uint32_t *random;      /* the random bits, one after the other; NULL: all are 0 */
    const struct redial_outcome *outcomes;   /* of the attempts; the last one stays */
    unsigned outcome_count;
    unsigned cancel_at_question; /* cancelled is true from this question on; 0: never */
    unsigned cut_wait;           /* this wait is cut short after cut_ms; 0: none */
    uint32_t cut_ms;

    unsigned attempts, questions, randoms, events, waits;
    struct redial_attempt attempt[WORLD_KEEPS];
    struct redial_event event[WORLD_KEEPS];
    uint32_t waited_ms[WORLD_KEEPS];
    const struct redial_report *report;            /* of world_run, while it runs */
    struct redial_report reported[WORLD_KEEPS];    /* its copies, one for each event */
};

/* A gate that writes down when the world looks at it, and is closed for as long as the test says. */
struct traced_gate {
    struct redial_gate gate;   /* first, so that a pointer to it is one to all of this */
    struct world *world;
    const uint32_t *left_ms;   /* one for each look; the last one stays */
    unsigned count, looks;
    uint32_t looked_at_ms[WORLD_KEEPS];
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
    return world->random ? world->random[world->randoms++] : 0;
}

static inline bool world_cancelled(const struct redial_env *env)
{
    struct world *world = (struct world *)env->user;
    world_trace(world, 'c');
    world->questions++;
    world->now_ms = later(world->now_ms, world->question_ms);
    return world->cancel_at_question && world->questions >= world->cancel_at_question;
}

static inline void world_on_wait(const struct redial_env *env, const struct redial_event *event)
{
    struct world *world = (struct world *)env->user;
    world_trace(world, 'e');
    assert_true(world->events < WORLD_KEEPS);
    if (world->report)
        world->reported[world->events] = *world->report;
    world->event[world->events++] = *event;
    world->now_ms = later(world->now_ms, world->event_ms);
}

static inline uint32_t traced_gate_left(const struct redial_gate *gate, uint32_t now_ms)
{
    struct traced_gate *traced = (struct traced_gate *)gate->itself_;
    unsigned look = traced->looks++;
    world_trace(traced->world, 'g');
    assert_true(look < WORLD_KEEPS);
    traced->looked_at_ms[look] = now_ms;
    return traced->left_ms[look < traced->count ? look : traced->count - 1];
}

static inline void traced_gate_init(struct traced_gate *traced, struct world *world, const uint32_t *left_ms,
                                    unsigned count)
{
    poison(traced, sizeof *traced);
    traced->gate.left_ = traced_gate_left;
    traced->gate.itself_ = &traced->gate;
    traced->world = world;
    traced->left_ms = left_ms;
    traced->count = count;
    traced->looks = 0;
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

/* All hooks are set. The attempts have these outcomes. */
static inline void world_init(struct world *world, const struct redial_outcome *outcomes, unsigned count)
{
    memset(world, 0, sizeof *world);
    world->env.now_ms = world_now;
    world->env.wait_ms = world_wait;
    world->env.random = world_random;
    world->env.port = world;
    world->env.cancelled = world_cancelled;
    world->env.on_wait = world_on_wait;
    world->env.user = world;
    world->outcomes = outcomes;
    world->outcome_count = count;
}

/* The report of a run, poisoned before; what redial_run returns is the report's verdict. */
static inline struct redial_report world_run(struct world *world, const struct redial_policy *policy)
{
    struct redial_report report;
    enum redial_verdict verdict;
    poison(&report, sizeof report);
    world->report = &report;
    verdict = redial_run(policy, &world->env, world_attempt, world, &report);
    world->report = NULL;
    assert_int_equal(verdict, report.verdict);
    return report;
}

static inline void assert_outcome(struct redial_outcome got, struct redial_outcome expected)
{
    assert_int_equal(got.kind, expected.kind);
    assert_int_equal(got.code, expected.code);
    assert_int_equal(got.retry_after_ms, expected.retry_after_ms);
    assert_int_equal(got.uptime_ms, expected.uptime_ms);
}

/* The report, but for last. A macro, so that a failure shows the line of the test. */
#define assert_report(got, verdict_, attempts_, elapsed_, waited_, refused_) do { \
    struct redial_report report_ = (got); \
    assert_string_equal(redial_verdict_name(report_.verdict), redial_verdict_name((verdict_))); \
    assert_int_equal(report_.attempts, attempts_); \
    assert_int_equal(report_.elapsed_ms, elapsed_); \
    assert_int_equal(report_.waited_ms, waited_); \
    assert_int_equal(report_.refused_wait_ms, refused_); \
} while (0)

#endif
