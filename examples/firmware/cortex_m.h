/* A Cortex-M without a libc, in QEMU or under a debugger. SPDX-License-Identifier: MIT */
#ifndef CORTEX_M_H
#define CORTEX_M_H

#include <stdbool.h>
#include <stdint.h>

void host_print(const char *text);
_Noreturn void host_exit(bool success);   /* ends QEMU, with status 0 or 1 */
/* the program defines it: the interrupt of the system timer */
void on_systick(void);

#endif
