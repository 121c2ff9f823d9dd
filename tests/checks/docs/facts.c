/* Facts that the documents repeat, each as DOCUMENT: SENTENCE, made from the constants of the sources. docs.sh looks the
   sentences up. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "redial_fake.h"

#include "../../../src/system.h"

int main(void)
{
    const struct redial_policy policy = redial_policy_default();
    unsigned base_s = policy.base_ms / 1000, cap_s = policy.cap_ms / 1000, jitter_s = policy.jitter_ms / 1000;
    unsigned minutes = policy.max_retry_after_ms / 60000;
    if (policy.max_elapsed_ms || policy.attempt_ms || policy.min_uptime_ms || policy.jitter != REDIAL_JITTER_ADDED)
        return 1;   /* the sentences below say so */
    printf("include/redial.h: %u s, cap %u s, jitter %u s, %u retries, no time limit, a server may ask for %u min, no "
           "timeout of an attempt, no reset, ADDED\n", base_s, cap_s, jitter_s, policy.max_retries, minutes);
    printf("src/man/redial_policy.3: %u s, cap %u s, jitter %u s, %u retries, no time limit, a server may ask for %u "
           "minutes, no timeout of an attempt, no reset\n", base_s, cap_s, jitter_s, policy.max_retries, minutes);
    printf("README.md: %u s, cap %u s, %u retries\n", base_s, cap_s, policy.max_retries);
    printf("include/redial.h: %u s, cap %u s, %u retries\n", base_s, cap_s, policy.max_retries);
    printf("src/man/redial_policy.3: .Dv REDIAL_JITTER_MAX_MS (%u)\n", REDIAL_JITTER_MAX_MS);
    printf("include/redial.h: at least every %d ms\n", 2 * REDIAL_ASK_MS);
    printf("src/man/redial_run.3: at least every %d ms\n", 2 * REDIAL_ASK_MS);
    printf("README.md: within %d ms\n", 2 * REDIAL_ASK_MS);
    printf("src/man/redial_fake.3: .Dv REDIAL_FAKE_WAITS (%d)\n", REDIAL_FAKE_WAITS);
    printf("README.md: find_package(redial %d.%d\n", REDIAL_VERSION_MAJOR, REDIAL_VERSION_MINOR);
    return 0;
}
