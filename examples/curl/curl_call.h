/* One logical call with libcurl: its attempts, each as an outcome for redial. SPDX-License-Identifier: MIT */
#ifndef CURL_CALL_H
#define CURL_CALL_H

#include <curl/curl.h>

#include "redial.h"

struct curl_call {
    CURL *curl;             /* you set the method, the headers, and the source of a body */
    CURLM *multi;           /* keeps the connection between attempts */
    char *body;             /* of the last attempt; a zero follows it */
    size_t length;
    size_t max_length;      /* a longer body fails, and is not retried */
    bool header_ended;      /* of the last attempt */
};

/* False: out of memory. Call it after curl_global_init. In both cases, close the call afterwards. */
bool curl_call_open(struct curl_call *call, const char *url, size_t max_length);
void curl_call_close(struct curl_call *call);

/* A redial_operation: one attempt, within attempt->timeout_ms, which is at most INT32_MAX. attempt->env->cancelled
   ends it, too. The outcome's code is the HTTP status or, below 100, a CURLcode. */
struct redial_outcome curl_call_attempt(void *call, const struct redial_attempt *attempt);

/* Does this CURLcode mean that no part of the request was sent, or that it was cancelled? */
bool curl_call_unsent(int code);

#endif
