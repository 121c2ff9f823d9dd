/* redial_curl: how a transfer of libcurl ended, as an outcome. It knows which of libcurl's error
   codes are temporary, when the status counts more than the error, what Retry-After asks
   for, and whether a POST may have been done already. Inline functions for C99 and C++11. They need
   libcurl 7.66 or later.
   SPDX-License-Identifier: MIT

   The loop:

       struct redial_step step = redial_loop_begin(&call, &policy, env);
       while (step.verdict == REDIAL_RETRY) {
           CURLcode result;
           body.length = 0;
           curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)step.timeout_ms);
           result = curl_easy_perform(curl);
           step = redial_loop_next(&call, env, redial_curl(curl, result, "GET"));
       }

   The operation of redial_run:

       request->length = 0;
       curl_easy_setopt(request->curl, CURLOPT_TIMEOUT_MS,
                        (long)attempt->timeout_ms);
       return redial_curl(request->curl, curl_easy_perform(request->curl),
                          "GET");

   The multi interface, for a message from curl_multi_info_read:

       outcome = redial_curl(message->easy_handle, message->data.result,
                             "GET");
       step = redial_next(&call, outcome, now_ms, random);

   - Drop what has been received of a body before each attempt: a part of an answer, or the page
     that came with an error.
   - The timeout of an attempt is in step or attempt, and is redial_timeout_ms where you use
     redial_next. Set attempt_ms or max_elapsed_ms to INT32_MAX or less. Without both it is
     UINT32_MAX, which is more than a 32-bit long can hold.
   - The functions change nothing in the handle. Use them before curl_easy_reset or
     curl_easy_cleanup; after curl_multi_remove_handle is early enough.
   - outcome.code is the HTTP status if a status decided, otherwise the CURLcode, which is below
     200. The outcome is DONE for a transfer that succeeded with a protocol other than HTTP.
   - If a connection that it reuses turns out to be dead, libcurl sends the request again by itself,
     even a POST. For a request that must not be sent twice, set CURLOPT_FRESH_CONNECT. A round of
     authentication and a redirect that is followed still reuse the new connection: for these, set
     CURLOPT_FORBID_REUSE, too.
   - A transfer that your own progress callback stopped is FAIL. A program that cancels transfers
     asks its `cancelled` first and returns redial_retry, so that the verdict is CANCELLED.
   - If your own write callback refused an answer, it is FAIL below 400, and for 401, 407 and 417.
     Any other status decides.
   - libcurl calls it a success if a connection ends within the header of an answer. A program that
     must know looks in its CURLOPT_HEADERFUNCTION for the empty line after each line that begins
     with "HTTP/", and makes it a CURLE_PARTIAL_FILE if there was none.
   - A date in Retry-After is compared with the Date of the response. Without a Date, and before
     libcurl 7.84, it is compared with the clock of this machine. Before 7.84, the Retry-After of a
     redirect, or of an earlier transfer of the handle, may count.
   - To decide otherwise about one code, look at it first:

       if (result == CURLE_COULDNT_RESOLVE_HOST)
           return redial_fail(result);
*/
#ifndef REDIAL_CURL_H
#define REDIAL_CURL_H

#include <curl/curl.h>

#include "redial.h"

#ifdef __cplusplus
#  define REDIAL_CURL_INT_(value) static_cast<int>(value)
#  define REDIAL_CURL_NULL_ nullptr
#else
#  define REDIAL_CURL_INT_(value) ((int)(value))
#  define REDIAL_CURL_NULL_ NULL
#endif

static inline int redial_curl_int_(CURL *curl, CURLINFO info)
{
    long value = 0;
    curl_easy_getinfo(curl, info, &value);
    return REDIAL_CURL_INT_(value);
}

static inline curl_off_t redial_curl_offset_(CURL *curl, CURLINFO info)
{
    curl_off_t value = 0;
    curl_easy_getinfo(curl, info, &value);
    return value;
}

static inline const char *redial_curl_text_(CURL *curl, CURLINFO info)
{
    char *value = REDIAL_CURL_NULL_;
    curl_easy_getinfo(curl, info, &value);
    return value;
}

/* Another attempt may succeed. */
static inline bool redial_curl_temporary_(CURLcode result)
{
    switch (result) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST: /* a resolver that is down looks like an unknown name */
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR: /* cut in the handshake; a wrong certificate has other codes */
    case CURLE_SEND_ERROR:
    case CURLE_SEND_FAIL_REWIND: /* the next attempt rewinds by itself */
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_OUT_OF_MEMORY: /* like ENOMEM */
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
#if LIBCURL_VERSION_NUM >= 0x074400
    case CURLE_HTTP3:
#endif
#if LIBCURL_VERSION_NUM >= 0x074500
    case CURLE_QUIC_CONNECT_ERROR:
#endif
#if LIBCURL_VERSION_NUM >= 0x074900
    case CURLE_PROXY:
#endif
        return true;
    default:
        return false;
    }
}

