/* The uses of the algorithm that its services document, step by step. SPDX-License-Identifier: MIT

   Memorystore for Redis, Memorystore for Valkey: wait min(2^n s + random_ms, maximum backoff) after a 429 or a 5xx, the
   maximum being 32 or 64 s; from there on go on at the maximum, as often as the use case decides.
   Bid Manager: after a 503 wait 1, 2, 4, 8, 16 s, each with random_ms, then stop and report the error. */
#include "redial_fake.h"
#include "support.h"

struct service {
    const int *statuses;   /* one for each request; the last one stays */
    unsigned count;
};

static struct redial_outcome request(void *user, const struct redial_attempt *attempt)
{
    const struct service *service = (const struct service *)user;
    unsigned i = attempt->number - 1;
    return redial_http(service->statuses[i < service->count ? i : service->count - 1], 0);
}

/* The report of a call, and its waits in the fake. */
static struct redial_report call(const struct redial_policy *policy, uint32_t random, const int *statuses,
                                 unsigned count, struct redial_fake *fake)
{
    struct service service = { statuses, count };
    struct redial_report report;
    poison(&report, sizeof report);
    redial_fake_init(fake);
    fake->random = random;
    redial_run(policy, &fake->env, request, &service, &report);
    assert_int_equal(report.waited_ms, report.elapsed_ms);
    return report;
}

static const int always_429[] = { 429 }, always_503[] = { 503 };

static bool only_503(const void *user, int status)
{
    (void)user;
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
        report = call(&policy, table[i].random, always_429, 1, &fake);
        assert_int_equal(report.verdict, REDIAL_EXHAUSTED);
        assert_int_equal(report.attempts, 21);
        assert_int_equal(report.last.code, 429);
        assert_int_equal(fake.waits, 20);
        assert_memory_equal(fake.waited_ms, table[i].waits_ms, sizeof table[i].waits_ms);
        assert_int_equal(fake.waited_ms[19], table[i].cap_ms);
    }
}

TEST(memorystore_retries_429_and_every_5xx)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    for (int status = 400; status <= 599; status++) {
        const int statuses[] = { status, 200 };
        struct redial_fake fake;
        struct redial_report report = call(&policy, 0, statuses, 2, &fake);
        bool retried = status == 429 || status >= 500;
        assert_int_equal(report.verdict, retried ? REDIAL_DONE : REDIAL_FAILED);
        assert_int_equal(report.last.code, retried ? 200 : status);
    }
}

TEST(bid_manager_waits_1_2_4_8_16_s_about_32_s_in_all_and_reports_the_error)
{
    static const uint32_t caps_ms[] = { 60000, UINT32_MAX };   /* none is documented; no wait is a minute long */
    static const struct { uint32_t random, jitter_ms; } table[] = { { 0, 0 }, { UINT32_C(0x80000000), 500 },
                                                                    { UINT32_MAX, 1000 } };
    for (unsigned i = 0; i < LENGTH(caps_ms) * LENGTH(table); i++) {
        uint32_t jitter_ms = table[i / 2].jitter_ms;
        struct redial_policy policy = REDIAL_POLICY_DEFAULT;
        struct redial_report report;
        struct redial_fake fake;
        policy.cap_ms = caps_ms[i % 2];
        policy.retryable = only_503;
        report = call(&policy, table[i / 2].random, always_503, 1, &fake);
        assert_int_equal(report.verdict, REDIAL_EXHAUSTED);
        assert_int_equal(report.last.code, 503);
        assert_int_equal(report.attempts, 6);
        assert_int_equal(fake.waits, 5);   /* and none after the last request */
        for (unsigned n = 0; n < 5; n++)
            assert_int_equal(fake.waited_ms[n], (1000u << n) + jitter_ms);
        assert_int_equal(report.waited_ms, 31000 + 5 * jitter_ms);
        assert_int_equal(redial_longest_waits_ms(&policy), 36000);
    }
}

TEST(bid_manager_does_not_retry_bad_credentials_or_not_found)
{
    static const int permanent[] = { 400, 401, 403, 404, 429, 500 };
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.retryable = only_503;
    for (unsigned i = 0; i < LENGTH(permanent); i++) {
        struct redial_fake fake;
        struct redial_report report = call(&policy, 0, &permanent[i], 1, &fake);
        assert_int_equal(report.verdict, REDIAL_FAILED);
        assert_int_equal(report.attempts, 1);
        assert_int_equal(report.last.code, permanent[i]);
    }
}

int main(void)
{
    return run_all();
}
