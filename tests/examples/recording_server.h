/* A server on loopback that keeps what it is sent and answers from a script. SPDX-License-Identifier: MIT

   Request k gets step k after its whole body has come. Requests after the last step are counted, and their connections
   are closed without an answer. */
#ifndef RECORDING_SERVER_H
#define RECORDING_SERVER_H

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "request_text.h"
#include "../../examples/common/loopback.h"

#ifndef RECORDED_REQUESTS   /* a test may want others */
#define RECORDED_REQUESTS 8
#define RECORDED_BYTES (256 * 1024)
#endif

enum then { CLOSE = 0, KEEP, HANG, RESET };

struct step {
    const char *answer;
    enum then then;
    size_t enough;   /* so many bytes of the request are read; 0: all of it */
};

struct recording_server {
    int listener, stop[2];
    uint16_t port;
    pthread_t thread;
    const struct step *steps;
    unsigned count;
    atomic_uint answered;
    int hung[RECORDED_REQUESTS];
    char requests[RECORDED_REQUESTS][RECORDED_BYTES];
};

/* ---- the thread ---- */

/* False: the server is stopped. */
static inline bool readable(const struct recording_server *server, int fd)
{
    struct pollfd both[2] = { { fd, POLLIN, 0 }, { server->stop[0], POLLIN, 0 } };
    poll(both, 2, -1);
    return both[1].revents == 0;
}

static inline bool is_whole(const char *request, size_t length, size_t enough)
{
    return length >= (enough ? enough : body_of(request) ? length_of(request) : RECORDED_BYTES - 1);
}

/* False: it did not come to its end. */
static inline bool receive(const struct recording_server *server, int fd, char *request, size_t enough)
{
    size_t length = 0;
    while (!is_whole(request, length, enough) && readable(server, fd)) {
        ssize_t more = recv(fd, request + length, RECORDED_BYTES - 1 - length, 0);
        if (more <= 0)
            return false;
        length += (size_t)more;
        request[length] = '\0';
    }
    return true;
}

static inline int after(struct recording_server *server, unsigned k, int fd)
{
    static const struct linger abort_it = { 1, 0 };
    if (server->steps[k].then == KEEP)
        return fd;
    if (server->steps[k].then == RESET)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &abort_it, sizeof abort_it);
    if (server->steps[k].then == HANG)
        server->hung[k] = fd;
    else
        close(fd);
    return -1;
}

static inline void *serve(void *user)
{
    struct recording_server *server = user;
    int fd = -1;
    for (unsigned k = 0; readable(server, fd < 0 ? server->listener : fd);) {
        if (fd < 0)
            fd = accept(server->listener, NULL, NULL);
        if (k < server->count && receive(server, fd, server->requests[k], server->steps[k].enough)) {
            send(fd, server->steps[k].answer, strlen(server->steps[k].answer), MSG_NOSIGNAL);
            fd = after(server, k++, fd);
            atomic_fetch_add(&server->answered, 1);
        } else {
            close(fd);   /* a kept connection that was given up, too */
            fd = -1;
            if (k == server->count)
                atomic_fetch_add(&server->answered, 1);
        }
    }
    if (fd >= 0)
        close(fd);
    return NULL;
}

/* ---- the test ---- */

/* Listens from now on; the same port for all scripts. */
static inline bool recording_server_open(struct recording_server *server)
{
    server->listener = loopback_socket(&server->port);
    return server->listener >= 0 && listen(server->listener, 64) == 0;
}

static inline bool recording_server_start(struct recording_server *server, const struct step *steps, unsigned count)
{
    server->steps = steps;
    server->count = count;
    atomic_store(&server->answered, 0);
    for (unsigned k = 0; k < RECORDED_REQUESTS; k++) {
        server->hung[k] = -1;
        server->requests[k][0] = '\0';
    }
    return count <= RECORDED_REQUESTS && pipe(server->stop) == 0
           && pthread_create(&server->thread, NULL, serve, server) == 0;
}

/* How many requests were made. */
static inline unsigned recording_server_stop(struct recording_server *server)
{
    close(server->stop[1]);
    pthread_join(server->thread, NULL);
    close(server->stop[0]);
    for (unsigned k = 0; k < RECORDED_REQUESTS; k++)
        if (server->hung[k] >= 0)
            close(server->hung[k]);
    return atomic_load(&server->answered);
}

#endif
