/* An input of a fuzz target, or any other bytes, read as numbers. SPDX-License-Identifier: MIT */
#ifndef BYTES_H
#define BYTES_H

#include "redial.h"

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

/* A first byte up to 32 means a power of two or a number next to it. Otherwise the next four bytes
   are the number. */
static inline uint32_t number(struct bytes *bytes)
{
    unsigned kind = byte(bytes);
    if (kind <= 32)
        return (uint32_t)(((UINT64_C(1) << kind) + UINT32_MAX + byte(bytes) % 3) & UINT32_MAX);
    return (uint32_t)word(bytes, 4) >> kind % 32;
}

#endif
