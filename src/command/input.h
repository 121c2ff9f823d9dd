/* The standard input of the attempts. SPDX-License-Identifier: MIT */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>

/* Before the first attempt. keep: what comes through a pipe is read to its end and stored. */
void input_begin(bool keep);

/* Before each attempt: a file, or what is stored, is where it was at first. The attempt gets an
   offset of its own if the system can open a file anew, so that nothing that an earlier attempt
   left behind moves it. */
void input_open(void);

/* After an attempt: who reads the file after us begins where the attempt ended. */
void input_close(void);

#endif
