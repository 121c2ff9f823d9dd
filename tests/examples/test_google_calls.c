/* examples/google: lists, creations and reports, what is repeated and what is not, and where the token goes.
   SPDX-License-Identifier: MIT */
#include "google_fixture.h"

#define OPERATION_NAME "projects/shop/locations/europe-west3/operations/operation-1731500000000-62d-9a1c-0b7e"
#define OPERATION "{\"name\": \"" OPERATION_NAME "\", \"metadata\": {\"verb\": \"create\"}, \"done\": false}"
#define OPERATION_DONE "{\"name\": \"" OPERATION_NAME "\", \"done\": true, \"response\": {\"name\": \"cart\", " \
                       "\"state\": \"READY\"}}"
#define POLL "GET /v1/" OPERATION_NAME
#define LOOK "GET " INSTANCES "/cart"
#define POST_REDIS "POST " INSTANCES "?instanceId=cart"

/* The fake's random bits are 0, so our request id has zeros wherever a UUID is random. */
#define OUR_ID "00000000-0000-4000-8000-000000000000"
#define INSTANCE(state, id) "{\"name\": \"cart\", \"state\": \"" state "\", \"labels\": {\"request-id\": \"" id "\"}}"

/* The call against a server that answers with these steps. */
#define RUN(begin, ...) do { \
    const struct step steps_[] = { __VA_ARGS__ }; \
    run(begin, steps_, LENGTH(steps_)); \
} while (0)

/* ---- list ---- */

TEST(a_list_has_the_instances_of_all_pages)
{
    RUN(valkey_list,
        SAY(OK("{\"instances\": [{\"name\": \"a\"}, {\"name\": \"b\"}], \"nextPageToken\": \"x/y=&z\"}")),
        SAY(OK("{\"instances\": [{\"name\": \"c\"}], \"unreachable\": [\"locations/us-east1\"]}")));
    assert_ended(REDIAL_DONE, 2);
    assert_request(0, "GET " INSTANCES);
    assert_request(1, "GET " INSTANCES "?pageToken=x%2Fy%3D%26z");
    assert_int_equal(fake.waits, 0);
    assert_int_equal(report.attempts, 1);
    assert_int_equal(cJSON_GetArraySize(store.instances), 3);
    assert_string_equal(google_text(cJSON_GetArrayItem(store.instances, 2), "name"), "c");
    assert_int_equal(cJSON_GetArraySize(store.unreachable), 1);
}

TEST(only_the_page_that_failed_is_asked_for_again)
{
    RUN(redis_list, SAY(OK("{\"instances\": [{\"name\": \"a\"}], \"nextPageToken\": \"2\"}")), SAY(UNAVAILABLE),
        { NO_ANSWER, RESET, 0 }, SAY(OK("{\"instances\": [{\"name\": \"b\"}]}")));
    assert_ended(REDIAL_DONE, 4);
    for (unsigned k = 1; k < 4; k++)
        assert_request(k, "GET " INSTANCES "?pageToken=2");
    assert_int_equal(cJSON_GetArraySize(store.instances), 2);
}

/* Each reading of the clock takes 10 s, so the 30 s of an attempt are over after a few pages. */
static uint32_t slow_clock(const struct redial_env *env)
{
    struct redial_fake *clock = env->port;
    return clock->now_ms += 10000;
}

TEST(a_list_that_takes_longer_than_an_attempt_goes_on_in_the_next)
{
    fake.env.now_ms = slow_clock;
    RUN(redis_list, SAY(OK("{\"nextPageToken\": \"1\"}")), SAY(OK("{\"nextPageToken\": \"2\"}")),
        SAY(OK("{\"nextPageToken\": \"3\"}")), SAY(OK("{\"nextPageToken\": \"4\"}")),
        SAY(OK("{\"instances\": [{\"name\": \"a\"}]}")));
    assert_ended(REDIAL_DONE, 5);
    assert_request(4, "GET " INSTANCES "?pageToken=4");
    assert_waits((const uint32_t[]){ 1000 }, 1);
    assert_int_equal(report.attempts, 2);
    assert_int_equal(cJSON_GetArraySize(store.instances), 1);
}

