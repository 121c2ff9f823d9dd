/* The parts of the program choose: options, trying and choosing, printing. SPDX-License-Identifier: MIT */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "herd_model.h"

/* What no proposal does without saying so first. */
#define CHOOSE_MOST_LOAD 3u     /* times what the server can take in a second */
#define CHOOSE_MOST_CALLS 12u   /* for each request */

struct known {
    struct herd_setup setup;    /* of the whole fleet, without a policy */
    uint32_t within_ms;         /* for a request, waits included */
    bool connection;            /* that should live for ever */
};

struct candidate {
    struct redial_policy policy;
    struct herd_setup setup;    /* what was simulated */
    uint32_t draws;             /* by so many seeds, from 1 on: the rest is of all of them together, */
    uint32_t requests, served, half_ms, most_ms;    /* most: nine in ten */
    uint64_t calls;
    uint32_t peak;              /* but this is the mean */
    bool stopped;               /* after too many calls: the figures are not of the whole time */
};

#define CHOOSE_MOST 4u

struct choice {
    const char *titles[3];      /* what it is best at */
    unsigned count;             /* of those */
    const char *name;           /* in C */
    struct candidate best;
};

/* The documented formula first. Returns how many. Exits if there is no memory. None kept to the limits: *beyond, and
   the one that comes nearest is chosen. */
unsigned choose(const struct known *known, struct choice choices[CHOOSE_MOST], bool *beyond);

/* The requests that the server of the setup can take in a second, or in a longer window if it counts so; at least one. */
uint64_t choose_room(const struct herd_setup *setup);

/* All of the output. */
void choose_print(const struct known *known, const struct choice *choices, unsigned count, bool beyond);

#endif
