/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../../examples/common/loopback.h"
#include "server.h"

#define CONNECTIONS 128   /* at once */
#define PIECE 65536
#define MOMENT_MS 2

struct connection {
    int fd;                      /* -1: none */
    unsigned number;
    struct server_request got;   /* so far */
    long request;                /* its request that has no answer yet; -1: none */
    bool hung;
};

/* ---- requests ---- */

static const char *header(const struct server_request *request, const char *name, size_t *length)
{
    const char *line = request->text;
    while ((line = strstr(line, "\r\n")) != NULL && line + 2 < request->body) {
        line += 2;
        if (strncasecmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ':') {
            line += strlen(name) + 1;
            line += strspn(line, " ");
            *length = strcspn(line, "\r");
            return line;
        }
    }
    *length = 0;
    return "";
}

static bool is_whole(const struct server_request *request)
{
    size_t ignored;
    if (!strstr(request->text, "\r\n\r\n"))
        return false;
    return (size_t)(request->text + request->length - request->body)
           >= strtoul(header(request, "Content-Length", &ignored), NULL, 10);
}

static bool has_path(const struct server_request *request, const char *path)
{
    const char *at = strchr(request->text, ' ');
    return at && strncmp(at + 1, path, strlen(path)) == 0 && strchr(" ?\r", at[1 + strlen(path)]);
}

/* ---- answers ---- */

static const struct answer no_answer = { "", CLOSE };

/* NULL: the request is not there yet. */
static const struct answer *from_table(struct server *server, const struct server_request *request)
{
    unsigned i;
    for (i = 0; i < server->rows; i++) {
        const struct answer *row = &server->answers[i];
        if (server->used[i] || (row->path && !has_path(request, row->path)))
            continue;
        if (row->enough ? request->length < row->enough : !is_whole(request))
            return NULL;
        server->used[i] = !row->always;
        return row;
    }
    return is_whole(request) ? &no_answer : NULL;
}

static void drop(struct connection *connection)
{
    close(connection->fd);
    free(connection->got.text);
    connection->fd = -1;
}

static bool send_all(int fd, const struct answer *answer)
{
    size_t text = answer->bytes ? strlen(answer->bytes) : 0, sent = 0;
    size_t length = answer->length ? answer->length : text;
    while (sent < length) {
        ssize_t more = send(fd, answer->bytes + sent, length - sent, MSG_NOSIGNAL);
        if (more <= 0)
            return false;
        sent += (size_t)more;
    }
    return true;
}

static void give(struct connection *connection, const struct answer *answer)
{
    static const struct linger abort_it = { 1, 0 };
    connection->request = -1;
    while (send_all(connection->fd, answer) && answer->then == REPEAT)
        ;
    if (answer->then == RESET)
        setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &abort_it, sizeof abort_it);
    connection->hung = answer->then == HANG;
    if (answer->then != KEEP && answer->then != HANG)
        drop(connection);
}

/* ---- connections ---- */

static void must(bool condition)
{
    if (!condition) {
        fputs("the server of the tests has no memory, or too many connections\n", stderr);
        abort();
    }
}

/* Moves what came to the requests, where the test finds it. */
static void record(struct server *server, struct connection *connection)
{
    pthread_mutex_lock(&server->lock);
    server->requests = realloc(server->requests, (server->count + 1) * sizeof *server->requests);
    must(server->requests);
    connection->got.connection = connection->number;
    connection->request = (long)server->count;
    server->requests[server->count++] = connection->got;
    memset(&connection->got, 0, sizeof connection->got);
    pthread_cond_broadcast(&server->arrived);
    pthread_mutex_unlock(&server->lock);
}

/* False: the client has gone. */
static bool read_more(struct connection *connection)
{
    struct server_request *got = &connection->got;
    const char *end;
    ssize_t more;
    got->text = realloc(got->text, got->length + PIECE + 1);
    must(got->text);
    more = recv(connection->fd, got->text + got->length, PIECE, 0);
    if (more <= 0)
        return false;
    got->length += connection->hung ? 0 : (size_t)more;
    got->text[got->length] = '\0';
    end = strstr(got->text, "\r\n\r\n");
    got->body = end ? end + 4 : got->text + got->length;
    return true;
}

