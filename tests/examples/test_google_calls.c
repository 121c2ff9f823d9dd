/* examples/google: lists, creations and reports, what is repeated and what is not, and where the token goes. Errors and
   answers are those of the APIs' documents, and the waits take no time. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "google_fixture.h"
#include "redial_fake.h"
#include "../../examples/google/bid_manager.h"
#include "../../examples/google/memorystore.h"

#define INSTANCES "/v1/projects/shop/locations/europe-west3/instances"
#define LIST "GET " INSTANCES
#define PAGE(token) "GET " INSTANCES "?pageToken=" token
#define POLL "GET /v1/" OPERATION_NAME
#define LOOK "GET " INSTANCES "/cart"
#define POST_REDIS "POST " INSTANCES "?instanceId=cart"
#define POST_VALKEY "POST " INSTANCES "?instanceId=cart&requestId=" OUR_ID

/* The fake's random bits are 0, so our request id has zeros where a UUID is random, and the waits are the shortest. */
#define OUR_ID "00000000-0000-4000-8000-000000000000"
#define INSTANCE(state, id) "{\"name\": \"cart\", \"state\": \"" state "\", \"labels\": {\"request-id\": \"" id "\"}}"

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

static struct server server;
static struct redial_fake fake;
static struct redial_policy policy;
static struct redial_report report;
static struct google_call call;
static struct memorystore store;
static struct bid_manager bids;
static char endpoint[64];

static void close_all(void)
{
    google_call_close(&call);
    memorystore_close(&store);
    memset(&call, 0, sizeof call);
    store = (struct memorystore){ .service = &memorystore_redis, .project = "shop", .location = "europe-west3",
                                  .instance = "cart" };
    bids = (struct bid_manager){ .query = "1234" };
    fake.waits = 0;
}

static int set_up(void **state)
{
    redial_fake_init(&fake);
    policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    policy.attempt_ms = 30000;
    policy.max_elapsed_ms = REDIAL_NO_LIMIT;
    close_all();
    return 0;
}

enum what { REDIS_LIST, REDIS_CREATE, VALKEY_CREATE, BID_MANAGER };

static bool begin(enum what what)
{
    if (what == VALKEY_CREATE)
        store.service = &memorystore_valkey;
    if (what == REDIS_LIST)
        return memorystore_list(&store, &call);
    if (what == BID_MANAGER)
        bid_manager_run(&bids, &call);
    return what == BID_MANAGER || memorystore_create(&store, &call, &fake.env);
}

static void run_at(enum what what, uint16_t port)
{
    snprintf(endpoint, sizeof endpoint, "http://127.0.0.1:%u", (unsigned)port);
    close_all();
    poison(&report, sizeof report);
    poison(&call, sizeof call);
    assert_true(google_call_open(&call, endpoint, TOKEN) && begin(what));
    redial_run(&policy, &fake.env, google_call_attempt, &call, &report);
}

/* Returns how many requests came. */
static unsigned run(enum what what, const struct answer *answers, unsigned count)
{
    assert_true(server_start(&server, answers, count));
    run_at(what, server.port);
    return server_stop(&server);
}

