/* The uses of the algorithm that its services document, step by step. SPDX-License-Identifier: MIT

   Memorystore for Redis, Memorystore for Valkey: wait min(2^n s + random_ms, maximum backoff) after a 429 or a 5xx, the
   maximum being 32 or 64 s; from there on go on at the maximum, as often as the use case decides.
   Bid Manager: after a 503 wait 1, 2, 4, 8, 16 s, each with random_ms, then stop and report the error.
   Long-running operations of many services: create one, then poll until it is done. */
#include "redial_fake.h"
#include "support.h"

/* ---- a service that fails for a while ---- */

struct service {
    const int *statuses;   /* one for each request; the last one stays */
    unsigned count, requests;
    uint64_t seed;
};

static struct redial_outcome request(void *user, const struct redial_attempt *attempt)
{
    struct service *service = (struct service *)user;
    unsigned i = service->requests++;
    assert_int_equal(attempt->number, service->requests);
    return redial_http(service->statuses[i < service->count ? i : service->count - 1], 0);
}

static uint32_t random_anew(const struct redial_env *env)
{
    return random32(&((struct service *)env->user)->seed);
}

static struct redial_report call(const struct redial_policy *policy, const struct redial_env *env,
                                 struct service *service)
{
    struct redial_report report;
    enum redial_verdict verdict;
    poison(&report, sizeof report);
    service->requests = 0;
    verdict = redial_run(policy, env, request, service, &report);
    assert_int_equal(report.verdict, verdict);
    assert_int_equal(report.attempts, service->requests);
    assert_int_equal(report.waited_ms, report.elapsed_ms);
    return report;
}

static struct redial_policy documented(uint32_t cap_ms, uint32_t max_retries)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    policy.cap_ms = cap_ms;
    policy.max_retries = max_retries;
    assert_int_equal(policy.base_ms, 1000);
    assert_int_equal(policy.jitter_ms, 1000);
    assert_int_equal(policy.jitter, REDIAL_JITTER_ADDED);
    return policy;
}

/* ---- Memorystore ---- */

#define RETRIES 20

static const uint32_t to_32_shortest[] = { 1000, 2000, 4000, 8000, 16000, 32000 };
static const uint32_t to_32_longest[] = { 2000, 3000, 5000, 9000, 17000, 32000 };
static const uint32_t to_64_shortest[] = { 1000, 2000, 4000, 8000, 16000, 32000, 64000 };
static const uint32_t to_64_longest[] = { 2000, 3000, 5000, 9000, 17000, 33000, 64000 };

/* The waits of a service that never recovers: as listed, then always the last one of the list. */
static void assert_waits(uint32_t cap_ms, uint32_t random, const uint32_t *waits_ms, unsigned count)
{
    static const int always[] = { 429 };
    struct service service = { always, 1, 0, 1 };
    struct redial_policy policy = documented(cap_ms, RETRIES);
    struct redial_report report;
    struct redial_fake fake;
    redial_fake_init(&fake);
    fake.random = random;
    report = call(&policy, &fake.env, &service);
    assert_int_equal(report.verdict, REDIAL_EXHAUSTED);
    assert_int_equal(report.attempts, RETRIES + 1);
    assert_int_equal(report.last.code, 429);
    assert_int_equal(fake.waits, RETRIES);
    for (unsigned i = 0; i < RETRIES; i++)
        assert_int_equal(fake.waited_ms[i], waits_ms[i < count ? i : count - 1]);
}

TEST(memorystore_with_32_s_waits_1_2_4_8_16_s_and_32_s_from_then_on)
{
    assert_waits(32000, 0, to_32_shortest, 6);
    assert_waits(32000, UINT32_MAX, to_32_longest, 6);
}

TEST(memorystore_with_64_s_waits_1_2_4_8_16_32_s_and_64_s_from_then_on)
{
    assert_waits(64000, 0, to_64_shortest, 7);
    assert_waits(64000, UINT32_MAX, to_64_longest, 7);
}

