/* A connection that should stay up: redial_disconnected, min_uptime_ms, REDIAL_NO_LIMIT, and how to stop it.

       reconnect        a built-in server follows a script for about four seconds, then sends Ctrl-C

   Uptime begins with the server's greeting. So the backoff keeps growing if the server closes soon after the greeting,
   or accepts and never greets. A connection that worked for min_uptime_ms resets the call. Only a signal ends the call:
   retries and time have no limit, and a wait that the server asks for is shortened to what the policy accepts.

   The signal makes interrupt_fd() readable, which poll() watches together with the socket. So it ends a wait, a read
   and a connect at once. To copy: from struct link to stay_connected. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "../common/interrupt.h"
#include "../common/loopback.h"
#include "options.h"

#define GREETING_MS 1000    /* how long the client waits for the greeting */
#define MIN_UPTIME_MS 500
#define LONGEST_WAIT_MS 30000

struct link {
    struct sockaddr_in server;
    struct redial_report report;
};

static int stop_fd;

/* ---- waiting ---- */

/* Waits until fd is ready (-1: there is none), a signal came, or ms are over. True: fd is ready. False: see errno. */
static bool ready(int fd, short events, uint32_t ms)
{
    const struct redial_env *system = redial_system();
    struct pollfd fds[2] = { { .fd = stop_fd, .events = POLLIN }, { .fd = fd, .events = events } };
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

/* Uses the connection until it breaks. The last line may be the wait that the server asks for, in milliseconds. */
static uint32_t use(int fd)
{
    char piece[256], line[16] = "";
    size_t length = 0;
    ssize_t got, i;
    unsigned long ms;
    while (ready(fd, POLLIN, UINT32_MAX) && (got = recv(fd, piece, sizeof piece, 0)) > 0)
        for (i = 0; i < got; i++) {
            if (length < sizeof line - 1)   /* the rest of a long line is dropped */
                line[length++] = piece[i];
            if (piece[i] == '\n')
                length = 0;
            line[length] = '\0';
        }
    ms = strtoul(line, NULL, 10);
    return ms < LONGEST_WAIT_MS ? (uint32_t)ms : LONGEST_WAIT_MS;
}

/* One connection from its beginning to its end. Once stop_fd is readable, the outcome makes no difference. */
static struct redial_outcome connection(void *user, const struct redial_attempt *attempt)
{
    const struct redial_env *env = attempt->env;
    struct link *link = user;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int error = fd < 0 ? errno : open_up(fd, &link->server);
    struct redial_outcome outcome = error == ECANCELED ? redial_retry(error, 0) : redial_errno(error);
    if (error == 0) {
        uint32_t since_ms = env->now_ms(env), retry_after_ms = use(fd);
        outcome = redial_retry(ECONNRESET, retry_after_ms);
        outcome.uptime_ms = env->now_ms(env) - since_ms;
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

static void stay_connected(struct link *link)
{
    static const struct redial_policy policy = {
        .base_ms = 50, .cap_ms = 30000, .jitter_ms = 20, .max_retries = REDIAL_NO_LIMIT,
        .max_retry_after_ms = LONGEST_WAIT_MS, .min_uptime_ms = MIN_UPTIME_MS };
    struct redial_env env = *redial_system();
    env.wait_ms = wait_ms;
    env.cancelled = interrupt_cancelled;
    env.on_wait = print_wait;
    redial_run(&policy, &env, connection, link, &link->report);
}

/* ---- the built-in server ---- */

static void pause_ms(long ms)
{
    struct timespec time = { ms / 1000, ms % 1000 * 1000000 };
    nanosleep(&time, NULL);
}

static void say(int fd, const char *text)
{
    send(fd, text, strlen(text), MSG_NOSIGNAL);
}

/* f: greets and closes. l: greets late. h: never greets. s: works for longer than MIN_UPTIME_MS. b: asks for a wait of
   90 s, more than the policy accepts, and closes. */
static void serve(int listener)
{
    const char *script = "fflhsfffb";
    char end;
    for (; *script; script++) {
        int fd = accept(listener, NULL, NULL);
        if (*script == 'l')
            pause_ms(MIN_UPTIME_MS + 100);
        if (*script == 'h')
            recv(fd, &end, 1, 0);   /* returns when the client gives up */
        else
            say(fd, "+");
        if (*script == 's') {
            say(fd, "this is data, and more than fits into the buffer for the line\n");
            pause_ms(2 * MIN_UPTIME_MS);
        }
        if (*script == 'b')
            say(fd, "this is data\n90000");
        close(fd);
    }
    pause_ms(500);
    kill(getppid(), SIGINT);
}

int main(int argc, char **argv)
{
    static const struct option none[] = { { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL } };
    static struct link link = { .server = { .sin_family = AF_INET, .sin_addr = { 0 } } };
    uint16_t port;
    int listener;
    pid_t server;
    options_read(argc, argv, "reconnect: a connection that reconnects. It takes no options.", none);
    listener = loopback_socket(&port);
    stop_fd = interrupt_fd();
    if (listener < 0 || stop_fd < 0 || listen(listener, 4) != 0 || (server = fork()) < 0) {
        perror("reconnect");
        return 1;
    }
    if (server == 0) {
        signal(SIGINT, SIG_IGN);
        serve(listener);
        _exit(0);
    }
    interrupt_catch();
    link.server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    link.server.sin_port = htons(port);
    stay_connected(&link);
    printf("%s after %u connections and %u ms\n", redial_verdict_name(link.report.verdict),
           (unsigned)link.report.attempts, (unsigned)link.report.elapsed_ms);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    return 0;
}
