/* The examples' HTTP client against a server that answers well, badly, and not at all. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "../../examples/common/http_client.h"
#include "../../examples/quickstart/scripted_server.h"
#include "../unit/support.h"

#define LONG_MS 30000   /* never reached, however slow the machine is */

static char body[64];   /* poisoned before each request */

static int next_fd(void)
{
    int fd = dup(0);
    assert_true(fd >= 0);
    close(fd);
    return fd;
}

static struct http_result get_url(const char *text, uint32_t timeout_ms, const volatile sig_atomic_t *stop)
{
    struct http_result result;
    struct http_url url;
    int fd = next_fd();
    poison(&url, sizeof url);
    poison(body, sizeof body);
    assert_true(http_parse_url(text, &url));
    result = http_get(&url, timeout_ms, stop, body, sizeof body);
    assert_int_equal(next_fd(), fd);   /* nothing was left open */
    return result;
}

static struct http_result get_from(uint16_t port, uint32_t timeout_ms)
{
    char text[64];
    snprintf(text, sizeof text, "http://127.0.0.1:%u/", (unsigned)port);
    return get_url(text, timeout_ms, NULL);
}

static struct http_result get_answer(struct scripted_answer answer, uint32_t timeout_ms)
{
    struct scripted_server server;
    struct http_result result;
    assert_true(scripted_server_start(&server, &answer, 1));
    result = get_from(server.port, timeout_ms);
    scripted_server_stop(&server);
    return result;
}

static void expect_outcome(const struct http_result *result, enum redial_kind kind, int code, uint32_t retry_after_ms)
{
    struct redial_outcome outcome;
    poison(&outcome, sizeof outcome);
    outcome = http_outcome(result);
    assert_int_equal(outcome.kind, kind);
    assert_int_equal(outcome.code, code);
    assert_int_equal(outcome.retry_after_ms, retry_after_ms);
    assert_int_equal(outcome.uptime_ms, 0);
}

/* ---- whole answers ---- */

struct good {
    const char *bytes;
    int status;
    const char *body;
    uint32_t retry_after_ms;
};

