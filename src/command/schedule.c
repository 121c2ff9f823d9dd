/* Computes when the retries of a policy come, and prints a table. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "schedule.h"

#define COLUMNS 80
#define ROWS 12u /* so many waits are shown */

struct schedule {
    const struct redial_policy *policy;
    bool fine; /* milliseconds are worth printing */
    uint32_t rows;
    uint64_t end_ms; /* of the time axis */
    struct wait {
        uint32_t least_ms, most_ms;
        uint64_t certain_ms; /* from here on it certainly runs, until earliest_ms */
        uint64_t earliest_ms, latest_ms; /* when its retry comes, after the first failure */
    } waits[ROWS];
};

/* ---- the times ---- */

/* A wait can happen if it ends in time when all waits are short. */
static bool possible(const struct redial_policy *policy, uint32_t retry, uint64_t earliest_ms)
{
    return (policy->max_retries == REDIAL_NO_LIMIT || retry < policy->max_retries)
           && (policy->max_elapsed_ms == 0 || earliest_ms < policy->max_elapsed_ms);
}

static uint64_t in_time(const struct redial_policy *policy, uint64_t ms)
{
    return policy->max_elapsed_ms && ms >= policy->max_elapsed_ms ? policy->max_elapsed_ms - 1 : ms;
}

static void work_out(struct schedule *schedule, const struct redial_policy *policy)
{
    uint64_t earliest = 0, latest = 0;
    uint32_t retry;
    schedule->policy = policy;
    schedule->fine = policy->base_ms < 1000;
    schedule->end_ms = 1;
    for (retry = 0; retry < ROWS; retry++) {
        struct wait *wait = &schedule->waits[retry];
        wait->least_ms = redial_random_delay_ms(policy, retry, 0);
        wait->most_ms = redial_random_delay_ms(policy, retry, UINT32_MAX);
        wait->certain_ms = latest;
        wait->earliest_ms = earliest += wait->least_ms;
        wait->latest_ms = latest = in_time(policy, latest + wait->most_ms);
        if (wait->certain_ms > earliest)
            wait->certain_ms = earliest;
        if (!possible(policy, retry, earliest))
            break;
        if (latest > 0)
            schedule->end_ms = latest;
    }
    schedule->rows = retry;
}

/* The sum of the waits if each is as long as it can be. UINT64_MAX: there is no limit. After 32
   waits every wait is the cap, even if the first was 1 ms. */
static uint64_t longest_waits_ms(const struct redial_policy *policy)
{
    uint64_t limit = policy->max_elapsed_ms ? policy->max_elapsed_ms - 1 : UINT64_MAX, total = 0;
    uint32_t retry;
    if (policy->max_retries == REDIAL_NO_LIMIT)
        return limit;
    for (retry = 0; retry < policy->max_retries && retry < 32; retry++)
        total += redial_random_delay_ms(policy, retry, UINT32_MAX);
    total += (uint64_t)(policy->max_retries - retry) * policy->cap_ms;
    return total < limit ? total : limit;
}

struct seconds {
    char text[32];
};

/* To the millisecond, or to the nearest tenth. */
static struct seconds seconds(const struct schedule *schedule, uint64_t ms)
{
    struct seconds out;
    unsigned long long tenths = (ms + 50) / 100;
    if (schedule->fine)
        snprintf(out.text, sizeof out.text, "%llu.%03u", (unsigned long long)ms / 1000,
                 (unsigned)(ms % 1000));
    else
        snprintf(out.text, sizeof out.text, "%llu.%u", tenths / 10, (unsigned)(tenths % 10));
    return out;
}

/* ---- the table ---- */

static void repeat(FILE *file, char letter, uint64_t count)
{
    while (count--)
        fputc(letter, file);
}

static void print_range(FILE *file, const struct schedule *schedule, int wide, uint64_t from_ms,
                        uint64_t to_ms)
{
    fprintf(file, "%*s to %*s", wide, seconds(schedule, from_ms).text, wide,
            seconds(schedule, to_ms).text);
}

static void print_bar(FILE *file, const struct schedule *schedule, const struct wait *wait,
                      unsigned wide)
{
    uint64_t from = wait->certain_ms * wide / schedule->end_ms;
    uint64_t sure = wait->earliest_ms * wide / schedule->end_ms;
    uint64_t to = wait->latest_ms * wide / schedule->end_ms;
    repeat(file, ' ', from);
    repeat(file, '.', sure - from);
    repeat(file, '#', to > sure ? to - sure : 1); /* a narrow range is not none */
    fputc('\n', file);
}

/* Columns as wide as the longest time in them; the bars get the rest of the line. */
static void print_table(FILE *file, const struct schedule *schedule)
{
    int wait_wide = (int)strlen(seconds(schedule, schedule->policy->cap_ms).text);
    int time_wide = (int)strlen(seconds(schedule, schedule->end_ms).text);
    int bars_wide = COLUMNS - 20 - 2 * (wait_wide + time_wide);
    uint32_t i;
    fprintf(file, "retry  %*s  %*s\n", 2 * wait_wide + 4, "wait, s", 2 * time_wide + 4, "time, s");
    for (i = 0; i < schedule->rows; i++) {
        const struct wait *wait = &schedule->waits[i];
        fprintf(file, "%5u  ", (unsigned)i + 1);
        print_range(file, schedule, wait_wide, wait->least_ms, wait->most_ms);
        fputs("  ", file);
        print_range(file, schedule, time_wide, wait->earliest_ms, wait->latest_ms);
        fputs(" |", file);
        print_bar(file, schedule, wait, (unsigned)bars_wide);
    }
    fprintf(file, "%*s%*s\n\n", COLUMNS - 3 - bars_wide, "0", bars_wide,
            seconds(schedule, schedule->end_ms).text);
    fprintf(file, "time: since the first failure   . certainly waiting   # the retry may come\n");
}

/* When the call gives up. */
static void print_summary(FILE *file, const struct schedule *schedule)
{
    const struct redial_policy *policy = schedule->policy;
    uint64_t longest = longest_waits_ms(policy);
    if (schedule->rows == 0)
        fprintf(file, "There is no wait: the first attempt is the only one.\n");
    else if (longest == UINT64_MAX)
        fprintf(file, "It never gives up. No wait is longer than %s s.\n",
                seconds(schedule, policy->cap_ms).text);
    else if (schedule->rows == policy->max_retries)
        fprintf(file, "The last retry comes %s to %s s after the first failure.\n",
                seconds(schedule, schedule->waits[schedule->rows - 1].earliest_ms).text,
                seconds(schedule, schedule->waits[schedule->rows - 1].latest_ms).text);
    else
        fprintf(file, "It gives up after at most %s s of waiting.\n",
                seconds(schedule, longest).text);
}

void schedule_print(FILE *file, const struct redial_policy *policy)
{
    struct schedule schedule;
    work_out(&schedule, policy);
    if (schedule.rows)
        print_table(file, &schedule);
    print_summary(file, &schedule);
}
