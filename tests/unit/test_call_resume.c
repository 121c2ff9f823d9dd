/* A call that is kept and resumed, perhaps by another process: redial_resume, redial_retries, redial_elapsed_ms.
   SPDX-License-Identifier: MIT */
#include "decision.h"

/* A call that really made this many retries in that time, up to now_ms, without any limit. */
static struct redial_call lived(const struct redial_policy *policy, uint32_t retries, uint32_t elapsed_ms,
                                uint32_t now_ms)
{
    struct redial_policy generous = plain_policy();
    uint32_t n, then_ms = (uint32_t)((((uint64_t)1 << 32) + now_ms - elapsed_ms) & UINT32_MAX);
    struct redial_call call = begun(&generous, then_ms);
    generous.max_retries = REDIAL_NO_LIMIT;
    for (n = 0; n < 4; n++) {   /* in four parts, so that none is taken for a clock that stepped back */
        then_ms = later(then_ms, elapsed_ms / 4 + (n < elapsed_ms % 4));
        redial_next(&call, redial_postponed(0), then_ms, 0);
    }
    for (n = 0; n < retries; n++)
        assert_step(redial_next(&call, redial_retry(1), now_ms, 0), REDIAL_RETRY, wide_delay(1000, 32000, n, 0));
    call.policy = policy;
    return call;
}

/* From now on both calls decide the same, whatever happens. */
static void assert_go_on_alike(struct redial_call one, struct redial_call two, uint32_t now_ms, uint64_t *seed)
{
    for (unsigned i = 0; i < 12; i++) {
        const struct redial_outcome outcomes[] = {
            redial_retry(1), redial_http(503, random32(seed) % 40000), redial_pending(0), redial_postponed(9),
            redial_disconnected(1, random32(seed) % 2000), redial_done()
        };
        struct redial_outcome outcome = outcomes[random32(seed) % LENGTH(outcomes)];
        uint32_t random = random32(seed);
        struct redial_step step = redial_next(&one, outcome, now_ms, random);
        assert_step(redial_next(&two, outcome, now_ms, random), step.verdict, step.delay_ms);
        now_ms = later(now_ms, random32(seed) % 3000);
        assert_int_equal(redial_retries(&one), redial_retries(&two));
        assert_int_equal(redial_elapsed_ms(&one, now_ms), redial_elapsed_ms(&two, now_ms));
        assert_int_equal(redial_timeout_ms(&one, now_ms), redial_timeout_ms(&two, now_ms));
    }
}

static struct redial_policy limited_policy(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.max_elapsed_ms = 60000;
    policy.attempt_ms = 8000;
    policy.min_uptime_ms = 1000;
    return policy;
}

TEST(a_resumed_call_goes_on_as_one_that_made_those_retries_in_that_time)
{
    static const uint32_t retries[] = { 0, 1, 2, 4, 5, 6, 31, 32, 33, 100 };
    static const uint32_t elapsed_ms[] = { 0, 1, 59000, 59999, 60000, 60001, 0x7fffffff, 0x80000000, UINT32_MAX - 1,
                                           UINT32_MAX };
    static const uint32_t max_retries[] = { 0, 5, REDIAL_NO_LIMIT };
    uint64_t seed = 1;
    for (unsigned r = 0; r < LENGTH(retries); r++)
        for (unsigned e = 0; e < LENGTH(elapsed_ms); e++)
            for (unsigned m = 0; m < LENGTH(max_retries); m++) {
                struct redial_policy policy = limited_policy();
                uint32_t now_ms = random32(&seed);
                policy.max_retries = max_retries[m];
                assert_go_on_alike(resumed(&policy, retries[r], elapsed_ms[e], now_ms),
                                   lived(&policy, retries[r], elapsed_ms[e], now_ms), now_ms, &seed);
            }
}

TEST(a_resumed_call_goes_on_as_one_that_made_any_retries_in_any_time)
{
    uint64_t seed = 2;
    for (unsigned i = 0; i < 20000; i++) {
        struct redial_policy policy = limited_policy();
        uint32_t retries = random32(&seed) % 12, elapsed_ms = random32(&seed) >> random32(&seed) % 32;
        uint32_t now_ms = random32(&seed);
        policy.jitter = jitter_modes[i % LENGTH(jitter_modes)];
        assert_go_on_alike(resumed(&policy, retries, elapsed_ms, now_ms),
                           lived(&policy, retries, elapsed_ms, now_ms), now_ms, &seed);
    }
}

