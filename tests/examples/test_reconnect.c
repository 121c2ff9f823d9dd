/* examples/loops/reconnect: its operation with a clock of the test, the program, and Ctrl-C in
   examples/common/interrupt.c. SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../../examples/common/loopback.h"
#include <errno.h>
#include <netdb.h>
#include <time.h>

static bool first_hangs, signals;
static int first_timeout_ms;            /* of the wait for a connection */
static int64_t test_clock_ms, poll_takes_ms;

static int test_clock_gettime(clockid_t clock, struct timespec *now)
{
    assert_int_equal(clock, CLOCK_MONOTONIC);
    *now = (struct timespec){ .tv_sec = test_clock_ms / 1000,
                              .tv_nsec = test_clock_ms % 1000 * 1000000 };
    return 0;
}

/* Of two polls, a signal ends the first. */
static int test_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    static unsigned polls;
    bool hangs = first_hangs;
    first_hangs = false;
    first_timeout_ms = first_timeout_ms ? first_timeout_ms : timeout_ms;
    if (signals && polls++ % 2 == 0) {
        errno = EINTR;
        return -1;
    }
    test_clock_ms += poll_takes_ms;
    return hangs ? 0 : poll(fds, count, timeout_ms);
}

int reconnect_main(int argc, char **argv);
#define main reconnect_main
#define clock_gettime test_clock_gettime
#define poll test_poll
#include "../../examples/loops/reconnect.c"
#undef main
#undef clock_gettime
#undef poll

static uint16_t port;
static char port_text[8];
static pid_t server;
static struct link link_to_it = { "127.0.0.1", port_text, -1, NULL };

/* One connection. g: greets and closes. s: greets and stays. c: closes. h: says nothing. */
static void start_server(char what)
{
    int fd, listener = loopback_socket(&port);
    snprintf(port_text, sizeof port_text, "%u", (unsigned)port);
    assert_true(listener >= 0 && listen(listener, 8) == 0);
    server = fork();
    assert_true(server >= 0);
    if (server == 0) {
        fd = accept(listener, NULL, NULL);
        close(listener);   /* before the client comes again: a connect() later may hang */
        if (what == 'g' || what == 's')
            send(fd, "hello\n", 6, MSG_NOSIGNAL);
        if (what == 'h' || what == 's')
            recv(fd, port_text, 1, 0);   /* returns when the client gives up */
        _exit(0);
    }
    close(listener);
}

static int stop_server(void **state)
{
    if (server > 0 && kill(server, SIGKILL) == 0)
        waitpid(server, NULL, 0);
    server = 0;
    return program_kill(state);
}

/* 50 days are more than 32 bits can say. Signals end each second poll; one for us cancels. After
   10 s, an outage is a new one, and the next wait is the first again. */
TEST(a_connection_ends_with_its_error_and_its_uptime)
{
    static const struct {
        char server;
        int64_t poll_takes_ms;
        bool signals, cancels;
        enum redial_kind kind;
        int error;
        uint32_t uptime_ms, retries;
    } rows[] = {
        { 'g', 9999, false, false, REDIAL_KIND_RETRY, ECONNRESET, 9999, 2 },
        { 'g', 10000, false, false, REDIAL_KIND_RETRY, ECONNRESET, 10000, 1 },
        { 'c', 10000, false, false, REDIAL_KIND_RETRY, ECONNRESET, 0, 2 },
        { 'g', 100, true, false, REDIAL_KIND_RETRY, ECONNRESET, 100, 2 },
        { 'g', 50 * 86400000LL, false, false, REDIAL_KIND_RETRY, ECONNRESET, UINT32_MAX, 1 },
        { 'h', 100, false, false, REDIAL_KIND_RETRY, ETIMEDOUT, 0, 2 },
        { 's', 100, false, true, REDIAL_KIND_CANCELLED, ECANCELED, 0, 1 },
    };
    int readable = open("/dev/null", O_RDONLY);
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        const bool slow = rows[i].error == ETIMEDOUT;
        const struct redial_attempt attempt = { 2, slow ? 20 : 20000, redial_system() };
        struct redial_outcome outcome;
        struct redial_call call;
        start_server(rows[i].server);
        poll_takes_ms = rows[i].poll_takes_ms;
        signals = rows[i].signals;
        link_to_it.stop_fd = rows[i].cancels ? readable : -1;
        first_timeout_ms = 0;
        outcome = stay_connected(&link_to_it, &attempt);
        stop_server(NULL);
        redial_begin(&call, &policy, 0);
        redial_next(&call, 0, redial_retry(0, 0), 0);
        redial_ready(&call, policy.cap_ms);
        redial_next(&call, policy.cap_ms, outcome, 0);
        if (outcome.kind != rows[i].kind || outcome.code != rows[i].error
            || first_timeout_ms != (slow ? 10 : 10000) || outcome.uptime_ms != rows[i].uptime_ms
            || redial_retries(&call) != rows[i].retries)
            fail_msg("row %u: kind %d, error %d, uptime %u, retries %u", i, outcome.kind,
                     outcome.code, (unsigned)outcome.uptime_ms, (unsigned)redial_retries(&call));
    }
    signals = false;
    link_to_it.stop_fd = -1;
    close(readable);
}