TEST(a_list_that_has_no_time_left_says_so)
{
    fake.env.now_ms = slow_clock;
    policy.max_retries = 0;
    RUN(redis_list, SAY(OK("{\"nextPageToken\": \"1\"}")), SAY(OK("{\"nextPageToken\": \"2\"}")),
        SAY(OK("{\"nextPageToken\": \"3\"}")));
    assert_ended(REDIAL_EXHAUSTED, 3);
    assert_string_equal(call.error.message, "Timeout was reached");
}

TEST(an_answer_that_is_no_json_fails)
{
    RUN(redis_list, SAY(OK("<html>Welcome to this network</html>")));
    assert_ended(REDIAL_FAILED, 1);
    assert_non_null(strstr(call.error.message, "not JSON"));
}

/* ---- create, and poll ---- */

TEST(an_operation_is_polled_until_it_is_done)
{
    RUN(redis_create, SAY(OK(OPERATION)), SAY(OK(OPERATION)), SAY(OK(OPERATION)), SAY(OK(OPERATION_DONE)));
    assert_ended(REDIAL_DONE, 4);
    assert_request(0, POST_REDIS);
    assert_string_equal(body_of(peer.requests[0]),
                        "{\"tier\":\"BASIC\",\"memorySizeGb\":1,\"labels\":{\"request-id\":\"" OUR_ID "\"}}");
    for (unsigned k = 1; k < 4; k++)
        assert_request(k, POLL);
    assert_waits((const uint32_t[]){ 1000, 2000, 4000 }, 3);
    assert_string_equal(google_text(memorystore_created(&call), "state"), "READY");
}

TEST(polls_and_failures_share_one_loop)
{
    policy.max_retries = 1;   /* in a row: an answered poll sets their count to 0 */
    RUN(redis_create, SAY(OK(OPERATION)), SAY(UNAVAILABLE), SAY(OK(OPERATION)), SAY(TOO_MANY), SAY(OK(OPERATION)),
        SAY(NO_ANSWER), SAY(OK(OPERATION_DONE)));
    assert_ended(REDIAL_DONE, 7);
    assert_waits((const uint32_t[]){ 1000, 1000, 2000, 1000, 4000, 1000 }, 6);
}

TEST(one_time_limit_holds_for_polls_and_failures)
{
    policy.max_elapsed_ms = 8000;   /* 1 s after the 503, 1 s and 2 s between polls; the next 4 s are too long */
    RUN(redis_create, SAY(UNAVAILABLE), SAY(NOT_FOUND), SAY(OK(OPERATION)), SAY(OK(OPERATION)), SAY(OK(OPERATION)));
    assert_ended(REDIAL_TIMED_OUT, 5);
    assert_waits((const uint32_t[]){ 1000, 1000, 2000 }, 3);
    assert_int_equal(report.refused_wait_ms, 4000);
}

TEST(after_a_clear_answer_a_timed_out_creation_is_not_reported_as_unclear)
{
    policy.max_elapsed_ms = 2000;
    RUN(valkey_create, SAY(NO_ANSWER), SAY(OK(OPERATION)));
    assert_ended(REDIAL_TIMED_OUT, 2);
    assert_false(call.maybe_done);
}

static bool sent(const struct redial_env *env)
{
    (void)env;
    return atomic_load(&peer.answered) > 0;
}

TEST(a_creation_that_is_cancelled_may_have_been_done)
{
    fake.env.cancelled = sent;
    RUN(redis_create, { NO_ANSWER, HANG, 0 });
    assert_ended(REDIAL_CANCELLED, 1);
    assert_true(call.maybe_done);
}

TEST(a_poll_comes_not_before_the_server_said)
{
    RUN(valkey_create, SAY(ANSWER("200 OK\r\nRetry-After: 20", OPERATION)), SAY(OK(OPERATION_DONE)));
    assert_ended(REDIAL_DONE, 2);
    assert_waits((const uint32_t[]){ 20000 }, 1);
}

