/* What curl_get and curl_put share as programs: a policy, Ctrl-C, what is printed. SPDX-License-Identifier: MIT */
#ifndef CURL_CLI_H
#define CURL_CLI_H

#include "redial.h"

struct curl_cli {
    struct redial_policy policy;
    struct redial_env env;      /* the system's, with Ctrl-C as `cancelled` and a line for each retry */
    uint32_t attempt_ms;        /* the longest attempt */
};

void curl_cli_init(struct curl_cli *cli);

/* Prints how it ended; the program's exit status. */
int curl_cli_status(const struct redial_report *report);

#endif
