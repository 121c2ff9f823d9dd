/* One logical call to a Google API. SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "google_call.h"
#include "redial_curl.h"

#define LONGEST_ANSWER (16u << 20)
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-."

/* ---- where a token may be sent ---- */

const char *google_endpoint_refused(const char *url)
{
    static const char *const here[] = { "http://127.0.0.1", "http://localhost", "http://[::1]" };
    size_t i, host = 0;
    if (strncmp(url, "https://", 8) == 0 && strlen(url) < 256)
        host = 8 + strspn(url + 8, NAME_CHARACTERS);
    for (i = 0; i < sizeof here / sizeof *here; i++)
        if (strncmp(url, here[i], strlen(here[i])) == 0)
            host = strlen(here[i]);
    if (host <= 8)
        return "must be https, because a token is sent to it; http is for this machine only";
    if (url[host] == ':' && url[host + 1])
        host += 1 + strspn(url + host + 1, "0123456789");
    return url[host] ? "must be scheme, host and port only, such as https://redis.googleapis.com" : NULL;
}

const char *google_token_refused(const char *token)
{
    size_t i;
    if (!token || !token[0])
        return "must be set";
    for (i = 0; token[i]; i++)   /* a line end would end the header field and begin another one */
        if (token[i] <= ' ' || token[i] >= 0x7f)
            return "must be one word of ASCII";
    return NULL;
}

/* ---- opening ---- */

static bool cancelled(const struct redial_env *env)
{
    return env->cancelled && env->cancelled(env);
}

/* libcurl calls it about once a second, and after a signal. */
static int on_progress(void *env, curl_off_t to_get, curl_off_t got, curl_off_t to_put, curl_off_t put)
{
    (void)to_get, (void)got, (void)to_put, (void)put;
    return cancelled(env);
}

static size_t collect(char *data, size_t size, size_t count, void *user)
{
    struct google_call *call = user;
    char *longer = size * count <= LONGEST_ANSWER - call->length
                       ? realloc(call->body, call->length + size * count + 1) : NULL;
    if (!longer)
        return 0;   /* fails the transfer */
    memcpy(longer + call->length, data, size * count);
    call->body = longer;
    call->length += size * count;
    return size * count;
}

static bool add_header(struct google_call *call, const char *line)
{
    struct curl_slist *longer = curl_slist_append(call->headers, line);
    if (longer)
        call->headers = longer;
    return longer != NULL;
}

/* No proxy may see a token in clear text, so plain HTTP, which is for servers on this machine, bypasses proxies. */
static bool set_up(struct google_call *call)
{
    CURL *curl = call->curl;
    curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);   /* do not wait for a resolver that hangs */
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, call);
    return add_header(call, "Content-Type: application/json")
           && add_header(call, "Expect:")   /* otherwise libcurl waits a second for a 100 (Continue) */
           && curl_easy_setopt(curl, CURLOPT_HTTPHEADER, call->headers) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, call->token) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK
           && (strncmp(call->endpoint, "https:", 6) == 0 || curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK);
}

bool google_call_open(struct google_call *call, const char *endpoint, const char *token)
{
    memset(call, 0, sizeof *call);
    call->endpoint = endpoint;
    call->token = token;
    call->curl = curl_easy_init();
    return call->curl && set_up(call);
}

void google_call_close(struct google_call *call)
{
    curl_easy_cleanup(call->curl);
    curl_slist_free_all(call->headers);
    free(call->body);
    cJSON_Delete(call->answer);
}

/* ---- one request ---- */

/* If a reused connection is dead, libcurl sends the request again by itself. A POST that the server does not recognise
   must not be repeated so, and gets a connection of its own. */
static bool set_request(struct google_call *call, const struct redial_attempt *attempt, const char *body)
{
    CURL *curl = call->curl;
    snprintf(call->method, sizeof call->method, "%s", body ? "POST" : "GET");
    if (body)
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    else
        curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, body && !call->repeatable ? 1L : 0L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)attempt->timeout_ms);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, attempt->env);
    return curl_easy_setopt(curl, CURLOPT_URL, call->url) == CURLE_OK;
}

/* Some servers send the request back in their answers. The token must not be printed then. It is looked for in the
   parsed text, because in JSON it may have escapes: "\u003d" is "=". No byte that could control a terminal stays. */
static void clean(cJSON *json, const char *token)
{
    size_t length = strlen(token);
    char *at = cJSON_IsString(json) ? json->valuestring : NULL, *byte = at;
    cJSON *child;
    while (at && (at = strstr(at, token)) != NULL)
        memset(at, '*', length);
    for (; byte && *byte; byte++)
        if ((unsigned char)*byte < ' ' || (unsigned char)*byte >= 0x7f)
            *byte = '?';
    cJSON_ArrayForEach(child, json)
        clean(child, token);
}

