/* The examples' HTTP client against a server that answers well, badly, and not at all. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "../../examples/common/http_client.h"
#include "../../examples/common/loopback.h"
#include "../../examples/quickstart/scripted_server.h"
#include "../unit/support.h"

#define LONG_MS 30000   /* never reached, however slow the machine is */
#define OK "HTTP/1.1 200 OK\r\n"

static char body[64];   /* poisoned before each request */

/* ---- looking up a name: CMake renames getaddrinfo, so that http_client.c calls the one here ---- */

#define NO_FAMILY 12345   /* socket() refuses it */

struct address {
    int family;
    uint16_t port;
};

/* The result of the next look-up. */
static struct address resolved[4];
static int resolved_count;   /* 0: 127.0.0.1 with the URL's port */
static int resolve_error;    /* 0, or EAI_* */

static void resolve(const struct address *addresses, int count)
{
    resolved_count = count;
    memcpy(resolved, addresses, (size_t)count * sizeof *addresses);
}

int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **list)
{
    static struct addrinfo infos[4];
    static struct sockaddr_in sockets[4];
    int count = resolved_count, error = resolve_error, i;
    const struct address usual = { AF_INET, (uint16_t)atoi(port) };
    assert_non_null(host);
    resolved_count = resolve_error = 0;
    if (error)
        return error;
    for (i = 0; i < (count ? count : 1); i++) {
        const struct address *address = count ? &resolved[i] : &usual;
        sockets[i] = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(address->port),
                                           .sin_addr = { htonl(INADDR_LOOPBACK) } };
        infos[i] = *hints;
        infos[i].ai_family = address->family;
        infos[i].ai_addr = (struct sockaddr *)&sockets[i];
        infos[i].ai_addrlen = sizeof sockets[i];
        infos[i].ai_next = i + 1 < count ? &infos[i + 1] : NULL;
    }
    *list = infos;
    return 0;
}

void freeaddrinfo(struct addrinfo *list)
{
    assert_non_null(list);
}

/* ---- one request ---- */

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
    { "HTTP/1.1 200 OK\r\ncONTENT-lENGTH:\t 5 \t\r\n\r\nhello", 200, "hello", 0 },
    { "HTTP/1.0 200\r\n\r\nto the close", 200, "to the close", 0 },
    { "HTTP/1.1 200 \r\n\r\n", 200, "", 0 },
    { "HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n", 204, "", 0 },
    { "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", 304, "", 0 },
    { "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy", 503, "busy", 0 },
    { "HTTP/1.1 999 Whatever\r\nContent-Length: 0\r\n\r\n", 999, "", 0 },
    { "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", 429, "", 7000 },
    { "HTTP/1.1 429 Too Many Requests\r\nretry-after:120 \r\nContent-Length: 0\r\n\r\n", 429, "", 120000 },
    { "HTTP/1.1 503 x\r\nRetry-After: 99999999999999999999\r\nContent-Length: 0\r\n\r\n", 503, "", UINT32_MAX },
    { "HTTP/1.1 503 x\r\nRetry-After:\r\nContent-Length: 0\r\n\r\n", 503, "", 0 },
    { "HTTP/1.1 503 x\r\nX-Retry-After: 3\r\nRetry-After-X: 4\r\nContent-Length: 0\r\n\r\n", 503, "", 0 },
    { "HTTP/1.1 503 x\r\nRetry-After: 1\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n", 503, "", 0 },
    /* A date counts from the response's own Date, whatever our clock says. */
    { "HTTP/1.1 429 x\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nDate: Sun, 06 Nov 1994 08:49:07 GMT\r\n"
      "Content-Length: 0\r\n\r\n", 429, "", 30000 },
    { "HTTP/1.1 429 x\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n", 429, "", 0 },
    { "HTTP/1.1 429 x\r\nRetry-After: Sun, 06 Nov 9994 08:49:37 GMT\r\nDate: yesterday\r\nContent-Length: 0\r\n\r\n",
      429, "", UINT32_MAX },
};

#define GOOD (LENGTH(good))

