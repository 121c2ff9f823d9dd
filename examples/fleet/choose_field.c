/* The policies that choose tries, and the choice among them. SPDX-License-Identifier: MIT */
#include <string.h>

#include "choose.h"
#include "progress.h"

#define FEWEST 50u              /* clients in all simulated fleets together: one client's luck is no advice */
#define FLEETS 100u             /* for the figures that are printed, */
#define MOST_CALLS 10000000u    /* or fewer, so that they make about so many calls at most */
#define SHORTEST_MS 125u        /* bases and caps are this times a power of 2: 125 ms, ..., 1 s, 2 s, ... */
#define BUDGET_PERCENT 10u

struct field {
    struct candidate all[420];  /* room for 6 caps, 17 bases, 4 modes */
    unsigned count, most;       /* most: with the ones that are still to be tried */
    struct progress progress;
};

/* ---- trying all ---- */

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

/* A policy that needs too many calls is not tried to the end. */
static bool few_calls(void *user, const struct herd_result *so_far)
{
    const struct candidate *candidate = user;
    return so_far->calls <= CHOOSE_MOST_CALLS * (uint64_t)herd_requests(&candidate->setup);
}

static uint32_t few_fleets(const struct herd_setup *setup)
{
    return setup->clients < FEWEST ? (FEWEST + setup->clients - 1) / setup->clients : 1;
}

static void try_next(const struct known *known, struct field *field, struct redial_policy policy)
{
    struct candidate *candidate = &field->all[field->count++];
    struct herd_setup setup = choose_scaled(&known->setup, CHOOSE_MOST_CLIENTS);
    setup.watch = few_calls;
    setup.user = candidate;
    candidate->policy = policy;
    choose_try(candidate, &setup, few_fleets(&setup), NULL);
    choose_show(&field->progress, "policies tried", field->count, field->most);
}

/* Caps from 1/64 of the time to half of it. With others a call has far too many retries, or too few. Returns how many
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

/* A tenth below the limit, so that the whole fleet does not exceed it by chance. In one fleet of a slow server the
   busiest second has more in it by chance than in the mean of many: two deviations are granted. */
