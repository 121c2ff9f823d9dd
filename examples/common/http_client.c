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
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "http_client.h"

#define DIGITS "0123456789"
#define TO_THE_CLOSE UINT64_MAX   /* the length of a body that ends with the connection */
#define STOP_MS 25                /* how often *stop is checked */

struct stream {
    int fd;                       /* -1: not open */
    int64_t end_ms;               /* the end of timeout_ms */
    const volatile sig_atomic_t *stop;
    struct http_result *result;
    size_t length;                /* of the data in bytes; a zero always follows it */
    char bytes[HTTP_HEADER_MAX + 1];
};

/* ---- URL ---- */

static bool parse_target(const char *text, struct http_url *url)
{
    const char *c;
    for (c = text; *c; c++)
        if (*c <= ' ' || *c >= 0x7f || *c == '#')
            return false;
    return snprintf(url->target, sizeof url->target, "%s%s", *text == '/' ? "" : "/", text) < (int)sizeof url->target;
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
        if (sscanf(end, ":%5[0-9]%n", url->port, &length) != 1 || atoi(url->port) < 1 || atoi(url->port) > 65535)
            return false;
        end += length;
    }
    if (*end != '\0' && *end != '/' && *end != '?')
        return false;
    snprintf(url->authority, sizeof url->authority, "%.*s", (int)(end - authority), authority);
    return parse_target(end, url);
}

/* ---- failures; both return false, so that callers can pass it on ---- */

static bool broken(struct stream *stream, int error, const char *problem)
{
    stream->result->end = HTTP_BROKEN;
    stream->result->error = error;
    stream->result->problem = problem;
    return false;
}

static bool unusable(struct stream *stream, const char *problem)
{
    stream->result->end = HTTP_UNUSABLE;
    stream->result->error = 0;
    stream->result->problem = problem;
    return false;
}

/* ---- the socket ---- */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Called before each step, so *stop is checked even if the socket is always ready. */
static bool ready(struct stream *stream, short events, const char *problem)
{
    struct pollfd waiting = { stream->fd, events, 0 };
    for (;;) {
        int64_t left = stream->end_ms - now_ms();
        int count;
        if (stream->stop && *stream->stop)
            return broken(stream, EINTR, problem);
        if (left <= 0)
            return broken(stream, ETIMEDOUT, problem);
        count = poll(&waiting, 1, left < STOP_MS ? (int)left : STOP_MS);
        if (count > 0)
            return true;
        if (count < 0 && errno != EINTR)
            return broken(stream, errno, problem);
    }
}

