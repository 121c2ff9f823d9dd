/* A span of time as text for people. SPDX-License-Identifier: MIT */
#ifndef OUTBOX_SPAN_H
#define OUTBOX_SPAN_H

#include <stdint.h>

#define SPAN_SIZE 32

/* "250 ms", "12 s", "4 m 10 s", "2 h 5 m", "3 d 4 h": at most two units, rounded down. Returns text. */
const char *span_text(char text[SPAN_SIZE], int64_t ms);

#endif
