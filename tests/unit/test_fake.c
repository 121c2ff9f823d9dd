/* The fake environment, redial_fake.h. SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "../common/support.h"

static struct redial_fake fake;   /* fresh in every test, and before that filled with garbage */

static int start(void **state)
{
    poison(&fake, sizeof fake);
    redial_fake_init(&fake);
    return 0;
}

TEST(time_moves_in_a_wait_or_when_the_test_moves_it_also_for_a_copy_of_the_env)
{
    struct redial_env copy = fake.env;
    fake.random = 5;
    assert_int_equal(copy.random(&copy), 5);
    assert_true(copy.wait_ms(&copy, 1500) && copy.wait_ms(&copy, 0));
    assert_int_equal(fake.waits, 2);
    assert_int_equal(copy.now_ms(&copy), 1500);
    assert_int_equal(fake.env.now_ms(&fake.env), 1500);
    fake.now_ms = 7;
    assert_int_equal(copy.now_ms(&copy), 7);
}

/* The member that follows the record, cancel_at_wait, stays as it is. */
TEST(the_first_waits_are_recorded_all_are_counted_and_a_cancelled_one_takes_no_time)
{
    static const uint32_t cancel_at[] = { 1, 2, 64, 65, 80, UINT32_MAX };
    for (unsigned i = 0; i < LENGTH(cancel_at); i++) {
        uint32_t spent_ms = 0;
        start(NULL);
        fake.cancel_at_wait = cancel_at[i];
        for (uint32_t wait = 1; wait <= 100; wait++) {
            bool whole = wait != cancel_at[i];
            assert_int_equal(fake.env.wait_ms(&fake.env, 1000 + wait), whole);
            spent_ms += whole ? 1000 + wait : 0;
            assert_int_equal(fake.waits, wait);
            assert_int_equal(fake.now_ms, spent_ms);
        }
        for (uint32_t wait = 0; wait < REDIAL_FAKE_WAITS; wait++)
            assert_int_equal(fake.waited_ms[wait], 1001 + wait);
        assert_int_equal(fake.cancel_at_wait, cancel_at[i]);
    }
}

int main(void)
{
    return run_all_with(start, NULL, NULL, NULL);
}
