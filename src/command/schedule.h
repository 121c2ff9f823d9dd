/* When the retries of a policy come, for --explain of the command and for examples/fleet. SPDX-License-Identifier: MIT */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdio.h>

#include "redial.h"
#include "show.h"

#define SCHEDULE_ROWS 12u    /* so many waits are shown */

struct schedule {
    const struct redial_policy *policy;
    bool fine;                  /* milliseconds are worth printing */
    uint32_t rows;
    uint64_t end_ms;            /* of the time axis */
    struct schedule_wait {
        uint32_t least_ms, most_ms;
        uint64_t certain_ms;    /* from here on it certainly runs, until earliest_ms */
        uint64_t earliest_ms, latest_ms;    /* when its retry comes, after the first failure */
    } waits[SCHEDULE_ROWS];
};

/* policy has to stay as it is and where it is. */
void schedule_work_out(struct schedule *schedule, const struct redial_policy *policy);

/* In seconds. */
struct shown schedule_seconds(const struct schedule *schedule, uint64_t ms);

/* Prints when the call gives up, in one line. */
void schedule_summary(const struct schedule *schedule, char *out, size_t size);

/* Prints a table with a bar for each wait, and the summary. */
void schedule_print(FILE *file, const struct schedule *schedule);

#endif
