/* Texts. They are in a file of their own, so that firmware can leave them out.
   SPDX-License-Identifier: MIT */
#include "internal.h"

const char *redial_verdict_name(enum redial_verdict verdict)
{
    static const char *const names[] = {
        "invalid",   "done",      "attempt",       "wait",         "failed",    "unsure",
        "exhausted", "timed_out", "wait_too_long", "budget_empty", "cancelled",
    };
    return (unsigned)verdict < sizeof names / sizeof *names ? names[verdict] : "unknown";
}

const char *redial_policy_error(const struct redial_policy *policy)
{
    static const char *const texts[REDIAL_FAULTS_] = {
        /* in the order of enum redial_fault_ */
        NULL,
        "the policy must not be NULL",
        "base_ms must be at least 1",
        "cap_ms must not be less than base_ms",
        "jitter_ms must be at most 1000",
        "jitter must be REDIAL_JITTER_ADDED, _WIDE, _FULL or _NONE",
        "min_attempt_ms must not be more than attempt_ms",
    };
    return texts[redial_policy_fault_(policy)];
}
