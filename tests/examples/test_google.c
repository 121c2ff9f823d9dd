/* examples/google: which requests it makes, what is repeated and what is not, and where the token
   goes. Errors and answers are those of the APIs' documents, and the waits take no time.
   SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "google_fixture.h"
#include "redial_fake.h"
#include "../../examples/google/bid_manager.h"
#include "../../examples/google/memorystore.h"

#define PLACE "/v1/projects/shop/locations/x"
#define GET_IT "GET " PLACE "/instances/cart"
#define POST_IT "POST " PLACE "/instances?instanceId=cart&requestId=" OUR_ID
#define POLL "GET " PLACE "/operations/operation-17"

/* The fake's random bits are 0, so a request id has zeros where a UUID is random, and the waits are
   the shortest. */
#define OUR_ID "00000000-0000-4000-8000-000000000000"

#define STATUS(status) "{\"error\": {\"message\": \"m\", \"status\": \"" status "\"}}"
#define LEGACY(reason) \
    "{\"error\": {\"message\": \"m\", \"errors\": [{\"reason\": \"" reason "\"}]}}"
#define DETAILS(message, type, rest) \
    "{\"error\": {\"message\": \"" message "\", \"details\": [{\"@type\": " \
    "\"type.googleapis.com/google.rpc." type "\", " rest "}]}}"
#define DETAIL(type, rest) DETAILS("m", type, rest)
#define LIMIT(reason, limit, unit) \
    "\"reason\": \"" reason "\", \"metadata\": {\"quota_limit\": \"" limit \
    "\", \"quota_unit\": \"" unit "\"}"
#define INFO(reason, limit, unit) DETAIL("ErrorInfo", LIMIT(reason, limit, unit))
#define NAMED(limit, message) DETAILS(message, "ErrorInfo", LIMIT("", limit, ""))
#define BOTH(legacy, reason) \
    "{\"error\": {\"errors\": [{\"reason\": \"" legacy "\"}], \"details\": [{\"@type\": " \
    "\"type.googleapis.com/google.rpc.ErrorInfo\", \"reason\": \"" reason "\"}]}}"
#define MESSAGE(period) \
    "{\"error\": {\"message\": \"Quota exceeded for limit 'Queries per " period "'.\"}}"
#define FAILURE(key, text) DETAIL("QuotaFailure", "\"violations\": [{\"" key "\": \"" text "\"}]")
#define RETRY_INFO(delay) DETAIL("RetryInfo", "\"retryDelay\": " delay)

static struct server server;
static struct redial_fake fake;
static struct google_api api;

static int set_up(void **state)
{
    redial_fake_init(&fake);
    return 0;
}

enum what { GET, CREATE, REPORT };

/* Runs one command, with the policy of the program. */
static void run_at(enum what what, uint16_t port, uint32_t retries)
{
    static const struct instance cart = { "shop", "x", "cart" };
    static char endpoint[64];
    snprintf(endpoint, sizeof endpoint, "http://127.0.0.1:%u", (unsigned)port);
    google_close(&api);
    api = (struct google_api){ .policy = REDIAL_POLICY_DEFAULT, .env = fake.env };
    api.policy.max_retries = retries;
    api.policy.attempt_ms = 30000;
    api.policy.max_elapsed_ms = 900000;
    fake.waits = 0;
    assert_null(google_open(&api, endpoint, TOKEN));
    if (what == GET)
        memorystore_get(&api, &cart);
    else if (what == CREATE)
        memorystore_create(&api, &cart);
    else
        bid_manager_run(&api, "1234");
}

/* Returns how many requests came. */
static unsigned run(enum what what, const struct answer *answers, unsigned count, uint32_t retries)
{
    assert_true(server_start(&server, answers, count));
    run_at(what, server.port, retries);
    return server_stop(&server);
}

static const char *waits(void)
{
    static char text[256];
    text[0] = '\0';
    for (unsigned k = 0; k < fake.waits; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", k ? " " : "",
                 (unsigned)fake.waited_ms[k]);
    return text;
}

