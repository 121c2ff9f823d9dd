/* Reads the JSON body of a failed request to a Google API, and decides whether the request is worth a retry.
   SPDX-License-Identifier: MIT */
#ifndef GOOGLE_ERROR_H
#define GOOGLE_ERROR_H

#include <cjson/cJSON.h>

#include "redial.h"

/* Members that the body lacks are "" or 0. No text has control characters. */
struct google_error {
    char status[40];            /* "RESOURCE_EXHAUSTED" */
    char reason[64];            /* "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED" */
    char limit[96];             /* the quota that is used up: "ReadRequestsPerMinutePerProject" */
    char message[256];          /* for people */
    bool daily;                 /* the quota of a day is used up */
    uint32_t retry_after_ms;    /* RetryInfo: the wait that the server asks for */
};

/* Accepts any answer: one that is no error sets nothing. NULL: the body was not JSON. */
void google_error_read(struct google_error *error, const cJSON *answer);

/* The same for the `error` of an operation, a google.rpc.Status. NULL is allowed. */
void google_error_of(struct google_error *error, const cJSON *status);

/* Sets a message of our own. */
void google_error_say(struct google_error *error, const char *message);

/* Takes an outcome of redial_http. The reason decides if the HTTP status is not enough. */
struct redial_outcome google_error_judge(const struct google_error *error, struct redial_outcome outcome);

/* The value of a member that is a string; "" if there is none. NULL counts as an object without members. */
const char *google_text(const cJSON *object, const char *name);

#endif
