/* The parts of the program choose: options, trying, choosing, printing. SPDX-License-Identifier: MIT */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "herd_model.h"
#include "progress.h"

/* A proposal that exceeds one of these limits begins with a warning. */
#define CHOOSE_MOST_LOAD 3u     /* times what the server can take in a second */
#define CHOOSE_MOST_CALLS 12u   /* for each request */

struct known {
    struct herd_setup setup;    /* of the whole fleet, without a policy */
    uint32_t within_ms;         /* for a request, waits included */
    bool connection;            /* a connection that should stay up, and not a request */
};

/* The result of a policy in several simulated fleets. Each figure is computed over all of them. */
struct candidate {
    struct redial_policy policy;
    struct herd_setup setup;    /* of one fleet, which may be scaled down */
    uint32_t fleets;            /* each has a seed of its own, from 1 on */
    uint32_t requests, served, half_ms, most_ms;    /* when half and nine in ten were served */
    uint64_t calls;
    uint32_t peak;              /* the most calls of all fleets together in choose_span_ms */
    bool stopped;               /* there were too many calls, so the figures do not cover the whole time */
};

/* The length of a peak: a second, or longer if the server counts in longer windows or needs longer for one request. */
uint32_t choose_span_ms(const struct herd_setup *setup);

/* The peak, in tenths of the requests that the servers can take in that time. */
uint64_t choose_load(const struct candidate *candidate);

#define CHOOSE_MOST_CLIENTS 10000u

/* The setup to simulate. A large fleet is scaled down, and its server by the same factor. */
struct herd_setup choose_scaled(const struct herd_setup *setup, uint32_t most);

/* Sets all but the policy. progress: NULL to show none. */
void choose_try(struct candidate *candidate, const struct herd_setup *setup, uint32_t fleets,
                struct progress *progress);

/* Shows a line of progress if it is time for one. NULL: none. */
void choose_show(struct progress *progress, const char *what, unsigned done, unsigned all);

#define CHOOSE_MOST 4u

struct choice {
    const char *titles[CHOOSE_MOST];    /* what it is best at */
    unsigned count;             /* of those */
    const char *name;           /* in C */
    struct candidate best;
};

/* Fills in the proposals, the documented formula first, and returns their number. If no policy keeps to the limits, it
   sets *beyond, and proposes the one that exceeds them least. Exits if there is no memory. */
unsigned choose(const struct known *known, struct choice choices[CHOOSE_MOST], bool *beyond);

/* Prints the whole output. */
void choose_print(const struct known *known, const struct choice *choices, unsigned count, bool beyond);

#endif
