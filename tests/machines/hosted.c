/* selftest.c on a machine with a libc. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "machine.h"

void machine_print(const char *text)
{
    fputs(text, stdout);
}

void machine_end(bool success)
{
    exit(success ? EXIT_SUCCESS : EXIT_FAILURE);
}
