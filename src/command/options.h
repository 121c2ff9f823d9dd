/* Long options from a table: --name value or --name=value. SPDX-License-Identifier: MIT */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "redial.h"

struct option_word { const char *word; uint32_t value; };

struct option {
    const char *name;       /* without the dashes */
    const char *value;      /* its name in the help, such as N. NULL: a flag that sets number to 1.
                               TIME and SECONDS: a time as sleep(1) reads it, in ms or in seconds */
    const char *text;
    uint32_t *number;       /* the default, then the given value. NULL: any text is allowed */
    uint32_t least, most;   /* least > most: only words are allowed */
    const struct option_word *words;    /* allowed too; the last word is NULL. NULL: none */
    const char **string;    /* the value as it was given. NULL: it is not needed */
};

/* --help prints about and the table, and exits with 0. An option or value that is not allowed ends
   the program with status 2; one line on stderr names it and the rule. The table ends with a
   NULL name. Returns the index of the first other argument, which may be "--", or argc. */
int options_read(int argc, char **argv, const char *about, const struct option *options);

/* Prints such a line and exits with 2, for a rule that concerns more than one option. */
_Noreturn void options_refuse(const char *what, const char *rule);

/* A time as such an option would have it. */
struct option_time { char text[24]; } options_time(uint64_t ms);

/* Ends a program that has printed everything: with 0, or with 1 and a line if that failed. */
_Noreturn void options_printed(void);

#endif
