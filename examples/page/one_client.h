/* When the retries of one client can come, and when it gives up, if every attempt ends in the same
   way at once. SPDX-License-Identifier: MIT */
#ifndef ONE_CLIENT_H
#define ONE_CLIENT_H

#include <redial.h>

#define ONE_ROWS 12u /* the result has so many retries; the end is computed from all of them */
#define ONE_MOST 10000u         /* of more retries than this the rest is left out */
#define ONE_NEVER UINT32_MAX /* as the end: it does not give up, or not within ONE_MOST retries */

/* All times are in ms since the first failure. All members are 32-bit words, which the page reads
   one by one. */
struct one_ranges {
    uint32_t rows;                              /* the number of retries in row */
    uint32_t more;                              /* there are others after them */
    uint32_t verdict;                           /* how the earliest end comes about */
    uint32_t end_earliest_ms, end_latest_ms;
    struct one_row { uint32_t least_ms, most_ms, earliest_ms, latest_ms; } row[ONE_ROWS];
};

/* The policy is valid, without a budget and a gate. Its times, and the outcome's retry_after_ms,
   are a day at most. */
void one_ranges(struct one_ranges *ranges, const struct redial_policy *policy,
                struct redial_outcome outcome);

#endif
