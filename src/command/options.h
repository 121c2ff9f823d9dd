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
int options_read_first(int argc, char **argv, const char *about, const struct option *options);

/* Prints such a line and exits with 2, for a rule that concerns more than one option. */
_Noreturn void options_refuse(const char *what, const char *rule);

/* A time as such an option would have it. */
struct option_time { char text[24]; } options_time(uint64_t ms);

/* Ends a program that has printed everything: with 0, or with 1 and a line if that failed. */
_Noreturn void options_printed(void);

/* ---- for the examples, until they read their options themselves ---- */

/* The same for a program that has no other arguments. */
void options_read(int argc, char **argv, const char *about, const struct option *options);

/* Rows of the table that several programs share. */
#define OPTION_JITTER(number) \
    { "jitter", "TIME", "the random part of a wait", number, 1, REDIAL_JITTER_MAX_MS, NULL, NULL }
#define OPTION_MODE(number) \
    { "mode", "MODE", "jitter mode: added, wide, full or none", number, 1, 0, \
      options_modes, NULL }
#define OPTION_RETRIES(number) \
    { "retries", "N", "attempts after the first", number, 0, UINT32_MAX - 1, \
      options_unlimited, NULL }

/* Their words. */
#define OPTION_MODES \
    { "added", REDIAL_JITTER_ADDED }, { "wide", REDIAL_JITTER_WIDE }, \
    { "full", REDIAL_JITTER_FULL }, { "none", REDIAL_JITTER_NONE }
extern const struct option_word options_modes[];       /* OPTION_MODES, and the NULL */
extern const struct option_word options_unlimited[];   /* "unlimited": REDIAL_NO_LIMIT */

/* Sets the jitter mode. Call it after the options are read: it refuses a policy that is wrong. */
void options_set_mode(struct redial_policy *policy, uint32_t mode);

#endif
