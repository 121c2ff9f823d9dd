/* examples/google: which errors in JSON are retried, and where a token may be sent. The rows are those of the APIs'
   documents. SPDX-License-Identifier: MIT */
#include <stdbool.h>

#include "../unit/support.h"
#include "../../examples/google/google_endpoint.h"
#include "../../examples/google/google_error.h"

#define LEGACY(code, reason) "{\"error\": {\"code\": " code ", \"message\": \"m\", \"errors\": [{\"domain\": " \
                             "\"usageLimits\", \"reason\": \"" reason "\", \"message\": \"m\"}]}}"
#define STATUS(code, status) "{\"error\": {\"code\": " code ", \"message\": \"m\", \"status\": \"" status "\"}}"
#define INFO(code, status, reason, limit) "{\"error\": {\"code\": " code ", \"message\": \"m\", \"status\": \"" status \
    "\", \"details\": [{\"@type\": \"type.googleapis.com/google.rpc.ErrorInfo\", \"reason\": \"" reason "\", " \
    "\"domain\": \"googleapis.com\", \"metadata\": {\"quota_limit\": \"" limit "\", \"consumer\": \"projects/1\"}}]}}"
#define RETRY_INFO(delay) "{\"error\": {\"details\": [{\"@type\": \"type.googleapis.com/google.rpc.RetryInfo\", " \
                          "\"retryDelay\": " delay "}]}}"

static void read_body(struct google_error *error, const char *body)
{
    cJSON *answer = cJSON_Parse(body);
    poison(error, sizeof *error);
    google_error_read(error, answer);
    cJSON_Delete(answer);
}

static struct redial_outcome judged(int status, uint32_t retry_after_ms, const char *body)
{
    struct google_error error;
    read_body(&error, body);
    return google_error_judge(&error, redial_http(status, retry_after_ms));
}

static bool is_retried(int status, const char *body)
{
    struct redial_policy policy = redial_policy_default();
    struct redial_outcome outcome = judged(status, 0, body);
    assert_int_equal(outcome.code, status);
    return redial_classify(&policy, outcome) == REDIAL_KIND_RETRY;
}

TEST(the_errors_that_bid_manager_documents_are_retried_or_not)
{
    assert_false(is_retried(400, STATUS("400", "INVALID_ARGUMENT")));
    assert_false(is_retried(401, STATUS("401", "UNAUTHENTICATED")));
    assert_false(is_retried(404, STATUS("404", "NOT_FOUND")));
    assert_true(is_retried(429, STATUS("429", "RESOURCE_EXHAUSTED")));
    assert_true(is_retried(500, STATUS("500", "INTERNAL")));
    assert_true(is_retried(503, STATUS("503", "UNAVAILABLE")));
    assert_true(is_retried(504, STATUS("504", "DEADLINE_EXCEEDED")));
}

TEST(the_reason_in_the_body_decides_whether_a_403_is_retried)
{
    assert_true(is_retried(403, LEGACY("403", "userRateLimitExceeded")));
    assert_true(is_retried(403, LEGACY("403", "rateLimitExceeded")));
    assert_true(is_retried(403, INFO("403", "PERMISSION_DENIED", "RATE_LIMIT_EXCEEDED", "ReadsPerMinutePerUser")));
    assert_false(is_retried(403, LEGACY("403", "dailyLimitExceeded")));
    assert_false(is_retried(403, LEGACY("403", "quotaExceeded")));
    assert_false(is_retried(403, LEGACY("403", "forbidden")));
    assert_false(is_retried(403, LEGACY("403", "userRateLimitExceededX")));
    assert_false(is_retried(403, STATUS("403", "PERMISSION_DENIED")));
    assert_false(is_retried(403, INFO("403", "PERMISSION_DENIED", "SERVICE_DISABLED", "")));
}

TEST(a_quota_of_the_day_is_not_waited_for)
{
    assert_false(is_retried(429, LEGACY("429", "dailyLimitExceeded")));
    assert_false(is_retried(429, INFO("429", "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED", "ReadsPerDayPerProject")));
    assert_false(is_retried(403, INFO("403", "PERMISSION_DENIED", "RATE_LIMIT_EXCEEDED", "ReadsPerDayPerProject")));
    assert_true(is_retried(429, INFO("429", "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED", "ReadsPerMinutePerProject")));
    assert_true(is_retried(429, LEGACY("429", "rateLimitExceeded")));
}

/* The limits of some services are named otherwise, such as "exportAssetsQpdPerProject". */
TEST(the_unit_of_a_quota_says_that_it_is_of_the_day)
{
#define UNIT(unit) "{\"error\": {\"details\": [{\"@type\": \"type.googleapis.com/google.rpc.ErrorInfo\", " \
                   "\"metadata\": {\"quota_limit\": \"QpdPerProject\", \"quota_unit\": \"" unit "/{project}\"}}]}}"
    assert_false(is_retried(429, UNIT("1/d")));
    assert_true(is_retried(429, UNIT("1/min")));
}

/* Bid Manager documents errors that have nothing else. */
TEST(a_message_alone_says_that_a_quota_is_of_the_day)
{
#define LIMIT(period) "{\"error\": {\"code\": 429, \"message\": \"Quota exceeded for quota metric 'Queries' and " \
                      "limit 'Queries per " period "' of service 's'.\", \"status\": \"RESOURCE_EXHAUSTED\"}}"
    assert_false(is_retried(429, LIMIT("day")));
    assert_true(is_retried(429, LIMIT("minute")));
}

