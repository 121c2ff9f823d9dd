/* redial_curl: one attempt with libcurl, and its outcome. Inline, for C99 and C++11, and for
   libcurl 7.61 or later; 7.88.1, 8.14.1 and 8.23.0 were tried. SPDX-License-Identifier: MIT

   A loop:

       struct redial_step step = redial_loop_begin(&call, &policy, env);
       while (step.verdict == REDIAL_ATTEMPT) {
           body.length = 0;
           step = redial_loop_next(&call, env,
                                   redial_curl_perform(curl, step.timeout_ms, "GET"));
       }

   The operation of redial_run:

       request->length = 0;
       return redial_curl_perform(request->curl, attempt->timeout_ms, "GET");

   The multi interface, before each attempt and after it (RETRY: the next is due in step.delay_ms):

       uint32_t timeout_ms = redial_ready(&get->call, now_ms).timeout_ms;
       get->length = 0;
       if (redial_curl_begin(&get->attempt, get->curl, timeout_ms, "GET"))
           curl_multi_add_handle(multi, get->curl);
       else
           get->verdict = REDIAL_TIMED_OUT;

       CURLcode result = message->data.result;   // of curl_multi_info_read
       curl_multi_remove_handle(multi, get->curl);
       step = redial_next(&get->call, now_ms, redial_curl_end(&get->attempt, result), random_bits);

   BEFORE EACH ATTEMPT

   Empty what your write callback fills: it may hold a part of a body, or an error page. Rewind what
   your read callback sends. libcurl does neither, even with CURLOPT_SEEKFUNCTION: an upload that is
   retried would fail or, without a length, be stored empty or short and reported as done.
   CURLOPT_POSTFIELDS needs no rewinding. Build what expires (a Date, a signature, a token) anew.

   THE METHOD

   Pass the method of the first request, for example "GET", even if redirects are followed. Pass
   REDIAL_IDEMPOTENT if a repetition is safe for another reason: the request has an idempotency key,
   or a duplicate does no harm. For a payment, pass "POST": it is repeated only if it was certainly
   not sent, or after a 429, whose server did nothing.

   Each attempt with a method that is not safe to repeat gets a connection of its own, because
   libcurl by itself repeats a request on a connection that died. That costs a handshake, and leaves
   a socket in TIME_WAIT. If you accept what libcurl repeats, set CURLOPT_FRESH_CONNECT and
   CURLOPT_FORBID_REUSE to 0 after redial_curl_begin.

   With NULL, the handle is asked for the method afterwards. No request then gets a connection of
   its own: pass "POST". Other protocols than HTTP are then not safe to repeat, because libcurl
   names every upload PUT, even a mail; before libcurl 7.72, which names no method, nothing is.

   Even so, libcurl may send a request twice, or not at all:

   - Do not set CURLSSLOPT_EARLYDATA: a request then leaves in the handshake, uncounted.
   - Do not set CURLOPT_HTTPAUTH to Digest or NTLM alone, unless the server always asks for it.
     libcurl first sends the request with an empty body. A server that asks for no login does that,
     and then gets the request again: no method makes this safe. With CURLOPT_PROXYAUTH and such a
     proxy, the body is never sent, and the answer is a success: compare CURLINFO_SIZE_UPLOAD_T.
   - Over HTTP/2, libcurl repeats a request that the server refused (REFUSED_STREAM, GOAWAY),
     whatever the options: it did nothing with it (RFC 9113). Or a POST ends as FAIL with 56.

   THE HANDLE

   - Make one attempt at a time with it, and duplicate it only between two attempts.
   - Set CURLOPT_QUICK_EXIT (libcurl 7.87). Otherwise a name server that hangs holds a transfer
     beyond its timeout and Ctrl-C. libcurl may leak a little when that happens.
   - In a program with threads, set CURLOPT_NOSIGNAL, and ignore SIGPIPE.
   - With HTTP/2 by prior knowledge and libcurl 7.88, set CURLOPT_FRESH_CONNECT after CURLE_HTTP2
     (16): a connection that broke otherwise fails for ever.
   - For a retry on a new handle with the same multi handle or shared cache of names, set
     CURLOPT_DNS_CACHE_TIMEOUT to 0: libcurl 8.16 and later remember for half a minute that a name
     was not found. On the same handle, redial_curl_end sets it, and it stays.

   THE MULTI INTERFACE

   - Repeat an attempt with curl_multi_remove_handle and curl_multi_add_handle. Copy data.result
     first: the message goes with the handle.
   - Loop until no call is left, not until still_running is 0. Let a poll end at the next retry.
   - Add no more handles than may be sent at once. The timeout begins with curl_multi_add_handle:
     one that waits for CURLMOPT_MAX_TOTAL_CONNECTIONS or CURLMOPT_MAX_HOST_CONNECTIONS times out
     although the server is well. Begin a call with its first attempt: your queue costs it no time.
   - Give an attempt up with curl_multi_remove_handle, then redial_curl_end(&attempt,
     CURLE_ABORTED_BY_CALLBACK): otherwise the handle keeps a pointer to it.

   THE OUTCOME

   The first item that fits counts:

   - Your progress callback stopped the transfer: FAIL. To get CANCELLED from redial_run or the
     loop, return redial_retry for the code 42 (CURLE_ABORTED_BY_CALLBACK) while `cancelled` is
     true. Not with redial_next: it would send again.
   - A failure after a redirect was followed, if the first request is not safe to repeat (method
     NULL: not even a GET is): FAIL, because the first server may have done the work.
   - A proxy refused the tunnel: its status from 400 on, with its Retry-After, as for a GET. FAIL if
     the status is less, or an earlier tunnel carried a request that is not safe to repeat. After a
     407, a timeout, from libcurl 8.22 on also a cut, is a temporary error.
   - An error after a status from 400 on: the status, as below. 401, 407 and 417 may belong to an
     earlier round: they count if your write callback refused the body, or with CURLOPT_FAILONERROR.
   - A temporary error (no name, no connection, no handshake, a cut, only an interim answer such as
     103, a timeout, no memory): RETRY if a repetition is safe or nothing was sent, else FAIL.
   - Any other error: FAIL. A success of another protocol than HTTP: DONE.
   - A 308 without a Location, except to GET and HEAD: DONE with the code 308. Some services say so
     that they have got a part of an upload. If it shows no progress, return redial_retry(308, 0): a
     loop over the parts would send as fast as it can.
   - Any other status: redial_http. A date in Retry-After is compared with the Date of the response;
     without one, and before libcurl 7.84, with our clock ("2, 3" is then 2 s). Before 7.84, the
     Retry-After of a redirect or of an earlier transfer may count; before 7.66, none does.

   outcome.code is the status if that decided, otherwise the CURLcode, which is below 200. The
   status may be that of a proxy that refused the tunnel. CURLINFO_RESPONSE_CODE is then 0: ask it
   before you take a 302 for a login, or drop work that the server seems to have refused for good.

   If you know better, change the outcome: RETRY may become anything, FAIL may become RETRY only
   where a repetition is safe. For example, where a 303 is the answer to a form or a login:

       if (outcome.code == 303)
           outcome.kind = REDIAL_KIND_DONE;

   For a long poll, return redial_pending(outcome.retry_after_ms). 300 and 304 are successes.

   Some failures look like successes. If a connection ends within the header, the body is lost:
   redial_curl_end notices that, and redial_curl does not. Nobody notices the cut of a body without
   a length: over HTTP/1 without chunks, or since libcurl 8 over HTTP/2 by a reset without error. */