static bool within_limits(const struct candidate *candidate)
{
    struct candidate sure = *candidate;
    sure.peak -= sure.peak < 4 ? sure.peak : (uint32_t)(2 * root(sure.peak));
    return !candidate->stopped && choose_load(&sure) <= CHOOSE_MOST_LOAD * 9;
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
    uint64_t a_load = choose_load(a), b_load = choose_load(b);
    if (a_load <= 10 && b_load <= 10)
        return fewer(a, b);
    return a_load != b_load ? a_load < b_load : fewer(a, b);
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

/* Chooses among the policies that keep to the limits and serve at least 99 % of what the best of them serves. NULL:
   none. */
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

/* Bases up to 1/16 of the time, so that a single failure costs little. Longer ones, up to 1/4, only if none of
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

/* Twice the retries that this outage costs a process, so that the budget limits an outage that is worse. */
static void give_budget(const struct candidate *tried, struct herd_setup *setup)
{
    uint64_t processes = (tried->setup.clients + setup->workers - 1) / setup->workers * tried->fleets;
    setup->budget = true;
    setup->budget_percent = BUDGET_PERCENT;
    setup->budget_capacity = (uint32_t)(2 * (tried->calls - tried->served) / processes) + setup->workers;
}

static uint32_t many_fleets(const struct candidate *tried)
{
    uint64_t most = (uint64_t)MOST_CALLS * tried->fleets / (tried->calls + 1);
    return most > FLEETS ? FLEETS : most < tried->fleets ? tried->fleets : (uint32_t)most;
}

/* Many small fleets are as good as a large one, but not with processes: each has as many clients as before, and weighs
   more where the server is slower. */
static struct candidate figures(const struct known *known, struct progress *progress, const struct candidate *tried)
{
    uint32_t fleets = many_fleets(tried), clients = tried->setup.clients * fleets;
    struct herd_setup setup = choose_scaled(&known->setup, known->setup.workers ? clients : CHOOSE_MOST_CLIENTS);
    struct candidate out = *tried;
    if (setup.workers && !known->connection)
        give_budget(tried, &setup);
    choose_try(&out, &setup, clients / setup.clients, progress);
    return out;
}

/* ---- the proposals ---- */

struct aim {
    const char *title, *name;
    bool (*better)(const struct candidate *, const struct candidate *);
};

#define AIMS 3u

static const struct aim aims[AIMS] = {
    { "soonest through", "soonest", sooner }, { "fewest calls", "fewest_calls", fewer },
    { "lowest peak", "lowest_peak", lower }
};

/* The best policy for each aim by the figures of one fleet, now with the figures of many fleets. */
static void try_finalists(const struct known *known, struct field *field, struct field *finalists)
{
    const struct candidate *tried[AIMS];
    unsigned aim, i;
    finalists->count = 0;
    for (aim = 0; aim < AIMS; aim++) {
        const struct candidate *one = best(field, within_limits, aims[aim].better);
        for (i = 0; i < finalists->count && tried[i] != one; i++)
            continue;
        if (i < finalists->count)
            continue;
        tried[i] = one;
        finalists->all[finalists->count++] = figures(known, &field->progress, one);
    }
}

/* Base, cap and mode are all in which two candidates differ. */
static bool same_policy(const struct redial_policy *a, const struct redial_policy *b)
{
    return a->base_ms == b->base_ms && a->cap_ms == b->cap_ms && a->jitter_ms == b->jitter_ms && a->jitter == b->jitter;
}

static unsigned add(struct choice *choices, unsigned count, const struct aim *aim, const struct candidate *winner)
{
    unsigned i;
    for (i = 0; i < count; i++)
        if (same_policy(&choices[i].best.policy, &winner->policy))
            break;
    if (i == count)
        choices[count++] = (struct choice){ .name = aim->name, .best = *winner };
    choices[i].titles[choices[i].count++] = aim->title;
    return count;
}

/* Several may have peaks that the server can take, and then the winner's need not be the lowest. */
static bool deserves(const struct candidate *winner, const struct aim *aim, const struct field *finalists)
{
    unsigned i;
    for (i = 0; i < finalists->count && aim->better == lower; i++)
        if (choose_load(&finalists->all[i]) < choose_load(winner))
            return false;
    return true;
}

/* The printed figures decide which policy is best for each aim. */
static unsigned add_best(const struct known *known, struct field *field, struct choice *choices, unsigned count)
{
    static struct field finalists;
    bool (*fit)(const struct candidate *);
    const struct candidate *winner;
    unsigned aim;
    try_finalists(known, field, &finalists);
    fit = best(&finalists, within_limits, fewer) ? within_limits : few_enough_calls;
    for (aim = 0; aim < AIMS; aim++) {
        winner = best(&finalists, fit, aims[aim].better);
        if (deserves(winner, &aims[aim], &finalists))
            count = add(choices, count, &aims[aim], winner);
    }
    return count;
}

static struct candidate documented(const struct known *known)
{
    struct candidate one = { .policy = policy_of(known, REDIAL_JITTER_ADDED, 1000,
                                                 known->within_ms < 32000 ? known->within_ms : 32000) };
    struct herd_setup setup = choose_scaled(&known->setup, CHOOSE_MOST_CLIENTS);
    choose_try(&one, &setup, few_fleets(&setup), NULL);
    return one;
}

unsigned choose(const struct known *known, struct choice choices[CHOOSE_MOST], bool *beyond)
{
    static const struct aim formula = { .title = "the documented formula", .name = "documented" };
    static const struct aim nearest = { .title = "nearest to the limits", .name = "nearest" };
    static struct field field;
    struct candidate one = documented(known);
    unsigned count;
    field.progress = progress_begin();
    field.count = 0;
    try_all(known, &field);
    one = figures(known, &field.progress, &one);
    count = add(choices, 0, &formula, &one);
    *beyond = !best(&field, within_limits, fewer);
    if (*beyond) {
        one = figures(known, &field.progress, best(&field, few_enough_calls, lower));
        count = add(choices, count, &nearest, &one);
    } else {
        count = add_best(known, &field, choices, count);
    }
    progress_wipe(&field.progress);
    return count;
}