/* One of these alone is 0 in some versions although bytes were sent. */
static inline bool redial_curl_unsent_(CURL *curl)
{
    return redial_curl_int_(curl, CURLINFO_REQUEST_SIZE) == 0
           && redial_curl_offset_(curl, CURLINFO_SIZE_UPLOAD_T) == 0
           && redial_curl_offset_(curl, CURLINFO_PRETRANSFER_TIME_T) == 0;
}

#if LIBCURL_VERSION_NUM >= 0x075400
static inline CURLHcode redial_curl_location_(CURL *curl, int request)
{
    struct curl_header *ignored;
    return curl_easy_header(curl, "Location", 0, CURLH_HEADER, request, &ignored);
}
#endif

/* A response before the last one sent us elsewhere. */
static inline bool redial_curl_redirected_(CURL *curl)
{
#if LIBCURL_VERSION_NUM >= 0x075400
    CURLHcode found;
    int request = 0;
    while ((found = redial_curl_location_(curl, request)) == CURLHE_MISSING)
        request++;
    if (found != CURLHE_NOT_BUILT_IN)
        return found == CURLHE_OK && redial_curl_location_(curl, request + 1) != CURLHE_NOREQUEST;
#endif
    return redial_curl_int_(curl, CURLINFO_REDIRECT_COUNT) > 0; /* counts authentication, too */
}

/* The request was not done here: the server named another place, and it was not followed. 308
   without a place means something else to some services. */
static inline bool redial_curl_elsewhere_(CURL *curl, int status)
{
    return status == 301 || status == 302 || status == 307
           || (status == 308 && redial_curl_text_(curl, CURLINFO_REDIRECT_URL));
}

/* CURLINFO_RETRY_AFTER compares a date with our own clock, and reads "2, 3" as 2: it comes last. */
static inline uint32_t redial_curl_wait_ms_(CURL *curl)
{
#if LIBCURL_VERSION_NUM >= 0x075400
    struct curl_header *header;
    const char *date = REDIAL_CURL_NULL_;
    uint32_t longest_ms = 0;
    CURLHcode found;
    size_t i = 0;
    if (curl_easy_header(curl, "Date", 0, CURLH_HEADER, -1, &header) == CURLHE_OK)
        date = header->value;
    while ((found = curl_easy_header(curl, "Retry-After", i, CURLH_HEADER, -1, &header))
           == CURLHE_OK) {
        uint32_t ms = redial_retry_after_ms(header->value, date);
        if (ms > longest_ms)
            longest_ms = ms;
        i++;
    }
    if (found != CURLHE_NOT_BUILT_IN && (i == 0 || date || longest_ms > 0))
        return longest_ms;
#endif
    return redial_seconds_ms(redial_curl_offset_(curl, CURLINFO_RETRY_AFTER));
}

/* The status says more than the error. 401, 407 and 417 may belong to an earlier round. */
static inline bool redial_curl_answered_(CURLcode result, int status)
{
    if (result == CURLE_HTTP_RETURNED_ERROR)
        return status != 0;
    return result == CURLE_OK || (status >= 400 && status != 401 && status != 407 && status != 417);
}

static inline struct redial_outcome redial_curl_by_method_(CURL *curl, CURLcode result,
                                                           const char *method)
{
    /* Other protocols leave numbers of their own in place of a status. */
    bool http = redial_curl_int_(curl, CURLINFO_HTTP_VERSION) != 0;
    int status = http ? redial_curl_int_(curl, CURLINFO_RESPONSE_CODE) : 0;
    int tunnel = redial_curl_int_(curl, CURLINFO_HTTP_CONNECTCODE);
    int code = REDIAL_CURL_INT_(result);
    if (result == CURLE_ABORTED_BY_CALLBACK)
        return redial_fail(code);
    if (result != CURLE_OK && !status && tunnel >= 300) /* the proxy refused: nothing was sent */
        return tunnel >= 400 ? redial_http(tunnel, 0, "GET") : redial_fail(tunnel);
    if (!redial_curl_answered_(result, status)) {
        bool safe = redial_http_idempotent(method) || redial_curl_unsent_(curl);
        return safe && redial_curl_temporary_(result) ? redial_retry(code, 0) : redial_fail(code);
    }
    if (!http)
        return redial_done();
    if (redial_curl_elsewhere_(curl, status))
        return redial_fail(status);
    return redial_http(status, redial_curl_wait_ms_(curl), method);
}

/* method: that of the first request, "GET" for a GET even if redirects are followed,
   REDIAL_IDEMPOTENT for a POST with a key; or NULL: the handle is asked. result is what
   curl_easy_perform returned, or data.result of a CURLMsg. */
static inline struct redial_outcome redial_curl(CURL *curl, CURLcode result, const char *method)
{
    struct redial_outcome outcome;
    bool success;
    if (method)
        return redial_curl_by_method_(curl, result, method);
#if LIBCURL_VERSION_NUM >= 0x074800
    method = redial_curl_text_(curl, CURLINFO_EFFECTIVE_METHOD);
#endif
    outcome = redial_curl_by_method_(curl, result, method);
    success = outcome.kind == REDIAL_KIND_DONE
              || (outcome.kind == REDIAL_KIND_HTTP && outcome.code < 400);
    return success || !redial_curl_redirected_(curl) ? outcome : redial_fail(outcome.code);
}

#endif
