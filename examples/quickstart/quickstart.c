/* One REST call that is retried after 503 and 429, and prints each step. It needs libcurl.
   SPDX-License-Identifier: MIT

       examples/run                             against a small server in this program
       examples/run https://example.com/path    against a server of yours

   The policy is in run. To copy: from struct fetch to run. */
#include <stdio.h>
#include <string.h>

#include "../common/demo_server.h"
#include "../common/stdout.h"
#include "redial_curl.h"

struct fetch {
    CURL *curl;
    size_t length;
    char body[8192];
};

static size_t collect(char *data, size_t size, size_t count, void *user)
{
    struct fetch *fetch = user;
    if (size * count > sizeof fetch->body - fetch->length)
        return 0;   /* CURLE_WRITE_ERROR */
    memcpy(fetch->body + fetch->length, data, size * count);
    fetch->length += size * count;
    return size * count;
}

/* The operation: one attempt. */
static struct redial_outcome fetch_once(void *user, const struct redial_attempt *attempt)
{
    struct fetch *fetch = user;
    struct redial_outcome outcome;
    printf("\nattempt %u: ", (unsigned)attempt->number);
    fetch->length = 0;   /* drops the error page of the attempt before */
    outcome = redial_curl_perform(fetch->curl, attempt->timeout_ms, "GET");
    printf("%s %d", outcome.code < 200 ? curl_easy_strerror((CURLcode)outcome.code) : "status",
           outcome.code);
    return outcome;
}

/* A hook of the environment. */
static void print_wait(const struct redial_env *env, const struct redial_event *event)
{
    (void)env;
    printf("; wait %u ms", (unsigned)event->delay_ms);
    if (event->outcome.retry_after_ms)
        printf(" (the server asked for %u ms)", (unsigned)event->outcome.retry_after_ms);
}

static int run(const char *url)
{
    static const struct redial_policy policy = {
        .base_ms = 200, .cap_ms = 32000, .jitter_ms = 200, .max_retries = 3, .attempt_ms = 10000
    };
    static struct fetch fetch;
    struct redial_env env = *redial_system();
    struct redial_report report;
    env.on_wait = print_wait;
    fetch.curl = curl_easy_init();
    curl_easy_setopt(fetch.curl, CURLOPT_URL, url);
    curl_easy_setopt(fetch.curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(fetch.curl, CURLOPT_WRITEDATA, &fetch);
    printf("GET %s", url);
    redial_run(&policy, &env, fetch_once, &fetch, &report);
    printf("\nverdict: %s; attempts: %u; time: %u ms, %u ms of it waiting\n",
           redial_verdict_name(report.verdict), (unsigned)report.attempts,
           (unsigned)report.elapsed_ms, (unsigned)report.waited_ms);
    if (report.verdict == REDIAL_DONE)
        printf("%.*s\n", (int)fetch.length, fetch.body);
    curl_easy_cleanup(fetch.curl);
    return report.verdict == REDIAL_DONE ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* What the built-in server answers. */
static const char *answer(const char *path)
{
    static const char *const answers[] = {
        "503 Service Unavailable\r\n\r\nbusy", "429 Too Many Requests\r\nRetry-After: 1\r\n\r\n",
        "200 OK\r\nContent-Type: application/json\r\n\r\n{\"id\": 7, \"name\": \"redial\"}" };
    static unsigned requests;
    (void)path;
    return answers[requests++ % 3];
}

int main(int argc, char **argv)
{
    struct demo_server server;
    char url[64];
    int status;
    stdout_begin();
    setvbuf(stdout, NULL, _IONBF, 0);   /* what is printed is seen at once */
    if (argc == 2 && strncmp(argv[1], "http", 4) == 0)
        return stdout_end("quickstart", run(argv[1]));
    if (argc > 1) {
        fputs("usage: quickstart [http://HOST[:PORT][/PATH]]\n", stderr);
        return 2;
    }
    if (demo_server_start(&server, answer) != 0) {
        perror("quickstart: can't start the built-in server");
        return EXIT_FAILURE;
    }
    printf("The server is built in. It answers 503, then 429 with Retry-After: 1, then 200.\n");
    snprintf(url, sizeof url, "http://127.0.0.1:%u/v1/items/7", (unsigned)server.port);
    status = run(url);
    demo_server_stop(&server);
    return stdout_end("quickstart", status);
}
