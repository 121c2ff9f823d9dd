/* The parts of the program herd: options, run, tables, picture. SPDX-License-Identifier: MIT */
#ifndef HERD_H
#define HERD_H

#include "herd_model.h"

#define HERD_ROWS 5     /* one for each jitter mode */

#define HERD_ALL_MODES UINT32_MAX

enum herd_table { HERD_MODES, HERD_ANSWERS, HERD_GATES };

struct herd_task {
    struct herd_setup setup;    /* of every run, but for what the table varies */
    enum herd_table table;
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

/* Calls herd_run, shows progress that begins with the name, and ends it after Ctrl-C. False: there was no memory, and
   it printed that. */
bool herd_show_run(const char *name, const struct herd_setup *setup, struct herd_result *result);
bool herd_interrupted(void);

/* Prints the table of the jitter modes. */
void herd_print_head(const struct herd_setup *setup);
void herd_print_row(const struct herd_row *row);
void herd_print_floor(const struct herd_setup *setup);

/* Prints a table of two dimensions: answers and jitter modes, or answers and gates. False: no memory. */
bool herd_grid(const struct herd_task *task);

/* Prints the fleet, the server and the policy, above each table. */
void herd_print_setup(const struct herd_task *task);

/* False: the file could not be written; errno says why. */
bool herd_picture(const char *path, const struct herd_row rows[HERD_ROWS]);

#endif
