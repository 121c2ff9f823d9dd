/* A run of redial_run. Its environment and its operation do what the test has set, and record each
   call. SPDX-License-Identifier: MIT */
#ifndef SCRIPTED_ENV_H
#define SCRIPTED_ENV_H

#include "call.h"

#define KEPT 16   /* this many attempts, events and waits are kept; the trace has all */

struct scripted {
    struct redial_env env;
    struct redial_policy policy;   /* plain_policy, unless the test changes it */
    redial_operation *operation;   /* scripted_attempt, unless the test changes it */
    char trace[256];   /* n: now_ms, c: cancelled, h: hold_ms, o: operation, r: random, e: on_wait,
                          w: wait_ms */
    size_t length;

    uint32_t now_ms;
    uint32_t attempt_ms;         /* the time that an attempt takes */
    uint32_t hook_ms;            /* and each call of cancelled or hold_ms */
    const uint32_t *random;      /* the random bits, one after the other; NULL: all are 0 */
    const struct redial_outcome *outcomes;   /* of the attempts; the last one stays */
    unsigned outcome_count;
    unsigned cancel_at_question; /* cancelled is true from this question on; 0: never */
    const uint32_t *held_ms;     /* what hold_ms returns, up to a 0; NULL: the hook is not set */

    unsigned attempts, questions, randoms, events, waits;
    struct redial_attempt attempt[KEPT];
    struct redial_event event[KEPT];
    uint32_t waited_ms[KEPT];
    const struct redial_report *report;       /* of scripted_run, while it runs */
};

/* ---- the hooks and the operation ---- */

static inline void trace(struct scripted *run, char letter)
{
    assert_true(run->length + 1 < sizeof run->trace);
    run->trace[run->length++] = letter;
    run->trace[run->length] = 0;
}

/* An operation or a hook may leave by a jump: until the end the report says that nothing came. */
static inline void assert_report_is_zero(const struct scripted *run)
{
    const struct redial_report *report = run->report;
    if (!report)
        return;
    assert_int_equal(report->verdict, REDIAL_INVALID);
    assert_true(!report->attempts && !report->elapsed_ms && !report->waited_ms
                && !report->refused_wait_ms);
    assert_outcome(report->last, outcome_of(REDIAL_KIND_INVALID, 0, 0, 0));
}

static inline uint32_t scripted_now(const struct redial_env *env)
{
    struct scripted *run = (struct scripted *)env->port;
    trace(run, 'n');
    return run->now_ms;
}

static inline bool scripted_wait(const struct redial_env *env, uint32_t ms)
{
    struct scripted *run = (struct scripted *)env->port;
    trace(run, 'w');
    assert_true(run->waits < KEPT);
    run->waited_ms[run->waits++] = ms;
    run->now_ms = later(run->now_ms, ms);
    return true;
}

static inline uint32_t scripted_random(const struct redial_env *env)
{
    struct scripted *run = (struct scripted *)env->port;
    trace(run, 'r');
    return run->random ? run->random[run->randoms++] : 0;
}

static inline bool scripted_cancelled(const struct redial_env *env)
{
    struct scripted *run = (struct scripted *)env->user;
    trace(run, 'c');
    run->now_ms += run->hook_ms;
    run->questions++;
    return run->cancel_at_question && run->questions >= run->cancel_at_question;
}

static inline void scripted_on_wait(const struct redial_env *env, const struct redial_event *event)
{
    struct scripted *run = (struct scripted *)env->user;
    trace(run, 'e');
    assert_true(run->events < KEPT);
    assert_report_is_zero(run);
    run->event[run->events++] = *event;
}

static inline uint32_t scripted_hold(const struct redial_env *env)
{
    struct scripted *run = (struct scripted *)env->user;
    trace(run, 'h');
    run->now_ms += run->hook_ms;
    return *run->held_ms ? *run->held_ms++ : 0;
}

/* The operation; user is the run. */
static inline struct redial_outcome scripted_attempt(void *user,
                                                     const struct redial_attempt *attempt)
{
    struct scripted *run = (struct scripted *)user;
    unsigned i = run->attempts++;
    trace(run, 'o');
    assert_true(i < KEPT);
    assert_report_is_zero(run);
    run->attempt[i] = *attempt;
    run->now_ms = later(run->now_ms, run->attempt_ms);
    return run->outcomes[i < run->outcome_count ? i : run->outcome_count - 1];
}

/* ---- for the test ---- */

/* The attempts have these outcomes. All hooks but hold_ms are set. */
static inline struct scripted scripted(const struct redial_outcome *outcomes, unsigned count)
{
    struct scripted run;
    memset(&run, 0, sizeof run);
    run.env.now_ms = scripted_now;
    run.env.wait_ms = scripted_wait;
    run.env.random = scripted_random;
    run.env.cancelled = scripted_cancelled;
    run.env.on_wait = scripted_on_wait;
    run.policy = plain_policy();
    run.operation = scripted_attempt;
    run.outcomes = outcomes;
    run.outcome_count = count;
    return run;
}

#define SCRIPTED(...) \
    scripted((const struct redial_outcome[]){ __VA_ARGS__ }, \
             LENGTH(((const struct redial_outcome[]){ __VA_ARGS__ })))

/* The environment. It points to the run, which must not move any more. */
static inline const struct redial_env *env_of(struct scripted *run)
{
    run->env.port = run->env.user = run;
    if (run->held_ms)
        run->env.hold_ms = scripted_hold;
    return &run->env;
}

/* Returns the report of redial_run, which it filled with garbage before. redial_run returned the
   report's verdict. */
static inline struct redial_report scripted_run(struct scripted *run)
{
    struct redial_report report;
    enum redial_verdict verdict;
    poison(&report, sizeof report);
    run->report = &report;
    verdict = redial_run(&run->policy, env_of(run), run->operation, run, &report);
    run->report = NULL;
    assert_int_equal(verdict, report.verdict);
    return report;
}

/* Compares the report, except for last. A macro, so that a failure shows the line of the test. */
#define assert_report(got, verdict_, attempts_, elapsed_, waited_, refused_) do { \
    struct redial_report report_ = (got); \
    assert_string_equal(redial_verdict_name(report_.verdict), redial_verdict_name((verdict_))); \
    assert_int_equal(report_.attempts, attempts_); \
    assert_int_equal(report_.elapsed_ms, elapsed_); \
    assert_int_equal(report_.waited_ms, waited_); \
    assert_int_equal(report_.refused_wait_ms, refused_); \
} while (0)

#endif
