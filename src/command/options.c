/* Implements options.h. SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "options.h"
#include "refuse.h"
#include "times.h"

#define LIMIT_MAX_MS (596 * 3600000u) /* the clock measures up to 24.8 days */

static const char about[] =
    "usage: redial [options] program [arguments]\n"
    "\n"
    "Runs the program until it succeeds: until its exit status is 0.\n"
    "\n"
    "All other statuses are retried, except 126 (the program can't be run), 127 (it\n"
    "is not found) and 141 (nobody reads what it writes). With --retry-status, only\n"
    "those of its list are retried. A program that signal N ended has the status\n"
    "128+N, and one that --timeout or --within ended has 124. redial exits with the\n"
    "status of the last attempt, or with 2 after a wrong option. After Ctrl-C there\n"
    "is no retry.\n"
    "\n"
    "    redial --retries unlimited --within 5m --retry-status 1,2 pg_isready\n"
    "    pg_dump shop | redial --keep-input --retries 8 --timeout 10m upload\n"
    "\n"
    "See redial(1).\n";

struct option {
    const char *name; /* without the dashes; NULL ends the table */
    /* its name in the help: TIME for a time, N for a number, and others for any text. NULL: a flag
       that sets number to 1 */
    const char *value;
    const char *text;
    uint32_t *number; /* the default, then the given value, a time in milliseconds */
    uint32_t least, most;
    bool unlimited; /* the word "unlimited" is allowed, too: REDIAL_NO_LIMIT */
    const char **given; /* the value as it was given; NULL: nobody asks */
};

/* Ends redial when it has printed everything. */
static _Noreturn void printed(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        fail("write to standard output");
    exit(EXIT_SUCCESS);
}

/* ---- the help ---- */

static bool is_time(const struct option *option)
{
    return strcmp(option->value, "TIME") == 0;
}

static void print_default(const struct option *option)
{
    if (!option->number || !option->value)
        return;
    if (is_time(option))
        printf(" [%s]", times_text(*option->number).text);
    else if (option->unlimited && *option->number == REDIAL_NO_LIMIT)
        printf(" [unlimited]");
    else
        printf(" [%lu]", (unsigned long)*option->number);
}

static _Noreturn void help(const struct option *option)
{
    printf("%s\nOptions, with their [defaults]:\n", about);
    for (; option->name; option++) {
        int wide = printf("  --%s %s", option->name, option->value ? option->value : "");
        printf("%*s%s", wide < 24 ? 24 - wide : 1, "", option->text);
        print_default(option);
        printf("\n");
    }
    printf("Times are in seconds, or have the unit " TIMES_UNITS ": 90, 250ms, 1.5m.\n");
    printed();
}

/* ---- reading ---- */

static _Noreturn void refuse_value(const struct option *option, const char *value)
{
    char what[128], rule[128];
    snprintf(what, sizeof what, "--%s %s", option->name, value);
    if (is_time(option))
        snprintf(rule, sizeof rule,
                 "must be a time from %s to %s, in seconds or with the unit " TIMES_UNITS,
                 times_text(option->least).text, times_text(option->most).text);
    else
        snprintf(rule, sizeof rule, "must be a whole number from %lu to %lu%s",
                 (unsigned long)option->least, (unsigned long)option->most,
                 option->unlimited ? ", or unlimited" : "");
    refuse(what, rule);
}

static bool read_whole(const char *text, uint64_t *number)
{
    size_t digits = strspn(text, "0123456789");
    *number = strtoull(text, NULL, 10);
    return digits > 0 && digits <= 10 && !text[digits];
}

static void read_number(const struct option *option, const char *value)
{
    uint64_t number;
    bool valid = is_time(option) ? times_read(value, &number) : read_whole(value, &number);
    if (option->unlimited && strcmp(value, "unlimited") == 0)
        *option->number = REDIAL_NO_LIMIT;
    else if (valid && number >= option->least && number <= option->most)
        *option->number = (uint32_t)number;
    else
        refuse_value(option, value);
}

static void set(const struct option *option, const char *value)
{
    if (option->given)
        *option->given = value;
    if (option->number)
        read_number(option, value);
}

/* The option --NAME or --NAME=value. What is refused is not shown beyond its name, because it may
   be a token. */
static const struct option *find(const struct option *option, char *given)
{
    size_t length = strncmp(given, "--", 2) == 0 ? strcspn(given, "=") : 2;
    for (; option->name; option++)
        if (strlen(option->name) == length - 2 && memcmp(option->name, given + 2, length - 2) == 0)
            return option;
    given[length] = '\0';
    refuse(given, "no such option; --help lists them");
}

/* Reads --name value and --name=value. Returns the index of the first other argument, which may be
   "--", or argc. */
static int read_table(int argc, char **argv, const struct option *options)
{
    int i;
    for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1] && strcmp(argv[i], "--") != 0; i++) {
        const struct option *option;
        char *value;
        if (strcmp(argv[i], "--help") == 0)
            help(options);
        option = find(options, argv[i]);
        value = strchr(argv[i], '=');
        if (value)
            *value++ = '\0';
        if (!option->value && value)
            refuse(argv[i], "takes no value");
        if (!option->value)
            *option->number = 1;
        else if (!value && i + 1 == argc)
            refuse(argv[i], "a value must follow");
        else
            set(option, value ? value : argv[++i]);
    }
    return i;
}

/* ---- the options of redial ---- */

