/* The decision: a wait that the server asked for. SPDX-License-Identifier: MIT */
#include "decision.h"

static const enum redial_jitter kinds[] = { REDIAL_JITTER_ADDED, REDIAL_JITTER_SPREAD, REDIAL_JITTER_EQUAL,
                                            REDIAL_JITTER_FULL };

static struct redial_policy jittered(enum redial_jitter jitter)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.jitter = jitter;
    return policy;
}

/* The first decision of a call. */
static struct redial_step first(const struct redial_policy *policy, uint32_t retry_after_ms, uint32_t random)
{
    struct redial_call call = begun(policy, 0);
    return redial_next(&call, again_after(retry_after_ms), 0, random);
}

static void a_servers_wait_gets_jitter_on_top_in_every_kind(void **state)
{
    unsigned i;
    (void)state;
    for (i = 0; i < 4; i++) {
        struct redial_policy policy = jittered(kinds[i]);
        assert_step(first(&policy, 60000, 0), REDIAL_RETRY, 60000);
        assert_step(first(&policy, 60000, UINT32_C(0x80000000)), REDIAL_RETRY, 60500);
        assert_step(first(&policy, 60000, HIGHEST), REDIAL_RETRY, 61000);
    }
}

static void without_jitter_a_servers_wait_is_exact(void **state)
{
    unsigned i;
    (void)state;
    for (i = 0; i < 4; i++) {
        struct redial_policy policy = jittered(kinds[i]);
        policy.jitter_ms = 0;
        assert_step(first(&policy, 60000, 0), REDIAL_RETRY, 60000);
        assert_step(first(&policy, 60000, HIGHEST), REDIAL_RETRY, 60000);
    }
}

static void no_retry_is_earlier_than_the_server_said(void **state)
{
    uint64_t seed = 20240229;
    unsigned i;
    (void)state;
    for (i = 0; i < 40000; i++) {
        struct redial_policy policy = jittered(kinds[i % 4]);
        uint32_t retry_after_ms = random32(&seed) % 300001;
        struct redial_step step = first(&policy, retry_after_ms, random32(&seed));
        assert_int_equal(step.verdict, REDIAL_RETRY);
        assert_true(step.delay_ms >= retry_after_ms);
        assert_true(step.delay_ms <= (retry_after_ms < 1000 ? 1000 : retry_after_ms) + 1000);
    }
}

static void the_wait_of_our_own_is_the_least(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    (void)state;
    assert_step(redial_next(&call, again_after(1), 0, 0), REDIAL_RETRY, 1000);
    assert_step(redial_next(&call, again_after(1999), 0, 0), REDIAL_RETRY, 2000);
    assert_step(redial_next(&call, again_after(4000), 0, 0), REDIAL_RETRY, 4000);
    assert_step(redial_next(&call, again_after(8001), 0, 0), REDIAL_RETRY, 8001);
    assert_step(redial_next(&call, again_after(0), 0, 0), REDIAL_RETRY, 16000);
}

static void a_servers_wait_counts_as_a_retry(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    (void)state;
    policy.max_retries = 2;
    call = begun(&policy, 0);
    assert_step(redial_next(&call, again_after(5000), 0, 0), REDIAL_RETRY, 5000);
    assert_step(redial_next(&call, redial_retry(1), 0, 0), REDIAL_RETRY, 2000);
    assert_step(redial_next(&call, again_after(5000), 0, 0), REDIAL_EXHAUSTED, 0);
}

static void the_longest_wait_allowed_is_granted_and_1_ms_more_deferred(void **state)
{
    struct redial_policy policy = plain_policy();
    (void)state;
    assert_step(first(&policy, 300000, 0), REDIAL_RETRY, 300000);
    assert_step(first(&policy, 300001, 0), REDIAL_WAIT_TOO_LONG, 300001);
    assert_step(first(&policy, UINT32_MAX, 0), REDIAL_WAIT_TOO_LONG, UINT32_MAX);
    policy.max_retry_after_ms = 1;
    assert_step(first(&policy, 1, 0), REDIAL_RETRY, 1000);
    assert_step(first(&policy, 2, 0), REDIAL_WAIT_TOO_LONG, 2);   /* although the wait of our own is longer */
}

static void without_a_limit_of_its_own_the_cap_is_the_longest(void **state)
{
    struct redial_policy policy = plain_policy();
    (void)state;
    policy.max_retry_after_ms = 0;
    assert_step(first(&policy, 32000, 0), REDIAL_RETRY, 32000);
    assert_step(first(&policy, 32001, 0), REDIAL_WAIT_TOO_LONG, 32001);
}

