/* Long options by a table, strictly: --name value or --name=value. SPDX-License-Identifier: MIT */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdint.h>

struct option_word { const char *word; uint32_t value; };

struct option {
    const char *name;               /* without the dashes */
    const char *value;              /* what stands for it in the help: MS, N */
    const char *text;
    uint32_t *number;               /* holds the default, then what was given; NULL: string is set instead */
    uint32_t least, most;           /* least > most: only words are allowed */
    const struct option_word *words;    /* allowed beside the numbers, ended by a NULL; NULL: none */
    const char **string;
};

/* --help prints about and the table, and exits with 0. What is not allowed gets one line on stderr that
   names it and the rule, and exits with 2. The table ends with a NULL name. */
void options_read(int argc, char **argv, const char *about, const struct option *options);

/* The same one line and exit for a rule that takes more than one option. */
_Noreturn void options_refuse(const char *what, const char *rule);

#endif
