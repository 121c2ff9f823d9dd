/* examples/google: which errors in JSON are retried, and where a token may be sent. The rows are those of the APIs'
   documents. SPDX-License-Identifier: MIT */
#include "../unit/support.h"
#include "../../examples/google/google_call.h"

#define STATUS(status) "{\"error\": {\"message\": \"m\", \"status\": \"" status "\"}}"
#define LEGACY(reason) "{\"error\": {\"message\": \"m\", \"errors\": [{\"reason\": \"" reason "\"}]}}"
#define DETAIL(type, rest) "{\"error\": {\"message\": \"m\", \"details\": [{\"@type\": " \
                           "\"type.googleapis.com/google.rpc." type "\", " rest "}]}}"
#define INFO(reason, limit, unit) DETAIL("ErrorInfo", "\"reason\": \"" reason "\", \"metadata\": {\"quota_limit\": \"" \
                                         limit "\", \"quota_unit\": \"" unit "/{project}\"}")
#define BOTH(legacy, reason) "{\"error\": {\"errors\": [{\"reason\": \"" legacy "\"}], \"details\": [{\"@type\": " \
                             "\"type.googleapis.com/google.rpc.ErrorInfo\", \"reason\": \"" reason "\"}]}}"
#define MESSAGE(period) "{\"error\": {\"message\": \"Quota exceeded for limit 'Queries per " period "'.\"}}"
#define FAILURE(key, text) DETAIL("QuotaFailure", "\"violations\": [{\"" key "\": \"" text "\"}]")
#define RETRY_INFO(delay) DETAIL("RetryInfo", "\"retryDelay\": " delay)

static struct redial_outcome judged(int status, uint32_t retry_after_ms, const char *body)
{
    struct google_error error;
    cJSON *answer = cJSON_Parse(body);
    struct redial_outcome outcome;
    poison(&error, sizeof error);
    google_error_read(&error, google_error_in(answer));
    cJSON_Delete(answer);
    outcome = google_error_judge(&error, redial_http(status, retry_after_ms));
    assert_int_equal(outcome.code, status);
    return outcome;
}

TEST(the_status_and_the_reason_decide_what_is_retried)
{
    static const struct {
        int status;
        bool retried;
        const char *body;
    } rows[] = {
        { 404, false, STATUS("NOT_FOUND") },
        { 429, true, STATUS("RESOURCE_EXHAUSTED") },
        { 503, true, STATUS("UNAVAILABLE") },
        /* a 403 says by its reason that requests came too fast */
        { 403, false, STATUS("PERMISSION_DENIED") },
        { 403, true, LEGACY("userRateLimitExceeded") },
        { 403, true, LEGACY("rateLimitExceeded") },
        { 403, false, LEGACY("userRateLimitExceededX") },
        { 403, false, LEGACY("quotaExceeded") },
        { 403, false, INFO("SERVICE_DISABLED", "", "") },
        { 403, true, INFO("RATE_LIMIT_EXCEEDED", "ReadsPerMinutePerUser", "1/min") },
        { 403, true, BOTH("userRateLimitExceeded", "") },
        { 403, false, DETAIL("Help", "\"reason\": \"RATE_LIMIT_EXCEEDED\"") },
        { 401, false, LEGACY("rateLimitExceeded") },
        /* nobody waits for the quota of a day, in each of the ways to say it */
        { 429, false, LEGACY("dailyLimitExceededUnreg") },
        { 503, true, LEGACY("dailyLimitExceeded") },
        { 403, false, BOTH("dailyLimitExceeded", "RATE_LIMIT_EXCEEDED") },
        { 403, false, INFO("RATE_LIMIT_EXCEEDED", "ReadsPerDayPerProject", "") },
        { 429, true, INFO("RATE_LIMIT_EXCEEDED", "ReadsPerMinutePerProject", "") },
        { 429, false, INFO("", "QpdPerProject", "1/d") },
        { 429, true, INFO("", "QpdPerProject", "1/min") },
        { 429, false, MESSAGE("day") },
        { 429, true, MESSAGE("minute") },
        { 429, false, FAILURE("description", "Daily Limit for read operations exceeded") },
        { 429, true, FAILURE("description", "Queries per minute") },
        { 429, true, FAILURE("quotaId", "ReadsPerMinutePerProject") },
        /* what is no error leaves it to the status */
        { 502, true, "" }, { 429, true, "<html>" }, { 403, false, "[]" }, { 502, true, "null" },
        { 429, true, "{\"error\": 7}" }, { 502, true, "{\"error\": null}" }, { 404, false, "{\"error\": \"x\"}" },
        { 429, true, "{\"error\": {\"errors\": [7], \"details\": [7]}}" },
        { 403, false, "{\"error\": {\"errors\": [{\"reason\": 7}], \"details\": 7, \"status\": []}}" },
        { 429, true, DETAIL("QuotaFailure", "\"violations\": 7") },
    };
    struct redial_policy policy = redial_policy_default();
    for (unsigned i = 0; i < LENGTH(rows); i++)
        if ((redial_classify(&policy, judged(rows[i].status, 0, rows[i].body)) == REDIAL_KIND_RETRY) != rows[i].retried)
            fail_msg("%d %s: must %sbe retried", rows[i].status, rows[i].body, rows[i].retried ? "" : "not ");
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
    assert_int_equal(judged(429, 0, DETAIL("Help", "\"retryDelay\": \"30s\"")).retry_after_ms, 0);
    assert_int_equal(judged(403, 7000, LEGACY("rateLimitExceeded")).retry_after_ms, 7000);
}

TEST(a_token_is_one_word_and_goes_to_https_or_to_this_machine)
{
    static const char *const allowed[] = { "https://redis.googleapis.com", "https://example.com:8443",
                                           "http://127.0.0.1", "http://localhost:8080", "http://[::1]:8080" };
    static const char *const refused[] = {
        "", "redis.googleapis.com", "http://redis.googleapis.com", "ftp://127.0.0.1", "http://127.0.0.1.example.com",
        "http://127.0.0.1@example.com", "http://localhost:x@example.com", "https://me:secret@example.com",
        "https://me@example.com", "https://example.com/", "https://example.com?x", "https://example.com#x",
        "https://", "https://:443", "https://a b", "http://127.0.0.2", "http:\\\\127.0.0.1", "https://a\r\nb" };
    static const char *const tokens[] = { NULL, "", "two words", "token\n", "token\r\nX-Header: 1", "t\xc3\xb6ken" };
    for (unsigned i = 0; i < LENGTH(allowed); i++)
        assert_null(google_endpoint_refused(allowed[i]));
    for (unsigned i = 0; i < LENGTH(refused); i++)
        if (!google_endpoint_refused(refused[i]))
            fail_msg("%s is allowed", refused[i]);
    assert_null(google_token_refused("ya29.a0AfH6_-~+/="));
    for (unsigned i = 0; i < LENGTH(tokens); i++)
        assert_non_null(google_token_refused(tokens[i]));
}

int main(void)
{
    return run_all();
}