/* "failed: It says why." */
static const char *end(void)
{
    static char text[512];
    snprintf(text, sizeof text, "%s%s%s", redial_verdict_name(api.report.verdict),
             api.error.message[0] ? ": " : "", api.error.message);
    return text;
}

#define REPORT_IS(id, state, path) \
    "{\"key\": {\"queryId\": \"1234\", \"reportId\": \"" id "\"}, " \
    "\"metadata\": {\"status\": {\"state\": \"" state "\"}" path "}}"
#define QUEUED(id) OK(REPORT_IS(id, "QUEUED", ""))
#define DONE_71 OK(REPORT_IS("71", "DONE", ", \"googleCloudStoragePath\": \"https://s/r.csv\""))
#define NEWEST(id) OK("{\"reports\": [" REPORT_IS(id, "QUEUED", "") "]}")
#define REPORT_71 "GET /v2/queries/1234/reports/71"
#define LOOK "GET /v2/queries/1234/reports?orderBy=key.reportId%20desc&pageSize=1"
#define RUN_QUERY "POST /v2/queries/1234:run"
#define KEPT(status) "HTTP/1.1 " status "\r\nContent-Length: 0\r\n\r\n", KEEP

/* Exactly these requests with these answers, the waits in ms, and the end. */
static const struct script {
    const char *sentence;
    enum what what;
    uint32_t retries;
    const char *end, *waits;
    struct { const char *request, *bytes; enum then then; } rows[10];
} scripts[] = {
    /* one request */
    { "RetryInfo is waited for",
      GET,
      5,
      "done",
      "9000",
      { { GET_IT, ANSWER("429 x", RETRY_INFO("\"9s\"")) }, { GET_IT, OK("{}") } } },
    { "an answer that was cut short is requested again",
      GET,
      5,
      "done",
      "1000 2000 4000 8000",
      { { GET_IT, NO_ANSWER },
        { GET_IT, "HTTP/1.1 200 OK\r\nContent-Le" },
        { GET_IT, "HTTP/1.1 103 x\r\n\r\n" },
        { GET_IT, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}" },
        { GET_IT, OK("{}") } } },
    { "retries are used up",
      GET,
      1,
      "exhausted: It says why.",
      "1000",
      { { GET_IT, UNAVAILABLE }, { GET_IT, UNAVAILABLE } } },
    { "an error fails in spite of its status",
      GET,
      5,
      "failed: no",
      "",
      { { GET_IT, OK("{\"error\": {\"code\": 403, \"message\": \"no\"}}") } } },
    { "an error of any other kind, too, and null is none",
      GET,
      5,
      "failed",
      "",
      { { GET_IT, OK("{\"error\": \"x\"}") } } },
    { "what is no JSON object is a failure",
      GET,
      5,
      "failed: The answer is no JSON object: is this the right endpoint?",
      "",
      { { GET_IT, OK("<html>") } } },

    /* a long operation */
    { "each poll that was answered sets the retries back",
      CREATE,
      1,
      "done",
      "1000 1000 1000 2000 1000",
      { { POST_IT, OK(OPERATION) },
        { POLL, UNAVAILABLE },
        { POLL, OK(OPERATION) },
        { POLL, TOO_MANY },
        { POLL, OK(OPERATION) },
        { POLL, NO_ANSWER },
        { POLL, OK(OPERATION_DONE) } } },
    { "a poll comes not before the server said",
      CREATE,
      5,
      "done",
      "20000",
      { { POST_IT, OK(OPERATION) },
        { POLL, ANSWER("200 OK\r\nRetry-After: 20", OPERATION) },
        { POLL, OK(OPERATION_DONE) } } },
    { "the same POST is sent again",
      CREATE,
      5,
      "done",
      "1000 2000",
      { { POST_IT, NO_ANSWER },
        { POST_IT, UNAVAILABLE },
        { POST_IT, OK(OPERATION) },
        { POLL, OK(OPERATION_DONE) } } },
    { "an operation that failed says why",
      CREATE,
      5,
      "failed: No capacity in the zone.",
      "",
      { { POST_IT, OK(OPERATION) },
        { POLL,
          OK("{\"done\": true, \"error\": {\"message\": \"No capacity in the zone.\"}}") } } },
    { "an operation without a name can't be polled",
      CREATE,
      5,
      "failed: The operation has no name.",
      "",
      { { POST_IT, OK("{\"name\": \"a/../b?c\"}") } } },

    /* Bid Manager */
    { "a query that was refused is run again without a look, and its report awaited",
      REPORT,
      5,
      "done",
      "1000 1000",
      { { LOOK, NEWEST("70") },
        { RUN_QUERY, TOO_MANY },
        { RUN_QUERY, QUEUED("71") },
        { REPORT_71, QUEUED("71") },
        { REPORT_71, DONE_71 } } },
    { "a report that is newer than all before is taken",
      REPORT,
      5,
      "done",
      "1000",
      { { LOOK, NEWEST("9") },
        { RUN_QUERY, UNAVAILABLE },
        { LOOK, NEWEST("71") },
        { REPORT_71, DONE_71 } } },
    { "a list that is older or empty has no new report",
      REPORT,
      5,
      "done",
      "1000 2000 4000",
      { { LOOK, NEWEST("70") },
        { RUN_QUERY, NO_ANSWER },
        { LOOK, NEWEST("9") },
        { RUN_QUERY, UNAVAILABLE },
        { LOOK, OK("{}") },
        { RUN_QUERY, UNAVAILABLE },
        { LOOK, NEWEST("70") },
        { RUN_QUERY, QUEUED("71") },
        { REPORT_71, DONE_71 } } },
    { "a look that fails is repeated, and posts nothing",
      REPORT,
      5,
      "failed",
      "1000 2000",
      { { LOOK, OK("{}") },
        { RUN_QUERY, NO_ANSWER },
        { LOOK, UNAVAILABLE },
        { LOOK, ANSWER("403 x", "{}") } } },
    { "no POST is repeated by libcurl on a dead connection",
      REPORT,
      5,
      "done",
      "1000 2000",
      { { LOOK, OK("{}") },
        { RUN_QUERY, KEPT("429 x") },
        { RUN_QUERY, NO_ANSWER },
        { LOOK, OK("{}") },
        { RUN_QUERY, QUEUED("71") },
        { REPORT_71, DONE_71 } } },
    { "an id is a number",
      REPORT,
      5,
      "failed: The report has no id.",
      "",
      { { LOOK, OK("{}") }, { RUN_QUERY, QUEUED("../7") } } },
    { "a report that failed is a failure",
      REPORT,
      5,
      "failed: The report failed: run the query again, or check it.",
      "",
      { { LOOK, OK("{}") },
        { RUN_QUERY, QUEUED("71") },
        { REPORT_71, OK(REPORT_IS("71", "FAILED", "")) } } },
};

