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

   The multi interface, before each attempt and after it (WAIT: the next is due in step.delay_ms):

       struct redial_step step = redial_ready(&get->call, now_ms);
       get->length = 0;
       if (step.verdict == REDIAL_ATTEMPT) {   // otherwise as in act() of redial.h
           redial_curl_begin(&get->attempt, get->curl, step.timeout_ms, "GET");
           curl_multi_add_handle(multi, get->curl);
       }

       CURLcode result = message->data.result;   // of curl_multi_info_read
       curl_multi_remove_handle(multi, get->curl);
       step = redial_next(&get->call, now_ms, redial_curl_end(&get->attempt, result), random_bits);

   BEFORE EACH ATTEMPT

   Empty what your write callback fills: it may hold a part of a body, or an error page. Rewind what
   your read callback sends: libcurl does not, and stores an empty or short file as a success.

   Rewinding is not enough for a read callback: set CURLOPT_SEEKFUNCTION, too. libcurl calls it when
   a kept connection dies, or HTTP/2 refuses a request. Without it, the upload ends with 65, and so
   does each later request on that handle with libcurl 8.7 to 8.15. The same holds for
   curl_mime_data_cb. CURLOPT_POSTFIELDS, and parts of a form from memory or a file, need nothing.
   Build what expires anew: a Date, a signature, a nonce, a token.

   OPTIONS THAT ARE TAKEN

   redial_curl_begin sets these, and redial_curl_end sets them to libcurl's default. What you had
   set is gone, also a FILE for the header: set it again before the next attempt.

   - CURLOPT_TIMEOUT_MS, but for a timeout_ms of UINT32_MAX.
   - CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA. Set a callback of your own after redial_curl_begin.
   - For a method that is not safe to repeat: CURLOPT_FRESH_CONNECT, CURLOPT_FORBID_REUSE,
     CURLOPT_PREREQFUNCTION, CURLOPT_PREREQDATA. WHO REPLACES THESE TWO AFTER redial_curl_begin HAS
     NO GUARD: libcurl may then make a payment twice.

   redial_curl_end sets three more at each end, for the next attempt. Yours are gone, too:

   - CURLOPT_DNS_CACHE_TIMEOUT: 0 after an attempt that got no connection, for a service may have
     moved; otherwise 60. Before a retry on another handle with the same multi handle or shared
     cache of names, set it to 0 yourself.
   - CURLOPT_FRESH_CONNECT and CURLOPT_MAXLIFETIME_CONN: 1 after a timeout on a kept connection,
     otherwise 0. Over HTTP/2, which https negotiates, libcurl keeps a connection that gives no
     answer. The second option closes it when it is 2 s old, and all idle ones that are as old.
     From libcurl 8.22 on the option stays for one attempt more, also after one that was aborted.

   A handle that is cleaned up needs no redial_curl_end. An attempt that is given up does, or the
   handle keeps a pointer to it: call curl_multi_remove_handle, and then
   redial_curl_end(&attempt, CURLE_ABORTED_BY_CALLBACK).

   THE METHOD

   Pass the method of the first request, for example "GET", even if redirects are followed. Nothing
   checks it. Pass REDIAL_IDEMPOTENT if a repetition is safe for another reason: the request has an
   idempotency key, or a duplicate does no harm. For a payment, pass "POST": it is repeated only if
   it was certainly not sent, or after a 429, whose server did nothing.

   libcurl by itself repeats a request on a kept connection that died. So each attempt with a method
   that is not safe to repeat gets a connection of its own. That costs a handshake, and leaves a
   socket in TIME_WAIT. From libcurl 7.80 on, a guard stops such a repetition where a redirect or a
   login needs a second round: UNSURE with 52. With the guard you may do without the connection: set
   CURLOPT_FRESH_CONNECT and CURLOPT_FORBID_REUSE to 0 after redial_curl_begin. A call then may end
   as UNSURE because a connection had gone idle.

   With NULL, the handle is asked for the method afterwards, and no request has a connection of its
   own or a guard. So pass "POST". Other protocols than HTTP are then not safe to repeat, because
   libcurl names every upload PUT, even a mail. Before 7.72, which names no method, nothing is safe.

   Even so, libcurl may send a request twice, or not at all:

   - Do not set CURLSSLOPT_EARLYDATA: a request then leaves in the handshake, uncounted.
   - Do not set CURLOPT_HTTPAUTH to Digest or NTLM alone, unless the server always asks for it.
     libcurl first sends the request with an empty body. A server that asks for no login does that,
     and then gets the request again: no method makes this safe. With CURLOPT_PROXYAUTH and such a
     proxy, the body is never sent, and the answer is a success: compare CURLINFO_SIZE_UPLOAD_T.
   - Over HTTP/2, libcurl repeats a request that the server refused (REFUSED_STREAM, GOAWAY), which
     RFC 9113 allows. On a kept connection, the guard makes it UNSURE with 52.

   THE HANDLE

   - Make one attempt at a time with it, and duplicate it only between two attempts.
   - Set CURLOPT_QUICK_EXIT (7.87), and CURLMOPT_QUICK_EXIT where you have it (8.20). Otherwise a
     name server that hangs holds a transfer, or the cleanup of a multi handle, beyond a timeout and
     Ctrl-C. libcurl may leak a little then. From 8.20 on it calls no progress callback meanwhile.
   - In a program with threads, set CURLOPT_NOSIGNAL, and ignore SIGPIPE.
   - Where a connection is pinned to one server, retry elsewhere: set CURLOPT_FRESH_CONNECT before
     the attempt after a 5xx. With HTTP/2 by prior knowledge and libcurl 7.88, set it after
     CURLE_HTTP2 (16), too: a connection that broke otherwise fails for ever.

   THE MULTI INTERFACE

   - Repeat an attempt with curl_multi_remove_handle and curl_multi_add_handle. Copy data.result
     first: the message goes with the handle.
   - Loop until no call is left, not until still_running is 0. Let a poll end at the next retry.
     curl_multi_wait returns at once without a transfer: sleep, or use curl_multi_poll (7.66).
   - The timeout of an attempt is libcurl's: with curl_multi_socket_action, keep its timer running.
     The time of a pause (curl_easy_pause) counts, too.
   - Add no more handles than may be sent at once. The timeout begins with curl_multi_add_handle:
     one that waits for CURLMOPT_MAX_TOTAL_CONNECTIONS or CURLMOPT_MAX_HOST_CONNECTIONS times out
     on a healthy server. Begin a call with its first attempt: your queue costs no time.

   THE OUTCOME

   The first item that fits counts. "Safe": the method is safe to repeat, or nothing was sent.

   - The guard stopped libcurl: UNSURE with 52 (CURLE_GOT_NOTHING).
   - CURLE_OK, but the handle never made a transfer, or was reset; timeout_ms was 0: INVALID.
   - A callback ended it with 42, or you gave it up while it ran, and it is safe: CANCELLED.
   - There was no transfer (2, but not for SSH; 3, but not where a redirect leads; 43, 93): FAIL.
   - A failure after libcurl followed a redirect (or a challenge with a Location), if the first
     request is not safe to repeat (with NULL, a GET is not): UNSURE, with the code as below.
   - A proxy refused the tunnel: its status from 400 on, with its Retry-After, as for a GET. FAIL if
     the status is less, UNSURE if an earlier tunnel carried a request that is not safe to repeat.
     After a 407, a timeout is a temporary error, from libcurl 8.22 on also a cut.
   - An error after a status from 400 on: the status, as below. 401, 407 and 417 may belong to an
     earlier round: they count only with 22 (CURLOPT_FAILONERROR), 23, 33 and 61.
   - FTP and SMTP: a last reply of 4xx is a temporary error, and 5xx is FAIL.
   - A temporary error (no name, no connection, no handshake, no interface, 65, a cut, a timeout, no
     memory, only an interim answer, 101 included): RETRY if it is safe, else UNSURE.
   - Any other error: FAIL if it is safe, else UNSURE. A success of another protocol: DONE.
   - A 308 without a Location, except to GET and HEAD: DONE with the code 308. Some services say so
     that they have got a part of an upload. If it shows no progress, return redial_retry(308, 0).
   - Any other status: redial_http. Of several Retry-After the longest counts. A date is compared to
     the Date of the response; without one, or before libcurl 7.84, with our clock, and "2, 3" is
     2 s. Before 7.84, that of a redirect or of an earlier transfer may count; before 7.66, none.

   outcome.code is the status if that decided, otherwise the CURLcode, which is below 200. The
   status may be that of a proxy that refused the tunnel. CURLINFO_RESPONSE_CODE is then 0: ask it
   before you take a 302 for a login, or drop work that the server seems to have refused for good.

   If you know better, change the outcome: RETRY to anything; to RETRY a DONE (a 200 with an error
   inside), an UNSURE where a duplicate does no harm, a FAIL whose status you know (408).

       if (outcome.code == 409)   // with an idempotency key: the first request is still running
           outcome = redial_retry(409, outcome.retry_after_ms);
       if (outcome.code == 303)   // the answer to a form or a login
           outcome.kind = REDIAL_KIND_DONE;

   For a long poll, return redial_pending(outcome.retry_after_ms). 300 and 304 are successes. What
   got 425 or 421 was not done: send it again without early data, or on another connection. 60 may
   be a clock that is not set yet. 33 after a 200: the range was ignored, begin at 0 again.

   Some failures look like successes. If a connection ends within the header, the body is lost:
   redial_curl_end notices (18), redial_curl does not. Nobody notices the cut of a body without a
   length: over HTTP/1 without chunks, or since libcurl 8 over HTTP/2 by a reset without error. */
