/* The texts of src/names.c. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "support.h"

static void every_verdict_has_the_name_that_the_header_promises(void **state)
{
    (void)state;
    assert_string_equal(redial_verdict_name(REDIAL_DONE), "done");
    assert_string_equal(redial_verdict_name(REDIAL_RETRY), "again");
    assert_string_equal(redial_verdict_name(REDIAL_FAILED), "stopped");
    assert_string_equal(redial_verdict_name(REDIAL_EXHAUSTED), "exhausted");
    assert_string_equal(redial_verdict_name(REDIAL_TIMED_OUT), "timed_out");
    assert_string_equal(redial_verdict_name(REDIAL_WAIT_TOO_LONG), "deferred");
    assert_string_equal(redial_verdict_name(REDIAL_BUDGET_EMPTY), "throttled");
    assert_string_equal(redial_verdict_name(REDIAL_CANCELLED), "cancelled");
    assert_string_equal(redial_verdict_name(REDIAL_INVALID), "invalid");
}

static void every_problem_text_names_the_field_and_the_rule(void **state)
{
    (void)state;
    assert_string_equal(redial_policy_error_text(REDIAL_POLICY_OK), "the policy is fine");
    assert_string_equal(redial_policy_error_text(REDIAL_POLICY_BASE_ZERO), "base_ms must be at least 1");
    assert_string_equal(redial_policy_error_text(REDIAL_POLICY_CAP_BELOW_BASE), "cap_ms must not be less than base_ms");
    assert_string_equal(redial_policy_error_text(REDIAL_POLICY_JITTER_TOO_LONG), "jitter_ms must be at most 1000");
    assert_string_equal(redial_policy_error_text(REDIAL_POLICY_JITTER_UNKNOWN),
                        "jitter must be REDIAL_JITTER_ADDED, _SPREAD, _EQUAL or _FULL");
}

/* The values of kinds are among them: a kind is no verdict. */
static void any_other_int_is_unknown(void **state)
{
    static const int others[] = { REDIAL_INVALID + 1, 10, REDIAL_KIND_DONE, REDIAL_KIND_FAIL, 255, 256, 65536,
                                  INT_MAX - 1, INT_MAX, -1, -2, -256, -65536, INT_MIN + 1, INT_MIN };
    size_t i;
    (void)state;
    for (i = 0; i < LENGTH(others); i++) {
        assert_string_equal(redial_verdict_name(others[i]), "unknown");
        assert_string_equal(redial_policy_error_text(others[i]), "unknown problem");
    }
    for (i = REDIAL_POLICY_JITTER_UNKNOWN + 1; i <= REDIAL_INVALID; i++)
        assert_string_equal(redial_policy_error_text((int)i), "unknown problem");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict_has_the_name_that_the_header_promises),
        cmocka_unit_test(every_problem_text_names_the_field_and_the_rule),
        cmocka_unit_test(any_other_int_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
