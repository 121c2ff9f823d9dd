/* One logical call to a Google API: several requests, one after the other, that share retries, polls and a time limit.
   SPDX-License-Identifier: MIT

   Each request is a step: a function that sends it, and sets `step` to the next one. If a request fails, only its own
   step is repeated: pages of a list that have come are not requested again. */
#ifndef GOOGLE_CALL_H
#define GOOGLE_CALL_H

#include <curl/curl.h>

#include "google_error.h"

struct google_call;
typedef struct redial_outcome google_step(struct google_call *call, const struct redial_attempt *attempt);

struct google_call {
    CURL *curl;
    struct curl_slist *headers;
    const char *endpoint, *token;

    /* Set by the steps. */
    google_step *step;
    void *task;               /* belongs to the steps */
    bool repeatable;          /* the server recognises a POST that comes twice, by a request id */
    bool at_once;             /* the next step follows in the same attempt; the outcome counts if no time is left */
    bool maybe_done;          /* a POST may have been done; a step that finds out sets it to false */

    /* Of the last request. */
    char method[8], url[4096];
    bool unclear;             /* it was a POST, and its answer does not say that it was refused */
    char *body;
    size_t length;
    cJSON *answer;            /* NULL: it failed */
    struct google_error error;
    unsigned requests;
};

/* NULL: a token may be sent to this URL, or this token can be sent. Else the rule that it breaks; the text does not
   contain the token. */
const char *google_endpoint_refused(const char *url);
const char *google_token_refused(const char *token);

/* The token is sent only to the endpoint: redirects are not followed. Endpoint and token are checked before, and must
   outlive the call. False: out of memory. Close the call in both cases. */
bool google_call_open(struct google_call *call, const char *endpoint, const char *token);
void google_call_close(struct google_call *call);

/* A redial_operation. */
struct redial_outcome google_call_attempt(void *call, const struct redial_attempt *attempt);

/* ---- for steps ---- */

/* Sends one request. body: JSON for a POST, or NULL for a GET. The path begins with a slash. Failures are retried as if
   the request could be repeated: where `unclear` is set, it is the step that must see to that. */
__attribute__((format(printf, 4, 5)))
struct redial_outcome google_call_send(struct google_call *call, const struct redial_attempt *attempt, const char *body,
                                       const char *path, ...);

/* True: the request succeeded, and call->answer is a JSON object. */
bool google_call_ok(struct redial_outcome outcome);

/* The request failed, but it decided what is sent next, without a wait. */
struct redial_outcome google_call_go_on(struct google_call *call, google_step *step);

/* For an answer that reports a final error: the call fails with this message. */
struct redial_outcome google_call_fail(struct google_call *call, struct redial_outcome outcome, const char *message);

#endif
