/* Helpers of the programs of this folder: clocks, and the median of several runs. SPDX-License-Identifier: MIT */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double ns_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The CPU time of this process, which other processes on the machine affect less. */
static inline double cpu_ns(void)
{
    return ns_of(CLOCK_PROCESS_CPUTIME_ID);
}

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct spread {
    double least, median, most;
};

/* Sorts the values. */
static inline struct spread spread_of(double *values, size_t count)
{
    struct spread spread;
    qsort(values, count, sizeof *values, by_size);
    spread.least = values[0];
    spread.median = (values[(count - 1) / 2] + values[count / 2]) / 2;
    spread.most = values[count - 1];
    return spread;
}

#endif
