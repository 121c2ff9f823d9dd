/* Implements refuse.h. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "refuse.h"

_Noreturn void refuse(const char *what, const char *rule)
{
    fprintf(stderr, "redial: %s: %s\n", what, rule);
    exit(2);
}

_Noreturn void fail(const char *what)
{
    fprintf(stderr, "redial: can't %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}
