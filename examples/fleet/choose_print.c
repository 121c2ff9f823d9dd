/* The output of choose: C, with the simulated results in comments. SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>

#include "choose.h"
#include "show.h"

static const char *const mode_names[] = { "ADDED", "SPREAD", "EQUAL", "FULL" };
static const char *const mode_words[] = { "added", "spread", "equal", "full" };

/* ---- what is known, and what no policy can beat ---- */

/* The most requests that the server can take before the end of the time. */
static uint32_t most_possible(const struct known *known)
{
    uint32_t low = 0, high = herd_requests(&known->setup);
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (herd_least_ms(&known->setup, middle) < known->within_ms)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void print_least(const struct known *known)
{
    uint32_t all = herd_requests(&known->setup), most = most_possible(known);
    uint64_t least_ms = herd_least_ms(&known->setup, all), outage_ms = known->setup.outage_ms;
    printf("   No policy can beat this: all are served after %s s", show_ratio(least_ms, 1000, 1).text);
    if (outage_ms)
        printf(", %s s of outage and %s s of service", show_ratio(outage_ms, 1000, 1).text,
               show_ratio(least_ms - outage_ms, 1000, 1).text);
    printf(".\n");
    if (known->setup.jobs > 1)
        return;
    if (most < all)
        printf("   The allowed time is shorter: at most %s %% can be served in it.\n",
               show_ratio(most, all, 100).text);
    else if (least_ms * 5 / 4 > known->within_ms)
        printf("   The allowed time is hardly longer: every policy overloads the server, or does not serve all.\n");
}

static void print_server(const struct herd_setup *setup)
{
    printf("%s request%s %s", show_number(setup->capacity).text, setup->capacity == 1 ? "" : "s",
           setup->per_ms == 1000 ? "a second" : "in ");
    if (setup->per_ms != 1000)
        printf("%s ms", show_number(setup->per_ms).text);
    if (setup->window_ms)
        printf(" in windows of %s ms", show_number(setup->window_ms).text);
}

static void print_meaning(uint32_t span_ms)
{
    printf("   The figures are of many simulated fleets together. The peak is the busiest ");
    if (span_ms == 1000)
        printf("second");
    else
        printf("%s s", show_ratio(span_ms, 1000, 1).text);
    printf(" of their mean.\n   herd and the page show one fleet: its peak is higher by chance if its server takes few "
           "requests a second.\n");
}

static void print_head(const struct known *known, uint32_t span_ms, bool beyond)
{
    const struct herd_setup *setup = &known->setup;
    printf("/* A %s may take %s s in all; %s client%s; ", known->connection ? "reconnection" : "request",
           show_ratio(known->within_ms, 1000, 1).text, show_number(setup->clients).text,
           setup->clients == 1 ? "" : "s");
    if (setup->jobs > 1)
        printf("%s requests each; ", show_number(setup->jobs).text);
    print_server(setup);
    printf(";\n   an outage of %s s. Times count from its beginning.\n", show_number(setup->outage_ms / 1000).text);
    print_least(known);
    if (beyond)
        printf("   Every policy that was tried exceeds %u times what the server can take, or %u calls for a request.\n",
               CHOOSE_MOST_LOAD, CHOOSE_MOST_CALLS);
    print_meaning(span_ms);
    printf("*/\n#include <redial.h>\n");
}

/* ---- what the workers of a process share ---- */

static void print_shared(const struct choice *choice)
{
    const struct herd_setup *setup = &choice->best.setup;
    if (!setup->budget && !setup->gate)
        return;
    printf("\n/* For the workers of a process. Define them in one file, and before the first call:\n");
    if (setup->budget)
        printf("       redial_budget_init(&%s_budget, %lu, %lu);   twice the retries that this outage costs\n",
               choice->name, (unsigned long)setup->budget_capacity, (unsigned long)setup->budget_percent);
    if (setup->gate)
        printf("       redial_gate_init(&%s_gate);\n   A 429 with a Retry-After closes the gate: redial_gate_close.\n",
               choice->name);
    printf("*/\n");
    if (setup->budget)
        printf("extern struct redial_budget %s_budget;\n", choice->name);
    if (setup->gate)
        printf("extern struct redial_gate %s_gate;\n", choice->name);
}

/* ---- one proposal ---- */

static void print_warning(const struct candidate *best)
{
    uint32_t all = best->requests;
    bool calls = best->calls > CHOOSE_MOST_CALLS * (uint64_t)all;
    uint64_t load = choose_load(best);
    if (load > CHOOSE_MOST_LOAD * 10)
        printf("Warning: the peak is %s times what the server can take.\n   ", show_digits(load, 1).text);
    if (calls)
        printf("Warning: a request needs %s calls.\n   ", show_ratio(best->calls, all, 1).text);
}

static void print_title(const struct choice *choice)
{
    unsigned i;
    printf("%c%s", toupper((unsigned char)choice->titles[0][0]), choice->titles[0] + 1);
    for (i = 1; i < choice->count; i++)
        printf("%s%s", i + 1 < choice->count ? ", " : " and ", choice->titles[i]);
    printf(": ");
}

static void print_outcome(const struct candidate *best)
{
    uint32_t all = best->requests;
    printf("%s %% served, ", show_ratio(best->served, all, 100).text);
    if (best->half_ms == UINT32_MAX)
        printf("fewer than half");
    else if (best->most_ms == UINT32_MAX)
        printf("half after %s s, fewer than nine in ten", show_ratio(best->half_ms, 1000, 1).text);
    else
        printf("half after %s s, nine in ten after %s s", show_ratio(best->half_ms, 1000, 1).text,
               show_ratio(best->most_ms, 1000, 1).text);
    printf(";\n   %s calls a %s, at the peak %s times what the server can take.\n",
           show_ratio(best->calls, all, 1).text, best->setup.jobs > 1 ? "request" : "client",
           show_digits(choose_load(best), 1).text);
}

static void print_fleets(const struct known *known, const struct candidate *best)
{
    uint32_t clients = best->setup.clients;
    printf("   Simulated: %lu fleet%s", (unsigned long)best->fleets, best->fleets == 1 ? "" : "s");
    printf(" of %s client%s%s.\n", show_number(clients).text, clients == 1 ? "" : "s",
           clients == known->setup.clients ? "" : ", each with a server that is slower by the same factor");
}

static void print_policy(const struct choice *choice)
{
    const struct redial_policy *policy = &choice->best.policy;
    printf("static const struct redial_policy %s = {\n    .base_ms = %lu, .cap_ms = %lu, .jitter_ms = %lu, "
           ".max_retries = REDIAL_NO_LIMIT,\n    .max_elapsed_ms = %lu, .max_retry_after_ms = %lu, ",
           choice->name, (unsigned long)policy->base_ms, (unsigned long)policy->cap_ms,
           (unsigned long)policy->jitter_ms, (unsigned long)policy->max_elapsed_ms,
           (unsigned long)policy->max_retry_after_ms);
    if (policy->min_uptime_ms)
        printf(".min_uptime_ms = %lu,\n    ", (unsigned long)policy->min_uptime_ms);
    printf(".jitter = REDIAL_JITTER_%s", mode_names[policy->jitter]);
    if (choice->best.setup.budget)
        printf(",\n    .budget = &%s_budget", choice->name);
    if (choice->best.setup.gate)
        printf(",\n    .gate = &%s_gate", choice->name);
    printf("\n};\n");
}

/* ---- how to see it ---- */

/* The same options for herd and, as its address, for the page redial.html. */
struct way { const char *before, *between; };

static void print_number(const struct way *way, const char *name, uint32_t value, uint32_t usual)
{
    if (value != usual)
        printf("%s%s%s%lu", way->before, name, way->between, (unsigned long)value);
}

static void print_word(const struct way *way, const char *name, const char *word)
{
    printf("%s%s%s%s", way->before, name, way->between, word);
}

static void print_situation(const struct way *way, const struct known *known, const struct herd_setup *simulated)
{
    const struct herd_setup *setup = &known->setup;
    print_number(way, "jobs", setup->jobs, 1);
    print_number(way, "capacity", setup->capacity, 0);
    print_number(way, "per", setup->per_ms, 1000);
    print_number(way, "burst", setup->window_ms ? 1000 : setup->burst_ms, 1000);
    print_number(way, "window", setup->window_ms, 0);
    print_number(way, "outage", setup->outage_ms / 1000, 0);
    if (setup->answer == HERD_CONSTANT)
        print_number(way, "retry-after", setup->after_s, UINT32_MAX);
    else if (setup->answer != HERD_PLAIN)
        print_word(way, "retry-after", setup->answer == HERD_SLOT ? "slot" : "window");
    print_number(way, "workers", setup->workers, 0);
    if (setup->gate)
        print_word(way, "gate", "429");
    if (simulated->budget)
        print_number(way, "budget", simulated->budget_capacity, UINT32_MAX);
    print_number(way, "horizon", setup->horizon_ms / 1000, 0);
}

static void print_options(const struct way *way, const struct redial_policy *policy)
{
    print_word(way, "mode", mode_words[policy->jitter]);
    print_number(way, "base", policy->base_ms, 0);
    print_number(way, "cap", policy->cap_ms, 0);
    print_number(way, "jitter", policy->jitter_ms, 0);
    print_number(way, "elapsed", policy->max_elapsed_ms, 0);
    print_number(way, "max-after", policy->max_retry_after_ms, 0);
}

static void print_ways(const struct known *known, const struct candidate *best)
{
    static const struct way herd = { " --", " " }, page = { "&", "=" };
    unsigned long clients = known->setup.clients;
    printf("   herd --clients %lu", clients);
    print_situation(&herd, known, &best->setup);
    printf("\n       ");
    print_options(&herd, &best->policy);
    printf("\n   redial.html#clients=%lu", clients);
    print_situation(&page, known, &best->setup);
    print_options(&page, &best->policy);
    printf(" */\n");
}

/* ---- all ---- */

void choose_print(const struct known *known, const struct choice *choices, unsigned count, bool beyond)
{
    unsigned i;
    print_head(known, choose_span_ms(&choices[0].best.setup), beyond);
    for (i = 0; i < count; i++) {
        const struct candidate *best = &choices[i].best;
        printf("\n/* ");
        print_warning(best);
        print_title(&choices[i]);
        print_outcome(best);
        print_fleets(known, best);
        print_ways(known, best);
        print_shared(&choices[i]);
        print_policy(&choices[i]);
    }
}
