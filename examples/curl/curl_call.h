/* One logical call with libcurl: its attempts, each as an outcome for redial. SPDX-License-Identifier: MIT */
#ifndef CURL_CALL_H
#define CURL_CALL_H

#include <curl/curl.h>

#include "redial.h"

struct curl_call {
    CURL *curl;                     /* yours to set up: the method, headers, where a body comes from */
    CURLM *multi;                   /* keeps the connection from one attempt to the next */
    const struct redial_env *env;   /* its `cancelled` ends a transfer, too */
    uint32_t attempt_ms;            /* 1..INT32_MAX: the longest that one attempt may take */
    char *body;                     /* what the last attempt received, no other; ends in a NUL */
    size_t length;
};

/* False: out of memory. To be closed in either case; after curl_global_init. */
bool curl_call_open(struct curl_call *call, const char *url, uint32_t attempt_ms, const struct redial_env *env);
void curl_call_close(struct curl_call *call);

/* One attempt. The outcome's code is the HTTP status or, below 100, a CURLcode. */
struct redial_outcome curl_call_attempt(struct curl_call *call, const struct redial_attempt *attempt);

#endif