#ifndef REDIAL_CURL_H
#define REDIAL_CURL_H

#include <curl/curl.h>
#include <string.h>

#include "redial.h"

/* An attempt. It must stay where it is between redial_curl_begin and redial_curl_end. Its members
   are private, and may change with each version. */
struct redial_curl_attempt {
    CURL *curl_; /* NULL: no time was left */
    const char *method_;
    bool limited_; /* CURLOPT_TIMEOUT_MS was set */
    bool cut_; /* a header of HTTP has begun, and has not ended */
};

#ifdef __cplusplus
REDIAL_INLINE_BEGIN_
#  define REDIAL_CURL_FN_ inline   /* a C++ module can export it */
#  define REDIAL_CURL_CAST_(type, value) static_cast<type>(value)
#  define REDIAL_CURL_NULL_ nullptr
#else
#  define REDIAL_CURL_FN_ static inline
#  define REDIAL_CURL_CAST_(type, value) ((type)(value))
#  define REDIAL_CURL_NULL_ NULL
#endif

REDIAL_CURL_FN_ int redial_curl_int_(CURL *curl, CURLINFO info)
{
    long value = 0;
    curl_easy_getinfo(curl, info, &value);
    return REDIAL_CURL_CAST_(int, value);
}

/* Is this number of bytes or microseconds other than 0? */
REDIAL_CURL_FN_ bool redial_curl_any_(CURL *curl, CURLINFO info)
{
    curl_off_t value = 0;
    curl_easy_getinfo(curl, info, &value);
    return value != 0;
}

