/* uv_curl for its test: the timer of a retry fires after half of its time. If the environment has
   PAUSE, the first transfer pauses for ever when its body comes. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <uv.h>

#include "unended.h"

static void go(uv_timer_t *of_get);
static size_t take(char *data, size_t size, size_t count, void *user);

static int odd_timer_start(uv_timer_t *timer, uv_timer_cb callback, uint64_t ms, uint64_t repeat)
{
    return uv_timer_start(timer, callback, callback == go ? ms / 2 : ms, repeat);
}

static size_t pause_transfer(char *data, size_t size, size_t count, void *user)
{
    (void)data, (void)size, (void)count, (void)user;
    return CURL_WRITEFUNC_PAUSE;
}

static CURLMcode odd_add_handle(CURLM *multi, CURL *curl)
{
    static unsigned added;
    bool pauses = getenv("PAUSE") && added++ == 0;
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, pauses ? pause_transfer : take);
    return curl_multi_add_handle(multi, curl);
}

#define curl_multi_add_handle odd_add_handle
#define uv_timer_start odd_timer_start
#include "../../examples/loops/uv_curl.c"
