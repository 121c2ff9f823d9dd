/* A connection to a Google API, and one request through it. SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "google_api.h"
#include "redial_curl.h"
#include "../common/whole_header.h"

#define LONGEST_ANSWER (16u << 20)

/* ---- opening ---- */

/* No "user@" may hide another host behind one that looks right. */
static const char *refused(const char *endpoint, const char *token)
{
    size_t i;
    if ((strncmp(endpoint, "https://", 8) != 0 && strncmp(endpoint, "http://127.0.0.1:", 17) != 0)
        || strpbrk(endpoint, "@?#\\ "))
        return "the endpoint must be https://host, because a token is sent to it";
    if (!token || !token[0])
        return "the token must be set";
    for (i = 0; token[i]; i++)   /* a line end would begin another header field */
        if (token[i] <= ' ' || token[i] >= 0x7f)
            return "the token must be one word of ASCII";
    return NULL;
}

static size_t collect(char *data, size_t size, size_t count, void *user)
{
    struct google_api *api = user;
    char *longer = size * count <= LONGEST_ANSWER - api->length
                       ? realloc(api->body, api->length + size * count + 1) : NULL;
    if (!longer)
        return 0;   /* fails the transfer */
    memcpy(longer + api->length, data, size * count);
    api->body = longer;
    api->length += size * count;
    return size * count;
}

/* No proxy may see a token in clear text, so plain HTTP, which is for tests, bypasses proxies.
   FRESH_CONNECT: if a connection that it reuses is dead, libcurl sends a POST again by itself. */
static bool set_up(struct google_api *api)
{
    CURL *curl = api->curl = curl_easy_init();
    api->headers = curl_slist_append(NULL, "Content-Type: application/json");
    if (!curl || !api->headers)
        return false;
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, api);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, whole_header_line);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &api->whole);
    return curl_easy_setopt(curl, CURLOPT_HTTPHEADER, api->headers) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, api->token) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L) == CURLE_OK
           && (strncmp(api->endpoint, "https:", 6) == 0
               || curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK);
}

const char *google_open(struct google_api *api, const char *endpoint, const char *token)
{
    const char *why = refused(endpoint, token);
    api->endpoint = endpoint;
    api->token = token;
    if (why)
        return why;
    api->began_ms = api->env.now_ms(&api->env);
    return set_up(api) ? NULL : "out of memory";
}

void google_close(struct google_api *api)
{
    curl_easy_cleanup(api->curl);
    curl_slist_free_all(api->headers);
    free(api->body);
    cJSON_Delete(api->answer);
}

/* ---- one request ---- */

/* Some servers send the request back in their answers. The token must not be printed then. It is
   looked for in the parsed text, because in JSON it may have escapes: "\u003d" is "=". No byte that
   could control a terminal stays. */
static void clean(cJSON *json, const char *token)
{
    char *at = cJSON_IsString(json) ? json->valuestring : NULL, *byte = at;
    cJSON *child;
    while (at && (at = strstr(at, token)) != NULL)
        memset(at, '*', strlen(token));
    for (; byte && *byte; byte++)
        if ((unsigned char)*byte < ' ' || (unsigned char)*byte >= 0x7f)
            *byte = '?';
    cJSON_ArrayForEach(child, json)
        clean(child, token);
}

/* An operation that is done may contain an error of its own: the request succeeded. */
static struct redial_outcome read_answer(struct google_api *api, struct redial_outcome outcome)
{
    cJSON *answer = cJSON_ParseWithLength(api->body, api->length);
    const cJSON *error = google_error_in(answer);
    bool good = google_ok(outcome);
    clean(answer, api->token);
    if (good && cJSON_IsObject(answer) && (!error || cJSON_HasObjectItem(answer, "done"))) {
        api->answer = answer;
        return outcome;
    }
    google_error_read(&api->error, error);
    if (good && error)
        outcome = redial_fail(outcome.code);
    else if (good)
        outcome = google_fail(api, "The answer is no JSON object: is this the right endpoint?");
    else
        outcome = google_error_judge(&api->error, outcome);
    cJSON_Delete(answer);
    return outcome;
}

static struct redial_outcome judge(struct google_api *api, CURLcode result)
{
    struct redial_outcome outcome;
    result = whole_header_check(&api->whole, api->curl, result);
    outcome = redial_curl(api->curl, result, REDIAL_IDEMPOTENT);
    if (outcome.code >= 300 && outcome.code <= 399)
        return google_fail(api, "A redirect is not followed: no other server may get the token.");
    return outcome.kind == REDIAL_KIND_HTTP ? read_answer(api, outcome) : outcome;
}

static void forget(struct google_api *api)
{
    google_error_say(&api->error, "");
    cJSON_Delete(api->answer);
    api->answer = NULL;
    api->length = 0;
}

struct redial_outcome google_send(struct google_api *api, const struct redial_attempt *attempt,
                                  const char *body, const char *path, ...)
{
    char url[4096];
    size_t used = (size_t)snprintf(url, 256, "%s", api->endpoint);
    int length;
    va_list arguments;
    forget(api);
    va_start(arguments, path);
    length = used < 256 ? vsnprintf(url + used, sizeof url - used, path, arguments) : -1;
    va_end(arguments);
    if (length < 0 || used + (size_t)length >= sizeof url
        || curl_easy_setopt(api->curl, CURLOPT_URL, url) != CURLE_OK)
        return google_fail(api, "The URL is too long, or out of memory.");
    if (body)
        curl_easy_setopt(api->curl, CURLOPT_POSTFIELDS, body);
    else
        curl_easy_setopt(api->curl, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(api->curl, CURLOPT_TIMEOUT_MS, (long)attempt->timeout_ms);
    api->requests++;
    return judge(api, curl_easy_perform(api->curl));
}

bool google_is_name(const char *name)
{
    return name[0] && name[0] != '.'
           && !name[strspn(name,
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")];
}

bool google_ok(struct redial_outcome outcome)
{
    return outcome.kind == REDIAL_KIND_HTTP && outcome.code >= 200 && outcome.code <= 299;
}

struct redial_outcome google_fail(struct google_api *api, const char *message)
{
    google_error_say(&api->error, message);
    return redial_fail(0);
}

/* ---- a run ---- */

bool google_run(struct google_api *api, redial_operation *operation, void *user)
{
    struct redial_policy policy = api->policy;
    uint32_t spent_ms = api->env.now_ms(&api->env) - api->began_ms;
    if (policy.max_elapsed_ms > 0 && policy.max_elapsed_ms != REDIAL_NO_LIMIT) {
        if (spent_ms >= policy.max_elapsed_ms) {
            api->report.verdict = REDIAL_TIMED_OUT;
            return false;
        }
        policy.max_elapsed_ms -= spent_ms;
    }
    return redial_run(&policy, &api->env, operation, user, &api->report) == REDIAL_DONE;
}

void google_print_end(FILE *to, const struct google_api *api)
{
    const struct redial_report *report = &api->report;
    fprintf(to, "%s after %u requests", redial_verdict_name(report->verdict), api->requests);
    if (report->last.code >= 200)
        fprintf(to, ", HTTP %d", report->last.code);
    else if (report->last.code > 0)
        fprintf(to, ", %s", curl_easy_strerror((CURLcode)report->last.code));
    if (report->refused_wait_ms)
        fprintf(to, ", a wait of %lu ms was refused", (unsigned long)report->refused_wait_ms);
    if (api->error.message[0])
        fprintf(to, ": %s", api->error.message);
    fputc('\n', to);
}
