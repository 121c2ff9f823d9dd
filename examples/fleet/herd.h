/* The parts of the program herd: options, run, table, picture. SPDX-License-Identifier: MIT */
#ifndef HERD_H
#define HERD_H

#include "herd_model.h"

#define HERD_ROWS 5     /* one for each jitter mode */

#define HERD_ALL_MODES UINT32_MAX

struct herd_task {
    struct herd_setup setup;    /* of every row, but for the jitter mode */
    uint32_t mode;              /* the only one to run; HERD_ALL_MODES: all of them */
    const char *svg;            /* NULL: no picture */
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

void herd_print_head(const struct herd_setup *setup);
void herd_print_row(const struct herd_row *row);

/* What no fleet can do better: who is not served by the first call needs a second one, and the last of them comes
   when the last window that it takes begins. */
void herd_print_floor(const struct herd_setup *setup);

/* False: the file could not be written; errno says why. */
bool herd_picture(const char *path, const struct herd_row rows[HERD_ROWS]);

#endif
