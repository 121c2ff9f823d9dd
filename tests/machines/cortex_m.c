/* selftest.c on any Cortex-M that QEMU knows. SPDX-License-Identifier: MIT */
#include "../../examples/firmware/cortex_m.h"
#include "machine.h"

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
