/* Policies for what you know of your service, each with its simulated outcome, as C to paste.
   SPDX-License-Identifier: MIT

       choose --within 60000 --clients 1000 --capacity 100 --outage 20 > policies.h

   It tries a few hundred policies in the simulation of herd (herd_model.h). All clients call when the outage begins,
   which is the worst case for them and for the server. It prints the documented formula, the policy that gets most
   requests through (with the fewest calls, if there are several), and among those that are nearly as good the one
   with the lowest peak. The output compiles as it is. */
#include <stdio.h>
#include <stdlib.h>

#include "herd_model.h"
#include "../common/options.h"
#include "show.h"

#define SIMULATED 10000u    /* a larger fleet is scaled down to this, and the server with it */
#define SHORTEST_MS 125u    /* bases and caps are this times a power of 2: 125 ms, ..., 1 s, 2 s, ... */

struct known { uint32_t within_ms, clients, capacity, outage_s; };

struct candidate {
    struct redial_policy policy;
    uint32_t served, peak, half_ms, most_ms;    /* most: nine in ten */
    uint64_t calls;
};

/* ---- trying one ---- */

static struct herd_setup scaled(const struct known *known)
{
    uint32_t by = known->clients / SIMULATED;
    struct herd_setup setup = { .window_ms = 100, .outage_ms = known->outage_s * 1000, .seed = 1,
                                .horizon_ms = known->within_ms + 1000 };
    if (by > known->capacity)
        by = known->capacity;
    if (by == 0)
        by = 1;
    setup.capacity = known->capacity / by;
    setup.clients = (uint32_t)((uint64_t)known->clients * setup.capacity / known->capacity);
    return setup;
}

static struct candidate tried(const struct known *known, struct redial_policy policy)
{
    struct candidate candidate = { .policy = policy };
    struct herd_setup setup = scaled(known);
    struct herd_result result;
    setup.policy = policy;
    if (!herd_run(&setup, &result)) {
        fprintf(stderr, "choose: no memory for %lu clients\n", (unsigned long)setup.clients);
        exit(1);
    }
    candidate.served = result.served;
    candidate.calls = result.calls;
    candidate.peak = herd_peak(&setup, &result);
    candidate.half_ms = herd_share_ms(&setup, &result, 500);
    candidate.most_ms = herd_share_ms(&setup, &result, 900);
    herd_free(&result);
    return candidate;
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
    policy.max_elapsed_ms = policy.max_retry_after_ms = known->within_ms;
    return policy;
}

/* ---- choosing ---- */

/* More requests through; where that is equal to a thousandth, fewer calls. */
static bool serves_more(const struct candidate *a, const struct candidate *b, uint32_t clients)
{
    uint32_t slack = clients / 1000;
    if (a->served > b->served + slack || b->served > a->served + slack)
        return a->served > b->served;
    return a->calls < b->calls;
}

static bool lower(const struct candidate *a, const struct candidate *b)
{
    return a->peak != b->peak ? a->peak < b->peak : a->calls < b->calls;
}

struct field { struct candidate all[400]; unsigned count; };     /* room for 6 caps, 15 bases, 4 modes */

/* Caps from a 64th of the time to half of it: with others a call has far too many retries, or too few. Bases up to a
   16th, so that a single failure costs little. */
static void try_all(const struct known *known, struct field *field)
{
    uint32_t cap_ms, base_ms, longest_ms = known->within_ms / 16;
    int mode;
    if (longest_ms < SHORTEST_MS)
        longest_ms = SHORTEST_MS;
    for (cap_ms = SHORTEST_MS; cap_ms < known->within_ms / 64; cap_ms *= 2)
        continue;
    for (; cap_ms <= known->within_ms / 2; cap_ms *= 2)
        for (base_ms = SHORTEST_MS; base_ms <= cap_ms && base_ms <= longest_ms; base_ms *= 2)
            for (mode = REDIAL_JITTER_ADDED; mode <= REDIAL_JITTER_FULL; mode++)
                field->all[field->count++] = tried(known, policy_of(known, (enum redial_jitter)mode, base_ms, cap_ms));
}

static const struct candidate *most_served(const struct field *field, uint32_t clients)
{
    const struct candidate *best = &field->all[0];
    unsigned i;
    for (i = 1; i < field->count; i++)
        if (serves_more(&field->all[i], best, clients))
            best = &field->all[i];
    return best;
}

