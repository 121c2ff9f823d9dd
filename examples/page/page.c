/* The library and the simulation of herd as a WebAssembly module for redial.html. SPDX-License-Identifier: MIT

   The page writes its wishes, whole numbers in the units of herd's options, and asks. Nothing is worked out in
   JavaScript but where a line is drawn. The module imports nothing. */
#include "../fleet/herd_model.h"
#include "figures.h"
#include "one_client.h"

#define EXPORT(type, name, ...) \
    type name(__VA_ARGS__) __attribute__((export_name(#name))); \
    type name(__VA_ARGS__)

/* ---- the options that the page sets ---- */

#define WISHES(X) \
    X(clients) X(jobs) X(pause) X(capacity) X(per) X(burst) X(window) X(outage) X(answer) X(after) X(bad) X(bad_after) \
    X(mode) X(base) X(cap) X(jitter) X(retries) X(elapsed) X(max_after) \
    X(workers) X(gate) X(budgeted) X(budget) X(budget_percent) X(seed) X(horizon)

#define FIELD(name) uint32_t name;
#define NAME(name) #name " "

static struct { WISHES(FIELD) } wishes;

/* The names of the wishes in their order, each with a blank after it. */
EXPORT(const char *, page_names, void)
{
    return WISHES(NAME);
}

EXPORT(void *, page_wishes, void)
{
    return &wishes;
}

static struct redial_policy policy_of_wishes(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.base_ms = wishes.base;
    policy.cap_ms = wishes.cap;
    policy.jitter_ms = wishes.jitter;
    policy.max_retries = wishes.retries;
    policy.max_elapsed_ms = wishes.elapsed;
    policy.max_retry_after_ms = wishes.max_after;
    policy.jitter = (enum redial_jitter)wishes.mode;
    return policy;
}

/* "", or what is wrong with the policy. */
EXPORT(const char *, page_policy_error, void)
{
    struct redial_policy policy = policy_of_wishes();
    enum redial_policy_error error = redial_policy_check(&policy);
    return error == REDIAL_POLICY_OK ? "" : redial_policy_error_text(error);
}

/* ---- the retries of one client ---- */

static struct redial_outcome refusal(void)
{
    return wishes.answer == HERD_CONSTANT ? redial_http(429, redial_seconds_ms(wishes.after)) : redial_http(503, 0);
}

EXPORT(const struct one_ranges *, page_ranges, void)
{
    static struct one_ranges ranges;
    struct redial_policy policy = policy_of_wishes();
    one_ranges(&ranges, &policy, refusal());
    return &ranges;
}

/* One of many clients. The same number always gives the same client. */
EXPORT(const struct one_draw *, page_draw, uint32_t number)
{
    static struct one_draw draw;
    struct redial_policy policy = policy_of_wishes();
    one_draw(&draw, &policy, refusal(), number);
    return &draw;
}

EXPORT(const char *, page_verdict, uint32_t verdict)
{
    return redial_verdict_name(verdict);
}

/* ---- the fleet ---- */

static struct herd_setup setup_of_wishes(void)
{
    struct herd_setup setup = {
        .policy = policy_of_wishes(), .clients = wishes.clients, .jobs = wishes.jobs, .pause_ms = wishes.pause,
        .capacity = wishes.capacity, .per_ms = wishes.per, .burst_ms = wishes.burst, .window_ms = wishes.window,
        .outage_ms = wishes.outage * 1000, .horizon_ms = wishes.horizon * 1000,
        .answer = (enum herd_answer)wishes.answer, .after_s = wishes.after,
        .bad_percent = wishes.bad, .bad_after_s = wishes.bad_after,
        .workers = wishes.workers, .gate = (enum herd_gate)wishes.gate, .budget = wishes.budgeted,
        .budget_capacity = wishes.budget, .budget_percent = wishes.budget_percent, .seed = wishes.seed
    };
    return setup;
}

static struct herd_result result;

/* False: no memory, or an invalid policy. */
EXPORT(bool, page_run, void)
{
    struct herd_setup setup = setup_of_wishes();
    herd_free(&result);
    return herd_run(&setup, &result);
}

EXPORT(const uint32_t *, page_arrived, void)
{
    return result.arrived;
}

EXPORT(const uint32_t *, page_taken, void)
{
    return result.taken;
}

/* The number of ticks of the run. */
EXPORT(uint32_t, page_ticks, void)
{
    uint32_t ticks = result.now_ms / HERD_TICK_MS + 1;
    return ticks < result.ticks ? ticks : result.ticks;
}

/* The figures of the last run, as herd prints them, with blanks between them; see figures.h. */
EXPORT(const char *, page_figures, void)
{
    static char text[FIGURES_SIZE];
    struct herd_setup setup = setup_of_wishes();
    figures_of_run(&setup, &result, text);
    return text;
}

/* The best that is possible: the figures, and when `part` parts of `parts` can have been served. */
EXPORT(const char *, page_floor, void)
{
    static char text[FIGURES_SIZE];
    struct herd_setup setup = setup_of_wishes();
    figures_of_floor(&setup, text);
    return text;
}

EXPORT(double, page_floor_ms, uint32_t part, uint32_t parts)
{
    struct herd_setup setup = setup_of_wishes();
    return (double)herd_least_ms(&setup, (uint32_t)((uint64_t)herd_requests(&setup) * part / parts));
}
