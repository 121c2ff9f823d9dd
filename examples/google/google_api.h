/* A connection to a Google API, and one request through it. SPDX-License-Identifier: MIT

   A logical call may need several requests. Each of them, or all polls of the same thing, is one
   redial_run, which google_run starts with what is left of the time limit. */
#ifndef GOOGLE_API_H
#define GOOGLE_API_H

#include <curl/curl.h>

#include "google_error.h"

struct google_api {
    struct redial_policy policy;    /* yours; max_elapsed_ms limits all runs together */
    struct redial_env env;          /* yours */
    cJSON *answer;                  /* of the last request; NULL: it failed */
    struct google_error error;      /* of the last request */
    struct redial_report report;    /* of the last run */
    unsigned requests;              /* so far */

    /* Private. */
    CURL *curl;
    struct curl_slist *headers;
    const char *endpoint, *token;
    char *body;
    size_t length;
    uint32_t began_ms;
    bool whole;
};

/* The token goes to this endpoint alone: redirects are not followed. NULL: the connection is open.
   Otherwise a text that says what is wrong. Close it in both cases. */
const char *google_open(struct google_api *api, const char *endpoint, const char *token);
void google_close(struct google_api *api);

/* redial_run with what is left of the limit. True: the verdict is DONE. */
bool google_run(struct google_api *api, redial_operation *operation, void *user);

/* Sends one request: a POST with this JSON, or a GET if body is NULL. The path begins with a slash.
   Failures are judged as those of a request that is safe to repeat. Where that is not so, the
   operation must find out what happened before it sends the request again. */
__attribute__((format(printf, 4, 5)))
struct redial_outcome google_send(struct google_api *api, const struct redial_attempt *attempt,
                                  const char *body, const char *path, ...);

/* The request succeeded, and api->answer is a JSON object. */
bool google_ok(struct redial_outcome outcome);

/* The call fails for good, with a message of ours. */
struct redial_outcome google_fail(struct google_api *api, const char *message);

/* The name of a project or the like may be part of a path. */
bool google_is_name(const char *name);

/* Prints why the last run ended. */
void google_print_end(FILE *to, const struct google_api *api);

#endif
