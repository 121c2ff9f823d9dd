/* Helpers of the tests of the decision. SPDX-License-Identifier: MIT */
#ifndef CALL_H
#define CALL_H

#include "../common/support.h"

#define HIGHEST UINT32_MAX   /* the random bits that give the longest wait; 0 gives the shortest */

/* A macro, so that a failure shows the line of the test. */
#define assert_whole_step(got, verdict_, delay_, timeout_) do { \
    struct redial_step step_ = (got); \
    if (step_.verdict != (verdict_) || step_.delay_ms != (delay_) \
        || step_.timeout_ms != (timeout_)) \
        fail_msg("%s, %lu ms, timeout %lu ms; not %s, %lu ms, timeout %lu ms", \
                 redial_verdict_name(step_.verdict), (unsigned long)step_.delay_ms, \
                 (unsigned long)step_.timeout_ms, redial_verdict_name((verdict_)), \
                 (unsigned long)(delay_), (unsigned long)(timeout_)); \
} while (0)

/* For a step of redial_next, whose timeout_ms is always 0. */
#define assert_step(got, verdict_, delay_) assert_whole_step((got), (verdict_), (delay_), 0)

/* The decision at time 0, with the random bits of the shortest wait. */
#define assert_next(call, outcome, verdict_, delay_) \
    assert_step(redial_next((call), 0, (outcome), 0), (verdict_), (delay_))

/* On a clock that wraps. */
static inline uint32_t later(uint32_t now_ms, uint32_t ms)
{
    return (uint32_t)(((uint64_t)now_ms + ms) & UINT32_MAX);
}

/* 1 s, 2 s, ... 32 s without jitter, so that every wait is known; 5 retries. */
static inline struct redial_policy plain_policy(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.jitter = REDIAL_JITTER_NONE;
    return policy;
}

static inline struct redial_call begun(const struct redial_policy *policy, uint32_t now_ms)
{
    struct redial_call call;
    poison(&call, sizeof call);
    assert_true(redial_begin(&call, policy, now_ms));
    return call;
}

static inline struct redial_call resumed(const struct redial_policy *policy, uint32_t retries,
                                         uint32_t elapsed_ms, uint32_t now_ms)
{
    struct redial_call call;
    poison(&call, sizeof call);
    assert_true(redial_resume(&call, policy, retries, elapsed_ms, now_ms));
    return call;
}

static inline struct redial_outcome outcome_of(enum redial_kind kind, int code,
                                               uint32_t retry_after_ms, uint32_t uptime_ms)
{
    struct redial_outcome outcome;
    poison(&outcome, sizeof outcome);
    outcome.kind = kind;
    outcome.code = code;
    outcome.retry_after_ms = retry_after_ms;
    outcome.uptime_ms = uptime_ms;
    return outcome;
}

/* A connection broke after it had worked for uptime_ms. */
static inline struct redial_outcome disconnected(int code, uint32_t uptime_ms)
{
    return outcome_of(REDIAL_KIND_RETRY, code, 0, uptime_ms);
}

/* A macro, so that a failure shows the line of the test. */
#define assert_outcome(got, expected) do { \
    struct redial_outcome got_ = (got), expected_ = (expected); \
    if (got_.kind != expected_.kind || got_.code != expected_.code \
        || got_.retry_after_ms != expected_.retry_after_ms \
        || got_.uptime_ms != expected_.uptime_ms) \
        fail_msg("kind %d, code %d, %lu ms, %lu ms; not kind %d, code %d, %lu ms, %lu ms", \
                 (int)got_.kind, got_.code, (unsigned long)got_.retry_after_ms, \
                 (unsigned long)got_.uptime_ms, (int)expected_.kind, expected_.code, \
                 (unsigned long)expected_.retry_after_ms, (unsigned long)expected_.uptime_ms); \
} while (0)

/* The policy gets a budget that earns ten tokens for each success, so that its tokens show how many
   there were of both after fewer than ten retries. */
static inline void give_budget(struct redial_policy *policy, struct redial_budget *budget,
                               uint32_t tokens)
{
    redial_budget_init(budget, 1000, 1000);
    budget->tokens_ = tokens;
    policy->budget = budget;
}

#endif