TEST(an_operation_that_failed_says_why)
{
    RUN(redis_create, SAY(OK(OPERATION)),
        SAY(OK("{\"name\": \"" OPERATION_NAME "\", \"done\": true, \"error\": {\"code\": 8, \"message\": "
            "\"No capacity in the zone.\"}}")));
    assert_ended(REDIAL_FAILED, 2);
    assert_string_equal(call.error.message, "No capacity in the zone.");
    assert_false(call.maybe_done);
}

TEST(an_operation_whose_name_is_no_path_fails)
{
    static const char *const names[] = { "", "operations/1", "projects/../secrets", "projects/x?y", "projects/x y",
                                         "projects//x", "projects/x#", "projects/%2e%2e/x", "//example.com/projects/" };
    char answer[256];
    const struct step steps[] = { SAY(answer) };
    for (unsigned i = 0; i < LENGTH(names); i++) {
        snprintf(answer, sizeof answer, OK("{\"name\": \"%s\", \"done\": false}"), names[i]);
        run_afresh(redis_create, steps, 1);
        assert_ended(REDIAL_FAILED, 1);
    }
}

/* ---- create for Redis: without a request id we look before we repeat ---- */

TEST(without_an_answer_an_instance_with_our_request_id_counts_as_created)
{
    RUN(redis_create, SAY(NO_ANSWER), SAY(OK(INSTANCE("CREATING", OUR_ID))), SAY(UNAVAILABLE),
        SAY(OK(INSTANCE("READY", OUR_ID))));
    assert_ended(REDIAL_DONE, 4);
    assert_request(0, POST_REDIS);
    for (unsigned k = 1; k < 4; k++)
        assert_request(k, LOOK);
    assert_string_equal(google_text(memorystore_created(&call), "state"), "READY");
}

TEST(an_instance_that_was_not_created_is_posted_again)
{
    static const char *const unclear[] = { NO_ANSWER, UNAVAILABLE, ANSWER("500 Internal Server Error", ""),
                                           "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{" };
    for (unsigned i = 0; i < LENGTH(unclear); i++) {
        const struct step steps[] = { SAY(unclear[i]), SAY(NOT_FOUND), SAY(OK(OPERATION)),
                                      SAY(OK(OPERATION_DONE)) };
        run_afresh(redis_create, steps, 4);
        assert_ended(REDIAL_DONE, 4);
        assert_request(1, LOOK);
        assert_request(2, POST_REDIS);
        assert_waits((const uint32_t[]){ 1000, 1000 }, 2);   /* none between the look and the repeat */
    }
}

TEST(every_repeat_is_looked_for_and_costs_a_retry)
{
    struct step steps[12] = { SAY(NO_ANSWER) };
    unsigned k;
    for (k = 1; k < 11; k += 2) {
        steps[k] = (struct step)SAY(NOT_FOUND);
        steps[k + 1] = (struct step){ NO_ANSWER, RESET, 0 };
    }
    run(redis_create, steps, k);
    assert_ended(REDIAL_EXHAUSTED, 11);
    assert_waits((const uint32_t[]){ 1000, 2000, 4000, 8000, 16000 }, 5);
    assert_true(call.maybe_done);
}

TEST(an_instance_that_was_there_and_is_gone_is_not_created_again)
{
    policy.max_retries = 1;
    RUN(redis_create, SAY(NO_ANSWER), SAY(OK(INSTANCE("CREATING", OUR_ID))), SAY(NOT_FOUND), SAY(NOT_FOUND));
    assert_ended(REDIAL_EXHAUSTED, 4);
    assert_request(3, LOOK);
}

TEST(a_look_comes_not_before_the_server_said)
{
    RUN(redis_create, SAY(NO_ANSWER), SAY(ANSWER("200 OK\r\nRetry-After: 20", INSTANCE("CREATING", OUR_ID))),
        SAY(OK(INSTANCE("READY", OUR_ID))));
    assert_ended(REDIAL_DONE, 3);
    assert_waits((const uint32_t[]){ 1000, 20000 }, 2);
}

