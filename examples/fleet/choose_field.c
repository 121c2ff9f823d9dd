/* Trying policies in the simulation, and choosing among them. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "progress.h"
#include "show.h"

#define TRIED 10000u        /* clients; a larger fleet is scaled down to this, and the server with it */
#define FIGURED 1000000u    /* the same for the figures that are printed, */
#define MOST_CALLS 10000000u    /* or fewer, so that all their calls are not many more than this */
#define FEWEST 50u          /* clients in all draws together: one client's luck is no advice */
#define SHORTEST_MS 125u    /* bases and caps are this times a power of 2: 125 ms, ..., 1 s, 2 s, ... */
#define BUDGET_PERCENT 10u
#define SLOW 50u            /* requests a second */

struct field {
    struct candidate all[420];  /* room for 6 caps, 17 bases, 4 modes */
    unsigned count, most;       /* most: with the ones that are still to be tried */
    struct progress progress;
};

uint64_t choose_room(const struct herd_setup *setup)
{
    uint64_t ms = setup->window_ms > 1000 ? setup->window_ms : 1000;
    uint64_t room = setup->capacity * ms / (setup->per_ms ? setup->per_ms : 1000);
    return room ? room : 1;
}

/* ---- trying one ---- */

static struct herd_setup scaled(const struct herd_setup *setup, uint32_t most)
{
    struct herd_setup small = *setup;
    if (setup->clients > most) {
        small.clients = most;
        small.per_ms = (uint32_t)((uint64_t)setup->per_ms * setup->clients / most);
    }
    return small;
}

/* One more draw, by another seed. What was served when is added up in taken. */
static void draw(struct candidate *candidate, const struct herd_setup *setup, struct herd_result *all)
{
    struct herd_result result;
    uint32_t tick;
    if (!herd_run(setup, &result)) {
        fprintf(stderr, "choose: no memory for %lu clients\n", (unsigned long)setup->clients);
        exit(1);
    }
    candidate->stopped = candidate->stopped || result.stopped;
    candidate->served += result.served;
    candidate->calls += result.calls;
    candidate->peak += herd_peak(setup, &result);
    if (!all->taken) {
        *all = result;
        return;
    }
    for (tick = 0; tick < result.ticks; tick++)
        all->taken[tick] += result.taken[tick];
    herd_free(&result);
}

/* Sets all but the policy and whom it serves. */
static void try(struct candidate *candidate, const struct herd_setup *setup)
{
    struct herd_setup run = *setup;
    struct herd_result all = { 0 };
    candidate->draws = setup->clients < FEWEST ? (FEWEST + setup->clients - 1) / setup->clients : 1;
    candidate->setup = *setup;
    candidate->setup.policy = run.policy = candidate->policy;
    candidate->stopped = false;
    candidate->served = candidate->peak = 0;
    candidate->calls = 0;
    for (run.seed = 1; run.seed <= candidate->draws; run.seed++)
        draw(candidate, &run, &all);
    run.clients *= candidate->draws;
    candidate->requests = herd_requests(&run);
    candidate->peak /= candidate->draws;
    candidate->half_ms = herd_share_ms(&run, &all, 500);
    candidate->most_ms = herd_share_ms(&run, &all, 900);
    herd_free(&all);
}

static struct redial_policy policy_of(const struct known *known, enum redial_jitter mode, uint32_t base_ms,
                                      uint32_t cap_ms)
{
    struct redial_policy policy = redial_policy_default();
    policy.base_ms = base_ms;
    policy.cap_ms = cap_ms;
    policy.jitter_ms = base_ms < REDIAL_JITTER_MAX_MS ? base_ms : REDIAL_JITTER_MAX_MS;
    policy.jitter = mode;
    policy.max_retries = REDIAL_NO_LIMIT;
    policy.max_retry_after_ms = known->within_ms;
    policy.max_elapsed_ms = known->connection ? 0 : known->within_ms;
    policy.min_uptime_ms = !known->connection ? 0 : cap_ms < 60000 ? cap_ms : 60000;
    return policy;
}

/* ---- trying all ---- */

static void show(struct field *field)
{
    char line[80];
    if (!progress_due(&field->progress))
        return;
    snprintf(line, sizeof line, "%u of %u policies tried ", field->count, field->most);
    progress_show(&field->progress, line);
}

