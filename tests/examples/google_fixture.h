/* For the tests of examples/google: a server on loopback that answers as the APIs document, and a clock on
   which the waits take no time. SPDX-License-Identifier: MIT */
#ifndef GOOGLE_FIXTURE_H
#define GOOGLE_FIXTURE_H

#define RECORDED_REQUESTS 64
#define RECORDED_BYTES 8192

#include "recording_server.h"
#include "redial_fake.h"
#include "../unit/support.h"
#include "../../examples/google/bid_manager.h"
#include "../../examples/google/google_report.h"
#include "../../examples/google/memorystore.h"

#define TOKEN "ya29.a-token-that-nobody-may-see"
#define INSTANCES "/v1/projects/shop/locations/europe-west3/instances"

/* The text that the server sends. A Retry-After may follow the reason phrase, after CRLF. */
#define ANSWER(status, body) "HTTP/1.1 " status "\r\nConnection: close\r\n\r\n" body
#define OK(body) ANSWER("200 OK", body)
#define NO_ANSWER ""

/* A step of the server, which then closes the connection. */
#define SAY(answer) { answer, CLOSE, 0 }

#define UNAVAILABLE ANSWER("503 Service Unavailable", "{\"error\": {\"code\": 503, \"message\": \"The service is " \
                           "currently unavailable.\", \"status\": \"UNAVAILABLE\"}}")
#define TOO_MANY ANSWER("429 Too Many Requests", "{\"error\": {\"code\": 429, \"message\": \"Quota exceeded.\", " \
                        "\"status\": \"RESOURCE_EXHAUSTED\"}}")
#define NOT_FOUND ANSWER("404 Not Found", "{\"error\": {\"code\": 404, \"message\": \"Resource was not found.\", " \
                         "\"status\": \"NOT_FOUND\"}}")
#define ALREADY_EXISTS ANSWER("409 Conflict", "{\"error\": {\"code\": 409, \"message\": \"It already exists.\", " \
                              "\"status\": \"ALREADY_EXISTS\"}}")

static struct recording_server peer;
static struct redial_fake fake;
static struct redial_policy policy;
static struct redial_report report;
static struct google_call call;
static struct memorystore store;
static struct bid_manager bids;
static char endpoint[64];
static unsigned requests;

/* Before each test: the shortest waits, and a time limit that no test means to reach. */
static inline int set_up(void **state)
{
    redial_fake_init(&fake);
    policy = redial_policy_default();
    policy.attempt_ms = 30000;
    memset(&call, 0, sizeof call);
    memset(&store, 0, sizeof store);
    memset(&bids, 0, sizeof bids);
    store.project = "shop";
    store.location = "europe-west3";
    store.instance = "cart";
    bids.query = "1234";
    return 0;
}

static inline int tear_down(void **state)
{
    google_call_close(&call);
    memorystore_close(&store);
    memset(&call, 0, sizeof call);
    memset(&store, 0, sizeof store);
    return 0;
}

static inline int start_server(void **state)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (!recording_server_open(&peer))
        return -1;
    snprintf(endpoint, sizeof endpoint, "http://127.0.0.1:%u", (unsigned)peer.port);
    return 0;
}

static inline int stop_server(void **state)
{
    close(peer.listener);
    curl_global_cleanup();
    return 0;
}

/* ---- the calls ---- */

typedef void begin_call(void);

static inline void redis_list(void)
{
    store.service = &memorystore_redis;
    assert_true(memorystore_list(&store, &call));
}

static inline void valkey_list(void)
{
    store.service = &memorystore_valkey;
    assert_true(memorystore_list(&store, &call));
}

static inline void redis_create(void)
{
    store.service = &memorystore_redis;
    assert_true(memorystore_create(&store, &call, &fake.env));
}

static inline void valkey_create(void)
{
    store.service = &memorystore_valkey;
    assert_true(memorystore_create(&store, &call, &fake.env));
}

static inline void bid_manager(void)
{
    bid_manager_run(&bids, &call);
}

/* ---- running one ---- */

static inline void assert_all_had_the_token(void)
{
    for (unsigned k = 0; k < requests && k < RECORDED_REQUESTS; k++)
        assert_non_null(strstr(peer.requests[k], "\r\nAuthorization: Bearer " TOKEN "\r\n"));
}

static inline void run(begin_call *begin, const struct step *steps, unsigned count)
{
    poison(&report, sizeof report);
    assert_true(recording_server_start(&peer, steps, count));
    poison(&call, sizeof call);
    assert_true(google_call_open(&call, endpoint, TOKEN));
    begin();
    redial_run(&policy, &fake.env, google_call_attempt, &call, &report);
    requests = recording_server_stop(&peer);
    assert_all_had_the_token();
}

/* For one test that runs several. */
static inline void run_afresh(begin_call *begin, const struct step *steps, unsigned count)
{
    tear_down(NULL);
    set_up(NULL);
    run(begin, steps, count);
}

static inline void assert_request(unsigned k, const char *method_and_path)
{
    char line[512];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(peer.requests[k], "\r"), peer.requests[k]);
    if (strlen(line) > 9)
        line[strlen(line) - 9] = '\0';   /* " HTTP/1.1" */
    assert_string_equal(line, method_and_path);
}

static inline void assert_ended(enum redial_verdict verdict, unsigned made)
{
    assert_string_equal(redial_verdict_name(report.verdict), redial_verdict_name(verdict));
    assert_int_equal(requests, made);
    assert_int_equal(call.requests, made);
}

static inline void assert_waits(const uint32_t *waits_ms, unsigned count)
{
    assert_int_equal(fake.waits, count);
    for (unsigned k = 0; k < count; k++)
        assert_int_equal(fake.waited_ms[k], waits_ms[k]);
}

#endif
