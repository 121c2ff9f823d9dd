/* Signals for a program that runs another one: none is lost, and none interrupts other code.
   SPDX-License-Identifier: MIT

   They are blocked except in signals_wait, so there is no race between a check and a wait. Signals
   that were ignored before, as after nohup, stay ignored. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

void signals_begin(void);

/* For a child, before exec: restores what was set before signals_begin. */
void signals_restore(void);

/* Returns when a signal has come, when a child has ended or stopped, when fd (-1: none) is
   readable, or after about ms. UINT32_MAX: no limit. */
void signals_wait(uint32_t ms, int fd);

/* Returns a signal that came, to be passed on, and each only once. 0: there is none. */
int signals_take(void);

/* The first signal from signals_take that should end this program. 0: there is none. */
int signals_ending(void);

/* Acts as if signals_take had returned this signal. */
void signals_end_by(int number);

/* Stops this process, or its whole group, by the signal, so that our parent sees which signal
   stopped it. The system ignores SIGTSTP and SIGTTIN in a group that no shell could continue. */
void signals_stop_by(int number, bool group);

/* Ends this program by the signal, so that a shell sees which signal ended it. */
_Noreturn void signals_die(int number);

#endif