TEST(a_second_reason_does_not_hide_that_a_quota_is_of_the_day)
{
#define BOTH(legacy, info) "{\"error\": {\"errors\": [{\"reason\": \"" legacy "\"}], \"details\": [{\"@type\": " \
                           "\"type.googleapis.com/google.rpc.ErrorInfo\"" info "}]}}"
    assert_false(is_retried(403, BOTH("dailyLimitExceeded", ", \"reason\": \"RATE_LIMIT_EXCEEDED\"")));
    assert_false(is_retried(429, BOTH("dailyLimitExceeded", "")));
    assert_true(is_retried(403, BOTH("userRateLimitExceeded", "")));
    assert_true(is_retried(403, BOTH("userRateLimitExceeded", ", \"reason\": \"RATE_LIMIT_EXCEEDED\"")));
}

TEST(a_reason_does_not_make_another_status_worth_a_retry)
{
    assert_false(is_retried(401, LEGACY("401", "rateLimitExceeded")));
    assert_false(is_retried(404, LEGACY("404", "userRateLimitExceeded")));
    assert_true(is_retried(503, LEGACY("503", "dailyLimitExceeded")));
}

TEST(a_body_that_is_no_error_leaves_it_to_the_status)
{
    static const char *const bodies[] = {
        "", "<html>502</html>", "[]", "{}", "null", "{\"error\": 7}", "{\"error\": \"x\"}",
        "{\"error\": {\"errors\": {}}}", "{\"error\": {\"errors\": [7], \"details\": [7]}}",
        "{\"error\": {\"errors\": [{\"reason\": 7}], \"details\": 7, \"status\": []}}" };
    for (unsigned i = 0; i < LENGTH(bodies); i++) {
        assert_true(is_retried(502, bodies[i]));
        assert_true(is_retried(429, bodies[i]));
        assert_false(is_retried(403, bodies[i]));
        assert_false(is_retried(404, bodies[i]));
    }
}

TEST(the_longer_of_retry_after_and_retry_info_counts)
{
    assert_int_equal(judged(429, 0, RETRY_INFO("\"30s\"")).retry_after_ms, 30000);
    assert_int_equal(judged(503, 0, RETRY_INFO("\"3.5s\"")).retry_after_ms, 3500);
    assert_int_equal(judged(429, 40000, RETRY_INFO("\"30s\"")).retry_after_ms, 40000);
    assert_int_equal(judged(429, 20000, RETRY_INFO("\"30s\"")).retry_after_ms, 30000);
    assert_int_equal(judged(429, 0, RETRY_INFO("\"30\"")).retry_after_ms, 0);
    assert_int_equal(judged(429, 0, RETRY_INFO("\"-1s\"")).retry_after_ms, 0);
    assert_int_equal(judged(429, 0, RETRY_INFO("30")).retry_after_ms, 0);
    assert_int_equal(judged(403, 7000, LEGACY("403", "rateLimitExceeded")).retry_after_ms, 7000);
}

TEST(details_of_other_types_are_ignored)
{
    static const char help[] = "{\"error\": {\"details\": [{\"@type\": \"type.googleapis.com/google.rpc.Help\", "
                               "\"reason\": \"RATE_LIMIT_EXCEEDED\", \"retryDelay\": \"30s\"}]}}";
    assert_false(is_retried(403, help));
    assert_int_equal(judged(429, 0, help).retry_after_ms, 0);
}

TEST(texts_are_cut_between_characters_and_disturb_no_terminal)
{
    struct google_error error;
    char body[1024] = "{\"error\": {\"message\": \"\\u001b[31m\\n", *end = body + strlen(body);
    for (unsigned i = 0; i < 200; i++, end += 2)
        memcpy(end, "\xc3\xa9", 3);
    strcpy(end, "\"}}");
    read_body(&error, body);
    assert_memory_equal(error.message, " [31m ", 6);
    assert_int_equal(strlen(error.message), 254);   /* of 255, the last is half a character */
    assert_string_equal(error.reason, "");
}

TEST(a_token_goes_to_https_or_to_this_machine)
{
    static const char *const allowed[] = {
        "https://redis.googleapis.com", "https://example.com:8443", "http://127.0.0.1", "http://127.0.0.1:8080",
        "http://localhost:8080", "http://[::1]:8080" };
    static const char *const refused[] = {
        "", "redis.googleapis.com", "http://redis.googleapis.com", "ftp://127.0.0.1", "http://127.0.0.1.example.com",
        "http://127.0.0.1@example.com", "http://localhost:x@example.com", "https://me:secret@example.com",
        "https://me@example.com",
        "https://example.com/", "https://example.com/v1", "https://example.com?x", "https://example.com#x",
        "https://example.com?", "https://example.com#",
        "https://", "https://a b", "http://127.0.0.2", "http:\\\\127.0.0.1", "https://example.com:99999" };
    for (unsigned i = 0; i < LENGTH(allowed); i++)
        assert_null(google_endpoint_refused(allowed[i]));
    for (unsigned i = 0; i < LENGTH(refused); i++)
        if (!google_endpoint_refused(refused[i]))
            fail_msg("%s is allowed", refused[i]);
}

TEST(a_token_is_one_word)
{
    assert_null(google_token_refused("ya29.a0AfH6_-~+/="));
    assert_non_null(google_token_refused(NULL));
    assert_non_null(google_token_refused(""));
    assert_non_null(google_token_refused("two words"));
    assert_non_null(google_token_refused("token\n"));
    assert_non_null(google_token_refused("token\r\nX-Header: 1"));
    assert_non_null(google_token_refused("t\xc3\xb6ken"));
    assert_null(strstr(google_token_refused("se cret"), "cret"));
}

int main(void)
{
    return run_all();
}
