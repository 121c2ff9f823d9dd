/* GET, PUT or POST with libcurl, retried where that is safe. SPDX-License-Identifier: MIT

       curl_request --url http://127.0.0.1:8080/thing      # the body to stdout, all else to stderr; --help
       curl_request --method PUT --body '{"size": 4}' ...  # may be repeated: RFC 9110, 9.2.2
       curl_request --method POST ...                      # is repeated after 429, and if it was not sent
       curl_request --method POST --key random ...         # is repeated like PUT, because the server knows the key

   Copy attempt_request and open_request. Ctrl-C ends a wait and a transfer. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/interrupt.h"
#include "options.h"
#include "redial_curl.h"

#define ERROR_PAGE_MAX 500   /* how many bytes of it are printed */

struct request {
    CURL *curl;
    bool repeatable;         /* twice is the same as once */
    bool header_ended;       /* of the last answer */
    char *body;
    size_t length, max_length;
    struct curl_slist *headers;
};

/* ---- one attempt ---- */

static size_t collect(char *data, size_t size, size_t count, void *user)
{
    struct request *request = user;
    size_t length = size * count;
    char *grown = length <= request->max_length - request->length
                      ? realloc(request->body, request->length + length + 1) : NULL;
    if (!grown)
        return 0;   /* CURLE_WRITE_ERROR */
    memcpy(grown + request->length, data, length);
    request->body = grown;
    request->length += length;
    return length;
}

/* Called for each line. Redirects and interim answers have headers of their own; a trailer is no header. */
static size_t note_header(char *line, size_t size, size_t count, void *user)
{
    struct request *request = user;
    size_t length = size * count;
    if (length >= 5 && memcmp(line, "HTTP/", 5) == 0)
        request->header_ended = false;
    else if (length > 0 && (line[0] == '\r' || line[0] == '\n'))
        request->header_ended = true;
    return length;
}

/* libcurl asks it about once a second, and at once after a signal. */
static int stop_transfer(void *user, curl_off_t all, curl_off_t now, curl_off_t all_up, curl_off_t now_up)
{
    (void)user, (void)all, (void)now, (void)all_up, (void)now_up;
    return interrupted != 0;
}

static struct redial_outcome attempt_request(void *user, const struct redial_attempt *attempt)
{
    struct request *request = user;
    CURLcode result;
    request->length = 0;   /* drops the error page or the partial answer of the attempt before */
    request->header_ended = false;
    curl_easy_setopt(request->curl, CURLOPT_TIMEOUT_MS, (long)attempt->timeout_ms);
    result = curl_easy_perform(request->curl);
    if (result != CURLE_OK && interrupt_cancelled(attempt->env))
        return redial_retry((int)result, 0);   /* and redial_run says CANCELLED */
    if (result == CURLE_OK && !request->header_ended)
        result = CURLE_PARTIAL_FILE;   /* libcurl calls a header that was cut short a success */
    return redial_curl(request->curl, result, request->repeatable ? REDIAL_IDEMPOTENT : NULL);
}

/* ---- the request ---- */

/* Made once for all attempts. These random bits are good enough for keys that must differ, but not for secrets. */
static struct curl_slist *new_key(const struct redial_env *env)
{
    char line[64];
    snprintf(line, sizeof line, "Idempotency-Key: %08" PRIx32 "%08" PRIx32 "%08" PRIx32 "%08" PRIx32, env->random(env),
             env->random(env), env->random(env), env->random(env));
    return curl_slist_append(NULL, line);
}

/* headers: with a key, or NULL. False: out of memory. Close it in any case. */
static bool open_request(struct request *request, const char *url, const char *method, const char *body)
{
    CURL *curl = request->curl = curl_easy_init();
    if (!curl || curl_easy_setopt(curl, CURLOPT_URL, url) != CURLE_OK)
        return false;
    request->repeatable = request->headers || redial_http_idempotent(method);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, request->headers);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, request);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, note_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, request);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, stop_transfer);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    if (strcmp(method, "GET") == 0) {
        curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
        curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
    } else {   /* not to another place: body and key are for this server */
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
    }
    /* Without this, libcurl sends the request again by itself if the connection that it kept is dead. */
    if (!request->repeatable)
        curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
    return true;
}

