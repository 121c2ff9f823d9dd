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

/* The fake's random bits are 0, and so is our request id but for the marks of a random UUID. */
#define OUR_ID "00000000-0000-4000-8000-000000000000"
#define INSTANCE(state, id) "{\"name\": \"cart\", \"state\": \"" state "\", \"labels\": {\"request-id\": \"" id "\"}}"

#define RUN(begin, steps) run(begin, steps, LENGTH(steps))

/* ---- list ---- */

static void a_list_is_all_its_pages(void **state)
{
    static const struct step steps[] = {
        SAY(OK("{\"instances\": [{\"name\": \"a\"}, {\"name\": \"b\"}], \"nextPageToken\": \"x/y=&z\"}")),
        SAY(OK("{\"instances\": [{\"name\": \"c\"}], \"unreachable\": [\"locations/us-east1\"]}")) };
    (void)state;
    RUN(valkey_list, steps);
    assert_ended(REDIAL_DONE, 2);
    assert_request(0, "GET " INSTANCES);
    assert_request(1, "GET " INSTANCES "?pageToken=x%2Fy%3D%26z");
    assert_int_equal(fake.waits, 0);
    assert_int_equal(report.attempts, 1);
    assert_int_equal(cJSON_GetArraySize(store.instances), 3);
    assert_string_equal(google_text(cJSON_GetArrayItem(store.instances, 2), "name"), "c");
    assert_int_equal(cJSON_GetArraySize(store.unreachable), 1);
}

static void only_the_page_that_failed_is_asked_for_again(void **state)
{
    static const struct step steps[] = {
        SAY(OK("{\"instances\": [{\"name\": \"a\"}], \"nextPageToken\": \"2\"}")),
        SAY(UNAVAILABLE), { NO_ANSWER, RESET, 0 }, SAY(OK("{\"instances\": [{\"name\": \"b\"}]}")) };
    (void)state;
    RUN(redis_list, steps);
    assert_ended(REDIAL_DONE, 4);
    for (unsigned k = 1; k < 4; k++)
        assert_request(k, "GET " INSTANCES "?pageToken=2");
    assert_int_equal(cJSON_GetArraySize(store.instances), 2);
}

/* Each look at the clock takes 10 s: an attempt's 30 s are over after a few pages. */
static uint32_t slow_clock(const struct redial_env *env)
{
    struct redial_fake *clock = env->port;
    return clock->now_ms += 10000;
}

static void a_list_that_takes_longer_than_an_attempt_goes_on_in_the_next(void **state)
{
    static const struct step steps[] = { SAY(OK("{\"nextPageToken\": \"1\"}")), SAY(OK("{\"nextPageToken\": \"2\"}")),
                                         SAY(OK("{\"nextPageToken\": \"3\"}")), SAY(OK("{\"nextPageToken\": \"4\"}")),
                                         SAY(OK("{\"instances\": [{\"name\": \"a\"}]}")) };
    (void)state;
    fake.env.now_ms = slow_clock;
    RUN(redis_list, steps);
    assert_ended(REDIAL_DONE, 5);
    assert_request(4, "GET " INSTANCES "?pageToken=4");
    assert_waits((const uint32_t[]){ 1000 }, 1);
    assert_int_equal(report.attempts, 2);
    assert_int_equal(cJSON_GetArraySize(store.instances), 1);
}

static void an_answer_that_is_no_json_fails(void **state)
{
    static const struct step steps[] = { SAY(OK("<html>Welcome to this network</html>")) };
    (void)state;
    RUN(redis_list, steps);
    assert_ended(REDIAL_FAILED, 1);
    assert_non_null(strstr(call.error.message, "not JSON"));
}

/* ---- create, and poll ---- */

static void an_operation_is_polled_until_it_is_done(void **state)
{
    static const struct step steps[] = { SAY(OK(OPERATION)), SAY(OK(OPERATION)),
                                         SAY(OK(OPERATION)), SAY(OK(OPERATION_DONE)) };
    (void)state;
    RUN(redis_create, steps);
    assert_ended(REDIAL_DONE, 4);
    assert_request(0, POST_REDIS);
    assert_string_equal(body_of(0),
                        "{\"tier\":\"BASIC\",\"memorySizeGb\":1,\"labels\":{\"request-id\":\"" OUR_ID "\"}}");
    for (unsigned k = 1; k < 4; k++)
        assert_request(k, POLL);
    assert_waits((const uint32_t[]){ 1000, 2000, 4000 }, 3);
    assert_string_equal(google_text(memorystore_created(&call), "state"), "READY");
}

