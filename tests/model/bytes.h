/* The input of a history, read as numbers. SPDX-License-Identifier: MIT */
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

/* A first byte up to 32 means a power of two or a number next to it. Otherwise the next four bytes
   are the number. */
static inline uint32_t number(struct bytes *bytes)
{
    unsigned kind = byte(bytes), i;
    uint64_t value = 0;
    if (kind <= 32)
        return (uint32_t)(((UINT64_C(1) << kind) + UINT32_MAX + byte(bytes) % 3) & UINT32_MAX);
    for (i = 0; i < 4; i++)
        value = value << 8 | byte(bytes);
    return (uint32_t)(value >> kind % 32);
}

/* Mostly a small one, so that retries and tokens are used up. */
static inline uint32_t small_number(struct bytes *bytes)
{
    unsigned value = byte(bytes);
    return value < 192 ? value % 4 : number(bytes);
}

/* The reading ms later, on a clock that wraps. */
static inline uint32_t after(uint32_t now_ms, uint64_t ms)
{
    return (uint32_t)((now_ms + ms) & UINT32_MAX);
}

#endif
