/* Files without a name, for what redial keeps. SPDX-License-Identifier: MIT */
#ifndef SPOOL_H
#define SPOOL_H

#include <stdbool.h>

/* A file in TMPDIR that only this descriptor, which is not a standard one, refers to. */
int spool_open(void);

/* The same descriptor under a number above those of the standard ones. A child does not get it. */
int spool_lift(int fd);

bool spool_write(int fd, const char *bytes, size_t count);

/* Copies all that is left to read. */
bool spool_copy(int from, int to);

#endif