static const struct good good[] = {
    { "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello", 0 },
    { "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, and what is none of it", 200, "hello", 0 },
    { "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, "", 0 },
    { "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 200, "hello", 0 },
    { "HTTP/1.1 200 OK\r\ncONTENT-lENGTH:\t 5 \t\r\n\r\nhello", 200, "hello", 0 },
    { "HTTP/1.0 200\n\nto the close", 200, "to the close", 0 },
    { "HTTP/1.1 200 \r\n\r\n", 200, "", 0 },
    { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 200, "hello", 0 },
    { "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2;x=y\r\nhe\r\n00A \r\nllo, world\r\n0\r\nDate: x\r\n\r\n",
      200, "hello, world", 0 },
    { "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
      200, "hello", 0 },
    { "HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n", 204, "", 0 },
    { "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", 304, "", 0 },
    { "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\nRetry-After: 9\r\n\r\n"
      "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno", 404, "no", 0 },
    { "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy", 503, "busy", 0 },
    { "HTTP/1.1 999 Whatever\r\nContent-Length: 0\r\n\r\n", 999, "", 0 },
    { "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", 429, "", 7000 },
    { "HTTP/1.1 429 Too Many Requests\r\nretry-after:120 \r\nContent-Length: 0\r\n\r\n", 429, "", 120000 },
    { "HTTP/1.1 503 x\r\nRetry-After: 99999999999999999999\r\nContent-Length: 0\r\n\r\n", 503, "", UINT32_MAX },
    { "HTTP/1.1 503 x\r\nRetry-After: -1\r\nContent-Length: 0\r\n\r\n", 503, "", 0 },
    { "HTTP/1.1 503 x\r\nRetry-After:\r\nContent-Length: 0\r\n\r\n", 503, "", 0 },
    { "HTTP/1.1 503 x\r\nRetry-After: 1\r\nRetry-After: 2\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n", 503, "", 0 },
    { "HTTP/1.1 503 x\r\nRetry-After: 1                                                                       x\r\n"
      "Content-Length: 0\r\n\r\n", 503, "", 0 },
    /* Dates count from the response's own, be the clock here what it may. */
    { "HTTP/1.1 429 x\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nDate: Sun, 06 Nov 1994 08:49:07 GMT\r\n"
      "Content-Length: 0\r\n\r\n", 429, "", 30000 },
    { "HTTP/1.1 429 x\r\nDate: Sunday, 06-Nov-94 08:49:07 GMT\r\nRetry-After: Sun Nov  6 08:50:07 1994\r\n"
      "Content-Length: 0\r\n\r\n", 429, "", 60000 },
    { "HTTP/1.1 429 x\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n", 429, "", 0 },
    { "HTTP/1.1 429 x\r\nRetry-After: Sun, 06 Nov 9994 08:49:37 GMT\r\nDate: yesterday\r\nContent-Length: 0\r\n\r\n",
      429, "", UINT32_MAX },
};

#define GOOD (sizeof good / sizeof *good)

static void expect_whole_answers(bool in_pieces)
{
    struct scripted_answer answers[GOOD] = { { NULL, THEN_CLOSE, false, 0 } };
    struct scripted_server server;
    size_t i;
    for (i = 0; i < GOOD; i++) {
        answers[i].bytes = good[i].bytes;
        answers[i].in_pieces = in_pieces;
    }
    assert_true(scripted_server_start(&server, answers, GOOD));
    for (i = 0; i < GOOD; i++) {
        struct http_result result = get_from(server.port, LONG_MS);
        if (result.end != HTTP_ANSWERED)
            fail_msg("%s: %s", good[i].bytes, result.problem);
        assert_null(result.problem);
        assert_int_equal(result.error, 0);
        assert_int_equal(result.status, good[i].status);
        assert_int_equal(result.body_length, strlen(good[i].body));
        assert_memory_equal(body, good[i].body, strlen(good[i].body));
        assert_int_equal((unsigned char)body[result.body_length], 0xA5);
        expect_outcome(&result, REDIAL_KIND_HTTP, good[i].status, good[i].retry_after_ms);
    }
    scripted_server_stop(&server);
}

static void whole_answers_are_understood(void **state)
{
    (void)state;
    expect_whole_answers(false);
}

static void so_are_those_that_come_byte_by_byte(void **state)
{
    (void)state;
    expect_whole_answers(true);
}

static void an_answer_is_whole_as_soon_as_its_length_is_there(void **state)
{
    static const char *const answers[] = {
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct http_result result = get_answer((struct scripted_answer){ answers[i], THEN_HANG, false, 0 }, LONG_MS);
        assert_int_equal(result.end, HTTP_ANSWERED);
        assert_int_equal(result.body_length, 5);
    }
}

static void of_a_body_longer_than_the_buffer_the_beginning_is_kept_and_all_is_counted(void **state)
{
    char bytes[20000] = "HTTP/1.1 200 OK\r\n\r\n";
    size_t header = strlen(bytes), i;
    struct http_result result;
    (void)state;
    for (i = header; i < sizeof bytes; i++)
        bytes[i] = (char)('a' + (i - header) % 26);
    result = get_answer((struct scripted_answer){ bytes, THEN_CLOSE, false, sizeof bytes }, LONG_MS);
    assert_int_equal(result.end, HTTP_ANSWERED);
    assert_int_equal(result.body_length, sizeof bytes - header);
    assert_memory_equal(body, bytes + header, sizeof body);
}

static void a_date_without_the_response_s_own_counts_from_now(void **state)
{
    char bytes[160], date[40];
    time_t now = time(NULL), then = now + 3600;
    struct redial_outcome outcome;
    struct http_result result;
    (void)state;
    strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", gmtime(&then));
    snprintf(bytes, sizeof bytes, "HTTP/1.1 503 x\r\nRetry-After: %s\r\nContent-Length: 0\r\n\r\n", date);
    result = get_answer((struct scripted_answer){ bytes, THEN_CLOSE, false, 0 }, LONG_MS);
    outcome = http_outcome(&result);
    assert_true(outcome.retry_after_ms <= 3600000);
    assert_true(outcome.retry_after_ms >= 3600000 - (uint32_t)(time(NULL) - now) * 1000);
}

/* ---- transports that break ---- */

struct broken {
    struct scripted_answer answer;
    int error, status;
    uint32_t retry_after_ms;
};

static const struct broken broken[] = {
    { { .bytes = "" }, ECONNABORTED, 0, 0 },
    { { .bytes = "H" }, ECONNABORTED, 0, 0 },
    { { .bytes = "HTTP/1.1 200 OK" }, ECONNABORTED, 0, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\n" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\nContent-Le" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 100 Continue\r\n\r\n" }, ECONNABORTED, 100, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 999999999999999\r\n\r\nhello" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhell" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\nhello" },
      ECONNABORTED, 200, 0 },
    /* The server's wish came before it broke off, and holds. */
    { { .bytes = "HTTP/1.1 503 x\r\nRetry-After: 3\r\nContent-Length: 5\r\n\r\n" }, ECONNABORTED, 503, 3000 },
    { { .bytes = "", .then = THEN_RESET }, ECONNRESET, 0, 0 },
};

static void a_connection_cut_anywhere_or_reset_is_worth_a_retry(void **state)
{
    size_t i;
    (void)state;
    for (i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct http_result result = get_answer(broken[i].answer, LONG_MS);
        if (result.end != HTTP_BROKEN || result.error != broken[i].error)
            fail_msg("%s: end %d, error %d", broken[i].answer.bytes, (int)result.end, result.error);
        assert_non_null(result.problem);
        assert_int_equal(result.status, broken[i].status);
        expect_outcome(&result, REDIAL_KIND_RETRY, broken[i].error, broken[i].retry_after_ms);
    }
}

/* How much of it arrived before the reset is the system's business. */
static void so_is_a_reset_in_the_middle_of_a_body_of_any_kind(void **state)
{
    static const char *const headers[] = { "", "Content-Length: 9\r\n", "Transfer-Encoding: chunked\r\n" };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof headers / sizeof *headers; i++) {
        char bytes[80];
        struct http_result result;
        snprintf(bytes, sizeof bytes, "HTTP/1.1 200 OK\r\n%s\r\n5\r\nhe", headers[i]);
        result = get_answer((struct scripted_answer){ bytes, THEN_RESET, false, 0 }, LONG_MS);
        assert_int_equal(result.end, HTTP_BROKEN);
        expect_outcome(&result, REDIAL_KIND_RETRY, ECONNRESET, 0);
    }
}

