/* PUT and POST with retries: what an attempt must create again, and what must stay the same.
   SPDX-License-Identifier: MIT

       curl_put --url http://127.0.0.1:8080/thing --body '{"size": 4}'   # PUT may be repeated: RFC 9110, 9.2.2
       curl_put --method POST --url http://127.0.0.1:8080/things        # POST is repeated if it was not done
       curl_put --method POST --key random --url ...                    # or if it has an idempotency key

   Each attempt sends the body from its first byte, a new timestamp, and a new signature of both. The idempotency key
   stays the same, because it tells the server that this is a repetition. Other options are those of curl_get. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "curl_cli.h"

struct put {
    struct curl_call call;
    const char *method, *body;
    size_t length, sent;
    char key[33];            /* empty: none */
    struct curl_slist *headers;
};

/* ---- the body: libcurl reads it, and rewinds it when it repeats a request by itself ---- */

static size_t read_body(char *to, size_t size, size_t count, void *user)
{
    struct put *put = user;
    size_t left = put->length - put->sent, now = size * count < left ? size * count : left;
    memcpy(to, put->body + put->sent, now);
    put->sent += now;
    return now;
}

static int seek_body(void *user, curl_off_t offset, int origin)
{
    struct put *put = user;
    if (origin != SEEK_SET || offset < 0 || (size_t)offset > put->length)
        return CURL_SEEKFUNC_FAIL;
    put->sent = (size_t)offset;
    return CURL_SEEKFUNC_OK;
}

/* ---- headers ---- */

/* Called once for each call. These random bits are good enough for keys that must differ, but not for secrets. */
static void make_key(char key[33], const struct redial_env *env)
{
    unsigned i;
    for (i = 0; i < 4; i++)
        snprintf(key + 8 * i, 9, "%08" PRIx32, env->random(env));
}

/* FNV-1a, only to show where a signature belongs. It protects nothing: use an HMAC. */
static uint64_t sign(uint64_t hash, const char *bytes, size_t length)
{
    size_t i;
    for (i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

static bool add_header(struct put *put, const char *name, const char *value)
{
    char line[80];
    struct curl_slist *longer;
    snprintf(line, sizeof line, "%s: %s", name, value);
    longer = curl_slist_append(put->headers, line);
    if (longer)
        put->headers = longer;
    return longer != NULL;
}

static bool set_headers(struct put *put)
{
    char stamp[32], signature[17];
    struct timespec now;
    uint64_t hash = UINT64_C(14695981039346656037);
    timespec_get(&now, TIME_UTC);
    snprintf(stamp, sizeof stamp, "%" PRId64 ".%03ld", (int64_t)now.tv_sec, now.tv_nsec / 1000000);
    hash = sign(sign(hash, stamp, strlen(stamp)), put->body, put->length);
    snprintf(signature, sizeof signature, "%016" PRIx64, hash);
    curl_slist_free_all(put->headers);
    put->headers = NULL;
    return add_header(put, "Content-Type", "application/json")
           && add_header(put, "Expect", "")   /* otherwise libcurl waits a second for a 100 (Continue) */
           && add_header(put, "X-Timestamp", stamp)
           && add_header(put, "X-Signature", signature)
           && (!put->key[0] || add_header(put, "Idempotency-Key", put->key))
           && curl_easy_setopt(put->call.curl, CURLOPT_HTTPHEADER, put->headers) == CURLE_OK;
}

/* ---- the attempt ---- */

/* Finds "reason": "NAME" in an error body. Use a JSON parser if your program has one. */
static bool reason_is(const char *body, const char *name)
{
    const char *at = strstr(body, "\"reason\"");
    size_t length = strlen(name);
    if (!at)
        return false;
    at += strlen("\"reason\"");
    at += strspn(at, " \t\r\n:");
    return at[0] == '"' && strncmp(at + 1, name, length) == 0 && at[1 + length] == '"';
}

static bool repeatable(const struct put *put)
{
    return put->key[0] || redial_http_idempotent(put->method);
}

/* 403 with the reason userRateLimitExceeded is temporary; with dailyLimitExceeded it is not. A redirect is not
   followed, because the key and the signature are for this server only. So it is a failure. */
static struct redial_outcome judge(const struct put *put, struct redial_outcome outcome)
{
    if (outcome.kind == REDIAL_KIND_RETRY && !repeatable(put) && !curl_call_unsent(outcome.code))
        return redial_fail(outcome.code);   /* the server may have done the work */
    if (outcome.kind != REDIAL_KIND_HTTP)
        return outcome;
    if (outcome.code == 403 && reason_is(put->call.body, "userRateLimitExceeded"))
        return redial_retry_after(403, outcome.retry_after_ms);
    if (outcome.code >= 300 && outcome.code <= 399)
        return redial_fail(outcome.code);
    return repeatable(put) ? outcome : redial_http_request(put->method, outcome.code, outcome.retry_after_ms);
}

static struct redial_outcome attempt_put(void *user, const struct redial_attempt *attempt)
{
    struct put *put = user;
    put->sent = 0;
    if (!set_headers(put))
        return redial_fail(CURLE_OUT_OF_MEMORY);
    return judge(put, curl_call_attempt(&put->call, attempt));
}

/* ---- the call ---- */

static void set_up(const struct put *put)
{
    CURL *curl = put->call.curl;
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, put->method);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)put->length);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_body);
    curl_easy_setopt(curl, CURLOPT_READDATA, put);
    curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, seek_body);
    curl_easy_setopt(curl, CURLOPT_SEEKDATA, put);
}

static int run(const struct curl_cli *cli, struct put *put)
{
    struct redial_report report;
    int status = EXIT_FAILURE;
    if (curl_call_open(&put->call, cli->url, cli->max_body)) {
        set_up(put);
        redial_run(&cli->policy, &cli->env, attempt_put, put, &report);
        status = curl_cli_finish(&report, &put->call);
    }
    curl_call_close(&put->call);
    curl_slist_free_all(put->headers);
    return status;
}

int main(int argc, char **argv)
{
    struct curl_cli cli;
    struct put put = { .body = "{}" };
    uint32_t post = 0, keyed = 0;
    const struct option_word methods[] = { { "PUT", 0 }, { "POST", 1 }, { NULL, 0 } };
    const struct option_word keys[] = { { "none", 0 }, { "random", 1 }, { NULL, 0 } };
    const struct option options[] = {
        { "method", "NAME", "PUT or POST", &post, 1, 0, methods, NULL },
        { "body", "JSON", "what to send", NULL, 0, 0, NULL, &put.body },
        { "key", "KIND", "the idempotency key: none or random", &keyed, 1, 0, keys, NULL },
        CURL_CLI_OPTIONS(&cli),
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL },
    };
    curl_cli_init(&cli);
    curl_cli_read(&cli, argc, argv, "PUT and POST with libcurl, retried where that is safe.", options);
    put.method = methods[post].word;
    put.length = strlen(put.body);
    if (keyed)
        make_key(put.key, &cli.env);
    return run(&cli, &put);
}
