/* One logical call with libcurl: its attempts, each as an outcome for redial. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "curl_call.h"

#define ASK_MS 25   /* how often `cancelled` is called while no data moves */

/* Temporary errors are worth another attempt. A code that is not in the table is not. */
static bool worth_a_retry(CURLcode result)
{
    static const struct {
        CURLcode result;
        bool retry;
    } rows[] = {
        { CURLE_COULDNT_RESOLVE_HOST, true },      /* a resolver that is down looks like a name that is unknown */
        { CURLE_COULDNT_RESOLVE_PROXY, true },     /* likewise */
        { CURLE_COULDNT_CONNECT, true },           /* refused or unreachable: the server is being restarted */
        { CURLE_SSL_CONNECT_ERROR, true },         /* cut off in the handshake; a wrong certificate has another code */
        { CURLE_SEND_ERROR, true },                /* reset while sending */
        { CURLE_RECV_ERROR, true },                /* reset while receiving */
        { CURLE_GOT_NOTHING, true },               /* closed before the first byte of an answer */
        { CURLE_PARTIAL_FILE, true },              /* closed in the middle of the header or body */
        { CURLE_OPERATION_TIMEDOUT, true },        /* our timeout: the next attempt may be quick */
        { CURLE_HTTP2, true },                     /* a protocol error: the next attempt has a new connection */
        { CURLE_HTTP2_STREAM, true },              /* the stream was refused or reset: the server sheds load */
        { CURLE_ABORTED_BY_CALLBACK, true },       /* cancelled: redial_run notices it, too */
        { CURLE_URL_MALFORMAT, false },            /* the caller's mistake, like all options that libcurl refuses */
        { CURLE_UNSUPPORTED_PROTOCOL, false },     /* neither http nor https, or the answer is not HTTP/1 */
        { CURLE_WEIRD_SERVER_REPLY, false },       /* a malformed answer: something else listens at that port */
        { CURLE_TOO_MANY_REDIRECTS, false },       /* a redirect loop */
        { CURLE_PEER_FAILED_VERIFICATION, false }, /* it is another server */
        { CURLE_SSL_CERTPROBLEM, false },          /* our own certificate is not usable */
        { CURLE_SSL_CACERT_BADFILE, false },       /* our own list of authorities is not usable */
        { CURLE_SEND_FAIL_REWIND, false },         /* our body can be read only once */
        { CURLE_READ_ERROR, false },               /* our body could not be read */
        { CURLE_WRITE_ERROR, false },              /* the body is too long, or there is no memory for it */
        { CURLE_OUT_OF_MEMORY, false },
    };
    unsigned i;
    for (i = 0; i < sizeof rows / sizeof *rows; i++)
        if (result == rows[i].result)
            return rows[i].retry;
    return false;
}

bool curl_call_unsent(int code)
{
    static const CURLcode unsent[] = { CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
                                       CURLE_SSL_CONNECT_ERROR, CURLE_ABORTED_BY_CALLBACK };
    unsigned i;
    for (i = 0; i < sizeof unsent / sizeof *unsent; i++)
        if (code == (int)unsent[i])
            return true;
    return false;
}

/* The value of a header field that came exactly once, otherwise NULL. It is valid until the next call. */
static const char *header(CURL *curl, const char *name)
{
    struct curl_header *found;
    if (curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &found) != CURLHE_OK || found->amount != 1)
        return NULL;
    return found->value;
}

/* The server's clock set a date in Retry-After, so it is compared with the server's Date. CURLINFO_RETRY_AFTER compares
   it with our own clock, which may be wrong. Date is read first, because libcurl reuses one struct for all headers. */
static uint32_t retry_after_ms(CURL *curl)
{
    int64_t now_s = (int64_t)time(NULL);
    uint32_t retry_after_ms = 0;
    const char *value = header(curl, "Date");
    if (value)
        redial_parse_http_date(value, strlen(value), now_s, &now_s);
    value = header(curl, "Retry-After");
    if (value)
        redial_parse_retry_after(value, strlen(value), now_s, &retry_after_ms);
    return retry_after_ms;
}

