/* The library and fleet's simulation as a WebAssembly module for redial.html. JavaScript works out
   texts, where a line is drawn, and when a time limit ends a call. SPDX-License-Identifier: MIT */
#include "../fleet/fleet.h"

#define EXPORT(type, name, ...) \
    type name(__VA_ARGS__) __attribute__((export_name(#name))); \
    type name(__VA_ARGS__)

enum { MOST_ATTEMPTS = 20000000 };   /* a run of many more would block the page */

static struct fleet_setup setup;
static struct fleet_result result;

EXPORT(void, set, uint32_t base_ms, uint32_t cap_ms, uint32_t jitter_ms, uint32_t jitter,
       uint32_t retries, uint32_t elapsed_ms, uint32_t clients, uint32_t capacity,
       uint32_t burst_s, uint32_t outage_s, uint32_t after_s, bool slots)
{
    setup = (struct fleet_setup){
        .policy = { .base_ms = base_ms, .cap_ms = cap_ms, .jitter_ms = jitter_ms,
                    .jitter = (enum redial_jitter)jitter, .max_retries = retries,
                    .max_elapsed_ms = elapsed_ms },
        .clients = clients, .capacity = capacity, .burst_ms = burst_s * 1000,
        .outage_ms = outage_s * 1000, .after_s = after_s, .slots = slots, .seed = 1
    };
}

/* The shortest or longest wait of a client after so many retries, all of which failed at once; or
   less than 0: the verdict that ends the call. Its time limit is not looked at. */
EXPORT(double, client_wait, uint32_t retries, bool longest)
{
    struct redial_policy policy = setup.policy;
    struct redial_outcome failure =
        redial_http(setup.after_s ? 429 : 503, redial_seconds_ms(setup.after_s), "GET");
    struct redial_call call;
    struct redial_step step;
    policy.max_elapsed_ms = 0;
    redial_resume(&call, &policy, retries, 0, 0);
    step = redial_next(&call, 0, failure, longest ? UINT32_MAX : 0);
    return step.verdict == REDIAL_WAIT ? step.delay_ms : -(double)step.verdict;
}

/* Simulates until an hour after the outage, and before that shorter times, in which all may end.
   False: it ended early, because of too many attempts or no memory. */
EXPORT(bool, run, void)
{
    bool fine = true, over = false;
    for (uint32_t part = 64; part > 0 && fine && !over; part /= 2) {
        fleet_free(&result);
        setup.horizon_ms = (setup.outage_ms + 3600000) / part;
        fine = fleet_run(&setup, &result) && (part == 1 || result.attempts < MOST_ATTEMPTS);
        over = result.served + result.gave_up == setup.clients;
    }
    return fine || over;
}

#define FIGURE(name, value, ...) EXPORT(double, name, __VA_ARGS__) { return (double)(value); }
FIGURE(attempts, result.attempts, void)
FIGURE(served, result.served, void)
FIGURE(early, result.early, void)
FIGURE(gave_up, result.gave_up, void)
FIGURE(last_served_ms, result.last_served_ms, void)
FIGURE(now_ms, result.now_ms, void)
FIGURE(peak, fleet_peak(&setup, &result), void)
FIGURE(least_attempts, fleet_least_attempts(&setup), void)
FIGURE(least_ms, fleet_least_ms(&setup, requests), uint32_t requests)
FIGURE(arrived, tick < result.ticks ? result.arrived[tick] : 0, uint32_t tick)
FIGURE(taken, tick < result.ticks ? result.taken[tick] : 0, uint32_t tick)
