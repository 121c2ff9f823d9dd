/* The server of demo_server.h. SPDX-License-Identifier: MIT */
#include "demo_server.h"
#include "loopback.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The clients send a request in one piece. */
static void serve(int fd, demo_server_answer *answer)
{
    char request[2048], path[1024], text[2048];
    ssize_t length = recv(fd, request, sizeof request - 1, 0);
    if (length > 0) {
        request[length] = '\0';
        if (sscanf(request, "GET %1023s", path) == 1)
            send(fd, text, (size_t)snprintf(text, sizeof text, "HTTP/1.0 %s", answer(path)),
                 MSG_NOSIGNAL);
    }
    close(fd);
}

/* Runs in the child process. */
static _Noreturn void serve_all(int listener, int alive, demo_server_answer *answer)
{
    struct pollfd fds[2] = { { listener, POLLIN, 0 }, { alive, POLLIN, 0 } };
    signal(SIGINT, SIG_IGN);   /* the parent handles Ctrl-C */
    while (poll(fds, 2, -1) < 0 || !fds[1].revents)   /* it is closed when the parent ends */
        if (fds[0].revents)
            serve(accept(listener, NULL, NULL), answer);
    _exit(0);
}

int demo_server_start(struct demo_server *server, demo_server_answer *answer)
{
    int alive[2], listener = loopback_socket(&server->port);
    if (listener < 0 || listen(listener, SOMAXCONN) != 0 || pipe(alive) != 0)
        return -1;
    setenv("no_proxy", "127.0.0.1", 1);   /* libcurl asks no proxy for it */
    fflush(NULL);   /* otherwise the child would print it again */
    server->pid = fork();
    if (server->pid == 0) {
        close(alive[1]);
        serve_all(listener, alive[0], answer);
    }
    close(listener);
    close(alive[0]);
    server->alive = alive[1];
    return server->pid > 0 ? 0 : -1;
}

void demo_server_stop(const struct demo_server *server)
{
    close(server->alive);
    waitpid(server->pid, NULL, 0);
}
