/* Implements terminal.h. SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "terminal.h"

static pid_t given_to; /* the group that got it; 0: none */
static struct termios before; /* the settings when it was first given away in this attempt */
static bool have_before;

static int open_terminal(void) /* -1: there is none */
{
    return open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
}

static bool hand_over(pid_t from, pid_t to)
{
    int fd = open_terminal();
    bool done = fd >= 0 && tcgetpgrp(fd) == from && tcsetpgrp(fd, to) == 0;
    if (fd >= 0)
        close(fd);
    return done;
}

bool terminal_is_elsewhere(void)
{
    int fd = open_terminal();
    bool elsewhere = fd >= 0 && tcgetpgrp(fd) != getpgrp();
    if (fd >= 0)
        close(fd);
    return elsewhere;
}

/* A program that did not get the terminal can't change the settings. */
static void remember(void)
{
    int fd = have_before ? -1 : open_terminal();
    if (fd < 0)
        return;
    have_before = tcgetattr(fd, &before) == 0;
    close(fd);
}

bool terminal_give(pid_t group)
{
    remember();
    if (!hand_over(getpgrp(), group))
        return false;
    given_to = group;
    return true;
}

bool terminal_take(void)
{
    pid_t group = given_to;
    given_to = 0;
    return group != 0 && hand_over(group, getpgrp());
}

void terminal_settle(bool restore)
{
    int fd = restore && have_before && !terminal_is_elsewhere() ? open_terminal() : -1;
    have_before = false;
    if (fd < 0)
        return;
    tcsetattr(fd, TCSANOW, &before);
    close(fd);
}