/* Whoever needs too many calls is not tried to the end. */
static bool few_calls(void *user, const struct herd_result *so_far)
{
    const struct candidate *candidate = user;
    return so_far->calls <= CHOOSE_MOST_CALLS * (uint64_t)herd_requests(&candidate->setup);
}

static void try_next(const struct known *known, struct field *field, struct redial_policy policy)
{
    struct candidate *candidate = &field->all[field->count++];
    struct herd_setup setup = scaled(&known->setup, TRIED);
    setup.watch = few_calls;
    setup.user = candidate;
    candidate->policy = policy;
    try(candidate, &setup);
    show(field);
}

/* Caps from a 64th of the time to half of it: with others a call has far too many retries, or too few. Returns how many
   policies have such a cap and a base from the shortest to the longest; with a NULL field they are only counted. */
static unsigned try_bases(const struct known *known, uint32_t shortest_ms, uint32_t longest_ms, struct field *field)
{
    uint32_t cap_ms, base_ms;
    unsigned count = 0;
    int mode;
    for (cap_ms = SHORTEST_MS; cap_ms < known->within_ms / 64; cap_ms *= 2)
        continue;
    for (; cap_ms <= known->within_ms / 2; cap_ms *= 2)
        for (base_ms = SHORTEST_MS; base_ms <= cap_ms && base_ms <= longest_ms; base_ms *= 2)
            for (mode = REDIAL_JITTER_ADDED; base_ms >= shortest_ms && mode <= REDIAL_JITTER_FULL; mode++, count++)
                if (field)
                    try_next(known, field, policy_of(known, (enum redial_jitter)mode, base_ms, cap_ms));
    return count;
}

/* ---- choosing ---- */

