/* A small blocking HTTP/1.1 client for the examples: one GET over one POSIX socket, libc only.
   SPDX-License-Identifier: MIT

       struct http_url url;
       char body[4096];
       if (http_parse_url("http://example.com/", &url)) {
           struct http_result result = http_get(&url, 5000, NULL, body, sizeof body);
           outcome = http_outcome(&result);
       }

   No TLS, no redirects, no proxies, no connection kept open. */
#ifndef HTTP_CLIENT_H
#define HTTP_CLIENT_H

#include <signal.h>

#include "redial.h"

#define HTTP_LINE_MAX 8192   /* a longer line of a header is refused */
#define HTTP_LINES_MAX 256   /* so are more of them, informational answers (1xx) and trailers included */

struct http_url {
    char authority[272];     /* as written: host, or host:port */
    char host[256];          /* without the brackets of an IPv6 address */
    char port[6];
    char target[1024];       /* path and query */
};

/* http://host[:port][/path][?query], ASCII without spaces, no user, no fragment. False: *url is not to be used. */
bool http_parse_url(const char *text, struct http_url *url);

enum http_end {
    HTTP_ANSWERED,   /* a whole response is here; status says the rest */
    HTTP_BROKEN,     /* the transport failed, error says how: refused, reset, timed out, cut short */
    HTTP_UNUSABLE    /* no retry will mend it: not HTTP/1.x, an absurd length, a host that does not exist */
};

struct http_result {
    enum http_end end;
    int error;             /* BROKEN: errno. ETIMEDOUT: the time is up; ECONNABORTED: closed before the answer's end;
                              EINTR: *stop was set; EAGAIN: the name server has no answer yet */
    const char *problem;   /* BROKEN, UNUSABLE: what failed, static text; else NULL */
    int status;            /* of the answer as far as it came; 0: none */
    char retry_after[64];  /* the header's value; "": none; "?": too long or sent twice, which counts as none */
    char date[64];         /* likewise */
    uint64_t body_length;  /* as received: may be more than the buffer holds */
};

/* Sends a GET and reads the answer to its end, within timeout_ms for all of it; only the system's look-up of a
   host's name, where it isn't a numeric address, has time limits of its own. The first `capacity` bytes of the body
   are kept in body, with no zero added; the rest is read, counted and dropped. *stop, which a signal handler may set,
   ends it within 25 ms; NULL: nothing does. Raises no SIGPIPE. */
struct http_result http_get(const struct http_url *url, uint32_t timeout_ms, const volatile sig_atomic_t *stop,
                            char *body, size_t capacity);

/* What redial makes of it: the status with what Retry-After asks for, counted from the response's own Date if it has
   one; redial_errno for BROKEN, still no earlier than a Retry-After that came; redial_fail(EPROTO) for UNUSABLE. */
struct redial_outcome http_outcome(const struct http_result *result);

#endif
