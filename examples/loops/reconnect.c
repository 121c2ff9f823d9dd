/* A connection that should stay up: redial_disconnected, min_uptime_ms, REDIAL_NO_LIMIT, and how to stop it.

       reconnect        a built-in server follows a script for about five seconds, then stops the client

   Uptime begins with the server's greeting. So the backoff keeps growing if the server closes soon after the greeting,
   or accepts and never greets. A connection that worked for min_uptime_ms resets the call. Only stop() ends the call:
   retries and time have no limit, and a wait that the server asks for is shortened to what the policy accepts.

   stop() writes to a pipe that poll() watches together with the socket, so one write ends a wait, a read and a connect.
   A condition variable would end only a wait. A signal handler may call write(), so stop() also handles Ctrl-C. To
   copy: from struct link to stay_connected. SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../common/loopback.h"
#include "options.h"
#include "redial.h"

#define GREETING_MS 1200    /* how long the client waits for the greeting */
#define MIN_UPTIME_MS 1000
#define UP_S 2              /* longer than that, also on a slow machine */
#define LONGEST_WAIT_MS 30000

struct link {
    struct sockaddr_in server;
    struct redial_report report;
};

static int stop_pipe[2];

/* ---- stopping, and waiting ---- */

static void stop(int signal_number)     /* any thread or signal handler may call it */
{
    int error = errno;
    (void)signal_number;
    if (write(stop_pipe[1], "", 1) != 1)
        abort();
    errno = error;
}

/* Waits until fd is ready (-1: there is none), stop() was called, or ms are over. True: fd is ready. False: see
   errno. */
static bool ready(int fd, short events, uint32_t ms)
{
    const struct redial_env *system = redial_system();
    struct pollfd fds[2] = { { .fd = stop_pipe[0], .events = POLLIN }, { .fd = fd, .events = events } };
    uint32_t began_ms = system->now_ms(system), spent_ms = 0;
    int count;
    do {
        uint32_t left_ms = ms - spent_ms;
        count = poll(fds, 2, left_ms < INT_MAX ? (int)left_ms : INT_MAX);
        spent_ms = ms == UINT32_MAX ? 0 : system->now_ms(system) - began_ms;
    } while (count <= 0 && (count == 0 || errno == EINTR) && spent_ms < ms);
    errno = fds[0].revents ? ECANCELED : ETIMEDOUT;
    return count > 0 && !fds[0].revents;
}

static bool wait_ms(const struct redial_env *env, uint32_t ms)
{
    (void)env;
    return !ready(-1, 0, ms) && errno == ETIMEDOUT;
}

static bool cancelled(const struct redial_env *env)
{
    return !wait_ms(env, 0);
}

/* ---- the connection ---- */

/* Connects, and waits for the greeting. Returns 0 or an errno value. */
static int open_up(int fd, const struct sockaddr_in *server)
{
    char greeting;
    int error;
    socklen_t size = sizeof error;
    if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0)
        return errno;
    if (connect(fd, (const struct sockaddr *)server, sizeof *server) != 0 && errno != EINPROGRESS)
        return errno;
    if (!ready(fd, POLLOUT, GREETING_MS))
        return errno;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0)
        return error ? error : errno;
    if (!ready(fd, POLLIN, GREETING_MS))
        return errno;
    return recv(fd, &greeting, 1, 0) == 1 ? 0 : ECONNRESET;
}

static int64_t clock_ms(void)   /* 64 bits: a connection may work for longer than 49.7 days */
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Uses the connection until it breaks. The server may send the wait that it asks for, in milliseconds. */
static uint32_t use(int fd)
{
    unsigned long ms;
    char text[16] = "";
    size_t length = 0;
    ssize_t got;
    while (ready(fd, POLLIN, UINT32_MAX) && (got = recv(fd, text + length, sizeof text - 1 - length, 0)) > 0)
        length += (size_t)got;
    ms = strtoul(text, NULL, 10);
    return ms < LONGEST_WAIT_MS ? (uint32_t)ms : LONGEST_WAIT_MS;
}