TEST(a_creation_whose_answer_cannot_be_read_may_have_been_done)
{
    RUN(redis_create, SAY(OK("<html>")));
    assert_ended(REDIAL_FAILED, 1);
    assert_true(call.maybe_done);
}

TEST(a_look_that_fails_is_repeated_and_posts_nothing)
{
    RUN(redis_create, SAY(NO_ANSWER), SAY(UNAVAILABLE), SAY(NO_ANSWER), SAY(ANSWER("403 Forbidden", "{}")));
    assert_ended(REDIAL_FAILED, 4);
    for (unsigned k = 1; k < 4; k++)
        assert_request(k, LOOK);
    assert_true(call.maybe_done);
}

TEST(after_a_429_the_post_is_repeated_without_a_look)
{
    RUN(redis_create, SAY(TOO_MANY), SAY(OK(OPERATION_DONE)));
    assert_ended(REDIAL_DONE, 2);
    assert_request(1, POST_REDIS);
}

/* The look comes too early and sees nothing: then the repeat gets a 409. */
TEST(a_409_after_a_repeat_of_our_own_is_a_success)
{
    RUN(redis_create, SAY(NO_ANSWER), SAY(NOT_FOUND), SAY(ALREADY_EXISTS), SAY(NOT_FOUND),
        SAY(OK(INSTANCE("READY", OUR_ID))));
    assert_ended(REDIAL_DONE, 5);
    assert_request(2, POST_REDIS);
    assert_request(3, LOOK);
    assert_request(4, LOOK);
}

TEST(a_409_without_an_unclear_answer_before_it_is_a_failure)
{
    static const struct step first[] = { SAY(ALREADY_EXISTS) };
    static const struct step refused_before[] = { SAY(TOO_MANY), SAY(ALREADY_EXISTS) };
    run_afresh(redis_create, first, 1);
    assert_ended(REDIAL_FAILED, 1);
    assert_int_equal(report.last.code, 409);
    run_afresh(valkey_create, refused_before, 2);
    assert_ended(REDIAL_FAILED, 2);
}

TEST(an_instance_of_somebody_else_is_a_failure)
{
    static const struct step look[] = { SAY(NO_ANSWER), SAY(OK(INSTANCE("READY", "another"))) };
    static const struct step conflict[] = { SAY(NO_ANSWER), SAY(ALREADY_EXISTS),
                                            SAY(OK("{\"name\": \"cart\", \"state\": \"ACTIVE\"}")) };
    run_afresh(redis_create, look, 2);
    assert_ended(REDIAL_FAILED, 2);
    run_afresh(valkey_create, conflict, 3);
    assert_ended(REDIAL_FAILED, 3);
    assert_non_null(strstr(call.error.message, "not from this request"));
    assert_false(call.maybe_done);
}

TEST(an_instance_that_is_being_deleted_is_a_failure)
{
    RUN(redis_create, SAY(NO_ANSWER), SAY(OK(INSTANCE("DELETING", OUR_ID))));
    assert_ended(REDIAL_FAILED, 2);
}

static void listen_now(const struct redial_env *env, const struct redial_event *event)
{
    static const struct step steps[] = { SAY(OK(OPERATION_DONE)) };
    (void)env;
    (void)event;
    assert_int_equal(listen(peer.listener, 64), 0);
    assert_true(recording_server_start(&peer, steps, 1));
}

TEST(a_post_that_could_not_be_sent_needs_no_look)
{
    int listener = peer.listener;
    uint16_t port = 0;
    char closed[64];
    peer.listener = loopback_socket(&port);
    snprintf(closed, sizeof closed, "http://127.0.0.1:%u", (unsigned)port);
    fake.env.on_wait = listen_now;
    assert_true(google_call_open(&call, closed, TOKEN));
    redis_create();
    redial_run(&policy, &fake.env, google_call_attempt, &call, &report);
    requests = recording_server_stop(&peer);
    close(peer.listener);
    peer.listener = listener;
    assert_int_equal(report.verdict, REDIAL_DONE);
    assert_int_equal(requests, 1);
    assert_request(0, POST_REDIS);
    assert_false(call.maybe_done);
}