/* Of those that serve at least 99 in 100 of what the best one serves. */
static const struct candidate *lowest_peak(const struct field *field, const struct candidate *best)
{
    const struct candidate *choice = best;
    unsigned i;
    for (i = 0; i < field->count; i++)
        if ((uint64_t)field->all[i].served * 100 >= (uint64_t)best->served * 99 && lower(&field->all[i], choice))
            choice = &field->all[i];
    return choice;
}

/* ---- printing: C, with the outcome in comments ---- */

static void print_when(const char *who, uint32_t ms)
{
    if (ms == UINT32_MAX)
        printf("%s never", who);
    else
        printf("%s after %s s", who, show_ratio(ms, 1000, 1).text);
}

static void print(const struct known *known, const struct candidate *candidate, const char *title, const char *name)
{
    static const char *const modes[] = { "ADDED", "SPREAD", "EQUAL", "FULL" };
    const struct herd_setup setup = scaled(known);
    const struct redial_policy *policy = &candidate->policy;
    printf("\n/* %s: %s %% served, ", title, show_ratio(candidate->served, setup.clients, 100).text);
    print_when("half", candidate->half_ms);
    print_when(", nine in ten", candidate->most_ms);
    printf(";\n   %s calls a client, at the peak %s times what the server can take. */\n",
           show_ratio(candidate->calls, setup.clients, 1).text, show_ratio(candidate->peak, setup.capacity, 1).text);
    printf("static const struct redial_policy %s = {\n    .base_ms = %lu, .cap_ms = %lu, .jitter_ms = %lu, "
           ".max_retries = REDIAL_NO_LIMIT,\n    .max_elapsed_ms = %lu, .max_retry_after_ms = %lu, "
           ".jitter = REDIAL_JITTER_%s\n};\n",
           name, (unsigned long)policy->base_ms, (unsigned long)policy->cap_ms, (unsigned long)policy->jitter_ms,
           (unsigned long)policy->max_elapsed_ms, (unsigned long)policy->max_retry_after_ms, modes[policy->jitter]);
}

static void print_head(const struct known *known)
{
    const struct herd_setup setup = scaled(known);
    printf("/* A request may take %s s in all; %s clients; %s requests a second; an outage of %s s.\n",
           show_ratio(known->within_ms, 1000, 1).text, show_number(known->clients).text,
           show_number(known->capacity).text, show_number(known->outage_s).text);
    if (setup.clients != known->clients)
        printf("   Simulated to scale: %s clients, %s requests a second.\n", show_number(setup.clients).text,
               show_number(setup.capacity).text);
    printf("   Calls count from the beginning of the outage. */\n#include <redial.h>\n");
}

/* ---- options ---- */

static void read_known(int argc, char **argv, struct known *known)
{
    const struct option options[] = {
        { "within", "MS", "how long a request may take in all", &known->within_ms, 1000, 3600000, NULL, NULL },
        { "clients", "N", "clients that call at once", &known->clients, 1, 10000000, NULL, NULL },
        { "capacity", "N", "requests a second that the server takes", &known->capacity, 1, 1000000000, NULL, NULL },
        { "outage", "S", "seconds for which nothing answers", &known->outage_s, 0, 3600, NULL, NULL },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }
    };
    char what[64];
    options_read(argc, argv, "choose: policies for what you know, with their simulated outcome, as C.", options);
    snprintf(what, sizeof what, "--within %lu --outage %lu", (unsigned long)known->within_ms,
             (unsigned long)known->outage_s);
    if (known->outage_s >= known->within_ms / 1000)
        options_refuse(what, "a request must be allowed to take longer than the outage, or none can be served");
    snprintf(what, sizeof what, "--clients %lu --capacity %lu", (unsigned long)known->clients,
             (unsigned long)known->capacity);
    if (known->clients / 10 > (uint64_t)known->capacity * (known->within_ms / 1000 - known->outage_s))
        options_refuse(what, "no policy helps where the server can take less than a tenth of the clients in time");
}

int main(int argc, char **argv)
{
    static struct field field;
    struct known known = { 60000, 1000, 100, 20 };
    const struct candidate *most, *lowest;
    struct candidate documented;
    uint32_t cap_ms;
    read_known(argc, argv, &known);
    cap_ms = known.within_ms < 32000 ? known.within_ms : 32000;
    print_head(&known);
    fflush(stdout);
    documented = tried(&known, policy_of(&known, REDIAL_JITTER_ADDED, 1000, cap_ms));
    try_all(&known, &field);
    most = most_served(&field, scaled(&known).clients);
    lowest = lowest_peak(&field, most);
    print(&known, &documented, "The documented formula", "documented");
    print(&known, most, "Most requests through", "most_served");
    if (lowest != most)
        print(&known, lowest, "Lowest peak", "lowest_peak");
    return 0;
}
