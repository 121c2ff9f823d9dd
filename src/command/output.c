/* Implements output.h. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/select.h>
#include <unistd.h>

#include "output.h"
#include "refuse.h"
#include "signals.h"
#include "spool.h"

static int file = -1, from = -1, to = -1; /* from and to: the pipe */
static int lost; /* the errno value if something could not be stored */

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void output_hold(void)
{
    int ends[2];
    close_end(&file);
    file = spool_open();
    if (pipe(ends) != 0)
        fail("make a pipe");
    from = spool_lift(ends[0]);
    to = spool_lift(ends[1]);
    errno = EMFILE;
    if (from >= FD_SETSIZE || fcntl(from, F_SETFL, O_NONBLOCK) != 0)
        fail("hold the output");
}

void output_become(void)
{
    if (to >= 0)
        dup2(to, STDOUT_FILENO);
}

void output_started(void)
{
    close_end(&to);
}

int output_fd(void)
{
    return from;
}

/* All that a pipe holds fits. */
void output_read(void)
{
    static char bytes[65536];
    ssize_t count = from < 0 ? 0 : read(from, bytes, sizeof bytes);
    if (count == 0)
        close_end(&from);
    else if (count > 0 && !lost && !spool_write(file, bytes, (size_t)count))
        lost = errno;
}

void output_end(void)
{
    close_end(&from);
    errno = lost;
    if (lost)
        fail("hold the output");
}

/* Signals act as they did before redial began, because the retries are over. But who reads the
   errors and goes away does not end redial. */
void output_print(bool succeeded)
{
    if (file < 0)
        return;
    signals_restore();
    if (!succeeded)
        signal(SIGPIPE, SIG_IGN);
    if (lseek(file, 0, SEEK_SET) != 0
        || (!spool_copy(file, succeeded ? STDOUT_FILENO : STDERR_FILENO) && succeeded))
        fail("write to standard output");
    close_end(&file);
}
