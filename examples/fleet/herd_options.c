/* The options of herd and their defaults. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "herd.h"
#include "options.h"

#define NOT_SET UINT32_MAX
#define SLOT (UINT32_MAX - 1)
#define WINDOW (UINT32_MAX - 2)

static const char about[] =
    "herd: simulates a fleet of clients that fail together and call again.\n"
    "\n"
    "  calls a client     all calls: the first, the retries, the one that is served\n"
    "  within 8 retries   the share of the clients that needed no more retries\n"
    "  peak in 1 s        the most requests in any second after the recovery, as a\n"
    "                     share of the fleet\n"
    "  wasted calls       requests that were not served\n"
    "  (floor)            the best that is possible\n";

struct wishes {
    uint32_t clients, jobs, pause_ms, capacity, per_ms, burst_ms, window_ms, outage_s, retry_after;
    uint32_t bad_percent, bad_after_s, workers, gate, mode, seconds, budget, budget_percent, seed, horizon_s;
    struct redial_policy policy;
};

/* ---- reading ---- */

static const struct option_word gate_words[] = {
    { "none", HERD_NO_GATE }, { "429", HERD_GATE_ON_429 }, { "429+503", HERD_GATE_ON_429_AND_503 }, { NULL, 0 }
};
static const struct option_word mode_words[] = { OPTION_MODES, { "all", HERD_ALL_MODES }, { NULL, 0 } };
static const struct option_word after_words[] = {
    { "none", NOT_SET }, { "slot", SLOT }, { "window", WINDOW }, { NULL, 0 }
};
static const struct option_word not_set[] = { { "none", NOT_SET }, { NULL, 0 } };
static const struct option_word zero[] = { { "none", 0 }, { NULL, 0 } };
static const struct option_word hundredth[] = { { "clients/100", NOT_SET }, { NULL, 0 } };

static void read_options(int argc, char **argv, struct wishes *w)
{
    const struct option options[] = {
        { "clients", "N", "clients, which all call at 0 s", &w->clients, 1, 10000000, NULL, NULL },
        { "jobs", "N", "requests of each client, one after another", &w->jobs, 1, 100000, NULL, NULL },
        { "pause", "TIME", "pause before a request: random, at most twice this", &w->pause_ms, 0, 1000000, NULL, NULL },
        { "capacity", "N", "requests that the server takes in a second", &w->capacity, 1, 1000000000, hundredth, NULL },
        { "per", "TIME", "the period of --capacity, if it is not a second", &w->per_ms, 1, HERD_MOST_MS, NULL, NULL },
        { "burst", "TIME", "the server saves up unused capacity for so long", &w->burst_ms, 0, 3600000, NULL, NULL },
        { "window", "TIME", "or counts in windows, and saves nothing", &w->window_ms, 1, 3600000, zero, NULL },
        { "outage", "SECONDS", "seconds for which nothing answers", &w->outage_s, 0, 1000000, NULL, NULL },
        { "retry-after", "SECONDS", "what a refusal says: seconds, slot, window, none", &w->retry_after, 0, 4000000,
          after_words, NULL },
        { "bad", "PERCENT", "requests that reach a bad replica, and get 503", &w->bad_percent, 0, 100, NULL, NULL },
        { "bad-after", "SECONDS", "the Retry-After of that replica", &w->bad_after_s, 0, 4000000, NULL, NULL },
        { "mode", "MODE", "added, wide, full, none or all", &w->mode, 1, 0, mode_words, NULL },
        { "base", "TIME", "the first wait, before jitter", &w->policy.base_ms, 1, UINT32_MAX, NULL, NULL },
        { "cap", "TIME", "the longest wait without a Retry-After", &w->policy.cap_ms, 1, UINT32_MAX, NULL, NULL },
        OPTION_JITTER(&w->policy.jitter_ms),
        OPTION_RETRIES(&w->policy.max_retries),
        { "elapsed", "TIME", "a client gives up after this; 0: never", &w->policy.max_elapsed_ms, 0, UINT32_MAX,
          NULL, NULL },
        { "max-after", "TIME", "the longest Retry-After it accepts; 0: 5 min or cap", &w->policy.max_retry_after_ms,
          0, UINT32_MAX, NULL, NULL },
        { "workers", "N", "clients of a process, which share gate and budget", &w->workers, 1, 10000000, zero, NULL },
        { "gate", "WHEN", "a Retry-After closes it on: none, 429 or 429+503", &w->gate, 1, 0, gate_words, NULL },
        { "budget", "N", "tokens of a budget for a process, or the fleet", &w->budget, 0, UINT32_MAX - 1, not_set,
          NULL },
        { "budget-percent", "N", "hundredths of a token that a success earns", &w->budget_percent, 0, 1000000,
          NULL, NULL },
        { "seed", "N", "the seed of all random numbers", &w->seed, 0, UINT32_MAX, NULL, NULL },
        { "horizon", "SECONDS", "seconds after which the simulation ends", &w->horizon_s, 1, 1000000, NULL, NULL },
        { "seconds", NULL, "print each second instead, as columns for gnuplot", &w->seconds, 0, 0, NULL, NULL },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }
    };
    options_read(argc, argv, about, options);
    options_set_mode(&w->policy, w->mode == HERD_ALL_MODES ? REDIAL_JITTER_ADDED : w->mode);
}

