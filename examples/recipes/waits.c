/* Waits of other shapes. SPDX-License-Identifier: MIT */
#include <redial.h>

/* An interval with jitter, or one that your users set. WIDE with a cap of twice the base waits from
   the base to the cap each time. redial_policy_waits makes every setting valid. */
struct redial_policy every(int64_t seconds)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    int64_t ms = redial_seconds_ms(seconds);
    policy.jitter = REDIAL_JITTER_WIDE;
    redial_policy_waits(&policy, ms, 2 * ms);
    return policy;
}

/* As redial_loop_next, but a retry waits for exactly wait_ms, which is at least 1, or as long as
   the server said. 1 means: at once, but counted. If the policy's max_retry_after_ms is 0, that
   means 5 minutes here. In an event loop call redial_next in place of redial_loop_next. */
struct redial_step next_after(struct redial_call *call, const struct redial_env *env,
                              struct redial_outcome outcome, uint32_t wait_ms)
{
    const struct redial_policy *policy = call->policy;
    struct redial_policy own = *policy;
    struct redial_step step;
    own.base_ms = own.cap_ms = wait_ms;
    own.jitter = REDIAL_JITTER_NONE;
    call->policy = &own;
    step = redial_loop_next(call, env, outcome);
    call->policy = policy;
    return step;
}

/* A table, which begins again after an uptime of min_uptime_ms. Polls do not move through it. */
struct redial_step wait_by_table(struct redial_call *call, const struct redial_env *env,
                                 struct redial_outcome outcome)
{
    static const uint32_t waits_ms[] = { 1000, 10000, 60000, 600000 };
    uint32_t uptime_ms = call->policy->min_uptime_ms;
    bool afresh = uptime_ms > 0 && outcome.uptime_ms >= uptime_ms;
    uint32_t n = outcome.kind != REDIAL_KIND_RETRY || afresh ? 0 : redial_retries(call);
    return next_after(call, env, outcome, waits_ms[n < 3 ? n : 3]);
}
