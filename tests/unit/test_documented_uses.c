/* The uses of the algorithm that its services document, step by step. SPDX-License-Identifier: MIT

   Memorystore for Redis, Memorystore for Valkey: wait min(2^n s + random_ms, maximum backoff)
   after a 429 or a 5xx, the maximum being 32 or 64 s; from there on go on at the maximum, as
   often as the use case decides. Bid Manager: after a 503 wait 1, 2, 4, 8, 16 s, each with
   random_ms, then stop and report the error. */
#include "redial_fake.h"
#include "../common/support.h"

static struct redial_outcome request(void *user, const struct redial_attempt *attempt)
{
    return redial_http(*(const int *)user, 0, "GET");
}

/* The report of a call whose requests all get this status. Its waits are in the fake. */
static struct redial_report call(const struct redial_policy *policy, uint32_t random, int status,
                                 struct redial_fake *fake)
{
    struct redial_report report;
    redial_fake_init(fake);
    fake->random = random;
    redial_run(policy, &fake->env, request, &status, &report);
    assert_int_equal(report.last.code, status);
    assert_int_equal(report.waited_ms, report.elapsed_ms);
    return report;
}

static bool only_503(const void *user, int status)
{
    return status == 503;
}

TEST(memorystore_doubles_its_waits_up_to_the_maximum_and_goes_on_there)
{
    static const struct { uint32_t cap_ms, random, waits_ms[8]; } table[] = {
        { 32000, 0, { 1000, 2000, 4000, 8000, 16000, 32000, 32000, 32000 } },
        { 32000, UINT32_MAX, { 2000, 3000, 5000, 9000, 17000, 32000, 32000, 32000 } },
        { 64000, 0, { 1000, 2000, 4000, 8000, 16000, 32000, 64000, 64000 } },
        { 64000, UINT32_C(0x80000000), { 1500, 2500, 4500, 8500, 16500, 32500, 64000, 64000 } },
        { 64000, UINT32_MAX, { 2000, 3000, 5000, 9000, 17000, 33000, 64000, 64000 } }
    };
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        struct redial_report report;
        struct redial_fake fake;
        policy.cap_ms = table[i].cap_ms;
        policy.max_retries = 20;
        report = call(&policy, table[i].random, 429, &fake);
        assert_int_equal(report.verdict, REDIAL_EXHAUSTED);
        assert_int_equal(report.attempts, 21);
        assert_int_equal(fake.waits, 20);
        assert_memory_equal(fake.waited_ms, table[i].waits_ms, sizeof table[i].waits_ms);
        assert_int_equal(fake.waited_ms[19], table[i].cap_ms);
    }
}

TEST(memorystore_retries_429_and_every_5xx_and_bid_manager_only_503)
{
    for (int status = 400; status <= 599; status++) {
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        struct redial_fake fake;
        bool retried = status == 429 || status >= 500;
        if (call(&policy, 0, status, &fake).attempts != (retried ? 6 : 1))
            fail_msg("Memorystore, status %d", status);
        policy.retryable = only_503;
        if (call(&policy, 0, status, &fake).attempts != (status == 503 ? 6 : 1))
            fail_msg("Bid Manager, status %d", status);
    }
}

TEST(bid_manager_doubles_its_waits_and_reports_the_error_after_the_last_retry)
{
    static const struct { uint32_t random, jitter_ms; } table[] = {
        { 0, 0 }, { UINT32_C(0x80000000), 500 }, { UINT32_MAX, 1000 }
    };
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        struct redial_report report;
        struct redial_fake fake;
        policy.cap_ms = UINT32_MAX;   /* none is documented */
        policy.retryable = only_503;
        report = call(&policy, table[i].random, 503, &fake);
        assert_int_equal(report.verdict, REDIAL_EXHAUSTED);
        assert_int_equal(report.attempts, 6);
        assert_int_equal(fake.waits, 5);   /* and none after the last request */
        for (unsigned n = 0; n < 5; n++)
            assert_int_equal(fake.waited_ms[n], (1000u << n) + table[i].jitter_ms);
        assert_int_equal(report.waited_ms, 31000 + 5 * table[i].jitter_ms);
    }
}

int main(void)
{
    return run_all();
}
