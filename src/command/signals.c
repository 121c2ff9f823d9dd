/* Implements signals.h. SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "signals.h"

#define WAIT_MAX_MS 1000000000u /* some systems refuse longer timeouts */

static struct caught {
    int number;
    bool ends; /* it ends the retries, and a program that does not catch it */
    volatile sig_atomic_t came;
    struct sigaction before;
} all[] = {
    { .number = SIGHUP, .ends = true },
    { .number = SIGINT, .ends = true },
    { .number = SIGQUIT, .ends = true },
    { .number = SIGTERM, .ends = true },
    { .number = SIGUSR1, .ends = true },
    { .number = SIGUSR2, .ends = true },
    { .number = SIGTSTP },
    { .number = SIGCHLD },
};
static struct caught *const end_of_all = all + sizeof all / sizeof *all;

static struct sigaction pipe_before;
static sigset_t mask_before, mask_in_wait;
static int ending;

static void note(int number)
{
    struct caught *caught;
    for (caught = all; caught < end_of_all; caught++)
        if (caught->number == number)
            caught->came = 1;
}

/* If SIGCHLD were ignored, the system would discard the exit status of a child. */
static void catch_one(struct caught *caught)
{
    struct sigaction action = { .sa_handler = note };
    sigemptyset(&action.sa_mask);
    sigaction(caught->number, NULL, &caught->before);
    if (caught->before.sa_handler != SIG_IGN || caught->number == SIGCHLD)
        sigaction(caught->number, &action, NULL);
}

/* SIGTTOU is always blocked: a process that blocks it may give the terminal away, and write to it.
   SIGPIPE is ignored: if the reader of stderr has gone, redial need not end. */
void signals_begin(void)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    sigset_t mask;
    struct caught *caught;
    sigemptyset(&mask);
    sigaddset(&mask, SIGTTOU);
    for (caught = all; caught < end_of_all; caught++)
        sigaddset(&mask, caught->number);
    sigprocmask(SIG_BLOCK, &mask, &mask_before);
    mask_in_wait = mask_before;
    sigaddset(&mask_in_wait, SIGTTOU);
    sigdelset(&mask_in_wait, SIGCHLD);
    for (caught = all; caught < end_of_all; caught++)
        catch_one(caught);
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &pipe_before);
}

void signals_restore(void)
{
    struct caught *caught;
    for (caught = all; caught < end_of_all; caught++)
        sigaction(caught->number, &caught->before, NULL);
    sigaction(SIGPIPE, &pipe_before, NULL);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

void signals_wait(uint32_t ms, int fd)
{
    fd_set readable;
    uint32_t wait_ms = ms < WAIT_MAX_MS ? ms : WAIT_MAX_MS;
    struct timespec time = { (time_t)(wait_ms / 1000), (long)(wait_ms % 1000) * 1000000 };
    FD_ZERO(&readable);
    if (fd >= 0)
        FD_SET(fd, &readable);
    pselect(fd + 1, &readable, NULL, NULL, ms == UINT32_MAX ? NULL : &time, &mask_in_wait);
}

int signals_take(void)
{
    struct caught *caught;
    for (caught = all; caught < end_of_all; caught++)
        if (caught->came) {
            caught->came = 0;
            if (caught->ends)
                signals_end_by(caught->number);
            if (caught->number != SIGCHLD)
                return caught->number;
        }
    return 0;
}

int signals_ending(void)
{
    return ending;
}

void signals_end_by(int number)
{
    if (ending == 0)
        ending = number;
}

/* The signal has its default action until the process continues. */
void signals_stop_by(int number, bool group)
{
    struct sigaction action = { .sa_handler = SIG_DFL }, before;
    sigset_t mask, mask_now;
    sigemptyset(&action.sa_mask);
    sigemptyset(&mask);
    sigaddset(&mask, number);
    sigaction(number, &action, &before);
    kill(group ? 0 : getpid(), number);
    sigprocmask(SIG_UNBLOCK, &mask, &mask_now);
    sigprocmask(SIG_SETMASK, &mask_now, NULL);
    sigaction(number, &before, NULL);
}

/* The default action of this signal is to end us, unless we are process 1. Our core dump would only
   overwrite that of the program. */
void signals_die(int number)
{
    static const struct rlimit no_core = { 0, 0 };
    setrlimit(RLIMIT_CORE, &no_core);
    signals_stop_by(number, false);
    exit(128 + number);
}
