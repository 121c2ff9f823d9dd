/* Is a request that a Google API refused worth a retry? SPDX-License-Identifier: MIT */
#ifndef GOOGLE_ERROR_H
#define GOOGLE_ERROR_H

#include <cjson/cJSON.h>

#include "redial.h"

/* Corrects an outcome of redial_http by the JSON of the answer. Any JSON is accepted, and NULL. */
struct redial_outcome google_error_judge(const cJSON *answer, struct redial_outcome outcome);

/* The text at a path such as "error/message", where the first of a list counts. "": none. */
const char *google_text(const cJSON *json, const char *path);

#endif
