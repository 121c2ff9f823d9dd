/* The command line of redial. SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "command_options.h"
#include "job.h"
#include "refuse.h"
#include "times.h"

#define LIMIT_MAX_MS (596 * 3600000u) /* the clock measures up to 24.8 days */

static const char about[] =
    "usage: redial [options] program [arguments]\n"
    "\n"
    "Runs the program until it succeeds: until its exit status is 0.\n"
    "\n"
    "All other statuses are retried, except 126 (the program can't be run), 127 (it\n"
    "is not found) and 141 (nobody reads what it writes), which --retry-status can\n"
    "add. A program that signal N ended has the status 128+N, and one that --timeout\n"
    "or --within ended has 124. redial exits with the status of the last attempt, or\n"
    "with 2 after a wrong option. After Ctrl-C there is no retry.\n"
    "\n"
    "    redial --retries unlimited --within 5m --retry-status 1,2 pg_isready\n"
    "    pg_dump shop | redial --keep-input --retries 8 --timeout 10m upload\n"
    "\n"
    "See redial(1).";

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
    options_printed();
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
static int read_ours(struct command_options *command, int argc, char **argv)
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
    first = options_read(argc, argv, about, options);
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

void command_options_read(struct command_options *options, int argc, char **argv)
{
    int first;
    *options = (struct command_options){ .policy = REDIAL_POLICY_DEFAULT, .kill_ms = 2000 };
    retry_by_default(options->retried);
    first = read_ours(options, argc, argv);
    if (first < argc && strcmp(argv[first], "--") == 0)
        first++;
    if (first >= argc)
        refuse("the program is missing", "write redial [options] program [arguments]");
    options->program = argv + first;
}
