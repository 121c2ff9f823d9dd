/* A span of time as text for people. SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>

#include "span.h"

static const char *two(char text[SPAN_SIZE], int64_t count, int64_t in_one, const char *large, const char *small)
{
    if (count % in_one)
        snprintf(text, SPAN_SIZE, "%" PRId64 " %s %" PRId64 " %s", count / in_one, large, count % in_one, small);
    else
        snprintf(text, SPAN_SIZE, "%" PRId64 " %s", count / in_one, large);
    return text;
}

const char *span_text(char text[SPAN_SIZE], int64_t ms)
{
    int64_t s = ms / 1000;
    if (ms < 1000) {
        snprintf(text, SPAN_SIZE, "%" PRId64 " ms", ms > 0 ? ms : 0);
        return text;
    }
    if (s < 60) {
        snprintf(text, SPAN_SIZE, "%" PRId64 " s", s);
        return text;
    }
    if (s < 3600)
        return two(text, s, 60, "m", "s");
    return s < 86400 ? two(text, s / 60, 60, "h", "m") : two(text, s / 3600, 24, "d", "h");
}
