/* Implements input.h. SPDX-License-Identifier: MIT */
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"
#include "refuse.h"
#include "spool.h"

static off_t start = -1; /* -1: what was read can't be read again */

static bool is_file(void)
{
    struct stat about;
    return fstat(STDIN_FILENO, &about) == 0 && S_ISREG(about.st_mode);
}

/* The stored input becomes the standard input, so both kinds of files are set back in the same
   way. */
static void store(void)
{
    int file = spool_open();
    if (!spool_copy(STDIN_FILENO, file) || lseek(file, 0, SEEK_SET) != 0
        || dup2(file, STDIN_FILENO) < 0)
        fail("keep the input");
    close(file);
}

void input_begin(bool keep)
{
    if (keep && !is_file())
        store();
    if (is_file())
        start = lseek(STDIN_FILENO, 0, SEEK_CUR);
}

void input_set_back(void)
{
    if (start >= 0 && lseek(STDIN_FILENO, start, SEEK_SET) < 0)
        fail("set the input back");
}
