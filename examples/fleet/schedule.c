/* The schedule of one policy: the range of each wait on a time axis, to choose values by looking.
   SPDX-License-Identifier: MIT

       schedule                                     the default policy
       schedule --mode full --cap 8000 --retries 8
       schedule --retries 7 --svg schedule.svg      with a picture
       schedule --help                              all options

   Attempts are taken to fail at once; the time that they take comes on top. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../common/options.h"
#include "schedule.h"

#define COLUMNS 80

/* ---- working it out ---- */

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
    for (retry = 0; retry < SCHEDULE_ROWS; retry++) {
        struct schedule_wait *wait = &schedule->waits[retry];
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

struct shown schedule_seconds(const struct schedule *schedule, uint64_t ms)
{
    return schedule->fine ? show_digits(ms, 3) : show_ratio(ms, 1000, 1);
}

void schedule_summary(const struct schedule *schedule, char *out, size_t size)
{
    const struct redial_policy *policy = schedule->policy;
    uint64_t longest = redial_longest_total_ms(policy);
    if (schedule->rows == 0)
        snprintf(out, size, "There is no wait: the first attempt is the only one.");
    else if (longest == UINT64_MAX)
        snprintf(out, size, "It never gives up. No wait is longer than %s s.",
                 schedule_seconds(schedule, policy->cap_ms).text);
    else if (schedule->rows == policy->max_retries)
        snprintf(out, size, "The last retry comes %s to %s s after the first failure.",
                 schedule_seconds(schedule, schedule->waits[schedule->rows - 1].earliest_ms).text,
                 schedule_seconds(schedule, schedule->waits[schedule->rows - 1].latest_ms).text);
    else
        snprintf(out, size, "It gives up after at most %s s of waiting.", schedule_seconds(schedule, longest).text);
}

/* ---- the terminal ---- */

static void repeat(char letter, uint64_t count)
{
    while (count--)
        putchar(letter);
}

static void print_bar(const struct schedule *schedule, const struct schedule_wait *wait, unsigned wide)
{
    uint64_t from = wait->certain_ms * wide / schedule->end_ms, sure = wait->earliest_ms * wide / schedule->end_ms;
    uint64_t to = wait->latest_ms * wide / schedule->end_ms;
    repeat(' ', from);
    repeat('.', sure - from);
    repeat('#', to > sure ? to - sure : 1);   /* a narrow range is not none */
    putchar('\n');
}

/* Columns as wide as the longest time in them; the bars get the rest of the line. */
static void print_table(const struct schedule *schedule)
{
    int wait_wide = (int)strlen(schedule_seconds(schedule, schedule->policy->cap_ms).text);
    int time_wide = (int)strlen(schedule_seconds(schedule, schedule->end_ms).text);
    int bars_wide = COLUMNS - 20 - 2 * (wait_wide + time_wide);
    uint32_t i;
    printf("retry  %*s  %*s\n", 2 * wait_wide + 4, "wait, s", 2 * time_wide + 4, "time, s");
    for (i = 0; i < schedule->rows; i++) {
        const struct schedule_wait *wait = &schedule->waits[i];
        printf("%5u  %*s to %*s  %*s to %*s |", (unsigned)i + 1,
               wait_wide, schedule_seconds(schedule, wait->least_ms).text,
               wait_wide, schedule_seconds(schedule, wait->most_ms).text,
               time_wide, schedule_seconds(schedule, wait->earliest_ms).text,
               time_wide, schedule_seconds(schedule, wait->latest_ms).text);
        print_bar(schedule, wait, (unsigned)bars_wide);
    }
    printf("%*s%*s\n\ntime: since the first failure   . certainly waiting   # the retry may come\n",
           COLUMNS - 3 - bars_wide, "0", bars_wide, schedule_seconds(schedule, schedule->end_ms).text);
}

static void print(const struct schedule *schedule)
{
    char summary[160];
    if (schedule->rows)
        print_table(schedule);
    schedule_summary(schedule, summary, sizeof summary);
    printf("%s\n", summary);
}

/* ---- options ---- */

static const char *read_policy(int argc, char **argv, struct redial_policy *policy)
{
    uint32_t mode = policy->jitter;
    const char *svg = NULL;
    const struct option options[] = {
        { "base", "MS", "the first wait, before jitter", &policy->base_ms, 1, UINT32_MAX, NULL, NULL },
        { "cap", "MS", "the longest wait", &policy->cap_ms, 1, UINT32_MAX, NULL, NULL },
        OPTION_JITTER(&policy->jitter_ms),
        OPTION_MODE(&mode),
        OPTION_RETRIES(&policy->max_retries),
        { "elapsed", "MS", "give up after this; 0: no limit", &policy->max_elapsed_ms, 0, UINT32_MAX, NULL, NULL },
        { "svg", "FILE", "write a picture too", NULL, 0, 0, NULL, &svg },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }
    };
    options_read(argc, argv, "schedule: the range of each wait of a policy, on a time axis.", options);
    options_set_mode(policy, mode);
    return svg;
}

int main(int argc, char **argv)
{
    struct redial_policy policy = redial_policy_default();
    const char *svg = read_policy(argc, argv, &policy);
    struct schedule schedule = { .mode = options_modes[policy.jitter].word };
    work_out(&schedule, &policy);
    print(&schedule);
    if (svg && !schedule_picture(svg, &schedule)) {
        fprintf(stderr, "schedule: --svg %s: can't be written: %s\n", svg, strerror(errno));
        return 1;
    }
    return 0;
}