static uint64_t root(uint64_t square)
{
    uint64_t low = 0, high = 100000;
    while (low < high) {
        uint64_t middle = (low + high + 1) / 2;
        if (middle * middle <= square)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* A tenth below the limit, so that chance does not lead the whole fleet beyond it. The busiest second of a slow server
   has more in it by chance than that of a fast one that it may stand for: two deviations are granted. */
static bool within_limits(const struct candidate *candidate)
{
    uint64_t room = choose_room(&candidate->setup), load = CHOOSE_MOST_LOAD * room - CHOOSE_MOST_LOAD * room / 10;
    return !candidate->stopped && candidate->peak <= load + (room < SLOW ? 2 * root(load) : 0);
}

static bool few_enough_calls(const struct candidate *candidate)
{
    return !candidate->stopped;
}

static bool sooner(const struct candidate *a, const struct candidate *b)
{
    return a->most_ms != b->most_ms ? a->most_ms < b->most_ms
         : a->half_ms != b->half_ms ? a->half_ms < b->half_ms : a->calls < b->calls;
}

static bool fewer(const struct candidate *a, const struct candidate *b)
{
    return a->calls != b->calls ? a->calls < b->calls : sooner(a, b);
}

/* A peak that the server can take is as good as a lower one. */
static bool lower(const struct candidate *a, const struct candidate *b)
{
    uint64_t room = choose_room(&a->setup), a_peak = a->peak > room ? a->peak : room;
    uint64_t b_peak = b->peak > room ? b->peak : room;
    return a_peak != b_peak ? a_peak < b_peak : fewer(a, b);
}

static uint32_t most_served(const struct field *field, bool (*fit)(const struct candidate *))
{
    uint32_t most = 0;
    unsigned i;
    for (i = 0; i < field->count; i++)
        if (fit(&field->all[i]) && field->all[i].served > most)
            most = field->all[i].served;
    return most;
}

/* Of those that are fit and serve at least 99 in 100 of what the best of them serves. NULL: none. */
static const struct candidate *best(const struct field *field, bool (*fit)(const struct candidate *),
                                    bool (*better)(const struct candidate *, const struct candidate *))
{
    const struct candidate *choice = NULL, *one;
    uint64_t least = (uint64_t)most_served(field, fit) * 99;
    unsigned i;
    for (i = 0; i < field->count; i++) {
        one = &field->all[i];
        if (fit(one) && (uint64_t)one->served * 100 >= least && (!choice || better(one, choice)))
            choice = one;
    }
    return choice;
}

/* Bases up to a 16th of the time, so that a single failure costs little. Longer ones, up to a quarter, only if none of
   those keeps to the limits. */
static void try_all(const struct known *known, struct field *field)
{
    uint32_t longest_ms = known->within_ms / 16 < SHORTEST_MS ? SHORTEST_MS : known->within_ms / 16;
    field->most = try_bases(known, 1, longest_ms, NULL);
    try_bases(known, 1, longest_ms, field);
    if (best(field, within_limits, fewer))
        return;
    field->most += try_bases(known, longest_ms + 1, known->within_ms / 4, NULL);
    try_bases(known, longest_ms + 1, known->within_ms / 4, field);
}

/* ---- the figures of a proposal ---- */

/* Twice the retries that this outage costs a process, so that the budget ends what is worse than it. */
static void give_budget(const struct candidate *tried, struct herd_setup *setup)
{
    uint64_t processes = (tried->setup.clients + setup->workers - 1) / setup->workers * tried->draws;
    setup->budget = true;
    setup->budget_percent = BUDGET_PERCENT;
    setup->budget_capacity = (uint32_t)(2 * (tried->calls - tried->served) / processes) + setup->workers;
}

static uint32_t figured(const struct candidate *tried)
{
    uint64_t most = (uint64_t)MOST_CALLS * tried->requests / (tried->calls + 1);
    return most > FIGURED ? FIGURED : most < TRIED ? TRIED : (uint32_t)most;
}

static bool show_figures(void *user, const struct herd_result *so_far)
{
    struct progress *progress = user;
    char line[80];
    if (progress_due(progress)) {
        snprintf(line, sizeof line, "the figures of a proposal: %s s simulated ",
                 show_number(so_far->now_ms / 1000).text);
        progress_show(progress, line);
    }
    return true;
}

static struct candidate figures(const struct known *known, struct field *field, const struct candidate *tried)
{
    struct herd_setup setup = scaled(&known->setup, figured(tried));
    struct candidate out = *tried;
    if (setup.workers && !known->connection)
        give_budget(tried, &setup);
    setup.watch = show_figures;
    setup.user = &field->progress;
    try(&out, &setup);
    return out;
}

/* ---- the proposals ---- */

static unsigned add(const struct known *known, struct field *field, struct choice *choices, unsigned count,
                    struct choice choice)
{
    unsigned i;
    for (i = 1; i < count; i++)
        if (memcmp(&choices[i].best.policy, &choice.best.policy, sizeof choice.best.policy) == 0) {
            choices[i].titles[choices[i].count++] = choice.titles[0];
            return count;
        }
    choice.best = figures(known, field, &choice.best);
    choices[count] = choice;
    return count + 1;
}

static unsigned add_best(const struct known *known, struct field *field, struct choice *choices, unsigned count)
{
    static const struct {
        const char *title, *name;
        bool (*better)(const struct candidate *, const struct candidate *);
    } aims[] = {
        { "soonest through", "soonest", sooner }, { "fewest calls", "fewest_calls", fewer },
        { "lowest peak", "lowest_peak", lower }
    };
    unsigned i;
    for (i = 0; i < sizeof aims / sizeof *aims; i++) {
        struct choice choice = { .count = 1, .titles = { aims[i].title }, .name = aims[i].name,
                                 .best = *best(field, within_limits, aims[i].better) };
        count = add(known, field, choices, count, choice);
    }
    return count;
}

unsigned choose(const struct known *known, struct choice choices[CHOOSE_MOST], bool *beyond)
{
    static struct field field;
    struct choice documented = { .count = 1, .titles = { "the documented formula" }, .name = "documented" };
    struct choice near = { .count = 1, .titles = { "nearest to the limits" }, .name = "nearest" };
    struct herd_setup setup = scaled(&known->setup, TRIED);
    unsigned count;
    documented.best.policy = policy_of(known, REDIAL_JITTER_ADDED, 1000,
                                       known->within_ms < 32000 ? known->within_ms : 32000);
    field.progress = progress_begin();
    try_all(known, &field);
    *beyond = !best(&field, within_limits, fewer);
    try(&documented.best, &setup);
    count = add(known, &field, choices, 0, documented);
    if (*beyond)
        near.best = *best(&field, few_enough_calls, lower);
    count = *beyond ? add(known, &field, choices, count, near) : add_best(known, &field, choices, count);
    progress_wipe(&field.progress);
    return count;
}
