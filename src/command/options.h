/* The command line of redial. SPDX-License-Identifier: MIT */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "redial.h"

struct options {
    struct redial_policy policy;
    bool retried[256]; /* is this exit status worth another attempt? */
    uint32_t kill_ms; /* from SIGTERM to SIGKILL; 0: never */
    uint32_t group, keep_input, hold_output, quiet, explain;
    char **program; /* and its arguments; NULL ends them */
};

/* Exits after --help and --version, and if the command line is not valid. */
void options_read(struct options *options, int argc, char **argv);

#endif
