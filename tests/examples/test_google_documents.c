/* examples/google follows, step by step, what the documents of the three APIs say about retries.
   SPDX-License-Identifier: MIT

   Memorystore for Redis and for Valkey: after 429 and 5xx wait min(2^n s + random_ms, maximum backoff), the maximum
   being 32 or 64 s, and go on at the maximum.
   Bid Manager: wait 1, 2, 4, 8 and 16 s, each with random_ms, then stop and report the error. */
#include "google_fixture.h"

#define RETRIES 10

static begin_call *const all_calls[] = { redis_list, valkey_list, redis_create, valkey_create, bid_manager };

static unsigned fill(struct step *steps, unsigned count, const char *answer)
{
    for (unsigned k = 0; k < count; k++)
        steps[k] = (struct step)SAY(answer);
    return count;
}

/* ---- Memorystore ---- */

static void assert_backoff(begin_call *begin, uint32_t cap_ms, uint32_t random, const uint32_t *waits_ms)
{
    struct step steps[RETRIES + 1];
    tear_down(NULL);
    set_up(NULL);
    policy.cap_ms = cap_ms;
    policy.max_retries = RETRIES;
    fake.random = random;
    run(begin, steps, fill(steps, RETRIES + 1, TOO_MANY));
    assert_ended(REDIAL_EXHAUSTED, RETRIES + 1);
    assert_int_equal(report.last.code, 429);
    assert_waits(waits_ms, RETRIES);
}

TEST(memorystore_waits_up_to_a_maximum_of_32_or_64_s_and_stays_there)
{
    static const uint32_t to_32[] = { 1000, 2000, 4000, 8000, 16000, 32000, 32000, 32000, 32000, 32000 };
    static const uint32_t to_32_and_1_s[] = { 2000, 3000, 5000, 9000, 17000, 32000, 32000, 32000, 32000, 32000 };
    static const uint32_t to_64[] = { 1000, 2000, 4000, 8000, 16000, 32000, 64000, 64000, 64000, 64000 };
    static const uint32_t to_64_and_1_s[] = { 2000, 3000, 5000, 9000, 17000, 33000, 64000, 64000, 64000, 64000 };
    for (unsigned i = 0; i < 4; i++) {
        assert_backoff(all_calls[i], 32000, 0, to_32);
        assert_backoff(all_calls[i], 32000, UINT32_MAX, to_32_and_1_s);
        assert_backoff(all_calls[i], 64000, 0, to_64);
        assert_backoff(all_calls[i], 64000, UINT32_MAX, to_64_and_1_s);
    }
}

static uint32_t a_sixteenth_more(const struct redial_env *env)
{
    struct redial_fake *bits = env->port;
    return bits->random += UINT32_MAX / 16 + 1;
}

TEST(memorystore_draws_a_random_number_for_each_retry)
{
    struct step steps[6];
    fake.env.random = a_sixteenth_more;
    run(redis_list, steps, fill(steps, 6, TOO_MANY));
    assert_ended(REDIAL_EXHAUSTED, 6);
    assert_waits((const uint32_t[]){ 1062, 2125, 4187, 8250, 16312 }, 5);
}

TEST(memorystore_retries_429_and_every_5xx_and_nothing_else)
{
    char answer[64];
    const struct step steps[] = { SAY(answer), SAY(OK("{}")) };
    for (int status = 400; status <= 599; status++) {
        bool again = status == 429 || status >= 500;
        snprintf(answer, sizeof answer, "HTTP/1.1 %d Status\r\nConnection: close\r\n\r\n", status);
        run_afresh(status % 2 ? redis_list : valkey_list, steps, 2);
        assert_ended(again ? REDIAL_DONE : REDIAL_FAILED, again ? 2 : 1);
        assert_int_equal(report.last.code, again ? 200 : status);
    }
}

/* ---- Bid Manager ---- */

TEST(bid_manager_waits_1_2_4_8_and_16_s_then_reports_the_error)
{
    static const uint32_t shortest[] = { 1000, 2000, 4000, 8000, 16000 };
    static const uint32_t longest[] = { 2000, 3000, 5000, 9000, 17000 };
    struct step steps[6];
    run_afresh(bid_manager, steps, fill(steps, 6, UNAVAILABLE));
    assert_ended(REDIAL_EXHAUSTED, 6);
    assert_waits(shortest, 5);
    assert_int_equal(report.elapsed_ms, 31000);
    tear_down(NULL);
    set_up(NULL);
    fake.random = UINT32_MAX;
    run(bid_manager, steps, 6);
    assert_waits(longest, 5);
    assert_string_equal(call.error.status, "UNAVAILABLE");
    assert_string_equal(call.error.message, "The service is currently unavailable.");
}