REDIAL_CURL_FN_ const char *redial_curl_text_(CURL *curl, CURLINFO info)
{
    char *value = REDIAL_CURL_NULL_;
    curl_easy_getinfo(curl, info, &value);
    return value;
}

/* The program may run with another libcurl than that of its headers. */
REDIAL_CURL_FN_ bool redial_curl_since_(unsigned version)
{
    return curl_version_info(CURLVERSION_NOW)->version_num >= version;
}

/* No connection was made that could carry a request. */
REDIAL_CURL_FN_ bool redial_curl_unconnected_(CURLcode result)
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

REDIAL_CURL_FN_ bool redial_curl_scheme_(CURL *curl, const char *one, const char *other)
{
    const char *scheme = redial_curl_text_(curl, CURLINFO_SCHEME);
    return scheme && (curl_strequal(scheme, one) || curl_strequal(scheme, other));
}

/* The scheme is http or https, or it is not known yet. */
REDIAL_CURL_FN_ bool redial_curl_http_(CURL *curl)
{
    return !redial_curl_text_(curl, CURLINFO_SCHEME) || redial_curl_scheme_(curl, "http", "https");
}

/* Is the status HTTP's? After a redirect from HTTP to FTP, it is a reply of FTP. */
REDIAL_CURL_FN_ bool redial_curl_has_status_(CURL *curl)
{
    return redial_curl_int_(curl, CURLINFO_HTTP_VERSION)
           && (redial_curl_http_(curl) || redial_curl_scheme_(curl, "ws", "wss")
               || redial_curl_scheme_(curl, "rtsp", "rtsp"));
}

/* Another attempt may succeed. */
REDIAL_CURL_FN_ bool redial_curl_temporary_(CURL *curl, CURLcode result)
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
REDIAL_CURL_FN_ bool redial_curl_unsent_(CURL *curl, CURLcode result)
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
REDIAL_CURL_FN_ const char *redial_curl_header_(CURL *curl, const char *name, size_t index,
                                                unsigned origin)
{
    struct curl_header *header;
    return curl_easy_header(curl, name, index, origin, -1, &header) == CURLHE_OK
               ? header->value
               : REDIAL_CURL_NULL_;
}

/* Of several, the longest counts. */
REDIAL_CURL_FN_ uint32_t redial_curl_longest_ms_(CURL *curl, unsigned origin, const char *date)
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
#endif

/* A response before the last one sent us elsewhere. */
REDIAL_CURL_FN_ bool redial_curl_redirected_(CURL *curl)
{
#if LIBCURL_VERSION_NUM >= 0x075400
    struct curl_header *location;
    CURLHcode found = CURLHE_MISSING;
    int next = 0;
    while (found == CURLHE_MISSING)
        found = curl_easy_header(curl, "Location", 0, CURLH_HEADER, next++, &location);
    if (found == CURLHE_OK)
        found = curl_easy_header(curl, "Location", 0, CURLH_HEADER, next, &location);
    if (found != CURLHE_NOT_BUILT_IN)
        return found == CURLHE_OK || found == CURLHE_MISSING;
#endif
    return redial_curl_int_(curl, CURLINFO_REDIRECT_COUNT) > 0; /* counts authentication, too */
}

/* CURLINFO_RETRY_AFTER compares a date with our own clock, and reads "2, 3" as 2: it comes last. */
REDIAL_CURL_FN_ uint32_t redial_curl_wait_ms_(CURL *curl)
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
#if LIBCURL_VERSION_NUM >= 0x074200
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
#endif
    (void)curl;
    return redial_seconds_ms(seconds);
}

/* The proxy refused the tunnel. But after a 407, a second CONNECT, with credentials, may have hung
   or been cut. libcurl 8.22 and later tell the cut. */
