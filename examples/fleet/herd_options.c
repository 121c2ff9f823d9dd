/* The options of herd and their defaults. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "herd.h"
#include "../common/options.h"

#define NOT_SET UINT32_MAX
#define SLOT (UINT32_MAX - 1)

static const char about[] =
    "herd: simulates a fleet of clients that fail together and call again.\n"
    "\n"
    "  calls a client     all of them, the first and the one that is served included\n"
    "  within 8 retries   the share of the clients that needed no more retries\n"
    "  peak in 1 s        the most requests in any second after the recovery, as a\n"
    "                     share of the fleet\n"
    "  wasted calls       requests that were not served\n"
    "  (floor)            no fleet can do better\n";

struct wishes {
    uint32_t clients, capacity, outage_s, window_ms, retry_after, mode, budget, budget_percent, seed, horizon_s;
    struct redial_policy policy;
    const char *svg;
};

static void read_options(int argc, char **argv, struct wishes *w)
{
    static const struct option_word modes[] = { OPTION_MODES, { "all", HERD_ALL_MODES }, { NULL, 0 } };
    static const struct option_word after[] = { { "none", NOT_SET }, { "slot", SLOT }, { NULL, 0 } };
    static const struct option_word no_budget[] = { { "none", NOT_SET }, { NULL, 0 } };
    static const struct option_word hundredth[] = { { "clients/100", NOT_SET }, { NULL, 0 } };
    const struct option options[] = {
        { "clients", "N", "clients, which all call at 0 s", &w->clients, 1, 10000000, NULL, NULL },
        { "capacity", "N", "requests a second that the server takes", &w->capacity, 1, 1000000000, hundredth, NULL },
        { "outage", "S", "seconds for which nothing answers", &w->outage_s, 0, 1000000, NULL, NULL },
        { "window", "MS", "capacity is counted in windows of this", &w->window_ms, 1, 3600000, NULL, NULL },
        { "retry-after", "S", "what a refusal says: none, slot or seconds", &w->retry_after, 0, 4000000, after, NULL },
        { "mode", "MODE", "of jitter: added, spread, equal, full, none, all", &w->mode, 1, 0, modes, NULL },
        { "base", "MS", "the first wait, before jitter", &w->policy.base_ms, 1, UINT32_MAX, NULL, NULL },
        { "cap", "MS", "the longest wait of a client's own", &w->policy.cap_ms, 1, UINT32_MAX, NULL, NULL },
        OPTION_JITTER(&w->policy.jitter_ms),
        OPTION_RETRIES(&w->policy.max_retries),
        { "elapsed", "MS", "a client gives up after this; 0: never", &w->policy.max_elapsed_ms, 0, UINT32_MAX,
          NULL, NULL },
        { "max-after", "MS", "the longest Retry-After it accepts; 0: the cap", &w->policy.max_retry_after_ms,
          0, UINT32_MAX, NULL, NULL },
        { "budget", "N", "tokens in one budget for the whole fleet", &w->budget, 0, UINT32_MAX - 1, no_budget, NULL },
        { "budget-percent", "N", "of a token that a success earns", &w->budget_percent, 0, 1000000, NULL, NULL },
        { "seed", "N", "another draw of everything", &w->seed, 0, UINT32_MAX, NULL, NULL },
        { "horizon", "S", "seconds after which the simulation ends", &w->horizon_s, 1, 1000000, NULL, NULL },
        { "svg", "FILE", "write a picture too", NULL, 0, 0, NULL, &w->svg },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }
    };
    char what[64];
    options_read(argc, argv, about, options);
    options_set_mode(&w->policy, w->mode == HERD_ALL_MODES ? REDIAL_JITTER_ADDED : w->mode);
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
                             .mode = HERD_ALL_MODES, .budget = NOT_SET, .budget_percent = 10, .seed = 1,
                             .horizon_s = 3600, .policy = REDIAL_POLICY_DEFAULT };
    wishes.policy.max_retries = REDIAL_NO_LIMIT;
    read_options(argc, argv, &wishes);
    task->setup = setup_of(&wishes);
    task->mode = wishes.mode;
    task->svg = wishes.svg;
}
