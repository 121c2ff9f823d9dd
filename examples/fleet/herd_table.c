/* The table of herd. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "herd.h"
#include "show.h"

void herd_print_head(const struct herd_setup *setup)
{
    const struct redial_policy *policy = &setup->policy;
    printf("%s clients call at once.", show_number(setup->clients).text);
    if (setup->outage_ms)
        printf(" Nothing answers for %s s.", show_number(setup->outage_ms / 1000).text);
    printf("\nThe server takes %s requests a second, in windows of %s ms.\nIt refuses the rest with ",
           show_number(setup->capacity).text, show_number(setup->window_ms).text);
    if (setup->answer == HERD_SLOT)
        printf("429. Retry-After is the client's place in a queue.\n");
    else if (setup->answer == HERD_CONSTANT)
        printf("503 and Retry-After: %lu.\n", (unsigned long)setup->after_s);
    else
        printf("503.\n");
    printf("Policy: base %s ms, cap %s ms, jitter %s ms, ", show_number(policy->base_ms).text,
           show_number(policy->cap_ms).text, show_number(policy->jitter_ms).text);
    if (policy->max_retries == REDIAL_NO_LIMIT)
        printf("unlimited retries.\n");
    else
        printf("%s retries.\n", show_number(policy->max_retries).text);
    printf("Seed: %llu.\n\n", (unsigned long long)setup->seed);
    printf("%-7s %8s %14s %10s %9s %13s %13s\n", "jitter", "calls a", "all served", "within 8", "peak in", "wasted",
           "gave up");
    printf("%-7s %8s %14s %10s %9s %13s\n", "mode", "client", "after", "retries", "1 s", "calls");
    fflush(stdout);
}

static void all_served(const struct herd_setup *setup, const struct herd_result *result, char *out, size_t size)
{
    if (result->served == setup->clients)
        snprintf(out, size, "%s s", show_ratio(result->last_served_ms, 1000, 1).text);
    else if (result->gave_up)
        snprintf(out, size, "never");
    else
        snprintf(out, size, "> %s s", show_ratio(result->now_ms, 1000, 1).text);
}

void herd_print_row(const struct herd_row *row)
{
    const struct herd_setup *setup = &row->setup;
    const struct herd_result *result = &row->result;
    char when[64];
    all_served(setup, result, when, sizeof when);
    printf("%-7s %8s %14s %8s %% %7s %% %13s %13s\n", row->name,
           show_ratio(result->calls, setup->clients, 1).text, when,
           show_ratio(result->early, setup->clients, 100).text,
           show_ratio(herd_peak(setup, result), setup->clients, 100).text,
           show_number(result->calls - result->served).text,
           result->stopped ? "(interrupted)" : show_number(result->gave_up).text);
    fflush(stdout);
}

void herd_print_floor(const struct herd_setup *setup)
{
    uint64_t quota = (uint64_t)setup->capacity * setup->window_ms;  /* thousandths of a request */
    uint64_t first = setup->outage_ms / setup->window_ms, at_once = setup->outage_ms ? 0 : quota / 1000;
    uint64_t windows = ((quota * first / 1000 + setup->clients) * 1000 + quota - 1) / quota;
    uint64_t ms = (windows - 1) * setup->window_ms;
    if (at_once > setup->clients)
        at_once = setup->clients;
    printf("%-7s %8s %12s s\n", "(floor)", show_ratio(2 * (uint64_t)setup->clients - at_once, setup->clients, 1).text,
           show_ratio(ms > setup->outage_ms ? ms : setup->outage_ms, 1000, 1).text);
}
