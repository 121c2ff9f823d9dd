/* selftest.c on an AVR under simavr, which shows what the first serial line sends.
   SPDX-License-Identifier: MIT */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "machine.h"

void machine_print(const char *text)
{
    UCSR0B = 1 << TXEN0;
    for (; *text; text++) {
        while (!(UCSR0A & 1 << UDRE0))
            ;
        UDR0 = (uint8_t)*text;
    }
}

/* simavr ends at a sleep that nothing can end, and its exit status is not ours. So only the
   output shows the result. */
void machine_end(bool success)
{
    (void)success;
    cli();
    sleep_enable();
    for (;;)
        sleep_cpu();
}
