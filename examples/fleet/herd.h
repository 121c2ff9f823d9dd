/* The parts of the program herd: options, runs, tables. SPDX-License-Identifier: MIT */
#ifndef HERD_H
#define HERD_H

#include "herd_model.h"

#define HERD_ROWS 4     /* one for each jitter mode */

#define HERD_ALL_MODES UINT32_MAX

struct herd_task {
    struct herd_setup setup;    /* of every run, but for the jitter mode */
    uint32_t mode;              /* the only one to run; HERD_ALL_MODES: all of them */
    uint32_t seconds;           /* print columns for a plotting program in the place of the table */
};

struct herd_row {
    const char *name;
    enum redial_jitter jitter;
    bool run;                   /* the rest is valid */
    struct herd_setup setup;
    struct herd_result result;
};

/* Exits if the options are not valid. */
void herd_read(int argc, char **argv, struct herd_task *task);

/* Prints fleet, server, policy and the head of the table; a row of the table; the best that is
   possible. */
void herd_print_head(const struct herd_setup *setup);
void herd_print_row(const struct herd_row *row);
void herd_print_floor(const struct herd_setup *setup);

/* Prints what arrived and what was served in each second, for each row that has run. */
void herd_print_seconds(const struct herd_row rows[HERD_ROWS]);

#endif
