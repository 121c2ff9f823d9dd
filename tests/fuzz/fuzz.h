/* Helpers of the fuzz targets: they read an input as numbers, and a check ends the program.
   SPDX-License-Identifier: MIT */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "redial.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);   /* libFuzzer's entry point, and replay.c's */

/* A macro, so that the line is the target's. */
#define must(condition) do { \
    if (!(condition)) { \
        fprintf(stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #condition); \
        abort(); \
    } \
} while (0)

/* The rest of an input; beyond its end there are zeros. */
struct bytes {
    const uint8_t *at, *end;
};

static inline uint8_t byte(struct bytes *bytes)
{
    return bytes->at == bytes->end ? 0 : *bytes->at++;
}

static inline uint64_t word(struct bytes *bytes, unsigned length)
{
    uint64_t value = 0;
    for (; length > 0; length--)
        value = value << 8 | byte(bytes);
    return value;
}

/* A first byte up to 32 means a power of two or a number next to it. Otherwise the next four bytes are the number. */
static inline uint32_t number(struct bytes *bytes)
{
    unsigned kind = byte(bytes);
    if (kind <= 32)
        return (uint32_t)(((UINT64_C(1) << kind) + UINT32_MAX + byte(bytes) % 3) & UINT32_MAX);
    return (uint32_t)word(bytes, 4) >> kind % 32;
}

#endif
