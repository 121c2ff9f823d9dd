/* The HTTP client of the small examples, against a server that answers well, badly, and not at all.
   SPDX-License-Identifier: MIT */
#include <errno.h>
#include <netdb.h>
#include <stdio.h>

#include "../common/server.h"
#include "../common/support.h"

static int unknown;     /* getaddrinfo fails with this */

static int test_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                            struct addrinfo **found)
{
    return unknown ? unknown : getaddrinfo(host, port, hints, found);
}

#define getaddrinfo test_getaddrinfo
#include "../../examples/common/http_client.c"
#undef getaddrinfo

int crawler_main(void);
#define main crawler_main
#include "../../examples/threads/crawler.c"
#undef main

#define LONG_MS 30000   /* never reached, however slow the machine is */

static struct server server;
static char text[256];

static struct http_result get_from(uint16_t port, uint32_t timeout_ms,
                                   const volatile sig_atomic_t *stop)
{
    char address[64];
    struct http_url url;
    poison(&url, sizeof url);
    poison(text, sizeof text);
    snprintf(address, sizeof address, "http://127.0.0.1:%u/", (unsigned)port);
    assert_true(http_parse_url(address, &url));
    return http_get(&url, timeout_ms, stop, text, sizeof text);
}

static struct http_result get(struct answer answer, uint32_t timeout_ms,
                              const volatile sig_atomic_t *stop)
{
    struct http_result result;
    assert_true(server_start(&server, &answer, 1));
    result = get_from(server.port, timeout_ms, stop);
    server_stop(&server);
    return result;
}

static const struct {
    const char *bytes;
    enum then then;
    int error, status;
    uint32_t retry_after_ms;
    const char *body;
} rows[] = {
    { "HTTP/1.1 200 OK\r\ncONTENT-lENGTH:\t5 \r\n\r\nhello", CLOSE, 0, 200, 0, "hello" },
    { "HTTP/1.0 200\r\n\r\nto the close", CLOSE, 0, 200, 0, "to the close" },
    { "HTTP/1.1 429 x\r\nretry-after:7 \r\nContent-Length: 0\r\n\r\n", CLOSE, 0, 429, 7000, "" },
    { "HTTP/1.1 503 x\r\nX-Retry-After: 3\r\nRetry-After-X: 4\r\nRetry-After: 5\r\n\r\n", CLOSE, 0,
      503, 5000, "" },
    { "HTTP/1.1 429 x\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
      "Date: Sun, 06 Nov 1994 08:49:07 GMT\r\n\r\n",
      CLOSE, 0, 429, 30000, "" },
    { "", CLOSE, ECONNABORTED, 0, 0, NULL },
    { "HTTP/1.1 200 OK\r\nContent-Le", CLOSE, ECONNABORTED, 0, 0, NULL },
    { "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", CLOSE, ECONNABORTED, 200, 0, "hell" },
    { "HTTP/1.1 503 x\r\nRetry-After: 3\r\nContent-Length: 5\r\n\r\n", CLOSE, ECONNABORTED, 503,
      3000, "" },
    { "", RESET, ECONNRESET, 0, 0, NULL },
    { "SSH-2.0-OpenSSH\r\n", HANG, EPROTO, 0, 0, NULL },
    { "HTTP/2 200\r\n\r\n", CLOSE, EPROTO, 0, 0, NULL },
    { "HTTP/1.1 abc\r\n\r\n", CLOSE, EPROTO, 0, 0, "" },
    { "HTTP/1.1 103 x\r\nRetry-After: 9\r\n\r\nHTTP/1.1 100 x\r\n\r\nHTTP/1.1 200 x\r\n\r\nhello",
      CLOSE, 0, 200, 0, "hello" },
    { "HTTP/1.1 200 OK\r\n\r\nagain and again", REPEAT, EMSGSIZE, 200, 0, NULL },
};

/* What is broken is worth a retry, and what is not HTTP/1 or too long is not. */
static void assert_outcome(const struct http_result *result)
{
    struct redial_outcome outcome = http_outcome(result);
    bool final = result->error == EPROTO || result->error == EMSGSIZE || result->error == ENXIO;
    assert_int_equal(outcome.kind, !result->error ? redial_http(result->status, 0, "GET").kind
                                   : final        ? REDIAL_KIND_FAIL
                                                  : REDIAL_KIND_RETRY);
    assert_int_equal(outcome.code, result->error ? result->error : result->status);
    assert_int_equal(outcome.retry_after_ms, result->retry_after_ms);
    assert_int_equal(!result->problem, !result->error);
    assert_int_equal(!result->why, !result->error);
}