/* ---- rules for more than one option ---- */

static void check(const struct wishes *w)
{
    char what[80];
    snprintf(what, sizeof what, "--outage %lu --horizon %lu", (unsigned long)w->outage_s, (unsigned long)w->horizon_s);
    if (w->outage_s >= w->horizon_s)
        options_refuse(what, "the horizon must lie beyond the outage");
    snprintf(what, sizeof what, "--clients %lu --jobs %lu", (unsigned long)w->clients, (unsigned long)w->jobs);
    if ((uint64_t)w->clients * w->jobs > HERD_MOST_REQUESTS)
        options_refuse(what, "at most 1000000000 requests");
    if (w->gate != HERD_NO_GATE && w->workers == 0)
        options_refuse("--gate", "--workers must say how many clients share one");
    if (w->retry_after == WINDOW && w->window_ms == 0)
        options_refuse("--retry-after window", "--window must say how long one is");
}

static enum herd_answer answer_of(uint32_t retry_after)
{
    switch (retry_after) {
    case NOT_SET: return HERD_PLAIN;
    case SLOT: return HERD_SLOT;
    case WINDOW: return HERD_REST;
    default: return HERD_CONSTANT;
    }
}

static struct herd_setup setup_of(const struct wishes *w)
{
    struct herd_setup setup = {
        .policy = w->policy, .clients = w->clients, .jobs = w->jobs, .capacity = w->capacity, .per_ms = w->per_ms,
        .burst_ms = w->burst_ms, .window_ms = w->window_ms,
        .outage_ms = w->outage_s * 1000, .horizon_ms = w->horizon_s * 1000,
        .pause_ms = w->pause_ms, .bad_percent = w->bad_percent, .bad_after_s = w->bad_after_s,
        .workers = w->workers, .gate = (enum herd_gate)w->gate, .budget = w->budget != NOT_SET,
        .budget_capacity = w->budget, .budget_percent = w->budget_percent, .seed = w->seed
    };
    setup.answer = answer_of(w->retry_after);
    setup.after_s = setup.answer == HERD_CONSTANT ? w->retry_after : 0;
    if (w->capacity == NOT_SET)
        setup.capacity = w->clients < 100 ? 1 : w->clients / 100;
    return setup;
}

void herd_read(int argc, char **argv, struct herd_task *task)
{
    struct wishes wishes = { .clients = 1000, .jobs = 1, .capacity = NOT_SET, .per_ms = 1000, .burst_ms = 1000,
                             .retry_after = NOT_SET, .bad_after_s = 30, .mode = HERD_ALL_MODES,
                             .budget = NOT_SET, .budget_percent = 10, .seed = 1, .horizon_s = 3600,
                             .policy = REDIAL_POLICY_DEFAULT };
    wishes.policy.max_retries = REDIAL_NO_LIMIT;
    read_options(argc, argv, &wishes);
    check(&wishes);
    task->setup = setup_of(&wishes);
    task->mode = wishes.mode;
    task->seconds = wishes.seconds;
}
