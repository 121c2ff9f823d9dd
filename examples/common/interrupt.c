/* Implements interrupt.h. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <unistd.h>

#include "interrupt.h"

volatile sig_atomic_t interrupted;

static int ends[2] = { -1, -1 };    /* of the pipe: a write to -1 fails, and does nothing */

static void on_signal(int number)
{
    int error = errno;
    ssize_t ignored = write(ends[1], "", 1);
    (void)ignored;
    errno = error;
    if (interrupted)
        /* the other one of the two came before; both have their default action now */
        raise(number);
    interrupted = 1;
}

void interrupt_catch(void)
{
    struct sigaction action = { .sa_handler = on_signal };
    action.sa_flags = (int)SA_RESETHAND;    /* the same signal again ends the program */
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupt_cancelled(const struct redial_env *env)
{
    (void)env;
    return interrupted != 0;
}

int interrupt_fd(void)
{
    return pipe(ends) == 0 ? ends[0] : -1;
}
