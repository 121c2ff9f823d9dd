/* The options of herd and their defaults, by getopt_long. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "herd.h"

#define NOT_SET UINT32_MAX
#define SLOT (UINT32_MAX - 1)
#define WINDOW (UINT32_MAX - 2)
#define HOUR_MS 3600000u

static const char about[] =
    "herd: simulates a fleet of clients that fail together and call again.\n"
    "\n"
    "  attempts a client  the first one, the retries, and the one that is served\n"
    "  within 8 retries   the share of the clients that needed no more retries\n"
    "  peak in 1 s        the most attempts in any second after the recovery, as a\n"
    "                     share of the fleet\n"
    "  wasted attempts    those that were not served\n"
    "  (floor)            the best that is possible\n"
    "\n"
    "Times are in seconds, or have the unit ms, s, m or h. Options, with [defaults]:\n";

struct wishes {
    uint32_t clients, jobs, pause_ms, capacity, per_ms, burst_ms, window_ms, outage_s, retry_after;
    uint32_t bad_percent, bad_after_s, workers, gate, mode, budget, budget_percent, seed, horizon_s;
    uint32_t seconds;
    struct redial_policy policy;
};

/* ---- the table of options ---- */

enum unit { NUMBER, MS, SECONDS };

struct word {
    const char *text;
    uint32_t value;
};

static const struct word none_0[] = { { "none", 0 }, { NULL, 0 } };
static const struct word none[] = { { "none", NOT_SET }, { NULL, 0 } };
static const struct word hundredth[] = { { "clients/100", NOT_SET }, { NULL, 0 } };
static const struct word after[] = {
    { "none", NOT_SET }, { "slot", SLOT }, { "window", WINDOW }, { NULL, 0 }
};
static const struct word modes[] = {
    { "added", REDIAL_JITTER_ADDED }, { "wide", REDIAL_JITTER_WIDE },
    { "full", REDIAL_JITTER_FULL },   { "none", REDIAL_JITTER_NONE },
    { "all", HERD_ALL_MODES },        { NULL, 0 }
};
static const struct word unlimited[] = { { "unlimited", REDIAL_NO_LIMIT }, { NULL, 0 } };
static const struct word gates[] = {
    { "none", HERD_NO_GATE }, { "429", HERD_GATE_ON_429 }, { "429+503", HERD_GATE_ON_429_AND_503 },
    { NULL, 0 }
};

