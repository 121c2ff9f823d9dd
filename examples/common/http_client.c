/* HTTP/1.1 (RFC 9112) as far as one GET needs it. SPDX-License-Identifier: MIT */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "http_client.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0   /* macOS of old: SO_NOSIGPIPE does it there */
#endif

#define TO_THE_CLOSE UINT64_MAX   /* a body's length */
#define STOP_MS 25                /* how often *stop is looked at */

struct stream {
    int fd;                         /* -1: not open */
    int64_t end_ms;                 /* when the time is up */
    const volatile sig_atomic_t *stop;
    struct http_result *result;
    char *body;
    size_t capacity;
    const char *cut;                /* the problem if the peer closes now */
    const char *at, *limit;         /* received in bytes[], and not used yet */
    unsigned lines_left;
    bool chunked;
    uint64_t length;
    char line[HTTP_LINE_MAX];       /* the one that was read last */
    char bytes[4096];
};

/* ---- URL ---- */

static bool copy(char *to, size_t size, const char *from, size_t length)
{
    if (length == 0 || length >= size)
        return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

static bool all_of(const char *text, size_t length, const char *allowed)
{
    return strspn(text, allowed) >= length;
}

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool parse_port(const char *text, size_t length, char port[6])
{
    unsigned value = 0;
    size_t i;
    if (!copy(port, 6, text, length) || !all_of(text, length, DIGITS))
        return false;
    for (i = 0; i < length; i++)
        value = value * 10 + (unsigned)(text[i] - '0');
    return value >= 1 && value <= 65535;
}

static bool parse_authority(const char *text, size_t length, struct http_url *url)
{
    bool bracket = *text == '[';
    const char *host = text + bracket;
    size_t host_length = strcspn(host, bracket ? "]" : ":/?");
    const char *rest = host + host_length + bracket;
    if (!copy(url->authority, sizeof url->authority, text, length) || rest > text + length)
        return false;
    if (!copy(url->host, sizeof url->host, host, host_length))
        return false;
    if (!all_of(host, host_length, bracket ? DIGITS "abcdefABCDEF:." : DIGITS LETTERS ".-_"))
        return false;
    if (rest == text + length)
        return copy(url->port, sizeof url->port, "80", 2);
    return *rest == ':' && parse_port(rest + 1, (size_t)(text + length - rest - 1), url->port);
}

static bool parse_target(const char *text, struct http_url *url)
{
    const char *c;
    int length;
    for (c = text; *c; c++)
        if (*c <= ' ' || *c >= 0x7f || *c == '#')
            return false;
    length = snprintf(url->target, sizeof url->target, "%s%s", *text == '/' ? "" : "/", text);
    return length > 0 && (size_t)length < sizeof url->target;
}

bool http_parse_url(const char *text, struct http_url *url)
{
    static const char scheme[] = "http://";
    size_t length;
    if (strncmp(text, scheme, sizeof scheme - 1) != 0)
        return false;
    text += sizeof scheme - 1;
    length = strcspn(text, "/?#");
    return parse_authority(text, length, url) && parse_target(text + length, url);
}

/* ---- how it can end badly; all say false, to be passed on ---- */

static bool ends(struct stream *stream, enum http_end end, int error, const char *problem)
{
    stream->result->end = end;
    stream->result->error = error;
    stream->result->problem = problem;
    return false;
}

static bool broken(struct stream *stream, int error, const char *problem)
{
    return ends(stream, HTTP_BROKEN, error, problem);
}

static bool unusable(struct stream *stream, const char *problem)
{
    return ends(stream, HTTP_UNUSABLE, 0, problem);
}

/* ---- the socket ---- */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool ready(struct stream *stream, short events, const char *doing)
{
    struct pollfd waiting = { stream->fd, events, 0 };
    int64_t left;
    while ((left = stream->end_ms - now_ms()) > 0) {
        int count = poll(&waiting, 1, left < STOP_MS ? (int)left : STOP_MS);
        if (count > 0)
            return true;
        if (count < 0 && errno != EINTR)
            return broken(stream, errno, doing);
        if (stream->stop && *stream->stop)
            return broken(stream, EINTR, doing);
    }
    return broken(stream, ETIMEDOUT, doing);
}

static bool open_socket(struct stream *stream, const struct addrinfo *address)
{
    stream->fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    if (stream->fd < 0)
        return false;
#ifdef SO_NOSIGPIPE
    setsockopt(stream->fd, SOL_SOCKET, SO_NOSIGPIPE, &(int){ 1 }, sizeof(int));
#endif
    fcntl(stream->fd, F_SETFD, FD_CLOEXEC);
    return fcntl(stream->fd, F_SETFL, O_NONBLOCK) == 0;
}

static bool connect_to(struct stream *stream, const struct addrinfo *address)
{
    static const char doing[] = "could not connect";
    int error = 0;
    socklen_t size = sizeof error;
    if (!open_socket(stream, address))
        return broken(stream, errno, doing);
    if (connect(stream->fd, address->ai_addr, address->ai_addrlen) == 0)
        return true;
    if (errno != EINPROGRESS)
        return broken(stream, errno, doing);
    if (!ready(stream, POLLOUT, doing))
        return false;
    if (getsockopt(stream->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        error = errno;
    return error == 0 || broken(stream, error, doing);
}

static void close_socket(struct stream *stream)
{
    if (stream->fd >= 0)
        close(stream->fd);
    stream->fd = -1;
}

/* One address after the other. One that does not answer must leave time for the next. */
static bool connect_to_any(struct stream *stream, const struct addrinfo *addresses)
{
    const struct addrinfo *address;
    int64_t end_ms = stream->end_ms;
    int untried = 0;
    bool connected = false;
    for (address = addresses; address; address = address->ai_next)
        untried++;
    for (address = addresses; address && !connected; address = address->ai_next) {
        int64_t now = now_ms();
        close_socket(stream);
        stream->end_ms = now + (end_ms - now) / untried--;
        connected = connect_to(stream, address);
    }
    stream->end_ms = end_ms;
    return connected;
}

static bool no_address(struct stream *stream, int why)
{
    if (why == EAI_AGAIN)
        return broken(stream, EAGAIN, "could not look up the host");
    if (why == EAI_SYSTEM)
        return broken(stream, errno, "could not look up the host");
    return unusable(stream, "no such host");
}

static bool connect_host(struct stream *stream, const struct http_url *url)
{
    struct addrinfo wanted = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM }, *addresses;
    bool connected;
    int why = getaddrinfo(url->host, url->port, &wanted, &addresses);
    if (why != 0)
        return no_address(stream, why);
    connected = connect_to_any(stream, addresses);
    freeaddrinfo(addresses);
    return connected;
}

static bool would_block(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK;
}

static bool send_request(struct stream *stream, const struct http_url *url)
{
    static const char doing[] = "could not send";
    char request[sizeof url->target + sizeof url->authority + 128];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: redial-example\r\n"
                          "Accept: */*\r\nConnection: close\r\n\r\n", url->target, url->authority);
    const char *at = request, *limit = request + length;
    while (at < limit) {
        ssize_t count;
        if (!ready(stream, POLLOUT, doing))
            return false;
        count = send(stream->fd, at, (size_t)(limit - at), MSG_NOSIGNAL);
        if (count >= 0)
            at += count;
        else if (!would_block())
            return broken(stream, errno, doing);
    }
    return true;
}

enum received { RECEIVED_NOTHING, RECEIVED_BYTES, RECEIVED_END };   /* NOTHING: broken */

static enum received receive(struct stream *stream)
{
    static const char doing[] = "could not receive";
    while (ready(stream, POLLIN, doing)) {
        ssize_t count = recv(stream->fd, stream->bytes, sizeof stream->bytes, 0);
        if (count >= 0) {
            stream->at = stream->bytes;
            stream->limit = stream->bytes + count;
            return count > 0 ? RECEIVED_BYTES : RECEIVED_END;
        }
        if (!would_block()) {
            broken(stream, errno, doing);
            break;
        }
    }
    return RECEIVED_NOTHING;
}

/* At least one byte is there to be used. */
static bool some(struct stream *stream)
{
    enum received received = stream->at < stream->limit ? RECEIVED_BYTES : receive(stream);
    return received == RECEIVED_BYTES
        || (received == RECEIVED_END && broken(stream, ECONNABORTED, stream->cut));
}

/* ---- the header ---- */

/* A lone LF ends a line, too (RFC 9112, 2.2). */
static bool read_line(struct stream *stream)
{
    size_t length = 0;
    while (some(stream)) {
        char c = *stream->at++;
        if (c == '\n') {
            if (length > 0 && stream->line[length - 1] == '\r')
                length--;
            stream->line[length] = '\0';
            return true;
        }
        if (c == '\0')
            return unusable(stream, "a zero byte in the header");
        if (length == sizeof stream->line - 1)
            return unusable(stream, "a line of the header is too long");
        stream->line[length++] = c;
    }
    return false;
}

static bool read_header_line(struct stream *stream)
{
    if (stream->lines_left-- == 0)
        return unusable(stream, "too many lines in the header");
    return read_line(stream);
}

/* HTTP/1.x NNN, then the end or a space and anything. */
static bool parse_status(const char *line, int *status)
{
    static const char shape[] = "HTTP/1.x NNN";
    size_t i;
    for (i = 0; shape[i]; i++) {
        bool digit = line[i] >= '0' && line[i] <= '9';
        if (shape[i] == 'x' || shape[i] == 'N' ? !digit : line[i] != shape[i])
            return false;
    }
    *status = (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
    return *status >= 100 && (line[i] == '\0' || line[i] == ' ');
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Not strcasecmp(): that one asks the locale. */
static bool same(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c ? strchr(digits, lower(c)) : NULL;
    return found ? (int)(found - digits) : 16;
}

/* Where the digits end; NULL: there are none, or more than a sane length has. */
static const char *parse_number(const char *text, int base, uint64_t *value)
{
    const char *c = text;
    for (*value = 0; digit_of(*c) < base; c++) {
        if (c - text == 15)
            return NULL;
        *value = *value * (unsigned)base + (unsigned)digit_of(*c);
    }
    return c > text ? c : NULL;
}

/* A length that is said twice must be the same, or the body's end could be anywhere. */
static bool take_length(struct stream *stream, const char *value)
{
    uint64_t length;
    const char *end = parse_number(value, 10, &length);
    if (!end || *end || (stream->length != TO_THE_CLOSE && stream->length != length))
        return unusable(stream, "a bad Content-Length");
    stream->length = length;
    return true;
}

static void keep(char kept[64], const char *value)
{
    strcpy(kept, kept[0] || strlen(value) >= 64 ? "?" : value);
}

static bool take_field(struct stream *stream, const char *name, const char *value)
{
    if (same(name, "retry-after"))
        keep(stream->result->retry_after, value);
    else if (same(name, "date"))
        keep(stream->result->date, value);
    else if (same(name, "content-length"))
        return take_length(stream, value);
    else if (same(name, "transfer-encoding") && !same(value, "chunked"))
        return unusable(stream, "a transfer coding that was not asked for");
    else if (same(name, "transfer-encoding"))
        stream->chunked = true;
    return true;
}

/* Cuts the line in two, in place. A name has no blanks around it; so folded lines, obsolete, are refused. */
static bool split_field(char *line, const char **name, const char **value)
{
    char *colon = line + strcspn(line, ": \t"), *end = line + strlen(line);
    if (*colon != ':' || colon == line)
        return false;
    *colon++ = '\0';
    while (end > colon && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = '\0';
    *name = line;
    *value = colon + strspn(colon, " \t");
    return true;
}

static bool read_header(struct stream *stream)
{
    const char *name, *value;
    stream->chunked = false;
    stream->length = TO_THE_CLOSE;
    stream->result->retry_after[0] = stream->result->date[0] = '\0';
    if (!read_header_line(stream))
        return false;
    if (!parse_status(stream->line, &stream->result->status))
        return unusable(stream, "a malformed status line");
    while (read_header_line(stream)) {
        if (!stream->line[0])
            return true;
        if (!split_field(stream->line, &name, &value))
            return unusable(stream, "a malformed line in the header");
        if (!take_field(stream, name, value))
            return false;
    }
    return false;
}

/* ---- the body ---- */

static void take_bytes(struct stream *stream, size_t count)
{
    struct http_result *result = stream->result;
    if (result->body_length < stream->capacity) {
        size_t room = stream->capacity - (size_t)result->body_length;
        memcpy(stream->body + result->body_length, stream->at, count < room ? count : room);
    }
    result->body_length += count;
    stream->at += count;
}

static bool read_bytes(struct stream *stream, uint64_t length)
{
    while (length > 0) {
        size_t here;
        if (!some(stream))
            return false;
        here = (size_t)(stream->limit - stream->at);
        if (here > length)
            here = (size_t)length;
        take_bytes(stream, here);
        length -= here;
    }
    return true;
}

static bool read_to_the_close(struct stream *stream)
{
    enum received received;
    do {
        take_bytes(stream, (size_t)(stream->limit - stream->at));
        received = receive(stream);
    } while (received == RECEIVED_BYTES);
    return received == RECEIVED_END;
}

/* What may follow the size is an extension, of which we know none. */
static bool read_chunk_size(struct stream *stream, uint64_t *size)
{
    const char *end;
    if (!read_line(stream))
        return false;
    end = parse_number(stream->line, 16, size);
    return (end && strchr("; \t", *end)) || unusable(stream, "a bad chunk size");
}

static bool read_chunk_end(struct stream *stream)
{
    if (!read_line(stream))
        return false;
    return !stream->line[0] || unusable(stream, "a chunk longer than its size");
}

static bool skip_trailers(struct stream *stream)
{
    do
        if (!read_header_line(stream))
            return false;
    while (stream->line[0]);
    return true;
}

static bool read_chunks(struct stream *stream)
{
    uint64_t size;
    while (read_chunk_size(stream, &size)) {
        if (size == 0)
            return skip_trailers(stream);
        if (!read_bytes(stream, size) || !read_chunk_end(stream))
            break;
    }
    return false;
}

static bool read_body(struct stream *stream)
{
    int status = stream->result->status;
    if (status == 204 || status == 304)
        return true;
    stream->cut = "closed in the middle of the body";
    if (stream->chunked)
        return read_chunks(stream);
    if (stream->length == TO_THE_CLOSE)
        return read_to_the_close(stream);
    return read_bytes(stream, stream->length);
}

static bool read_answer(struct stream *stream)
{
    do {
        if (!read_header(stream))
            return false;
        if (stream->result->status == 101)
            return unusable(stream, "a change of protocol that was not asked for");
    } while (stream->result->status < 200);
    return read_body(stream);
}

/* ---- all of it ---- */

struct http_result http_get(const struct http_url *url, uint32_t timeout_ms, const volatile sig_atomic_t *stop,
                            char *body, size_t capacity)
{
    struct http_result result = { .end = HTTP_ANSWERED };
    struct stream stream = { .fd = -1, .end_ms = now_ms() + timeout_ms, .stop = stop, .result = &result,
                             .body = body, .capacity = capacity, .cut = "closed before the end of the header",
                             .lines_left = HTTP_LINES_MAX };
    if (connect_host(&stream, url) && send_request(&stream, url) && read_answer(&stream))
        ends(&stream, HTTP_ANSWERED, 0, NULL);   /* an address before the one that worked may have left its failure */
    close_socket(&stream);
    return result;
}

static uint32_t asked_wait_ms(const struct http_result *result)
{
    int64_t now_s = (int64_t)time(NULL);
    uint32_t retry_after_ms = 0;
    redial_parse_http_date(result->date, strlen(result->date), now_s, &now_s);
    redial_parse_retry_after(result->retry_after, strlen(result->retry_after), now_s, &retry_after_ms);
    return retry_after_ms;
}

struct redial_outcome http_outcome(const struct http_result *result)
{
    struct redial_outcome outcome;
    if (result->end == HTTP_UNUSABLE)
        return redial_fail(EPROTO);
    outcome = result->end == HTTP_BROKEN ? redial_errno(result->error) : redial_http(result->status, 0);
    outcome.retry_after_ms = asked_wait_ms(result);
    return outcome;
}
