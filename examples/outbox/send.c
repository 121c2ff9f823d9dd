/* One attempt to deliver a job: an HTTP PUT with libcurl. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../common/whole_header.h"
#include "redial_curl.h"
#include "send.h"

/* ---- the host ---- */

static bool part(CURLU *url, CURLUPart which, char *out, size_t size)
{
    char *text = NULL;
    bool fits = curl_url_get(url, which, &text, CURLU_NO_DEFAULT_PORT) == CURLUE_OK
                && strlen(text) < size;
    if (fits)
        memcpy(out, text, strlen(text) + 1);
    curl_free(text);
    return fits;
}

/* By default, libcurl parses only the schemes that it supports. Two of them begin with "http". */
bool send_host_of(const char *url, char host[256])
{
    CURLU *parsed = curl_url();
    char scheme[8], port[8], *at;
    bool ok = parsed && curl_url_set(parsed, CURLUPART_URL, url, 0) == CURLUE_OK
              && part(parsed, CURLUPART_SCHEME, scheme, sizeof scheme)
              && strncmp(scheme, "http", 4) == 0
              && part(parsed, CURLUPART_HOST, host, 256 - sizeof port);
    if (ok && part(parsed, CURLUPART_PORT, port, sizeof port))
        snprintf(host + strlen(host), sizeof port + 1, ":%s", port);
    for (at = host; ok && *at; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    curl_url_cleanup(parsed);
    return ok;
}

/* ---- the request ---- */

/* Nobody reads the body of an answer, so it may have any length. */
static size_t drop(char *data, size_t size, size_t count, void *user)
{
    (void)data;
    (void)user;
    return size * count;
}

/* libcurl asks when a signal came, when data moves, and at least once a second. */
static int stop(void *user, curl_off_t down_all, curl_off_t down, curl_off_t up_all, curl_off_t up)
{
    const struct redial_env *env = user;
    (void)down_all;
    (void)down;
    (void)up_all;
    (void)up;
    return env->cancelled && env->cancelled(env);
}

/* NOSIGNAL: signals belong to the program. QUICK_EXIT: do not wait for a resolver that hangs. */
CURL *send_open(void)
{
    CURL *curl = curl_easy_init();
    if (curl && curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "PUT") == CURLE_OK
        && curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK
        && curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK
        && curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L) == CURLE_OK
        && curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L) == CURLE_OK
        && curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, stop) == CURLE_OK
        && curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, whole_header_line) == CURLE_OK
        && curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop) == CURLE_OK)
        return curl;
    curl_easy_cleanup(curl);
    return NULL;
}

/* The key is the same in each attempt. The number of the attempt is for the receiver's log. NULL:
   out of memory. */
static struct curl_slist *make_headers(const struct job *job)
{
    char key[64], attempt[32];
    /* Without the last one, libcurl waits a second for a 100 (Continue). */
    const char *const lines[] = { key, attempt, "Content-Type: application/json", "Expect:" };
    struct curl_slist *headers = NULL, *longer = NULL;
    snprintf(key, sizeof key, "Idempotency-Key: %s", job->key);
    snprintf(attempt, sizeof attempt, "X-Attempt: %lld", (long long)job->attempts);
    for (unsigned i = 0; i < sizeof lines / sizeof *lines && (i == 0 || longer); i++) {
        longer = curl_slist_append(headers, lines[i]);
        headers = longer ? longer : headers;
    }
    if (!longer)
        curl_slist_free_all(headers);
    return longer;
}

static bool set_up(CURL *curl, const struct job *job, struct curl_slist *headers, bool *whole,
                   uint32_t timeout_ms, const struct redial_env *env)
{
    const curl_off_t length = (curl_off_t)job->length;
    return headers && curl_easy_setopt(curl, CURLOPT_URL, job->url) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_HEADERDATA, whole) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)timeout_ms) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_XFERINFODATA, env) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, length) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_POSTFIELDS, job->body) == CURLE_OK;
}

/* ---- the answer ---- */

static void describe(struct job *job, struct redial_outcome outcome)
{
    if (outcome.code == CURLE_ABORTED_BY_CALLBACK)
        snprintf(job->answer, sizeof job->answer, "none: the worker was told to end");
    else if (outcome.code < 200)
        snprintf(job->answer, sizeof job->answer, "%s", curl_easy_strerror((CURLcode)outcome.code));
    else if (outcome.retry_after_ms)
        snprintf(job->answer, sizeof job->answer, "HTTP status %d, Retry-After: %u s", outcome.code,
                 (unsigned)(outcome.retry_after_ms / 1000));
    else
        snprintf(job->answer, sizeof job->answer, "HTTP status %d", outcome.code);
}

bool send_retryable(const void *user, int status)
{
    (void)user;
    return redial_http_retryable(status) || status == 408 || status == 421 || status == 423
           || status == 425;
}

/* The key makes a repetition safe, also the one that libcurl makes by itself on a kept connection
   that has died. A redirect is not followed, because a receiver must not choose who gets the job.
   So it is a failure. */
static struct redial_outcome judge(CURL *curl, CURLcode result)
{
    struct redial_outcome outcome = redial_curl(curl, result, REDIAL_IDEMPOTENT);
    if (result == CURLE_ABORTED_BY_CALLBACK)
        return redial_retry((int)result, 0);
    if (outcome.kind == REDIAL_KIND_HTTP && outcome.code >= 300 && outcome.code <= 399)
        return redial_fail(outcome.code);
    return outcome;
}

struct redial_outcome send_job(CURL *curl, struct job *job, uint32_t timeout_ms,
                               const struct redial_env *env)
{
    struct curl_slist *headers = make_headers(job);
    struct redial_outcome outcome = redial_retry(CURLE_OUT_OF_MEMORY, 0);   /* our own error */
    bool whole = false;
    if (set_up(curl, job, headers, &whole, timeout_ms, env))
        outcome = judge(curl, whole_header_check(&whole, curl, curl_easy_perform(curl)));
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(headers);
    describe(job, outcome);
    return outcome;
}