REDIAL_CURL_FN_ bool redial_curl_refused_(int tunnel, CURLcode result)
{
    bool cut = result == CURLE_OPERATION_TIMEDOUT
               || (result == CURLE_RECV_ERROR && redial_curl_since_(0x081600));
    return tunnel >= 300 && !(tunnel == 407 && cut);
}

/* An earlier tunnel of the same transfer may have carried the request. Before libcurl 8.8, the size
   of the request counts that of the CONNECT. */
REDIAL_CURL_FN_ struct redial_outcome redial_curl_tunnel_(CURL *curl, int code, const char *method)
{
    uint32_t wait_ms = 0;
    bool sent = redial_curl_since_(0x080800) ? redial_curl_int_(curl, CURLINFO_REQUEST_SIZE) != 0
                                             : redial_curl_any_(curl, CURLINFO_PRETRANSFER_TIME_T);
    if (code < 400 || (sent && !redial_http_idempotent(method)))
        return redial_fail(code);
#if LIBCURL_VERSION_NUM >= 0x075400
    wait_ms = redial_curl_longest_ms_(curl, CURLH_CONNECT,
                                      redial_curl_header_(curl, "Date", 0, CURLH_CONNECT));
#endif
    return redial_http(code, wait_ms, "GET");
}

/* The status says more than the error. 401, 407 and 417 may belong to an earlier round, of which no
   body is written. */
REDIAL_CURL_FN_ bool redial_curl_answered_(CURLcode result, int status)
{
    if (result == CURLE_HTTP_RETURNED_ERROR)
        return status != 0;
    if (result == CURLE_OK || result == CURLE_WRITE_ERROR)
        return result == CURLE_OK || status >= 400;
    return status >= 400 && status != 401 && status != 407 && status != 417;
}

/* The server has got a part of what the request sends. */
REDIAL_CURL_FN_ bool redial_curl_partly_(CURL *curl, int status, const char *method)
{
    bool asks = method && (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0);
    return status == 308 && !asks && !redial_curl_text_(curl, CURLINFO_REDIRECT_URL);
}

REDIAL_CURL_FN_ struct redial_outcome redial_curl_by_method_(CURL *curl, CURLcode result,
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
    if (http && !redial_curl_partly_(curl, status, method))
        return redial_http(status, redial_curl_wait_ms_(curl), method);
    outcome.code = status;
    return outcome;
}

/* How did a transfer end that you made without redial_curl_begin? result is what curl_easy_perform
   returned, or data.result of a CURLMsg. method may be NULL. No option of the handle changes. Call
   redial_curl before curl_easy_reset and curl_easy_cleanup. */
REDIAL_CURL_FN_ struct redial_outcome redial_curl(CURL *curl, CURLcode result, const char *method)
{
    const char *first = method;
    struct redial_outcome outcome;
    bool safe;
#if LIBCURL_VERSION_NUM >= 0x074800
    if (!method && redial_curl_http_(curl))
        first = redial_curl_text_(curl, CURLINFO_EFFECTIVE_METHOD);
#endif
    outcome = redial_curl_by_method_(curl, result, first);
    /* The handle names GET (no other idempotent method has a G), and it may have been a POST. */
    safe = redial_http_idempotent(first) && (method || first[0] != 'G');
    if (outcome.kind != REDIAL_KIND_DONE && !safe && redial_curl_redirected_(curl))
        outcome.kind = REDIAL_KIND_FAIL;
    return outcome;
}

/* A header callback, which redial_curl_begin sets with the attempt as its data. If you need one of
   your own, set it after redial_curl_begin, and call this one in it. Returns size * count. */
REDIAL_CURL_FN_ size_t redial_curl_line(char *line, size_t size, size_t count, void *attempt)
{
    struct redial_curl_attempt *this_ = REDIAL_CURL_CAST_(struct redial_curl_attempt *, attempt);
    size_t length = size * count;
    /* Trailers, which come after a body, have no empty line at their end. */
    if (length >= 5 && curl_strnequal(line, "HTTP/", 5))
        this_->cut_ = this_->cut_ || !redial_curl_any_(this_->curl_, CURLINFO_SIZE_DOWNLOAD_T);
    else if (length > 0 && (line[0] == '\r' || line[0] == '\n') && line[length - 1] == '\n')
        this_->cut_ = false;
    return length;
}

