/* The texts of src/names.c. Values and sizes that the header promises: if one of them differs, this
   file does not compile. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "redial_fake.h"
#include "../common/support.h"

#define VALUE(name, value) _Static_assert(name == (value), #name " is not " #value)

VALUE(REDIAL_JITTER_MAX_MS, 1000u);
VALUE(REDIAL_RETRY_AFTER_MAX_MS, 300000u);
VALUE(REDIAL_NO_LIMIT, UINT32_MAX);
VALUE(REDIAL_FAKE_WAITS, 64);

VALUE(REDIAL_JITTER_ADDED, 0);
VALUE(REDIAL_JITTER_WIDE, 1);
VALUE(REDIAL_JITTER_FULL, 2);
VALUE(REDIAL_JITTER_NONE, 3);

VALUE(REDIAL_KIND_INVALID, 0);
VALUE(REDIAL_KIND_DONE, 16);
VALUE(REDIAL_KIND_FAIL, 17);
VALUE(REDIAL_KIND_UNSURE, 18);
VALUE(REDIAL_KIND_CANCELLED, 19);
VALUE(REDIAL_KIND_RETRY, 32);
VALUE(REDIAL_KIND_PENDING, 33);
VALUE(REDIAL_KIND_HELD, 34);

VALUE(REDIAL_INVALID, 0);
VALUE(REDIAL_DONE, 1);
VALUE(REDIAL_ATTEMPT, 2);
VALUE(REDIAL_WAIT, 3);
VALUE(REDIAL_FAILED, 4);
VALUE(REDIAL_UNSURE, 5);
VALUE(REDIAL_EXHAUSTED, 6);
VALUE(REDIAL_TIMED_OUT, 7);
VALUE(REDIAL_WAIT_TOO_LONG, 8);
VALUE(REDIAL_BUDGET_EMPTY, 9);
VALUE(REDIAL_CANCELLED, 10);

_Static_assert(sizeof ((struct redial_fake *)0)->waited_ms == REDIAL_FAKE_WAITS * sizeof(uint32_t),
               "waited_ms");
/* C++20 wants designated initialisers in this order. */
#define BEFORE(first, second) \
    _Static_assert(offsetof(struct redial_policy, first) < offsetof(struct redial_policy, second), \
                   #first " is not before " #second)

BEFORE(base_ms, cap_ms);
BEFORE(cap_ms, jitter_ms);
BEFORE(jitter_ms, jitter);
BEFORE(jitter, max_retries);
BEFORE(max_retries, max_elapsed_ms);
BEFORE(max_elapsed_ms, attempt_ms);
BEFORE(attempt_ms, min_attempt_ms);
BEFORE(min_attempt_ms, max_retry_after_ms);
BEFORE(max_retry_after_ms, min_uptime_ms);
BEFORE(min_uptime_ms, budget);

_Static_assert(sizeof(struct redial_call) <= (sizeof(void *) > 4 ? 32 : 24), "a call is small");
_Static_assert(sizeof(struct redial_gate) == 8, "a gate is two words");

/* ---- texts ---- */

/* The values of enum redial_kind are among them. */
static const unsigned unknown[] = { 11, 12, REDIAL_KIND_DONE, REDIAL_KIND_FAIL, 255, 256, 65536,
                                    INT_MAX, INT_MAX + 1u, UINT_MAX - 1, UINT_MAX };

TEST(every_verdict_has_the_name_that_the_header_promises)
{
    static const char *const names[] = { "invalid", "done", "attempt", "wait", "failed", "unsure",
                                         "exhausted", "timed_out", "wait_too_long",
                                         "budget_empty", "cancelled" };
    for (unsigned i = 0; i < LENGTH(names); i++)
        assert_string_equal(redial_verdict_name((enum redial_verdict)i), names[i]);
    for (unsigned i = 0; i < LENGTH(unknown); i++) {
        enum redial_verdict verdict = (enum redial_verdict)unknown[i];
        if ((unsigned)verdict == unknown[i])   /* with -fshort-enums, 256 is 0 */
            assert_string_equal(redial_verdict_name(verdict), "unknown");
    }
}

/* A new verdict does not compile here: it needs a name, above and in src/names.c. */
TEST(no_verdict_is_without_a_name)
{
    for (unsigned i = 0; i <= UINT8_MAX; i++)
        switch ((enum redial_verdict)i) {
        case REDIAL_DONE: case REDIAL_ATTEMPT: case REDIAL_WAIT: case REDIAL_FAILED:
        case REDIAL_UNSURE: case REDIAL_EXHAUSTED:
        case REDIAL_TIMED_OUT: case REDIAL_WAIT_TOO_LONG: case REDIAL_BUDGET_EMPTY:
        case REDIAL_CANCELLED: case REDIAL_INVALID:
            assert_true(strcmp(redial_verdict_name((enum redial_verdict)i), "unknown") != 0);
        }
}

int main(void)
{
    return run_all();
}
