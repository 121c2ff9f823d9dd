/* The parts of the program choose: options, trying, choosing, printing. SPDX-License-Identifier: MIT */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "herd_model.h"
#include "progress.h"

/* What no proposal does without saying so first. */
#define CHOOSE_MOST_LOAD 3u     /* times what the server can take in a second */
#define CHOOSE_MOST_CALLS 12u   /* for each request */

struct known {
    struct herd_setup setup;    /* of the whole fleet, without a policy */
    uint32_t within_ms;         /* for a request, waits included */
    bool connection;            /* that should live for ever */
};

/* What simulated fleets do with a policy. All figures are of all of them together. */
struct candidate {
    struct redial_policy policy;
    struct herd_setup setup;    /* of one fleet: the known one, or it scaled down */
    uint32_t fleets;            /* each with a seed of its own, from 1 on */
    uint32_t requests, served, half_ms, most_ms;    /* most: nine in ten */
    uint64_t calls;
    uint32_t peak;              /* the most calls in choose_span_ms, once the calls of all fleets are added up */
    bool stopped;               /* after too many calls: the figures are not of the whole time */
};

/* How long a peak is: a second. Longer where the server counts in longer windows, or needs longer for one request. */
uint32_t choose_span_ms(const struct herd_setup *setup);

/* The peak, in tenths of what the servers can take in that time. */
uint64_t choose_load(const struct candidate *candidate);

#define CHOOSE_MOST_CLIENTS 10000u

/* The setup, or one of the same proportion: a fleet of more clients is scaled down, and its server with it. */
struct herd_setup choose_scaled(const struct herd_setup *setup, uint32_t most);

/* Sets all but the policy. progress: NULL to show none. */
void choose_try(struct candidate *candidate, const struct herd_setup *setup, uint32_t fleets,
                struct progress *progress);

/* A line of progress, if it is time for one. NULL: none. */
void choose_show(struct progress *progress, const char *what, unsigned done, unsigned all);

#define CHOOSE_MOST 4u

struct choice {
    const char *titles[CHOOSE_MOST];    /* what it is best at */
    unsigned count;             /* of those */
    const char *name;           /* in C */
    struct candidate best;
};

/* The documented formula first. Returns how many. Exits if there is no memory. None kept to the limits: *beyond, and
   the one that comes nearest is chosen. */
unsigned choose(const struct known *known, struct choice choices[CHOOSE_MOST], bool *beyond);

/* All of the output. */
void choose_print(const struct known *known, const struct choice *choices, unsigned count, bool beyond);

#endif
