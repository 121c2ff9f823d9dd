/* A small blocking HTTP client for the examples: one GET over one POSIX socket, libc only. In a
   program use libcurl: see examples/curl. SPDX-License-Identifier: MIT

       struct http_url url;
       struct http_result result;
       char text[4096];
       if (http_parse_url("http://example.com/", &url)) {
           result = http_get(&url, attempt->timeout_ms, NULL, text, sizeof text);
           return http_outcome(&result);
       }

   The request is HTTP/1.0, so that the response ends with the connection, and has no chunks. */
#ifndef HTTP_CLIENT_H
#define HTTP_CLIENT_H

#include <signal.h>

#include "redial.h"

struct http_url {
    char authority[272];     /* as written: host, or host:port */
    char host[256], port[6];
    char target[1024];       /* path and query */
};

/* http://host[:port][/path][?query], in ASCII without spaces, user, fragment and IPv6 addresses.
   False: do not use *url. */
bool http_parse_url(const char *text, struct http_url *url);

struct http_result {
    int status;
    /* 0: a whole response came. Else errno; ETIMEDOUT: the time is over, ECONNABORTED: it was cut
       short, EINTR: *stop was set, EPROTO: it is not HTTP/1, EMSGSIZE: it is too long, EAGAIN: the
       host was not found, and may be found later. */
    int error;
    const char *problem, *why;   /* what failed, and the system's text for it; NULL: nothing */
    uint32_t retry_after_ms;  /* by the response's own Date */
    const char *body;         /* in text; a zero follows it */
};

/* Sends a GET and reads the answer to its end into text, within timeout_ms. But the system alone
   limits the time that the look-up of the host's name takes. *stop, which a signal handler may set,
   ends the request within 25 ms; stop may be NULL. It raises no SIGPIPE. */
struct http_result http_get(const struct http_url *url, uint32_t timeout_ms,
                            const volatile sig_atomic_t *stop, char *text, size_t size);

/* For redial: redial_http, or redial_errno with the Retry-After that came before the response was
   cut. */
struct redial_outcome http_outcome(const struct http_result *result);

#endif
