/* The options of herd and their defaults, by getopt_long. SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/stdout.h"
#include "herd.h"
#include "show.h"

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

/* ---- the table of options ---- */

enum unit { NUMBER, MS, SECONDS };

struct word {
    const char *text;
    uint32_t value;
};

static const struct word modes[] = {
    { "added", REDIAL_JITTER_ADDED }, { "wide", REDIAL_JITTER_WIDE },
    { "full", REDIAL_JITTER_FULL },   { "none", REDIAL_JITTER_NONE },
    { "all", HERD_ALL_MODES },        { NULL, 0 }
};
static const struct word unlimited[] = { { "unlimited", REDIAL_NO_LIMIT }, { NULL, 0 } };
static const struct word gates[] = { { "none", 0 }, { "429", 1 }, { NULL, 0 } };

/* A value is a number in the range, or a word. */
#define OF(member) offsetof(struct herd_task, member)
#define SETUP(member) OF(setup.member)
static const struct rule {
    const char *name, *about;
    size_t member;
    enum unit unit;
    uint32_t least, most;
    const struct word *words;
} rules[] = {
    { "clients", "clients, which all call at 0 s", SETUP(clients), NUMBER, 1, 10000000, NULL },
    { "jobs", "requests of each client, one after another", SETUP(jobs), NUMBER, 1, 100000, NULL },
    { "pause", "pause before a request: random, at most twice this", SETUP(pause_ms), MS, 0,
      1000000, NULL },
    { "capacity", "requests that the server takes; 0: clients/100", SETUP(capacity), NUMBER, 0,
      1000000000, NULL },
    { "per", "the time in which it takes so many", SETUP(per_ms), MS, 1, HERD_MOST_MS, NULL },
    { "burst", "it saves up unused capacity for so long", SETUP(burst_ms), MS, 0, HOUR_MS, NULL },
    { "outage", "nothing answers for so long", SETUP(outage_ms), MS, 0, HERD_MOST_MS, NULL },
    { "retry-after", "of a refusal, which is then a 429; 0: a 503", SETUP(after_s), SECONDS, 0,
      4000000, NULL },
    { "mode", "the jitter mode", OF(mode), NUMBER, 1, 0, modes },
    { "base", "the first wait, before jitter", SETUP(policy.base_ms), MS, 1, UINT32_MAX, NULL },
    { "cap", "the longest wait without a Retry-After", SETUP(policy.cap_ms), MS, 1, UINT32_MAX,
      NULL },
    { "jitter", "the random part of a wait", SETUP(policy.jitter_ms), MS, 1, REDIAL_JITTER_MAX_MS,
      NULL },
    { "retries", "attempts after the first", SETUP(policy.max_retries), NUMBER, 0, UINT32_MAX - 1,
      unlimited },
    { "elapsed", "a client gives up after this; 0: never", SETUP(policy.max_elapsed_ms), MS, 0,
      UINT32_MAX, NULL },
    { "workers", "clients of a process, which share gate and budget", SETUP(workers), NUMBER, 0,
      10000000, NULL },
    { "gate", "the answer that closes it, for its Retry-After", SETUP(gate), NUMBER, 1, 0, gates },
    { "budget", "tokens, for a process or the fleet; 0: no budget", SETUP(budget), NUMBER, 0,
      UINT32_MAX, NULL },
    { "seed", "the seed of all random numbers", SETUP(seed), NUMBER, 0, UINT32_MAX, NULL },
    { "horizon", "the time after which the simulation ends", SETUP(horizon_ms), MS, 1, HERD_MOST_MS,
      NULL },
};
#define RULES (sizeof rules / sizeof *rules)

static uint32_t *member(struct herd_task *task, const struct rule *rule)
{
    return (uint32_t *)(void *)((char *)task + rule->member);
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

static void print_help(struct herd_task *defaults)
{
    unsigned i;
    fputs(about, stdout);
    for (i = 0; i < RULES; i++) {
        uint32_t number = *member(defaults, &rules[i]);
        const struct word *word = rules[i].words;
        while (word && word->text && word->value != number)
            word++;
        printf("  --%-12s %s [", rules[i].name, rules[i].about);
        if (word && word->text)
            printf("%s]\n", word->text);
        else if (rules[i].unit == MS)
            printf("%s s]\n", show_ratio(number, 1000, 1).text);
        else
            printf("%lu%s]\n", (unsigned long)number, rules[i].unit == SECONDS ? " s" : "");
    }
    printf("  --%-12s print each second instead, as columns for gnuplot\n", "seconds");
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

static void read_options(int argc, char **argv, struct herd_task *task)
{
    struct option options[RULES + 3] = { { .name = NULL } };
    struct herd_task defaults = *task;
    int found = 0;
    unsigned i;
    for (i = 0; i < RULES; i++)
        options[i] = (struct option){ rules[i].name, required_argument, &found, (int)i };
    options[RULES] = (struct option){ "seconds", no_argument, &found, RULES };
    options[RULES + 1] = (struct option){ "help", no_argument, &found, RULES + 1 };
    while ((i = (unsigned)getopt_long(argc, argv, "", options, NULL)) == 0) {
        if (found < (int)RULES)
            read_value(&rules[found], optarg, member(task, &rules[found]));
        else if (found == (int)RULES)
            task->seconds = 1;
        else {
            print_help(&defaults);
            exit(stdout_end("herd", EXIT_SUCCESS));
        }
    }
    if (i != (unsigned)-1 || optind < argc) {
        fputs("herd --help lists its options\n", stderr);
        exit(2);
    }
}

/* ---- rules for more than one option ---- */

static void check(const struct herd_setup *setup)
{
    const char *error = redial_policy_error(&setup->policy);
    if (error)
        refuse("--base, --cap or --jitter", error);
    if (setup->outage_ms >= setup->horizon_ms)
        refuse("--outage, --horizon", "the horizon must lie beyond the outage");
    if ((uint64_t)setup->clients * setup->jobs > HERD_MOST_REQUESTS)
        refuse("--clients, --jobs", "at most 1000000000 requests");
    if (setup->gate && setup->workers == 0)
        refuse("--gate", "--workers must say how many clients share one");
}

void herd_read(int argc, char **argv, struct herd_task *task)
{
    struct herd_setup *setup = &task->setup;
    *task = (struct herd_task){
        .setup = { .clients = 1000, .jobs = 1, .per_ms = 1000, .burst_ms = 1000, .seed = 1,
                   .horizon_ms = HOUR_MS, .policy = REDIAL_POLICY_DEFAULT },
        .mode = HERD_ALL_MODES
    };
    setup->policy.max_retries = REDIAL_NO_LIMIT;
    setup->policy.jitter_ms = REDIAL_JITTER_MAX_MS;
    read_options(argc, argv, task);
    check(setup);
    if (setup->capacity == 0)
        setup->capacity = setup->clients < 100 ? 1 : setup->clients / 100;
}
