/* Has all that a program printed arrived? A full disk and a closed stdout are failures. main begins
   with stdout_begin(), and returns stdout_end("name", status). SPDX-License-Identifier: MIT */
#ifndef STDOUT_H
#define STDOUT_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef _WIN32
/* Before anything is opened. If stdin, stdout or stderr is closed, the next socket would get its
   number, and a server would get what is printed. Here something gets it that can't be used: stdin
   for writing, and the others for reading. */
static inline void stdout_begin(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}
#endif

/* At the end. Returns status, or says what is wrong and returns EXIT_FAILURE. */
static inline int stdout_end(const char *name, int status)
{
    bool failed = ferror(stdout) != 0;
    if (fclose(stdout) == 0 && !failed)
        return status;
    fprintf(stderr, "%s: can't write to standard output\n", name);
    return EXIT_FAILURE;
}

#endif
