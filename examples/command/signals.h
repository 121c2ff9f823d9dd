/* Signals for a program that runs another one: none is lost, and none comes in the middle of something.
   SPDX-License-Identifier: MIT

   They are blocked all the time but in signals_wait, so there is no race between looking and waiting. Signals that were
   ignored before, as after nohup, stay ignored. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

void signals_begin(void);

/* In a child, before it becomes another program: everything is as it was before signals_begin. */
void signals_restore(void);

/* Returns when a signal has come, or a child has ended or stopped, or after ms, which is not exact. UINT32_MAX: no
   limit. */
void signals_wait(uint32_t ms);

/* A signal that came, to be passed on; each is returned once. 0: there is none. */
int signals_take(void);

/* The first of those that came to end this program, and that signals_take has returned. 0: there is none. */
int signals_ending(void);

/* As if this signal had come, and had been taken. */
void signals_end_by(int number);

/* Ends this program by the signal, as if it had never been caught: so a shell sees what happened. */
_Noreturn void signals_die(int number);

#endif