/* Bound, so that nobody else can take it, but nobody listens. */
static int unused_port(uint16_t *port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static void a_refused_connection_is_worth_a_retry(void **state)
{
    uint16_t port;
    int fd = unused_port(&port);
    struct http_result result = get_from(port, LONG_MS);
    (void)state;
    close(fd);
    assert_int_equal(result.end, HTTP_BROKEN);
    assert_int_equal(result.status, 0);
    expect_outcome(&result, REDIAL_KIND_RETRY, ECONNREFUSED, 0);
}

/* Where localhost is ::1 as well, that is tried first, and nobody listens there. */
static void the_addresses_of_a_host_are_tried_in_turn(void **state)
{
    static const struct scripted_answer answer = { .bytes = "HTTP/1.1 200 OK\r\n\r\n" };
    struct scripted_server server;
    struct http_result result;
    char text[64];
    (void)state;
    assert_true(scripted_server_start(&server, &answer, 1));
    snprintf(text, sizeof text, "http://localhost:%u/", (unsigned)server.port);
    result = get_url(text, LONG_MS, NULL);
    scripted_server_stop(&server);
    if (result.problem && strstr(result.problem, "host"))
        skip();   /* no /etc/hosts here */
    assert_int_equal(result.end, HTTP_ANSWERED);
    assert_int_equal(result.error, 0);
    assert_null(result.problem);
}

#ifdef __linux__   /* elsewhere a full queue may refuse */
static void a_connect_that_hangs_is_timed_out(void **state)
{
    uint16_t port;
    int listener = unused_port(&port), waiting[4];
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    struct http_result result;
    size_t i;
    (void)state;
    address.sin_port = htons(port);
    assert_int_equal(listen(listener, 0), 0);
    for (i = 0; i < 4; i++) {   /* more than its queue holds */
        waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(waiting[i], (struct sockaddr *)&address, sizeof address);
    }
    result = get_from(port, 300);
    for (i = 0; i < 4; i++)
        close(waiting[i]);
    close(listener);
    assert_string_equal(result.problem, "could not connect");
    expect_outcome(&result, REDIAL_KIND_RETRY, ETIMEDOUT, 0);
}
#endif

static int64_t clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void a_server_that_goes_silent_anywhere_is_timed_out_and_worth_a_retry(void **state)
{
    static const char *const answers[] = { "", "HTTP/1.1 20", "HTTP/1.1 200 OK\r\n\r\nhello",
                                           "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello",
                                           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n" };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof answers / sizeof *answers; i++) {
        int64_t began = clock_ms(), took;
        struct http_result result = get_answer((struct scripted_answer){ answers[i], THEN_HANG, false, 0 }, 300);
        took = clock_ms() - began;
        assert_true(took >= 300);
        assert_true(took < LONG_MS);   /* a hang would be for ever */
        assert_int_equal(result.end, HTTP_BROKEN);
        expect_outcome(&result, REDIAL_KIND_RETRY, ETIMEDOUT, 0);
    }
}

static void no_time_at_all_is_timed_out(void **state)
{
    struct http_result result = get_answer((struct scripted_answer){ "", THEN_HANG, false, 0 }, 0);
    (void)state;
    expect_outcome(&result, REDIAL_KIND_RETRY, ETIMEDOUT, 0);
}

static volatile sig_atomic_t stop;

static void set_stop(int number)
{
    (void)number;
    stop = 1;
}

static void do_nothing(int number)
{
    (void)number;
}

/* The signals come in the middle, or at worst before: the alarm rings once a tenth of a second. */
static struct http_result get_under_alarms(void (*handler)(int), uint32_t timeout_ms)
{
    static const struct itimerval often = { { 0, 100000 }, { 0, 100000 } }, never = { { 0, 0 }, { 0, 0 } };
    static const struct scripted_answer silence = { .bytes = "", .then = THEN_HANG };
    struct sigaction action = { .sa_handler = handler }, before;
    struct scripted_server server;
    struct http_result result;
    char text[64];
    assert_true(scripted_server_start(&server, &silence, 1));
    snprintf(text, sizeof text, "http://127.0.0.1:%u/", (unsigned)server.port);
    stop = 0;
    sigaction(SIGALRM, &action, &before);
    setitimer(ITIMER_REAL, &often, NULL);
    result = get_url(text, timeout_ms, &stop);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    scripted_server_stop(&server);
    return result;
}

static void the_stop_flag_ends_an_attempt_and_leaves_it_worth_a_retry(void **state)
{
    struct http_result result = get_under_alarms(set_stop, LONG_MS);
    (void)state;
    assert_int_equal(result.end, HTTP_BROKEN);
    expect_outcome(&result, REDIAL_KIND_RETRY, EINTR, 0);
}

static void a_signal_alone_does_not(void **state)
{
    struct http_result result = get_under_alarms(do_nothing, 500);
    (void)state;
    assert_int_equal(result.end, HTTP_BROKEN);
    expect_outcome(&result, REDIAL_KIND_RETRY, ETIMEDOUT, 0);
}

/* ---- what is no HTTP ---- */

#define OK "HTTP/1.1 200 OK\r\n"
#define CHUNKED OK "Transfer-Encoding: chunked\r\n\r\n"

static const struct scripted_answer unusable[] = {
    { .bytes = "\r\n" },
    { .bytes = "hello\r\n" },
    { .bytes = "<html>\r\n" },
    { .bytes = "HTTP/1.1\r\n" },
    { .bytes = "HTTP/1.1 \r\n" },
    { .bytes = "HTTP/1.1 20\r\n" },
    { .bytes = "HTTP/1.1 2000 OK\r\n" },
    { .bytes = "HTTP/1.1 2x0 OK\r\n" },
    { .bytes = "HTTP/1.1 -20 OK\r\n" },
    { .bytes = "HTTP/1.1 099 OK\r\n" },
    { .bytes = "HTTP/1.1 200OK\r\n" },
    { .bytes = "HTTP/1.1  200 OK\r\n" },
    { .bytes = "HTTP/2.0 200 OK\r\n" },
    { .bytes = "HTTP/1. 200 OK\r\n" },
    { .bytes = "http/1.1 200 OK\r\n" },
    { .bytes = "ICY 200 OK\r\n" },
    { .bytes = " HTTP/1.1 200 OK\r\n" },
    { .bytes = "HTTP/1.1 200\0OK\r\n", .length = 17 },
    { .bytes = "\x16\x03\x01\x02\x00\x01\n", .length = 7 },
    { .bytes = "HTTP/1.1 101 Switching Protocols\r\n\r\n" },
    { .bytes = OK "no colon\r\n" },
    { .bytes = OK ": no name\r\n" },
    { .bytes = OK "Content-Length : 5\r\n" },
    { .bytes = OK "Content-Length: 5\r\n folded\r\n" },
    { .bytes = OK "Content-Length: -5\r\n" },
    { .bytes = OK "Content-Length: +5\r\n" },
    { .bytes = OK "Content-Length: 0x5\r\n" },
    { .bytes = OK "Content-Length: 5 5\r\n" },
    { .bytes = OK "Content-Length: 5, 5\r\n" },
    { .bytes = OK "Content-Length: five\r\n" },
    { .bytes = OK "Content-Length:\r\n" },
    { .bytes = OK "Content-Length: 18446744073709551616\r\n" },
    { .bytes = OK "Content-Length: 18446744073709551621\r\n" },
    { .bytes = OK "Content-Length: 1000000000000000\r\n" },
    { .bytes = OK "Content-Length: 5\r\nContent-Length: 6\r\n" },
    { .bytes = OK "Transfer-Encoding: gzip, chunked\r\n" },
    { .bytes = CHUNKED "\r\n" },
    { .bytes = CHUNKED "-5\r\n" },
    { .bytes = CHUNKED "0x5\r\n" },
    { .bytes = CHUNKED "xyz\r\n" },
    { .bytes = CHUNKED ";5\r\n" },
    { .bytes = CHUNKED " 5\r\n" },
    { .bytes = CHUNKED "5hello\r\n" },
    { .bytes = CHUNKED "10000000000000005\r\nhello\r\n" },
    { .bytes = CHUNKED "1000000000000000\r\nhello\r\n" },
    { .bytes = CHUNKED "4\r\nhello\r\n0\r\n\r\n" },
};

static void what_is_no_http_stops_the_call(void **state)
{
    size_t i;
    (void)state;
    for (i = 0; i < sizeof unusable / sizeof *unusable; i++) {
        struct http_result result = get_answer(unusable[i], LONG_MS);
        if (result.end != HTTP_UNUSABLE)
            fail_msg("%s: end %d, error %d, status %d", unusable[i].bytes, (int)result.end, result.error,
                     result.status);
        assert_non_null(result.problem);
        expect_outcome(&result, REDIAL_KIND_FAIL, EPROTO, 0);
    }
}

/* The server does not close: it has to be the client that ends it. */
static struct http_result get_repeated(const char *once, const char *line, size_t times, const char *last)
{
    static char bytes[1 << 17];
    size_t used = strlen(once), i;
    memcpy(bytes, once, used);
    for (i = 0; i < times; i++, used += strlen(line))
        memcpy(bytes + used, line, strlen(line));
    memcpy(bytes + used, last, strlen(last));
    return get_answer((struct scripted_answer){ bytes, THEN_HANG, false, used + strlen(last) }, LONG_MS);
}

static void an_endless_header_stops_the_call(void **state)
{
    static const struct { const char *once, *line; size_t times; } endless[] = {
        { "", "x", 100000 }, { OK, "x", 100000 }, { OK, "a: b\r\n", 10000 }, { "", "HTTP/1.1 100 x\r\n\r\n", 5000 },
        { CHUNKED, "1", 100000 }, { CHUNKED "0\r\n", "a: b\r\n", 10000 },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof endless / sizeof *endless; i++) {
        struct http_result result = get_repeated(endless[i].once, endless[i].line, endless[i].times, "");
        assert_int_equal(result.end, HTTP_UNUSABLE);
        expect_outcome(&result, REDIAL_KIND_FAIL, EPROTO, 0);
    }
}

#define NO_CONTENT "HTTP/1.1 204 No Content\r\n"

static void the_longest_line_and_the_most_lines_are_taken_and_none_beyond(void **state)
{
    (void)state;   /* the longest line has a CR in it, the most lines are with the first and the empty one */
    assert_int_equal(get_repeated(NO_CONTENT "x:", "x", HTTP_LINE_MAX - 4, "\r\n\r\n").end, HTTP_ANSWERED);
    assert_int_equal(get_repeated(NO_CONTENT "x:", "x", HTTP_LINE_MAX - 3, "\r\n\r\n").end, HTTP_UNUSABLE);
    assert_int_equal(get_repeated(NO_CONTENT, "a: b\r\n", HTTP_LINES_MAX - 2, "\r\n").end, HTTP_ANSWERED);
    assert_int_equal(get_repeated(NO_CONTENT, "a: b\r\n", HTTP_LINES_MAX - 1, "\r\n").end, HTTP_UNUSABLE);
}

/* ---- URLs ---- */

static void a_url_is_taken_apart(void **state)
{
    static const struct { const char *text, *authority, *host, *port, *target; } urls[] = {
        { "http://a", "a", "a", "80", "/" },
        { "http://a.b-c_d:8080/x?y=1:/", "a.b-c_d:8080", "a.b-c_d", "8080", "/x?y=1:/" },
        { "http://a?q", "a", "a", "80", "/?q" },
        { "http://[::1]", "[::1]", "::1", "80", "/" },
        { "http://[::1]:65535/", "[::1]:65535", "::1", "65535", "/" },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct http_url url;
        poison(&url, sizeof url);
        assert_true(http_parse_url(urls[i].text, &url));
        assert_string_equal(url.authority, urls[i].authority);
        assert_string_equal(url.host, urls[i].host);
        assert_string_equal(url.port, urls[i].port);
        assert_string_equal(url.target, urls[i].target);
    }
}

static void what_is_no_url_is_refused(void **state)
{
    static const char *const urls[] = {
        "", "http:", "http://", "https://a", "HTTP//a", "a", "http:///x", "http://:80", "http://a:", "http://a:0",
        "http://a:65536", "http://a:99999999999", "http://a:8o", "http://a:-1", "http://a:80:80", "http://u@a",
        "http://a b", "http://a/ b", "http://a/b#c", "http://a#c", "http://a/\r\nX: y", "http://a/\x7f",
        "http://a/\xc3\xa4",
        "http://\xc3\xa4", "http://[::1", "http://[::1/", "http://[]", "http://[::1]x", "http://[a.b-c]", "http://::1",
    };
    char longest[2048];
    struct http_url url;
    size_t i;
    (void)state;
    for (i = 0; i < sizeof urls / sizeof *urls; i++)
        if (http_parse_url(urls[i], &url))
            fail_msg("taken: %s", urls[i]);
    for (i = 0; i < 2; i++) {   /* a host and a path that are too long */
        memset(longest, 'a', sizeof longest);
        longest[sizeof longest - 1] = '\0';
        memcpy(longest, i ? "http://a/" : "http://", i ? 9 : 7);
        assert_false(http_parse_url(longest, &url));
    }
}

static void a_host_that_does_not_exist_stops_the_call(void **state)
{
    struct http_result result = get_url("http://[1:2]/", LONG_MS, NULL);   /* nor would anybody be asked for it */
    (void)state;
    assert_int_equal(result.end, HTTP_UNUSABLE);
    expect_outcome(&result, REDIAL_KIND_FAIL, EPROTO, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_answers_are_understood),
        cmocka_unit_test(so_are_those_that_come_byte_by_byte),
        cmocka_unit_test(an_answer_is_whole_as_soon_as_its_length_is_there),
        cmocka_unit_test(of_a_body_longer_than_the_buffer_the_beginning_is_kept_and_all_is_counted),
        cmocka_unit_test(a_date_without_the_response_s_own_counts_from_now),
        cmocka_unit_test(a_connection_cut_anywhere_or_reset_is_worth_a_retry),
        cmocka_unit_test(so_is_a_reset_in_the_middle_of_a_body_of_any_kind),
        cmocka_unit_test(a_refused_connection_is_worth_a_retry),
        cmocka_unit_test(the_addresses_of_a_host_are_tried_in_turn),
#ifdef __linux__
        cmocka_unit_test(a_connect_that_hangs_is_timed_out),
#endif
        cmocka_unit_test(a_server_that_goes_silent_anywhere_is_timed_out_and_worth_a_retry),
        cmocka_unit_test(no_time_at_all_is_timed_out),
        cmocka_unit_test(the_stop_flag_ends_an_attempt_and_leaves_it_worth_a_retry),
        cmocka_unit_test(a_signal_alone_does_not),
        cmocka_unit_test(what_is_no_http_stops_the_call),
        cmocka_unit_test(an_endless_header_stops_the_call),
        cmocka_unit_test(the_longest_line_and_the_most_lines_are_taken_and_none_beyond),
        cmocka_unit_test(a_url_is_taken_apart),
        cmocka_unit_test(what_is_no_url_is_refused),
        cmocka_unit_test(a_host_that_does_not_exist_stops_the_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