static void polls_and_failures_share_one_loop(void **state)
{
    static const struct step steps[] = {
        SAY(OK(OPERATION)), SAY(UNAVAILABLE), SAY(OK(OPERATION)), SAY(TOO_MANY),
        SAY(OK(OPERATION)), SAY(NO_ANSWER), SAY(OK(OPERATION_DONE)) };
    (void)state;
    policy.max_retries = 1;   /* in a row: a poll that is answered starts afresh */
    RUN(redis_create, steps);
    assert_ended(REDIAL_DONE, 7);
    assert_waits((const uint32_t[]){ 1000, 1000, 2000, 1000, 4000, 1000 }, 6);
}

static void one_time_limit_holds_for_polls_and_failures(void **state)
{
    static const struct step steps[] = { SAY(UNAVAILABLE), SAY(NOT_FOUND), SAY(OK(OPERATION)),
                                         SAY(OK(OPERATION)), SAY(OK(OPERATION)) };
    (void)state;
    policy.max_elapsed_ms = 8000;   /* 1 s for the 503, 1 s and 2 s and no more 4 s for the polls */
    RUN(redis_create, steps);
    assert_ended(REDIAL_TIMED_OUT, 5);
    assert_waits((const uint32_t[]){ 1000, 1000, 2000 }, 3);
    assert_int_equal(report.refused_wait_ms, 4000);
}

static void what_was_answered_once_is_not_unclear_any_more(void **state)
{
    static const struct step steps[] = { SAY(NO_ANSWER), SAY(OK(OPERATION)) };
    (void)state;
    policy.max_elapsed_ms = 2000;
    RUN(valkey_create, steps);
    assert_ended(REDIAL_TIMED_OUT, 2);
    assert_false(call.maybe_done);
}

static bool sent(const struct redial_env *env)
{
    (void)env;
    return atomic_load(&peer.answered) > 0;
}

static void a_creation_that_is_cancelled_may_have_been_done(void **state)
{
    static const struct step steps[] = { { NO_ANSWER, HANG, 0 } };
    (void)state;
    fake.env.cancelled = sent;
    RUN(redis_create, steps);
    assert_ended(REDIAL_CANCELLED, 1);
    assert_true(call.maybe_done);
}

static void a_poll_comes_not_before_the_server_said(void **state)
{
    static const struct step steps[] = { SAY(ANSWER("200 OK\r\nRetry-After: 20", OPERATION)),
                                         SAY(OK(OPERATION_DONE)) };
    (void)state;
    RUN(valkey_create, steps);
    assert_ended(REDIAL_DONE, 2);
    assert_waits((const uint32_t[]){ 20000 }, 1);
}

static void an_operation_that_failed_says_why(void **state)
{
    static const struct step steps[] = {
        SAY(OK(OPERATION)),
        SAY(OK("{\"name\": \"" OPERATION_NAME "\", \"done\": true, \"error\": {\"code\": 8, \"message\": "
             "\"No capacity in the zone.\"}}")) };
    (void)state;
    RUN(redis_create, steps);
    assert_ended(REDIAL_FAILED, 2);
    assert_string_equal(call.error.message, "No capacity in the zone.");
    assert_false(call.maybe_done);
}

static void an_operation_whose_name_is_no_path_fails(void **state)
{
    static const char *const names[] = { "", "operations/1", "projects/../secrets", "projects/x?y", "projects/x y",
                                         "projects//x", "projects/x#", "projects/%2e%2e/x", "//example.com/projects/" };
    char answer[256];
    const struct step steps[] = { SAY(answer) };
    (void)state;
    for (unsigned i = 0; i < LENGTH(names); i++) {
        snprintf(answer, sizeof answer, OK("{\"name\": \"%s\", \"done\": false}"), names[i]);
        run_afresh(redis_create, steps, 1);
        assert_ended(REDIAL_FAILED, 1);
    }
}

/* ---- create for Redis: without a request id we look before we repeat ---- */

