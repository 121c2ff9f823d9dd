/* The common part of curl_get and curl_put: a policy, Ctrl-C, and the output. SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <curl/curl.h>

#include "../common/interrupt.h"
#include "curl_cli.h"

#define ERROR_PAGE_MAX 500   /* how many bytes of it are printed */

/* ---- output: only the body goes to stdout ---- */

static const char *words(int code)
{
    return code < 100 ? curl_easy_strerror((CURLcode)code) : "HTTP status";
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

static void print_report(const struct redial_report *report)
{
    fprintf(stderr, "%s; attempts: %u; time: %u ms; waited: %u ms", redial_verdict_name(report->verdict),
            (unsigned)report->attempts, (unsigned)report->elapsed_ms, (unsigned)report->waited_ms);
    if (report->attempts)
        fprintf(stderr, "; last: %s (%d)", words(report->last.code), report->last.code);
    if (report->refused_wait_ms)
        fprintf(stderr, "; a wait of %u ms was refused", (unsigned)report->refused_wait_ms);
    fputc('\n', stderr);
}

/* Prints the beginning of an error page, without control characters. */
static void print_error_page(const char *body, size_t length)
{
    size_t i;
    for (i = 0; i < length && i < ERROR_PAGE_MAX; i++)
        fputc(body[i] == '\n' || (body[i] >= ' ' && body[i] < 0x7f) ? body[i] : '.', stderr);
    if (i < length)
        fprintf(stderr, "... (%lu bytes in all)", (unsigned long)length);
    if (i > 0)
        fputc('\n', stderr);
}

int curl_cli_finish(const struct redial_report *report, const struct curl_call *call)
{
    print_report(report);
    if (report->verdict != REDIAL_DONE) {
        print_error_page(call->body, call->length);
        return EXIT_FAILURE;
    }
    fwrite(call->body, 1, call->length, stdout);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- the program ---- */

void curl_cli_init(struct curl_cli *cli)
{
    cli->policy = redial_policy_default();
    cli->policy.max_elapsed_ms = 60000;
    cli->policy.attempt_ms = 10000;
    cli->mode = REDIAL_JITTER_ADDED;
    cli->max_body = 16 << 20;
    cli->url = NULL;
    cli->env = *redial_system();
    cli->env.cancelled = interrupt_cancelled;
    cli->env.on_wait = on_wait;
    interrupt_catch();
    signal(SIGPIPE, SIG_IGN);   /* needed because of CURLOPT_NOSIGNAL */
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

void curl_cli_read(struct curl_cli *cli, int argc, char **argv, const char *about, const struct option *options)
{
    options_read(argc, argv, about, options);
    options_set_mode(&cli->policy, cli->mode);
    if (!cli->url)
        options_refuse("--url", "must be given");
}
