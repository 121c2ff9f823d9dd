/* curl_many for its test: after the second retry it is a minute later, and Ctrl-C comes just before
   a long wait. SPDX-License-Identifier: MIT */
#include <signal.h>

#include "unended.h"

static struct redial_step odd_ready(struct redial_call *call, uint32_t now_ms)
{
    return redial_ready(call, now_ms + (redial_retries(call) == 2 ? 60000 : 0));
}

static CURLMcode odd_poll(CURLM *multi, struct curl_waitfd *fds, unsigned count, int ms, int *ready)
{
    if (ms > 20000 && ms < 60000)
        raise(SIGINT);
    return curl_multi_poll(multi, fds, count, ms, ready);
}

#define redial_ready odd_ready
#define curl_multi_poll odd_poll
#include "../../examples/curl/curl_many.c"
