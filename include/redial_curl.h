/* redial_curl: one attempt with libcurl, and its outcome. redial_curl_perform makes an attempt with
   curl_easy_perform. redial_curl says how a transfer ended that you made yourself. Both are inline,
   for C99 and C++11, and for libcurl 7.66 or later. 7.88.1, 8.14.1 and 8.23.0 were tried.
   SPDX-License-Identifier: MIT

   The loop:

       struct redial_step step = redial_loop_begin(&call, &policy, env);
       while (step.verdict == REDIAL_RETRY) {
           body.length = 0;
           step = redial_loop_next(&call, env,
                                   redial_curl_perform(curl, step.timeout_ms, "GET"));
       }

   The operation of redial_run:

       request->length = 0;
       return redial_curl_perform(request->curl, attempt->timeout_ms, "GET");

   The multi interface, for a message from curl_multi_info_read. Before the transfer, set
   CURLOPT_TIMEOUT_MS to (long)redial_timeout_ms, at most INT32_MAX. (If that is 0, send nothing.)

       outcome = redial_curl(message->easy_handle, message->data.result,
                             "GET");
       step = redial_next(&call, now_ms, outcome, random_bits);

   Before each attempt, empty the buffer that your write callback fills: it may hold a part of a
   body, or an error page. Rewind what your read callback sends. libcurl does not do that between
   two transfers, even with CURLOPT_SEEKFUNCTION: an upload that is retried would fail or, without a
   length, be stored empty or short and reported as done. CURLOPT_POSTFIELDS needs no rewinding.

   THE METHOD

   Pass the method of the first request, for example "GET", even if redirects are followed. Pass
   REDIAL_IDEMPOTENT if a repetition is safe for another reason: the request has an idempotency key,
   or a duplicate does no harm. For a payment, pass "POST": it is repeated only if it was certainly
   not sent, or after a 429, whose server did nothing (or another 4xx that your policy retries).

   With NULL, redial_curl asks the handle for the method. For other protocols than HTTP a repetition
   is then not safe, because libcurl names every upload PUT, even a mail. Before libcurl 7.72, which
   names no method, it is never safe.

   A request that must not be sent twice needs more, because libcurl repeats some by itself:

   - Set CURLOPT_FRESH_CONNECT: if a connection that libcurl reuses is dead, it sends the request
     again, even a POST. If the request may follow a redirect or answer a challenge, set
     CURLOPT_FORBID_REUSE, too.
   - Do not set CURLSSLOPT_EARLYDATA: with it a request leaves before the handshake ends, and
     libcurl does not count it as sent.
   - Over HTTP/2, libcurl repeats a request that the server refused, whatever the options: the
     server says that it did nothing (RFC 9113).

   THE OUTCOME

   The first item that fits counts:

   - Your progress callback stopped the transfer: FAIL. If you cancel redial_run or the loop in this
     way, return redial_retry(outcome.code, 0) for the code CURLE_ABORTED_BY_CALLBACK: your hook
     `cancelled` then makes it CANCELLED. redial_next does not ask it, and would send again.
   - It is no success, a redirect was followed, and the first request is not safe to repeat (with
     NULL: a GET may have been a POST): FAIL, because the first server may have done the work.
   - A proxy refused the tunnel: its status from 400 on, with its Retry-After, as for a GET. FAIL if
     the status is less, or an earlier tunnel carried a request that is not safe to repeat. If the
     proxy asked for credentials (407), and then the time was over, that is a temporary error; so is
     a cut, which libcurl tells apart from version 8.22 on.
   - An error after a status from 400 on, even if your write callback made it: the status, as below.
     401, 407 and 417 may belong to an earlier round; they count with CURLOPT_FAILONERROR.
   - A temporary error (no name, no connection, no handshake, a cut, only an interim answer such as
     103, a timeout, no memory): RETRY if the request is safe to repeat or nothing was sent.
     Otherwise FAIL.
   - Any other error: FAIL.
   - A success of another protocol than HTTP: DONE.
   - A 308 without a Location: DONE with the code 308. Some services say so that they have got a
     part of an upload.
   - Any other status: redial_http. A date in Retry-After is compared with the Date of the response;
     without one, and before libcurl 7.84, with the clock of this machine. Before 7.84, the
     Retry-After of a redirect or of an earlier transfer may count.

   outcome.code is the status if that decided, otherwise the CURLcode, which is below 200. The
   status may be that of a proxy that refused the tunnel. CURLINFO_RESPONSE_CODE is then 0: ask it
   before you take a 302 for a login, or drop work that the server seems to have refused for good.

   To decide otherwise about one code:

       if (outcome.code == CURLE_COULDNT_RESOLVE_HOST)
           return redial_fail(outcome.code);
       return outcome;

   WHAT LIBCURL CALLS A SUCCESS

   - A connection that ended within the header of an answer: the body is lost. redial_curl_perform
     notices that. With curl_easy_perform or the multi interface, look in your
     CURLOPT_HEADERFUNCTION for the empty line after each line that begins with "HTTP/". If there
     was none, pass CURLE_PARTIAL_FILE to redial_curl as the result.
   - Over HTTP/1, a body without a length and without chunks that was cut. Nobody can notice that.
   - Over HTTP/2, since libcurl 8, a body without a length whose stream the server reset without an
     error. */
