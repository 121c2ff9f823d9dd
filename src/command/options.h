/* Long options from a table: --name value or --name=value. SPDX-License-Identifier: MIT */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct option {
    const char *name; /* without the dashes */
    /* its name in the help: TIME for a time, N for a number, and others for any text. NULL: a flag
       that sets number to 1 */
    const char *value;
    const char *text;
    uint32_t *number; /* the default, then the given value, a time in milliseconds */
    uint32_t least, most;
    bool unlimited; /* the word "unlimited" is allowed, too: REDIAL_NO_LIMIT */
    const char **given; /* the value as it was given; NULL: nobody asks */
};

/* --help prints about and the table, and exits with 0. An option or value that is not allowed is
   refused. The table ends with a NULL name. Returns the index of the first other argument,
   which may be "--", or argc. */
int options_read(int argc, char **argv, const char *about, const struct option *options);

/* Ends a program that has printed everything: with 0, or with 1 and a line if that failed. */
_Noreturn void options_printed(void);

#endif
