/* examples/google: which requests it makes, what is repeated and what is not, and where the token
   goes. Errors and answers are those of the APIs' documents, and the waits take no time. At the end
   the program, PROGRAM, runs as its user runs it. SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../common/server.h"
#include "redial_curl.h"
#include "redial_fake.h"

static struct redial_fake fake;
static uint32_t timeouts_ms[16];    /* of the requests of a command */
static unsigned transfers;

/* Each request has time enough, unless it has none, and leaves other random bits behind. */
#define redial_curl_perform(curl, ms, method) \
    (fake.random++, timeouts_ms[transfers++] = ms, \
     redial_curl_perform(curl, ms ? PATIENCE_MS : 0, method))
#include "../../examples/google/google_api.c"
#undef redial_curl_perform

int google_main(int argc, char **argv);
#define main google_main
#include "../../examples/google/google.c"
#undef main

#define SECRET "ya29.a-token_that~nobody+may/see="
#define ESCAPED "\\u0079a29.a-token_that~nobody+may/see\\u003d"
#define STARS "*********************************"

/* A Retry-After may follow the reason phrase, after CRLF. */
#define ANSWER(status, body) "HTTP/1.1 " status "\r\nConnection: close\r\n\r\n" body
#define OK(body) ANSWER("200 OK", body)
#define NO_ANSWER ""
#define UNAVAILABLE ANSWER("503 x", "")
#define BUSY(seconds) ANSWER("503 x\r\nRetry-After: " seconds, "{}")
#define STRANGE(status) "failed: HTTP " status " is no answer of this API: is the endpoint right?"
#define TOO_MANY ANSWER("429 x", RETRY_INFO("30m"))   /* the unit must be s */

#define CART "projects/shop/locations/x/instances/cart"
#define GET_IT "GET /v1/" CART
#define POST_IT "POST /v1/projects/shop/locations/x/instances?instanceId=cart&requestId=" \
    "00000000-0000-4000-8000-000000000000"   /* the random bits of the fake are 0 at first */
#define OPERATION_NAME "projects/shop/locations/x/operations/operation-17"
#define OPERATION(rest) "{\"name\": \"" OPERATION_NAME "\", " rest "}"
#define BEGUN OPERATION("\"done\": false")
#define READY OPERATION("\"done\": true, \"response\": {\"state\": \"READY\"}")
#define AFTER(seconds, body) ANSWER("200 OK\r\nRetry-After: " seconds, body)
#define POLL "GET /v1/" OPERATION_NAME

#define REPORT_IS(id, state, path) \
    "{\"key\": {\"queryId\": \"1234\", \"reportId\": \"" id "\"}, " \
    "\"metadata\": {\"status\": {\"state\": \"" state "\"}" path "}}"
#define QUEUED(id) REPORT_IS(id, "QUEUED", "")
#define DONE_71 OK(REPORT_IS("71", "DONE", ", \"googleCloudStoragePath\": \"https://s/r.csv\""))
#define NEWEST(id) OK("{\"reports\": [" QUEUED(id) "]}")
#define REPORT_71 "GET /v2/queries/1234/reports/71"
#define LOOK "GET /v2/queries/1234/reports?orderBy=key.reportId%20desc&pageSize=1"
#define RUN_QUERY "POST /v2/queries/1234:run"
#define KEPT(status) "HTTP/1.1 " status "\r\nContent-Length: 0\r\n\r\n", KEEP

#define ERROR(message, rest) "{\"error\": {\"message\": \"" message "\"" rest "}}"
#define MESSAGE(text) ERROR(text, "")
#define STATUS(status) ERROR("m", ", \"status\": \"" status "\"")
#define REASON(reason) ", \"errors\": [{\"reason\": \"" reason "\"}]"
#define DETAIL(type, rest) \
    ", \"details\": [{\"@type\": \"type.googleapis.com/google.rpc." type "\", " rest "}]"
#define INFO(reason, limit, unit) \
    DETAIL("ErrorInfo", "\"reason\": \"" reason "\", \"metadata\": {\"quota_limit\": \"" limit \
                        "\", \"quota_unit\": \"" unit "\"}")
#define PER_DAY(limit) ERROR("Quota per day exceeded", INFO("", limit, ""))
#define FAILURE(key, text) DETAIL("QuotaFailure", "\"violations\": [{\"" key "\": \"" text "\"}]")
#define RETRY_INFO(delay) ERROR("m", DETAIL("RetryInfo", "\"retryDelay\": \"" delay "\""))

