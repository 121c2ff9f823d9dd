/* A file that is being received: FILE.part is its beginning, and becomes FILE when it is whole.
   SPDX-License-Identifier: MIT

   FILE.part.version says of which version of the file, and of which URL, FILE.part is the
   beginning. Whenever the process is killed, FILE.part holds nothing of another version. (After a
   power failure it may: remove it then.) Where a function returns false, errno says the reason. */
#ifndef PART_H
#define PART_H

#include <stdbool.h>
#include <stddef.h>

#define PART_NAME_MAX 4000

struct part {
    const char *file, *url;
    int fd;
    long long size;
    char version[500];         /* an ETag or a date; "": unknown */
    char name[PART_NAME_MAX], version_name[PART_NAME_MAX];
};

/* Finds FILE.part, or makes an empty one. EBUSY: another process has it. */
bool part_open(struct part *part, const char *file, const char *url);

/* Empties it. What it will hold is of this version, or of an unknown one: "". */
bool part_begin(struct part *part, const char *version);

bool part_append(struct part *part, const char *data, size_t length);

/* It is whole, and becomes FILE. */
bool part_finish(struct part *part);

/* FILE.part stays for another process, if it holds anything. */
void part_close(struct part *part);

#endif
