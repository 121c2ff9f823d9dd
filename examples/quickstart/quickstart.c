/* One REST call that is retried after 503 and 429, and prints each step.
   SPDX-License-Identifier: MIT

       examples/run                             against a small server in this program
       examples/run http://127.0.0.1:8080/path  against a server of yours

   The policy is in main. Ctrl-C ends a wait and an attempt. */
#include <stdio.h>
#include <string.h>

#include "../common/http_client.h"
#include "../common/interrupt.h"
#include "../common/demo_server.h"
#include "../common/stdout.h"

struct fetch {
    struct http_url url;
    struct http_result result;
    char text[8192];
};

/* ---- the operation: one attempt ---- */

static struct redial_outcome fetch_once(void *user, const struct redial_attempt *attempt)
{
    struct fetch *fetch = user;
    struct http_result *result = &fetch->result;
    printf("\nattempt %u: ", (unsigned)attempt->number);
    fflush(stdout);
    *result = http_get(&fetch->url, attempt->timeout_ms, &interrupted, fetch->text,
                       sizeof fetch->text);
    if (result->error)
        printf("%s (%s)", result->problem, result->why);
    else
        printf("status %d", result->status);
    fflush(stdout);
    return http_outcome(result);
}

/* ---- the environment of the system, with two hooks ---- */

static void print_wait(const struct redial_env *env, const struct redial_event *event)
{
    (void)env;
    printf("; wait %u ms", (unsigned)event->delay_ms);
    if (event->outcome.retry_after_ms)
        printf(" (the server asked for %u ms)", (unsigned)event->outcome.retry_after_ms);
    fflush(stdout);
}

static int run(const struct redial_policy *policy, struct fetch *fetch)
{
    struct redial_env env = *redial_system();
    struct redial_report report;
    env.cancelled = interrupt_cancelled;
    env.on_wait = print_wait;
    interrupt_catch();
    printf("GET http://%s%s", fetch->url.authority, fetch->url.target);
    redial_run(policy, &env, fetch_once, fetch, &report);
    printf("\nverdict: %s; attempts: %u; time: %u ms, %u ms of it waiting\n",
           redial_verdict_name(report.verdict), (unsigned)report.attempts,
           (unsigned)report.elapsed_ms, (unsigned)report.waited_ms);
    if (report.refused_wait_ms)
        printf("a wait of %u ms was refused\n", (unsigned)report.refused_wait_ms);
    if (report.verdict == REDIAL_DONE)
        puts(fetch->result.body);
    return report.verdict == REDIAL_DONE ? 0 : 1;
}

/* ---- the built-in server ---- */

static const char *answer(const char *path)
{
    static const char *const answers[] = {
        "503 Service Unavailable\r\n\r\n",
        "429 Too Many Requests\r\nRetry-After: 1\r\n\r\n",
        "200 OK\r\nContent-Type: application/json\r\n\r\n{\"id\": 7, \"name\": \"redial\"}",
    };
    static unsigned requests;
    (void)path;
    return answers[requests++ % 3];
}

static int run_against_built_in_server(const struct redial_policy *policy, struct fetch *fetch)
{
    struct demo_server server;
    char url[64];
    int status;
    if (demo_server_start(&server, answer) != 0) {
        perror("quickstart: can't start the built-in server");
        return 1;
    }
    printf("The server is built in. It answers 503, then 429 with Retry-After: 1, then 200.\n");
    snprintf(url, sizeof url, "http://127.0.0.1:%u/v1/items/7", (unsigned)server.port);
    status = http_parse_url(url, &fetch->url) ? run(policy, fetch) : 1;
    demo_server_stop(&server);
    return status;
}

int main(int argc, char **argv)
{
    static const struct redial_policy policy = {
        .base_ms = 200, .cap_ms = 32000, .jitter_ms = 200, .max_retries = 3, .attempt_ms = 10000
    };
    static struct fetch fetch;
    stdout_begin();
    if (argc == 1)
        return stdout_end("quickstart", run_against_built_in_server(&policy, &fetch));
    if (argc == 2 && http_parse_url(argv[1], &fetch.url))
        return stdout_end("quickstart", run(&policy, &fetch));
    fputs(
        "usage: quickstart [http://host[:port][/path]]\n"
        "The URL is ASCII without spaces, users and fragments. Exit status: 0 done, 1 given up.\n",
        stderr);
    return 2;
}
