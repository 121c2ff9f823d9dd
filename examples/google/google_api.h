/* One request to a Google API, and the calls that are made of it. SPDX-License-Identifier: MIT

   A call is one redial_run, so the policy limits all of its requests together. */
#ifndef GOOGLE_API_H
#define GOOGLE_API_H

#include <curl/curl.h>

#include "google_error.h"

struct google_api {
    struct redial_policy policy;    /* yours; max_elapsed_ms is not 0, because two calls poll */
    struct redial_env env;          /* yours; its `cancelled` ends a request, too */
    struct redial_report report;    /* of the last call */
    cJSON *answer;                  /* of the last request, an object; NULL: it failed */
    char message[256];              /* why it failed; "": it did not */

    /* Private. */
    CURL *curl;
    struct curl_slist *headers;
    const char *endpoint, *token;
    size_t length;
    char body[1 << 20];             /* an answer is some KB long; a longer one than this fails */
};

/* The token goes to this endpoint alone: redirects are not followed. NULL: it is open; close it.
   Otherwise a text that says what is wrong. */
const char *google_open(struct google_api *api, const char *endpoint, const char *token);
void google_close(struct google_api *api);

/* For an operation of redial_run. Sends a POST with this JSON, or a GET if body is NULL. The path
   begins with a slash. method is that of redial_curl_perform: "GET", REDIAL_IDEMPOTENT for a POST
   with a request id, or "POST", which may have been done after UNSURE. */
__attribute__((format(printf, 5, 6)))
struct redial_outcome google_send(struct google_api *api, uint32_t timeout_ms, const char *method,
                                  const char *body, const char *path, ...);

/* Fails for good, with a message of ours. */
struct redial_outcome google_fail(struct google_api *api, const char *message);

/* The calls. True: api->answer is the instance, the operation that has created it, or the report.
   With UNSURE in api->report, the query may have run, but its report was not found. Names are
   Google's: projects/P/locations/L/instances/I, and queries/Q for Bid Manager. */
bool memorystore_get(struct google_api *api, const char *instance);
bool memorystore_create(struct google_api *api, const char *instance);
bool bid_manager_run(struct google_api *api, const char *query);

#endif
