/* Transfers of libcurl against a scripted server, and what redial_curl.h says of them. SPDX-License-Identifier: MIT */
#ifndef TRANSFER_H
#define TRANSFER_H

#include <stdio.h>

#include "redial_curl.h"
#include "redial_fake.h"
#include "../unit/support.h"
#include "../common/server.h"

/* An answer without a body, and the beginning of one that is cut. */
#define ANSWER(status, headers) "HTTP/1.1 " status " x\r\n" headers "Content-Length: 0\r\n\r\n"
#define CUT(status, headers) "HTTP/1.1 " status " x\r\n" headers "Content-Length: 9\r\n\r\nbroken"

#define DATE "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
#define AT_49_39 "Retry-After: Sun, 06 Nov 1994 08:49:39 GMT\r\n"
#define AFTER_7 "Retry-After: 7\r\n"
#define TO_B "Location: /b\r\n"
#define CHALLENGE "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\n"

/* What an outcome should be. GIVEN: the CURLcode, which is not the same in all versions. */
#define GIVEN (-1)
#define DONE { REDIAL_KIND_DONE, 0, 0, 0 }
#define HTTP(status, ms) { REDIAL_KIND_HTTP, status, ms, 0 }
#define RETRY(code) { REDIAL_KIND_RETRY, code, 0, 0 }
#define FAIL(code) { REDIAL_KIND_FAIL, code, 0, 0 }
#define FAIL_AFTER(code, ms) { REDIAL_KIND_FAIL, code, ms, 0 }
#define UNSENT(code) { TRANSFER_BEGAN ? REDIAL_KIND_FAIL : REDIAL_KIND_RETRY, code, 0, 0 }

/* libcurl 8.21 says of every failure that a transfer began, because CURLINFO_PRETRANSFER_TIME_T is not 0. */
enum { TRANSFER_BEGAN = LIBCURL_VERSION_MAJOR > 8 || (LIBCURL_VERSION_MAJOR == 8 && LIBCURL_VERSION_MINOR >= 21) };

typedef void set_up_curl(CURL *curl);

struct row {
    const char *what;
    set_up_curl *set_up;             /* NULL: a GET */
    struct answer answers[4];        /* up to the first without bytes */
    struct redial_outcome repeatable, other;   /* by redial_curl and redial_curl_request */
};

static struct server server;

static inline size_t swallow(char *data, size_t size, size_t count, void *user)
{
    return size * count;
}

/* For the set-up of a row, which may change it. */
static inline void set_url(CURL *curl, const char *scheme, uint16_t port)
{
    char url[128];
    snprintf(url, sizeof url, "%s://127.0.0.1:%u/", scheme, (unsigned)port);
    curl_easy_setopt(curl, CURLOPT_URL, url);
}

static inline CURL *new_handle(set_up_curl *set_up)
{
    CURL *curl = curl_easy_init();
    assert_non_null(curl);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");   /* whatever the environment says */
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, swallow);
    set_url(curl, "http", server.port);
    if (set_up)
        set_up(curl);
    return curl;
}

static inline void start_answers(const struct answer *answers, unsigned most)
{
    unsigned count = 0;
    while (count < most && answers[count].bytes)
        count++;
    assert_true(server_start(&server, answers, count));
}

static inline CURLcode perform_by_multi(CURL *curl)
{
    CURLM *multi = curl_multi_init();
    CURLcode result = CURLE_FAILED_INIT;
    CURLMsg *message;
    int running = 1, left;
    assert_int_equal(curl_multi_add_handle(multi, curl), CURLM_OK);
    while (curl_multi_perform(multi, &running) == CURLM_OK && running)
        curl_multi_poll(multi, NULL, 0, 1000, NULL);
    message = curl_multi_info_read(multi, &left);
    if (message)
        result = message->data.result;
    curl_multi_remove_handle(multi, curl);
    curl_multi_cleanup(multi);
    return result;
}

static inline void expect(const char *what, const char *function, CURLcode result, struct redial_outcome got,
                          struct redial_outcome wanted)
{
    if (wanted.code == GIVEN)
        wanted.code = (int)result;
    if (got.kind != wanted.kind || got.code != wanted.code || got.retry_after_ms != wanted.retry_after_ms
        || got.uptime_ms != wanted.uptime_ms)
        fail_msg("%s, CURLcode %d: %s gives kind %d, code %d, %lu ms, not kind %d, code %d, %lu ms", what, (int)result,
                 function, (int)got.kind, got.code, (unsigned long)got.retry_after_ms, (int)wanted.kind, wanted.code,
                 (unsigned long)wanted.retry_after_ms);
}

static inline void expect_both(const struct row *row, CURL *curl, CURLcode result)
{
    struct redial_outcome outcome;
    poison(&outcome, sizeof outcome);
    outcome = redial_curl(curl, result);
    expect(row->what, "redial_curl", result, outcome, row->repeatable);
    poison(&outcome, sizeof outcome);
    outcome = redial_curl_request(curl, result);
    expect(row->what, "redial_curl_request", result, outcome, row->other);
}

static inline void try_rows(const struct row *rows, size_t count, CURLcode perform(CURL *))
{
    for (size_t i = 0; i < count; i++) {
        CURL *curl;
        start_answers(rows[i].answers, LENGTH(rows[i].answers));
        curl = new_handle(rows[i].set_up);
        expect_both(&rows[i], curl, perform(curl));
        curl_easy_cleanup(curl);
        server_stop(&server);
    }
}

/* ---- set-ups: the methods ---- */

static inline void post(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, "{}");
}

static inline void follow(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
}

static inline void post_and_follow(CURL *curl)
{
    post(curl);
    follow(curl);
}

static inline void put(CURL *curl)
{
    post(curl);
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "PUT");
}

static inline void nobody(CURL *curl)
{
    set_url(curl, "http", closed_port());
}

static inline void post_to_nobody(CURL *curl)
{
    post(curl);
    nobody(curl);
}

static inline void put_to_nobody(CURL *curl)
{
    put(curl);
    nobody(curl);
}

static inline void post_with_digest(CURL *curl)
{
    post(curl);
    curl_easy_setopt(curl, CURLOPT_USERPWD, "me:secret");
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_DIGEST);
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
