/* Values and sizes that compiled programs contain. If one of them differs, this file does not compile. Names and types
   are used by all other tests. SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "support.h"

#define VALUE(name, value) _Static_assert(name == (value), #name " is not " #value)

/* ---- values ---- */

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

/* ---- sizes ---- */

_Static_assert(sizeof ((struct redial_fake *)0)->waited_ms == REDIAL_FAKE_WAITS * sizeof(uint32_t), "waited_ms");
_Static_assert(sizeof(struct redial_call) <= (sizeof(void *) > 4 ? 32 : 24), "a call is small");
#if defined(__x86_64__) && !defined(__ILP32__)
_Static_assert(sizeof(struct redial_call) == 24, "a call has 24 bytes on x86-64");
#endif

TEST(the_default_policy_is_an_initialiser_for_static_data)
{
    static const struct redial_policy policies[] = { REDIAL_POLICY_DEFAULT, REDIAL_POLICY_DEFAULT };
    assert_int_equal(policies[1].base_ms, 1000);
}

int main(void)
{
    return run_all();
}
