/* The common part of curl_get and curl_put: options, a policy, Ctrl-C, and the output.
   SPDX-License-Identifier: MIT */
#ifndef CURL_CLI_H
#define CURL_CLI_H

#include "curl_call.h"
#include "options.h"

struct curl_cli {
    struct redial_policy policy;
    struct redial_env env;      /* redial_system, with Ctrl-C as `cancelled` and a line for each wait */
    uint32_t mode, max_body;
    const char *url;
};

/* The options that both programs have. */
#define CURL_CLI_OPTIONS(cli) \
    { "url", "URL", "http or https", NULL, 0, 0, NULL, &(cli)->url }, \
    { "base", "TIME", "the first wait", &(cli)->policy.base_ms, 1, 32000, NULL, NULL }, \
    OPTION_JITTER(&(cli)->policy.jitter_ms), \
    OPTION_MODE(&(cli)->mode), \
    OPTION_RETRIES(&(cli)->policy.max_retries), \
    { "limit", "TIME", "attempts and waits; 0: no limit", &(cli)->policy.max_elapsed_ms, 0, UINT32_MAX, NULL, NULL }, \
    { "attempt", "TIME", "the timeout of one attempt", &(cli)->policy.attempt_ms, 1, INT32_MAX, NULL, NULL }, \
    { "max-body", "BYTES", "the longest body that is accepted", &(cli)->max_body, 0, INT32_MAX, NULL, NULL }

/* Call it before the options are read. */
void curl_cli_init(struct curl_cli *cli);

/* Exits if the options are not valid. */
void curl_cli_read(struct curl_cli *cli, int argc, char **argv, const char *about, const struct option *options);

/* Prints the verdict to stderr. Prints the body to stdout after a success, and the beginning of an error page to stderr
   after a failure. Returns the program's exit status. */
int curl_cli_finish(const struct redial_report *report, const struct curl_call *call);

#endif