TEST(each_command_makes_the_requests_of_its_script)
{
    for (unsigned i = 0; i < LENGTH(scripts); i++) {
        const struct script *script = &scripts[i];
        struct answer answers[10];
        unsigned count = 0;
        for (; script->rows[count].request; count++)
            answers[count] = (struct answer){ script->rows[count].bytes, script->rows[count].then };
        print_message("%s\n", script->sentence);
        assert_int_equal(run(script->what, answers, count, script->retries), count);
        for (unsigned k = 0; k < count; k++) {
            if (!server_was_asked(&server, k, script->rows[k].request))
                fail_msg("request %u is not %s:\n%s", k, script->rows[k].request,
                         server.requests[k].text);
            assert_string_equal(server_header(&server, k, "Authorization"), "Bearer " TOKEN);
        }
        assert_string_equal(end(), script->end);
        assert_string_equal(waits(), script->waits);
        assert_int_equal(api.requests, count);
    }
}

static struct redial_outcome takes_500_s(void *user, const struct redial_attempt *attempt)
{
    *(uint32_t *)user = attempt->timeout_ms;
    fake.now_ms += 500000;
    return redial_done();
}

TEST(what_one_run_took_is_missing_in_the_limit_of_the_next)
{
    uint32_t timeout_ms = 0;
    run_at(GET, closed_port(), 0);
    api.began_ms = fake.now_ms;
    api.policy.attempt_ms = 0;
    assert_true(google_run(&api, takes_500_s, &timeout_ms) && timeout_ms == 900000);
    assert_true(google_run(&api, takes_500_s, &timeout_ms) && timeout_ms == 400000);
    assert_false(google_run(&api, takes_500_s, &timeout_ms));
    assert_int_equal(api.report.verdict, REDIAL_TIMED_OUT);
    api.policy.max_elapsed_ms = 0;
    assert_true(google_run(&api, takes_500_s, &timeout_ms) && timeout_ms == UINT32_MAX);
    api.policy.max_elapsed_ms = REDIAL_NO_LIMIT;
    assert_true(google_run(&api, takes_500_s, &timeout_ms) && timeout_ms == UINT32_MAX);
}

