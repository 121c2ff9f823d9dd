/* The schedule of one policy: it shows the range of each wait on a time axis.
   SPDX-License-Identifier: MIT

       schedule                                     the default policy
       schedule --mode full --cap 8000 --retries 8
       schedule --retries 7 --svg schedule.svg      with a picture of the four modes
       schedule --help                              all options

   It assumes that attempts fail at once. The time that real attempts take comes on top. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "schedule_picture.h"

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
        { "svg", "FILE", "write a picture of the four modes too", NULL, 0, 0, NULL, &svg },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }
    };
    options_read(argc, argv, "schedule: the range of each wait of a policy, on a time axis.", options);
    options_set_mode(policy, mode);
    return svg;
}

/* The policy in the four modes, in the order of the documentation. */
static bool draw(const char *path, const struct redial_policy *policy)
{
    struct redial_policy policies[4];
    struct schedule schedules[4];
    unsigned i;
    bool fine;
    for (i = 0; i < 4; i++) {
        policies[i] = *policy;
        policies[i].jitter = (enum redial_jitter)(REDIAL_JITTER_ADDED + i);
        schedules[i].mode = options_modes[i].word;
        schedule_work_out(&schedules[i], &policies[i]);
    }
    fine = schedule_picture(path, schedules, 4);
    if (!fine)
        fprintf(stderr, "schedule: --svg %s: can't be written: %s\n", path, strerror(errno));
    return fine;
}

int main(int argc, char **argv)
{
    struct redial_policy policy = redial_policy_default();
    const char *svg = read_policy(argc, argv, &policy);
    struct schedule schedule = { .mode = options_modes[policy.jitter].word };
    schedule_work_out(&schedule, &policy);
    schedule_print(stdout, &schedule);
    return svg && !draw(svg, &policy);
}