#ifndef REDIAL_CURL_H
#define REDIAL_CURL_H

#include <curl/curl.h>

#include "redial.h"

#ifdef __cplusplus
#  define REDIAL_CURL_INLINE_ inline /* a C++ module can export it */
#  define REDIAL_CURL_CAST_(type, value) static_cast<type>(value)
#  define REDIAL_CURL_NULL_ nullptr
#else
#  define REDIAL_CURL_INLINE_ static inline
#  define REDIAL_CURL_CAST_(type, value) ((type)(value))
#  define REDIAL_CURL_NULL_ NULL
#endif

REDIAL_CURL_INLINE_ int redial_curl_int_(CURL *curl, CURLINFO info)
{
    long value = 0;
    curl_easy_getinfo(curl, info, &value);
    return REDIAL_CURL_CAST_(int, value);
}

/* Is this number of bytes or microseconds other than 0? */
REDIAL_CURL_INLINE_ bool redial_curl_any_(CURL *curl, CURLINFO info)
{
    curl_off_t value = 0;
    curl_easy_getinfo(curl, info, &value);
    return value != 0;
}

REDIAL_CURL_INLINE_ const char *redial_curl_text_(CURL *curl, CURLINFO info)
{
    char *value = REDIAL_CURL_NULL_;
    curl_easy_getinfo(curl, info, &value);
    return value;
}

/* The program may run with another libcurl than that of its headers. */
REDIAL_CURL_INLINE_ bool redial_curl_since_(unsigned version)
{
    return curl_version_info(CURLVERSION_NOW)->version_num >= version;
}

