/* The schedule of one policy: it shows the range of each wait on a time axis.
   SPDX-License-Identifier: MIT

       schedule                                     the default policy
       schedule --mode full --cap 8s --retries 8
       schedule --help                              all options

   It assumes that attempts fail at once. The time that real attempts take comes on top. */
#include <stdio.h>

#include "options.h"
#include "schedule.h"

static void read_policy(int argc, char **argv, struct redial_policy *policy)
{
    uint32_t mode = policy->jitter;
    const struct option options[] = {
        { "base", "TIME", "the first wait, before jitter", &policy->base_ms, 1, UINT32_MAX, NULL, NULL },
        { "cap", "TIME", "the longest wait", &policy->cap_ms, 1, UINT32_MAX, NULL, NULL },
        OPTION_JITTER(&policy->jitter_ms),
        OPTION_MODE(&mode),
        OPTION_RETRIES(&policy->max_retries),
        { "elapsed", "TIME", "give up after this; 0: no limit", &policy->max_elapsed_ms, 0, UINT32_MAX, NULL, NULL },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }
    };
    options_read(argc, argv, "schedule: the range of each wait of a policy, on a time axis.", options);
    options_set_mode(policy, mode);
}

int main(int argc, char **argv)
{
    struct redial_policy policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    read_policy(argc, argv, &policy);
    schedule_print(stdout, &policy);
    options_printed();
}