static void accept_one(struct server *server, struct connection *connections)
{
    unsigned i = 0;
    while (i < CONNECTIONS && connections[i].fd >= 0)
        i++;
    must(i < CONNECTIONS);
    memset(&connections[i], 0, sizeof connections[i]);
    connections[i].fd = accept(server->listener, NULL, NULL);
    connections[i].number = ++server->connections;
    connections[i].request = -1;
    /* A program that a test starts must not hold it open. */
    fcntl(connections[i].fd, F_SETFD, FD_CLOEXEC);
    setsockopt(connections[i].fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
    if (server->greeting)
        send(connections[i].fd, server->greeting, strlen(server->greeting), MSG_NOSIGNAL);
}

/* Returns whether a request waits for the function that chooses. */
static bool look_at(struct server *server, struct connection *connection, bool readable)
{
    const struct answer *answer = NULL;
    if (readable && !read_more(connection)) {
        drop(connection);
        return false;
    }
    if (connection->request < 0 && connection->got.length > 0) {
        if (!server->choose)
            answer = from_table(server, &connection->got);
        if (answer || (server->choose && is_whole(&connection->got)))
            record(server, connection);
    }
    if (connection->request >= 0 && server->choose)
        answer = server->choose(server, (unsigned)connection->request);
    if (answer)
        give(connection, answer);
    return connection->fd >= 0 && connection->request >= 0;
}

static void *serve(void *user)
{
    struct server *server = user;
    struct connection connections[CONNECTIONS];
    struct pollfd fds[CONNECTIONS + 2];
    bool waiting = false;
    unsigned i;
    int ready;
    for (i = 0; i < CONNECTIONS; i++)
        connections[i].fd = -1;
    for (;;) {
        nfds_t used = 2;   /* poll refuses more entries than files may be open */
        fds[0] = (struct pollfd){ server->listener, POLLIN, 0 };
        fds[1] = (struct pollfd){ server->stop[0], POLLIN, 0 };
        for (i = 0; i < CONNECTIONS; i++) {
            fds[i + 2] = (struct pollfd){ connections[i].fd, POLLIN, 0 };
            used = connections[i].fd >= 0 ? i + 3 : used;
        }
        ready = poll(fds, used, waiting ? MOMENT_MS : -1);
        if (fds[1].revents && ready == 1)   /* all that clients sent before has been read */
            break;
        waiting = false;
        for (i = 0; i + 2 < used; i++)
            if (fds[i + 2].fd >= 0)
                waiting |= look_at(server, &connections[i], fds[i + 2].revents != 0);
        if (fds[0].revents)
            accept_one(server, connections);
    }
    for (i = 0; i < CONNECTIONS; i++)
        if (connections[i].fd >= 0)
            drop(&connections[i]);
    return NULL;
}

/* ---- the test ---- */

/* -1: the system refused. Programs that the test starts do not get it. */
static int bound_socket(uint16_t *port)
{
    int fd = loopback_socket(port);
    if (fd >= 0)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

static int unix_socket(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    unlink(path);
    return bind(fd, (struct sockaddr *)&address, sizeof address) == 0 ? fd : -1;
}

uint16_t closed_port(void)
{
    static uint16_t port;
    must(port > 0 || bound_socket(&port) >= 0);
    return port;
}

static bool start(struct server *server)
{
    while (server->count > 0)
        free(server->requests[--server->count].text);
    free(server->requests);
    free(server->used);
    server->requests = NULL;
    server->connections = 0;
    server->used = calloc(server->rows + 1, sizeof *server->used);
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->arrived, NULL);
    server->listener = server->path ? unix_socket(server->path) : bound_socket(&server->port);
    server->running = server->used && server->listener >= 0 && listen(server->listener, 64) == 0
                      && pipe(server->stop) == 0 && fcntl(server->stop[1], F_SETFD, FD_CLOEXEC) == 0
                      && pthread_create(&server->thread, NULL, serve, server) == 0;
    return server->running;
}

bool server_start(struct server *server, const struct answer *answers, unsigned rows)
{
    server_stop(server);
    server->answers = answers;
    server->rows = rows;
    server->choose = NULL;
    return start(server);
}

bool server_start_with(struct server *server, server_choose *choose)
{
    server_stop(server);
    server->rows = 0;
    server->choose = choose;
    return start(server);
}

void server_await(struct server *server, unsigned count)
{
    pthread_mutex_lock(&server->lock);
    while (server->count < count)
        pthread_cond_wait(&server->arrived, &server->lock);
    pthread_mutex_unlock(&server->lock);
}

unsigned server_stop(struct server *server)
{
    if (server->running) {
        server->running = false;
        close(server->stop[1]);
        pthread_join(server->thread, NULL);
        close(server->stop[0]);
        close(server->listener);
        if (server->path)
            unlink(server->path);
    }
    return server->count;
}

const char *server_header(const struct server *server, unsigned k, const char *name)
{
    static char value[256];
    size_t length;
    const char *found = header(&server->requests[k], name, &length);
    snprintf(value, sizeof value, "%.*s", (int)length, found);
    return value;
}

bool server_was_asked(const struct server *server, unsigned k, const char *method_and_path)
{
    const struct server_request *request = k < server->count ? &server->requests[k] : NULL;
    size_t length = strlen(method_and_path);
    return request && strncmp(request->text, method_and_path, length) == 0
           && strchr(" \r", request->text[length]);
}
