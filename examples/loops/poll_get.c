/* Some GETs of one server at once, in one thread with poll(): redial_begin, redial_timeout_ms and
   redial_next, with a retry budget and a gate. SPDX-License-Identifier: MIT

       poll_get 127.0.0.1 8080 /a /b /c      prints the status of each; it reads no bodies

   A call either waits for its next attempt, or has one under way; both end at a time. The loop
   finds the next of these times by looking at all calls, which is fast enough for some hundreds.
   All calls share the budget, so that an outage costs few requests, and the gate, which a 429
   closes. To copy: everything above main, and common/http_header.c. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../common/http_header.h"
#include "../common/stdout.h"

#define MOST 100

struct get {
    const char *path;
    struct redial_call call;
    enum redial_verdict verdict;    /* REDIAL_RETRY: it goes on */
    uint32_t since_ms, for_ms;      /* of the wait or the attempt */
    int fd;                         /* of the attempt; -1: it waits */
    bool sent;
    size_t length;
    char got[8192];                 /* a longer header is refused */
};

static struct addrinfo *server;
static struct redial_budget budget;
static struct redial_gate gate;

static uint32_t now_ms(void)
{
    return redial_system()->now_ms(redial_system());
}

static uint32_t left_ms(const struct get *get)
{
    uint32_t spent_ms = now_ms() - get->since_ms;
    return spent_ms < get->for_ms ? get->for_ms - spent_ms : 0;
}

/* An error's code is a negative errno value, a positive one is an HTTP status, and a hold has 0. */
static void decide(struct get *get, struct redial_outcome outcome)
{
    const struct redial_env *env = redial_system();
    struct redial_step step;
    get->since_ms = now_ms();
    step = redial_next(&get->call, get->since_ms, outcome, env->random(env));
    get->verdict = step.verdict;
    get->for_ms = step.delay_ms;
    if (get->fd >= 0)
        close(get->fd);
    get->fd = -1;
    printf("%s: %d %s; %s", get->path, outcome.code, outcome.code < 0 ? strerror(-outcome.code)
           : outcome.code == 0 ? "held" : "", redial_verdict_name(step.verdict));
    printf(step.verdict == REDIAL_RETRY ? " in %u ms\n" : "\n", (unsigned)step.delay_ms);
}

/* A 429 holds all calls for 1 to 5 s. If it named a time, it costs no retry and no token. */
static void answered(struct get *get, struct redial_outcome outcome)
{
    uint32_t ms = outcome.retry_after_ms < 1000 ? 1000 : outcome.retry_after_ms;
    if (outcome.code == 429)
        redial_gate_close(&gate, now_ms(), ms < 5000 ? ms : 5000);
    if (outcome.code == 429 && outcome.retry_after_ms > 0)
        outcome.kind = REDIAL_KIND_POSTPONED;
    decide(get, outcome);
}

static void connect_to_server(struct get *get)
{
    get->sent = false;
    get->length = 0;
    get->fd = socket(server->ai_family, server->ai_socktype, server->ai_protocol);
    if (get->fd < 0 || fcntl(get->fd, F_SETFL, O_NONBLOCK) != 0
        || (connect(get->fd, server->ai_addr, server->ai_addrlen) != 0 && errno != EINPROGRESS))
        decide(get, redial_errno(-errno));
}

static void attempt(struct get *get)
{
    uint32_t timeout_ms = redial_timeout_ms(&get->call, now_ms());
    uint32_t closed_ms = redial_gate_left_ms(&gate, now_ms());
    if (timeout_ms == 0) {   /* the loop was late */
        get->verdict = REDIAL_TIMED_OUT;
        printf("%s: %s\n", get->path, redial_verdict_name(get->verdict));
    } else if (closed_ms > 0) {
        decide(get, redial_postponed(closed_ms));   /* a hold, and no attempt */
    } else {
        get->since_ms = now_ms();
        get->for_ms = timeout_ms;
        connect_to_server(get);
    }
}

