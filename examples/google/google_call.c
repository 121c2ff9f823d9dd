/* One logical call to a Google API. SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "google_call.h"

#define LONGEST_ANSWER (16u << 20)

/* ---- opening ---- */

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
    CURL *curl = call->http.curl;
    bool clear = curl_strnequal(call->endpoint, "http:", 5);   /* in any case */
    return add_header(call, "Content-Type: application/json") && add_header(call, "Accept: application/json")
           && add_header(call, "Expect:")   /* otherwise libcurl waits a second for a 100 (Continue) */
           && curl_easy_setopt(curl, CURLOPT_HTTPHEADER, call->headers) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, call->token) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK
           && (!clear || curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK);
}

bool google_call_open(struct google_call *call, const char *endpoint, const char *token)
{
    memset(call, 0, sizeof *call);
    call->endpoint = endpoint;
    call->token = token;
    return curl_call_open(&call->http, endpoint, LONGEST_ANSWER) && set_up(call);
}

void google_call_close(struct google_call *call)
{
    curl_call_close(&call->http);
    curl_slist_free_all(call->headers);
    cJSON_Delete(call->answer);
}

/* ---- one request ---- */

/* libcurl repeats a request by itself if a reused connection is dead. A POST must not be repeated so, because the steps
   decide about that. So it gets a new connection. */
static bool set_request(struct google_call *call, const char *body)
{
    CURL *curl = call->http.curl;
    snprintf(call->method, sizeof call->method, "%s", body ? "POST" : "GET");
    if (body)
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    else
        curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, body ? 1L : 0L);
    return curl_easy_setopt(curl, CURLOPT_URL, call->url) == CURLE_OK;
}

/* Some servers send the request back in their answers. The token must not be printed then. It is looked for in the
   parsed text, because in JSON it may have escapes: "\u003d" is "=". */
static void hide_token(cJSON *json, const char *token)
{
    size_t length = strlen(token);
    char *at = cJSON_IsString(json) ? strstr(json->valuestring, token) : NULL;
    cJSON *child;
    for (; at; at = strstr(at + length, token))
        memset(at, '*', length);
    cJSON_ArrayForEach(child, json)
        hide_token(child, token);
}

/* NULL: the body is not JSON. */
static cJSON *parse(const struct google_call *call)
{
    cJSON *json = cJSON_Parse(call->http.body);
    hide_token(json, call->token);
    return json;
}

static struct redial_outcome read_answer(struct google_call *call, struct redial_outcome outcome)
{
    cJSON *answer = parse(call);
    if (cJSON_IsObject(answer)) {
        call->answer = answer;
        return outcome;
    }
    cJSON_Delete(answer);
    return google_call_fail(call, outcome, "The answer is not JSON: is this the right endpoint?");
}

static struct redial_outcome read_error(struct google_call *call, struct redial_outcome outcome)
{
    cJSON *answer = parse(call);
    google_error_read(&call->error, answer);
    cJSON_Delete(answer);
    return google_error_judge(&call->error, outcome);
}

static struct redial_outcome judge(struct google_call *call, struct redial_outcome outcome)
{
    if (outcome.kind != REDIAL_KIND_HTTP) {
        google_error_say(&call->error, curl_easy_strerror((CURLcode)outcome.code));
        return outcome;
    }
    if (google_call_ok(outcome))
        return read_answer(call, outcome);
    if (outcome.code < 400)
        return google_call_fail(call, outcome, "A redirect is not followed: no other server may get the token.");
    return read_error(call, outcome);
}

struct redial_outcome google_call_send(struct google_call *call, const struct redial_attempt *attempt, const char *body,
                                       const char *path, ...)
{
    int used = snprintf(call->url, sizeof call->url, "%s", call->endpoint), length = -1;
    va_list arguments;
    memset(&call->error, 0, sizeof call->error);
    cJSON_Delete(call->answer);
    call->answer = NULL;
    va_start(arguments, path);
    if (used >= 0 && (size_t)used < sizeof call->url)
        length = vsnprintf(call->url + used, sizeof call->url - (size_t)used, path, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)(used + length) >= sizeof call->url || !set_request(call, body))
        return google_call_fail(call, redial_fail(CURLE_URL_MALFORMAT), "The URL is too long, or out of memory.");
    call->requests++;
    return judge(call, curl_call_attempt(&call->http, attempt));
}

/* ---- the outcome of a request ---- */

bool google_call_ok(struct redial_outcome outcome)
{
    return outcome.kind == REDIAL_KIND_HTTP && outcome.code >= 200 && outcome.code <= 299;
}

bool google_call_unclear(struct redial_outcome outcome)
{
    if (outcome.code >= 100)
        return outcome.code < 300 || outcome.code >= 500;   /* below 300: the answer cannot be read */
    if (outcome.code == CURLE_ABORTED_BY_CALLBACK)
        return true;
    return outcome.code != CURLE_URL_MALFORMAT && !curl_call_unsent(outcome.code);
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
    } while (call->at_once && now.timeout_ms > 0);
    if (!call->at_once)
        return outcome;
    google_error_say(&call->error, curl_easy_strerror(CURLE_OPERATION_TIMEDOUT));
    return redial_retry(CURLE_OPERATION_TIMEDOUT);
}