/* What a failed request says, or one that succeeded only by its status. */
static struct redial_outcome read_error(struct google_call *call, const cJSON *error, struct redial_outcome outcome)
{
    const cJSON *code = cJSON_GetObjectItemCaseSensitive(error, "code");
    google_error_read(&call->error, error);
    if (google_call_ok(outcome))
        outcome = cJSON_IsNumber(code) && code->valueint >= 400 ? redial_http(code->valueint, outcome.retry_after_ms, "GET")
                                                                : redial_fail(outcome.code);
    return google_error_judge(&call->error, outcome);
}

/* An operation that is done may contain an error of its own: the request succeeded. */
static struct redial_outcome read_answer(struct google_call *call, struct redial_outcome outcome)
{
    cJSON *answer = cJSON_ParseWithLength(call->body, call->length);
    const cJSON *error = google_error_in(answer);
    clean(answer, call->token);
    if (google_call_ok(outcome) && cJSON_IsObject(answer) && (!error || cJSON_HasObjectItem(answer, "done"))) {
        call->answer = answer;
        return outcome;
    }
    if (google_call_ok(outcome) && !error)
        outcome = google_call_fail(call, outcome, "The answer is not JSON: is this the right endpoint?");
    else
        outcome = read_error(call, error, outcome);
    cJSON_Delete(answer);
    return outcome;
}

static struct redial_outcome judge(struct google_call *call, const struct redial_env *env, CURLcode result)
{
    struct redial_outcome outcome = redial_curl(call->curl, result, REDIAL_IDEMPOTENT);
    if (result != CURLE_OK && cancelled(env))
        return redial_retry((int)result, 0);   /* redial_run ends with CANCELLED */
    if (google_call_ok(outcome) && call->length == 0)   /* libcurl calls a header that was cut short a success */
        return redial_retry(CURLE_PARTIAL_FILE, 0);
    if (outcome.code >= 300 && outcome.code < 400)
        return google_call_fail(call, outcome, "A redirect is not followed: no other server may get the token.");
    return outcome.kind == REDIAL_KIND_HTTP ? read_answer(call, outcome) : outcome;
}

/* False: the connection was never ready. One of these alone is 0 in some versions although bytes were sent. */
static bool was_sent(CURL *curl)
{
    curl_off_t ready_us = 0;
    long bytes = 0;
    curl_easy_getinfo(curl, CURLINFO_PRETRANSFER_TIME_T, &ready_us);
    curl_easy_getinfo(curl, CURLINFO_REQUEST_SIZE, &bytes);
    return ready_us > 0 || bytes > 0;
}

static bool is_unclear(CURL *curl, struct redial_outcome outcome)
{
    return outcome.code >= 200 ? outcome.code < 300 || outcome.code >= 500 : was_sent(curl);
}

static void forget(struct google_call *call)
{
    memset(&call->error, 0, sizeof call->error);
    cJSON_Delete(call->answer);
    call->answer = NULL;
    call->length = 0;
}

struct redial_outcome google_call_send(struct google_call *call, const struct redial_attempt *attempt, const char *body,
                                       const char *path, ...)
{
    struct redial_outcome outcome;
    int used = snprintf(call->url, sizeof call->url, "%s", call->endpoint), length;
    va_list arguments;
    forget(call);
    va_start(arguments, path);
    length = vsnprintf(call->url + used, sizeof call->url - (size_t)used, path, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)(used + length) >= sizeof call->url || !set_request(call, attempt, body))
        return google_call_fail(call, redial_fail(CURLE_URL_MALFORMAT), "The URL is too long, or out of memory.");
    call->requests++;
    outcome = judge(call, attempt->env, curl_easy_perform(call->curl));
    call->unclear = body && is_unclear(call->curl, outcome);
    call->maybe_done |= call->unclear;
    return outcome;
}

/* ---- the outcome of a request ---- */

bool google_call_ok(struct redial_outcome outcome)
{
    return outcome.kind == REDIAL_KIND_HTTP && outcome.code >= 200 && outcome.code <= 299;
}

struct redial_outcome google_call_go_on(struct google_call *call, google_step *step)
{
    call->step = step;
    call->at_once = true;
    return redial_retry(CURLE_OPERATION_TIMEDOUT, 0);
}

struct redial_outcome google_call_fail(struct google_call *call, struct redial_outcome outcome, const char *message)
{
    google_error_say(&call->error, message);
    return redial_fail(outcome.code);
}

/* ---- the attempt ---- */

static uint32_t time_left(const struct redial_attempt *attempt, uint32_t began_ms)
{
    uint32_t spent_ms = attempt->env->now_ms(attempt->env) - began_ms;
    return spent_ms < attempt->timeout_ms ? attempt->timeout_ms - spent_ms : 0;
}

struct redial_outcome google_call_attempt(void *user, const struct redial_attempt *attempt)
{
    struct google_call *call = user;
    struct redial_attempt now = *attempt;
    struct redial_outcome outcome;
    uint32_t began_ms = attempt->env->now_ms(attempt->env);
    do {
        call->at_once = false;
        outcome = call->step(call, &now);
        now.timeout_ms = time_left(attempt, began_ms);
    } while (call->at_once && now.timeout_ms > 0 && !cancelled(attempt->env));
    return outcome;
}
