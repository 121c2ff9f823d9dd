/* What curl_get and curl_put share as programs: a policy, Ctrl-C, what is printed. SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <curl/curl.h>

#include "curl_cli.h"

/* ---- Ctrl-C: the handler sets a flag, and whoever waits asks for it ---- */

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

static bool cancelled(const struct redial_env *env)
{
    (void)env;
    return interrupted != 0;
}

static void on_interrupt(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = interrupt;
    action.sa_flags = (int)SA_RESETHAND;   /* a second Ctrl-C ends a program that hangs */
    sigaction(SIGINT, &action, NULL);
}

/* ---- what is printed: the body alone goes to stdout ---- */

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

int curl_cli_status(const struct redial_report *report)
{
    fprintf(stderr, "%s; attempts: %u; waited: %u ms of %u ms", redial_verdict_name((int)report->verdict),
            (unsigned)report->attempts, (unsigned)report->waited_ms, (unsigned)report->elapsed_ms);
    if (report->attempts)
        fprintf(stderr, "; last: %s (%d)", words(report->last.code), report->last.code);
    if (report->refused_wait_ms)
        fprintf(stderr, "; a wait of %u ms was refused", (unsigned)report->refused_wait_ms);
    fputc('\n', stderr);
    return report->verdict == REDIAL_DONE ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- the program ---- */

void curl_cli_init(struct curl_cli *cli)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    cli->policy = policy;
    cli->policy.max_elapsed_ms = 60000;
    cli->attempt_ms = 10000;
    cli->env = *redial_system();
    cli->env.cancelled = cancelled;
    cli->env.on_wait = on_wait;
    on_interrupt();
    signal(SIGPIPE, SIG_IGN);   /* CURLOPT_NOSIGNAL leaves that to us */
    curl_global_init(CURL_GLOBAL_DEFAULT);
}
