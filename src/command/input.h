/* The standard input of the attempts. SPDX-License-Identifier: MIT */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>

/* Before the first attempt. keep: what comes through a pipe is read to its end and stored. */
void input_begin(bool keep);

/* Before each attempt: sets a file, or what is stored, back to where it was at first. */
void input_set_back(void);

#endif