static void retry_by_default(bool retried[256])
{
    int status;
    for (status = 0; status < 256; status++)
        retried[status] = status != 0 && status != JOB_NOT_RUNNABLE && status != JOB_NOT_FOUND
                          && status != JOB_SIGNAL + SIGPIPE;
}

static _Noreturn void refuse_list(const char *list)
{
    char what[128];
    snprintf(what, sizeof what, "--retry-status %s", list);
    refuse(what, "must be whole numbers from 1 to 255, with commas between them");
}

static void retry_listed(bool retried[256], const char *list)
{
    const char *item = list;
    memset(retried, 0, 256 * sizeof *retried);
    for (;;) {
        size_t digits = strspn(item, "0123456789");
        unsigned long status = strtoul(item, NULL, 10);
        if (status < 1 || status > 255 || (item[digits] && item[digits] != ','))
            refuse_list(list);
        retried[status] = true;
        if (!item[digits])
            return;
        item += digits + 1;
    }
}

static _Noreturn void print_version(void)
{
    printf("redial %d.%d.%d\n", REDIAL_VERSION_MAJOR, REDIAL_VERSION_MINOR, REDIAL_VERSION_PATCH);
    printed();
}

static enum redial_jitter read_mode(const char *mode)
{
    static const struct mode {
        const char *word;
        enum redial_jitter jitter;
    } modes[] = {
        { "added", REDIAL_JITTER_ADDED },
        { "wide", REDIAL_JITTER_WIDE },
        { "full", REDIAL_JITTER_FULL },
        { "none", REDIAL_JITTER_NONE },
    };
    char what[64];
    size_t i;
    for (i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].word, mode) == 0)
            return modes[i].jitter;
    snprintf(what, sizeof what, "--mode %s", mode);
    refuse(what, "must be added, wide, full or none");
}

/* The default cap leaves room for a wait that is doubled once, and for jitter. */
static void raise_cap(struct redial_policy *policy)
{
    uint32_t twice_ms = policy->base_ms > UINT32_MAX / 2 ? UINT32_MAX : 2 * policy->base_ms;
    if (policy->cap_ms < twice_ms)
        policy->cap_ms = twice_ms;
}

static void check_cap(const struct redial_policy *policy)
{
    char what[64], rule[64];
    snprintf(what, sizeof what, "--cap %s", times_text(policy->cap_ms).text);
    snprintf(rule, sizeof rule, "must not be less than --base, which is %s",
             times_text(policy->base_ms).text);
    if (policy->cap_ms < policy->base_ms)
        refuse(what, rule);
}

/* Returns the index of the first argument after the options. */
static int read_ours(struct options *command, int argc, char **argv)
{
    struct redial_policy *policy = &command->policy;
    uint32_t version = 0;
    const char *cap = NULL, *mode = "added", *list = NULL;
    int first;
    /* clang-format off */
    const struct option options[] = {
        { .name = "base", .value = "TIME", .text = "the first wait, before jitter",
          .number = &policy->base_ms, .least = 1, .most = UINT32_MAX },
        { .name = "cap", .value = "TIME", .text = "the longest wait",
          .number = &policy->cap_ms, .least = 1, .most = UINT32_MAX, .given = &cap },
        { .name = "jitter", .value = "TIME", .text = "added: the random part",
          .number = &policy->jitter_ms, .least = 1, .most = REDIAL_JITTER_MAX_MS },
        { .name = "mode", .value = "MODE", .text = "jitter: added, wide, full or none [added]",
          .given = &mode },
        { .name = "retries", .value = "N", .text = "attempts after the first",
          .number = &policy->max_retries, .most = UINT32_MAX - 1, .unlimited = true },
        { .name = "retry-status", .value = "LIST",
          .text = "the exit statuses to retry, such as 1,22,124", .given = &list },
        { .name = "timeout", .value = "TIME",
          .text = "an attempt gets SIGTERM after this; 0: never",
          .number = &policy->attempt_ms, .most = LIMIT_MAX_MS },
        { .name = "kill-after", .value = "TIME", .text = "from SIGTERM to SIGKILL; 0: never",
          .number = &command->kill_ms, .most = UINT32_MAX - 1 },
        { .name = "within", .value = "TIME", .text = "the limit of attempts and waits; 0: none",
          .number = &policy->max_elapsed_ms, .most = LIMIT_MAX_MS },
        { .name = "group", .text = "a time limit ends all that the program started",
          .number = &command->group },
        { .name = "keep-input", .text = "every attempt gets what comes through a pipe",
          .number = &command->keep_input },
        { .name = "hold-output", .text = "print only what an attempt that succeeds has printed",
          .number = &command->hold_output },
        { .name = "quiet", .text = "print no line for each retry", .number = &command->quiet },
        { .name = "explain", .text = "first print when the retries come",
          .number = &command->explain },
        { .name = "version", .text = "print the version", .number = &version },
        { .name = NULL }
    };
    /* clang-format on */
    first = read_table(argc, argv, options);
    if (version)
        print_version();
    policy->jitter = read_mode(mode);
    if (!cap)
        raise_cap(policy);
    check_cap(policy);
    if (list)
        retry_listed(command->retried, list);
    return first;
}

void options_read(struct options *options, int argc, char **argv)
{
    int first;
    *options = (struct options){ .policy = REDIAL_POLICY_DEFAULT, .kill_ms = 2000 };
    retry_by_default(options->retried);
    first = read_ours(options, argc, argv);
    if (first < argc && strcmp(argv[first], "--") == 0)
        first++;
    if (first >= argc)
        refuse("the program is missing", "write redial [options] program [arguments]");
    options->program = argv + first;
}
