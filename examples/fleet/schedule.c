/* The schedule of one policy: the range of each wait on a time axis, to choose values by looking.
   SPDX-License-Identifier: MIT

       schedule                                     the default policy
       schedule --kind full --cap 8000 --retries 8
       schedule --retries 7 --svg schedule.svg      with a picture
       schedule --help                              all options

   Attempts are taken to fail at once; the time that they take comes on top. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../common/options.h"
#include "schedule.h"

#define WIDE 56u

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
        snprintf(out, size, "It never gives up; no wait is longer than %s s.",
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

static void print_bar(const struct schedule *schedule, const struct schedule_wait *wait)
{
    uint64_t from = wait->certain_ms * WIDE / schedule->end_ms, sure = wait->earliest_ms * WIDE / schedule->end_ms;
    uint64_t to = wait->latest_ms * WIDE / schedule->end_ms;
    repeat(' ', from);
    repeat('.', sure - from);
    repeat('#', to > sure ? to - sure : 1);   /* a narrow range is not none */
    putchar('\n');
}

static void print(const struct schedule *schedule)
{
    char summary[160];
    uint32_t i;
    printf("%5s  %18s  %25s\n", "retry", "after a wait of", "since the first failure");
    for (i = 0; i < schedule->rows; i++) {
        const struct schedule_wait *wait = &schedule->waits[i];
        printf("%5u  %7s to %7s  %9s to %9s s  |", (unsigned)i + 1, schedule_seconds(schedule, wait->least_ms).text,
               schedule_seconds(schedule, wait->most_ms).text, schedule_seconds(schedule, wait->earliest_ms).text,
               schedule_seconds(schedule, wait->latest_ms).text);
        print_bar(schedule, wait);
    }
    if (schedule->rows)
        printf("%54s%*s s\n\n. certainly waiting   # the retry comes in here\n", "0", (int)WIDE,
               schedule_seconds(schedule, schedule->end_ms).text);
    schedule_summary(schedule, summary, sizeof summary);
    printf("%s\n", summary);
}

/* ---- options ---- */

static const struct option_word kinds[] = {
    { "added", REDIAL_JITTER_ADDED }, { "spread", REDIAL_JITTER_SPREAD },
    { "equal", REDIAL_JITTER_EQUAL }, { "full", REDIAL_JITTER_FULL }, { NULL, 0 }
};

static const char *read_policy(int argc, char **argv, struct redial_policy *policy)
{
    static const struct option_word forever[] = { { "forever", REDIAL_NO_LIMIT }, { NULL, 0 } };
    uint32_t kind = policy->jitter;
    const char *svg = NULL;
    const struct option options[] = {
        { "base", "MS", "the first wait, before jitter", &policy->base_ms, 1, UINT32_MAX, NULL, NULL },
        { "cap", "MS", "the longest wait", &policy->cap_ms, 1, UINT32_MAX, NULL, NULL },
        { "jitter", "MS", "added, spread: the random part", &policy->jitter_ms, 0, REDIAL_JITTER_MAX_MS, NULL, NULL },
        { "kind", "KIND", "of jitter: added, spread, equal or full", &kind, 1, 0, kinds, NULL },
        { "retries", "N", "attempts after the first", &policy->max_retries, 0, UINT32_MAX - 1, forever, NULL },
        { "elapsed", "MS", "give up after this; 0: no limit", &policy->max_elapsed_ms, 0, UINT32_MAX, NULL, NULL },
        { "svg", "FILE", "write a picture too", NULL, 0, 0, NULL, &svg },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }
    };
    char what[64];
    options_read(argc, argv, "schedule: the range of each wait of a policy, on a time axis.", options);
    policy->jitter = (enum redial_jitter)kind;
    snprintf(what, sizeof what, "--base %lu --cap %lu", (unsigned long)policy->base_ms, (unsigned long)policy->cap_ms);
    if (redial_policy_check(policy) != REDIAL_POLICY_OK)
        options_refuse(what, redial_policy_error_text((int)redial_policy_check(policy)));
    return svg;
}

int main(int argc, char **argv)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    const char *svg = read_policy(argc, argv, &policy);
    struct schedule schedule = { .kind = kinds[policy.jitter].word };
    work_out(&schedule, &policy);
    print(&schedule);
    if (svg && !schedule_picture(svg, &schedule)) {
        fprintf(stderr, "schedule: --svg %s: can't be written: %s\n", svg, strerror(errno));
        return 1;
    }
    return 0;
}
