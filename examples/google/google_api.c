/* One request to a Google API, which keeps the token to itself. SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "google_api.h"
#include "redial_curl.h"

/* RFC 6750. A line end in a token would begin another header field. */
#define OF_TOKENS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/="

/* No "user@" may hide another host behind one that looks right. */
static const char *refused(const char *endpoint, const char *token)
{
    if ((strncmp(endpoint, "https://", 8) != 0 && strncmp(endpoint, "http://127.0.0.1:", 17) != 0)
        || strpbrk(endpoint, "@?#\\ ") || !strcspn(endpoint + 8, ":/") || strlen(endpoint) > 255)
        return "the endpoint must be https://host, because a token is sent to it";
    if (!token || !token[0] || token[strspn(token, OF_TOKENS)])
        return "the token must be set, and have letters, digits and -._~+/= alone";
    return NULL;
}

static size_t collect(char *data, size_t size, size_t count, void *user)
{
    struct google_api *api = user;
    if (size * count > sizeof api->body - api->length)
        return 0;   /* fails the transfer */
    memcpy(api->body + api->length, data, size * count);
    api->length += size * count;
    return size * count;
}

/* libcurl asks it about once a second, and at once after a signal. */
static int stop(void *user, curl_off_t all, curl_off_t now, curl_off_t all_up, curl_off_t now_up)
{
    const struct google_api *api = user;
    (void)all, (void)now, (void)all_up, (void)now_up;
    return api->env.cancelled && api->env.cancelled(&api->env);
}

/* libcurl follows no redirect unless it is told to. No proxy may see a token in clear text, so
   plain HTTP, which is for tests, bypasses proxies. */
const char *google_open(struct google_api *api, const char *endpoint, const char *token)
{
    const char *why = refused(endpoint, token);
    CURL *curl = api->curl = why ? NULL : curl_easy_init();
    if (!curl)
        return why ? why : "out of memory";
    api->headers = curl_slist_append(NULL, "Content-Type: application/json");
    api->endpoint = endpoint;
    api->token = token;
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, api);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, stop);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, api);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, api->headers);
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
    curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, token);
    if (strncmp(endpoint, "http:", 5) == 0)
        curl_easy_setopt(curl, CURLOPT_PROXY, "");
    return NULL;
}

void google_close(struct google_api *api)
{
    curl_easy_cleanup(api->curl);
    curl_slist_free_all(api->headers);
    cJSON_Delete(api->answer);
}

struct redial_outcome google_fail(struct google_api *api, const char *message)
{
    snprintf(api->message, sizeof api->message, "%s", message);
    return redial_fail(0);
}

/* A server may send the token back, which must not be printed. JSON may have escapes ("\u003d" is
   "="): so the parsed text is searched. No byte that could control a terminal stays. */
static void clean(cJSON *json, const char *token)
{
    char *byte = cJSON_IsString(json) ? json->valuestring : NULL;
    cJSON *child;
    for (; byte && *byte; byte++)
        if (strncmp(byte, token, strlen(token)) == 0)
            memset(byte, '*', strlen(token));
        else if ((unsigned char)*byte < ' ' || (unsigned char)*byte >= 0x7f)
            *byte = '?';
    cJSON_ArrayForEach(child, json)
        clean(child, token);
}

static struct redial_outcome read_answer(struct google_api *api, struct redial_outcome outcome,
                                         const char *method)
{
    cJSON *answer = cJSON_ParseWithLength(api->body, api->length);
    clean(answer, api->token);
    if (outcome.code / 100 == 2 && cJSON_IsObject(answer)) {
        api->answer = answer;
        return outcome;
    }
    snprintf(api->message, sizeof api->message, "HTTP %d %s", outcome.code,
             outcome.code < 400 ? "is no answer of this API: is the endpoint right?"
                                : google_text(answer, "error/message"));
    outcome = google_error_judge(answer, outcome);
    if (outcome.kind == REDIAL_KIND_DONE)   /* the status alone is no success */
        outcome.kind = redial_http_idempotent(method) ? REDIAL_KIND_FAIL : REDIAL_KIND_UNSURE;
    cJSON_Delete(answer);
    return outcome;
}

static struct redial_outcome attempt(struct google_api *api, uint32_t timeout_ms,
                                     const char *method)
{
    struct redial_outcome outcome = redial_curl_perform(api->curl, timeout_ms, method);
    if (outcome.code >= 200 || outcome.kind == REDIAL_KIND_DONE)   /* 101 may be DONE */
        return read_answer(api, outcome, method);
    snprintf(api->message, sizeof api->message, "%s", curl_easy_strerror((CURLcode)outcome.code));
    return outcome;
}

struct redial_outcome google_send(struct google_api *api, uint32_t timeout_ms, const char *method,
                                  const char *body, const char *path, ...)
{
    char url[2048];
    int used = snprintf(url, sizeof url, "%s", api->endpoint);
    va_list arguments;
    va_start(arguments, path);
    used += vsnprintf(url + used, sizeof url - (size_t)used, path, arguments);
    va_end(arguments);
    cJSON_Delete(api->answer);
    api->answer = NULL;
    api->message[0] = '\0';
    api->length = 0;
    if (used >= (int)sizeof url)
        return google_fail(api, "A name is too long.");
    curl_easy_setopt(api->curl, CURLOPT_URL, url);
    curl_easy_setopt(api->curl, CURLOPT_HTTPGET, 1L);   /* the last one may be a POST */
    if (body)
        curl_easy_setopt(api->curl, CURLOPT_POSTFIELDS, body);
    return attempt(api, timeout_ms, method);
}
