/* Reads the JSON body of a failed request to a Google API, and decides whether the request is worth a retry.
   SPDX-License-Identifier: MIT */
#ifndef GOOGLE_ERROR_H
#define GOOGLE_ERROR_H

#include <cjson/cJSON.h>

#include "redial.h"

/* Members that the body lacks are "" or 0. */
struct google_error {
    char status[40];            /* "RESOURCE_EXHAUSTED" */
    char reason[64];            /* "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED" */
    char limit[96];             /* the quota that is used up: "ReadRequestsPerMinutePerProject" */
    char message[256];          /* for people */
    bool daily;                 /* the quota of a day is used up */
    uint32_t retry_after_ms;    /* RetryInfo: the wait that the server asks for */
};

/* The member "error" of an answer, or of an operation. NULL: it has none, or null. */
const cJSON *google_error_in(const cJSON *answer);

/* Accepts anything: what is no error sets nothing. */
void google_error_read(struct google_error *error, const cJSON *json);

/* Sets a message of our own. */
void google_error_say(struct google_error *error, const char *message);

/* Takes the outcome of an answer. The reason decides if the HTTP status is not enough. */
struct redial_outcome google_error_judge(const struct google_error *error, struct redial_outcome outcome);

/* The value of a member that is a string; "" if there is none. NULL counts as an object without members. */
const char *google_text(const cJSON *object, const char *name);

#endif