TEST(no_redirect_and_no_proxy_gets_the_token)
{
    static struct server other;
    char text[128], url[64];
    const struct answer answers[] = { { text } };
    assert_true(server_start(&other, NULL, 0));
    snprintf(url, sizeof url, "http://127.0.0.1:%u", (unsigned)other.port);
    setenv("http_proxy", url, 1);
    setenv("all_proxy", url, 1);
    for (int status = 301; status <= 308; status++) {
        snprintf(text, sizeof text,
                 "HTTP/1.1 %d x\r\nLocation: %s/\r\nConnection: close\r\n\r\n", status, url);
        assert_int_equal(run(GET, answers, 1, 5), 1);
        assert_string_equal(end(), "failed: A redirect is not followed: no other server may get "
                                   "the token.");
    }
    unsetenv("http_proxy");
    unsetenv("all_proxy");
    assert_int_equal(server_stop(&other), 0);
}

/* A server may send the request back, in JSON perhaps with escapes; and a terminal obeys the
   controls of C0 and C1. */
TEST(no_token_and_no_control_character_of_a_server_is_printed)
{
#define STARS "********************************"
    static const char *const texts[][2] = {
        { "Bearer " TOKEN ", " TOKEN "?", "Bearer " STARS ", " STARS "?" },
        { "Bearer " ESCAPED, "Bearer " STARS },
        { "\\u001b[31m\\u0007\\u007f\\n", "?[31m???" },
        { "\xc2\x9b" "31m \x9b" "31m \\u009d", "??31m ?31m ??" },
    };
    for (unsigned i = 0; i < LENGTH(texts); i++) {
        char name[512], error[512];
        const struct answer good[] = { { name } }, bad[] = { { error } };
        snprintf(name, sizeof name, OK("{\"name\": [\"%s\"]}"), texts[i][0]);
        snprintf(error, sizeof error, ANSWER("400 x", "{\"error\": {\"message\": \"%s\"}}"),
                 texts[i][0]);
        run(GET, good, 1, 5);
        assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(
                                cJSON_GetObjectItem(api.answer, "name"), 0)), texts[i][1]);
        run(GET, bad, 1, 5);
        assert_string_equal(api.error.message, texts[i][1]);
    }
}