/* One connection from its beginning to its end. */
static struct redial_outcome connection(void *user, const struct redial_attempt *attempt)
{
    struct link *link = user;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int error = fd < 0 ? errno : open_up(fd, &link->server);
    struct redial_outcome outcome = error == ECANCELED ? redial_retry(error) : redial_errno(error);
    (void)attempt;
    if (error == 0) {
        int64_t since_ms = clock_ms(), uptime_ms;
        uint32_t retry_after_ms = use(fd);
        uptime_ms = clock_ms() - since_ms;
        outcome = redial_disconnected(ECONNRESET, uptime_ms < UINT32_MAX ? (uint32_t)uptime_ms : UINT32_MAX);
        outcome.retry_after_ms = retry_after_ms;
    }
    if (fd >= 0)
        close(fd);
    return outcome;
}

static void print_wait(const struct redial_env *env, const struct redial_event *event)
{
    (void)env;
    printf("retry %u in %5u ms: worked for %u ms, %s\n", (unsigned)event->retry, (unsigned)event->delay_ms,
           (unsigned)event->outcome.uptime_ms, strerror(event->outcome.code));
    fflush(stdout);
}

static void *stay_connected(void *user)
{
    static const struct redial_policy policy = {
        .base_ms = 50, .cap_ms = 30000, .jitter_ms = 20, .max_retries = REDIAL_NO_LIMIT,
        .max_retry_after_ms = LONGEST_WAIT_MS, .min_uptime_ms = MIN_UPTIME_MS };
    struct link *link = user;
    struct redial_env env = *redial_system();
    env.wait_ms = wait_ms;
    env.cancelled = cancelled;
    env.on_wait = print_wait;
    redial_run(&policy, &env, connection, link, &link->report);
    return NULL;
}

/* ---- the demonstration ---- */

static void pause_for(time_t s, long ms)
{
    struct timespec time = { s, ms * 1000000 };
    nanosleep(&time, NULL);
}

static void say(int fd, const char *text)
{
    if (send(fd, text, strlen(text), 0) < 0)
        perror("reconnect: server");
}

/* f: greets and closes. h: never greets. s: works for UP_S. b: asks for a wait of 90 s, more than the policy accepts,
   and closes. */
static void *play(void *user)
{
    const char *script = "ffhsfffb";
    const int *listener = user;
    for (; *script; script++) {
        char end;
        int fd = accept(*listener, NULL, NULL);
        if (*script != 'h')
            say(fd, "+");
        else if (recv(fd, &end, 1, 0) != 0)     /* returns when the client gives up */
            perror("reconnect: server");
        if (*script == 's')
            pause_for(UP_S, 0);
        if (*script == 'b')
            say(fd, "90000");
        close(fd);
    }
    pause_for(0, 500);
    stop(0);
    return NULL;
}

static struct sockaddr_in address_of(uint16_t port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

int main(int argc, char **argv)
{
    static const struct option none[] = { { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL } };
    static struct link link;
    static int listener;
    pthread_t client, server;
    uint16_t port;
    options_read(argc, argv, "reconnect: a connection that reconnects. It takes no options.", none);
    listener = loopback_socket(&port);
    if (listener < 0 || listen(listener, 4) != 0 || pipe(stop_pipe) != 0) {
        perror("reconnect");
        return 1;
    }
    link.server = address_of(port);
    signal(SIGINT, stop);
    signal(SIGPIPE, SIG_IGN);   /* send() returns an error if the peer has gone */
    if (pthread_create(&server, NULL, play, &listener) != 0 || pthread_detach(server) != 0
        || pthread_create(&client, NULL, stay_connected, &link) != 0) {
        fprintf(stderr, "reconnect: no thread could be started\n");
        return 1;
    }
    pthread_join(client, NULL);
    printf("%s after %u connections and %u ms\n", redial_verdict_name(link.report.verdict),
           (unsigned)link.report.attempts, (unsigned)link.report.elapsed_ms);
    return link.report.verdict == REDIAL_CANCELLED ? 0 : 1;
}