TEST(answers_are_understood_whole_and_in_pieces)
{
    for (unsigned i = 0; i < 2 * LENGTH(rows); i++) {
        bool hangs = rows[i / 2].then == HANG;
        struct answer answer = { .bytes = rows[i / 2].bytes, .then = rows[i / 2].then,
                                 .in_pieces = i % 2 };
        struct http_result result = get(answer, hangs ? 500 : LONG_MS, NULL);
        if (result.error != rows[i / 2].error || result.status != rows[i / 2].status)
            fail_msg("%s: error %d, status %d", rows[i / 2].bytes, result.error, result.status);
        assert_int_equal(result.retry_after_ms, rows[i / 2].retry_after_ms);
        if (rows[i / 2].body)
            assert_string_equal(result.body, rows[i / 2].body);
        assert_outcome(&result);
    }
}

TEST(silence_times_out_a_signal_ends_it_and_a_refused_connection_is_retried)
{
    static volatile sig_atomic_t stop = 1;
    const struct http_result results[] = { get((struct answer){ "HTTP/1.1 2", HANG }, 50, NULL),
                                           get((struct answer){ "", HANG }, LONG_MS, &stop),
                                           get_from(closed_port(), LONG_MS, NULL) };
    assert_int_equal(results[0].error, ETIMEDOUT);
    assert_int_equal(results[1].error, EINTR);
    assert_int_equal(results[2].error, ECONNREFUSED);
    for (unsigned i = 0; i < LENGTH(results); i++)
        assert_outcome(&results[i]);
}

/* ---- the operation of threads/crawler ---- */

TEST(a_429_costs_crawler_a_retry_unless_it_names_a_time)
{
    static const struct answer answers[] = { { "HTTP/1.1 429 x\r\n\r\n" },
                                             { "HTTP/1.1 429 x\r\nRetry-After: 2\r\n\r\n" } };
    const struct redial_attempt attempt = { 1, LONG_MS, redial_system() };
    for (unsigned i = 0; i < LENGTH(answers); i++) {
        struct redial_gate gate = { 0, 0 };
        struct page page = { .gate = &gate, .url = { "127.0.0.1", "127.0.0.1", "", "/" } };
        assert_true(server_start(&server, &answers[i], 1));
        snprintf(page.url.port, sizeof page.url.port, "%u", (unsigned)server.port);
        assert_int_equal(fetch(&page, &attempt).kind == REDIAL_KIND_HELD, i == 1);
        assert_true(redial_gate_left_ms(&gate, real_now_ms()) > 0);
        server_stop(&server);
    }
}

/* ---- the look-up of a host ---- */

TEST(a_host_that_is_not_found_is_retried_and_a_mistake_in_the_arguments_is_not)
{
    static const struct { int unknown, error; } lookups[] = {
        { EAI_AGAIN, EAGAIN }, { EAI_NONAME, EAGAIN }, { EAI_FAIL, EAGAIN },
        { EAI_SYSTEM, EAGAIN }, { EAI_SERVICE, ENXIO }, { EAI_BADFLAGS, ENXIO },
    };
    for (unsigned i = 0; i < LENGTH(lookups); i++) {
        struct http_result result;
        unknown = lookups[i].unknown;
        result = get_from(1, LONG_MS, NULL);
        unknown = 0;
        assert_int_equal(result.error, lookups[i].error);
        assert_string_equal(result.why, gai_strerror(lookups[i].unknown));
        assert_outcome(&result);
    }
}

TEST(a_url_is_taken_apart_or_refused)
{
    static const char *const bad[] = {
        "", "http://", "https://a/", "ftp://a/", "http://:80/", "http://a:/", "http://a:0/",
        "http://a:65536/", "http://a:b/", "http://me@a/", "http://[::1]/", "http://a/b c",
        "http://a/#b", "http://a/\xc3\xa9" };
    struct http_url url;
    assert_true(http_parse_url("http://ex-ample.com:8080?b=c", &url));
    assert_string_equal(url.authority, "ex-ample.com:8080");
    assert_string_equal(url.host, "ex-ample.com");
    assert_string_equal(url.port, "8080");
    assert_string_equal(url.target, "/?b=c");
    assert_true(http_parse_url("http://a", &url));
    assert_string_equal(url.port, "80");
    for (unsigned i = 0; i < LENGTH(bad); i++)
        if (http_parse_url(bad[i], &url))
            fail_msg("%s is accepted", bad[i]);
}

/* All tests of the network run after this program. Where there is none, it ends at once, and they
   do not run. */
static int loopback_is_up(void **state)
{
    bool down = get_from(closed_port(), LONG_MS, NULL).error == ENETUNREACH;
    if (down)
        print_message("127.0.0.1 can't be reached: is the loopback interface up?\n");
    return down;
}

int main(void)
{
    return run_all_with(NULL, NULL, loopback_is_up, NULL);
}