/* Sets the options for an attempt, or all back to libcurl's defaults. */
REDIAL_CURL_FN_ void redial_curl_set_(const struct redial_curl_attempt *attempt, long timeout_ms,
                                      long alone, curl_write_callback line, void *data)
{
    if (attempt->limited_)
        curl_easy_setopt(attempt->curl_, CURLOPT_TIMEOUT_MS, timeout_ms);
    if (attempt->method_ && !redial_http_idempotent(attempt->method_)) {
        curl_easy_setopt(attempt->curl_, CURLOPT_FRESH_CONNECT, alone);
        curl_easy_setopt(attempt->curl_, CURLOPT_FORBID_REUSE, alone);
    }
    curl_easy_setopt(attempt->curl_, CURLOPT_HEADERFUNCTION, line);
    curl_easy_setopt(attempt->curl_, CURLOPT_HEADERDATA, data);
}

/* Begins an attempt: then call curl_easy_perform, or curl_multi_add_handle. method must stay valid
   until redial_curl_end. timeout_ms is that of the attempt or of the step, or redial_timeout_ms. It
   becomes CURLOPT_TIMEOUT_MS, at most INT32_MAX; UINT32_MAX means no limit: a timeout that the
   handle has stays. 0 means that no time is left: this sets nothing and returns false, and you must
   make no transfer. It also takes CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA and, for a method that
   is not safe to repeat, CURLOPT_FRESH_CONNECT and CURLOPT_FORBID_REUSE. */
REDIAL_CURL_FN_ bool redial_curl_begin(struct redial_curl_attempt *attempt, CURL *curl,
                                       uint32_t timeout_ms, const char *method)
{
    long most_ms = REDIAL_CURL_CAST_(long, timeout_ms < INT32_MAX ? timeout_ms : INT32_MAX);
    attempt->curl_ = timeout_ms > 0 ? curl : REDIAL_CURL_NULL_;
    attempt->method_ = method;
    attempt->limited_ = timeout_ms != REDIAL_NO_LIMIT;
    attempt->cut_ = false;
    if (timeout_ms == 0)
        return false;
    redial_curl_set_(attempt, most_ms, 1, redial_curl_line, attempt);
    return true;
}

/* Ends an attempt, and returns its outcome. result is as for redial_curl. Call it before
   curl_easy_reset and curl_easy_cleanup. The options that redial_curl_begin set are at libcurl's
   default afterwards. If that returned false, this is redial_retry(CURLE_OPERATION_TIMEDOUT, 0). */
REDIAL_CURL_FN_ struct redial_outcome redial_curl_end(struct redial_curl_attempt *attempt,
                                                      CURLcode result)
{
    if (!attempt->curl_)
        return redial_retry(CURLE_OPERATION_TIMEDOUT, 0);
    redial_curl_set_(attempt, 0, 0, REDIAL_CURL_NULL_, REDIAL_CURL_NULL_);
    /* Other transfers of a multi handle may not connect because there is no such name. */
    if (redial_curl_since_(0x081000)
        && (result == CURLE_COULDNT_RESOLVE_HOST || result == CURLE_COULDNT_RESOLVE_PROXY
            || result == CURLE_COULDNT_CONNECT))
        curl_easy_setopt(attempt->curl_, CURLOPT_DNS_CACHE_TIMEOUT, 0L);
    if (result == CURLE_OK && attempt->cut_ && redial_curl_has_status_(attempt->curl_))
        result = CURLE_PARTIAL_FILE;
    return redial_curl(attempt->curl_, result, attempt->method_);
}

/* Makes an attempt: redial_curl_begin, curl_easy_perform, redial_curl_end. Call these three if you
   need a header callback of your own. */
REDIAL_CURL_FN_ struct redial_outcome redial_curl_perform(CURL *curl, uint32_t timeout_ms,
                                                          const char *method)
{
    struct redial_curl_attempt attempt;
    CURLcode result = CURLE_OPERATION_TIMEDOUT;
    if (redial_curl_begin(&attempt, curl, timeout_ms, method))
        result = curl_easy_perform(curl);
    return redial_curl_end(&attempt, result);
}

#ifdef __cplusplus
REDIAL_INLINE_END_
#endif

#endif
