/* The library and the simulation of herd as a WebAssembly module for redial.html.
   SPDX-License-Identifier: MIT

   The page writes its wishes, whole numbers in the units of herd's options, and asks. Nothing is
   worked out in JavaScript but where a line is drawn. The module imports nothing. */
#include <string.h>

#include "../fleet/herd_model.h"
#include "../fleet/show.h"
#include "one_client.h"

#define EXPORT(type, name, ...) \
    type name(__VA_ARGS__) __attribute__((export_name(#name))); \
    type name(__VA_ARGS__)

/* ---- the options that the page sets ---- */

#define WISHES(X)                                                                                  \
    X(clients)                                                                                     \
    X(jobs) X(pause) X(capacity) X(per) X(burst) X(outage) X(after) X(mode) X(base) X(cap)         \
        X(jitter) X(retries) X(elapsed) X(workers) X(gate) X(budget) X(seed) X(horizon)

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
    policy.jitter = (enum redial_jitter)wishes.mode;
    return policy;
}

/* ---- the retries of one client ---- */

static struct redial_outcome refusal(void)
{
    return redial_http(wishes.after ? 429 : 503, redial_seconds_ms(wishes.after), "GET");
}

EXPORT(const struct one_ranges *, page_ranges, void)
{
    static struct one_ranges ranges;
    struct redial_policy policy = policy_of_wishes();
    one_ranges(&ranges, &policy, refusal());
    return &ranges;
}

EXPORT(const char *, page_verdict, uint32_t verdict)
{
    return redial_verdict_name(verdict);
}

/* ---- the fleet ---- */

static struct herd_setup setup_of_wishes(void)
{
    struct herd_setup setup = { .policy = policy_of_wishes(),
                                .clients = wishes.clients,
                                .jobs = wishes.jobs,
                                .pause_ms = wishes.pause,
                                .capacity = wishes.capacity,
                                .per_ms = wishes.per,
                                .burst_ms = wishes.burst,
                                .outage_ms = wishes.outage * 1000,
                                .horizon_ms = wishes.horizon * 1000,
                                .after_s = wishes.after,
                                .workers = wishes.workers,
                                .gate = wishes.gate,
                                .budget = wishes.budget,
                                .seed = wishes.seed };
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

/* ---- figures, in the digits that herd prints, each with '|' after it ---- */

static char figures[400];

static void add(const char *more)
{
    size_t used = strlen(figures), length = strlen(more);
    if (used + length < sizeof figures)
        memcpy(figures + used, more, length + 1);
}

static void add_figure(struct shown figure, const char *unit)
{
    add(figure.text);
    add(unit);
    add("|");
}

static void add_all_served(const struct herd_setup *setup)
{
    if (result.served == herd_requests(setup)) {
        add_figure(show_ratio(result.last_served_ms, 1000, 1), " s");
    } else if (result.gave_up) {
        add("never|");
    } else {
        add("> ");
        add_figure(show_ratio(result.now_ms, 1000, 1), " s");
    }
}

/* Of the last run: the columns of herd; then the peak as a multiple of the capacity, and the share
   that was served. */
EXPORT(const char *, page_figures, void)
{
    struct herd_setup setup = setup_of_wishes();
    uint32_t requests = herd_requests(&setup), peak = herd_peak(&setup, &result, 1000);
    figures[0] = '\0';
    add_figure(show_ratio(result.attempts, requests, 1), "");
    add_all_served(&setup);
    add_figure(show_ratio(result.early, requests, 100), " %");
    add_figure(show_ratio(peak, setup.clients, 100), " %");
    add_figure(show_number(result.attempts - result.served), "");
    add_figure(show_number(result.gave_up), "");
    add_figure(show_ratio((uint64_t)peak * setup.per_ms, (uint64_t)setup.capacity * 1000, 1), "");
    add_figure(show_ratio(result.served, requests, 100), " %");
    return figures;
}

/* The best that is possible: attempts a client, and all served after. */
EXPORT(const char *, page_floor, void)
{
    struct herd_setup setup = setup_of_wishes();
    figures[0] = '\0';
    add_figure(show_ratio(herd_least_attempts(&setup), herd_requests(&setup), 1), "");
    add_figure(show_ratio(herd_least_ms(&setup, herd_requests(&setup)), 1000, 1), " s");
    return figures;
}

/* When `part` parts of `parts` can have been served, at best. */
EXPORT(double, page_floor_ms, uint32_t part, uint32_t parts)
{
    struct herd_setup setup = setup_of_wishes();
    return (double)herd_least_ms(&setup,
                                 (uint32_t)((uint64_t)herd_requests(&setup) * part / parts));
}
