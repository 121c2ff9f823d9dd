/* Implements input.h. SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"
#include "refuse.h"
#include "spool.h"

#ifndef INPUT_NAME
#define INPUT_NAME "/proc/self/fd/0" /* on Linux, this opens the file anew */
#endif

static off_t start = -1; /* -1: what was read can't be read again */
static int first; /* what the standard input is at first; an attempt may get another file */
static bool stored;

static bool is_file(void)
{
    struct stat about;
    return fstat(STDIN_FILENO, &about) == 0 && S_ISREG(about.st_mode);
}

static int copy(void)
{
    int file = spool_open();
    if (!spool_copy(STDIN_FILENO, file))
        fail("keep the input");
    return file;
}

/* What is stored becomes the standard input, so it is treated as any file. */
static void store(void)
{
    int file = copy();
    if (lseek(file, 0, SEEK_SET) != 0 || dup2(file, STDIN_FILENO) < 0)
        fail("keep the input");
    close(file);
    stored = true;
}

void input_begin(bool keep)
{
    if (keep && !is_file())
        store();
    if (is_file())
        start = lseek(STDIN_FILENO, 0, SEEK_CUR);
    if (start >= 0)
        first = spool_lift(dup(STDIN_FILENO));
}

static void set_back(void)
{
    if (lseek(STDIN_FILENO, start, SEEK_SET) < 0)
        fail("set the input back");
}

void input_open(void)
{
    int file;
    if (start < 0)
        return;
    dup2(first, STDIN_FILENO);
    set_back();
    file = open(INPUT_NAME, fcntl(STDIN_FILENO, F_GETFL) & (O_ACCMODE | O_APPEND));
    if (file < 0 && stored)
        file = copy();
    if (file < 0)
        return;
    dup2(file, STDIN_FILENO);
    close(file);
    set_back();
}

void input_close(void)
{
    if (start >= 0)
        lseek(first, lseek(STDIN_FILENO, 0, SEEK_CUR), SEEK_SET);
}
