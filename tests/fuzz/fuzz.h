/* A check of a fuzz target ends the program. SPDX-License-Identifier: MIT */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/bytes.h"

/* libFuzzer's entry point, and replay.c's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A macro, so that the line is the target's. */
#define must(condition) do { \
    if (!(condition)) { \
        fprintf(stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #condition); \
        abort(); \
    } \
} while (0)

#endif