/* No connection was made that could carry a request. */
REDIAL_CURL_INLINE_ bool redial_curl_unconnected_(CURLcode result)
{
    switch (REDIAL_CURL_CAST_(int, result)) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST: /* a resolver that is down looks like an unknown name */
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR: /* cut in the handshake; a wrong certificate has other codes */
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

REDIAL_CURL_INLINE_ bool redial_curl_scheme_(CURL *curl, const char *one, const char *other)
{
    const char *scheme = redial_curl_text_(curl, CURLINFO_SCHEME);
    return scheme && (curl_strequal(scheme, one) || curl_strequal(scheme, other));
}

/* The scheme is http or https, or it is not known yet. */
REDIAL_CURL_INLINE_ bool redial_curl_http_(CURL *curl)
{
    return !redial_curl_text_(curl, CURLINFO_SCHEME) || redial_curl_scheme_(curl, "http", "https");
}

/* Is the status HTTP's? After a redirect from HTTP to FTP, it is a reply of FTP. */
REDIAL_CURL_INLINE_ bool redial_curl_has_status_(CURL *curl)
{
    return redial_curl_int_(curl, CURLINFO_HTTP_VERSION)
           && (redial_curl_http_(curl) || redial_curl_scheme_(curl, "ws", "wss")
               || redial_curl_scheme_(curl, "rtsp", "rtsp"));
}

/* Another attempt may succeed. */
REDIAL_CURL_INLINE_ bool redial_curl_temporary_(CURL *curl, CURLcode result)
{
    switch (REDIAL_CURL_CAST_(int, result)) {
    case CURLE_INTERFACE_FAILED: /* a modem that went away */
    case CURLE_SEND_ERROR:
    case CURLE_SEND_FAIL_REWIND: /* the program rewinds before the next attempt */
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
        return true;
    case CURLE_FAILED_INIT: /* an SSH server that closes at once */
    case CURLE_SSH:
        return redial_curl_scheme_(curl, "sftp", "scp");
    default:
        return redial_curl_unconnected_(result);
    }
}

/* Nothing of the request was sent. Each of these numbers is 0 in some version although bytes left,
   and libcurl 8.21 and later set the times of the answer, too, after every failure. An SSL_write
   that fails may have sent a part that nothing counts. Nor does anything count the commands of
   other protocols, and a Unix socket has no port. */
REDIAL_CURL_INLINE_ bool redial_curl_unsent_(CURL *curl, CURLcode result)
{
    if (result == CURLE_SEND_ERROR || redial_curl_int_(curl, CURLINFO_REQUEST_SIZE)
        || redial_curl_any_(curl, CURLINFO_SIZE_UPLOAD_T))
        return false;
    if (!redial_curl_http_(curl))
        return redial_curl_unconnected_(result) && redial_curl_int_(curl, CURLINFO_LOCAL_PORT) <= 0;
    if (!redial_curl_since_(0x081500))
        return !redial_curl_any_(curl, CURLINFO_PRETRANSFER_TIME_T);
    return redial_curl_unconnected_(result)
           || (redial_curl_any_(curl, CURLINFO_STARTTRANSFER_TIME_T)
               && !redial_curl_int_(curl, CURLINFO_HEADER_SIZE)
               && !redial_curl_any_(curl, CURLINFO_SIZE_DOWNLOAD_T));
}

#if LIBCURL_VERSION_NUM >= 0x075400
REDIAL_CURL_INLINE_ const char *redial_curl_header_(CURL *curl, const char *name, size_t index,
                                                    unsigned origin)
{
    struct curl_header *header;
    return curl_easy_header(curl, name, index, origin, -1, &header) == CURLHE_OK
               ? header->value
               : REDIAL_CURL_NULL_;
}

/* Of several, the longest counts. */
REDIAL_CURL_INLINE_ uint32_t redial_curl_longest_ms_(CURL *curl, unsigned origin, const char *date)
{
    const char *value;
    uint32_t longest_ms = 0;
    size_t i = 0;
    while ((value = redial_curl_header_(curl, "Retry-After", i++, origin))) {
        uint32_t ms = redial_retry_after_ms(value, date);
        longest_ms = ms > longest_ms ? ms : longest_ms;
    }
    return longest_ms;
}

REDIAL_CURL_INLINE_ CURLHcode redial_curl_location_(CURL *curl, int request)
{
    struct curl_header *ignored;
    return curl_easy_header(curl, "Location", 0, CURLH_HEADER, request, &ignored);
}
#endif

/* A response before the last one sent us elsewhere. */
REDIAL_CURL_INLINE_ bool redial_curl_redirected_(CURL *curl)
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

/* CURLINFO_RETRY_AFTER compares a date with our own clock, and reads "2, 3" as 2: it comes last. */
REDIAL_CURL_INLINE_ uint32_t redial_curl_wait_ms_(CURL *curl)
{
    curl_off_t seconds = 0;
#if LIBCURL_VERSION_NUM >= 0x075400
    struct curl_header *ignored;
    CURLHcode found = curl_easy_header(curl, "Retry-After", 0, CURLH_HEADER, -1, &ignored);
    const char *date = redial_curl_header_(curl, "Date", 0, CURLH_HEADER);
    uint32_t ms = redial_curl_longest_ms_(curl, CURLH_HEADER, date);
    bool dated = redial_retry_after_ms("Fri, 31 Dec 9999 23:59:59 GMT", date) > 0;
    if (ms > 0 || dated || (found != CURLHE_OK && found != CURLHE_NOT_BUILT_IN))
        return ms;
#endif
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
    return redial_seconds_ms(seconds);
}

/* The proxy refused the tunnel. But after a 407, a second CONNECT, with credentials, may have hung
   or been cut. libcurl 8.22 and later tell the cut. */
REDIAL_CURL_INLINE_ bool redial_curl_refused_(int tunnel, CURLcode result)
{
    bool cut = result == CURLE_OPERATION_TIMEDOUT
               || (result == CURLE_RECV_ERROR && redial_curl_since_(0x081600));
    return tunnel >= 300 && !(tunnel == 407 && cut);
}

/* An earlier tunnel of the same transfer may have carried the request. Before libcurl 8.8, the size
   of the request counts that of the CONNECT. */
REDIAL_CURL_INLINE_ struct redial_outcome redial_curl_tunnel_(CURL *curl, int status,
                                                              const char *method)
{
    uint32_t wait_ms = 0;
    bool sent = redial_curl_since_(0x080800) ? redial_curl_int_(curl, CURLINFO_REQUEST_SIZE) != 0
                                             : redial_curl_any_(curl, CURLINFO_PRETRANSFER_TIME_T);
    if (status < 400 || (sent && !redial_http_idempotent(method)))
        return redial_fail(status);
#if LIBCURL_VERSION_NUM >= 0x075400
    wait_ms = redial_curl_longest_ms_(curl, CURLH_CONNECT,
                                      redial_curl_header_(curl, "Date", 0, CURLH_CONNECT));
#endif
    return redial_http(status, wait_ms, "GET");
}

/* The status says more than the error. 401, 407 and 417 may belong to an earlier round. */
REDIAL_CURL_INLINE_ bool redial_curl_answered_(CURLcode result, int status)
{
    if (result == CURLE_HTTP_RETURNED_ERROR)
        return status != 0;
    return result == CURLE_OK || (status >= 400 && status != 401 && status != 407 && status != 417);
}

REDIAL_CURL_INLINE_ struct redial_outcome redial_curl_by_method_(CURL *curl, CURLcode result,
                                                                 const char *method)
{
    struct redial_outcome outcome = redial_done();
    bool http = redial_curl_has_status_(curl);
    int status = http ? redial_curl_int_(curl, CURLINFO_RESPONSE_CODE) : 0;
    int tunnel = redial_curl_int_(curl, CURLINFO_HTTP_CONNECTCODE);
    int code;
    if (result == CURLE_OK && status >= 100 && status < 200 && status != 101)
        result = CURLE_PARTIAL_FILE; /* the connection ended after an interim answer */
    code = REDIAL_CURL_CAST_(int, result);
    if (result == CURLE_ABORTED_BY_CALLBACK)
        return redial_fail(code);
    if (result != CURLE_OK && !status && redial_curl_refused_(tunnel, result))
        return redial_curl_tunnel_(curl, tunnel, method);
    if (!redial_curl_answered_(result, status)) {
        bool safe = redial_http_idempotent(method) || redial_curl_unsent_(curl, result);
        safe = safe && redial_curl_temporary_(curl, result);
        return safe ? redial_retry(code, 0) : redial_fail(code);
    }
    if (http && !(status == 308 && !redial_curl_text_(curl, CURLINFO_REDIRECT_URL)))
        return redial_http(status, redial_curl_wait_ms_(curl), method);
    outcome.code = status;
    return outcome;
}

/* The method that the handle names. NULL: none that can be trusted. */
REDIAL_CURL_INLINE_ const char *redial_curl_method_(CURL *curl)
{
#if LIBCURL_VERSION_NUM >= 0x074800
    if (redial_curl_http_(curl))
        return redial_curl_text_(curl, CURLINFO_EFFECTIVE_METHOD);
#endif
    (void)curl;
    return REDIAL_CURL_NULL_;
}

/* Returns the outcome of a transfer. result is what curl_easy_perform returned, or data.result of a
   CURLMsg. method may be NULL. No option of the handle changes. Call redial_curl before
   curl_easy_reset and curl_easy_cleanup. */
REDIAL_CURL_INLINE_ struct redial_outcome redial_curl(CURL *curl, CURLcode result,
                                                      const char *method)
{
    const char *first = method ? method : redial_curl_method_(curl);
    struct redial_outcome outcome = redial_curl_by_method_(curl, result, first);
    /* The handle names GET (no other idempotent method has a G), and it may have been a POST. */
    bool safe = redial_http_idempotent(first) && (method || first[0] != 'G');
    if (outcome.kind != REDIAL_KIND_DONE && !safe && redial_curl_redirected_(curl))
        outcome.kind = REDIAL_KIND_FAIL;
    return outcome;
}

struct redial_curl_watch_ {
    CURL *curl;
    bool cut; /* a header of HTTP has begun, and has not ended */
};

/* A header callback. Trailers, which come after a body, have no empty line at their end. */
REDIAL_CURL_INLINE_ size_t redial_curl_line_(char *line, size_t size, size_t count, void *user)
{
    struct redial_curl_watch_ *watch = REDIAL_CURL_CAST_(struct redial_curl_watch_ *, user);
    size_t length = size * count;
    if (length >= 5 && curl_strnequal(line, "HTTP/", 5))
        watch->cut = watch->cut || !redial_curl_any_(watch->curl, CURLINFO_SIZE_DOWNLOAD_T);
    else if (length > 0 && (line[0] == '\r' || line[0] == '\n') && line[length - 1] == '\n')
        watch->cut = false;
    return length;
}

/* Makes one attempt with curl_easy_perform, and returns its outcome. method is as for redial_curl.

   timeout_ms is that of the attempt or of the step. It becomes CURLOPT_TIMEOUT_MS, at most
   INT32_MAX, and stays set afterwards. UINT32_MAX means no limit: a timeout that the handle has
   stays. 0 means that no time is left: nothing is sent, and the outcome is RETRY.

   redial_curl_perform sets a header callback of its own, to notice a header that was cut: the
   result is then CURLE_PARTIAL_FILE. Afterwards CURLOPT_HEADERFUNCTION and CURLOPT_HEADERDATA are
   NULL, even if you had set them, to a FILE for example. If you need a header callback, use
   curl_easy_perform and redial_curl. */
REDIAL_CURL_INLINE_ struct redial_outcome redial_curl_perform(CURL *curl, uint32_t timeout_ms,
                                                              const char *method)
{
    struct redial_curl_watch_ watch = { curl, false };
    long most_ms = REDIAL_CURL_CAST_(long, timeout_ms < INT32_MAX ? timeout_ms : INT32_MAX);
    CURLcode result;
    if (timeout_ms == 0)
        return redial_retry(CURLE_OPERATION_TIMEDOUT, 0);
    if (timeout_ms != REDIAL_NO_LIMIT)
        curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, most_ms);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, redial_curl_line_);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &watch);
    result = curl_easy_perform(curl);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, REDIAL_CURL_NULL_);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, REDIAL_CURL_NULL_);
    if (result == CURLE_OK && watch.cut && redial_curl_has_status_(curl))
        result = CURLE_PARTIAL_FILE;
    return redial_curl(curl, result, method);
}

#endif
