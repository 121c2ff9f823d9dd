/* GET with libcurl. It is retried after 429, 5xx, and if the connection is refused, reset, cut off, or timed out.
   SPDX-License-Identifier: MIT

       curl_get --url http://127.0.0.1:8080/thing        # the body to stdout, all else to stderr; --help

   Ctrl-C ends it, during a wait and during a transfer. Copy curl_call.c: it decides which CURLcode is worth a retry,
   reads Retry-After, limits the time and the body, and can cancel a transfer. */
#include <stdio.h>
#include <stdlib.h>

#include "curl_cli.h"

static int run(const struct curl_cli *cli)
{
    struct redial_report report;
    struct curl_call call;
    int status = EXIT_FAILURE;
    if (curl_call_open(&call, cli->url, cli->max_body)) {
        curl_easy_setopt(call.curl, CURLOPT_FOLLOWLOCATION, 1L);
        curl_easy_setopt(call.curl, CURLOPT_MAXREDIRS, 5L);
        redial_run(&cli->policy, &cli->env, curl_call_attempt, &call, &report);
        status = curl_cli_finish(&report, &call);
    }
    curl_call_close(&call);
    return status;
}

int main(int argc, char **argv)
{
    struct curl_cli cli;
    const struct option options[] = { CURL_CLI_OPTIONS(&cli), { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL } };
    curl_cli_init(&cli);
    curl_cli_read(&cli, argc, argv, "GET with libcurl, retried.", options);
    return run(&cli);
}