/* Every wait is in [2^n s, 2^n s + 1000 ms] and at most the maximum, and the waits come near both ends. */
static void assert_waits_within(uint32_t cap_ms, const uint32_t *shortest, const uint32_t *longest, unsigned count)
{
    static const int always[] = { 503 };
    struct service service = { always, 1, 0, 20 };
    struct redial_policy policy = documented(cap_ms, RETRIES);
    uint32_t least[RETRIES], most[RETRIES];
    for (unsigned round = 0; round < 1000; round++) {
        struct redial_fake fake;
        redial_fake_init(&fake);
        fake.env.random = random_anew;
        fake.env.user = &service;
        call(&policy, &fake.env, &service);
        for (unsigned i = 0; i < RETRIES; i++) {
            uint32_t waited_ms = fake.waited_ms[i];
            assert_true(waited_ms >= shortest[i < count ? i : count - 1]);
            assert_true(waited_ms <= longest[i < count ? i : count - 1]);
            least[i] = round == 0 || waited_ms < least[i] ? waited_ms : least[i];
            most[i] = round == 0 || waited_ms > most[i] ? waited_ms : most[i];
        }
    }
    for (unsigned i = 0; i + 1 < count; i++) {   /* none within 20 ms of an end: 0.98^1000 */
        assert_true(least[i] < shortest[i] + 20);
        assert_true(most[i] > longest[i] - 20);
    }
}

TEST(memorystore_waits_stay_within_a_second_of_2_to_the_n)
{
    assert_waits_within(32000, to_32_shortest, to_32_longest, 6);
    assert_waits_within(64000, to_64_shortest, to_64_longest, 7);
}

TEST(memorystore_retries_429_and_every_5xx)
{
    struct redial_policy policy = documented(32000, RETRIES);
    for (int status = 400; status <= 599; status++) {
        int statuses[2] = { 0, 200 };
        struct service service = { statuses, 2, 0, 1 };
        struct redial_report report;
        struct redial_fake fake;
        bool retried = status == 429 || status >= 500;
        statuses[0] = status;
        redial_fake_init(&fake);
        report = call(&policy, &fake.env, &service);
        assert_int_equal(report.verdict, retried ? REDIAL_DONE : REDIAL_FAILED);
        assert_int_equal(report.attempts, retried ? 2 : 1);
        assert_int_equal(report.last.code, retried ? 200 : status);
    }
}

TEST(memorystore_goes_on_at_the_maximum_until_the_service_recovers)
{
    static const int outage[] = { 503, 503, 429, 503, 503, 503, 429, 429, 500, 502, 504, 200 };
    static const uint32_t caps_ms[] = { 32000, 64000 };
    for (unsigned i = 0; i < 2; i++) {
        struct service service = { outage, LENGTH(outage), 0, 1 };
        struct redial_policy policy = documented(caps_ms[i], REDIAL_NO_LIMIT);
        struct redial_report report;
        struct redial_fake fake;
        redial_fake_init(&fake);
        report = call(&policy, &fake.env, &service);
        assert_int_equal(report.verdict, REDIAL_DONE);
        assert_int_equal(report.attempts, 12);
        assert_int_equal(report.last.code, 200);
        assert_int_equal(fake.waits, 11);
        assert_int_equal(report.waited_ms, i == 0 ? (31 + 6 * 32) * 1000 : (63 + 5 * 64) * 1000);
    }
}

/* ---- Bid Manager ---- */

static bool only_503(const void *user, int status)
{
    (void)user;
    return status == 503;
}

/* No maximum is documented, so cap_ms may be UINT32_MAX. No wait reaches one minute, so that cap does the same. */
static struct redial_policy bid_manager(uint32_t cap_ms)
{
    struct redial_policy policy = documented(cap_ms, 5);
    policy.retryable = only_503;
    return policy;
}

