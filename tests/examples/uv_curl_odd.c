/* uv_curl for its test: the timer of a retry fires after half of its time.
   SPDX-License-Identifier: MIT */
#include <uv.h>

#include "unended.h"

static void go(uv_timer_t *of_get);

static int odd_timer_start(uv_timer_t *timer, uv_timer_cb callback, uint64_t ms, uint64_t repeat)
{
    return uv_timer_start(timer, callback, callback == go ? ms / 2 : ms, repeat);
}

#define uv_timer_start odd_timer_start
#include "../../examples/loops/uv_curl.c"
