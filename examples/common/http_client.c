/* The part of HTTP (RFC 9112) that one GET needs. SPDX-License-Identifier: MIT */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http_client.h"
#include "http_header.h"

#define STOP_MS 25   /* how often *stop is checked */

struct request {
    const struct http_url *url;
    uint32_t began_ms, timeout_ms;
    const volatile sig_atomic_t *stop;
    int fd;
    size_t length;       /* of the answer so far */
    const char *why;     /* the host was not found; NULL: errno says what happened */
};

/* ---- URL ---- */

static bool parse_target(const char *text, struct http_url *url)
{
    const char *c;
    for (c = text; *c; c++)
        if (*c <= ' ' || *c >= 0x7f || *c == '#')
            return false;
    return snprintf(url->target, sizeof url->target, "%s%s", *text == '/' ? "" : "/", text)
           < (int)sizeof url->target;
}

bool http_parse_url(const char *text, struct http_url *url)
{
    const char *authority = text + strlen("http://"), *end;
    int length = 0;
    if (sscanf(text, "http://%255[0-9A-Za-z._-]%n", url->host, &length) != 1)
        return false;
    end = text + length;
    strcpy(url->port, "80");
    if (*end == ':') {
        if (sscanf(end, ":%5[0-9]%n", url->port, &length) != 1 || atoi(url->port) < 1
            || atoi(url->port) > 65535)
            return false;
        end += length;
    }
    if (*end != '\0' && *end != '/' && *end != '?')
        return false;
    snprintf(url->authority, sizeof url->authority, "%.*s", (int)(end - authority), authority);
    return parse_target(end, url);
}

/* ---- the socket ---- */

/* False: see errno. Called before each step, so *stop is checked even if the socket is always
   ready. */
static bool ready(const struct request *request, short events)
{
    const struct redial_env *system = redial_system();
    struct pollfd waiting = { request->fd, events, 0 };
    int count = 0;
    while (count == 0 || (count < 0 && errno == EINTR)) {
        uint32_t spent_ms = system->now_ms(system) - request->began_ms;
        uint32_t left_ms = spent_ms < request->timeout_ms ? request->timeout_ms - spent_ms : 0;
        errno = request->stop && *request->stop ? EINTR : ETIMEDOUT;
        if (errno == EINTR || left_ms == 0)
            return false;
        count = poll(&waiting, 1, left_ms < STOP_MS ? (int)left_ms : STOP_MS);
    }
    return count > 0;
}

static bool connect_to(struct request *request, const struct addrinfo *address)
{
    int error = 0;
    socklen_t size = sizeof error;
    request->fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    if (request->fd < 0 || fcntl(request->fd, F_SETFD, FD_CLOEXEC) != 0
        || fcntl(request->fd, F_SETFL, O_NONBLOCK) != 0)
        return false;
    if ((connect(request->fd, address->ai_addr, address->ai_addrlen) != 0 && errno != EINPROGRESS)
        || !ready(request, POLLOUT)
        || getsockopt(request->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        return false;
    errno = error;
    return error == 0;
}

static void close_socket(struct request *request)
{
    int error = errno;
    if (request->fd >= 0)
        close(request->fd);
    request->fd = -1;
    errno = error;
}

/* A host that is not known, and a resolver that fails, may be there later: at boot, for example.
   The other errors are mistakes in the arguments. */
static bool may_be_found_later(int error)
{
    return error != EAI_SERVICE && error != EAI_FAMILY && error != EAI_SOCKTYPE
           && error != EAI_BADFLAGS;
}

/* Tries one address of the host after the other. */
static bool connect_host(struct request *request)
{
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *addresses, *one;
    bool connected = false;
    int error = getaddrinfo(request->url->host, request->url->port, &hints, &addresses);
    if (error != 0) {
        request->why = gai_strerror(error);
        errno = may_be_found_later(error) ? EAGAIN : ENXIO;
        return false;
    }
    for (one = addresses; one && !connected; one = one->ai_next) {
        close_socket(request);
        connected = connect_to(request, one);
    }
    freeaddrinfo(addresses);
    return connected;
}

/* The request fits into the buffer of a new socket, so one send() takes all of it. */
static bool send_request(const struct request *request)
{
    char text[1536];
    int length =
        snprintf(text, sizeof text, "GET %s HTTP/1.0\r\nHost: %s\r\nConnection: close\r\n\r\n",
                 request->url->target, request->url->authority);
    return ready(request, POLLOUT)
           && send(request->fd, text, (size_t)length, MSG_NOSIGNAL) == length;
}

/* Reads up to the end of the connection. */
static bool receive(struct request *request, char *text, size_t size)
{
    ssize_t count = 1;
    while (count != 0 && request->length < size - 1) {
        if (!ready(request, POLLIN))
            return false;
        count = recv(request->fd, text + request->length, size - 1 - request->length, 0);
        if (count < 0 && errno != EAGAIN)
            return false;
        request->length += count > 0 ? (size_t)count : 0;
        text[request->length] = '\0';
    }
    errno = EMSGSIZE;
    return count == 0;
}

/* ---- the answer ---- */

/* Returns 0 or an errno value. */
static int read_answer(struct http_result *result, const char *text, size_t length)
{
    const char *header = http_header_whole(text);
    struct redial_outcome outcome;
    char expected[64];
    if (strncmp(text, "HTTP/1.", strlen(text) < 7 ? strlen(text) : 7) != 0)
        return EPROTO;
    if (!header)
        return ECONNABORTED;
    outcome = http_header_outcome(header);
    result->body = strstr(header, "\r\n\r\n") + 4;
    if (outcome.code < 0)
        return -outcome.code;
    result->status = outcome.code;
    result->retry_after_ms = outcome.retry_after_ms;
    length -= (size_t)(result->body - text);
    http_header_field(header, "Content-Length", expected);
    return length < strtoul(expected, NULL, 10) ? ECONNABORTED : 0;
}

/* ---- the whole request ---- */

struct http_result http_get(const struct http_url *url, uint32_t timeout_ms,
                            const volatile sig_atomic_t *stop, char *text, size_t size)
{
    const struct redial_env *system = redial_system();
    struct request request = { url, system->now_ms(system), timeout_ms, stop, -1, 0, NULL };
    struct http_result result = { .problem = "could not connect" };
    bool whole = false;
    text[0] = '\0';
    if (connect_host(&request)) {
        result.problem = "no whole answer";
        whole = send_request(&request) && receive(&request, text, size);
    }
    result.error = errno;
    close_socket(&request);
    if (whole || request.length > 0) {   /* a part of an answer may say enough */
        int error = read_answer(&result, text, request.length);
        result.error = whole || error == EPROTO ? error : result.error;
    }
    result.problem = result.error ? result.problem : NULL;
    if (result.error)
        result.why = request.why ? request.why : strerror(result.error);
    return result;
}

struct redial_outcome http_outcome(const struct http_result *result)
{
    struct redial_outcome outcome = redial_errno(result->error);
    outcome.retry_after_ms = result->retry_after_ms;
    return result->error ? outcome : redial_http(result->status, result->retry_after_ms, "GET");
}