/* If a reused connection is dead, libcurl would repeat a request by itself. Here that of the look is reused. */
TEST(a_post_has_a_connection_of_its_own)
{
    RUN(redis_create, SAY(NO_ANSWER), { "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}", HANG, 0 },
        SAY(OK(OPERATION_DONE)));
    assert_ended(REDIAL_DONE, 3);
}

/* ---- create for Valkey: the same request id ---- */

TEST(a_repeat_has_the_same_request_id)
{
    store.body = "{\"shardCount\": 3, \"labels\": {\"team\": \"web\", \"request-id\": \"x\"}}";
    RUN(valkey_create, SAY(NO_ANSWER), SAY(UNAVAILABLE), SAY(OK(OPERATION)), SAY(OK(OPERATION_DONE)));
    assert_ended(REDIAL_DONE, 4);
    for (unsigned k = 0; k < 3; k++) {
        assert_request(k, "POST " INSTANCES "?instanceId=cart&requestId=" OUR_ID);
        assert_string_equal(body_of(peer.requests[k]),
                            "{\"shardCount\":3,\"labels\":{\"team\":\"web\",\"request-id\":\"" OUR_ID "\"}}");
    }
    assert_false(call.maybe_done);
}

TEST(a_409_to_a_repeat_for_valkey_is_a_success_too)
{
    RUN(valkey_create, SAY(NO_ANSWER), SAY(ALREADY_EXISTS), SAY(OK(INSTANCE("CREATING", OUR_ID))),
        SAY(OK(INSTANCE("ACTIVE", OUR_ID))));
    assert_ended(REDIAL_DONE, 4);
    assert_request(2, LOOK);
}

static uint32_t drawn(const struct redial_env *env)
{
    (void)env;
    return 0xfedcba98;
}

TEST(request_ids_are_random_uuids)
{
    fake.env.random = drawn;
    valkey_create();
    assert_string_equal(store.request_id, "fedcba98-fedc-4a98-bedc-ba98fedcba98");
}

TEST(a_body_that_is_no_instance_is_refused)
{
    static const char *const bodies[] = { "", "[]", "7", "{", "{\"labels\": 7}" };
    for (unsigned i = 0; i < LENGTH(bodies); i++) {
        store.service = &memorystore_redis;
        store.body = bodies[i];
        assert_false(memorystore_create(&store, &call, &fake.env));
    }
}

/* ---- Bid Manager ---- */

#define REPORT(id, state, path) "{\"key\": {\"queryId\": \"1234\", \"reportId\": \"" id "\"}, " \
                                "\"metadata\": {\"status\": {\"state\": \"" state "\", \"format\": \"CSV\"}" path "}}"
#define PATH ", \"googleCloudStoragePath\": \"https://storage.googleapis.com/b/r.csv\""
#define NEWEST(id) OK("{\"reports\": [" REPORT(id, "QUEUED", "") "]}")
#define LOOK_REPORT "GET /v2/queries/1234/reports?orderBy=key.reportId%20desc&pageSize=1"

TEST(a_query_is_run_and_its_report_polled)
{
    RUN(bid_manager, SAY(NEWEST("70")), SAY(OK(REPORT("71", "QUEUED", ""))), SAY(OK(REPORT("71", "RUNNING", ""))),
        SAY(UNAVAILABLE), SAY(OK(REPORT("71", "DONE", PATH))));
    assert_ended(REDIAL_DONE, 5);
    assert_request(0, LOOK_REPORT);
    assert_request(1, "POST /v2/queries/1234:run");
    assert_string_equal(body_of(peer.requests[1]), "{}");
    for (unsigned k = 2; k < 5; k++)
        assert_request(k, "GET /v2/queries/1234/reports/71");
    assert_waits((const uint32_t[]){ 1000, 2000, 1000 }, 3);
    assert_string_equal(bid_manager_path(&call), "https://storage.googleapis.com/b/r.csv");
}

