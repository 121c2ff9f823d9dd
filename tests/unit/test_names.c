/* The texts of src/names.c. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "support.h"

/* The values of enum redial_kind are among them. */
static const unsigned unknown[] = { 9, 10, REDIAL_KIND_DONE, REDIAL_KIND_FAIL, 255, 256, 65536, INT_MAX, INT_MAX + 1u,
                                    UINT_MAX - 1, UINT_MAX };

TEST(every_verdict_has_the_name_that_the_header_promises)
{
    static const char *const names[] = { "done", "retry", "failed", "exhausted", "timed_out", "wait_too_long",
                                         "budget_empty", "cancelled", "invalid" };
    for (unsigned i = 0; i < LENGTH(names); i++)
        assert_string_equal(redial_verdict_name(i), names[i]);
    for (unsigned i = 0; i < LENGTH(unknown); i++)
        assert_string_equal(redial_verdict_name(unknown[i]), "unknown");
}

TEST(every_policy_error_s_text_names_the_field_and_the_rule)
{
    static const char *const texts[] = {
        "the policy is valid",
        "base_ms must be at least 1",
        "cap_ms must not be less than base_ms",
        "jitter_ms must be at most 1000",
        "jitter must be REDIAL_JITTER_ADDED, _SPREAD, _EQUAL, _FULL or _NONE",
        "jitter_ms must be at least 1 with REDIAL_JITTER_ADDED and _SPREAD; REDIAL_JITTER_NONE means no jitter",
        "the policy must not be NULL",
    };
    for (unsigned i = 0; i < LENGTH(texts); i++)
        assert_string_equal(redial_policy_error_text(i), texts[i]);
    assert_string_equal(redial_policy_error_text(7), "unknown policy error");
    for (unsigned i = 0; i < LENGTH(unknown); i++)
        assert_string_equal(redial_policy_error_text(unknown[i]), "unknown policy error");
}

int main(void)
{
    return run_all();
}
