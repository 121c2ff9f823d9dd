/* Three machines for the model: any Cortex-M that QEMU knows, an AVR under simavr, and a system
   with a libc. SPDX-License-Identifier: MIT */
#include "machine.h"

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "../../examples/firmware/cortex_m.h"

void on_systick(void)
{
}

void machine_print(const char *text)
{
    host_print(text);
}

void machine_end(bool success)
{
    host_exit(success);
}
#elif defined(__AVR__)
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

/* simavr shows what the first serial line sends. */
void machine_print(const char *text)
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
void machine_end(bool success)
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

void machine_print(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

void machine_end(bool success)
{
    if (!success)
        abort();   /* a fuzzer keeps the input, and a sanitizer shows where it was */
    exit(EXIT_SUCCESS);
}
#endif
