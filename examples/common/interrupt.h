/* Ctrl-C and SIGTERM end a program in an orderly way. SPDX-License-Identifier: MIT

       struct redial_env env = *redial_system();
       env.cancelled = interrupt_cancelled;
       interrupt_catch();
       redial_run(&policy, &env, ...);     after the signal, the verdict is CANCELLED

   The first signal only sets a flag, which ends a wait of redial. A second one ends the program at
   once. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <signal.h>

#include "redial.h"

/* Not 0 once a signal has come. */
extern volatile sig_atomic_t interrupted;

/* From now on, SIGINT and SIGTERM set the flag. */
void interrupt_catch(void);

/* A redial_env's `cancelled`: has a signal come? */
bool interrupt_cancelled(const struct redial_env *env);

/* For a program that waits in poll(): a descriptor that a signal makes readable, and that stays
   readable. Call it once, before interrupt_catch. -1: the system has none left; see errno. */
int interrupt_fd(void);

#endif
