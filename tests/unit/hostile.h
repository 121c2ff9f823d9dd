/* Surroundings that must not affect a parser: a time zone away from UTC, and texts beside memory that can't be read, so
   that reading one byte too far ends the program. SPDX-License-Identifier: MIT */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <stdlib.h>
#include <time.h>

#include "support.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#endif

#define HOSTILE_ROOM ((size_t)65536)   /* a multiple of any page */

static char *hostile_room;

/* The setup of a group. The zone is that of Jerusalem, given by its rule, so that no table of zones is needed. */
static inline int hostile_surroundings(void **state)
{
    static char zone[] = "TZ=IST-2IDT,M3.4.4/26,M10.5.0";
#if defined(__unix__) || defined(__APPLE__)
    if (putenv(zone) != 0)
        return -1;
    tzset();
    hostile_room = mmap(NULL, 3 * HOSTILE_ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (hostile_room == MAP_FAILED)
        return -1;
    hostile_room += HOSTILE_ROOM;
    return mprotect(hostile_room, HOSTILE_ROOM, PROT_READ | PROT_WRITE);
#else
    (void)putenv(zone);
    hostile_room = malloc(HOSTILE_ROOM);
    return hostile_room ? 0 : -1;
#endif
}

/* A copy whose last byte is the last that can be read. */
static inline const char *flush_right(const char *text, size_t length)
{
    return memcpy(hostile_room + HOSTILE_ROOM - length, text, length);
}

/* A copy whose first byte is the first that can be read. */
static inline const char *flush_left(const char *text, size_t length)
{
    return memcpy(hostile_room, text, length);
}

#endif
