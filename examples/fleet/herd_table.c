/* Prints herd's setup, its table of the jitter modes, and its seconds. SPDX-License-Identifier: MIT
   */
#include <stdio.h>

#include "herd.h"
#include "show.h"

/* ---- the setup ---- */

static void print_clients(const struct herd_setup *setup)
{
    printf("%s %s ", show_number(setup->clients).text,
           setup->clients == 1 ? "client calls" : "clients call");
    if (setup->pause_ms)
        printf("within %s ms", show_number(2 * (uint64_t)setup->pause_ms).text);
    else
        printf("at once");
    if (setup->workers)
        printf(", in processes of %s", show_number(setup->workers).text);
    printf(".");
    if (setup->outage_ms)
        printf(" Nothing answers for %s s.", show_number(setup->outage_ms / 1000).text);
    printf("\n");
    if (setup->jobs > 1) {
        printf("Each makes %s requests", show_number(setup->jobs).text);
        if (setup->pause_ms)
            printf(", and pauses for up to %s ms before each",
                   show_number(2 * (uint64_t)setup->pause_ms).text);
        printf(".\n");
    }
}

static void print_refusal(const struct herd_setup *setup)
{
    if (setup->after_s)
        printf("It refuses the rest with 429 and Retry-After: %lu.\n",
               (unsigned long)setup->after_s);
    else
        printf("It refuses the rest with 503.\n");
}

static void print_server(const struct herd_setup *setup)
{
    printf("The server takes %s request%s ", show_number(setup->capacity).text,
           setup->capacity == 1 ? "" : "s");
    if (setup->per_ms == 1000)
        printf("a second");
    else
        printf("in %s ms", show_number(setup->per_ms).text);
    printf(", with bursts of up to %s ms.\n", show_number(setup->burst_ms).text);
}

static void print_policy(const struct herd_setup *setup)
{
    const struct redial_policy *policy = &setup->policy;
    printf("Policy: base %s ms, cap %s ms, jitter %s ms, ", show_number(policy->base_ms).text,
           show_number(policy->cap_ms).text, show_number(policy->jitter_ms).text);
    if (policy->max_retries == REDIAL_NO_LIMIT)
        printf("unlimited retries.\n");
    else
        printf("%s retries.\n", show_number(policy->max_retries).text);
    if (setup->budget)
        printf("Budget of %s: %s tokens, %s %% of one for a success.\n",
               setup->workers ? "a process" : "the fleet", show_number(setup->budget).text,
               show_number(HERD_BUDGET_PERCENT).text);
}

static void print_setup(const struct herd_setup *setup)
{
    print_clients(setup);
    print_server(setup);
    print_refusal(setup);
    if (setup->gate)
        printf("A 429 closes the gate of the process.\n");
    print_policy(setup);
    printf("Seed: %llu.\n\n", (unsigned long long)setup->seed);
}

/* ---- the jitter modes ---- */

void herd_print_head(const struct herd_setup *setup)
{
    print_setup(setup);
    printf("%-7s %8s %14s %10s %9s %13s %13s\n", "jitter", "attempts", "all served", "within 8",
           "peak in", "wasted", "gave up");
    printf("%-6s %9s %14s %10s %9s %13s\n", "mode", setup->jobs > 1 ? "a request" : "a client",
           "after", "retries", "1 s", "attempts");
    fflush(stdout);
}

static void all_served(const struct herd_setup *setup, const struct herd_result *result, char *out,
                       size_t size)
{
    if (result->served == herd_requests(setup))
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
           show_ratio(result->attempts, herd_requests(setup), 1).text, when,
           show_ratio(result->early, herd_requests(setup), 100).text,
           show_ratio(herd_peak(setup, result, 1000), setup->clients, 100).text,
           show_number(result->attempts - result->served).text,
           result->stopped ? "(interrupted)" : show_number(result->gave_up).text);
    fflush(stdout);
}

void herd_print_floor(const struct herd_setup *setup)
{
    printf("%-7s %8s %12s s\n", "(floor)",
           show_ratio(herd_least_attempts(setup), herd_requests(setup), 1).text,
           show_ratio(herd_least_ms(setup, herd_requests(setup)), 1000, 1).text);
}

/* ---- the seconds ---- */

static uint64_t in_second(const struct herd_result *result, const uint32_t *counts, uint32_t second)
{
    uint32_t each = 1000 / HERD_TICK_MS, tick;
    uint64_t sum = 0;
    for (tick = second * each; tick < second * each + each && tick < result->ticks; tick++)
        sum += counts[tick];
    return sum;
}

/* The beginning of the first second after the last run. */
static uint32_t end_s(const struct herd_row *rows)
{
    uint32_t end = 0;
    unsigned i;
    for (i = 0; i < HERD_ROWS; i++)
        if (rows[i].run && rows[i].result.now_ms > end)
            end = rows[i].result.now_ms;
    return (end + 999) / 1000;
}

void herd_print_seconds(const struct herd_row rows[HERD_ROWS])
{
    uint32_t second, end = end_s(rows);
    unsigned i;
    printf("# In each second and jitter mode: requests that arrived, and those of them that were "
           "served.\n# second");
    for (i = 0; i < HERD_ROWS; i++)
        if (rows[i].run)
            printf(" %s served", rows[i].name);
    for (second = 0; second < end; second++) {
        printf("\n%lu", (unsigned long)second);
        for (i = 0; i < HERD_ROWS; i++)
            if (rows[i].run)
                printf(
                    " %llu %llu",
                    (unsigned long long)in_second(&rows[i].result, rows[i].result.arrived, second),
                    (unsigned long long)in_second(&rows[i].result, rows[i].result.taken, second));
    }
    printf("\n");
}
