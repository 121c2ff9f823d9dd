/* The texts of src/names.c. The values and sizes that compiled programs contain: if one of them differs, this file does
   not compile. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "redial_fake.h"
#include "support.h"

#define VALUE(name, value) _Static_assert(name == (value), #name " is not " #value)

VALUE(REDIAL_VERSION_MAJOR, 0);
VALUE(REDIAL_VERSION_MINOR, 3);
VALUE(REDIAL_JITTER_MAX_MS, 1000u);
VALUE(REDIAL_RETRY_AFTER_MAX_MS, 300000u);
VALUE(REDIAL_NO_LIMIT, UINT32_MAX);
VALUE(REDIAL_FAKE_WAITS, 64);

VALUE(REDIAL_JITTER_ADDED, 0);
VALUE(REDIAL_JITTER_SPREAD, 1);
VALUE(REDIAL_JITTER_EQUAL, 2);
VALUE(REDIAL_JITTER_FULL, 3);
VALUE(REDIAL_JITTER_NONE, 4);

VALUE(REDIAL_POLICY_OK, 0);
VALUE(REDIAL_POLICY_BASE_ZERO, 1);
VALUE(REDIAL_POLICY_CAP_BELOW_BASE, 2);
VALUE(REDIAL_POLICY_JITTER_TOO_LONG, 3);
VALUE(REDIAL_POLICY_JITTER_UNKNOWN, 4);
VALUE(REDIAL_POLICY_JITTER_ZERO, 5);
VALUE(REDIAL_POLICY_NULL, 6);

VALUE(REDIAL_KIND_INVALID, 0);
VALUE(REDIAL_KIND_DONE, 16);
VALUE(REDIAL_KIND_FAIL, 17);
VALUE(REDIAL_KIND_HTTP, 18);
VALUE(REDIAL_KIND_RETRY, 19);
VALUE(REDIAL_KIND_PENDING, 20);
VALUE(REDIAL_KIND_POSTPONED, 21);

VALUE(REDIAL_DONE, 0);
VALUE(REDIAL_RETRY, 1);
VALUE(REDIAL_FAILED, 2);
VALUE(REDIAL_EXHAUSTED, 3);
VALUE(REDIAL_TIMED_OUT, 4);
VALUE(REDIAL_WAIT_TOO_LONG, 5);
VALUE(REDIAL_BUDGET_EMPTY, 6);
VALUE(REDIAL_CANCELLED, 7);
VALUE(REDIAL_INVALID, 8);

_Static_assert(sizeof ((struct redial_fake *)0)->waited_ms == REDIAL_FAKE_WAITS * sizeof(uint32_t), "waited_ms");
_Static_assert(sizeof(struct redial_call) <= (sizeof(void *) > 4 ? 32 : 24), "a call is small");
#if defined(__x86_64__) && !defined(__ILP32__)
_Static_assert(sizeof(struct redial_call) == 24, "a call has 24 bytes on x86-64");
#endif

/* ---- texts ---- */

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
    static const char *const texts[][2] = {   /* the field and the rule */
        { "the policy", "valid" },
        { "base_ms must", "at least 1" },
        { "cap_ms must", "not be less than base_ms" },
        { "jitter_ms", "at most 1000" },
        { "jitter ", "REDIAL_JITTER_ADDED, _SPREAD, _EQUAL, _FULL or _NONE" },
        { "jitter_ms", "at least 1" },
        { "the policy", "NULL" },
    };
    for (unsigned i = 0; i < LENGTH(texts); i++) {
        assert_contains(redial_policy_error_text(i), texts[i][0]);
        assert_contains(redial_policy_error_text(i), texts[i][1]);
    }
    assert_string_equal(redial_policy_error_text(7), "unknown policy error");
    for (unsigned i = 0; i < LENGTH(unknown); i++)
        assert_string_equal(redial_policy_error_text(unknown[i]), "unknown policy error");
}

int main(void)
{
    return run_all();
}
