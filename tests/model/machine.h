/* What the model needs of a machine, which may have no libc: see machine.c.
   SPDX-License-Identifier: MIT */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdint.h>

void machine_print(const char *text);
_Noreturn void machine_end(bool success);

static inline void print_number(uint64_t value)
{
    char text[21], *at = text + sizeof text - 1;
    *at = 0;
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    machine_print(at);
}

/* The first difference ends the program: what follows it says nothing new. */
static inline void same(const char *what, uint64_t got, uint64_t expected)
{
    if (got == expected)
        return;
    machine_print(what);
    machine_print(": ");
    print_number(got);
    machine_print(" instead of ");
    print_number(expected);
    machine_print("\n");
    machine_end(false);
}

#endif
