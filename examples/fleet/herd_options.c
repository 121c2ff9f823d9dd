/* The options of herd: what is given, and what holds without it. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "herd.h"
#include "../common/options.h"

#define NOT_SET UINT32_MAX
#define SLOT (UINT32_MAX - 1)

static const char about[] =
    "herd: simulates a fleet of clients that fail together and call again.\n"
    "\n"
    "  calls a client     the first, which fails, and the one that is served included\n"
    "  within 8 retries   the share of the clients that was served so early\n"
    "  peak in 1 s        the most requests in any second after the recovery, as a share of the fleet\n"
    "  wasted calls       those that were not served\n"
    "  (floor)            what no fleet can do better\n";

struct wishes {
    uint32_t clients, capacity, outage_s, window_ms, retry_after, kind, budget, budget_percent, seed, horizon_s;
    struct redial_policy policy;
    const char *svg;
};

static void read_options(int argc, char **argv, struct wishes *w)
{
    static const struct option_word kinds[] = { { "none", 0 }, { "added", 1 }, { "spread", 2 }, { "equal", 3 },
                                                { "full", 4 }, { "all", HERD_ROWS }, { NULL, 0 } };
    static const struct option_word after[] = { { "none", NOT_SET }, { "slot", SLOT }, { NULL, 0 } };
    static const struct option_word forever[] = { { "forever", REDIAL_NO_LIMIT }, { NULL, 0 } };
    static const struct option_word no_budget[] = { { "none", NOT_SET }, { NULL, 0 } };
    static const struct option_word hundredth[] = { { "clients/100", NOT_SET }, { NULL, 0 } };
    const struct option options[] = {
        { "clients", "N", "clients, which all call at 0 s", &w->clients, 1, 10000000, NULL, NULL },
        { "capacity", "N", "requests a second that the server takes", &w->capacity, 1, 1000000000, hundredth, NULL },
        { "outage", "S", "seconds for which nothing answers", &w->outage_s, 0, 1000000, NULL, NULL },
        { "window", "MS", "capacity is counted in windows of this", &w->window_ms, 1, 3600000, NULL, NULL },
        { "retry-after", "S", "what a refusal says: none, slot or seconds", &w->retry_after, 0, 4000000, after, NULL },
        { "kind", "KIND", "of jitter: none, added, spread, equal, full, all", &w->kind, 1, 0, kinds, NULL },
        { "base", "MS", "the first wait, before jitter", &w->policy.base_ms, 1, UINT32_MAX, NULL, NULL },
        { "cap", "MS", "the longest wait of a client's own", &w->policy.cap_ms, 1, UINT32_MAX, NULL, NULL },
        { "jitter", "MS", "added, spread, Retry-After: the random part", &w->policy.jitter_ms, 0, REDIAL_JITTER_MAX_MS,
          NULL, NULL },
        { "retries", "N", "attempts after the first", &w->policy.max_retries, 0, UINT32_MAX - 1, forever, NULL },
        { "elapsed", "MS", "a client gives up after this; 0: never", &w->policy.max_elapsed_ms, 0, UINT32_MAX,
          NULL, NULL },
        { "max-after", "MS", "the longest Retry-After it accepts; 0: the cap", &w->policy.max_retry_after_ms, 0, UINT32_MAX,
          NULL, NULL },
        { "budget", "N", "tokens in one budget for the whole fleet", &w->budget, 0, UINT32_MAX - 1, no_budget, NULL },
        { "budget-percent", "N", "of a token that a success earns", &w->budget_percent, 0, 1000000, NULL, NULL },
        { "seed", "N", "another draw of everything", &w->seed, 0, UINT32_MAX, NULL, NULL },
        { "horizon", "S", "seconds after which the simulation ends", &w->horizon_s, 1, 1000000, NULL, NULL },
        { "svg", "FILE", "write a picture too", NULL, 0, 0, NULL, &w->svg },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }
    };
    char what[64];
    options_read(argc, argv, about, options);
    snprintf(what, sizeof what, "--base %lu --cap %lu", (unsigned long)w->policy.base_ms,
             (unsigned long)w->policy.cap_ms);
    if (redial_policy_check(&w->policy) != REDIAL_POLICY_OK)
        options_refuse(what, redial_policy_error_text((int)redial_policy_check(&w->policy)));
    snprintf(what, sizeof what, "--outage %lu --horizon %lu", (unsigned long)w->outage_s, (unsigned long)w->horizon_s);
    if (w->outage_s >= w->horizon_s)
        options_refuse(what, "the horizon must lie beyond the outage");
}

static struct herd_setup setup_of(const struct wishes *w)
{
    struct herd_setup setup = {
        .policy = w->policy, .clients = w->clients, .capacity = w->capacity, .window_ms = w->window_ms,
        .outage_ms = w->outage_s * 1000, .horizon_ms = w->horizon_s * 1000,
        .answer = w->retry_after == NOT_SET ? HERD_PLAIN : w->retry_after == SLOT ? HERD_SLOT : HERD_CONSTANT,
        .after_s = w->retry_after, .budget = w->budget != NOT_SET, .budget_capacity = w->budget,
        .budget_percent = w->budget_percent, .seed = w->seed
    };
    if (w->capacity == NOT_SET)
        setup.capacity = w->clients < 100 ? 1 : w->clients / 100;
    return setup;
}

void herd_read(int argc, char **argv, struct herd_task *task)
{
    struct wishes wishes = { .clients = 1000, .capacity = NOT_SET, .window_ms = 100, .retry_after = NOT_SET,
                             .kind = HERD_ROWS, .budget = NOT_SET, .budget_percent = 10, .seed = 1, .horizon_s = 3600,
                             .policy = REDIAL_POLICY_DEFAULT };
    wishes.policy.max_retries = REDIAL_NO_LIMIT;
    read_options(argc, argv, &wishes);
    task->setup = setup_of(&wishes);
    task->kind = wishes.kind;
    task->svg = wishes.svg;
}
