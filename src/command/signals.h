/* Signals for a program that runs another one: none is lost, and none interrupts other code.
   SPDX-License-Identifier: MIT

   They are blocked except in signals_wait and signals_fork, so there is no race between a check and
   a wait. Signals that were ignored before, as after nohup, stay ignored. SIGPIPE and SIGXFSZ are
   ignored, because they would end us and not the program. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

void signals_begin(void);

/* fork(). A signal of the terminal reaches both processes, or we have it before there are two: then
   signals_restore ends the new one by it. */
pid_t signals_fork(void);

/* For a child, before exec: restores what was set before signals_begin. */
void signals_restore(void);

/* Returns when a signal has come, when a child has ended, when fd (-1: none) is readable, or after
   about ms. UINT32_MAX: no limit. */
void signals_wait(uint32_t ms, int fd);

/* Returns a signal that came, and each only once. 0: there is none. */
int signals_take(void);

/* Is this one of those that the terminal sends to the program, too? SIGINT, SIGQUIT or SIGHUP. */
bool signals_interrupts(int number);

/* The signal from signals_take that should end this program: the last one that interrupts, or else
   the first. 0: there is none. */
int signals_ending(void);

/* Stops this process by SIGTSTP until it is continued. The system ignores SIGTSTP in a group that
   no shell could continue. */
void signals_stop(void);

/* Ends this program by the signal, so that a shell sees which signal ended it. */
_Noreturn void signals_die(int number);

#endif