static struct server server;
static struct google_api api;
static char full[2][1100 * 1000];   /* answers whose bodies have 1 MiB, and a byte more */

/* With the policy of the program. NULL: it is open. */
static const char *reopen(const char *endpoint, const char *token)
{
    google_close(&api);
    memset(&api, 0, sizeof api);
    set_up(&api);
    redial_fake_init(&fake);
    api.env = fake.env;
    transfers = 0;
    return google_open(&api, endpoint, token);
}

static const char *start_server(const struct answer *answers, unsigned count)
{
    static char url[32];
    assert_true(server_start(&server, answers, count));
    snprintf(url, sizeof url, "http://127.0.0.1:%u", (unsigned)server.port);
    return url;
}

/* "1000 2000 failed: HTTP 404 It says why.": the waits in ms, and the end. */
static const char *story(void)
{
    static char text[512];
    char *at = text;
    for (unsigned k = 0; k < fake.waits; k++)
        at += sprintf(at, "%u ", (unsigned)fake.waited_ms[k]);
    sprintf(at, "%s%s%s", redial_verdict_name(api.report.verdict), api.message[0] ? ": " : "",
            api.message);
    return text;
}

/* Exactly these requests and answers, and perhaps timeouts. The first request tells the command. */
static const struct script {
    const char *sentence, *story;
    struct { const char *request, *bytes; enum then then; } rows[13];
    uint32_t timeouts_ms[7];
} scripts[] = {
    { "RetryInfo counts, and an answer that was cut short is repeated", "9000 2000 4000 done",
      { { GET_IT, ANSWER("429 x", RETRY_INFO("9s")) }, { GET_IT, "HTTP/1.1 103 x\r\n\r\n" },
        { GET_IT, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}" }, { GET_IT, OK("{}") } } },
    { "what is no JSON object is a failure", STRANGE("200"), { { GET_IT, OK("<html>") } } },
    { "so is a 101", STRANGE("101"), { { GET_IT, ANSWER("101 x", "{}") } } },
    { "so is a redirect", STRANGE("308"), { { GET_IT, ANSWER("308 x\r\nLocation: /", "{}") } } },
    { "an answer of 1 MiB is read", "done", { { GET_IT, full[0] } } },
    { "a longer one is not", "failed: Failed writing received data to disk/application",
      { { GET_IT, full[1] } } },
    /* An echo of the request may have escapes. A terminal obeys the controls of C0 and C1. */
    { "no token and no control character is printed",
      "failed: HTTP 400 Bearer " STARS ", " STARS "? ?[31m??? ??31m ?31m ??",
      { { GET_IT, ANSWER("400 x", MESSAGE("Bearer " SECRET ", " ESCAPED "? \\u001b[31m\\u0007"
                                          "\\u007f\\n \xc2\x9b" "31m \x9b" "31m \\u009d")) } } },
    /* a long operation */
    { "the same POST is sent again, and each answer sets the 5 retries back",
      "1000 1000 1000 2000 1000 4000 1000 8000 1000 2000 16000 done",
      { { POST_IT, NO_ANSWER }, { POST_IT, OK(BEGUN) }, { POLL, UNAVAILABLE }, { POLL, OK(BEGUN) },
        { POLL, TOO_MANY }, { POLL, OK(BEGUN) }, { POLL, NO_ANSWER }, { POLL, OK(BEGUN) },
        { POLL, TOO_MANY }, { POLL, TOO_MANY }, { POLL, OK(BEGUN) }, { POLL, OK(READY) } } },
    { "POST and polls may take 15 minutes less 1 s", "225000 225000 225000 224000 timed_out",
      { { POST_IT, AFTER("225", BEGUN) }, { POLL, AFTER("225", BEGUN) },
        { POLL, AFTER("225", BEGUN) }, { POLL, AFTER("224", BEGUN) }, { POLL, OK(BEGUN) } } },
    { "an operation that failed says why", "1000 failed: No capacity.",
      { { POST_IT, OK(BEGUN) },
        { POLL, OK(OPERATION("\"done\": true, \"error\": {\"message\": \"No capacity.\"}")) } } },
    { "an operation that is done without a result says so",
      "failed: The operation has neither a response nor a message.",
      { { POST_IT, OK(OPERATION("\"done\": true")) } } },
    { "operations need a name", "failed: The operation has no name.", { { POST_IT, OK("{}") } } },
    /* Bid Manager. The second POST's connection was used before: libcurl itself would repeat it. */
    { "a POST is sent again at once after a refusal, and else if a look finds no newer report",
      "1000 2000 4000 8000 5000 6000 done",
      { { LOOK, NEWEST("70") }, { RUN_QUERY, KEPT("429 x") }, { RUN_QUERY, NO_ANSWER },
        { LOOK, NEWEST("9") }, { RUN_QUERY, OK("<html>") }, { LOOK, OK("{}") },
        { RUN_QUERY, UNAVAILABLE }, { LOOK, NEWEST("70") }, { RUN_QUERY, AFTER("5", QUEUED("71")) },
        { REPORT_71, AFTER("6", QUEUED("71")) }, { REPORT_71, DONE_71 } } },
    { "a newer report is taken; two requests share the time of an attempt", "1000 2000 1000 done",
      { { LOOK, NEWEST("9") }, { RUN_QUERY, ANSWER("303 x", "{}") }, { LOOK, NEWEST("9") },
        { RUN_QUERY, TOO_MANY }, { LOOK, NEWEST("71") }, { REPORT_71, DONE_71 } },
      { 15000, 15000, 15000, 15000, 15000, 30000 } },
    { "each of two requests has the 1 ms that is left", "300000 300000 299999 timed_out",
      { { LOOK, BUSY("300") }, { LOOK, BUSY("300") }, { LOOK, BUSY("299.999") },
        { LOOK, OK("{}") }, { RUN_QUERY, OK(QUEUED("71")) } }, { 15000, 15000, 15000, 1, 1 } },
    { "a look that fails is repeated, and posts nothing", "1000 2000 unsure: HTTP 403 ",
      { { LOOK, OK("{}") }, { RUN_QUERY, NO_ANSWER }, { LOOK, UNAVAILABLE },
        { LOOK, ANSWER("403 x", "{}") } } },
    { "a report needs an id", "unsure: The report has no id.",
      { { LOOK, OK("{}") }, { RUN_QUERY, OK("{}") } } },
    { "a report that failed is a failure",
      "1000 failed: The report failed: run the query again, or check it.",
      { { LOOK, OK("{}") }, { RUN_QUERY, OK(QUEUED("71")) },
        { REPORT_71, OK(REPORT_IS("71", "FAILED", "")) } } },
};

TEST(each_command_makes_the_requests_of_its_script)
{
    for (unsigned i = 0; i < LENGTH(scripts); i++) {
        const struct script *script = &scripts[i];
        const char *first = script->rows[0].request;
        bool reports = strcmp(first, LOOK) == 0;
        struct answer answers[LENGTH(script->rows)];
        unsigned count = 0;
        for (; script->rows[count].request; count++)
            answers[count] = (struct answer){ script->rows[count].bytes, script->rows[count].then };
        print_message("%s\n", script->sentence);
        assert_null(reopen(start_server(answers, count), SECRET));
        commands[reports ? 2 : first[0] == 'P'].call(&api, reports ? "queries/1234" : CART);
        assert_int_equal(server_stop(&server), count);
        for (unsigned k = 0; k < count; k++) {
            if (!server_was_asked(&server, k, script->rows[k].request))
                fail_msg("This is not %s:\n%s", script->rows[k].request, server.requests[k].text);
            assert_string_equal(server_header(&server, k, "Authorization"), "Bearer " SECRET);
            assert_string_equal(server_header(&server, k, "Content-Type"), "application/json");
        }
        assert_string_equal(story(), script->story);
        for (unsigned k = 0; script->timeouts_ms[k]; k++)
            assert_int_equal(timeouts_ms[k], script->timeouts_ms[k]);
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
        /* a 403 says by its reason that requests came too fast */
        { 403, false, STATUS("PERMISSION_DENIED") }, { 403, true, STATUS("RESOURCE_EXHAUSTED") },
        { 403, true, ERROR("m", FAILURE("description", "Queries per 100 seconds per user")) },
        { 403, false, ERROR("m", INFO("SERVICE_DISABLED", "", "")) },
        { 403, true, ERROR("m", INFO("RATE_LIMIT_EXCEEDED", "ReadsPerMinutePerUser", "1/min")) },
        { 403, true, ERROR("m", REASON("userRateLimitExceeded") INFO("", "", "")), 7000, 7000 },
        { 401, false, ERROR("m", REASON("rateLimitExceeded")) },
        /* nobody waits for the quota of a day, in each of the ways to say it */
        { 503, true, ERROR("m", REASON("dailyLimitExceeded")) },
        { 403, false, ERROR("m", REASON("dailyLimitExceeded") INFO("", "", "")) },
        { 403, false, ERROR("m", INFO("RATE_LIMIT_EXCEEDED", "ReadsPerDayPerProject", "")) },
        { 429, false, ERROR("m", INFO("", "QpdPerProject", "1/d")) },
        { 429, false, MESSAGE("Quota exceeded for limit 'Queries per day'.") },
        { 429, false, ERROR("m", FAILURE("description", "Daily Limit for reads exceeded")) },
        { 429, false, ERROR("m", FAILURE("quotaId", "ReadsPerDayPerProject")) },
        /* where ErrorInfo names the limit, the message does not decide */
        { 429, true, PER_DAY("ReadsPerMinutePerUser") }, { 429, true, PER_DAY("ReadsPerHour") },
        { 429, true, PER_DAY("ReadsPerSecondPerProject") }, { 429, false, PER_DAY("Default") },
        /* what is no error leaves it to the status */
        { 429, true, "<html>" }, { 429, true, "{\"error\": 7}" },
        { 429, true, "{\"error\": {\"errors\": [7], \"details\": [7]}}" },
        { 403, false, ERROR("", ", \"errors\": [{\"reason\": 7}], \"details\": 7, \"status\": 7") },
        /* the longer of Retry-After and RetryInfo counts */
        { 429, true, RETRY_INFO("30.5s"), 20000, 30500 }, { 429, true, RETRY_INFO("30") },
        { 429, true, RETRY_INFO("30s"), 40000, 40000 }, { 429, true, RETRY_INFO("30sx") },
        { 429, true, ERROR("m", DETAIL("Help", "\"retryDelay\": \"30s\"")) },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        cJSON *answer = cJSON_Parse(rows[i].body);
        struct redial_outcome outcome =
            google_error_judge(answer, redial_http(rows[i].status, rows[i].retry_after_ms, "GET"));
        cJSON_Delete(answer);
        if ((outcome.kind == REDIAL_KIND_RETRY) != rows[i].retried
            || outcome.code != rows[i].status || outcome.retry_after_ms != rows[i].wait_ms)
            fail_msg("%d %s: not as in its row", rows[i].status, rows[i].body);
    }
}

#define X16 "xxxxxxxxxxxxxxxx"
#define X256 X16 X16 X16 X16 X16 X16 X16 X16 X16 X16 X16 X16 X16 X16 X16 X16

TEST(a_token_is_one_word_and_goes_to_https_or_to_this_machine)
{
    static const char *const rows[][2] = {
        { "http://redis.googleapis.com", "x" }, { "http://127.0.0.1.example.com", "x" },
        { "https://me@example.com", "x" }, { "https://example.com?x", "x" },
        { "https://example.com#x", "x" }, { "https://example.com\\x", "x" },
        { "https://a b", "x" }, { "https://" X256, "x" }, { "https://", "x" },
        { "https:///x", "x" }, { "https://:443", "x" }, { "https://example.com", NULL },
        { "https://example.com", "token\r\nX-Header: 1" }, { "https://example.com", "t\xc3\xb6" },
    };
    assert_null(reopen("https://example.com", SECRET));
    for (unsigned i = 0; i < LENGTH(rows); i++)
        if (!reopen(rows[i][0], rows[i][1]))
            fail_msg("%s %s: it was opened", rows[i][0], rows[i][1]);
}

TEST(each_command_has_its_host_and_a_proxy_on_the_way_sees_no_token)
{
    static const struct answer no_tunnel = { ANSWER("403 x", "") };
    static const char *const hosts[] = {
        "CONNECT redis.googleapis.com:443", "CONNECT memorystore.googleapis.com:443",
        "CONNECT doubleclickbidmanager.googleapis.com:443"
    };
    for (unsigned i = 0; i < LENGTH(hosts); i++) {
        setenv("https_proxy", start_server(&no_tunnel, 1), 1);
        assert_null(reopen(commands[i].endpoint, SECRET));
        assert_false(commands[i].call(&api, CART));
        assert_string_equal(story(), "failed: HTTP 403 ");
        assert_int_equal(server_stop(&server), 1);
        assert_true(server_was_asked(&server, 0, hosts[i]));
        assert_null(strstr(server.requests[0].text, SECRET));
    }
    unsetenv("https_proxy");
}

/* ---- the program ---- */

#define REFUSED NULL, NULL, 2, "", "usage: google get|create projects/[?][*]/locations*"

/* out is what it prints; err is a pattern of fnmatch. Waits are those of the program, so only three
   rows have one. A signal ends that of one of them, and a POST that hangs. */
static const struct {
    const char *words, *first, *second;
    int status;
    const char *out, *err;
    void (*before)(void);
    enum then then;         /* after the second */
} rows[] = {
    { "get " CART, ANSWER("429 x", MESSAGE("Slow down.")),
      OK("{\"state\": \"READY\\u001b " SECRET "\"}"), 0, "READY? " STARS "\n",
      "HTTP 429 Slow down.; the next request is in [12]??? ms\ndone; attempts: 2\n" },
    { "create " CART, OK(BEGUN), OK(READY), 0, "READY\n",
      "not ready yet; the next request is in [12]??? ms\ndone; attempts: 2\n" },
    { "report queries/1234", BUSY("3600"), NULL, 1, "",
      "wait_too_long; attempts: 1; a wait of 3600000 ms was refused: HTTP 503 \n" },
    { "report queries/1234", OK("{}"), NO_ANSWER, 1, "",
      "unsure; attempts: 1: Operation was aborted by an application callback\n", .then = HANG },
    { "get " CART X256 X256 X256 X256 X256 X256 X256 X256, NULL, NULL, 1, "",
      "failed; attempts: 1: A name is too long.\n" },
    { "get projects/../locations/x/instances/cart", REFUSED }, { "report queries/", REFUSED },
    { "get projects//locations/x/instances/y", REFUSED }, { "get " CART "/" SECRET, REFUSED },
    { "get projects/x/locations//instances/y", REFUSED }, { "get " CART "?x", REFUSED },
    { "create projects/x/locations/y/instances/", REFUSED }, { "get " CART "&x", REFUSED },
    { "get " CART, ANSWER("429 x\r\nRetry-After: 60", "{}"), NULL, 1, "",
      "HTTP 429 ; the next request is in 6???? ms\ncancelled; attempts: 1: HTTP 429 \n" },
    { "get " CART, OK("{\"state\": \"READY\"}"), NULL, 1, "",
      "done; attempts: 1\ngoogle: can't write to standard output*", close_stdout },
    { "get " CART, NULL, NULL, 2, "", "google: the token must*in GOOGLE_OAUTH_ACCESS_TOKEN*" },
};

TEST(a_result_goes_to_stdout_what_happened_to_stderr_and_the_status_tells)
{
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        const struct answer answers[] =
            { { rows[i].first }, { rows[i].second, rows[i].then, .always = true } };
        setenv("GOOGLE_ENDPOINT", start_server(answers, 2), 1);
        program.before = rows[i].before;
        if (strstr(rows[i].err, "the token must"))
            setenv("GOOGLE_OAUTH_ACCESS_TOKEN", SECRET "\r\nX-Header: 1", 1);
        program_start_words(PROGRAM, "%s", rows[i].words);
        if (rows[i].then == HANG)
            server_await(&server, 2);
        else if (strstr(rows[i].err, "cancelled"))
            await(&program.err, "; the next request");
        if (rows[i].then == HANG || strstr(rows[i].err, "cancelled"))
            kill(program.pid, SIGTERM);
        program_end();
        assert_int_equal(server_stop(&server) > 0, rows[i].first != NULL);
        if (fnmatch(rows[i].err, program.err.bytes, 0) != 0)
            fail_msg("%s: this is not like %s:\n%s", rows[i].words, rows[i].err, program.err.bytes);
        assert_string_equal(program.out.bytes, rows[i].out);
        assert_status(rows[i].status);
        assert_null(strstr(program.err.bytes, SECRET));
    }
}

int main(void)
{
    for (int k = 0; k < 2; k++)
        snprintf(full[k], sizeof full[k], "%-*s", (int)strlen(OK("")) + (1 << 20) + k, OK("{}"));
    setenv("GOOGLE_OAUTH_ACCESS_TOKEN", SECRET, 1);
    setenv("http_proxy", "http://127.0.0.1:1", 1);   /* gets no token: nothing goes to it */
    setenv("no_proxy", "", 1);
    return run_all_with(NULL, program_kill, NULL, NULL);
}
