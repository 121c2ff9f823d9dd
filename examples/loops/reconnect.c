/* A connection that should stay up, and that Ctrl-C ends at once: REDIAL_NO_LIMIT, min_uptime_ms,
   uptime_ms. SPDX-License-Identifier: MIT

       nc -lk 7000                  a server: what you type goes to its clients
       reconnect 127.0.0.1 7000     prints what the server sends, for ever

   Uptime begins with the first byte from the server. So the backoff keeps growing if the server
   closes soon after it, or accepts and says nothing. The signal makes interrupt_fd() readable,
   which poll() watches together with the socket. To copy: from `struct link` to
   `stay_connected`. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../common/interrupt.h"
#include "../common/stdout.h"

/* Half of attempt_ms is for connecting, and half for the first byte. After min_uptime_ms an outage
   is a new one, and begins with the first wait. */
static const struct redial_policy policy = {
    .base_ms = 500, .cap_ms = 32000, .jitter = REDIAL_JITTER_WIDE, .max_retries = REDIAL_NO_LIMIT,
    .attempt_ms = 5000, .min_uptime_ms = 10000
};

struct link {
    const char *host, *port;
    int stop_fd;
    const char *why;   /* the last attempt ended */
};

/* A connection may last for longer than 32 bits can count. */
static int64_t clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

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

/* Returns 0 or an errno value. Keepalive finds out that the server's machine is gone. */
static int connect_to(const struct link *link, const struct addrinfo *address, int timeout_ms,
                      int *fd)
{
    int error, yes = 1;
    socklen_t size = sizeof error;
    *fd = socket(address->ai_family, SOCK_STREAM, 0);
    if (*fd < 0 || setsockopt(*fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes) != 0
        || fcntl(*fd, F_SETFL, O_NONBLOCK) != 0
        || (connect(*fd, address->ai_addr, address->ai_addrlen) != 0 && errno != EINPROGRESS))
        return errno;
    error = ready(link, *fd, POLLOUT, timeout_ms);
    return error == 0 && getsockopt(*fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 ? errno : error;
}

/* A name may have several addresses, of which one alone answers: each has an equal part of the
   time. If none does, an error that may pass counts more than one that may not, such as a machine
   without IPv6. */
static int connect_any(const struct link *link, const struct addrinfo *all, int timeout_ms, int *fd)
{
    const struct addrinfo *one;
    int count = 0, error, why = 0;
    for (one = all; one; one = one->ai_next)
        count++;
    for (one = all; one; one = one->ai_next) {
        error = connect_to(link, one, timeout_ms / count, fd);
        if (error == 0)
            return 0;
        if (*fd >= 0)
            close(*fd);
        *fd = -1;
        why = why == 0 || redial_errno(error).kind == REDIAL_KIND_RETRY ? error : why;
    }
    return why;
}

/* Returns why the connection broke: an errno value, ECANCELED after a signal, or EIO if the output
   can't be written. */
static int print_all(const struct link *link, int fd)
{
    char piece[4096];
    ssize_t got = 1;
    int error = 0;
    while (error == 0 && (got = recv(fd, piece, sizeof piece, 0)) > 0) {
        if (fwrite(piece, 1, (size_t)got, stdout) < (size_t)got || fflush(stdout) != 0)
            return EIO;
        error = ready(link, fd, POLLIN, -1);
    }
    return got > 0 ? error : got == 0 ? ECONNRESET : errno;
}

/* A host that is not known, and a resolver that fails, may be there later: at boot, for example.
   The other errors are mistakes in the arguments. */
static struct redial_outcome not_found(struct link *link, int error)
{
    link->why = gai_strerror(error);
    return error == EAI_SERVICE || error == EAI_FAMILY || error == EAI_SOCKTYPE
                   || error == EAI_BADFLAGS ? redial_fail(error) : redial_retry(error, 0);
}

/* The operation: one connection from its beginning to its end. */
static struct redial_outcome stay_connected(void *user, const struct redial_attempt *attempt)
{
    struct link *link = user;
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *addresses;
    const int half_ms = (int)(attempt->timeout_ms / 2);
    struct redial_outcome outcome;
    int64_t since_ms, up_ms;
    int fd = -1, error = getaddrinfo(link->host, link->port, &hints, &addresses);
    if (error != 0)
        return not_found(link, error);
    error = connect_any(link, addresses, half_ms, &fd);
    freeaddrinfo(addresses);
    if (error == 0)
        error = ready(link, fd, POLLIN, half_ms);   /* the first byte */
    since_ms = clock_ms();
    if (error == 0)
        error = print_all(link, fd);
    up_ms = clock_ms() - since_ms;
    outcome = redial_errno(error);
    outcome.uptime_ms = up_ms < UINT32_MAX ? (uint32_t)up_ms : UINT32_MAX;
    if (fd >= 0)
        close(fd);
    link->why = strerror(error);
    return outcome;
}

static void print_wait(const struct redial_env *env, const struct redial_event *event)
{
    const struct link *link = env->user;
    fprintf(stderr, "%s after %u ms: retry %u in %u ms\n", link->why,
            (unsigned)event->outcome.uptime_ms, (unsigned)event->retry, (unsigned)event->delay_ms);
}

int main(int argc, char **argv)
{
    struct redial_env env = *redial_system();
    struct redial_report report;
    struct link link;
    stdout_begin();
    if (argc != 3) {
        fprintf(stderr, "usage: reconnect HOST PORT\n");
        return 2;
    }
    link = (struct link){ argv[1], argv[2], interrupt_fd(), "nothing was tried" };
    if (link.stop_fd < 0) {
        perror("reconnect");
        return 1;
    }
    env.cancelled = interrupt_cancelled;
    env.on_wait = print_wait;
    env.user = &link;
    interrupt_catch();
    redial_run(&policy, &env, stay_connected, &link, &report);
    fprintf(stderr, "%s after %u connections: %s\n", redial_verdict_name(report.verdict),
            (unsigned)report.attempts, link.why);
    return stdout_end("reconnect", EXIT_FAILURE);
}
