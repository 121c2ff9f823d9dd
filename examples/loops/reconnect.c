/* A connection that should stay up, and that Ctrl-C ends at once: REDIAL_NO_LIMIT, min_uptime_ms,
   uptime_ms. SPDX-License-Identifier: MIT

       nc -lk 7000                  a server: what you type goes to its clients
       reconnect 127.0.0.1 7000     prints what the server sends, for ever

   Uptime begins with the first byte from the server. So the backoff keeps growing if the server
   closes soon after it, or accepts and says nothing. The signal makes interrupt_fd() readable,
   which poll() watches together with the socket. To copy: from `ready` to `stay_connected`. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../common/interrupt.h"

/* attempt_ms limits connecting and the wait for the first byte. After min_uptime_ms an outage is a
   new one, and begins with the first wait. */
static const struct redial_policy policy = {
    .base_ms = 500, .cap_ms = 32000, .max_retries = REDIAL_NO_LIMIT, .attempt_ms = 5000,
    .min_uptime_ms = 10000, .jitter = REDIAL_JITTER_WIDE
};

struct link {
    const char *host, *port;
    int stop_fd;
};

/* Waits until fd is ready. Returns 0 or an errno value. timeout_ms -1: for ever. */
static int ready(const struct link *link, int fd, short events, int timeout_ms)
{
    struct pollfd fds[] = { { link->stop_fd, POLLIN, 0 }, { fd, events, 0 } };
    int count = poll(fds, 2, timeout_ms);
    while (count < 0 && errno == EINTR)
        count = poll(fds, 2, timeout_ms);
    if (count <= 0)
        return count == 0 ? ETIMEDOUT : errno;
    return fds[0].revents ? ECANCELED : 0;
}

/* Connects, and waits for the first byte. Returns 0 or an errno value. */
static int open_up(const struct link *link, int fd, const struct addrinfo *address, int timeout_ms)
{
    int error, yes = 1;
    socklen_t size = sizeof error;
    /* Keepalive finds out that the server's machine is gone. */
    if (setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes) != 0
        || fcntl(fd, F_SETFL, O_NONBLOCK) != 0)
        return errno;
    if (connect(fd, address->ai_addr, address->ai_addrlen) != 0 && errno != EINPROGRESS)
        return errno;
    error = ready(link, fd, POLLOUT, timeout_ms);
    if (error == 0 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        return errno;
    return error ? error : ready(link, fd, POLLIN, timeout_ms);
}

/* Returns why the connection broke: an errno value, or ECANCELED after a signal. *any: the server
   said something. */
static int print_all(const struct link *link, int fd, bool *any)
{
    char piece[4096];
    ssize_t got = 1;
    int error = 0;
    while (error == 0 && (got = recv(fd, piece, sizeof piece, 0)) > 0) {
        *any = true;
        fwrite(piece, 1, (size_t)got, stdout);
        fflush(stdout);
        error = ready(link, fd, POLLIN, -1);
    }
    return got > 0 ? error : got == 0 ? ECONNRESET : errno;
}

/* The operation: one connection from its beginning to its end. After a signal, `cancelled` ends the
   run, whatever the outcome is. */
static struct redial_outcome stay_connected(void *user, const struct redial_attempt *attempt)
{
    const struct link *link = user;
    const struct redial_env *env = attempt->env;
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *address;
    struct redial_outcome outcome;
    uint32_t since_ms;
    bool any = false;
    int fd, error = getaddrinfo(link->host, link->port, &hints, &address);
    if (error != 0)
        return error == EAI_AGAIN ? redial_retry(EAGAIN, 0) : redial_fail(ENXIO);
    fd = socket(address->ai_family, SOCK_STREAM, 0);
    error = fd < 0 ? errno : open_up(link, fd, address, (int)attempt->timeout_ms);
    freeaddrinfo(address);
    since_ms = env->now_ms(env);
    if (error == 0)
        error = print_all(link, fd, &any);
    outcome = error == ECANCELED ? redial_retry(error, 0) : redial_errno(error);
    if (any)
        outcome.uptime_ms = env->now_ms(env) - since_ms;
    if (fd >= 0)
        close(fd);
    return outcome;
}

static void print_wait(const struct redial_env *env, const struct redial_event *event)
{
    (void)env;
    fprintf(stderr, "%s after %u ms: retry %u in %u ms\n", strerror(event->outcome.code),
            (unsigned)event->outcome.uptime_ms, (unsigned)event->retry, (unsigned)event->delay_ms);
}

int main(int argc, char **argv)
{
    struct redial_env env = *redial_system();
    struct redial_report report;
    struct link link;
    if (argc != 3) {
        fprintf(stderr, "usage: reconnect HOST PORT\n");
        return 2;
    }
    link = (struct link){ argv[1], argv[2], interrupt_fd() };
    if (link.stop_fd < 0) {
        perror("reconnect");
        return 1;
    }
    env.cancelled = interrupt_cancelled;
    env.on_wait = print_wait;
    interrupt_catch();
    redial_run(&policy, &env, stay_connected, &link, &report);
    fprintf(stderr, "%s after %u connections: %s\n", redial_verdict_name(report.verdict),
            (unsigned)report.attempts, strerror(report.last.code));
    return 1;
}