/* libcurl reports success even if the header was cut short. */
static struct redial_outcome outcome_of(const struct curl_call *call, CURLcode result)
{
    long status = 0;
    if (result == CURLE_OK && !call->header_ended)
        result = CURLE_PARTIAL_FILE;
    if (result != CURLE_OK)
        return worth_a_retry(result) ? redial_retry((int)result) : redial_fail((int)result);
    curl_easy_getinfo(call->curl, CURLINFO_RESPONSE_CODE, &status);
    return redial_http((int)status, retry_after_ms(call->curl));
}

static bool cancelled(const struct redial_env *env)
{
    return env->cancelled && env->cancelled(env);
}

/* curl_easy_perform in steps, because it calls its callbacks only about once a second while no data moves. */
static CURLcode perform(const struct curl_call *call, const struct redial_env *env)
{
    CURLcode result = CURLE_ABORTED_BY_CALLBACK;
    CURLMsg *message;
    int running = 1, left;
    if (curl_multi_add_handle(call->multi, call->curl) != CURLM_OK)
        return CURLE_FAILED_INIT;
    while (!cancelled(env) && curl_multi_perform(call->multi, &running) == CURLM_OK && running)
        curl_multi_poll(call->multi, NULL, 0, ASK_MS, NULL);
    message = curl_multi_info_read(call->multi, &left);
    if (message)
        result = message->data.result;
    curl_multi_remove_handle(call->multi, call->curl);
    return result;
}

struct redial_outcome curl_call_attempt(void *user, const struct redial_attempt *attempt)
{
    struct curl_call *call = user;
    call->length = 0;   /* drops the error page or partial answer of the attempt before */
    call->body[0] = '\0';
    call->header_ended = false;
    curl_easy_setopt(call->curl, CURLOPT_TIMEOUT_MS, (long)attempt->timeout_ms);
    return outcome_of(call, perform(call, attempt->env));
}

/* Called for each line of each header. Redirects and interim responses have headers of their own. */
static size_t note_header(char *line, size_t size, size_t count, void *user)
{
    struct curl_call *call = user;
    size_t length = size * count;
    if (length >= 5 && memcmp(line, "HTTP/", 5) == 0)
        call->header_ended = false;
    if (length > 0 && (line[0] == '\r' || line[0] == '\n'))
        call->header_ended = true;
    return length;
}

static size_t collect(char *data, size_t size, size_t count, void *user)
{
    struct curl_call *call = user;
    char *grown = size * count <= call->max_length - call->length
                      ? realloc(call->body, call->length + size * count + 1) : NULL;
    if (!grown)
        return CURL_WRITEFUNC_ERROR;
    memcpy(grown + call->length, data, size * count);
    call->body = grown;
    call->length += size * count;
    call->body[call->length] = '\0';
    return size * count;
}

bool curl_call_open(struct curl_call *call, const char *url, size_t max_length)
{
    call->curl = curl_easy_init();
    call->multi = curl_multi_init();
    call->max_length = max_length;
    call->body = calloc(1, 1);
    call->length = 0;
    if (!call->curl || !call->multi || !call->body || curl_easy_setopt(call->curl, CURLOPT_URL, url) != CURLE_OK)
        return false;
    curl_easy_setopt(call->curl, CURLOPT_PROTOCOLS_STR, "http,https");   /* file: and ftp: have no HTTP status */
    curl_easy_setopt(call->curl, CURLOPT_NOSIGNAL, 1L);                  /* signals belong to the program */
    curl_easy_setopt(call->curl, CURLOPT_QUICK_EXIT, 1L);   /* do not wait for a resolver that hangs */
    curl_easy_setopt(call->curl, CURLOPT_HEADERFUNCTION, note_header);
    curl_easy_setopt(call->curl, CURLOPT_HEADERDATA, call);
    curl_easy_setopt(call->curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(call->curl, CURLOPT_WRITEDATA, call);
    return true;
}

void curl_call_close(struct curl_call *call)
{
    curl_easy_cleanup(call->curl);
    curl_multi_cleanup(call->multi);
    free(call->body);
}
