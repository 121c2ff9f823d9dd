/* Transfers of libcurl against a scripted server, and what redial_curl.h says of them.
   SPDX-License-Identifier: MIT */
#ifndef TRANSFER_H
#define TRANSFER_H

#include <stdio.h>

#include "redial_fake.h"
#include "interfaces.h"
#include "../common/support.h"
#include "../common/server.h"

/* An answer without a body, and the beginning of one that is cut. */
#define ANSWER(status, headers) "HTTP/1.1 " status " x\r\n" headers "Content-Length: 0\r\n\r\n"
#define CUT(status, headers) "HTTP/1.1 " status " x\r\n" headers "Content-Length: 9\r\n\r\nbroken"

#define WRONG_GZIP(status) CUT(status, "Content-Encoding: gzip\r\n") "xyz"

#define DATE "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
#define AT_49_39 "Retry-After: Sun, 06 Nov 1994 08:49:39 GMT\r\n"
#define AFTER_7 "Retry-After: 7\r\n"
#define TO_B "Location: /b\r\n"
#define CHALLENGE "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\n"
#define BASIC "WWW-Authenticate: Basic realm=\"r\"\r\n"
#define PROXY_BASIC "Proxy-Authenticate: Basic realm=\"r\"\r\n"
#define PROXY_CHALLENGE "Proxy-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\n"

/* What an outcome should be. GIVEN: the CURLcode, which is not the same in all versions, and
   CURLE_PARTIAL_FILE in place of CURLE_OK. */
#define GIVEN (-1)
#define DONE { REDIAL_KIND_DONE, 0, 0, 0 }
#define DONE_BY(status) { REDIAL_KIND_DONE, status, 0, 0 }
#define HTTP(status, ms) { HTTP_KIND(status), status, ms, 0 }   /* of a GET */
#define HTTP_KIND(status) \
    ((status) == 429 || (status) / 100 == 5        ? REDIAL_KIND_RETRY \
     : (status) >= 400 || IS_REDIRECT(status)      ? REDIAL_KIND_FAIL \
                                                   : REDIAL_KIND_DONE)
#define IS_REDIRECT(status) \
    (((status) >= 301 && (status) <= 303) || (status) == 307 || (status) == 308)
#define RETRY(code) { REDIAL_KIND_RETRY, code, 0, 0 }
#define UNSURE(code) { REDIAL_KIND_UNSURE, code, 0, 0 }
#define UNSURE_AFTER(code, ms) { REDIAL_KIND_UNSURE, code, ms, 0 }
#define CANCELLED { REDIAL_KIND_CANCELLED, CURLE_ABORTED_BY_CALLBACK, 0, 0 }
#define FAIL(code) { REDIAL_KIND_FAIL, code, 0, 0 }

/* An outcome.code below that is a CURLcode, as redial_curl.h says. */
_Static_assert((int)CURL_LAST <= 200, "a CURLcode looks like a status");

/* How a transfer is set up. They may be combined. */
enum {
    GET = 0,
    POST = 1 << 0,
    PUT = 1 << 1,
    HEAD = 1 << 2,
    FOLLOW = 1 << 3,
    UNZIP = 1 << 4,
    DIGEST = 1 << 5,
    TUNNEL = 1 << 6,                 /* through the server, to another one */
    NOBODY = 1 << 7,                 /* listens there */
    RANGE = 1 << 8,
    FAIL_ON_ERROR = 1 << 9,
    UNIX = 1 << 10,                  /* a socket that has no port */
    REFUSE_BODY = 1 << 11,
    STOP_AT_BODY = 1 << 12,
    DELETE = 1 << 13,
    UPLOAD = 1 << 14,                /* a mail, or what is appended to a file */
    STOP_AT_ONCE = 1 << 15,
    PROXY = 1 << 16,                 /* the server, without a tunnel */
    PROXY_DIGEST = 1 << 17,
    A_SECOND = 1 << 18,              /* is the timeout */
    VERSION_2 = 1 << 19,             /* of HTTP */
    POST_AGAIN = 1 << 20,            /* after a 302, too */
    ANY_LOGIN = 1 << 21,             /* that a server or proxy asks for */
    BIG = 1 << 22                    /* a body that libcurl announces by Expect */
};