TEST(without_an_answer_a_report_that_is_newer_than_before_is_taken)
{
    RUN(bid_manager, SAY(NEWEST("70")), SAY(NO_ANSWER), SAY(NEWEST("71")), SAY(OK(REPORT("71", "DONE", PATH))));
    assert_ended(REDIAL_DONE, 4);
    assert_request(3, "GET /v2/queries/1234/reports/71");
    assert_false(call.maybe_done);
}

TEST(a_run_without_any_answer_may_have_been_done)
{
    policy.max_retries = 0;
    RUN(bid_manager, SAY(OK("{}")), SAY(NO_ANSWER));
    assert_ended(REDIAL_EXHAUSTED, 2);
    assert_true(call.maybe_done);
}

TEST(without_a_newer_report_the_query_is_run_again)
{
    RUN(bid_manager, SAY(OK("{}")), SAY(UNAVAILABLE), SAY(OK("{}")), SAY(OK(REPORT("1", "QUEUED", ""))),
        SAY(OK(REPORT("1", "DONE", PATH))));
    assert_ended(REDIAL_DONE, 5);
    assert_request(2, LOOK_REPORT);
    assert_request(3, "POST /v2/queries/1234:run");
}

TEST(a_report_that_failed_is_a_failure)
{
    RUN(bid_manager, SAY(OK("{}")), SAY(OK(REPORT("1", "RUNNING", ""))), SAY(OK(REPORT("1", "FAILED", ""))));
    assert_ended(REDIAL_FAILED, 3);
}

TEST(a_report_without_an_id_is_a_failure)
{
    RUN(bid_manager, SAY(OK("{}")), SAY(OK(REPORT("../7", "RUNNING", ""))));
    assert_ended(REDIAL_FAILED, 2);
}

/* ---- the token ---- */

TEST(no_redirect_carries_the_token_elsewhere)
{
    static struct recording_server other;
    static const int codes[] = { 301, 302, 303, 307, 308 };
    static const struct step elsewhere[] = { SAY(OK("{}")) };
    char answer[256];
    const struct step steps[] = { SAY(answer) };
    assert_true(recording_server_open(&other));
    assert_true(recording_server_start(&other, elsewhere, 1));
    for (unsigned i = 0; i < LENGTH(codes); i++) {
        snprintf(answer, sizeof answer, "HTTP/1.1 %d Moved\r\nLocation: http://127.0.0.1:%u/\r\n"
                 "Connection: close\r\n\r\n", codes[i], (unsigned)other.port);
        run_afresh(i % 2 ? redis_create : redis_list, steps, 1);
        assert_ended(REDIAL_FAILED, 1);
        assert_int_equal(report.last.code, codes[i]);
    }
    assert_int_equal(recording_server_stop(&other), 0);
    close(other.listener);
}

/* The scheme of a URL may have capitals. */
TEST(no_proxy_sees_a_token_in_clear_text)
{
    static struct recording_server proxy;
    static const struct step steps[] = { SAY(OK("{}")) };
    char url[64];
    assert_true(recording_server_open(&proxy));
    assert_true(recording_server_start(&proxy, steps, 1));
    snprintf(url, sizeof url, "http://127.0.0.1:%u", (unsigned)proxy.port);
    setenv("http_proxy", url, 1);
    setenv("all_proxy", url, 1);
    run_afresh(redis_list, steps, 1);
    assert_ended(REDIAL_DONE, 1);
    memcpy(endpoint, "HTTP", 4);
    run_afresh(redis_list, steps, 1);
    memcpy(endpoint, "http", 4);
    unsetenv("http_proxy");
    unsetenv("all_proxy");
    assert_int_equal(recording_server_stop(&proxy), 0);
    close(proxy.listener);
    assert_ended(REDIAL_DONE, 1);
}