static const char *waits(void)
{
    static char text[256];
    text[0] = '\0';
    for (unsigned k = 0; k < fake.waits; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", k ? " " : "", (unsigned)fake.waited_ms[k]);
    return text;
}

/* "failed: It says why.", "cancelled, beware" */
static const char *end(void)
{
    static char text[512];
    snprintf(text, sizeof text, "%s%s%s%s", redial_verdict_name(report.verdict), call.error.message[0] ? ": " : "",
             call.error.message, call.maybe_done ? ", beware" : "");
    return text;
}

/* Exactly these requests with these answers, the waits between attempts in ms, and the end. */
struct script {
    const char *sentence;
    enum what what;
    uint32_t retries;
    const char *end, *waits;
    struct { const char *request, *bytes; enum then then; } rows[10];
    bool (*cancelled)(const struct redial_env *env);
};

static bool after_a_page(const struct redial_env *env)
{
    return store.page != NULL;
}

static bool after_the_request(const struct redial_env *env)
{
    long bytes = 0;
    curl_easy_getinfo(call.curl, CURLINFO_REQUEST_SIZE, &bytes);
    return bytes > 0;
}

static void play(const struct script *script)
{
    struct answer answers[10];
    unsigned count = 0;
    for (; script->rows[count].request; count++)
        answers[count] = (struct answer){ script->rows[count].bytes, script->rows[count].then };
    policy.max_retries = script->retries;
    fake.env.cancelled = script->cancelled;
    print_message("%s\n", script->sentence);
    assert_int_equal(run(script->what, answers, count), count);
    for (unsigned k = 0; k < count; k++) {
        if (!server_was_asked(&server, k, script->rows[k].request))
            fail_msg("request %u is not %s:\n%s", k, script->rows[k].request, server.requests[k].text);
        assert_string_equal(server_header(&server, k, "Authorization"), "Bearer " TOKEN);
    }
    assert_string_equal(end(), script->end);
    assert_string_equal(waits(), script->waits);
    assert_int_equal(call.requests, count);
}

#define REPORT(id, state, path) "{\"key\": {\"queryId\": \"1234\", \"reportId\": \"" id "\"}, " \
                                "\"metadata\": {\"status\": {\"state\": \"" state "\"}" path "}}"
#define QUEUED(id) OK(REPORT(id, "QUEUED", ""))
#define DONE_71 OK(REPORT("71", "DONE", ", \"googleCloudStoragePath\": \"https://storage.googleapis.com/b/r.csv\""))
#define NEWEST(id) OK("{\"reports\": [" REPORT(id, "QUEUED", "") "]}")
#define REPORT_71 "GET /v2/queries/1234/reports/71"
#define LOOK_REPORT "GET /v2/queries/1234/reports?orderBy=key.reportId%20desc&pageSize=1"
#define RUN_QUERY "POST /v2/queries/1234:run"
#define KEPT(status) "HTTP/1.1 " status "\r\nContent-Length: 0\r\n\r\n", KEEP

static const struct script scripts[] = {
    /* waits that the server asks for */
    { "RetryInfo", REDIS_LIST, 5, "done", "9000", {
        { LIST, ANSWER("429 x", RETRY_INFO("\"9s\"")) }, { LIST, OK("{}") } } },
    { "a poll comes not before the server said", VALKEY_CREATE, 5, "done", "20000", {
        { POST_VALKEY, ANSWER("200 OK\r\nRetry-After: 20", OPERATION) }, { POLL, OK(OPERATION_DONE) } } },

    /* list */
    { "a page that came sets the retries back, and is not requested again", REDIS_LIST, 1, "done", "1000 500 1000", {
        { LIST, OK("{\"nextPageToken\": \"2\"}") }, { PAGE("2"), UNAVAILABLE },
        { PAGE("2"), OK("{\"nextPageToken\": \"x/y=&z\"}") }, { PAGE("x%2Fy%3D%26z"), NO_ANSWER, RESET },
        { PAGE("x%2Fy%3D%26z"), OK("{}") } } },
    { "one page has no more retries than any request", REDIS_LIST, 1, "exhausted: It says why.", "1000", {
        { LIST, OK("{\"nextPageToken\": \"2\"}") }, { PAGE("2"), UNAVAILABLE }, { PAGE("2"), UNAVAILABLE } } },
    { "an answer that was cut short is requested again", REDIS_LIST, 5, "done", "1000 2000 4000", {
        { LIST, NO_ANSWER }, { LIST, "HTTP/1.1 200 OK\r\nContent-Le" },
        { LIST, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}" }, { LIST, OK("{}") } } },
    { "Ctrl-C ends it between two pages", REDIS_LIST, 5, "cancelled", "", {
        { LIST, OK("{\"nextPageToken\": \"2\"}") } }, after_a_page },
    { "an error fails in spite of its status", REDIS_LIST, 5, "failed: no", "", {
        { LIST, OK("{\"error\": {\"code\": 403, \"message\": \"no\"}}") } } },
    { "an error of any other kind, too", REDIS_LIST, 5, "failed", "", { { LIST, OK("{\"error\": \"x\"}") } } },
    { "an error is retried in spite of its status, and null is none", REDIS_LIST, 5, "done", "1000", {
        { LIST, OK("{\"error\": {\"code\": 503}}") }, { LIST, OK("{\"error\": null}") } } },

    /* create, and poll */
    { "polls and failures share one loop, and a poll sets the retries back", REDIS_CREATE, 1, "done",
      "1000 1000 2000 1000 4000 1000", {
        { POST_REDIS, OK(OPERATION) }, { POLL, UNAVAILABLE }, { POLL, OK(OPERATION) }, { POLL, TOO_MANY },
        { POLL, OK(OPERATION) }, { POLL, NO_ANSWER }, { POLL, OK(OPERATION_DONE) } } },
    { "an operation that failed says why", REDIS_CREATE, 5, "failed: No capacity in the zone.", "1000", {
        { POST_REDIS, OK(OPERATION) },
        { POLL, OK("{\"done\": true, \"error\": {\"code\": 8, \"message\": \"No capacity in the zone.\"}}") } } },
    { "a POST whose answer can't be read may have been done", REDIS_CREATE, 5,
      "failed: The answer is not JSON: is this the right endpoint?, beware", "", { { POST_REDIS, OK("<html>") } } },
    { "a POST that was refused in spite of its status was not done", REDIS_CREATE, 5, "failed", "", {
        { POST_REDIS, OK("{\"error\": {\"code\": 403}}") } } },

    { "a POST that is cancelled may have been done", REDIS_CREATE, 5, "cancelled, beware", "", {
        { POST_REDIS, NO_ANSWER, HANG } }, after_the_request },

    /* create for Redis: without a request id we look before we repeat */
    { "an instance with our request id counts as created", REDIS_CREATE, 5, "done", "1000 20000 1000", {
        { POST_REDIS, NO_ANSWER }, { LOOK, ANSWER("200 OK\r\nRetry-After: 20", INSTANCE("CREATING", OUR_ID)) },
        { LOOK, UNAVAILABLE }, { LOOK, OK(INSTANCE("READY", OUR_ID)) } } },
    { "an instance that is not there is posted again, without a wait", REDIS_CREATE, 5, "done", "1000 2000 4000 1000", {
        { POST_REDIS, UNAVAILABLE }, { LOOK, NOT_FOUND }, { POST_REDIS, OK("{\"error\": {\"code\": 503}}") },
        { LOOK, NOT_FOUND }, { POST_REDIS, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{" }, { LOOK, NOT_FOUND },
        { POST_REDIS, OK(OPERATION) }, { POLL, OK(OPERATION_DONE) } } },
    { "every repeat costs a retry", REDIS_CREATE, 2, "exhausted, beware", "1000 2000", {
        { POST_REDIS, NO_ANSWER }, { LOOK, NOT_FOUND }, { POST_REDIS, NO_ANSWER, RESET }, { LOOK, NOT_FOUND },
        { POST_REDIS, NO_ANSWER } } },
    { "a look that fails is repeated, and posts nothing", REDIS_CREATE, 5, "failed, beware", "1000 2000 4000", {
        { POST_REDIS, NO_ANSWER }, { LOOK, UNAVAILABLE }, { LOOK, NO_ANSWER }, { LOOK, ANSWER("403 x", "{}") } } },
    { "an instance that was there and is gone is not created again", REDIS_CREATE, 1, "exhausted: It says why.",
      "1000 1000 1000", {
        { POST_REDIS, NO_ANSWER }, { LOOK, OK(INSTANCE("CREATING", OUR_ID)) }, { LOOK, NOT_FOUND },
        { LOOK, NOT_FOUND } } },
    { "a 409 to a repeat means that it exists", REDIS_CREATE, 5, "done", "1000 2000", {
        { POST_REDIS, NO_ANSWER }, { LOOK, NOT_FOUND }, { POST_REDIS, ALREADY_EXISTS }, { LOOK, NOT_FOUND },
        { LOOK, OK(INSTANCE("READY", OUR_ID)) } } },
    { "a 409 to the first POST is a failure", REDIS_CREATE, 5, "failed: It says why.", "", {
        { POST_REDIS, ALREADY_EXISTS } } },
    { "an instance of somebody else is a failure", REDIS_CREATE, 5,
      "failed: The instance exists, and is not from this request.", "1000", {
        { POST_REDIS, NO_ANSWER }, { LOOK, OK(INSTANCE("READY", "another")) } } },
    { "so is one without a label", REDIS_CREATE, 5,
      "failed: The instance exists, and is not from this request.", "1000", {
        { POST_REDIS, NO_ANSWER }, { LOOK, OK("{\"name\": \"cart\", \"state\": \"READY\"}") } } },
    { "so is one that is being deleted", REDIS_CREATE, 5,
      "failed: The instance exists, but is neither ready nor being created.", "1000", {
        { POST_REDIS, NO_ANSWER }, { LOOK, OK(INSTANCE("DELETING", OUR_ID)) } } },
    { "no POST is repeated by libcurl on a dead connection", REDIS_CREATE, 5, "done", "1000 2000 1000", {
        { POST_REDIS, KEPT("429 x") }, { POST_REDIS, NO_ANSWER }, { LOOK, KEPT("404 x") },
        { POST_REDIS, OK(OPERATION) }, { POLL, OK(OPERATION_DONE) } } },

    /* create for Valkey: the same request id */
    { "a 409 to a repeat for Valkey means that it exists", VALKEY_CREATE, 5, "done", "1000 1000", {
        { POST_VALKEY, NO_ANSWER }, { POST_VALKEY, ALREADY_EXISTS }, { LOOK, OK(INSTANCE("CREATING", OUR_ID)) },
        { LOOK, OK(INSTANCE("ACTIVE", OUR_ID)) } } },
    { "a 409 after one that was refused is a failure", VALKEY_CREATE, 5, "failed: It says why.", "1000", {
        { POST_VALKEY, TOO_MANY }, { POST_VALKEY, ALREADY_EXISTS } } },

    /* Bid Manager */
    { "a query that was refused is run again without a look, and its report awaited", BID_MANAGER, 5, "done",
      "1000 1000 2000", {
        { LOOK_REPORT, NEWEST("70") }, { RUN_QUERY, TOO_MANY }, { RUN_QUERY, QUEUED("71") },
        { REPORT_71, QUEUED("71") }, { REPORT_71, DONE_71 } } },
    { "a report that is newer than all before is taken", BID_MANAGER, 5, "done", "1000 1000", {
        { LOOK_REPORT, NEWEST("9") }, { RUN_QUERY, UNAVAILABLE }, { LOOK_REPORT, NEWEST("71") },
        { REPORT_71, DONE_71 } } },
    { "a list that is older or empty has no new report", BID_MANAGER, 5, "done", "1000 2000 4000 1000", {
        { LOOK_REPORT, NEWEST("70") }, { RUN_QUERY, NO_ANSWER }, { LOOK_REPORT, NEWEST("9") },
        { RUN_QUERY, UNAVAILABLE }, { LOOK_REPORT, OK("{}") }, { RUN_QUERY, UNAVAILABLE },
        { LOOK_REPORT, NEWEST("70") }, { RUN_QUERY, QUEUED("71") }, { REPORT_71, DONE_71 } } },
    { "a run without any answer may have been done", BID_MANAGER, 0, "exhausted, beware", "", {
        { LOOK_REPORT, OK("{}") }, { RUN_QUERY, NO_ANSWER } } },
    { "an id is a number", BID_MANAGER, 5, "failed: The report has no id., beware", "", {
        { LOOK_REPORT, OK("{}") }, { RUN_QUERY, QUEUED("../7") } } },
    { "a report that failed is a failure", BID_MANAGER, 5,
      "failed: The report failed: run the query again, or check it.", "1000", {
        { LOOK_REPORT, OK("{}") }, { RUN_QUERY, QUEUED("71") }, { REPORT_71, OK(REPORT("71", "FAILED", "")) } } },
};

TEST(each_call_makes_the_requests_of_its_script)
{
    for (unsigned i = 0; i < LENGTH(scripts); i++)
        play(&scripts[i]);
}

/* Where moving them took a time that grows with the square of their number, this test would take minutes. */
TEST(a_list_has_the_instances_of_all_pages_also_if_there_are_200000)
{
    char *page = malloc(1 << 20);
    const struct answer pages[] = {
        { OK("{\"instances\": [{\"name\": \"a\"}, {\"name\": \"b\"}], \"nextPageToken\": \"2\"}") }, { page } };
    size_t length = (size_t)sprintf(page, OK("{\"unreachable\": [\"us-east1\"], \"instances\": [{\"name\": \"c\"}"));
    for (unsigned k = 3; k < 200000; k++, length += 3)
        memcpy(page + length, ",{}", 3);
    strcpy(page + length, "]}");
    run(REDIS_LIST, pages, 2);
    free(page);
    assert_int_equal(cJSON_GetArraySize(store.instances), 200000);
    assert_string_equal(google_text(cJSON_GetArrayItem(store.instances, 2), "name"), "c");
    assert_int_equal(cJSON_GetArraySize(store.unreachable), 1);
}

TEST(a_repeat_for_valkey_is_the_same_request_and_may_use_the_connection_again)
{
    const struct answer answers[] = { { NO_ANSWER }, { KEPT("503 x") }, { OK(OPERATION_DONE) } };
    run(VALKEY_CREATE, answers, 3);
    assert_string_equal(server.requests[1].text, server.requests[0].text);
    assert_string_equal(server.requests[2].text, server.requests[0].text);
    assert_int_equal(server.requests[1].connection, server.requests[2].connection);
    assert_string_equal(end(), "done");
}

TEST(an_instance_gets_a_random_uuid_as_its_label_and_what_is_no_instance_is_refused)
{
#define LABEL "\"request-id\":\"fedcba98-fedc-4a98-bedc-ba98fedcba98\"}}"
    static const struct { const char *body, *request; } rows[] = {
        { NULL, "{\"tier\":\"BASIC\",\"memorySizeGb\":1,\"labels\":{" LABEL },
        { "{\"labels\": {\"request-id\": \"x\", \"team\": \"web\"}}", "{\"labels\":{\"team\":\"web\"," LABEL },
        { "", NULL }, { "[]", NULL }, { "7", NULL }, { "{", NULL }, { "{\"labels\": 7}", NULL },
    };
    fake.random = 0xfedcba98;
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        close_all();
        store.body = rows[i].body;
        assert_int_equal(begin(REDIS_CREATE), rows[i].request != NULL);
        if (rows[i].request)
            assert_string_equal(store.request, rows[i].request);
    }
}

TEST(the_name_of_an_operation_must_be_a_path)
{
    static const char *const names[] = { "", "operations/1", "projects/../secrets", "projects/x?y", "projects/x y",
                                         "projects//x", "projects/x#", "projects/%2e%2e/x", "//example.com/projects/" };
    char text[256];
    const struct answer answers[] = { { text } };
    for (unsigned i = 0; i < LENGTH(names); i++) {
        snprintf(text, sizeof text, OK("{\"name\": \"%s\"}"), names[i]);
        assert_int_equal(run(VALKEY_CREATE, answers, 1), 1);
        assert_string_equal(end(), "failed: The operation has no name., beware");
    }
}

TEST(a_post_that_could_not_be_sent_needs_no_look)
{
    policy.max_retries = 1;
    run_at(REDIS_CREATE, closed_port());
    assert_string_equal(end(), "exhausted");
    assert_string_equal(call.method, "POST");
}

static uint32_t timeouts_ms[4];

static struct redial_outcome takes_10_s(struct google_call *this, const struct redial_attempt *attempt)
{
    timeouts_ms[this->requests++] = attempt->timeout_ms;
    fake.now_ms += 10000;
    this->at_once = this->requests < LENGTH(timeouts_ms);
    return redial_done();
}

TEST(the_requests_of_an_attempt_share_its_timeout)
{
    call.step = takes_10_s;
    redial_run(&policy, &fake.env, google_call_attempt, &call, &report);
    assert_int_equal(call.requests, 3);
    for (unsigned k = 0; k < 3; k++)
        assert_int_equal(timeouts_ms[k], 30000 - 10000 * k);
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
        snprintf(text, sizeof text, "HTTP/1.1 %d x\r\nLocation: %s/\r\nConnection: close\r\n\r\n", status, url);
        assert_int_equal(run(REDIS_LIST, answers, 1), 1);
        assert_string_equal(end(), "failed: A redirect is not followed: no other server may get the token.");
    }
    unsetenv("http_proxy");
    unsetenv("all_proxy");
    assert_int_equal(server_stop(&other), 0);
}

/* A server may send the request back, in JSON perhaps with escapes; and a terminal obeys the controls of C0 and C1. */
TEST(no_token_and_no_control_character_of_a_server_is_printed)
{
#define STARS "********************************"
    static const char *const texts[][2] = {
        { "Bearer " TOKEN ", " TOKEN "?", "Bearer " STARS ", " STARS "?" }, { "Bearer " ESCAPED, "Bearer " STARS },
        { "\\u001b[31m\\u0007\\u007f\\n", "?[31m???" }, { "\xc2\x9b" "31m \x9b" "31m \\u009d", "??31m ?31m ??" },
    };
    for (unsigned i = 0; i < LENGTH(texts); i++) {
        char page[512], error[512];
        const struct answer answers[] = { { page }, { error } };
        snprintf(page, sizeof page, OK("{\"instances\": [{\"name\": \"%s\"}], \"nextPageToken\": \"%s\"}"), texts[i][0],
                 texts[i][0]);
        snprintf(error, sizeof error, ANSWER("400 x", "{\"error\": {\"message\": \"%s\", \"status\": \"%s\"}}"),
                 texts[i][0], texts[i][0]);
        run(REDIS_LIST, answers, 2);
        assert_string_equal(google_text(cJSON_GetArrayItem(store.instances, 0), "name"), texts[i][1]);
        assert_string_equal(call.error.message, texts[i][1]);
    }
}

TEST(the_status_and_the_reason_decide_what_is_retried_and_when)
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
        /* the longer of Retry-After and RetryInfo counts */
        { 429, true, RETRY_INFO("\"30s\""), 0, 30000 },
        { 503, true, RETRY_INFO("\"3.5s\""), 0, 3500 },
        { 429, true, RETRY_INFO("\"30s\""), 40000, 40000 },
        { 429, true, RETRY_INFO("\"30s\""), 20000, 30000 },
        { 403, true, LEGACY("rateLimitExceeded"), 7000, 7000 },
        { 429, true, RETRY_INFO("\"30\"") }, { 429, true, RETRY_INFO("\"-1s\"") }, { 429, true, RETRY_INFO("30") },
        { 429, true, DETAIL("Help", "\"retryDelay\": \"30s\"") },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct google_error error;
        cJSON *answer = cJSON_Parse(rows[i].body);
        struct redial_outcome outcome;
        poison(&error, sizeof error);
        google_error_read(&error, google_error_in(answer));
        cJSON_Delete(answer);
        outcome = google_error_judge(&error, redial_http(rows[i].status, rows[i].retry_after_ms, "GET"));
        if ((redial_classify(&policy, outcome) == REDIAL_KIND_RETRY) != rows[i].retried
            || outcome.code != rows[i].status || outcome.retry_after_ms != rows[i].wait_ms)
            fail_msg("%d %s: not as in its row", rows[i].status, rows[i].body);
    }
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
    curl_global_init(CURL_GLOBAL_DEFAULT);
    return run_all_with(set_up, NULL, NULL, NULL);
}