static void after_a_lost_answer_the_instance_that_is_there_is_ours(void **state)
{
    static const struct step steps[] = { SAY(NO_ANSWER), SAY(OK(INSTANCE("CREATING", OUR_ID))),
                                         SAY(UNAVAILABLE), SAY(OK(INSTANCE("READY", OUR_ID))) };
    (void)state;
    RUN(redis_create, steps);
    assert_ended(REDIAL_DONE, 4);
    assert_request(0, POST_REDIS);
    for (unsigned k = 1; k < 4; k++)
        assert_request(k, LOOK);
    assert_string_equal(google_text(memorystore_created(&call), "state"), "READY");
}

static void what_was_not_created_is_posted_again(void **state)
{
    static const char *const unclear[] = { NO_ANSWER, UNAVAILABLE, ANSWER("500 Internal Server Error", ""),
                                           "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{" };
    (void)state;
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

static void every_repeat_is_looked_for_and_costs_a_retry(void **state)
{
    struct step steps[12] = { SAY(NO_ANSWER) };
    unsigned k;
    (void)state;
    for (k = 1; k < 11; k += 2) {
        steps[k] = (struct step)SAY(NOT_FOUND);
        steps[k + 1] = (struct step){ NO_ANSWER, RESET, 0 };
    }
    run(redis_create, steps, k);
    assert_ended(REDIAL_EXHAUSTED, 11);
    assert_waits((const uint32_t[]){ 1000, 2000, 4000, 8000, 16000 }, 5);
    assert_true(call.maybe_done);
}

static void an_instance_that_was_there_and_is_gone_is_not_created_again(void **state)
{
    static const struct step steps[] = { SAY(NO_ANSWER), SAY(OK(INSTANCE("CREATING", OUR_ID))), SAY(NOT_FOUND),
                                         SAY(NOT_FOUND) };
    (void)state;
    policy.max_retries = 1;
    RUN(redis_create, steps);
    assert_ended(REDIAL_EXHAUSTED, 4);
    assert_request(3, LOOK);
}

static void a_look_comes_not_before_the_server_said(void **state)
{
    static const struct step steps[] = { SAY(NO_ANSWER),
                                         SAY(ANSWER("200 OK\r\nRetry-After: 20", INSTANCE("CREATING", OUR_ID))),
                                         SAY(OK(INSTANCE("READY", OUR_ID))) };
    (void)state;
    RUN(redis_create, steps);
    assert_ended(REDIAL_DONE, 3);
    assert_waits((const uint32_t[]){ 1000, 20000 }, 2);
}

static void a_creation_whose_answer_cannot_be_read_may_have_been_done(void **state)
{
    static const struct step steps[] = { SAY(OK("<html>")) };
    (void)state;
    RUN(redis_create, steps);
    assert_ended(REDIAL_FAILED, 1);
    assert_true(call.maybe_done);
}

static void a_look_that_fails_is_repeated_and_posts_nothing(void **state)
{
    static const struct step steps[] = { SAY(NO_ANSWER), SAY(UNAVAILABLE), SAY(NO_ANSWER),
                                         SAY(ANSWER("403 Forbidden", "{}")) };
    (void)state;
    RUN(redis_create, steps);
    assert_ended(REDIAL_FAILED, 4);
    for (unsigned k = 1; k < 4; k++)
        assert_request(k, LOOK);
    assert_true(call.maybe_done);
}

static void a_429_was_not_done_so_the_post_is_repeated_at_once(void **state)
{
    static const struct step steps[] = { SAY(TOO_MANY), SAY(OK(OPERATION_DONE)) };
    (void)state;
    RUN(redis_create, steps);
    assert_ended(REDIAL_DONE, 2);
    assert_request(1, POST_REDIS);
}

/* The look comes too early and sees nothing: then the repeat gets a 409. */
static void a_409_after_a_repeat_of_our_own_is_a_success(void **state)
{
    static const struct step steps[] = { SAY(NO_ANSWER), SAY(NOT_FOUND), SAY(ALREADY_EXISTS),
                                         SAY(NOT_FOUND), SAY(OK(INSTANCE("READY", OUR_ID))) };
    (void)state;
    RUN(redis_create, steps);
    assert_ended(REDIAL_DONE, 5);
    assert_request(2, POST_REDIS);
    assert_request(3, LOOK);
    assert_request(4, LOOK);
}

static void a_409_before_that_is_a_failure(void **state)
{
    static const struct step first[] = { SAY(ALREADY_EXISTS) };
    static const struct step refused_before[] = { SAY(TOO_MANY), SAY(ALREADY_EXISTS) };
    (void)state;
    run_afresh(redis_create, first, 1);
    assert_ended(REDIAL_FAILED, 1);
    assert_int_equal(report.last.code, 409);
    run_afresh(valkey_create, refused_before, 2);
    assert_ended(REDIAL_FAILED, 2);
}

static void an_instance_of_somebody_else_is_a_failure(void **state)
{
    static const struct step look[] = { SAY(NO_ANSWER), SAY(OK(INSTANCE("READY", "another"))) };
    static const struct step conflict[] = { SAY(NO_ANSWER), SAY(ALREADY_EXISTS),
                                            SAY(OK("{\"name\": \"cart\", \"state\": \"ACTIVE\"}")) };
    (void)state;
    run_afresh(redis_create, look, 2);
    assert_ended(REDIAL_FAILED, 2);
    run_afresh(valkey_create, conflict, 3);
    assert_ended(REDIAL_FAILED, 3);
    assert_non_null(strstr(call.error.message, "not from this request"));
    assert_false(call.maybe_done);
}

static void an_instance_that_is_being_deleted_is_a_failure(void **state)
{
    static const struct step steps[] = { SAY(NO_ANSWER), SAY(OK(INSTANCE("DELETING", OUR_ID))) };
    (void)state;
    RUN(redis_create, steps);
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

static void a_post_that_could_not_be_sent_needs_no_look(void **state)
{
    int listener = peer.listener;
    uint16_t port = 0;
    char deaf[64];
    (void)state;
    peer.listener = loopback_socket(&port);
    snprintf(deaf, sizeof deaf, "http://127.0.0.1:%u", (unsigned)port);
    fake.env.on_wait = listen_now;
    assert_true(google_call_open(&call, deaf, TOKEN));
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

/* libcurl would repeat it by itself on a kept connection that turns out to be dead. The look's is kept, and mute. */
static void a_post_has_a_connection_of_its_own(void **state)
{
    static const struct step steps[] = {
        SAY(NO_ANSWER), { "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}", HANG, 0 },
        SAY(OK(OPERATION_DONE)) };
    (void)state;
    RUN(redis_create, steps);
    assert_ended(REDIAL_DONE, 3);
}

/* ---- create for Valkey: the same request id ---- */

static void a_repeat_has_the_same_request_id(void **state)
{
    static const struct step steps[] = { SAY(NO_ANSWER), SAY(UNAVAILABLE), SAY(OK(OPERATION)),
                                         SAY(OK(OPERATION_DONE)) };
    (void)state;
    store.body = "{\"shardCount\": 3, \"labels\": {\"team\": \"web\", \"request-id\": \"x\"}}";
    RUN(valkey_create, steps);
    assert_ended(REDIAL_DONE, 4);
    for (unsigned k = 0; k < 3; k++) {
        assert_request(k, "POST " INSTANCES "?instanceId=cart&requestId=" OUR_ID);
        assert_string_equal(body_of(k),
                            "{\"shardCount\":3,\"labels\":{\"team\":\"web\",\"request-id\":\"" OUR_ID "\"}}");
    }
    assert_false(call.maybe_done);
}

static void a_409_to_a_repeat_for_valkey_is_a_success_too(void **state)
{
    static const struct step steps[] = { SAY(NO_ANSWER), SAY(ALREADY_EXISTS),
                                         SAY(OK(INSTANCE("CREATING", OUR_ID))),
                                         SAY(OK(INSTANCE("ACTIVE", OUR_ID))) };
    (void)state;
    RUN(valkey_create, steps);
    assert_ended(REDIAL_DONE, 4);
    assert_request(2, LOOK);
}

static uint32_t drawn(const struct redial_env *env)
{
    (void)env;
    return 0xfedcba98;
}

static void request_ids_are_random_uuids(void **state)
{
    (void)state;
    fake.env.random = drawn;
    valkey_create();
    assert_string_equal(store.request_id, "fedcba98-fedc-4a98-bedc-ba98fedcba98");
}

static void a_body_that_is_no_instance_is_refused(void **state)
{
    static const char *const bodies[] = { "", "[]", "7", "{", "{\"labels\": 7}" };
    (void)state;
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

static void a_query_is_run_and_its_report_polled(void **state)
{
    static const struct step steps[] = {
        SAY(NEWEST("70")), SAY(OK(REPORT("71", "QUEUED", ""))), SAY(OK(REPORT("71", "RUNNING", ""))),
        SAY(UNAVAILABLE), SAY(OK(REPORT("71", "DONE", PATH))) };
    (void)state;
    RUN(bid_manager, steps);
    assert_ended(REDIAL_DONE, 5);
    assert_request(0, LOOK_REPORT);
    assert_request(1, "POST /v2/queries/1234:run");
    assert_string_equal(body_of(1), "{}");
    for (unsigned k = 2; k < 5; k++)
        assert_request(k, "GET /v2/queries/1234/reports/71");
    assert_waits((const uint32_t[]){ 1000, 2000, 1000 }, 3);
    assert_string_equal(bid_manager_path(&call), "https://storage.googleapis.com/b/r.csv");
}

static void a_report_that_is_newer_than_before_is_that_of_the_lost_answer(void **state)
{
    static const struct step steps[] = { SAY(NEWEST("70")), SAY(NO_ANSWER), SAY(NEWEST("71")),
                                         SAY(OK(REPORT("71", "DONE", PATH))) };
    (void)state;
    RUN(bid_manager, steps);
    assert_ended(REDIAL_DONE, 4);
    assert_request(3, "GET /v2/queries/1234/reports/71");
    assert_false(call.maybe_done);
}

static void a_run_without_any_answer_may_have_been_done(void **state)
{
    static const struct step steps[] = { SAY(OK("{}")), SAY(NO_ANSWER) };
    (void)state;
    policy.max_retries = 0;
    RUN(bid_manager, steps);
    assert_ended(REDIAL_EXHAUSTED, 2);
    assert_true(call.maybe_done);
}

static void without_a_newer_report_the_query_is_run_again(void **state)
{
    static const struct step steps[] = { SAY(OK("{}")), SAY(UNAVAILABLE), SAY(OK("{}")),
                                         SAY(OK(REPORT("1", "QUEUED", ""))), SAY(OK(REPORT("1", "DONE", PATH))) };
    (void)state;
    RUN(bid_manager, steps);
    assert_ended(REDIAL_DONE, 5);
    assert_request(2, LOOK_REPORT);
    assert_request(3, "POST /v2/queries/1234:run");
}

static void a_report_that_failed_is_a_failure(void **state)
{
    static const struct step steps[] = { SAY(OK("{}")), SAY(OK(REPORT("1", "RUNNING", ""))),
                                         SAY(OK(REPORT("1", "FAILED", ""))) };
    (void)state;
    RUN(bid_manager, steps);
    assert_ended(REDIAL_FAILED, 3);
}

static void a_report_without_an_id_is_a_failure(void **state)
{
    static const struct step steps[] = { SAY(OK("{}")), SAY(OK(REPORT("../7", "RUNNING", ""))) };
    (void)state;
    RUN(bid_manager, steps);
    assert_ended(REDIAL_FAILED, 2);
}

/* ---- the token ---- */

static void no_redirect_carries_the_token_elsewhere(void **state)
{
    static struct recording_server other;
    static const int codes[] = { 301, 302, 303, 307, 308 };
    static const struct step elsewhere[] = { SAY(OK("{}")) };
    char answer[256];
    const struct step steps[] = { SAY(answer) };
    (void)state;
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

static void no_proxy_sees_a_token_in_clear_text(void **state)
{
    static struct recording_server proxy;
    static const struct step steps[] = { SAY(OK("{}")) };
    char url[64];
    (void)state;
    assert_true(recording_server_open(&proxy));
    assert_true(recording_server_start(&proxy, steps, 1));
    snprintf(url, sizeof url, "http://127.0.0.1:%u", (unsigned)proxy.port);
    setenv("http_proxy", url, 1);
    setenv("all_proxy", url, 1);
    RUN(redis_list, steps);
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

static void a_report_answers_what_support_asks(void **state)
{
    static const struct step steps[] = {
        SAY(NO_ANSWER),
        SAY(ANSWER("429 Too Many Requests", "{\"error\": {\"code\": 429, \"message\": \"Quota exceeded.\", \"status\": "
                 "\"RESOURCE_EXHAUSTED\", \"details\": [{\"@type\": \"type.googleapis.com/google.rpc.ErrorInfo\", "
                 "\"reason\": \"RATE_LIMIT_EXCEEDED\", \"metadata\": {\"quota_limit\": "
                 "\"ReadsPerMinutePerProject\"}}]}}")) };
    char expected[1024];
    (void)state;
    policy.max_retries = 1;
    RUN(redis_create, steps);
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

static void a_report_of_no_answer_says_what_libcurl_says(void **state)
{
    static const struct step steps[] = { SAY(NO_ANSWER) };
    (void)state;
    policy.max_retries = 0;
    RUN(redis_list, steps);
    assert_non_null(strstr(reported(), "last:     no answer, Server returned nothing"));
    assert_non_null(strstr(reported(), " (libcurl 52)\nrequest:  GET "));
}

static void a_report_of_a_wait_that_was_refused_names_it(void **state)
{
    static const struct step steps[] = { SAY(OK(OPERATION)) };
    (void)state;
    policy.max_elapsed_ms = 1000;
    RUN(redis_create, steps);
    assert_non_null(strstr(reported(), "timed_out: "));
    assert_non_null(strstr(reported(), "last:     not ready yet\n"));
    assert_non_null(strstr(reported(), "; a wait of 1.000 s was refused\n"));
    assert_null(strstr(reported(), "beware"));
}

static void a_server_that_sends_the_token_back_does_not_get_it_printed(void **state)
{
    static const struct step steps[] = { SAY(ANSWER("400 Bad Request", "{\"error\": {\"message\": \"Bearer " TOKEN ", "
                                                  TOKEN "?\", \"status\": \"" TOKEN "\"}}")) };
    (void)state;
    RUN(redis_list, steps);
    assert_ended(REDIAL_FAILED, 1);
    assert_non_null(strstr(reported(), "Bearer ***"));
    assert_null(strstr(reported(), TOKEN));
    assert_null(strstr(reported(), "nobody"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_list_is_all_its_pages),
        TEST(only_the_page_that_failed_is_asked_for_again),
        TEST(a_list_that_takes_longer_than_an_attempt_goes_on_in_the_next),
        TEST(an_answer_that_is_no_json_fails),
        TEST(an_operation_is_polled_until_it_is_done),
        TEST(polls_and_failures_share_one_loop),
        TEST(one_time_limit_holds_for_polls_and_failures),
        TEST(what_was_answered_once_is_not_unclear_any_more),
        TEST(a_creation_that_is_cancelled_may_have_been_done),
        TEST(a_poll_comes_not_before_the_server_said),
        TEST(an_operation_that_failed_says_why),
        TEST(an_operation_whose_name_is_no_path_fails),
        TEST(after_a_lost_answer_the_instance_that_is_there_is_ours),
        TEST(what_was_not_created_is_posted_again),
        TEST(every_repeat_is_looked_for_and_costs_a_retry),
        TEST(an_instance_that_was_there_and_is_gone_is_not_created_again),
        TEST(a_look_comes_not_before_the_server_said),
        TEST(a_creation_whose_answer_cannot_be_read_may_have_been_done),
        TEST(a_look_that_fails_is_repeated_and_posts_nothing),
        TEST(a_429_was_not_done_so_the_post_is_repeated_at_once),
        TEST(a_409_after_a_repeat_of_our_own_is_a_success),
        TEST(a_409_before_that_is_a_failure),
        TEST(an_instance_of_somebody_else_is_a_failure),
        TEST(an_instance_that_is_being_deleted_is_a_failure),
        TEST(a_post_that_could_not_be_sent_needs_no_look),
        TEST(a_post_has_a_connection_of_its_own),
        TEST(a_repeat_has_the_same_request_id),
        TEST(a_409_to_a_repeat_for_valkey_is_a_success_too),
        TEST(request_ids_are_random_uuids),
        TEST(a_body_that_is_no_instance_is_refused),
        TEST(a_query_is_run_and_its_report_polled),
        TEST(a_report_that_is_newer_than_before_is_that_of_the_lost_answer),
        TEST(a_run_without_any_answer_may_have_been_done),
        TEST(without_a_newer_report_the_query_is_run_again),
        TEST(a_report_that_failed_is_a_failure),
        TEST(a_report_without_an_id_is_a_failure),
        TEST(no_redirect_carries_the_token_elsewhere),
        TEST(no_proxy_sees_a_token_in_clear_text),
        TEST(a_report_answers_what_support_asks),
        TEST(a_report_of_no_answer_says_what_libcurl_says),
        TEST(a_report_of_a_wait_that_was_refused_names_it),
        TEST(a_server_that_sends_the_token_back_does_not_get_it_printed),
    };
    return cmocka_run_group_tests(tests, start_server, stop_server);
}
