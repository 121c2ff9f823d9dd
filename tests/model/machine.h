/* What the model needs of a machine: any Cortex-M that QEMU knows, an AVR under simavr, or a system
   with a libc. SPDX-License-Identifier: MIT */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "../../examples/firmware/cortex_m.h"

void on_systick(void)
{
}

static inline void machine_print(const char *text)
{
    host_print(text);
}

_Noreturn static inline void machine_end(bool success)
{
    host_exit(success);
}
#elif defined(__AVR__)
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

/* simavr shows what the first serial line sends. */
static inline void machine_print(const char *text)
{
    UCSR0B = 1 << TXEN0;
    for (; *text; text++) {
        while (!(UCSR0A & 1 << UDRE0))
            ;
        UDR0 = (uint8_t)*text;
    }
}

/* simavr ends at a sleep that nothing can end, and its exit status is not ours. So only the output
   shows the result. */
_Noreturn static inline void machine_end(bool success)
{
    (void)success;
    cli();
    sleep_enable();
    for (;;)
        sleep_cpu();
}
#else
#include <stdio.h>
#include <stdlib.h>

static inline void machine_print(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

_Noreturn static inline void machine_end(bool success)
{
    if (!success)
        abort();   /* a fuzzer keeps the input, and a sanitizer shows where it was */
    exit(EXIT_SUCCESS);
}
#endif

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
