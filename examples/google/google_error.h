/* Reads the JSON body of a failed request to a Google API, and decides whether the request is worth
   a retry. SPDX-License-Identifier: MIT */
#ifndef GOOGLE_ERROR_H
#define GOOGLE_ERROR_H

#include <cjson/cJSON.h>

#include "redial.h"

struct google_error {
    char message[256];          /* for people; "": the body has none */
    bool quota;                 /* it says that a quota is used up */
    bool daily;                 /* that of a day */
    uint32_t retry_after_ms;    /* RetryInfo: the wait that the server asks for; 0: none */
};

/* The member "error" of an answer, or of an operation. NULL: it has none, or null. */
const cJSON *google_error_in(const cJSON *answer);

/* Accepts anything: what is no error sets nothing. */
void google_error_read(struct google_error *error, const cJSON *json);

/* An error with a message of our own. */
void google_error_say(struct google_error *error, const char *message);

/* Takes the outcome by the status. The body decides where the status is not enough. */
struct redial_outcome google_error_judge(const struct google_error *error,
                                         struct redial_outcome outcome);

/* The value of a member that is a string; "" if there is none. NULL counts as an object without
   members. */
const char *google_text(const cJSON *object, const char *name);

#endif
