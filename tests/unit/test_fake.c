/* The fake environment, redial_fake.h. SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "support.h"

TEST(a_fresh_fake_is_all_zero_and_has_the_three_hooks_that_a_run_needs)
{
    struct redial_fake fake;
    poison(&fake, sizeof fake);
    redial_fake_init(&fake);
    assert_int_equal(fake.now_ms, 0);
    assert_int_equal(fake.random, 0);
    assert_int_equal(fake.waits, 0);
    assert_int_equal(fake.cancel_at_wait, 0);
    for (unsigned i = 0; i < REDIAL_FAKE_WAITS; i++)
        assert_int_equal(fake.waited_ms[i], 0);
    assert_true(fake.env.now_ms && fake.env.wait_ms && fake.env.random);
    assert_ptr_equal(fake.env.port, &fake);
    assert_true(!fake.env.cancelled && !fake.env.on_wait && !fake.env.user);
}

TEST(time_moves_in_a_wait_or_when_the_test_moves_it)
{
    struct redial_fake fake;
    redial_fake_init(&fake);
    assert_int_equal(fake.env.now_ms(&fake.env), 0);
    assert_int_equal(fake.env.now_ms(&fake.env), 0);
    assert_true(fake.env.wait_ms(&fake.env, 1500));
    assert_int_equal(fake.env.now_ms(&fake.env), 1500);
    assert_true(fake.env.wait_ms(&fake.env, 0));
    assert_int_equal(fake.env.now_ms(&fake.env), 1500);
    fake.now_ms = 7;
    assert_int_equal(fake.env.now_ms(&fake.env), 7);
}

TEST(sixty_four_waits_are_recorded_and_all_are_counted)
{
    struct redial_fake fake;
    redial_fake_init(&fake);
    fake.cancel_at_wait = UINT32_MAX;   /* the member that follows the record stays as it is */
    for (uint32_t i = 0; i < 100; i++) {
        assert_true(fake.env.wait_ms(&fake.env, 1000 + i));
        assert_int_equal(fake.waits, i + 1);
    }
    for (uint32_t i = 0; i < REDIAL_FAKE_WAITS; i++)
        assert_int_equal(fake.waited_ms[i], 1000 + i);
    assert_int_equal(fake.cancel_at_wait, UINT32_MAX);
    assert_int_equal(fake.now_ms, 100 * 1000 + 99 * 100 / 2);
}

TEST(a_cancelled_wait_is_recorded_but_takes_no_time)
{
    static const uint32_t which[] = { 1, 2, 64, 65, 80 };
    for (unsigned i = 0; i < LENGTH(which); i++) {
        struct redial_fake fake;
        redial_fake_init(&fake);
        fake.cancel_at_wait = which[i];
        for (uint32_t wait = 1; wait <= 90; wait++) {
            assert_int_equal(fake.env.wait_ms(&fake.env, 10), wait != which[i]);
            assert_int_equal(fake.waits, wait);
            assert_int_equal(fake.now_ms, 10 * (wait < which[i] ? wait : wait - 1));
        }
        for (uint32_t wait = 0; wait < REDIAL_FAKE_WAITS; wait++)
            assert_int_equal(fake.waited_ms[wait], 10);
    }
}

TEST(a_copy_of_the_env_belongs_to_the_same_fake)
{
    struct redial_fake fake;
    struct redial_env copy;
    redial_fake_init(&fake);
    copy = fake.env;
    fake.random = 5;
    assert_true(copy.wait_ms(&copy, 1500));
    assert_int_equal(copy.now_ms(&copy), 1500);
    assert_int_equal(copy.random(&copy), 5);
    assert_int_equal(fake.now_ms, 1500);
    assert_int_equal(fake.waits, 1);
}

TEST(redial_fake_init_resets_a_fake_that_was_used)
{
    struct redial_fake fake;
    redial_fake_init(&fake);
    fake.random = 1;
    fake.env.wait_ms(&fake.env, 100);
    redial_fake_init(&fake);
    assert_int_equal(fake.now_ms + fake.random + fake.waits + fake.waited_ms[0], 0);
}

static struct redial_outcome succeed_at_third(void *user, const struct redial_attempt *attempt)
{
    (void)user;
    return attempt->number < 3 ? redial_http(503, 0) : redial_done();
}

TEST(a_run_takes_no_time_and_its_waits_are_recorded)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_report report;
    struct redial_fake fake;
    redial_fake_init(&fake);
    fake.random = UINT32_MAX;
    poison(&report, sizeof report);
    assert_int_equal(redial_run(&policy, &fake.env, succeed_at_third, NULL, &report), REDIAL_DONE);
    assert_true(fake.waits == 2 && fake.waited_ms[0] == 2000 && fake.waited_ms[1] == 3000);
    assert_int_equal(report.elapsed_ms, 5000);
}

int main(void)
{
    return run_all();
}