#define QUOTA(reason, message) ANSWER("403 Forbidden", "{\"error\": {\"code\": 403, \"message\": \"" message "\", " \
    "\"errors\": [{\"domain\": \"usageLimits\", \"reason\": \"" reason "\", \"message\": \"" message "\"}]}}")
#define ERROR(line, code, status) ANSWER(line, "{\"error\": {\"code\": " code ", \"message\": \"m\", \"status\": \"" \
                                         status "\"}}")

/* Their tables of errors and of quotas, row by row, at the first request of each call. */
TEST(the_rows_of_the_error_tables_hold_for_every_call)
{
    static const struct {
        const char *answer;
        bool again;
    } rows[] = {
        { ERROR("400 Bad Request", "400", "INVALID_ARGUMENT"), false },
        { ERROR("401 Unauthorized", "401", "UNAUTHENTICATED"), false },
        { ERROR("404 Not Found", "404", "NOT_FOUND"), false },
        { ERROR("429 Too Many Requests", "429", "RESOURCE_EXHAUSTED"), true },
        { ERROR("500 Internal Server Error", "500", "INTERNAL"), true },
        { ERROR("503 Service Unavailable", "503", "UNAVAILABLE"), true },
        { ERROR("504 Gateway Timeout", "504", "DEADLINE_EXCEEDED"), true },
        { QUOTA("dailyLimitExceeded", "Daily Limit Exceeded"), false },
        { QUOTA("userRateLimitExceeded", "User Rate Limit Exceeded"), true },
        { QUOTA("rateLimitExceeded", "Rate Limit Exceeded"), true },
        { QUOTA("quotaExceeded", "Quota Exceeded"), false },
        { ERROR("403 Forbidden", "403", "PERMISSION_DENIED"), false },
    };
    for (unsigned c = 0; c < LENGTH(all_calls); c++)
        for (unsigned i = 0; i < LENGTH(rows); i++) {
            const struct step steps[] = { SAY(rows[i].answer), SAY(ERROR("401 Unauthorized", "401", "")) };
            run_afresh(all_calls[c], steps, 2);
            assert_ended(REDIAL_FAILED, rows[i].again ? 2 : 1);
            assert_int_equal(fake.waits, rows[i].again ? 1 : 0);
        }
}

/* ---- waits that the server asks for ---- */

TEST(no_retry_comes_before_retry_after)
{
    static const struct step header[] = {
        SAY(ANSWER("429 Too Many Requests\r\nRetry-After: 7", "{}")), SAY(OK("{}")) };
    static const struct step body[] = {
        SAY(ANSWER("429 Too Many Requests", "{\"error\": {\"details\": [{\"@type\": \"type.googleapis.com/google.rpc."
                                          "RetryInfo\", \"retryDelay\": \"9s\"}]}}")), SAY(OK("{}")) };
    static const struct step forbidden[] = {
        SAY(ANSWER("403 Forbidden\r\nRetry-After: 11", "{\"error\": {\"errors\": [{\"reason\": "
            "\"rateLimitExceeded\"}]}}")), SAY(OK("{}")) };
    run_afresh(redis_list, header, 2);
    assert_waits((const uint32_t[]){ 7000 }, 1);
    run_afresh(redis_list, body, 2);
    assert_waits((const uint32_t[]){ 9000 }, 1);
    run_afresh(redis_list, forbidden, 2);
    assert_waits((const uint32_t[]){ 11000 }, 1);
    assert_ended(REDIAL_DONE, 2);
}

TEST(a_server_that_asks_for_an_hour_is_not_waited_for)
{
    static const struct step steps[] = { SAY(ANSWER("503 Service Unavailable\r\nRetry-After: 3600", "{}")) };
    run(redis_list, steps, 1);
    assert_ended(REDIAL_WAIT_TOO_LONG, 1);
    assert_int_equal(report.refused_wait_ms, 3600000);
}

int main(void)
{
    return run_all_with(set_up, tear_down, start_server, stop_server);
}