/* ---- the report ---- */

static const char *reported(void)
{
    static char text[4096];
    FILE *file = fmemopen(text, sizeof text, "w");
    assert_non_null(file);
    google_report_print(file, &call, &report, 1731500000);
    assert_int_equal(fclose(file), 0);
    return text;
}

TEST(a_report_has_the_verdict_the_last_answer_the_request_and_the_times)
{
    char expected[1024];
    policy.max_retries = 1;
    RUN(redis_create, SAY(NO_ANSWER),
        SAY(ANSWER("429 Too Many Requests", "{\"error\": {\"code\": 429, \"message\": \"Quota exceeded.\", \"status\": "
            "\"RESOURCE_EXHAUSTED\", \"details\": [{\"@type\": \"type.googleapis.com/google.rpc.ErrorInfo\", "
            "\"reason\": \"RATE_LIMIT_EXCEEDED\", \"metadata\": {\"quota_limit\": "
            "\"ReadsPerMinutePerProject\"}}]}}")));
    snprintf(expected, sizeof expected,
             "verdict:  exhausted: the retries are used up\n"
             "last:     HTTP 429 RESOURCE_EXHAUSTED, RATE_LIMIT_EXCEEDED (ReadsPerMinutePerProject): Quota exceeded.\n"
             "request:  GET %s" INSTANCES "/cart\n"
             "attempts: 2; requests: 2\n"
             "time:     1.000 s, of which waiting 1.000 s\n"
             "ended:    2024-11-13T12:13:20Z\n"
             "beware:   a POST got no clear answer and may have been done: check before you repeat it\n", endpoint);
    assert_string_equal(reported(), expected);
}

TEST(a_report_of_no_answer_says_what_libcurl_says)
{
    policy.max_retries = 0;
    RUN(redis_list, SAY(NO_ANSWER));
    assert_non_null(strstr(reported(), "last:     no answer, Server returned nothing"));
    assert_non_null(strstr(reported(), " (libcurl 52)\nrequest:  GET "));
}

TEST(a_report_of_a_wait_that_was_refused_names_it)
{
    policy.max_elapsed_ms = 1000;
    RUN(redis_create, SAY(OK(OPERATION)));
    assert_non_null(strstr(reported(), "timed_out: "));
    assert_non_null(strstr(reported(), "last:     not ready yet\n"));
    assert_non_null(strstr(reported(), "; a wait of 1.000 s was refused\n"));
    assert_null(strstr(reported(), "beware"));
}

TEST(a_token_that_the_server_sends_back_is_not_printed)
{
    RUN(redis_list,
        SAY(ANSWER("400 Bad Request", "{\"error\": {\"message\": \"Bearer " TOKEN ", "
            TOKEN "?\", \"status\": \"" TOKEN "\"}}")));
    assert_ended(REDIAL_FAILED, 1);
    assert_non_null(strstr(reported(), "Bearer ***"));
    assert_null(strstr(reported(), TOKEN));
    assert_null(strstr(reported(), "nobody"));
}

#define ESCAPED "\\u0079a29.a-token-that-nobody-may\\u002dsee"

TEST(a_token_that_comes_back_with_escapes_is_hidden_in_all_texts)
{
    RUN(redis_list, SAY(OK("{\"instances\": [{\"name\": \"" ESCAPED "\"}], \"nextPageToken\": \"" ESCAPED "\"}")),
        SAY(ANSWER("400 Bad Request", "{\"error\": {\"message\": \"Bearer " ESCAPED "\"}}")));
    assert_ended(REDIAL_FAILED, 2);
    assert_non_null(strstr(reported(), "Bearer ***"));
    assert_null(strstr(reported(), "nobody"));
    assert_null(strstr(google_text(cJSON_GetArrayItem(store.instances, 0), "name"), "nobody"));
}

int main(void)
{
    return run_all_with(set_up, tear_down, start_server, stop_server);
}
