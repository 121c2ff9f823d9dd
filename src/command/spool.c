/* Implements spool.h. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "refuse.h"
#include "spool.h"

int spool_lift(int fd)
{
    int lifted = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (lifted < 0)
        fail("open a file");
    close(fd);
    return lifted;
}

int spool_open(void)
{
    const char *folder = getenv("TMPDIR");
    char name[4096], what[4096];
    int fd;
    if (!folder || !*folder)
        folder = "/tmp";
    snprintf(name, sizeof name, "%s/redial.XXXXXX", folder);
    fd = mkstemp(name);
    if (fd < 0) {
        snprintf(what, sizeof what, "make a file in %.4000s", folder);
        fail(what);
    }
    unlink(name);
    return spool_lift(fd);
}

bool spool_write(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return true;
}

bool spool_copy(int from, int to)
{
    static char bytes[65536];
    ssize_t count;
    while ((count = read(from, bytes, sizeof bytes)) != 0)
        if (count < 0 ? errno != EINTR : !spool_write(to, bytes, (size_t)count))
            return false;
    return true;
}
