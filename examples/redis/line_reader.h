/* Lines of a file descriptor, for a program that waits with poll(): nothing is read but by line_reader_fill.
   SPDX-License-Identifier: MIT */
#ifndef LINE_READER_H
#define LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

#define LINE_READER_MAX 65536   /* the longest line */

/* Initialise fd, and set all else to 0. */
struct line_reader {
    int fd;
    bool ended;                 /* there is nothing more to read */
    size_t used;
    char buffer[LINE_READER_MAX];
};

/* The first line that is there as a whole, without its end; the last line needs none. It stays the first until it is
   dropped. NULL: there is none. */
const char *line_reader_first(const struct line_reader *reader, size_t *length);
void line_reader_drop(struct line_reader *reader);

/* Reads once, and blocks where there is nothing to read. False: the read failed, or the line is too long (EMSGSIZE);
   errno says which. */
bool line_reader_fill(struct line_reader *reader);

#endif
