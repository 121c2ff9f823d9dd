/* Texts, apart from all else: firmware that prints none of them leaves this file out.
   SPDX-License-Identifier: MIT */
#include "redial.h"

const char *redial_verdict_name(int verdict)
{
    static const char *const names[] = { "done", "again", "stopped", "exhausted", "timed_out", "deferred",
                                         "throttled", "cancelled", "invalid" };
    return verdict >= REDIAL_DONE && verdict <= REDIAL_INVALID ? names[verdict] : "unknown";
}

const char *redial_policy_error_text(int problem)
{
    static const char *const texts[] = {
        "the policy is fine",
        "base_ms must be at least 1",
        "cap_ms must not be less than base_ms",
        "jitter_ms must be at most 1000",
        "jitter must be REDIAL_JITTER_ADDED, _SPREAD, _EQUAL or _FULL",
    };
    return problem >= REDIAL_POLICY_OK && problem <= REDIAL_POLICY_JITTER_UNKNOWN ? texts[problem] : "unknown problem";
}
