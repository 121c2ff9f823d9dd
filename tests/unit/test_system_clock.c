/* src/system_posix.c over a system that refuses to tell the time. SPDX-License-Identifier: MIT */
#include <time.h>

#include "support.h"

static unsigned readings, refused_from;   /* the clock's first reading is 1 */

static int refusing_clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    if (++readings >= refused_from)
        return -1;
    time->tv_sec = 5;
    time->tv_nsec = 0;
    return 0;
}

#define clock_gettime refusing_clock_gettime
#define redial_system clockless_system
const struct redial_env *clockless_system(void);
#include "../../src/system_posix.c"

static int start(void **state)
{
    (void)state;
    readings = 0;
    refused_from = 1;
    return 0;
}

static void without_a_clock_the_time_is_0(void **state)
{
    (void)state;
    assert_int_equal(clockless_system()->now_ms(clockless_system()), 0);
}

static void without_a_clock_a_wait_fails_at_once(void **state)
{
    (void)state;
    assert_false(clockless_system()->wait_ms(clockless_system(), UINT32_MAX));
    assert_int_equal(readings, 1);
}

static void a_wait_fails_where_the_clock_is_refused_in_its_middle(void **state)
{
    (void)state;
    refused_from = 2;
    assert_false(clockless_system()->wait_ms(clockless_system(), 1));
    assert_int_equal(readings, 2);
}

static struct redial_outcome failing(void *user, const struct redial_attempt *attempt)
{
    ++*(unsigned *)user;
    (void)attempt;
    return redial_retry(7);
}

static void without_a_clock_a_run_ends_as_cancelled_when_it_should_wait(void **state)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    unsigned attempts = 0;
    (void)state;
    assert_int_equal(redial_run(&policy, clockless_system(), failing, &attempts, NULL), REDIAL_CANCELLED);
    assert_int_equal(attempts, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(without_a_clock_the_time_is_0, start),
        cmocka_unit_test_setup(without_a_clock_a_wait_fails_at_once, start),
        cmocka_unit_test_setup(a_wait_fails_where_the_clock_is_refused_in_its_middle, start),
        cmocka_unit_test_setup(without_a_clock_a_run_ends_as_cancelled_when_it_should_wait, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
