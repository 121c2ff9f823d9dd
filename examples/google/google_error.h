/* What the JSON body of a failed request to a Google API says, and whether the request is worth a retry.
   SPDX-License-Identifier: MIT */
#ifndef GOOGLE_ERROR_H
#define GOOGLE_ERROR_H

#include <cjson/cJSON.h>

#include "redial.h"

/* What the body does not say is "" or 0. Nothing in here can disturb a terminal. */
struct google_error {
    char status[40];            /* "RESOURCE_EXHAUSTED" */
    char reason[64];            /* "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED" */
    char limit[96];             /* the quota that is used up: "ReadRequestsPerMinutePerProject" */
    char message[256];          /* for a person */
    uint32_t retry_after_ms;    /* RetryInfo: the wait that the server asks for */
};

/* Any body will do: what is no JSON says nothing. */
void google_error_read(struct google_error *error, const char *body);

/* The same for the `error` of an operation, whose shape is google.rpc.Status. NULL is allowed. */
void google_error_of(struct google_error *error, const cJSON *status);

/* For a message of our own. */
void google_error_say(struct google_error *error, const char *message);

/* An outcome of redial_http: decides by the reason where the HTTP status is not enough. */
struct redial_outcome google_error_judge(const struct google_error *error, struct redial_outcome outcome);

/* A member that is a string; "" if it is not there. NULL is an object without members. */
const char *google_text(const cJSON *object, const char *name);

#endif