/* The request fits into the buffer of a new socket. Without a connection, send() says why. */
static void send_request(struct get *get)
{
    char text[2048];
    int length = snprintf(text, sizeof text, "GET %.1900s HTTP/1.1\r\nHost: localhost\r\n"
                          "Connection: close\r\n\r\n", get->path);
    get->sent = true;
    if (send(get->fd, text, (size_t)length, MSG_NOSIGNAL) < 0)
        decide(get, redial_errno(-errno));
}

static void receive(struct get *get)
{
    size_t room = sizeof get->got - 1 - get->length;
    ssize_t got = recv(get->fd, get->got + get->length, room, 0);
    const char *header;
    get->length += got > 0 ? (size_t)got : 0;
    get->got[get->length] = '\0';
    header = http_header_whole(get->got);
    if (header)
        answered(get, http_header_outcome(header));
    else if (got < 0)
        decide(get, redial_errno(-errno));
    else if (got == 0)
        decide(get, room > 0 ? redial_retry(-ECONNABORTED, 0) : redial_fail(-EMSGSIZE));
}

/* Waits until the first call has something to do. False: all calls have ended. */
static bool wait_for_first(const struct get *gets, struct pollfd *fds, unsigned count)
{
    uint32_t first_ms = UINT32_MAX;
    unsigned i;
    for (i = 0; i < count; i++) {
        fds[i] = (struct pollfd){ .fd = gets[i].fd, .events = gets[i].sent ? POLLIN : POLLOUT };
        if (gets[i].verdict == REDIAL_RETRY && left_ms(&gets[i]) < first_ms)
            first_ms = left_ms(&gets[i]);
    }
    if (first_ms < UINT32_MAX)   /* if a signal ends it, all revents stay 0 */
        poll(fds, count, first_ms < INT_MAX ? (int)first_ms : INT_MAX);
    return first_ms < UINT32_MAX;
}

static void run_all(struct get *gets, unsigned count)
{
    struct pollfd fds[MOST];
    unsigned i;
    while (wait_for_first(gets, fds, count))
        for (i = 0; i < count; i++)
            if (fds[i].revents)
                gets[i].sent ? receive(&gets[i]) : send_request(&gets[i]);
            else if (gets[i].verdict == REDIAL_RETRY && left_ms(&gets[i]) == 0)
                gets[i].fd < 0 ? attempt(&gets[i]) : decide(&gets[i], redial_errno(-ETIMEDOUT));
}

int main(int argc, char **argv)
{
    static const struct redial_policy policy = {
        .base_ms = 50, .cap_ms = 2000, .jitter_ms = 50, .max_retries = 3,
        .max_elapsed_ms = 30000, .attempt_ms = 2000, .budget = &budget
    };
    static const struct addrinfo numbers = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                             .ai_socktype = SOCK_STREAM };
    static struct get gets[MOST];
    unsigned i, done = 0, count = (unsigned)argc - 3;
    stdout_begin();
    if (argc < 4 || count > MOST || getaddrinfo(argv[1], argv[2], &numbers, &server) != 0) {
        fputs("usage: poll_get ADDRESS PORT PATH...\n"
              "ADDRESS is a number, because to look up a name would block all calls.\n", stderr);
        return 2;
    }
    redial_budget_init(&budget, 20, 10);
    for (i = 0; i < count; i++) {
        gets[i] = (struct get){ .path = argv[3 + i], .verdict = REDIAL_RETRY, .fd = -1 };
        redial_begin(&gets[i].call, &policy, now_ms());
    }
    run_all(gets, count);
    freeaddrinfo(server);
    for (i = 0; i < count; i++)
        done += gets[i].verdict == REDIAL_DONE;
    return stdout_end("poll_get", done == count ? EXIT_SUCCESS : EXIT_FAILURE);
}
