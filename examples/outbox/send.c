/* One attempt to deliver a job: an HTTP PUT with libcurl. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "send.h"

#define ASK_MS 25   /* how often it asks whether the program should end */

/* ---- the host ---- */

static bool part(CURLU *url, CURLUPart which, char *out, size_t size)
{
    char *text = NULL;
    bool fits = curl_url_get(url, which, &text, CURLU_NO_DEFAULT_PORT) == CURLUE_OK && strlen(text) < size;
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
              && part(parsed, CURLUPART_SCHEME, scheme, sizeof scheme) && strncmp(scheme, "http", 4) == 0
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

bool send_open(struct sender *sender)
{
    CURL *curl = sender->curl = curl_easy_init();
    sender->multi = curl_multi_init();
    return curl && sender->multi && curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "PUT") == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK     /* signals belong to the program */
           && curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L) == CURLE_OK   /* do not wait for a resolver that hangs */
           && curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop) == CURLE_OK;
}

void send_close(struct sender *sender)
{
    curl_easy_cleanup(sender->curl);
    curl_multi_cleanup(sender->multi);
}

/* The key is the same in each attempt. The number of the attempt is for the receiver's log. NULL: out of memory. */
static struct curl_slist *make_headers(const struct job *job)
{
    char key[64], attempt[32];
    /* Without the last one, libcurl waits a second for a 100 (Continue). */
    const char *const lines[] = { key, attempt, "Content-Type: application/json", "Expect:" };
    struct curl_slist *headers = NULL, *longer = NULL;
    snprintf(key, sizeof key, "Idempotency-Key: %s", job->key);
    snprintf(attempt, sizeof attempt, "X-Attempt: %u", (unsigned)job->attempts);
    for (unsigned i = 0; i < sizeof lines / sizeof *lines && (i == 0 || longer); i++) {
        longer = curl_slist_append(headers, lines[i]);
        headers = longer ? longer : headers;
    }
    if (!longer)
        curl_slist_free_all(headers);
    return longer;
}

static bool set_up(CURL *curl, const struct job *job, struct curl_slist *headers, uint32_t timeout_ms)
{
    return curl_easy_setopt(curl, CURLOPT_URL, job->url) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)timeout_ms) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)job->length) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_POSTFIELDS, job->body) == CURLE_OK;
}

/* curl_easy_perform in steps, because that calls its callbacks only about once a second while no data moves. */
static CURLcode perform(const struct sender *sender, const struct redial_env *env)
{
    CURLcode result = CURLE_FAILED_INIT;
    CURLMsg *message;
    int running = 1, left;
    if (curl_multi_add_handle(sender->multi, sender->curl) != CURLM_OK)
        return CURLE_FAILED_INIT;
    while (running && curl_multi_perform(sender->multi, &running) == CURLM_OK && running) {
        if (env->cancelled && env->cancelled(env)) {
            result = CURLE_ABORTED_BY_CALLBACK;
            break;
        }
        curl_multi_poll(sender->multi, NULL, 0, ASK_MS, NULL);
    }
    message = curl_multi_info_read(sender->multi, &left);
    if (message)
        result = message->data.result;
    curl_multi_remove_handle(sender->multi, sender->curl);
    return result;
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
    return redial_http_retryable(status) || status == 408 || status == 421 || status == 423 || status == 425;
}

/* The key makes a repetition safe, also the one that libcurl makes by itself on a kept connection that has died. A
   redirect is not followed, because a receiver must not choose who gets the job. So it is a failure. */
static struct redial_outcome judge(CURL *curl, CURLcode result)
{
    struct redial_outcome outcome = redial_curl(curl, result, REDIAL_IDEMPOTENT);
    if (result == CURLE_ABORTED_BY_CALLBACK)
        return redial_retry((int)result, 0);
    if (outcome.kind == REDIAL_KIND_HTTP && outcome.code >= 300 && outcome.code <= 399)
        return redial_fail(outcome.code);
    return outcome;
}

struct redial_outcome send_job(struct sender *sender, struct job *job, const struct redial_attempt *attempt)
{
    struct curl_slist *headers = make_headers(job);
    struct redial_outcome outcome = redial_retry(CURLE_OUT_OF_MEMORY, 0);   /* a temporary error on our side */
    if (headers && set_up(sender->curl, job, headers, attempt->timeout_ms))
        outcome = judge(sender->curl, perform(sender, attempt->env));
    curl_easy_setopt(sender->curl, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(headers);
    describe(job, outcome);
    return outcome;
}
