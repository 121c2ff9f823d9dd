/* An attempt by the easy and by the multi interface, for C and C++. SPDX-License-Identifier: MIT */
#ifndef WAYS_H
#define WAYS_H

#include "redial_curl.h"

typedef struct redial_outcome attempt_way(CURLM *multi, CURL *curl, uint32_t timeout_ms,
                                          const char *method);

static inline CURLcode transfer_by_multi(CURLM *multi, CURL *curl)
{
    CURLcode result = CURLE_FAILED_INIT;
    CURLMsg *message;
    int running = 1, left;
    curl_multi_add_handle(multi, curl);
    while (curl_multi_perform(multi, &running) == CURLM_OK && running)
        curl_multi_wait(multi, NULL, 0, 1000, NULL);
    message = curl_multi_info_read(multi, &left);
    if (message)
        result = message->data.result;
    curl_multi_remove_handle(multi, curl);
    return result;
}

static inline struct redial_outcome attempt_by_multi(CURLM *multi, CURL *curl, uint32_t timeout_ms,
                                                     const char *method)
{
    struct redial_curl_attempt attempt;
    CURLcode result = CURLE_FAILED_INIT;
    if (redial_curl_begin(&attempt, curl, timeout_ms, method))
        result = transfer_by_multi(multi, curl);
    return redial_curl_end(&attempt, result);
}

static inline struct redial_outcome attempt_by_easy(CURLM *multi, CURL *curl, uint32_t timeout_ms,
                                                    const char *method)
{
    (void)multi;
    return redial_curl_perform(curl, timeout_ms, method);
}

/* The same, compiled as C++. */
#ifdef __cplusplus
extern "C" {
#endif
attempt_way attempt_by_multi_in_cpp, attempt_by_easy_in_cpp;
#ifdef __cplusplus
}
#endif

#endif
