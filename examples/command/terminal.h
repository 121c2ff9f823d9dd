/* The terminal, which belongs to one group of processes at a time, for a program that runs another one in a group of
   its own. SPDX-License-Identifier: MIT

   It stays with us, so that Ctrl-C comes to us, until the other program wants to read from it or to set it. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/* False: there is no terminal, or it is not ours to give. */
bool terminal_give(pid_t group);

/* There is a terminal, and another group has it: we are in the background. */
bool terminal_is_elsewhere(void);

/* Takes it back. False: it was not given. SIGTTOU must be blocked. */
bool terminal_take(void);

#endif
