/* Times as sleep(1) reads them: seconds, or a number with a unit. SPDX-License-Identifier: MIT */
#ifndef TIMES_H
#define TIMES_H

#include <stdbool.h>
#include <stdint.h>

#define TIMES_UNITS "ms, s, m, h or d"

/* Rounds up, so that a short time does not become 0, which may mean "never". False: it is none. */
bool times_read(const char *text, uint64_t *ms);

/* The same time in the greatest unit that fits. */
struct time_text {
    char text[24];
};
struct time_text times_text(uint64_t ms);

/* For messages: in milliseconds, and above a minute in minutes or hours, to a tenth. */
struct time_text times_said(uint32_t ms);

#endif
