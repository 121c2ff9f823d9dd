/* The standard output of an attempt, which is held until it is known whether the attempt succeeded.
   SPDX-License-Identifier: MIT

   It comes through a pipe, so a full disk is noticed here, whatever the program makes of it. If
   output_hold was not called, the other functions do nothing. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>

/* Before an attempt: forgets the output of the last one. */
void output_hold(void);

/* After the fork, in the child and in the parent. */
void output_become(void);
void output_started(void);

/* Is readable when there is output; -1: it has ended. */
int output_fd(void);

/* Stores what there is. */
void output_read(void);

/* After an attempt. Fails if something could not be stored. */
void output_end(void);

/* After the last attempt: to standard output if it succeeded, otherwise to standard error. */
void output_print(bool succeeded);

#endif
