/* GET, PUT or POST with libcurl, retried where that is safe. SPDX-License-Identifier: MIT

       curl_request URL                 # GET: the body to stdout, all else to stderr
       curl_request URL PUT BODY        # may be repeated: RFC 9110, 9.2.2
       curl_request URL POST BODY       # is repeated after 429, and if it was not sent; "unsure" at
                                        # the end means that it may have been done
       curl_request URL POST BODY KEY   # is repeated like PUT: the server knows the Idempotency-Key

   Copy attempt_request and open_request. The policy is in main. Ctrl-C ends a wait and a
   transfer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/interrupt.h"
#include "../common/stdout.h"
#include "redial_curl.h"

#define BODY_MAX (1u << 20)    /* bytes of an answer that are accepted */
#define ERROR_PAGE_MAX 500     /* bytes of an error page that are printed */

struct request {
    CURL *curl;
    const char *method;        /* REDIAL_IDEMPOTENT, if it has a key */
    struct curl_slist *headers;
    char *body;                /* of the answer */
    size_t length;
};

/* ---- one attempt ---- */

static size_t collect(char *data, size_t size, size_t count, void *user)
{
    struct request *request = user;
    size_t length = size * count;
    char *grown = length <= BODY_MAX - request->length
                      ? realloc(request->body, request->length + length + 1) : NULL;
    if (!grown)
        return 0;   /* CURLE_WRITE_ERROR */
    memcpy(grown + request->length, data, length);
    request->body = grown;
    request->length += length;
    return length;
}

/* libcurl asks it about once a second, and at once after a signal. */
static int stop_transfer(void *user, curl_off_t all, curl_off_t now, curl_off_t all_up,
                         curl_off_t now_up)
{
    (void)user, (void)all, (void)now, (void)all_up, (void)now_up;
    return interrupted != 0;
}

static struct redial_outcome attempt_request(void *user, const struct redial_attempt *attempt)
{
    struct request *request = user;
    struct redial_outcome outcome;
    request->length = 0;   /* drops the error page or the partial answer of the attempt before */
    outcome = redial_curl_perform(request->curl, attempt->timeout_ms, request->method);
    if (outcome.code == 409 && request->headers)   /* the one before is under way */
        return redial_retry(409, outcome.retry_after_ms);
    return outcome;
}

/* ---- the request ---- */

static void set_callbacks(struct request *request)
{
    curl_easy_setopt(request->curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(request->curl, CURLOPT_WRITEDATA, request);
    curl_easy_setopt(request->curl, CURLOPT_XFERINFOFUNCTION, stop_transfer);
    curl_easy_setopt(request->curl, CURLOPT_NOPROGRESS, 0L);
}

/* False: out of memory. */
static bool set_key(struct request *request, const char *key)
{
    char line[256];
    snprintf(line, sizeof line, "Idempotency-Key: %s", key);
    request->headers = curl_slist_append(NULL, line);
    request->method = REDIAL_IDEMPOTENT;
    curl_easy_setopt(request->curl, CURLOPT_HTTPHEADER, request->headers);
    return request->headers != NULL;
}

/* body and key may be NULL. The body must stay. False: out of memory. Close it in any case. */
static bool open_request(struct request *request, const char *url, const char *method,
                         const char *body, const char *key)
{
    CURL *curl = request->curl = curl_easy_init();
    request->method = method;
    if (!curl || curl_easy_setopt(curl, CURLOPT_URL, url) != CURLE_OK
        || (key && !set_key(request, key)))
        return false;
    set_callbacks(request);
    /* No file, no mail, not even after a redirect. */
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);   /* a name server may hang */
    if (!body) {
        curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
        curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
    } else {   /* not to another place: body and key are for this server */
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
    }
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

static const char *in_words(const struct redial_report *report)
{
    if (report->verdict == REDIAL_UNSURE)
        return ": it may have been done";
    return report->verdict == REDIAL_FAILED && report->last.code >= 300 ? ": it was refused" : "";
}

static int print_end(const struct redial_report *report, const struct request *request)
{
    fprintf(stderr, "%s%s; attempts: %u; last: %s (%d)", redial_verdict_name(report->verdict),
            in_words(report), (unsigned)report->attempts, words(report->last.code),
            report->last.code);
    if (report->refused_wait_ms)
        fprintf(stderr, "; a wait of %u ms was refused", (unsigned)report->refused_wait_ms);
    fputc('\n', stderr);
    if (report->verdict != REDIAL_DONE) {
        print_error_page(request->body, request->length);
        return EXIT_FAILURE;
    }
    if (request->length > 0)
        fwrite(request->body, 1, request->length, stdout);
    return EXIT_SUCCESS;
}

/* ---- the command line ---- */

/* NULL: nothing is wrong. */
static const char *refusal(int argc, char **argv)
{
    const char *method = argc > 2 ? argv[2] : "GET";
    bool sends = strcmp(method, "PUT") == 0 || strcmp(method, "POST") == 0;
    if (argc < 2 || argc > 5 || argv[1][0] == '-')
        return "It takes a URL and at most three more words.";
    if (!sends && strcmp(method, "GET") != 0)
        return "The method must be GET, PUT or POST.";
    if (sends != (argc > 3))
        return "PUT and POST have a body, and GET has none.";
    if (argc > 4 && (strlen(argv[4]) > 200 || strpbrk(argv[4], "\r\n")))   /* another header */
        return "The key must be one line of at most 200 bytes.";
    return NULL;
}

int main(int argc, char **argv)
{
    static const struct redial_policy policy = {
        .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000, .max_retries = 5,
        .max_elapsed_ms = 60000, .attempt_ms = 10000
    };
    struct redial_env env = *redial_system();
    struct redial_report report;
    struct request request = { 0 };
    const char *wrong = refusal(argc, argv);
    int status = EXIT_FAILURE;
    stdout_begin();
    if (wrong) {
        fprintf(stderr, "%s\nusage: curl_request URL [GET | PUT BODY [KEY] | POST BODY [KEY]]\n",
                wrong);
        return 2;
    }
    env.cancelled = interrupt_cancelled;
    env.on_wait = on_wait;
    interrupt_catch();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (open_request(&request, argv[1], argc > 2 ? argv[2] : "GET", argc > 3 ? argv[3] : NULL,
                     argc > 4 ? argv[4] : NULL)) {
        redial_run(&policy, &env, attempt_request, &request, &report);
        status = print_end(&report, &request);
    }
    close_request(&request);
    return stdout_end("curl_request", status);
}