#ifndef REDIAL_CURL_H
#define REDIAL_CURL_H

#include <curl/curl.h>
#include <string.h>

#include "redial.h"

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

/* An attempt. It must stay where it is between redial_curl_begin and redial_curl_end. Its members
   are private, and may change with each version. */
struct redial_curl_attempt {
    CURL *curl_; /* NULL: it has not begun, or it has ended */
    const char *method_; /* a text of this header that stands for the method, or NULL */
    bool limited_; /* CURLOPT_TIMEOUT_MS was set */
    bool cut_; /* a header of HTTP has begun, and has not ended */
    bool after_silence_; /* the transfer before had no answer on a kept connection */
    /* the guard of a request that is not safe to repeat, when libcurl last sent something */
    bool asks_; /* the first request is GET or HEAD */
    bool kept_; /* on a connection that was there before */
    bool refused_; /* libcurl wanted to send it again */
    int connects_; /* connections so far */
    int rounds_; /* redirects and rounds of authentication so far */
};

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

/* The last reply of FTP or SMTP, if it is a failure: 400 to 599. Otherwise 0. */
REDIAL_CURL_FN_ int redial_curl_reply_(CURL *curl)
{
    int reply = redial_curl_int_(curl, CURLINFO_RESPONSE_CODE);
    bool replies =
        redial_curl_scheme_(curl, "ftp", "ftps") || redial_curl_scheme_(curl, "smtp", "smtps");
    return replies && reply >= 400 && reply < 600 ? reply : 0;
}

