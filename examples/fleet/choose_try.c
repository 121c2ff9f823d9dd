/* Tries a policy in the simulation. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "choose.h"
#include "show.h"

/* ---- the load ---- */

uint32_t choose_span_ms(const struct herd_setup *setup)
{
    uint64_t ms = ((uint64_t)setup->per_ms + setup->capacity - 1) / setup->capacity;
    if (ms < setup->window_ms)
        ms = setup->window_ms;
    return ms < 1000 ? 1000 : (uint32_t)((ms + HERD_TICK_MS - 1) / HERD_TICK_MS * HERD_TICK_MS);
}

uint64_t choose_load(const struct candidate *candidate)
{
    const struct herd_setup *setup = &candidate->setup;
    uint64_t room = (uint64_t)setup->capacity * choose_span_ms(setup) * candidate->fleets;
    return ((uint64_t)candidate->peak * setup->per_ms * 10 + room / 2) / room;
}

/* ---- the fleets ---- */

struct herd_setup choose_scaled(const struct herd_setup *setup, uint32_t most)
{
    struct herd_setup small = *setup;
    if (setup->clients > most) {
        small.clients = most;
        small.per_ms = (uint32_t)((uint64_t)setup->per_ms * setup->clients / most);
    }
    return small;
}

static void add_ticks(struct herd_result *all, const struct herd_result *one)
{
    uint32_t tick;
    for (tick = 0; tick < one->ticks; tick++) {
        all->arrived[tick] += one->arrived[tick];
        all->taken[tick] += one->taken[tick];
    }
}

/* Simulates one more fleet, and adds its calls and its served requests to *all. */
static void try_fleet(struct candidate *candidate, const struct herd_setup *setup, struct herd_result *all)
{
    struct herd_result result;
    if (!herd_run(setup, &result)) {
        fprintf(stderr, "choose: no memory for %lu clients\n", (unsigned long)setup->clients);
        exit(1);
    }
    candidate->stopped = candidate->stopped || result.stopped;
    candidate->served += result.served;
    candidate->calls += result.calls;
    if (!all->taken) {
        *all = result;
        return;
    }
    add_ticks(all, &result);
    herd_free(&result);
}

void choose_show(struct progress *progress, const char *what, unsigned done, unsigned all)
{
    char line[80];
    if (!progress || !progress_due(progress))
        return;
    snprintf(line, sizeof line, "%u of %u %s ", done, all, what);
    progress_show(progress, line);
}

void choose_try(struct candidate *candidate, const struct herd_setup *setup, uint32_t fleets,
                struct progress *progress)
{
    struct herd_setup run = *setup;
    struct herd_result all = { 0 };
    candidate->fleets = fleets;
    candidate->setup = *setup;
    candidate->setup.policy = run.policy = candidate->policy;
    candidate->stopped = false;
    candidate->served = 0;
    candidate->calls = 0;
    for (run.seed = 1; run.seed <= fleets; run.seed++) {
        try_fleet(candidate, &run, &all);
        choose_show(progress, "fleets simulated with a proposal", (unsigned)run.seed, fleets);
    }
    run.clients *= fleets;
    candidate->requests = herd_requests(&run);
    candidate->peak = herd_peak(&run, &all, choose_span_ms(setup));
    candidate->half_ms = herd_share_ms(&run, &all, 500);
    candidate->most_ms = herd_share_ms(&run, &all, 900);
    herd_free(&all);
}