static void assert_five_waits(uint32_t cap_ms, uint32_t random, uint32_t jitter_ms)
{
    static const int always[] = { 503 };
    struct service service = { always, 1, 0, 1 };
    struct redial_policy policy = bid_manager(cap_ms);
    struct redial_report report;
    struct redial_fake fake;
    redial_fake_init(&fake);
    fake.random = random;
    report = call(&policy, &fake.env, &service);
    assert_int_equal(report.verdict, REDIAL_EXHAUSTED);
    assert_int_equal(report.last.kind, REDIAL_KIND_HTTP);
    assert_int_equal(report.last.code, 503);
    assert_int_equal(report.attempts, 6);
    assert_int_equal(fake.waits, 5);   /* and none after the last request */
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(fake.waited_ms[i], (UINT32_C(1) << i) * 1000 + jitter_ms);
    assert_int_equal(report.waited_ms, 31000 + 5 * jitter_ms);
}

TEST(bid_manager_waits_1_2_4_8_16_s_and_reports_the_error)
{
    static const uint32_t caps_ms[] = { 60000, UINT32_MAX };
    for (unsigned i = 0; i < 2; i++) {
        struct redial_policy policy = bid_manager(caps_ms[i]);
        assert_five_waits(caps_ms[i], 0, 0);
        assert_five_waits(caps_ms[i], UINT32_C(0x80000000), 500);
        assert_five_waits(caps_ms[i], UINT32_MAX, 1000);
        assert_int_equal(redial_longest_waits_ms(&policy), 36000);
    }
}

TEST(bid_manager_gives_up_after_about_32_s)
{
    static const int always[] = { 503 };
    struct service service = { always, 1, 0, 32 };
    struct redial_policy policy = bid_manager(60000);
    uint64_t total_ms = 0;
    for (unsigned round = 0; round < 1000; round++) {
        struct redial_report report;
        struct redial_fake fake;
        redial_fake_init(&fake);
        fake.env.random = random_anew;
        fake.env.user = &service;
        report = call(&policy, &fake.env, &service);
        assert_true(report.waited_ms >= 31000 && report.waited_ms <= 36000);
        total_ms += report.waited_ms;
    }
    /* 31 s and five times half a second on average; the mean of 1000 rounds has a standard deviation of 20 ms. */
    assert_true(total_ms / 1000 > 33400 && total_ms / 1000 < 33600);
}

TEST(bid_manager_succeeds_at_any_of_the_six_requests)
{
    int statuses[] = { 503, 503, 503, 503, 503, 503 };
    struct redial_policy policy = bid_manager(60000);
    for (unsigned success = 6; success >= 1; success--) {
        struct service service = { statuses, 6, 0, 1 };
        struct redial_report report;
        struct redial_fake fake;
        statuses[success - 1] = 200;
        redial_fake_init(&fake);
        report = call(&policy, &fake.env, &service);
        assert_int_equal(report.verdict, REDIAL_DONE);
        assert_int_equal(report.attempts, success);
        assert_int_equal(report.waited_ms, ((UINT32_C(1) << (success - 1)) - 1) * 1000);
    }
}

TEST(bid_manager_does_not_retry_bad_credentials_or_not_found)
{
    static const int permanent[] = { 400, 401, 403, 404 };
    struct redial_policy policy = bid_manager(60000);
    for (unsigned i = 0; i < LENGTH(permanent); i++) {
        struct service service = { &permanent[i], 1, 0, 1 };
        struct redial_report report;
        struct redial_fake fake;
        redial_fake_init(&fake);
        report = call(&policy, &fake.env, &service);
        assert_int_equal(report.verdict, REDIAL_FAILED);
        assert_int_equal(report.attempts, 1);
        assert_int_equal(report.last.code, permanent[i]);
        assert_int_equal(fake.waits, 0);
    }
}

/* ---- a long-running operation: created, then polled, within one time limit ---- */

struct answer {
    int status;
    uint32_t retry_after_ms;
    bool ready;
};

struct job {
    const struct answer *answers;   /* one for each request; the last one stays */
    unsigned count, requests;
    bool created;
    uint32_t timeout_ms[8];
};

