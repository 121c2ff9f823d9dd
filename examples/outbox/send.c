/* One attempt to deliver a job: an HTTP PUT with libcurl. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "send.h"

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

static void to_lower(char *text)
{
    for (; *text; text++)
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text - 'A' + 'a');
}

static bool read_host(CURLU *url, char host[256])
{
    char scheme[8], port[8];
    size_t length;
    if (!part(url, CURLUPART_SCHEME, scheme, sizeof scheme) || !part(url, CURLUPART_HOST, host, 256 - sizeof port))
        return false;
    if (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0)
        return false;
    to_lower(host);
    length = strlen(host);
    if (part(url, CURLUPART_PORT, port, sizeof port))
        snprintf(host + length, 256 - length, ":%s", port);
    return true;
}

bool send_host_of(const char *url, char host[256])
{
    CURLU *parsed = curl_url();
    bool ok = parsed && curl_url_set(parsed, CURLUPART_URL, url, 0) == CURLUE_OK && read_host(parsed, host);
    curl_url_cleanup(parsed);
    return ok;
}

/* ---- the request ---- */

/* Nobody reads the body of an answer. So it is dropped, and may have any length. */
static size_t drop(char *data, size_t size, size_t count, void *user)
{
    (void)data;
    (void)user;
    return size * count;
}

/* Each attempt has a connection of its own. If a reused connection was dead, libcurl would repeat the request by itself
   at once, without a wait, and nobody would count that attempt. */
bool send_open(struct curl_call *call)
{
    return curl_call_open(call, "", 0) && curl_easy_setopt(call->curl, CURLOPT_FORBID_REUSE, 1L) == CURLE_OK
           && curl_easy_setopt(call->curl, CURLOPT_WRITEFUNCTION, drop) == CURLE_OK
           && curl_easy_setopt(call->curl, CURLOPT_CUSTOMREQUEST, "PUT") == CURLE_OK;
}

static bool add_line(struct curl_slist **headers, const char *line)
{
    struct curl_slist *longer = curl_slist_append(*headers, line);
    if (longer)
        *headers = longer;
    return longer != NULL;
}

/* The key is the same in each attempt. The number of the attempt is for the receiver's log. */
static bool make_headers(struct curl_slist **headers, const struct job *job)
{
    char key[64], attempt[32];
    snprintf(key, sizeof key, "Idempotency-Key: %s", job->key);
    snprintf(attempt, sizeof attempt, "X-Attempt: %u", (unsigned)job->attempts);
    return add_line(headers, key) && add_line(headers, attempt) && add_line(headers, "Content-Type: application/json")
           && add_line(headers, "Expect:");   /* otherwise libcurl waits a second for a 100 (Continue) */
}

static bool set_up(CURL *curl, const struct job *job, struct curl_slist *headers)
{
    return curl_easy_setopt(curl, CURLOPT_URL, job->url) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)job->length) == CURLE_OK
           && curl_easy_setopt(curl, CURLOPT_POSTFIELDS, job->body) == CURLE_OK;
}

/* ---- the answer ---- */

static void describe(struct job *job, struct redial_outcome outcome)
{
    if (outcome.code < 100)
        snprintf(job->answer, sizeof job->answer, "%s", curl_easy_strerror((CURLcode)outcome.code));
    else if (outcome.retry_after_ms)
        snprintf(job->answer, sizeof job->answer, "HTTP status %d, Retry-After: %u s", outcome.code,
                 (unsigned)(outcome.retry_after_ms / 1000));
    else
        snprintf(job->answer, sizeof job->answer, "HTTP status %d", outcome.code);
}

/* A redirect is not followed, because a receiver must not choose who gets the job. So it is a failure. */
static struct redial_outcome judge(struct redial_outcome outcome)
{
    bool redirect = outcome.kind == REDIAL_KIND_HTTP && outcome.code >= 300 && outcome.code <= 399;
    return redirect ? redial_fail(outcome.code) : outcome;
}

struct redial_outcome send_job(struct curl_call *call, struct job *job, const struct redial_attempt *attempt)
{
    struct curl_slist *headers = NULL;
    struct redial_outcome outcome = redial_retry(CURLE_OUT_OF_MEMORY);   /* a temporary error on our side */
    if (make_headers(&headers, job) && set_up(call->curl, job, headers))
        outcome = judge(curl_call_attempt(call, attempt));
    curl_easy_setopt(call->curl, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(headers);
    describe(job, outcome);
    return outcome;
}