TEST(the_status_and_the_body_decide_what_is_retried_and_when)
{
    static const struct {
        int status;
        bool retried;
        const char *body;
        uint32_t retry_after_ms, wait_ms;
    } rows[] = {
        { 404, false, STATUS("NOT_FOUND") },
        { 429, true, STATUS("RESOURCE_EXHAUSTED") },
        { 503, true, STATUS("UNAVAILABLE") },
        /* a 403 says by its reason that requests came too fast */
        { 403, false, STATUS("PERMISSION_DENIED") },
        { 403, true, LEGACY("userRateLimitExceeded") },
        { 403, true, LEGACY("rateLimitExceeded") },
        { 403, true, LEGACY("quotaExceeded") },
        { 403, true, FAILURE("description", "Queries per 100 seconds per user") },
        { 403, true, STATUS("RESOURCE_EXHAUSTED") },
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
        { 429, false, FAILURE("quotaId", "ReadsPerDayPerProject") },
        { 429, true, FAILURE("description", "Queries per minute") },
        { 429, true, FAILURE("description", "Queries per 100 seconds per user") },
        /* where ErrorInfo names the limit, the message does not decide */
        { 429, true, NAMED("ReadsPerMinutePerProject", "Quota per day exceeded") },
        { 429, false, NAMED("ReadsPerDayPerProject", "Quota per minute exceeded") },
        { 429, false, NAMED("Default", "Quota per day exceeded") },
        { 429, true, FAILURE("quotaId", "ReadsPerMinutePerProject") },
        /* what is no error leaves it to the status */
        { 502, true, "" },
        { 429, true, "<html>" },
        { 403, false, "[]" },
        { 502, true, "null" },
        { 429, true, "{\"error\": 7}" },
        { 502, true, "{\"error\": null}" },
        { 404, false, "{\"error\": \"x\"}" },
        { 429, true, "{\"error\": {\"errors\": [7], \"details\": [7]}}" },
        { 403, false,
          "{\"error\": {\"errors\": [{\"reason\": 7}], \"details\": 7, \"status\": []}}" },
        { 429, true, DETAIL("QuotaFailure", "\"violations\": 7") },
        /* the longer of Retry-After and RetryInfo counts */
        { 429, true, RETRY_INFO("\"30s\""), 0, 30000 },
        { 503, true, RETRY_INFO("\"3.5s\""), 0, 3500 },
        { 429, true, RETRY_INFO("\"30s\""), 40000, 40000 },
        { 429, true, RETRY_INFO("\"30s\""), 20000, 30000 },
        { 403, true, LEGACY("rateLimitExceeded"), 7000, 7000 },
        { 429, true, RETRY_INFO("\"30\"") },
        { 429, true, RETRY_INFO("\"-1s\"") },
        { 429, true, RETRY_INFO("30") },
        { 429, true, DETAIL("Help", "\"retryDelay\": \"30s\"") },
    };
    const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct google_error error;
        cJSON *answer = cJSON_Parse(rows[i].body);
        struct redial_outcome outcome;
        poison(&error, sizeof error);
        google_error_read(&error, google_error_in(answer));
        cJSON_Delete(answer);
        outcome =
            google_error_judge(&error, redial_http(rows[i].status, rows[i].retry_after_ms, "GET"));
        if ((redial_classify(&policy, outcome) == REDIAL_KIND_RETRY) != rows[i].retried
            || outcome.code != rows[i].status || outcome.retry_after_ms != rows[i].wait_ms)
            fail_msg("%d %s: not as in its row", rows[i].status, rows[i].body);
    }
}

static const char *open_with(const char *endpoint, const char *token)
{
    struct google_api one = { .env = fake.env };
    const char *why = google_open(&one, endpoint, token);
    google_close(&one);
    return why;
}

TEST(a_token_is_one_word_and_goes_to_https_or_to_this_machine)
{
    static const char *const allowed[] = { "https://redis.googleapis.com", "https://a.com:8443",
                                           "http://127.0.0.1:8080" };
    static const char *const refused[] = {
        "", "redis.googleapis.com", "http://redis.googleapis.com", "ftp://127.0.0.1:1",
        "http://127.0.0.1.example.com", "http://127.0.0.1:x@example.com",
        "https://me@example.com", "https://example.com?x", "https://example.com#x",
        "http://127.0.0.2:1", "http:\\\\127.0.0.1", "https://a b" };
    static const char *const tokens[] = { NULL, "", "two words", "token\n",
                                          "token\r\nX-Header: 1", "t\xc3\xb6ken" };
    for (unsigned i = 0; i < LENGTH(allowed); i++)
        assert_null(open_with(allowed[i], "ya29.a0AfH6_-~+/="));
    for (unsigned i = 0; i < LENGTH(refused); i++)
        if (!open_with(refused[i], "token"))
            fail_msg("%s is allowed", refused[i]);
    for (unsigned i = 0; i < LENGTH(tokens); i++)
        assert_non_null(open_with(allowed[0], tokens[i]));
}

int main(void)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
    return run_all_with(set_up, NULL, NULL, NULL);
}