/* No transfer was begun, and the status is that of an earlier one. But a server of SSH may give 2,
   and a redirect may lead to a malformed URL. */
REDIAL_CURL_FN_ bool redial_curl_before_(CURL *curl, CURLcode result)
{
    bool init = result == CURLE_FAILED_INIT && !redial_curl_scheme_(curl, "sftp", "scp");
    bool redirect = redial_curl_int_(curl, CURLINFO_RESPONSE_CODE) / 100 == 3
                    && redial_curl_int_(curl, CURLINFO_REDIRECT_COUNT) > 0;
    bool url = result == CURLE_URL_MALFORMAT && !redirect;
    return init || url || result == CURLE_BAD_FUNCTION_ARGUMENT
           || result == CURLE_RECURSIVE_API_CALL;
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
    bool begun = redial_curl_any_(curl, CURLINFO_PRETRANSFER_TIME_T);
    if (result == CURLE_SEND_ERROR || redial_curl_int_(curl, CURLINFO_REQUEST_SIZE)
        || redial_curl_any_(curl, CURLINFO_SIZE_UPLOAD_T))
        return false;
    if (!redial_curl_http_(curl))
        return redial_curl_unconnected_(result) && redial_curl_int_(curl, CURLINFO_LOCAL_PORT) <= 0;
    if (!redial_curl_since_(0x081500))
        return !begun;
    return redial_curl_unconnected_(result) || (result == CURLE_ABORTED_BY_CALLBACK && !begun)
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
    if (sent && !redial_http_idempotent(method))
        return redial_unsure(code);
    if (code < 400)
        return redial_fail(code);
#if LIBCURL_VERSION_NUM >= 0x075400
    wait_ms = redial_curl_longest_ms_(curl, CURLH_CONNECT,
                                      redial_curl_header_(curl, "Date", 0, CURLH_CONNECT));
#endif
    return redial_http(code, wait_ms, "GET");
}

