/* A small blocking HTTP client for the examples: one GET over one POSIX socket, libc only.
   SPDX-License-Identifier: MIT

       struct http_url url;
       char body[4096];
       if (http_parse_url("http://example.com/", &url)) {
           struct http_result result = http_get(&url, attempt->timeout_ms, NULL, body, sizeof body);
           return http_outcome(&result);
       }

   The request is HTTP/1.0, so that the response has no chunks and no interim responses, and the connection ends with
   it. It has a Host field, which servers need today. TLS, redirects and proxies are not supported: for those use
   libcurl, see examples/curl. */
#ifndef HTTP_CLIENT_H
#define HTTP_CLIENT_H

#include <signal.h>

#include "redial.h"

#define HTTP_HEADER_MAX 8192   /* a longer header is refused */

struct http_url {
    char authority[272];     /* as written: host, or host:port */
    char host[256];
    char port[6];
    char target[1024];       /* path and query */
};

/* http://host[:port][/path][?query], in ASCII without spaces, user, fragment and IPv6 addresses. False: do
   not use *url. */
bool http_parse_url(const char *text, struct http_url *url);

enum http_end {
    HTTP_ANSWERED,   /* a whole response came; see status */
    HTTP_BROKEN,     /* the transport failed (refused, reset, timed out, cut short); see error */
    HTTP_UNUSABLE    /* another attempt cannot help: not HTTP/1.x, the header is too long, there is no such host */
};

struct http_result {
    enum http_end end;
    int error;                /* BROKEN: errno. ETIMEDOUT: the time is over. ECONNABORTED: the server closed too early.
                                 EINTR: *stop was set. EAGAIN: the name server has no answer yet. */
    const char *problem;      /* BROKEN, UNUSABLE: what failed, a static text; else NULL */
    int status;               /* 0: the header did not come */
    uint32_t retry_after_ms;  /* from the header. A date is compared with the response's own Date if it has one. */
    uint64_t body_length;     /* as received, which may be more than the buffer holds */
};

/* Sends a GET and reads the answer to its end, within timeout_ms. But the system alone limits the time that the look-up
   of the host's name takes. The first `capacity` bytes of the body are kept in body, and no zero is added; the rest is
   counted and dropped. *stop, which a signal handler may set, ends the request within 25 ms, even while data keeps
   coming. stop may be NULL. It raises no SIGPIPE. */
struct http_result http_get(const struct http_url *url, uint32_t timeout_ms, const volatile sig_atomic_t *stop,
                            char *body, size_t capacity);

/* For redial: redial_http for ANSWERED, redial_errno for BROKEN, also with the Retry-After that came before it broke,
   and redial_fail(EPROTO) for UNUSABLE. */
struct redial_outcome http_outcome(const struct http_result *result);

#endif
