/* One logical call to a Google API: several requests, one after the other, that share retries, polls and a time limit.
   SPDX-License-Identifier: MIT

   Each request is a step: a function that sends it, and sets `step` to the next one. If a request fails, only its own
   step is repeated: pages of a list that have come are not requested again. */
#ifndef GOOGLE_CALL_H
#define GOOGLE_CALL_H

#include "../curl/curl_call.h"
#include "google_error.h"

struct google_call;
typedef struct redial_outcome google_step(struct google_call *call, const struct redial_attempt *attempt);

struct google_call {
    struct curl_call http;
    struct curl_slist *headers;
    const char *endpoint, *token;

    /* Set by the steps. */
    google_step *step;
    void *task;               /* belongs to the steps */
    bool at_once;             /* the next step follows without a wait, in the same attempt */
    bool maybe_done;          /* a POST got no clear answer: the server may have done it */

    /* Of the last request. */
    char method[8], url[4096];
    cJSON *answer;            /* NULL: it failed */
    struct google_error error;
    unsigned requests;
};

/* The token is sent only to the endpoint: redirects are not followed. google_endpoint.h checks endpoint and token. Both
   must outlive the call. False: out of memory. Close the call in both cases. */
bool google_call_open(struct google_call *call, const char *endpoint, const char *token);
void google_call_close(struct google_call *call);

/* A redial_operation. */
struct redial_outcome google_call_attempt(void *call, const struct redial_attempt *attempt);

/* ---- for steps ---- */

/* Sends one request. body: JSON for a POST, or NULL for a GET. The path begins with a slash. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
struct redial_outcome google_call_send(struct google_call *call, const struct redial_attempt *attempt, const char *body,
                                       const char *path, ...);

/* True: the request succeeded, and call->answer is a JSON object. */
bool google_call_ok(struct redial_outcome outcome);

/* True: the server may have done a POST that failed. */
bool google_call_unclear(struct redial_outcome outcome);

/* For an answer that reports a final error: the call fails with this message. */
struct redial_outcome google_call_fail(struct google_call *call, struct redial_outcome outcome, const char *message);

#endif
