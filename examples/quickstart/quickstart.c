/* One REST call that survives 503 and 429, told attempt by attempt. SPDX-License-Identifier: MIT

       examples/run                                          a small built-in server answers 503, 429, 200
       examples/run --base 1000 http://127.0.0.1:8080/path   a server of yours
       examples/run --help */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../common/http_client.h"
#include "../common/options.h"
#include "scripted_server.h"

#define ATTEMPT_MS 10000   /* an attempt that takes longer has failed */

struct fetch {
    struct http_url url;
    struct http_result result;
    char body[4096];
};

static volatile sig_atomic_t interrupted;   /* Ctrl-C */

/* ---- the operation: one attempt ---- */

static void print_result(const struct http_result *result)
{
    if (result->end == HTTP_ANSWERED)
        printf("status %d", result->status);
    else if (result->end == HTTP_BROKEN)
        printf("%s (%s)", result->problem, strerror(result->error));
    else
        printf("%s", result->problem);
    fflush(stdout);
}

static struct redial_outcome fetch_once(void *user, const struct redial_attempt *attempt)
{
    struct fetch *fetch = user;
    uint32_t timeout_ms = attempt->timeout_ms < ATTEMPT_MS ? attempt->timeout_ms : ATTEMPT_MS;
    printf("\nattempt %u: ", (unsigned)attempt->number);
    fflush(stdout);
    fetch->result = http_get(&fetch->url, timeout_ms, &interrupted, fetch->body, sizeof fetch->body);
    print_result(&fetch->result);
    return http_outcome(&fetch->result);
}

/* ---- the environment: the system's, with two hooks of ours ---- */

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool was_interrupted(const struct redial_env *env)
{
    (void)env;
    return interrupted;
}

static void print_wait(const struct redial_env *env, const struct redial_event *event)
{
    const struct redial_policy *policy = env->ctx;
    uint32_t asked = event->outcome.retry_after_ms;
    printf("; wait %u ms: ", (unsigned)event->delay_ms);
    if (asked == 0)
        printf("backoff");
    else if (event->delay_ms - asked <= policy->jitter_ms)
        printf("server asked for %u ms", (unsigned)asked);
    else
        printf("backoff, longer than the %u ms that the server asked for", (unsigned)asked);
    fflush(stdout);
}

static void print_report(const struct redial_report *report, const struct fetch *fetch)
{
    size_t length = fetch->result.body_length < sizeof fetch->body ? (size_t)fetch->result.body_length
                                                                   : sizeof fetch->body;
    printf("\nverdict: %s; attempts: %u; waited: %u ms of %u ms\n", redial_verdict_name((int)report->verdict),
           (unsigned)report->attempts, (unsigned)report->waited_ms, (unsigned)report->elapsed_ms);
    if (report->refused_wait_ms)
        printf("a wait of %u ms was refused\n", (unsigned)report->refused_wait_ms);
    if (report->verdict != REDIAL_DONE)
        return;
    fwrite(fetch->body, 1, length, stdout);
    if (length < fetch->result.body_length)
        printf("\n(%u bytes of %llu)", (unsigned)length, (unsigned long long)fetch->result.body_length);
    printf("\n");
}

static int run(struct redial_policy *policy, struct fetch *fetch)
{
    struct sigaction action = { .sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND };   /* a second one kills */
    struct redial_env env = *redial_system();
    struct redial_report report;
    env.cancelled = was_interrupted;
    env.on_wait = print_wait;
    env.ctx = policy;
    sigaction(SIGINT, &action, NULL);
    printf("GET http://%s%s", fetch->url.authority, fetch->url.target);
    fflush(stdout);
    redial_run(policy, &env, fetch_once, fetch, &report);
    print_report(&report, fetch);
    return report.verdict == REDIAL_DONE ? 0 : 1;
}

/* ---- the built-in server ---- */

static int run_against_built_in_server(struct redial_policy *policy, struct fetch *fetch)
{
    static const struct scripted_answer answers[] = {
        { .bytes = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n" },
        { .bytes = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n" },
        { .bytes = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 41\r\n\r\n"
                   "{\"id\": 7, \"name\": \"redial\", \"calls\": 1.0}" },
    };
    struct scripted_server server;
    char url[64];
    int status;
    if (!scripted_server_start(&server, answers, sizeof answers / sizeof *answers)) {
        perror("quickstart: can't start the built-in server");
        return 1;
    }
    snprintf(url, sizeof url, "http://127.0.0.1:%u/v1/items/7", (unsigned)server.port);
    status = http_parse_url(url, &fetch->url) ? run(policy, fetch) : 1;
    scripted_server_stop(&server);
    return status;
}

/* ---- the command line ---- */

static const char about[] =
    "usage: quickstart [options] [http://host[:port][/path]]\n"
    "Makes one GET, with retries; without a URL, of a small server inside this program.\n"
    "Exit status: 0 done, 1 given up, 2 bad usage.";

static const struct option_word kinds[] = {
    { "added", REDIAL_JITTER_ADDED }, { "spread", REDIAL_JITTER_SPREAD },
    { "equal", REDIAL_JITTER_EQUAL }, { "full", REDIAL_JITTER_FULL }, { NULL, 0 }
};
static const struct option_word forever[] = { { "forever", REDIAL_NO_LIMIT }, { NULL, 0 } };

/* Out of the arguments; NULL: it isn't among them. */
static const char *take_url(int *argc, char **argv)
{
    const char *url;
    int i = 1;
    while (i < *argc && strncmp(argv[i], "--", 2) == 0)
        i += strchr(argv[i], '=') || strcmp(argv[i], "--help") == 0 ? 1 : 2;
    if (i >= *argc)
        return NULL;
    url = argv[i];
    memmove(&argv[i], &argv[i + 1], (size_t)(*argc - i) * sizeof *argv);
    --*argc;
    return url;
}

static void read_policy(int argc, char **argv, struct redial_policy *policy)
{
    uint32_t kind = policy->jitter;
    const struct option options[] = {
        { "base", "MS", "the first wait", &policy->base_ms, 1, UINT32_MAX, NULL, NULL },
        { "cap", "MS", "the longest wait of our own", &policy->cap_ms, 1, UINT32_MAX, NULL, NULL },
        { "jitter", "MS", "the random part of a wait, 0 to 1000", &policy->jitter_ms, 0, UINT32_MAX, NULL, NULL },
        { "retries", "N", "attempts after the first", &policy->max_retries, 0, UINT32_MAX - 1, forever, NULL },
        { "kind", "KIND", "of jitter: added, spread, equal or full", &kind, 1, 0, kinds, NULL },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }
    };
    char what[96];
    options_read(argc, argv, about, options);
    policy->jitter = (enum redial_jitter)kind;
    snprintf(what, sizeof what, "--base %u --cap %u --jitter %u", (unsigned)policy->base_ms,
             (unsigned)policy->cap_ms, (unsigned)policy->jitter_ms);
    if (redial_policy_check(policy) != REDIAL_POLICY_OK)
        options_refuse(what, redial_policy_error_text((int)redial_policy_check(policy)));
}

int main(int argc, char **argv)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct fetch fetch;
    const char *url = take_url(&argc, argv);
    policy.base_ms = 200;
    policy.jitter_ms = 200;
    read_policy(argc, argv, &policy);
    if (!url)
        return run_against_built_in_server(&policy, &fetch);
    if (!http_parse_url(url, &fetch.url))
        options_refuse(url, "a URL must be http://host[:port][/path], ASCII without spaces, users and fragments");
    return run(&policy, &fetch);
}