struct row {
    const char *what;
    unsigned set_up;
    struct answer answers[6];        /* up to the first without bytes */
    struct redial_outcome repeatable;   /* by redial_curl with "GET" */
    struct redial_outcome other;     /* and with NULL; all zero: the same */
    const char *url;                 /* %u is the port; NULL: that of the server */
    const char *greeting;            /* of the server; NULL: none */
};

/* HPACK makes its path no shorter. */
#define LONG_URL "http://127.0.0.1:%u/" LONG LONG LONG LONG
#define LONG "~~~~~~~~~~~~~~~~~~~~"

/* Frames of a server: its settings and the acknowledgement, and an answer to the first request. */
#define SETTINGS "\0\0\0\4\0\0\0\0\0" "\0\0\0\4\1\0\0\0\0"
#define OK_BY_HTTP_2 SETTINGS "\0\0\1\1\5\0\0\0\1" "\x88"
#define FRAMES(bytes, then) { bytes, then, NULL, false, 120, sizeof bytes - 1 }

/* A resolver refuses it without asking anybody, because its first part is too long. */
#define NO_NAME "a23456789a23456789a23456789a23456789a23456789a23456789a23456789a23456789.invalid"

static struct server server;

static inline size_t swallow(char *data, size_t size, size_t count, void *user)
{
    return size * count;
}

static inline size_t refuse(char *data, size_t size, size_t count, void *user)
{
    return 0;
}

static inline int stop_at_body(void *user, curl_off_t all, curl_off_t now, curl_off_t all_up,
                               curl_off_t now_up)
{
    return now > 0;
}

static inline int stop_at_once(void *user, curl_off_t all, curl_off_t now, curl_off_t all_up,
                               curl_off_t now_up)
{
    return 1;
}

/* The format may have a %u for the port. */
static inline void set_address(CURL *curl, CURLoption option, const char *format, uint16_t port)
{
    char address[128];
    snprintf(address, sizeof address, format, (unsigned)port);
    curl_easy_setopt(curl, option, address);
}

/* libcurl asks before it sends more than 1 MB. */
static inline const char *big_body(void)
{
    static char body[1100001];
    memset(body, 'x', sizeof body - 1);
    return body;
}

static inline void set_options(CURL *curl, unsigned set_up)
{
    const struct { unsigned set_up; CURLoption option; long number; const char *text; } rows[] = {
        { HEAD, CURLOPT_NOBODY, 1 },
        { FOLLOW, CURLOPT_FOLLOWLOCATION, 1 },
        { DIGEST, CURLOPT_HTTPAUTH, CURLAUTH_DIGEST },
        { PROXY_DIGEST, CURLOPT_PROXYAUTH, CURLAUTH_DIGEST },
        { A_SECOND, CURLOPT_TIMEOUT_MS, 1000 },
        { POST_AGAIN, CURLOPT_POSTREDIR, CURL_REDIR_POST_ALL },
        { ANY_LOGIN, CURLOPT_HTTPAUTH, (long)CURLAUTH_ANY },
        { ANY_LOGIN, CURLOPT_PROXYAUTH, (long)CURLAUTH_ANY },
        { VERSION_2, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE },
        { TUNNEL, CURLOPT_HTTPPROXYTUNNEL, 1 },
        { FAIL_ON_ERROR, CURLOPT_FAILONERROR, 1 },
        { STOP_AT_BODY | STOP_AT_ONCE, CURLOPT_NOPROGRESS, 0 },
        { RANGE, CURLOPT_RESUME_FROM, 5 },
        { UNZIP, CURLOPT_ACCEPT_ENCODING, 0, "gzip" },
        { UPLOAD, CURLOPT_UPLOAD, 1 },
        { UPLOAD, CURLOPT_INFILESIZE, 6 },
        { POST | PUT, CURLOPT_POSTFIELDS, 0, set_up & VERSION_2 ? "" : "{}" },
        { PUT, CURLOPT_CUSTOMREQUEST, 0, "PUT" },
        { DELETE, CURLOPT_CUSTOMREQUEST, 0, "DELETE" },
        { BIG, CURLOPT_POSTFIELDS, 0, big_body() },
        { DIGEST | ANY_LOGIN, CURLOPT_USERPWD, 0, "me:secret" },
        { PROXY_DIGEST | ANY_LOGIN, CURLOPT_PROXYUSERPWD, 0, "me:secret" },
        { UNIX, CURLOPT_UNIX_SOCKET_PATH, 0, server.path },
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (set_up & rows[i].set_up && rows[i].text)
            curl_easy_setopt(curl, rows[i].option, rows[i].text);
        else if (set_up & rows[i].set_up)
            curl_easy_setopt(curl, rows[i].option, rows[i].number);
}

/* Six bytes, once. */
static inline size_t read_mail(char *data, size_t size, size_t count, void *user)
{
    bool *read = user;
    size_t length = *read ? 0 : 6;
    memcpy(data, "mail\r\n", length);
    *read = true;
    return length;
}

static inline void set_upload(CURL *curl)
{
    static char address[] = "you@example.com";
    static struct curl_slist you = { address, NULL };
    static bool read;
    read = false;
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_mail);
    curl_easy_setopt(curl, CURLOPT_READDATA, &read);
    curl_easy_setopt(curl, CURLOPT_MAIL_FROM, "me@example.com");
    curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, &you);
}

