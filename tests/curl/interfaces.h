/* An attempt by each interface of libcurl, for C and C++. SPDX-License-Identifier: MIT */
#ifndef INTERFACES_H
#define INTERFACES_H

#include <poll.h>

#include "redial_curl.h"

typedef CURLcode transfer_function(CURLM *multi, CURL *curl);
typedef struct redial_outcome attempt_function(CURLM *multi, CURL *curl, uint32_t timeout_ms,
                                               const char *method);

static inline CURLcode ended_transfer(CURLM *multi, CURL *curl)
{
    int left;
    CURLMsg *message = curl_multi_info_read(multi, &left);
    CURLcode result = message ? message->data.result : CURLE_FAILED_INIT;
    curl_multi_remove_handle(multi, curl);
    return result;
}

static inline CURLcode transfer_by_easy(CURLM *multi, CURL *curl)
{
    (void)multi;
    return curl_easy_perform(curl);
}

static inline CURLcode transfer_by_multi(CURLM *multi, CURL *curl)
{
    int running = 1;
    curl_multi_add_handle(multi, curl);
    while (curl_multi_perform(multi, &running) == CURLM_OK && running)
        curl_multi_wait(multi, NULL, 0, 1000, NULL);
    return ended_transfer(multi, curl);
}

/* What libcurl wants of an event loop. */
struct wanted {
    struct pollfd fds[8];
    int timeout_ms;
};

static inline int want_socket(CURL *curl, curl_socket_t fd, int what, void *user, void *unused)
{
    struct pollfd *fds = REDIAL_CURL_CAST_(struct wanted *, user)->fds;
    int i = 0;
    (void)curl;
    (void)unused;
    while (i < 7 && fds[i].fd != fd && fds[i].fd >= 0)
        i++;
    fds[i].fd = what == CURL_POLL_REMOVE ? -1 : fd;
    fds[i].events = REDIAL_CURL_CAST_(short, what == CURL_POLL_IN    ? POLLIN
                                             : what == CURL_POLL_OUT ? POLLOUT
                                                                     : POLLIN | POLLOUT);
    return 0;
}

static inline int want_timer(CURLM *multi, long timeout_ms, void *user)
{
    (void)multi;
    REDIAL_CURL_CAST_(struct wanted *, user)->timeout_ms = REDIAL_CURL_CAST_(int, timeout_ms);
    return 0;
}

static inline void set_hooks(CURLM *multi, struct wanted *wanted, curl_socket_callback socket,
                        curl_multi_timer_callback timer)
{
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, wanted);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, wanted);
}

static inline CURLcode transfer_by_sockets(CURLM *multi, CURL *curl)
{
    struct wanted wanted;
    CURLcode result;
    int running = 1, i;
    for (i = 0; i < 8; i++)
        wanted.fds[i].fd = -1;
    wanted.timeout_ms = -1;
    set_hooks(multi, &wanted, want_socket, want_timer);
    curl_multi_add_handle(multi, curl);
    while (running) {
        if (poll(wanted.fds, 8, wanted.timeout_ms) == 0)
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
        for (i = 0; i < 8; i++)
            if (wanted.fds[i].fd >= 0 && wanted.fds[i].revents)
                curl_multi_socket_action(multi, wanted.fds[i].fd, 0, &running);
    }
    result = ended_transfer(multi, curl);
    set_hooks(multi, REDIAL_CURL_NULL_, REDIAL_CURL_NULL_, REDIAL_CURL_NULL_);
    return result;
}

static inline struct redial_outcome attempt_by(transfer_function *transfer, CURLM *multi,
                                               CURL *curl, uint32_t timeout_ms, const char *method)
{
    struct redial_curl_attempt attempt;
    CURLcode result = CURLE_FAILED_INIT;
    if (redial_curl_begin(&attempt, curl, timeout_ms, method))
        result = transfer(multi, curl);
    return redial_curl_end(&attempt, result);
}

static inline struct redial_outcome attempt_by_multi(CURLM *multi, CURL *curl, uint32_t timeout_ms,
                                                     const char *method)
{
    return attempt_by(transfer_by_multi, multi, curl, timeout_ms, method);
}

static inline struct redial_outcome attempt_by_sockets(CURLM *multi, CURL *curl,
                                                       uint32_t timeout_ms, const char *method)
{
    return attempt_by(transfer_by_sockets, multi, curl, timeout_ms, method);
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
attempt_function attempt_by_easy_in_cpp;
#ifdef __cplusplus
}
#endif

static attempt_function *const interfaces[] = {
    attempt_by_easy, attempt_by_multi, attempt_by_sockets,
#ifdef WITH_CPP
    attempt_by_easy_in_cpp,
#endif
};

#endif