/* POST until the job is created; then GET until it is ready. */
static struct redial_outcome create_or_poll(void *user, const struct redial_attempt *attempt)
{
    struct job *job = (struct job *)user;
    unsigned i = job->requests++;
    struct answer answer = job->answers[i < job->count ? i : job->count - 1];
    assert_true(i < LENGTH(job->timeout_ms));
    job->timeout_ms[i] = attempt->timeout_ms;
    if (!job->created && answer.status != 202)
        return redial_http_request("POST", answer.status, answer.retry_after_ms);
    job->created = true;
    if (answer.status < 300 && !answer.ready)
        return redial_pending(answer.retry_after_ms);
    return redial_http_request("GET", answer.status, answer.retry_after_ms);
}

/* The shortest waits; each request may take 5 s, everything together 20 s. */
static struct redial_report run_job(struct job *job, const struct answer *answers, unsigned count,
                                    struct redial_fake *fake)
{
    struct redial_policy policy = documented(32000, 5);
    struct redial_report report;
    policy.attempt_ms = 5000;
    policy.max_elapsed_ms = 20000;
    memset(job, 0, sizeof *job);
    job->answers = answers;
    job->count = count;
    redial_fake_init(fake);
    poison(&report, sizeof report);
    redial_run(&policy, &fake->env, create_or_poll, job, &report);
    assert_int_equal(report.attempts, job->requests);
    return report;
}

TEST(a_job_is_created_and_polled_until_it_is_ready)
{
    static const struct answer answers[] = { { 429, 0, false },       /* the quota: 1 s until the first retry */
                                             { 202, 0, false },       /* created: 1 s until the first poll */
                                             { 200, 0, false },       /* running: 2 s */
                                             { 503, 0, false },       /* a poll failed: 1 s, the first retry anew */
                                             { 200, 10000, false },   /* running, Retry-After: 10 */
                                             { 200, 0, false },       /* running: 4 s, the third such wait */
                                             { 200, 0, true } };
    static const uint32_t waits_ms[] = { 1000, 1000, 2000, 1000, 10000, 4000 };
    static const uint32_t timeouts_ms[] = { 5000, 5000, 5000, 5000, 5000, 5000, 1000 };
    struct redial_fake fake;
    struct job job;
    struct redial_report report = run_job(&job, answers, LENGTH(answers), &fake);
    assert_int_equal(report.verdict, REDIAL_DONE);
    assert_int_equal(report.attempts, 7);
    assert_int_equal(report.waited_ms, 19000);
    assert_int_equal(fake.waits, LENGTH(waits_ms));
    for (unsigned i = 0; i < LENGTH(waits_ms); i++)
        assert_int_equal(fake.waited_ms[i], waits_ms[i]);
    for (unsigned i = 0; i < LENGTH(timeouts_ms); i++)
        assert_int_equal(job.timeout_ms[i], timeouts_ms[i]);
}

TEST(a_job_that_is_never_ready_ends_before_the_time_limit)
{
    static const struct answer created = { 202, 0, false };
    struct redial_fake fake;
    struct job job;
    struct redial_report report = run_job(&job, &created, 1, &fake);
    assert_int_equal(report.verdict, REDIAL_TIMED_OUT);
    assert_int_equal(report.last.kind, REDIAL_KIND_PENDING);
    assert_int_equal(report.attempts, 5);
    assert_int_equal(report.waited_ms, 1000 + 2000 + 4000 + 8000);
    assert_int_equal(report.refused_wait_ms, 16000);
}

TEST(a_job_is_not_created_twice_after_a_failure_that_may_have_created_it)
{
    static const struct answer failed = { 503, 0, false };
    struct redial_fake fake;
    struct job job;
    struct redial_report report = run_job(&job, &failed, 1, &fake);
    assert_int_equal(report.verdict, REDIAL_FAILED);
    assert_int_equal(report.last.code, 503);
    assert_int_equal(report.attempts, 1);
}

int main(void)
{
    return run_all();
}
