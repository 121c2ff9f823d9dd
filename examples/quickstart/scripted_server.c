/* SPDX-License-Identifier: MIT */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include "scripted_server.h"
#include "../common/loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the child ---- */

/* False: the parent has ended. */
static bool wait_for(int fd, int alive_fd)
{
    struct pollfd both[2] = { { fd, POLLIN, 0 }, { alive_fd, POLLIN, 0 } };
    while (poll(both, 2, -1) < 0 && errno == EINTR)
        continue;
    return both[1].revents == 0;
}

/* If the request were left unread, our close would reset the connection. */
static void read_request(int fd, int alive_fd)
{
    static const char end[] = "\r\n\r\n";
    size_t matched = 0;
    char c;
    while (matched < sizeof end - 1 && wait_for(fd, alive_fd) && recv(fd, &c, 1, 0) == 1)
        matched = c == end[matched] ? matched + 1 : c == '\r';
}

static bool send_bytes(int fd, const char *bytes, size_t length, size_t piece)
{
    while (length > 0) {
        ssize_t count = send(fd, bytes, piece < length ? piece : length, 0);
        if (count < 0)
            return false;
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

static void serve(int fd, int alive_fd, const struct scripted_answer *answer)
{
    static const struct linger no_linger = { 1, 0 };
    size_t length = answer->length ? answer->length : strlen(answer->bytes);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
    read_request(fd, alive_fd);
    while (send_bytes(fd, answer->bytes, length, answer->in_pieces ? 1 : length) && answer->then == THEN_REPEAT)
        continue;
    if (answer->then == THEN_RESET)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &no_linger, sizeof no_linger);
    if (answer->then != THEN_HANG)
        close(fd);
}

static void serve_all(int listener, int alive_fd, const struct scripted_answer *answers, size_t count)
{
    size_t next = 0;
    while (wait_for(listener, alive_fd)) {
        int fd = accept(listener, NULL, NULL);
        if (fd < 0)
            continue;
        serve(fd, alive_fd, &answers[next]);
        if (next + 1 < count)
            next++;
    }
}

/* ---- the parent ---- */

bool scripted_server_start(struct scripted_server *server, const struct scripted_answer *answers, size_t count)
{
    int alive[2];
    int listener = loopback_socket(&server->port);
    if (listener < 0)
        return false;
    if (listen(listener, 64) != 0 || pipe(alive) != 0) {
        close(listener);
        return false;
    }
    server->pid = fork();
    if (server->pid == 0) {
        signal(SIGPIPE, SIG_IGN);
        close(alive[1]);
        serve_all(listener, alive[0], answers, count);
        _exit(0);
    }
    close(listener);
    close(alive[0]);
    server->alive_fd = alive[1];
    if (server->pid < 0)
        close(alive[1]);
    return server->pid > 0;
}

void scripted_server_stop(struct scripted_server *server)
{
    kill(server->pid, SIGKILL);
    while (waitpid(server->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(server->alive_fd);
}