TEST(a_host_that_is_not_found_is_retried_and_a_port_that_is_none_is_not)
{
    static const struct { int error; enum redial_kind kind; } rows[] = {
        { EAI_AGAIN, REDIAL_KIND_RETRY }, { EAI_NONAME, REDIAL_KIND_RETRY },
        { EAI_FAIL, REDIAL_KIND_RETRY }, { EAI_SYSTEM, REDIAL_KIND_RETRY },
        { EAI_SERVICE, REDIAL_KIND_FAIL }, { EAI_BADFLAGS, REDIAL_KIND_FAIL },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        assert_int_equal(not_found(&link_to_it, rows[i].error).kind, rows[i].kind);
        assert_string_equal(link_to_it.why, gai_strerror(rows[i].error));
    }
}

/* r: connections are refused; s: they are accepted; x: a family that the machine does not have. */
TEST(each_address_of_a_name_is_tried_and_has_its_part_of_the_time)
{
    static const struct { const char *kinds; bool hangs; int timeout_ms, error; } rows[] = {
        { "s", false, 10000, 0 }, { "rs", false, 5000, 0 }, { "xxrs", false, 2500, 0 },
        { "ss", true, 5000, 0 }, { "rr", false, 5000, ECONNREFUSED },
        { "rx", false, 5000, ECONNREFUSED }, { "xr", false, 5000, ECONNREFUSED },
    };
    struct sockaddr_in refuses = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    struct sockaddr_in accepts = refuses;
    uint16_t ports[2] = { 0 };
    int closed = loopback_socket(&ports[0]), open_one = loopback_socket(&ports[1]);
    assert_int_equal(listen(open_one, 16), 0);
    refuses.sin_port = htons(ports[0]);
    accepts.sin_port = htons(ports[1]);
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct addrinfo list[4] = { { 0 } };
        int fd = -1, error, keepalive = 0;
        socklen_t size = sizeof keepalive;
        for (const char *kind = rows[i].kinds; *kind; kind++) {
            struct addrinfo *one = &list[kind - rows[i].kinds];
            one->ai_family = *kind == 'x' ? AF_UNSPEC : AF_INET;
            one->ai_addr = (struct sockaddr *)(*kind == 's' ? &accepts : &refuses);
            one->ai_addrlen = sizeof accepts;
            one->ai_next = kind[1] ? one + 1 : NULL;
        }
        first_hangs = rows[i].hangs;
        first_timeout_ms = 0;
        error = connect_any(&link_to_it, list, 10000, &fd);
        getsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &keepalive, &size);
        if (error != rows[i].error || first_timeout_ms != rows[i].timeout_ms
            || (fd >= 0) != (error == 0) || !keepalive != (error != 0))
            fail_msg("%s: error %d, timeout %d", rows[i].kinds, error, first_timeout_ms);
        close(fd);
    }
    close(closed);
    close(open_one);
}

TEST(the_program_prints_what_the_server_sends_and_ctrl_c_ends_it_at_once)
{
    static const struct { char server; const char *awaited, *end; } rows[] = {
        { 's', "", "cancelled after 1 connections: Operation canceled" },
        { 'g', "Connection re", "cancelled after " },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        start_server(rows[i].server);
        program_start_words(PROGRAM, "127.0.0.1 %u", (unsigned)port);
        await(&program.out, "hello\n");
        await(&program.err, rows[i].awaited);
        program_interrupt(rows[i].end);
        stop_server(NULL);
    }
    program_start_words(PROGRAM, "127.0.0.1 no-such-service");
    program_end();
    assert_status(1);
    assert_contains(program.err.bytes, "failed after 1 connections: ");
    assert_contains(program.err.bytes, gai_strerror(EAI_SERVICE));
}

/* ---- Ctrl-C and SIGTERM ---- */

static bool is_readable(int fd)
{
    struct pollfd one = { .fd = fd, .events = POLLIN };
    return poll(&one, 1, 0) == 1;
}

/* The status of a process of its own after these signals. 0: it was cancelled once they had come,
   and not before, and its descriptor, if it has one, stayed readable. Signal 0 is none. */
static int status_after(int first, int second, bool polls)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        int fd = polls ? interrupt_fd() : -1;
        bool before = interrupt_cancelled(NULL) || is_readable(fd);
        interrupt_catch();
        alarm(10);      /* if a handler never returns, the test fails and does not hang */
        raise(first);
        raise(second);
        _exit(before || !interrupt_cancelled(NULL) || is_readable(fd) != polls
              || is_readable(fd) != polls);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

TEST(the_first_signal_cancels_the_run_and_a_poll_and_a_second_ends_the_program)
{
    static const struct { int first, second; bool polls; int ended_by; } rows[] = {
        { SIGINT, 0, true, 0 }, { SIGTERM, 0, true, 0 }, { SIGINT, 0, false, 0 },
        { SIGINT, SIGINT, true, SIGINT }, { SIGTERM, SIGTERM, true, SIGTERM },
        { SIGINT, SIGTERM, true, SIGTERM }, { SIGTERM, SIGINT, true, SIGINT },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++)
        assert_int_equal(status_after(rows[i].first, rows[i].second, rows[i].polls),
                         rows[i].ended_by);
}

int main(void)
{
    return run_all_with(NULL, stop_server, NULL, NULL);
}