/* The retries or the time of the resumed call are beyond its limits, or are the largest numbers. */
TEST(a_call_resumed_beyond_its_limits_is_refused_and_no_number_overflows)
{
    static const uint32_t beyond[] = { 5, 6, UINT32_MAX - 1, UINT32_MAX };
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    for (unsigned i = 0; i < LENGTH(beyond); i++) {
        call = resumed(&policy, beyond[i], 0, 0);
        assert_int_equal(redial_retries(&call), beyond[i]);
        assert_next(&call, redial_retry(1), REDIAL_EXHAUSTED, 0);
        assert_next(&call, redial_done(), REDIAL_DONE, 0);
    }
    policy.max_retries = REDIAL_NO_LIMIT;
    policy.max_elapsed_ms = 5;
    for (unsigned i = 0; i < LENGTH(beyond); i++) {
        call = resumed(&policy, UINT32_MAX, beyond[i], 0);
        assert_int_equal(redial_elapsed_ms(&call, 0), beyond[i]);
        assert_int_equal(redial_elapsed_ms(&call, 1), beyond[i] < UINT32_MAX ? beyond[i] + 1 : UINT32_MAX);
        assert_int_equal(redial_timeout_ms(&call, 0), 0);
        assert_next(&call, redial_retry(1), REDIAL_TIMED_OUT, 32000);
        assert_next(&call, redial_done(), REDIAL_DONE, 0);
    }
}

TEST(after_resuming_the_waits_between_polls_start_anew)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    assert_next(&call, redial_pending(0), REDIAL_RETRY, 1000);
    assert_next(&call, redial_pending(0), REDIAL_RETRY, 2000);
    assert_true(redial_resume(&call, &policy, redial_retries(&call), redial_elapsed_ms(&call, 0), 0));
    assert_next(&call, redial_pending(0), REDIAL_RETRY, 1000);
}

/* The other process has another clock. */
TEST(a_call_may_be_kept_and_resumed_after_every_step)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 100);
    uint32_t now_ms = 100, elapsed_ms = 0;
    policy.max_elapsed_ms = 40000;
    for (unsigned n = 0; n < 5; n++) {
        struct redial_step step = redial_next(&call, redial_retry(1), later(now_ms, 10), 0);
        assert_step(step, REDIAL_RETRY, wide_delay(1000, 32000, n, 0));
        now_ms = later(later(now_ms, 10), step.delay_ms);
        elapsed_ms += 10 + step.delay_ms;
        assert_int_equal(redial_retries(&call), n + 1);
        assert_int_equal(redial_elapsed_ms(&call, now_ms), elapsed_ms);
        now_ms = n * UINT32_C(0x30000000);
        call = resumed(&policy, n + 1, elapsed_ms, now_ms);
        assert_int_equal(redial_timeout_ms(&call, now_ms), 40000 - elapsed_ms);
    }
    assert_step(redial_next(&call, redial_retry(1), now_ms, 0), REDIAL_EXHAUSTED, 0);
}

TEST(retries_are_those_granted_since_the_last_reset_or_poll)
{
    struct redial_policy policy = plain_policy();
    const struct { struct redial_outcome outcome; uint32_t retries; } table[] = {
        { redial_retry(1), 1 }, { redial_http(503, 9), 2 }, { redial_postponed(0), 2 }, { redial_fail(1), 2 },
        { redial_retry_after(1, UINT32_MAX), 2 }, { redial_retry(1), 3 }, { redial_retry(1), 3 },
        { redial_done(), 3 }, { redial_pending(9), 0 }, { redial_retry(1), 1 }, { redial_disconnected(1, 7), 1 },
        { redial_retry(1), 2 }, { redial_pending(0), 0 }, { redial_pending(0), 0 }
    };
    struct redial_call call;
    policy.max_retries = 3;
    policy.min_uptime_ms = 7;
    call = begun(&policy, 0);
    assert_int_equal(redial_retries(&call), 0);
    for (unsigned i = 0; i < LENGTH(table); i++) {
        redial_next(&call, table[i].outcome, 0, 0);
        assert_int_equal(redial_retries(&call), table[i].retries);
    }
}

TEST(elapsed_time_is_that_since_the_last_reset_and_a_poll_is_none)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 1000);
    policy.min_uptime_ms = 7;
    assert_int_equal(redial_elapsed_ms(&call, 1000), 0);
    assert_int_equal(redial_elapsed_ms(&call, 1500), 500);
    redial_next(&call, redial_retry(1), 2000, 0);
    assert_int_equal(redial_elapsed_ms(&call, 2500), 1500);
    redial_next(&call, redial_pending(0), 3000, 0);
    redial_next(&call, redial_pending(9), 4000, 0);
    assert_int_equal(redial_elapsed_ms(&call, 4000), 3000);
    redial_next(&call, redial_disconnected(1, 7), 5000, 0);
    assert_int_equal(redial_elapsed_ms(&call, 5000), 0);
    assert_int_equal(redial_elapsed_ms(&call, 5001), 1);
}

int main(void)
{
    return run_all();
}
