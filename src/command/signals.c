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
    bool ignored;
    volatile sig_atomic_t came;
    struct sigaction before;
} all[] = {
    { .number = SIGHUP, .ends = true },
    { .number = SIGINT, .ends = true },
    { .number = SIGQUIT, .ends = true },
    { .number = SIGTERM, .ends = true },
    { .number = SIGALRM, .ends = true },
    { .number = SIGUSR1, .ends = true },
    { .number = SIGUSR2, .ends = true },
    { .number = SIGPIPE, .ignored = true },
    { .number = SIGXFSZ, .ignored = true },
    { .number = SIGCHLD },
    { .number = SIGTSTP },
};
static struct caught *const end_of_all = all + sizeof all / sizeof *all;

static sigset_t mask_before, mask_blocked, mask_in_wait;
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
    struct sigaction action = { .sa_handler = caught->ignored ? SIG_IGN : note };
    sigemptyset(&action.sa_mask);
    sigaction(caught->number, NULL, &caught->before);
    if (caught->before.sa_handler != SIG_IGN || caught->number == SIGCHLD)
        sigaction(caught->number, &action, NULL);
}

void signals_begin(void)
{
    struct caught *caught;
    sigprocmask(SIG_SETMASK, NULL, &mask_before);
    mask_blocked = mask_in_wait = mask_before;
    sigdelset(&mask_in_wait, SIGCHLD);
    for (caught = all; caught < end_of_all; caught++)
        sigaddset(&mask_blocked, caught->number);
    sigprocmask(SIG_SETMASK, &mask_blocked, NULL);
    for (caught = all; caught < end_of_all; caught++)
        catch_one(caught);
}

/* The system lets no signal in while it makes the process, so it comes before or after that. */
pid_t signals_fork(void)
{
    pid_t pid;
    sigprocmask(SIG_SETMASK, &mask_in_wait, NULL);
    pid = fork();
    sigprocmask(SIG_SETMASK, &mask_blocked, NULL);
    return pid;
}

void signals_restore(void)
{
    struct caught *caught;
    for (caught = all; caught < end_of_all; caught++)
        sigaction(caught->number, &caught->before, NULL);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
    for (caught = all; caught < end_of_all; caught++)
        if (caught->came && caught->ends)
            raise(caught->number);
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

bool signals_interrupts(int number)
{
    return number == SIGINT || number == SIGQUIT || number == SIGHUP;
}

int signals_take(void)
{
    struct caught *caught;
    for (caught = all; caught < end_of_all; caught++)
        if (caught->came) {
            caught->came = 0;
            if (caught->ends && (ending == 0 || signals_interrupts(caught->number)))
                ending = caught->number;
            if (caught->number != SIGCHLD)
                return caught->number;
        }
    return 0;
}

int signals_ending(void)
{
    return ending;
}

/* The signal has its default action until this process continues. */
static void act_by_default(int number)
{
    struct sigaction action = { .sa_handler = SIG_DFL }, before;
    sigset_t mask;
    sigemptyset(&action.sa_mask);
    sigemptyset(&mask);
    sigaddset(&mask, number);
    sigaction(number, &action, &before);
    kill(getpid(), number);
    sigprocmask(SIG_UNBLOCK, &mask, NULL);
    sigprocmask(SIG_SETMASK, &mask_blocked, NULL);
    sigaction(number, &before, NULL);
}

void signals_stop(void)
{
    act_by_default(SIGTSTP);
}

/* The default action of this signal is to end us, unless we are process 1. Our core dump would only
   overwrite that of the program. */
void signals_die(int number)
{
    static const struct rlimit no_core = { 0, 0 };
    setrlimit(RLIMIT_CORE, &no_core);
    act_by_default(number);
    exit(128 + number);
}
