/* uv_curl for its test. The environment may have one of these. SPDX-License-Identifier: MIT

   EARLY    the timer of a retry fires after half of its time
   PAUSE    the first transfer pauses for ever when its body comes */
#include <curl/curl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <uv.h>

static void go(uv_timer_t *of_get);
static size_t take(char *data, size_t size, size_t count, void *user);

static size_t pause_transfer(char *data, size_t size, size_t count, void *user)
{
    (void)data, (void)size, (void)count, (void)user;
    return CURL_WRITEFUNC_PAUSE;
}

static CURLMcode odd_add_handle(CURLM *multi, CURL *curl)
{
    static unsigned added;
    bool first = getenv("PAUSE") && added++ == 0;
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, first ? pause_transfer : take);
    return curl_multi_add_handle(multi, curl);
}

static int odd_timer_start(uv_timer_t *timer, uv_timer_cb callback, uint64_t ms, uint64_t repeat)
{
    return uv_timer_start(timer, callback, callback == go && getenv("EARLY") ? ms / 2 : ms, repeat);
}

static void odd_cleanup(CURL *curl);

#define curl_multi_add_handle odd_add_handle
#define uv_timer_start odd_timer_start
#define curl_easy_cleanup odd_cleanup
#include "../../examples/loops/uv_curl.c"
#undef curl_easy_cleanup

/* Is what was given up ended, too? */
static void odd_cleanup(CURL *curl)
{
    struct get *get = NULL;
    curl_easy_getinfo(curl, CURLINFO_PRIVATE, (char **)&get);
    if (get->sent)
        puts("an attempt was not ended");
    curl_easy_cleanup(curl);
}
