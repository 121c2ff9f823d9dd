/* GET with libcurl, retried: after 429, 5xx, refused, reset, timed out, cut in the middle of the body.
   SPDX-License-Identifier: MIT

       curl_get --url http://127.0.0.1:8080/thing        # the body to stdout, all else to stderr; --help

   Ctrl-C ends it, in a wait as in a transfer. What there is to lift is in curl_call.c: which CURLcode is worth a
   retry and why, Retry-After, time limits, a transfer that can be cancelled. */
#include <stdio.h>
#include <stdlib.h>

#include "curl_call.h"
#include "curl_cli.h"
#include "../common/options.h"

static struct redial_outcome get(void *user, const struct redial_attempt *attempt)
{
    return curl_call_attempt(user, attempt);
}

static int run(const struct curl_cli *cli, const char *url)
{
    struct redial_report report;
    struct curl_call call;
    int status = EXIT_FAILURE;
    if (curl_call_open(&call, url, cli->attempt_ms, &cli->env)) {
        curl_easy_setopt(call.curl, CURLOPT_FOLLOWLOCATION, 1L);
        curl_easy_setopt(call.curl, CURLOPT_MAXREDIRS, 5L);
        redial_run(&cli->policy, &cli->env, get, &call, &report);
        status = curl_cli_status(&report);
        fwrite(call.body, 1, call.length, report.verdict == REDIAL_DONE ? stdout : stderr);
    }
    curl_call_close(&call);
    return fflush(stdout) == 0 ? status : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct curl_cli cli;
    const char *url = NULL;
    const struct option options[] = {
        { "url", "URL", "what to get, http or https", NULL, 0, 0, NULL, &url },
        { "base", "MS", "the first wait", &cli.policy.base_ms, 1, 32000, NULL, NULL },
        { "jitter", "MS", "the random part of a wait", &cli.policy.jitter_ms, 0, REDIAL_JITTER_MAX_MS, NULL, NULL },
        { "retries", "N", "after the first attempt", &cli.policy.max_retries, 0, UINT32_MAX, NULL, NULL },
        { "limit", "MS", "all attempts and waits; 0: none", &cli.policy.max_elapsed_ms, 0, UINT32_MAX, NULL, NULL },
        { "attempt", "MS", "one attempt", &cli.attempt_ms, 1, INT32_MAX, NULL, NULL },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL },
    };
    curl_cli_init(&cli);
    options_read(argc, argv, "GET with libcurl, retried.", options);
    if (!url)
        options_refuse("--url", "must be given");
    return run(&cli, url);
}