/* The status says more than the error. 401, 407 and 417 may belong to an earlier round, of which no
   body is written. A WebSocket that was refused is an error with any status. */
REDIAL_CURL_FN_ bool redial_curl_answered_(CURL *curl, CURLcode result, int status)
{
    switch (REDIAL_CURL_CAST_(int, result)) {
    case CURLE_OK:
        return true;
    case CURLE_HTTP_RETURNED_ERROR:
        return status >= 400 || (status && !redial_curl_scheme_(curl, "ws", "wss"));
    case CURLE_WRITE_ERROR:
    case CURLE_RANGE_ERROR:
    case CURLE_BAD_CONTENT_ENCODING:
        return status >= 400;
    default:
        return status >= 400 && status != 401 && status != 407 && status != 417;
    }
}

REDIAL_CURL_FN_ bool redial_curl_asks_(const char *method)
{
    return method && (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0);
}

REDIAL_CURL_FN_ struct redial_outcome redial_curl_by_error_(CURL *curl, CURLcode result,
                                                            const char *method)
{
    int code = REDIAL_CURL_CAST_(int, result);
    int reply = redial_curl_reply_(curl);
    bool passes = reply ? reply < 500 : redial_curl_temporary_(curl, result);
    if (reply < 500 && !redial_http_idempotent(method) && !redial_curl_unsent_(curl, result))
        return redial_unsure(code);
    return passes ? redial_retry(code, 0) : redial_fail(code);
}

REDIAL_CURL_FN_ struct redial_outcome redial_curl_by_method_(CURL *curl, CURLcode result,
                                                             const char *method)
{
    struct redial_outcome outcome = redial_done();
    bool http = redial_curl_has_status_(curl);
    int status = http ? redial_curl_int_(curl, CURLINFO_RESPONSE_CODE) : 0;
    int tunnel = redial_curl_int_(curl, CURLINFO_HTTP_CONNECTCODE);
    if (result == CURLE_OK && status >= 100 && status < 200 && status != 101)
        result = CURLE_PARTIAL_FILE; /* the connection ended after an interim answer */
    if (result != CURLE_OK && !status && redial_curl_refused_(tunnel, result))
        return redial_curl_tunnel_(curl, tunnel, method);
    if (!redial_curl_answered_(curl, result, status))
        return redial_curl_by_error_(curl, result, method);
    outcome.code = status;
    /* The server has got a part of what the request sends. */
    if (status == 308 && !redial_curl_asks_(method)
        && !redial_curl_text_(curl, CURLINFO_REDIRECT_URL))
        return outcome;
    return http ? redial_http(status, redial_curl_wait_ms_(curl), method) : outcome;
}

/* How did a transfer end that you made without redial_curl_begin? result is what curl_easy_perform
   returned, or data.result of a CURLMsg. method may be NULL. No option of the handle changes. Call
   redial_curl before curl_easy_reset and curl_easy_cleanup. */