/* No proxy but ours, whatever the environment says. Over HTTP/2, a request has no body, because our
   server may answer before that has come. */
static inline CURL *new_handle(unsigned set_up, const char *url)
{
    CURL *curl = curl_easy_init();
    assert_non_null(curl);
    set_options(curl, set_up);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NOPROXY, "");
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, set_up & REFUSE_BODY ? refuse : swallow);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION,
                     set_up & STOP_AT_ONCE ? stop_at_once : stop_at_body);
    if (set_up & UPLOAD)
        set_upload(curl);
    if (set_up & (PROXY | TUNNEL))
        set_address(curl, CURLOPT_PROXY, "http://127.0.0.1:%u", server.port);
    if (set_up & TUNNEL)
        url = "http://origin.invalid/";
    set_address(curl, CURLOPT_URL, url ? url : "http://127.0.0.1:%u/",
                set_up & NOBODY ? closed_port() : server.port);
    return curl;
}

static inline void start_answers(const struct answer *answers, unsigned most)
{
    unsigned count = 0;
    while (count < most && answers[count].bytes)
        count++;
    assert_true(server_start(&server, answers, count));
}

static inline void expect(const char *what, const char *function, CURLcode result,
                          struct redial_outcome got, struct redial_outcome wanted)
{
    if (wanted.code == GIVEN)
        wanted.code = result ? (int)result : CURLE_PARTIAL_FILE;
    if (got.kind != wanted.kind || got.code != wanted.code
        || got.retry_after_ms != wanted.retry_after_ms || got.uptime_ms != wanted.uptime_ms)
        fail_msg("%s, CURLcode %d: %s gives kind %d, code %d, %lu ms, not kind %d, code %d, %lu ms",
                 what, (int)result, function, (int)got.kind, got.code,
                 (unsigned long)got.retry_after_ms, (int)wanted.kind, wanted.code,
                 (unsigned long)wanted.retry_after_ms);
}

static inline void expect_both(const struct row *row, CURL *curl, CURLcode result)
{
    struct redial_outcome outcome;
    poison(&outcome, sizeof outcome);
    outcome = redial_curl(curl, result, "GET");
    expect(row->what, "redial_curl", result, outcome, row->repeatable);
    poison(&outcome, sizeof outcome);
    outcome = redial_curl(curl, result, NULL);
    expect(row->what, "redial_curl, NULL", result, outcome,
           row->other.kind == REDIAL_KIND_INVALID ? row->repeatable : row->other);
}

static inline void try_rows(const struct row *rows, size_t count, transfer_function *transfer)
{
    for (size_t i = 0; i < count; i++) {
        CURLM *multi = curl_multi_init();
        CURL *curl;
        server.greeting = rows[i].greeting;
        server.path = rows[i].set_up & UNIX ? "curl_test_socket" : NULL;
        start_answers(rows[i].answers, LENGTH(rows[i].answers));
        curl = new_handle(rows[i].set_up, rows[i].url);
        expect_both(&rows[i], curl, transfer(multi, curl));
        curl_easy_cleanup(curl);
        curl_multi_cleanup(multi);
        server_stop(&server);
        server.greeting = server.path = NULL;
    }
}

/* ---- setup and teardown of all tests ---- */

static inline int start_libcurl(void **state)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? 0 : -1;
}

static inline int stop_libcurl(void **state)
{
    server_stop(&server);
    curl_global_cleanup();
    return 0;
}

#endif
