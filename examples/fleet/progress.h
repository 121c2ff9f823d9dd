/* A line of progress on a terminal's stderr, once a program has taken a second. SPDX-License-Identifier: MIT */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    uint32_t begun_ms, shown_ms;
    bool terminal, shown;
};

struct progress progress_begin(void);

/* Is it time for another line? */
bool progress_due(struct progress *progress);

/* Shows a line, which replaces the one before. At most 70 letters. */
void progress_show(struct progress *progress, const char *line);

/* Removes the line. Call it before anything else is printed. */
void progress_wipe(struct progress *progress);

#endif