REDIAL_CURL_FN_ struct redial_outcome redial_curl(CURL *curl, CURLcode result, const char *method)
{
    const char *first = method;
    struct redial_outcome outcome;
    bool safe, moved; /* a redirect may have been followed after the work was done */
    if (result == CURLE_OK && !redial_curl_text_(curl, CURLINFO_SCHEME))
        return redial_errno(0); /* no transfer, or the handle was reset: INVALID */
#if LIBCURL_VERSION_NUM >= 0x074800
    if (!method && redial_curl_http_(curl))
        first = redial_curl_text_(curl, CURLINFO_EFFECTIVE_METHOD);
#endif
    /* If the handle names GET (no other idempotent method has a G), it may have been a POST. */
    safe = redial_http_idempotent(first) && (method || first[0] != 'G');
    moved = !safe && redial_curl_redirected_(curl);
    if (result == CURLE_ABORTED_BY_CALLBACK && !moved
        && (redial_http_idempotent(first) || redial_curl_unsent_(curl, result)))
        return redial_cancelled(REDIAL_CURL_CAST_(int, result));
    if (redial_curl_before_(curl, result))
        return redial_fail(REDIAL_CURL_CAST_(int, result));
    outcome = redial_curl_by_method_(curl, result, first);
    if (outcome.kind != REDIAL_KIND_DONE && moved)
        outcome.kind = REDIAL_KIND_UNSURE;
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

#if LIBCURL_VERSION_NUM >= 0x075000
/* libcurl calls this when it is about to send a request. By itself it repeats only what it sent on
   a connection that was kept, and died. CURLINFO_REDIRECT_COUNT counts redirects and rounds of
   authentication, but no such repetition. A GET after a 303 may be repeated, and by FTP each file
   that a wildcard matches is a request. */
REDIAL_CURL_FN_ int redial_curl_guard_(void *attempt, char *remote, char *local, int remote_port,
                                       int local_port)
{
    struct redial_curl_attempt *this_ = REDIAL_CURL_CAST_(struct redial_curl_attempt *, attempt);
    bool asks = redial_curl_asks_(redial_curl_text_(this_->curl_, CURLINFO_EFFECTIVE_METHOD));
    int connects = redial_curl_int_(this_->curl_, CURLINFO_NUM_CONNECTS);
    int rounds = redial_curl_int_(this_->curl_, CURLINFO_REDIRECT_COUNT);
    (void)remote, (void)local, (void)remote_port, (void)local_port;
    this_->asks_ = rounds > 0 ? this_->asks_ : asks;
    this_->refused_ = this_->kept_ && rounds == this_->rounds_ && asks == this_->asks_
                      && !redial_curl_scheme_(this_->curl_, "ftp", "ftps");
    this_->kept_ = connects == this_->connects_;
    this_->connects_ = connects;
    this_->rounds_ = rounds;
    return this_->refused_ ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}
#endif

/* Sets the options for an attempt, or (data is NULL) all back to libcurl's defaults. */
REDIAL_CURL_FN_ void redial_curl_set_(const struct redial_curl_attempt *attempt, long timeout_ms,
                                      curl_write_callback line, void *data)
{
    CURL *curl = attempt->curl_;
    if (attempt->limited_)
        curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, timeout_ms);
    if (attempt->method_ && !redial_http_idempotent(attempt->method_)) {
        curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, data ? 1L : 0L);
        curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, data ? 1L : 0L);
#if LIBCURL_VERSION_NUM >= 0x075000
        curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION,
                         data ? redial_curl_guard_ : REDIAL_CURL_NULL_);
        curl_easy_setopt(curl, CURLOPT_PREREQDATA, data);
#endif
    }
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, line);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, data);
}

/* Where shall the next attempt go? If there was no connection, to the address that the name has by
   then. If a request on a kept connection had no answer in time, over a new connection, and libcurl
   closes the old one, which it keeps over HTTP/2. After any other end as usual. */
