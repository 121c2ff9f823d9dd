/* The terminal, which belongs to one process group at a time, for a program that runs another one
   in a group of its own. SPDX-License-Identifier: MIT

   We keep it, so that we get Ctrl-C, until the other program tries to read from it or to change
   its settings. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/* Gives the terminal to a group. False: there is none, or we do not have it. */
bool terminal_give(pid_t group);

/* True: another group has the terminal, so we are in the background. */
bool terminal_is_elsewhere(void);

/* Takes it back. False: it was not given away. SIGTTOU must be blocked. */
bool terminal_take(void);

/* Ends an attempt. restore: the terminal gets the settings from before the program had it. */
void terminal_settle(bool restore);

#endif
