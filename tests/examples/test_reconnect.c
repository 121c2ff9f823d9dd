/* examples/loops/reconnect: its operation with a policy and a clock of the test, and the program.
   SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../../examples/common/loopback.h"
#include <errno.h>
#include <netdb.h>
#include <time.h>
#include "redial_fake.h"

static bool first_hangs, signals;
static int first_timeout_ms;            /* of the wait for a connection */
static int unknown;                     /* getaddrinfo fails with this */
static int64_t test_clock_ms, poll_takes_ms;
static struct redial_fake fake;

static int test_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                            struct addrinfo **found)
{
    return unknown ? unknown : getaddrinfo(host, port, hints, found);
}

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
#define getaddrinfo test_getaddrinfo
#define clock_gettime test_clock_gettime
#define poll test_poll
#include "../../examples/loops/reconnect.c"
#undef main
#undef getaddrinfo
#undef clock_gettime
#undef poll

static uint16_t port;
static char port_text[8];
static pid_t server;
static struct link link_to_it = { "127.0.0.1", port_text, -1, NULL };

static struct redial_outcome connect_once(uint32_t timeout_ms)
{
    const struct redial_attempt attempt = { 1, timeout_ms, &fake.env };
    return stay_connected(&link_to_it, &attempt);
}

/* One connection for each letter. g: greets and closes. s: greets and stays. c: closes. h: says
   nothing. */
static _Noreturn void serve(int listener, const char *script)
{
    char end;
    for (; *script; script++) {
        int fd = accept(listener, NULL, NULL);
        if (!script[1])   /* before the client comes again: a connect() during the close may hang */
            close(listener);
        if (strchr("gs", *script))
            send(fd, "hello\n", 6, MSG_NOSIGNAL);
        if (*script == 'h' || *script == 's')
            recv(fd, &end, 1, 0);   /* returns when the client gives up */
        close(fd);
    }
    _exit(0);
}

static void start_server(const char *script)
{
    int listener = loopback_socket(&port);
    snprintf(port_text, sizeof port_text, "%u", (unsigned)port);
    assert_true(listener >= 0 && listen(listener, 8) == 0);
    server = fork();
    assert_true(server >= 0);
    if (server == 0)
        serve(listener, script);
    close(listener);
}

static int stop_server(void **state)
{
    if (server > 0 && kill(server, SIGKILL) == 0)
        waitpid(server, NULL, 0);
    server = 0;
    return program_kill(state);
}

/* After the script, connections are refused. */
TEST(only_a_connection_that_worked_for_10_s_begins_with_the_first_wait_again)
{
    static const struct { const char *script; int poll_takes_ms; uint32_t waited_ms[5]; } rows[] = {
        { "gg", 10000, { 1, 1, 2, 4 } },
        { "gg", 9999, { 1, 2, 4 } },
        { "cc", 10000, { 1, 2, 4 } },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct redial_policy quick = policy;
        start_server(rows[i].script);
        quick.base_ms = 1;
        quick.max_retries = 3;
        quick.attempt_ms = PATIENCE_MS;
        quick.jitter = REDIAL_JITTER_NONE;
        poll_takes_ms = rows[i].poll_takes_ms;
        redial_fake_init(&fake);
        assert_int_equal(redial_run(&quick, &fake.env, stay_connected, &link_to_it, NULL),
                         REDIAL_EXHAUSTED);
        for (unsigned k = 0; k < LENGTH(rows[i].waited_ms); k++)
            if (fake.waited_ms[k] != rows[i].waited_ms[k])
                fail_msg("%s, %d: wait %u is %lu ms", rows[i].script, rows[i].poll_takes_ms, k,
                         (unsigned long)fake.waited_ms[k]);
        stop_server(NULL);
    }
}

/* 50 days are more than 32 bits can say. Signals end each second poll; one for us cancels. */
TEST(a_connection_ends_with_its_error_and_its_uptime)
{
    static const struct {
        const char *script;
        int64_t poll_takes_ms;
        bool signals, cancels;
        enum redial_kind kind;
        int error;
        uint32_t uptime_ms;
    } rows[] = {
        { "g", 100, false, false, REDIAL_KIND_RETRY, ECONNRESET, 100 },
        { "g", 100, true, false, REDIAL_KIND_RETRY, ECONNRESET, 100 },
        { "g", 50 * 86400000LL, false, false, REDIAL_KIND_RETRY, ECONNRESET, UINT32_MAX },
        { "h", 100, false, false, REDIAL_KIND_RETRY, ETIMEDOUT, 0 },
        { "s", 100, false, true, REDIAL_KIND_CANCELLED, ECANCELED, 0 },
    };
    int readable = open("/dev/null", O_RDONLY);
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        struct redial_outcome outcome;
        start_server(rows[i].script);
        poll_takes_ms = rows[i].poll_takes_ms;
        signals = rows[i].signals;
        link_to_it.stop_fd = rows[i].cancels ? readable : -1;
        first_timeout_ms = 0;
        outcome = connect_once(rows[i].error == ETIMEDOUT ? 20 : 20000);
        stop_server(NULL);
        if (outcome.kind != rows[i].kind || outcome.code != rows[i].error
            || first_timeout_ms != (rows[i].error == ETIMEDOUT ? 10 : 10000)
            || outcome.uptime_ms != rows[i].uptime_ms)
            fail_msg("row %u: kind %d, error %d", i, outcome.kind, outcome.code);
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
        unknown = rows[i].error;
        if (connect_once(20000).kind != rows[i].kind)
            fail_msg("%s: not as in its row", gai_strerror(unknown));
        assert_string_equal(link_to_it.why, gai_strerror(unknown));
    }
    unknown = 0;
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
    uint16_t ports[2];
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
    static const struct { const char *script, *awaited, *end; } rows[] = {
        { "s", NULL, "cancelled after 1 connections: Operation canceled" },
        { "g", "Connection re", "cancelled after " },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        start_server(rows[i].script);
        program_start_words(PROGRAM, "127.0.0.1 %u", (unsigned)port);
        await(&program.out, "hello\n");
        if (rows[i].awaited)
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

int main(void)
{
    return run_all_with(NULL, stop_server, NULL, NULL);
}