/* A value is a number in the range, or a word. */
#define OF(member) offsetof(struct wishes, member)
static const struct rule {
    const char *name, *about;
    size_t member;
    enum unit unit;
    uint32_t least, most;
    const struct word *words;
} rules[] = {
    { "clients", "clients, which all call at 0 s", OF(clients), NUMBER, 1, 10000000, NULL },
    { "jobs", "requests of each client, one after another", OF(jobs), NUMBER, 1, 100000, NULL },
    { "pause", "pause before a request: random, at most twice this", OF(pause_ms), MS, 0, 1000000,
      NULL },
    { "capacity", "requests that the server takes in a second", OF(capacity), NUMBER, 1, 1000000000,
      hundredth },
    { "per", "the period of --capacity, if it is not a second", OF(per_ms), MS, 1, HERD_MOST_MS,
      NULL },
    { "burst", "the server saves up unused capacity for so long", OF(burst_ms), MS, 0, HOUR_MS,
      NULL },
    { "window", "or counts in windows, and saves nothing", OF(window_ms), MS, 1, HOUR_MS, none_0 },
    { "outage", "seconds for which nothing answers", OF(outage_s), SECONDS, 0, 1000000, NULL },
    { "retry-after", "what a refusal says: seconds, or a word", OF(retry_after), SECONDS, 0,
      4000000, after },
    { "bad", "percent of requests that reach a bad replica: 503", OF(bad_percent), NUMBER, 0, 100,
      NULL },
    { "bad-after", "the Retry-After of that replica", OF(bad_after_s), SECONDS, 0, 4000000, NULL },
    { "mode", "the jitter mode", OF(mode), NUMBER, 1, 0, modes },
    { "base", "the first wait, before jitter", OF(policy.base_ms), MS, 1, UINT32_MAX, NULL },
    { "cap", "the longest wait without a Retry-After", OF(policy.cap_ms), MS, 1, UINT32_MAX, NULL },
    { "jitter", "the random part of a wait", OF(policy.jitter_ms), MS, 1, REDIAL_JITTER_MAX_MS,
      NULL },
    { "retries", "attempts after the first", OF(policy.max_retries), NUMBER, 0, UINT32_MAX - 1,
      unlimited },
    { "elapsed", "a client gives up after this; 0: never", OF(policy.max_elapsed_ms), MS, 0,
      UINT32_MAX, NULL },
    { "max-after", "the longest Retry-After it accepts; 0: 5 min or cap",
      OF(policy.max_retry_after_ms), MS, 0, UINT32_MAX, NULL },
    { "workers", "clients of a process, which share gate and budget", OF(workers), NUMBER, 1,
      10000000, none_0 },
    { "gate", "the answers whose Retry-After closes it", OF(gate), NUMBER, 1, 0, gates },
    { "budget", "tokens of a budget for a process, or the fleet", OF(budget), NUMBER, 0,
      UINT32_MAX - 1, none },
    { "budget-percent", "hundredths of a token that a success earns", OF(budget_percent), NUMBER, 0,
      1000000, NULL },
    { "seed", "the seed of all random numbers", OF(seed), NUMBER, 0, UINT32_MAX, NULL },
    { "horizon", "seconds after which the simulation ends", OF(horizon_s), SECONDS, 1, 1000000,
      NULL },
};
#define RULES (sizeof rules / sizeof *rules)

static uint32_t *member(struct wishes *wishes, const struct rule *rule)
{
    return (uint32_t *)(void *)((char *)wishes + rule->member);
}

/* ---- help and refusals ---- */

static _Noreturn void refuse(const char *what, const char *rule)
{
    fprintf(stderr, "herd: %s: %s\n", what, rule);
    exit(2);
}

static _Noreturn void refuse_value(const struct rule *rule, const char *value)
{
    static const char *const units[] = { "", " ms", " s" };
    const struct word *word;
    fprintf(stderr, "herd: --%s %s: must be", rule->name, value);
    if (rule->least <= rule->most)
        fprintf(stderr, " from %lu to %lu%s", (unsigned long)rule->least,
                (unsigned long)rule->most, units[rule->unit]);
    for (word = rule->words; word && word->text; word++)
        fprintf(stderr, "%s %s", word > rule->words || rule->least <= rule->most ? " or" : "",
                word->text);
    fputc('\n', stderr);
    exit(2);
}

static void print_help(struct wishes *defaults)
{
    static const char *const units[] = { "", "ms", "s" };
    unsigned i;
    fputs(about, stdout);
    for (i = 0; i < RULES; i++) {
        uint32_t number = *member(defaults, &rules[i]);
        const struct word *word = rules[i].words;
        while (word && word->text && word->value != number)
            word++;
        printf("  --%-16s %s [", rules[i].name, rules[i].about);
        if (word && word->text)
            printf("%s]\n", word->text);
        else
            printf("%lu%s]\n", (unsigned long)number, units[rules[i].unit]);
    }
    printf("  --%-16s print each second instead, as columns for gnuplot\n", "seconds");
}

/* ---- reading ---- */

/* The number of the option's unit, or -1: the text is no such number. */
static double number_of(const char *text, enum unit unit)
{
    static const struct word units[] = { { "", 1000 },   { "s", 1000 },     { "ms", 1 },
                                         { "m", 60000 }, { "h", HOUR_MS },  { NULL, 0 } };
    const struct word *word = units;
    char *end;
    double number = strtod(text, &end);
    if (strspn(text, "0123456789.") != (size_t)(end - text) || end == text)
        return -1;   /* a sign, an exponent, inf */
    if (unit == NUMBER)
        return *end ? -1 : number;
    while (word->text && strcmp(word->text, end) != 0)
        word++;
    return word->text ? number * word->value / (unit == MS ? 1 : 1000) : -1;
}