REDIAL_CURL_FN_ void redial_curl_elsewhere_(const struct redial_curl_attempt *attempt,
                                            CURLcode result)
{
    CURL *curl = attempt->curl_;
    bool late = result == CURLE_OPERATION_TIMEDOUT;
    bool sent = redial_curl_int_(curl, CURLINFO_REQUEST_SIZE) != 0;
    bool lost = redial_curl_unconnected_(result) || (late && !sent);
    bool silent = late && sent && redial_curl_int_(curl, CURLINFO_NUM_CONNECTS) == 0;
    curl_easy_setopt(curl, CURLOPT_DNS_CACHE_TIMEOUT, lost ? 0L : 60L);
    curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, silent ? 1L : 0L);
#if LIBCURL_VERSION_NUM >= 0x075000
    /* libcurl 8.22 and later look for old connections only where they may take one. */
    if (redial_curl_since_(0x081600))
        silent = silent || attempt->after_silence_;
    curl_easy_setopt(curl, CURLOPT_MAXLIFETIME_CONN, silent ? 1L : 0L);
#endif
}

/* Begins an attempt: then call curl_easy_perform, or curl_multi_add_handle. timeout_ms is that of
   the attempt or of the step. It becomes CURLOPT_TIMEOUT_MS, at most INT32_MAX; UINT32_MAX means no
   limit: a timeout that the handle has stays. 0 is a mistake: this sets nothing and returns false,
   and you must make no transfer. */
REDIAL_CURL_FN_ bool redial_curl_begin(struct redial_curl_attempt *attempt, CURL *curl,
                                       uint32_t timeout_ms, const char *method)
{
    long most_ms = REDIAL_CURL_CAST_(long, timeout_ms < INT32_MAX ? timeout_ms : INT32_MAX);
    memset(attempt, 0, sizeof *attempt);
    if (timeout_ms == 0)
        return false;
    attempt->curl_ = curl;
    attempt->limited_ = timeout_ms != REDIAL_NO_LIMIT;
    attempt->after_silence_ = redial_curl_int_(curl, CURLINFO_REQUEST_SIZE)
                              && !redial_curl_int_(curl, CURLINFO_NUM_CONNECTS)
                              && !redial_curl_int_(curl, CURLINFO_HEADER_SIZE);
    if (redial_curl_asks_(method))
        attempt->method_ = "GET";
    else if (method)
        attempt->method_ = redial_http_idempotent(method) ? REDIAL_IDEMPOTENT : "POST";
    redial_curl_set_(attempt, most_ms, redial_curl_line, attempt);
    return true;
}

/* Ends an attempt, and returns its outcome. result is as for redial_curl. Call it before
   curl_easy_reset and curl_easy_cleanup. If redial_curl_begin returned false, the kind of the
   outcome is INVALID. */
REDIAL_CURL_FN_ struct redial_outcome redial_curl_end(struct redial_curl_attempt *attempt,
                                                      CURLcode result)
{
    CURL *curl = attempt->curl_;
    if (!curl)
        return redial_errno(0);
    redial_curl_set_(attempt, 0, REDIAL_CURL_NULL_, REDIAL_CURL_NULL_);
    redial_curl_elsewhere_(attempt, result);
    attempt->curl_ = REDIAL_CURL_NULL_;
    if (attempt->refused_)
        return redial_unsure(CURLE_GOT_NOTHING);
    if (result == CURLE_OK && attempt->cut_ && redial_curl_has_status_(curl))
        result = CURLE_PARTIAL_FILE;
    return redial_curl(curl, result, attempt->method_);
}

/* Makes an attempt: redial_curl_begin, curl_easy_perform, redial_curl_end. Call these three if you
   need a header callback of your own. */
REDIAL_CURL_FN_ struct redial_outcome redial_curl_perform(CURL *curl, uint32_t timeout_ms,
                                                          const char *method)
{
    struct redial_curl_attempt attempt;
    CURLcode result = CURLE_OK;
    if (redial_curl_begin(&attempt, curl, timeout_ms, method))
        result = curl_easy_perform(curl);
    return redial_curl_end(&attempt, result);
}

#ifdef __cplusplus
REDIAL_INLINE_END_
#endif

#endif
