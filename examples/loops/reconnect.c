/* A connection that should live for ever: redial_disconnected, min_uptime_ms, REDIAL_NO_LIMIT, and an end that is told from outside.

       reconnect        a built-in server goes through a script of some five seconds; then its thread stops the client

   It is up from the server's greeting on, and only time spent up counts as steady: a flapping server, or one that
   accepts and never greets, keeps the backoff growing; once it was up for min_uptime_ms, the next loss starts afresh.

   The end is told through a pipe that is never drained. A condition variable would end a wait as quickly, but not a
   read or a connect under way: poll() takes the pipe beside the socket, so one word ends all three at once. And
   write() may be called by a signal handler: that is the Ctrl-C. To lift: from struct link to stay_connected.
   SPDX-License-Identifier: MIT */
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
#include "redial.h"

#define GREETING_MS 1200    /* a server that has not greeted by then never will */
#define STEADY_MS 1000
#define UP_S 2              /* longer than that, also where the machine is slow */

struct link {
    struct redial_env env;  /* the system's, with waits that the pipe ends */
    struct sockaddr_in server;
    struct redial_report report;
};

static int stop_pipe[2];

/* ---- the end, and waiting for it ---- */

static void stop(int signal_number)     /* from any thread, or as a signal handler */
{
    int error = errno;
    (void)signal_number;
    if (write(stop_pipe[1], "", 1) != 1)
        abort();
    errno = error;
}

/* Until fd is ready (-1: there is none) or the end was told, ms at the most. Is it ready? Else errno says why not. */
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

/* From the dialling to the greeting. 0, or an errno value. */
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

/* Until it breaks. What the server sends is how many milliseconds it wants to be left alone. */
static uint32_t use(int fd)
{
    char text[16] = "";
    size_t length = 0;
    ssize_t got;
    while (ready(fd, POLLIN, UINT32_MAX) && (got = recv(fd, text + length, sizeof text - 1 - length, 0)) > 0)
        length += (size_t)got;
    return (uint32_t)strtoul(text, NULL, 10);
}

/* One connection from the dialling to its end. */
static struct redial_outcome connection(void *user, const struct redial_attempt *attempt)
{
    struct link *link = user;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int error = fd < 0 ? errno : open_up(fd, &link->server);
    struct redial_outcome outcome = error == ECANCELED ? redial_retry(error) : redial_errno(error);
    (void)attempt;
    if (error == 0) {
        uint32_t since_ms = link->env.now_ms(&link->env), retry_after_ms = use(fd);
        outcome = redial_disconnected(ECONNRESET, link->env.now_ms(&link->env) - since_ms);
        outcome.retry_after_ms = retry_after_ms;
    }
    if (fd >= 0)
        close(fd);
    return outcome;
}

static void print_retry(const struct redial_env *env, const struct redial_event *event)
{
    (void)env;
    printf("retry %u in %5u ms: was up %u ms, %s\n", (unsigned)event->retry, (unsigned)event->delay_ms,
           (unsigned)event->outcome.uptime_ms, strerror(event->outcome.code));
    fflush(stdout);
}

static void *stay_connected(void *user)
{
    static const struct redial_policy policy = {
        .base_ms = 50, .cap_ms = 30000, .jitter_ms = 20, .max_retries = REDIAL_NO_LIMIT, .min_uptime_ms = STEADY_MS };
    struct link *link = user;
    link->env = *redial_system();
    link->env.wait_ms = wait_ms;
    link->env.cancelled = cancelled;
    link->env.on_wait = print_retry;
    redial_run(&policy, &link->env, connection, link, &link->report);
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

/* f: greets and hangs up; h: never greets; s: is up for long; b: asks to be left alone for 20 s, and hangs up. */
static void *play(void *user)
{
    const char *script = "ffhsfffb";
    const int *listener = user;
    for (; *script; script++) {
        char end;
        int fd = accept(*listener, NULL, NULL);
        if (*script != 'h')
            say(fd, "+");
        else if (recv(fd, &end, 1, 0) != 0)     /* returns when the client has lost its patience */
            perror("reconnect: server");
        if (*script == 's')
            pause_for(UP_S, 0);
        if (*script == 'b')
            say(fd, "20000");
        close(fd);
    }
    pause_for(0, 500);
    stop(0);
    return NULL;
}

int main(void)
{
    static struct link link;
    static int listener;
    pthread_t client, server;
    uint16_t port;
    listener = loopback_socket(&port);
    if (listener < 0 || listen(listener, 4) != 0 || pipe(stop_pipe) != 0) {
        perror("reconnect");
        return 1;
    }
    link.server = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port),
                                        .sin_addr = { htonl(INADDR_LOOPBACK) } };
    signal(SIGINT, stop);
    signal(SIGPIPE, SIG_IGN);   /* a peer that went away is an error of send() */
    if (pthread_create(&server, NULL, play, &listener) != 0 || pthread_detach(server) != 0
        || pthread_create(&client, NULL, stay_connected, &link) != 0) {
        fprintf(stderr, "reconnect: no thread could be started\n");
        return 1;
    }
    pthread_join(client, NULL);
    printf("%s after %u connections and %u ms\n", redial_verdict_name((int)link.report.verdict),
           (unsigned)link.report.attempts, (unsigned)link.report.elapsed_ms);
    return link.report.verdict == REDIAL_CANCELLED ? 0 : 1;
}