static void read_value(const struct rule *rule, const char *value, uint32_t *out)
{
    const struct word *word = rule->words;
    double number = number_of(value, rule->unit);
    while (word && word->text && strcmp(word->text, value) != 0)
        word++;
    if (word && word->text)
        *out = word->value;
    else if (number < rule->least || number > rule->most || number != (uint32_t)number)
        refuse_value(rule, value);
    else
        *out = (uint32_t)number;
}

static void read_options(int argc, char **argv, struct wishes *wishes)
{
    struct option options[RULES + 3] = { { .name = NULL } };
    struct wishes defaults = *wishes;
    int found = 0;
    unsigned i;
    for (i = 0; i < RULES; i++)
        options[i] = (struct option){ rules[i].name, required_argument, &found, (int)i };
    options[RULES] = (struct option){ "seconds", no_argument, &found, RULES };
    options[RULES + 1] = (struct option){ "help", no_argument, &found, RULES + 1 };
    while ((i = (unsigned)getopt_long(argc, argv, "", options, NULL)) == 0) {
        if (found < (int)RULES)
            read_value(&rules[found], optarg, member(wishes, &rules[found]));
        else if (found == (int)RULES)
            wishes->seconds = 1;
        else {
            print_help(&defaults);
            herd_printed();
        }
    }
    if (i != (unsigned)-1 || optind < argc) {
        fputs("herd --help lists its options\n", stderr);
        exit(2);
    }
}

void herd_printed(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        exit(EXIT_SUCCESS);
    fprintf(stderr, "herd: can't write to standard output: %s\n", strerror(errno));
    exit(EXIT_FAILURE);
}

/* ---- rules for more than one option ---- */

static void check(const struct wishes *w)
{
    struct redial_policy policy = w->policy;
    const char *error;
    char what[80];
    policy.jitter = w->mode == HERD_ALL_MODES ? REDIAL_JITTER_ADDED : (enum redial_jitter)w->mode;
    error = redial_policy_error(&policy);
    if (error)
        refuse("--base, --cap or --jitter", error);
    snprintf(what, sizeof what, "--outage %lu --horizon %lu", (unsigned long)w->outage_s,
             (unsigned long)w->horizon_s);
    if (w->outage_s >= w->horizon_s)
        refuse(what, "the horizon must lie beyond the outage");
    snprintf(what, sizeof what, "--clients %lu --jobs %lu", (unsigned long)w->clients,
             (unsigned long)w->jobs);
    if ((uint64_t)w->clients * w->jobs > HERD_MOST_REQUESTS)
        refuse(what, "at most 1000000000 requests");
    if (w->gate != HERD_NO_GATE && w->workers == 0)
        refuse("--gate", "--workers must say how many clients share one");
    if (w->retry_after == WINDOW && w->window_ms == 0)
        refuse("--retry-after window", "--window must say how long one is");
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
        .policy = w->policy, .clients = w->clients, .jobs = w->jobs, .capacity = w->capacity,
        .per_ms = w->per_ms, .burst_ms = w->burst_ms, .window_ms = w->window_ms,
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
    struct wishes wishes = {
        .clients = 1000, .jobs = 1, .capacity = NOT_SET, .per_ms = 1000, .burst_ms = 1000,
        .retry_after = NOT_SET, .bad_after_s = 30, .mode = HERD_ALL_MODES, .budget = NOT_SET,
        .budget_percent = 10, .seed = 1, .horizon_s = 3600, .policy = REDIAL_POLICY_DEFAULT
    };
    wishes.policy.max_retries = REDIAL_NO_LIMIT;
    read_options(argc, argv, &wishes);
    check(&wishes);
    task->setup = setup_of(&wishes);
    task->mode = wishes.mode;
    task->seconds = wishes.seconds;
}