static void close_request(struct request *request)
{
    curl_easy_cleanup(request->curl);
    curl_slist_free_all(request->headers);
    free(request->body);
}

/* ---- output: only the body of a success goes to stdout ---- */

static const char *words(int code)
{
    return code < 200 ? curl_easy_strerror((CURLcode)code) : "HTTP status";
}

static void on_wait(const struct redial_env *env, const struct redial_event *event)
{
    (void)env;
    fprintf(stderr, "%s (%d): retry %u in %u ms", words(event->outcome.code), event->outcome.code,
            (unsigned)event->retry, (unsigned)event->delay_ms);
    if (event->outcome.retry_after_ms)
        fprintf(stderr, ", the server asked for %u ms", (unsigned)event->outcome.retry_after_ms);
    fputc('\n', stderr);
}

/* The beginning of it. Its control characters could disturb a terminal. */
static void print_error_page(const char *body, size_t length)
{
    size_t i;
    for (i = 0; i < length && i < ERROR_PAGE_MAX; i++)
        fputc(body[i] == '\n' || (body[i] >= ' ' && body[i] < 0x7f) ? body[i] : '.', stderr);
    if (i > 0)
        fputc('\n', stderr);
}

static int print_end(const struct redial_report *report, const struct request *request)
{
    fprintf(stderr, "%s; attempts: %u; last: %s (%d)", redial_verdict_name(report->verdict),
            (unsigned)report->attempts, words(report->last.code), report->last.code);
    if (report->refused_wait_ms)
        fprintf(stderr, "; a wait of %u ms was refused", (unsigned)report->refused_wait_ms);
    fputc('\n', stderr);
    if (report->verdict != REDIAL_DONE) {
        print_error_page(request->body, request->length);
        return EXIT_FAILURE;
    }
    fwrite(request->body, 1, request->length, stdout);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_env env = *redial_system();
    struct redial_report report;
    struct request request = { 0 };
    const char *url = NULL, *body = "";
    uint32_t method = 0, keyed = 0, max_body = 16 << 20;
    int status = EXIT_FAILURE;
    const struct option_word methods[] = { { "GET", 0 }, { "PUT", 1 }, { "POST", 2 }, { NULL, 0 } };
    const struct option_word keys[] = { { "none", 0 }, { "random", 1 }, { NULL, 0 } };
    const struct option options[] = {
        { "url", "URL", "http or https", NULL, 0, 0, NULL, &url },
        { "method", "NAME", "GET, PUT or POST", &method, 1, 0, methods, NULL },
        { "body", "TEXT", "what PUT and POST send", NULL, 0, 0, NULL, &body },
        { "key", "KIND", "the idempotency key: none or random", &keyed, 1, 0, keys, NULL },
        { "base", "TIME", "the first wait", &policy.base_ms, 1, 32000, NULL, NULL },
        OPTION_JITTER(&policy.jitter_ms),
        OPTION_RETRIES(&policy.max_retries),
        { "limit", "TIME", "attempts and waits; 0: no limit", &policy.max_elapsed_ms, 0, UINT32_MAX, NULL, NULL },
        { "attempt", "TIME", "the timeout of one attempt", &policy.attempt_ms, 1, INT32_MAX, NULL, NULL },
        { "max-body", "BYTES", "the longest body that is accepted", &max_body, 0, INT32_MAX, NULL, NULL },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL },
    };
    policy.max_elapsed_ms = 60000;
    policy.attempt_ms = 10000;
    options_read(argc, argv, "GET, PUT and POST with libcurl, retried where that is safe.", options);
    if (!url)
        options_refuse("--url", "must be given");
    env.cancelled = interrupt_cancelled;
    env.on_wait = on_wait;
    interrupt_catch();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    request.max_length = max_body;
    request.headers = keyed ? new_key(&env) : NULL;
    if ((!keyed || request.headers) && open_request(&request, url, methods[method].word, body)) {
        redial_run(&policy, &env, attempt_request, &request, &report);
        status = print_end(&report, &request);
    }
    close_request(&request);
    return status;
}