static void expect_whole_answers(bool in_pieces)
{
    struct scripted_answer answers[GOOD] = { { NULL, THEN_CLOSE, false, 0 } };
    struct scripted_server server;
    for (size_t i = 0; i < GOOD; i++) {
        answers[i].bytes = good[i].bytes;
        answers[i].in_pieces = in_pieces;
    }
    assert_true(scripted_server_start(&server, answers, GOOD));
    for (size_t i = 0; i < GOOD; i++) {
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

TEST(whole_answers_are_understood)
{
    expect_whole_answers(false);
}

TEST(answers_that_come_byte_by_byte_are_understood)
{
    expect_whole_answers(true);
}

TEST(an_answer_is_whole_as_soon_as_its_length_is_there)
{
    struct http_result result = get_answer((struct scripted_answer){ OK "Content-Length: 5\r\n\r\nhello", THEN_HANG,
                                                                     false, 0 }, LONG_MS);
    assert_int_equal(result.end, HTTP_ANSWERED);
    assert_int_equal(result.body_length, 5);
}

TEST(of_a_body_longer_than_the_buffer_the_beginning_is_kept_and_all_is_counted)
{
    char bytes[20000] = "HTTP/1.1 200 OK\r\n\r\n";
    size_t header = strlen(bytes), i;
    struct http_result result;
    for (i = header; i < sizeof bytes; i++)
        bytes[i] = (char)('a' + (i - header) % 26);
    result = get_answer((struct scripted_answer){ bytes, THEN_CLOSE, false, sizeof bytes }, LONG_MS);
    assert_int_equal(result.end, HTTP_ANSWERED);
    assert_int_equal(result.body_length, sizeof bytes - header);
    assert_memory_equal(body, bytes + header, sizeof body);
}

TEST(a_date_without_the_response_s_own_counts_from_now)
{
    char bytes[160], date[40];
    time_t now = time(NULL), then = now + 3600;
    struct redial_outcome outcome;
    struct http_result result;
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
    { { .bytes = OK }, ECONNABORTED, 0, 0 },
    { { .bytes = OK "Content-Le" }, ECONNABORTED, 0, 0 },
    { { .bytes = OK "Content-Length: 5\r\n" }, ECONNABORTED, 0, 0 },
    { { .bytes = OK "Content-Length: 5\r\n\r\n" }, ECONNABORTED, 200, 0 },
    { { .bytes = OK "Content-Length: 5\r\n\r\nhell" }, ECONNABORTED, 200, 0 },
    { { .bytes = OK "Content-Length: 999999999999999\r\n\r\nhello" }, ECONNABORTED, 200, 0 },
    { { .bytes = "HTTP/1.1 503 x\r\nRetry-After: 3\r\nContent-Length: 5\r\n\r\n" }, ECONNABORTED, 503, 3000 },
    { { .bytes = "", .then = THEN_RESET }, ECONNRESET, 0, 0 },
};

TEST(a_connection_cut_anywhere_or_reset_is_worth_a_retry)
{
    for (size_t i = 0; i < LENGTH(broken); i++) {
        struct http_result result = get_answer(broken[i].answer, LONG_MS);
        if (result.end != HTTP_BROKEN || result.error != broken[i].error)
            fail_msg("%s: end %d, error %d", broken[i].answer.bytes, (int)result.end, result.error);
        assert_non_null(result.problem);
        assert_int_equal(result.status, broken[i].status);
        expect_outcome(&result, REDIAL_KIND_RETRY, broken[i].error, broken[i].retry_after_ms);
    }
}

/* How many bytes arrive before the reset depends on the system. */
TEST(a_reset_in_the_middle_of_a_body_is_worth_a_retry)
{
    static const char *const headers[] = { "", "Content-Length: 9\r\n" };
    for (size_t i = 0; i < LENGTH(headers); i++) {
        char bytes[80];
        struct http_result result;
        snprintf(bytes, sizeof bytes, "HTTP/1.1 200 OK\r\n%s\r\n5\r\nhe", headers[i]);
        result = get_answer((struct scripted_answer){ bytes, THEN_RESET, false, 0 }, LONG_MS);
        assert_int_equal(result.end, HTTP_BROKEN);
        expect_outcome(&result, REDIAL_KIND_RETRY, ECONNRESET, 0);
    }
}

TEST(a_refused_connection_is_worth_a_retry)
{
    uint16_t port = 0;
    int fd = loopback_socket(&port);
    struct http_result result = get_from(port, LONG_MS);
    close(fd);
    assert_int_equal(result.end, HTTP_BROKEN);
    assert_int_equal(result.status, 0);
    expect_outcome(&result, REDIAL_KIND_RETRY, ECONNREFUSED, 0);
}

/* A temporary error is reported even if another address has a permanent one, in any order of the addresses. */
TEST(an_error_worth_a_retry_is_reported_before_those_of_other_addresses)
{
    uint16_t port = 0;
    int fd = loopback_socket(&port);
    const struct address refused = { AF_INET, port }, unsupported = { NO_FAMILY, 80 };
    struct http_result result;
    resolve((const struct address[]){ refused, unsupported }, 2);
    result = get_url("http://host/", LONG_MS, NULL);
    expect_outcome(&result, REDIAL_KIND_RETRY, ECONNREFUSED, 0);
    resolve((const struct address[]){ unsupported, refused }, 2);
    result = get_url("http://host/", LONG_MS, NULL);
    expect_outcome(&result, REDIAL_KIND_RETRY, ECONNREFUSED, 0);
    resolve(&unsupported, 1);
    result = get_url("http://host/", LONG_MS, NULL);
    expect_outcome(&result, REDIAL_KIND_FAIL, result.error, 0);
    close(fd);
}

TEST(the_addresses_of_a_host_are_tried_in_turn)
{
    static const struct scripted_answer answer = { .bytes = OK "\r\n" };
    struct scripted_server server;
    uint16_t port = 0;
    int fd = loopback_socket(&port);
    struct http_result result;
    assert_true(scripted_server_start(&server, &answer, 1));
    resolve((const struct address[]){ { NO_FAMILY, 80 }, { AF_INET, port }, { AF_INET, server.port } }, 3);
    result = get_url("http://host/", LONG_MS, NULL);
    scripted_server_stop(&server);
    close(fd);
    assert_int_equal(result.end, HTTP_ANSWERED);
    assert_int_equal(result.error, 0);
    assert_null(result.problem);
}

TEST(a_name_server_that_has_no_answer_yet_is_worth_a_retry_and_an_unknown_host_is_not)
{
    struct http_result result;
    resolve_error = EAI_AGAIN;
    result = get_url("http://host/", LONG_MS, NULL);
    expect_outcome(&result, REDIAL_KIND_RETRY, EAGAIN, 0);
    resolve_error = EAI_NONAME;
    result = get_url("http://host/", LONG_MS, NULL);
    assert_int_equal(result.end, HTTP_UNUSABLE);
    expect_outcome(&result, REDIAL_KIND_FAIL, EPROTO, 0);
}

#ifdef __linux__   /* elsewhere a full queue may refuse */
TEST(a_connect_that_hangs_is_timed_out_and_leaves_time_for_the_next_address)
{
    static const struct scripted_answer answer = { .bytes = OK "\r\n" };
    struct scripted_server server;
    uint16_t port = 0;
    int listener = loopback_socket(&port), waiting[4];
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    struct http_result result;
    address.sin_port = htons(port);
    assert_int_equal(listen(listener, 0), 0);
    for (size_t i = 0; i < 4; i++) {   /* more than its queue holds */
        waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(waiting[i], (struct sockaddr *)&address, sizeof address);
    }
    result = get_from(port, 300);
    assert_string_equal(result.problem, "could not connect");
    expect_outcome(&result, REDIAL_KIND_RETRY, ETIMEDOUT, 0);
    assert_true(scripted_server_start(&server, &answer, 1));
    resolve((const struct address[]){ { AF_INET, port }, { AF_INET, server.port } }, 2);
    result = get_url("http://host/", 4000, NULL);
    scripted_server_stop(&server);
    assert_int_equal(result.end, HTTP_ANSWERED);
    for (size_t i = 0; i < 4; i++)
        close(waiting[i]);
    close(listener);
}
#endif

TEST(a_server_that_goes_silent_anywhere_is_timed_out_and_worth_a_retry)
{
    static const char *const answers[] = { "", "HTTP/1.1 20", OK "\r\nhello", OK "Content-Length: 6\r\n\r\nhello" };
    for (size_t i = 0; i < LENGTH(answers); i++) {
        uint32_t began = real_now_ms(), took;
        struct http_result result = get_answer((struct scripted_answer){ answers[i], THEN_HANG, false, 0 }, 300);
        took = real_now_ms() - began;
        assert_true(took >= 300);
        assert_true(took < LONG_MS);   /* a hang would be for ever */
        assert_int_equal(result.end, HTTP_BROKEN);
        expect_outcome(&result, REDIAL_KIND_RETRY, ETIMEDOUT, 0);
    }
}

TEST(no_time_at_all_is_timed_out)
{
    struct http_result result = get_answer((struct scripted_answer){ "", THEN_HANG, false, 0 }, 0);
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

/* The alarm rings every tenth of a second, so that a signal comes during the request, or at worst before it. */
static struct http_result get_under_alarms(void (*handler)(int), uint32_t timeout_ms, struct scripted_answer answer)
{
    static const struct itimerval often = { { 0, 100000 }, { 0, 100000 } }, never = { { 0, 0 }, { 0, 0 } };
    struct sigaction action = { .sa_handler = handler }, before;
    struct scripted_server server;
    struct http_result result;
    char text[64];
    assert_true(scripted_server_start(&server, &answer, 1));
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

static const struct scripted_answer silence = { .bytes = "", .then = THEN_HANG };

TEST(the_stop_flag_ends_an_attempt_and_leaves_it_worth_a_retry)
{
    struct http_result result = get_under_alarms(set_stop, LONG_MS, silence);
    assert_int_equal(result.end, HTTP_BROKEN);
    expect_outcome(&result, REDIAL_KIND_RETRY, EINTR, 0);
}

TEST(the_stop_flag_ends_an_attempt_in_which_data_keeps_coming)
{
    static char endless[4096] = OK "\r\n";
    struct http_result result;
    memset(endless + strlen(endless), 'x', sizeof endless - strlen(endless));
    result = get_under_alarms(set_stop, LONG_MS,
                              (struct scripted_answer){ endless, THEN_REPEAT, false, sizeof endless });
    expect_outcome(&result, REDIAL_KIND_RETRY, EINTR, 0);
    assert_int_equal(result.status, 200);
}

/* The answer comes at once, so no wait for it would notice. */
TEST(a_stop_flag_that_is_set_ends_an_attempt_that_need_not_wait)
{
    struct scripted_answer answer = { .bytes = OK "Content-Length: 0\r\n\r\n" };
    struct scripted_server server;
    struct http_result result;
    char text[64];
    assert_true(scripted_server_start(&server, &answer, 1));
    snprintf(text, sizeof text, "http://127.0.0.1:%u/", (unsigned)server.port);
    stop = 1;
    result = get_url(text, LONG_MS, &stop);
    scripted_server_stop(&server);
    expect_outcome(&result, REDIAL_KIND_RETRY, EINTR, 0);
}

TEST(a_signal_alone_does_not_end_an_attempt)
{
    struct http_result result = get_under_alarms(do_nothing, 500, silence);
    assert_int_equal(result.end, HTTP_BROKEN);
    expect_outcome(&result, REDIAL_KIND_RETRY, ETIMEDOUT, 0);
}

/* ---- what is no HTTP ---- */

static const struct { const char *bytes; size_t length; } unusable[] = {   /* length 0: up to the NUL */
    { "\r\n", 0 }, { "hello\r\n", 0 }, { "http/1.1 200 OK\r\n", 0 }, { "HTTP/2.0 200 OK\r\n", 0 },
    { "\x16\x03\x01\x02\x00\x01\n", 7 }, { "HTTP/1.1 200\0OK\r\n\r\n", 19 }, { "HTTP/1.1\r\n\r\n", 0 },
    { "HTTP/1.1 20\r\n\r\n", 0 }, { "HTTP/1.1 2000 OK\r\n\r\n", 0 }, { "HTTP/1.1 -20 OK\r\n\r\n", 0 },
    { "HTTP/1.1 099 OK\r\n\r\n", 0 }, { "HTTP/1.1 200OK\r\n\r\n", 0 }, { "HTTP/1.1  200 OK\r\n\r\n", 0 },
    { "HTTP/1. 200 OK\r\n\r\n", 0 }, { "HTTP/1.1 101 Switching Protocols\r\n\r\n", 0 },
    { OK "Content-Length: -5\r\n\r\n", 0 }, { OK "Content-Length: 5, 5\r\n\r\n", 0 },
    { OK "Content-Length:\r\n\r\n", 0 }, { OK "Content-Length: 1000000000000000\r\n\r\n", 0 },
    { OK "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", 0 }, { OK "Transfer-Encoding: chunked\r\n\r\n", 0 },
};

TEST(an_answer_that_is_not_http_fails_for_good)
{
    for (size_t i = 0; i < LENGTH(unusable); i++) {
        /* The connection stays open, so it is the client that ends it. */
        const struct scripted_answer answer = { unusable[i].bytes, THEN_HANG, false, unusable[i].length };
        struct http_result result = get_answer(answer, LONG_MS);
        if (result.end != HTTP_UNUSABLE)
            fail_msg("%s: end %d, error %d, status %d", unusable[i].bytes, (int)result.end, result.error,
                     result.status);
        assert_non_null(result.problem);
        expect_outcome(&result, REDIAL_KIND_FAIL, EPROTO, 0);
    }
}

TEST(a_header_may_be_as_long_as_the_limit_and_no_longer)
{
    static char bytes[HTTP_HEADER_MAX + 2] = "HTTP/1.1 204 x\r\nx: ";
    struct http_result result;
    memset(bytes + 19, 'x', sizeof bytes - 19);
    memcpy(bytes + HTTP_HEADER_MAX - 4, "\r\n\r\n", 4);
    result = get_answer((struct scripted_answer){ bytes, THEN_HANG, false, HTTP_HEADER_MAX }, LONG_MS);
    assert_int_equal(result.end, HTTP_ANSWERED);
    memcpy(bytes + HTTP_HEADER_MAX - 4, "x\r\n\r\n", 5);
    result = get_answer((struct scripted_answer){ bytes, THEN_HANG, false, HTTP_HEADER_MAX + 1 }, LONG_MS);
    expect_outcome(&result, REDIAL_KIND_FAIL, EPROTO, 0);
}

/* ---- URLs ---- */

TEST(a_url_is_taken_apart)
{
    static const struct { const char *text, *authority, *host, *port, *target; } urls[] = {
        { "http://a", "a", "a", "80", "/" },
        { "http://a.b-c_d:8080/x?y=1:/", "a.b-c_d:8080", "a.b-c_d", "8080", "/x?y=1:/" },
        { "http://a?q", "a", "a", "80", "/?q" },
        { "http://a:65535?q", "a:65535", "a", "65535", "/?q" },
    };
    for (size_t i = 0; i < LENGTH(urls); i++) {
        struct http_url url;
        poison(&url, sizeof url);
        assert_true(http_parse_url(urls[i].text, &url));
        assert_string_equal(url.authority, urls[i].authority);
        assert_string_equal(url.host, urls[i].host);
        assert_string_equal(url.port, urls[i].port);
        assert_string_equal(url.target, urls[i].target);
    }
}

TEST(a_text_that_is_not_a_url_is_refused)
{
    static const char *const urls[] = {
        "", "http:", "http://", "https://a", "HTTP//a", "a", "http:///x", "http://:80", "http://a:", "http://a:0",
        "http://a:65536", "http://a:99999999999", "http://a:8o", "http://a:-1", "http://a:80:80", "http://u@a",
        "http://a b", "http://a/ b", "http://a/b#c", "http://a#c", "http://a/\r\nX: y", "http://a/\x7f",
        "http://a/\xc3\xa4",
        "http://\xc3\xa4", "http://[::1]", "http://a:65536/", "http://a:00000080",
    };
    char longest[2048];
    struct http_url url;
    for (size_t i = 0; i < LENGTH(urls); i++)
        if (http_parse_url(urls[i], &url))
            fail_msg("taken: %s", urls[i]);
    for (size_t i = 0; i < 2; i++) {   /* a host and a path that are too long */
        memset(longest, 'a', sizeof longest);
        longest[sizeof longest - 1] = '\0';
        memcpy(longest, i ? "http://a/" : "http://", i ? 9 : 7);
        assert_false(http_parse_url(longest, &url));
    }
}

int main(void)
{
    return run_all();
}
