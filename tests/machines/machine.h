/* The functions that selftest.c needs from a machine. SPDX-License-Identifier: MIT */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>

void machine_print(const char *text);
_Noreturn void machine_end(bool success);

#endif