static void what_the_server_said_is_compared_before_jitter(void **state)
{
    unsigned i;
    (void)state;
    for (i = 0; i < 4; i++) {
        struct redial_policy policy = jittered(kinds[i]);
        assert_step(first(&policy, 300000, HIGHEST), REDIAL_RETRY, 301000);
        assert_step(first(&policy, 300001, HIGHEST), REDIAL_WAIT_TOO_LONG, 300001);
        policy.max_retry_after_ms = 0;
        assert_step(first(&policy, 32000, HIGHEST), REDIAL_RETRY, 33000);   /* above the cap, which is for our own */
        assert_step(first(&policy, 32001, HIGHEST), REDIAL_WAIT_TOO_LONG, 32001);
    }
}

static void a_servers_wait_and_its_jitter_saturate(void **state)
{
    struct redial_policy policy = jittered(REDIAL_JITTER_FULL);
    (void)state;
    policy.max_retry_after_ms = UINT32_MAX;
    assert_step(first(&policy, UINT32_MAX, 0), REDIAL_RETRY, UINT32_MAX);
    assert_step(first(&policy, UINT32_MAX, HIGHEST), REDIAL_RETRY, UINT32_MAX);
    assert_step(first(&policy, UINT32_MAX - 999, HIGHEST), REDIAL_RETRY, UINT32_MAX);
    assert_step(first(&policy, UINT32_MAX - 1000, HIGHEST), REDIAL_RETRY, UINT32_MAX);
    assert_step(first(&policy, UINT32_MAX - 1001, HIGHEST), REDIAL_RETRY, UINT32_MAX - 1);
}

static void a_servers_wait_past_our_time_is_refused_at_once(void **state)
{
    struct redial_policy policy = plain_policy();
    (void)state;
    policy.max_elapsed_ms = 10000;
    assert_step(first(&policy, 9999, 0), REDIAL_RETRY, 9999);
    assert_step(first(&policy, 10000, 0), REDIAL_TIMED_OUT, 10000);
    policy.jitter_ms = 1000;
    assert_step(first(&policy, 9000, 0), REDIAL_RETRY, 9000);
    assert_step(first(&policy, 9000, HIGHEST), REDIAL_TIMED_OUT, 10000);
}

static void a_servers_wait_counts_for_every_outcome_worth_a_retry(void **state)
{
    static const int statuses[] = { 0, -1, 429, 500, 503 };
    struct redial_policy policy = plain_policy();
    unsigned i;
    (void)state;
    for (i = 0; i < LENGTH(statuses); i++) {
        struct redial_call call = begun(&policy, 0);
        assert_step(redial_next(&call, redial_http(statuses[i], 7000), 0, 0), REDIAL_RETRY, 7000);
    }
    assert_step(first(&policy, 7000, 0), REDIAL_RETRY, 7000);
}

static void a_servers_wait_means_nothing_on_a_success_or_a_stop(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    (void)state;
    assert_step(redial_next(&call, redial_http(200, 7000), 0, HIGHEST), REDIAL_DONE, 0);
    assert_step(redial_next(&call, redial_http(301, UINT32_MAX), 0, HIGHEST), REDIAL_DONE, 0);
    assert_step(redial_next(&call, redial_http(404, UINT32_MAX), 0, HIGHEST), REDIAL_FAILED, 0);
    assert_step(redial_next(&call, outcome_of(REDIAL_KIND_DONE, 0, UINT32_MAX, 0), 0, HIGHEST), REDIAL_DONE, 0);
    assert_step(redial_next(&call, outcome_of(REDIAL_KIND_FAIL, 0, UINT32_MAX, 0), 0, HIGHEST), REDIAL_FAILED, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_servers_wait_gets_jitter_on_top_in_every_kind),
        cmocka_unit_test(without_jitter_a_servers_wait_is_exact),
        cmocka_unit_test(no_retry_is_earlier_than_the_server_said),
        cmocka_unit_test(the_wait_of_our_own_is_the_least),
        cmocka_unit_test(a_servers_wait_counts_as_a_retry),
        cmocka_unit_test(the_longest_wait_allowed_is_granted_and_1_ms_more_deferred),
        cmocka_unit_test(without_a_limit_of_its_own_the_cap_is_the_longest),
        cmocka_unit_test(what_the_server_said_is_compared_before_jitter),
        cmocka_unit_test(a_servers_wait_and_its_jitter_saturate),
        cmocka_unit_test(a_servers_wait_past_our_time_is_refused_at_once),
        cmocka_unit_test(a_servers_wait_counts_for_every_outcome_worth_a_retry),
        cmocka_unit_test(a_servers_wait_means_nothing_on_a_success_or_a_stop)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
