/* The texts of src/names.c. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "support.h"

TEST(every_verdict_has_the_name_that_the_header_promises)
{
    assert_string_equal(redial_verdict_name(REDIAL_DONE), "done");
    assert_string_equal(redial_verdict_name(REDIAL_RETRY), "retry");
    assert_string_equal(redial_verdict_name(REDIAL_FAILED), "failed");
    assert_string_equal(redial_verdict_name(REDIAL_EXHAUSTED), "exhausted");
    assert_string_equal(redial_verdict_name(REDIAL_TIMED_OUT), "timed_out");
    assert_string_equal(redial_verdict_name(REDIAL_WAIT_TOO_LONG), "wait_too_long");
    assert_string_equal(redial_verdict_name(REDIAL_BUDGET_EMPTY), "budget_empty");
    assert_string_equal(redial_verdict_name(REDIAL_CANCELLED), "cancelled");
    assert_string_equal(redial_verdict_name(REDIAL_INVALID), "invalid");
}

TEST(every_policy_error_s_text_names_the_field_and_the_rule)
{
    assert_string_equal(redial_policy_error_text(REDIAL_POLICY_OK), "the policy is valid");
    assert_string_equal(redial_policy_error_text(REDIAL_POLICY_BASE_ZERO), "base_ms must be at least 1");
    assert_string_equal(redial_policy_error_text(REDIAL_POLICY_CAP_BELOW_BASE), "cap_ms must not be less than base_ms");
    assert_string_equal(redial_policy_error_text(REDIAL_POLICY_JITTER_TOO_LONG), "jitter_ms must be at most 1000");
    assert_string_equal(redial_policy_error_text(REDIAL_POLICY_JITTER_UNKNOWN),
                        "jitter must be REDIAL_JITTER_ADDED, _SPREAD, _EQUAL, _FULL or _NONE");
    assert_string_equal(redial_policy_error_text(REDIAL_POLICY_JITTER_ZERO),
                        "jitter_ms must be at least 1 with REDIAL_JITTER_ADDED and _SPREAD; "
                        "REDIAL_JITTER_NONE means no jitter");
    assert_string_equal(redial_policy_error_text(REDIAL_POLICY_NULL), "the policy must not be NULL");
}

/* The values of enum redial_kind are among them, and are no verdicts. */
TEST(any_other_value_is_unknown)
{
    static const unsigned others[] = { REDIAL_INVALID + 1, 10, REDIAL_KIND_DONE, REDIAL_KIND_FAIL, 255, 256, 65536,
                                       INT_MAX, INT_MAX + 1u, UINT_MAX - 1, UINT_MAX };
    for (unsigned i = 0; i < LENGTH(others); i++) {
        assert_string_equal(redial_verdict_name(others[i]), "unknown");
        assert_string_equal(redial_policy_error_text(others[i]), "unknown policy error");
    }
    for (unsigned i = REDIAL_POLICY_NULL + 1; i <= REDIAL_INVALID; i++)
        assert_string_equal(redial_policy_error_text(i), "unknown policy error");
}

int main(void)
{
    return run_all();
}
