/* Texts. They are in a file of their own, so that firmware can leave them out.
   SPDX-License-Identifier: MIT */
#include "redial.h"

const char *redial_verdict_name(unsigned verdict)
{
    static const char *const names[] = {
        "done",          "retry",        "failed",    "exhausted", "timed_out",
        "wait_too_long", "budget_empty", "cancelled", "invalid",
    };
    return verdict < sizeof names / sizeof *names ? names[verdict] : "unknown";
}

const char *redial_policy_error_text(unsigned error)
{
    static const char *const texts[] = {
        "the policy is valid",
        "base_ms must be at least 1",
        "cap_ms must not be less than base_ms",
        "jitter_ms must be at most 1000",
        "jitter must be REDIAL_JITTER_ADDED, _SPREAD, _EQUAL, _FULL or _NONE",
        "jitter_ms must be at least 1 with REDIAL_JITTER_ADDED and _SPREAD; REDIAL_JITTER_NONE "
        "means no jitter",
        "the policy must not be NULL",
    };
    return error < sizeof texts / sizeof *texts ? texts[error] : "unknown policy error";
}
