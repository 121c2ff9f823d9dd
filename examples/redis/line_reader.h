/* Lines of a file descriptor, for a program that waits with poll(). Only line_reader_fill reads.
   SPDX-License-Identifier: MIT */
#ifndef LINE_READER_H
#define LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

#define LINE_READER_MAX 65536   /* the longest line */

/* Initialise fd, and set all else to 0. */
struct line_reader {
    int fd;
    bool ended;                 /* the end of the file was read */
    size_t used;
    char buffer[LINE_READER_MAX];
};

/* The first complete line, without its end. The last line of a file needs no end. The same line is returned until it
   is dropped. NULL: there is none. */
const char *line_reader_first(const struct line_reader *reader, size_t *length);
void line_reader_drop(struct line_reader *reader);

/* Reads once, and blocks if there is nothing to read. False: the read failed, or the line is too long (EMSGSIZE); see
   errno. */
bool line_reader_fill(struct line_reader *reader);

#endif