static bool connect_to(struct stream *stream, const struct addrinfo *address)
{
    static const char problem[] = "could not connect";
    int error = 0;
    socklen_t size = sizeof error;
    stream->fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    if (stream->fd < 0 || fcntl(stream->fd, F_SETFD, FD_CLOEXEC) != 0 || fcntl(stream->fd, F_SETFL, O_NONBLOCK) != 0)
        return broken(stream, errno, problem);
    if (connect(stream->fd, address->ai_addr, address->ai_addrlen) != 0 && errno != EINPROGRESS)
        return broken(stream, errno, problem);
    if (!ready(stream, POLLOUT, problem))
        return false;
    if (getsockopt(stream->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        error = errno;
    return error == 0 || broken(stream, error, problem);
}

static void close_socket(struct stream *stream)
{
    if (stream->fd >= 0)
        close(stream->fd);
    stream->fd = -1;
}

/* Tries one address after the other. An address that does not answer leaves time for the next one. If none answers, an
   error that is worth a retry is reported: on a machine without IPv6, for example, the error of the IPv4 address. */
static bool connect_to_any(struct stream *stream, const struct addrinfo *address)
{
    const struct addrinfo *other;
    int64_t end_ms = stream->end_ms;
    int left = 0, error = 0;
    for (other = address; other; other = other->ai_next)
        left++;
    for (; address; address = address->ai_next) {
        bool connected;
        int64_t now = now_ms();
        stream->end_ms = now + (end_ms - now) / left--;
        connected = connect_to(stream, address);
        stream->end_ms = end_ms;
        if (connected)
            return true;
        close_socket(stream);
        if (redial_errno(error).kind != REDIAL_KIND_RETRY)
            error = stream->result->error;
    }
    return broken(stream, error, stream->result->problem);
}

static bool connect_host(struct stream *stream, const struct http_url *url)
{
    static const char problem[] = "could not look up the host";
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *addresses;
    bool connected;
    int why = getaddrinfo(url->host, url->port, &hints, &addresses);
    if (why == EAI_AGAIN || why == EAI_SYSTEM)
        return broken(stream, why == EAI_AGAIN ? EAGAIN : errno, problem);
    if (why != 0)
        return unusable(stream, "no such host");
    connected = connect_to_any(stream, addresses);
    freeaddrinfo(addresses);
    return connected;
}

/* The request fits into the buffer of a new socket, so one send() takes all of it. */
static bool send_request(struct stream *stream, const struct http_url *url)
{
    static const char problem[] = "could not send";
    char request[sizeof url->target + sizeof url->authority + 128];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.0\r\nHost: %s\r\nUser-Agent: redial-example\r\n"
                          "Accept: */*\r\n\r\n", url->target, url->authority);
    if (!ready(stream, POLLOUT, problem))
        return false;
    return send(stream->fd, request, (size_t)length, MSG_NOSIGNAL) == length || broken(stream, errno, problem);
}

/* Appends received data to bytes. Returns its length; 0: the server has closed; -1: broken. */
static ssize_t receive(struct stream *stream)
{
    static const char problem[] = "could not receive";
    ssize_t count;
    do {
        if (!ready(stream, POLLIN, problem))
            return -1;
        count = recv(stream->fd, stream->bytes + stream->length, HTTP_HEADER_MAX - stream->length, 0);
    } while (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
    if (count < 0) {
        broken(stream, errno, problem);
        return -1;
    }
    stream->length += (size_t)count;
    stream->bytes[stream->length] = '\0';
    return count;
}

/* ---- the header ---- */

/* Returns how many header fields have this name. *value is that of the last one, without the blanks around it. */
struct field {
    unsigned count;
    const char *value;
    size_t length;
};

static struct field find_field(const char *header, const char *name)
{
    struct field field = { 0, "", 0 };
    size_t length = strlen(name);
    const char *line = strstr(header, "\r\n") + 2;
    for (; *line != '\r'; line = strstr(line, "\r\n") + 2)
        if (strncasecmp(line, name, length) == 0 && line[length] == ':') {
            field.count++;
            field.value = line + length + 1 + strspn(line + length + 1, " \t");
            field.length = strcspn(field.value, "\r");
            while (field.length > 0 && strchr(" \t", field.value[field.length - 1]))
                field.length--;
        }
    return field;
}

/* If Retry-After came twice, it is ignored. */
static uint32_t retry_after_ms(const char *header)
{
    struct field retry_after = find_field(header, "Retry-After"), date = find_field(header, "Date");
    int64_t now_s = (int64_t)time(NULL);
    uint32_t ms = 0;
    redial_parse_http_date(date.value, date.length, now_s, &now_s);
    if (retry_after.count == 1)
        redial_parse_retry_after(retry_after.value, retry_after.length, now_s, &ms);
    return ms;
}

/* The length of the body. */
static bool find_length(struct stream *stream, uint64_t *length)
{
    struct field field = find_field(stream->bytes, "Content-Length");
    *length = TO_THE_CLOSE;
    if (find_field(stream->bytes, "Transfer-Encoding").count > 0)
        return unusable(stream, "a transfer coding that was not asked for");
    if (stream->result->status == 204 || stream->result->status == 304)
        *length = 0;
    else if (field.count == 1 && field.length > 0 && field.length <= 15 && strspn(field.value, DIGITS) == field.length)
        *length = strtoull(field.value, NULL, 10);
    else if (field.count > 0)
        return unusable(stream, "a bad Content-Length");
    return true;
}

/* The status of "HTTP/1.x NNN", if a space or the end of the line follows it. Otherwise 0. */
static int parse_status(const char *line)
{
    bool good = strspn(line + 7, DIGITS) == 1 && line[8] == ' ' && strspn(line + 9, DIGITS) == 3
                && (line[12] == ' ' || line[12] == '\r');
    return good ? atoi(line + 9) : 0;
}

/* Removes the header from the beginning of bytes, once it is complete. */
static bool read_header(struct stream *stream, uint64_t *length)
{
    static const char protocol[] = "HTTP/1.";
    const char *end;
    while ((end = strstr(stream->bytes, "\r\n\r\n")) == NULL) {
        ssize_t count;
        if (stream->length == HTTP_HEADER_MAX || strlen(stream->bytes) < stream->length)
            return unusable(stream, "the header is too long, or has a zero byte");
        count = receive(stream);
        if (strncmp(stream->bytes, protocol, stream->length < 7 ? stream->length : 7) != 0)
            return unusable(stream, "the answer is not HTTP/1");
        if (count == 0)
            return broken(stream, ECONNABORTED, "closed before the end of the header");
        if (count < 0)
            return false;
    }
    end += 4;
    stream->result->status = parse_status(stream->bytes);
    if (stream->result->status < 200)
        return unusable(stream, "a malformed status line, or a status below 200");
    stream->result->retry_after_ms = retry_after_ms(stream->bytes);
    if (!find_length(stream, length))
        return false;
    stream->length -= (size_t)(end - stream->bytes);
    memmove(stream->bytes, end, stream->length);
    return true;
}

/* ---- the body ---- */

static void keep(struct stream *stream, uint64_t length, char *body, size_t capacity)
{
    uint64_t before = stream->result->body_length, count = length - before;
    if (count > stream->length)
        count = stream->length;
    if (before < capacity)
        memcpy(body + before, stream->bytes, count < capacity - before ? (size_t)count : capacity - (size_t)before);
    stream->result->body_length += count;
    stream->length = 0;
}

static bool read_body(struct stream *stream, uint64_t length, char *body, size_t capacity)
{
    for (;;) {
        ssize_t count;
        keep(stream, length, body, capacity);
        if (stream->result->body_length == length)
            return true;
        count = receive(stream);
        if (count == 0 && length != TO_THE_CLOSE)
            return broken(stream, ECONNABORTED, "closed in the middle of the body");
        if (count <= 0)
            return count == 0;
    }
}

/* ---- the whole request ---- */

struct http_result http_get(const struct http_url *url, uint32_t timeout_ms, const volatile sig_atomic_t *stop,
                            char *body, size_t capacity)
{
    struct http_result result = { .end = HTTP_ANSWERED };
    struct stream stream = { .fd = -1, .end_ms = now_ms() + timeout_ms, .stop = stop, .result = &result };
    uint64_t length;
    if (connect_host(&stream, url) && send_request(&stream, url) && read_header(&stream, &length)
        && read_body(&stream, length, body, capacity)) {
        result.end = HTTP_ANSWERED;   /* another address of the host may have failed before */
        result.error = 0;
        result.problem = NULL;
    }
    close_socket(&stream);
    return result;
}

struct redial_outcome http_outcome(const struct http_result *result)
{
    struct redial_outcome outcome;
    if (result->end == HTTP_UNUSABLE)
        return redial_fail(EPROTO);
    if (result->end == HTTP_ANSWERED)
        return redial_http(result->status, result->retry_after_ms);
    outcome = redial_errno(result->error);
    outcome.retry_after_ms = result->retry_after_ms;
    return outcome;
}
