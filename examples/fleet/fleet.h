/* A fleet of clients and one server, simulated in virtual time. SPDX-License-Identifier: MIT

   THE MODEL, in whole milliseconds

   - Every client sends a request at 0 ms. A request is on its way for 10 ms, sd 2 ms, and so is its
     answer: 2 ms and the number of ones in 16 random bits, which is the normal curve to the nearest
     millisecond (mean 8, sd 2). So the whole fleet arrives within a few milliseconds of 10 ms, and
     nearly all fail.
   - The server is down until outage_ms: no response comes, and the client notices it when an answer
     would have been there. From then on it takes `capacity` requests a second, and refuses the rest
     at once: with 429 and a Retry-After, which is after_s for all, or a time for each client; or
     with 503 and without one.
   - The server is a token bucket, which is exact at every rate. A request takes a token, and tokens
     come in steadily. The bucket is full at first. It holds the tokens of burst_ms, but at least
     one, and at least those of a millisecond. A server with a queue of that length takes the same
     requests, and answers some of them later.
   - A client is one struct redial_call. Its outcome goes to redial_next with the time at which the
     answer reaches it, and its next request leaves when the wait is over. Nothing else decides
     anything.
   - Requests that arrive in the same millisecond are taken in the order in which they were sent
     off.

   It uses integers only, and a random generator of its own: the same seed gives the same result on
   every machine. It reads and prints nothing. It uses only calloc and free of the C library. */
#ifndef FLEET_H
#define FLEET_H

#include <redial.h>

#define FLEET_TICK_MS 100u              /* what is counted over time is counted in ticks of this */
#define FLEET_MOST_MS 1000000000u       /* the longest horizon: 11 days */
#define FLEET_EARLY_RETRIES 8u /* a client is "served early" if it needs at most this many */

struct fleet_setup {
    struct redial_policy policy;
    uint32_t clients;                   /* 1.. */
    uint32_t capacity;                  /* requests in a second: 1..1,000,000,000 */
    uint32_t burst_ms;                  /* what the bucket holds: 0..FLEET_MOST_MS */
    uint32_t outage_ms, horizon_ms;     /* 0.. and 1..FLEET_MOST_MS */
    uint32_t after_s;                   /* the Retry-After of each refusal; 0: none */
    bool slots;                         /* in its place what next_slot_s of retry_after.c says */
    uint32_t seed;
};

struct fleet_result {
    uint32_t served, gave_up, early;    /* clients; early: within FLEET_EARLY_RETRIES */
    uint64_t attempts;                  /* all that were sent */
    uint32_t last_served_ms;
    uint32_t now_ms;                    /* when nothing was left to do, or the horizon */
    uint32_t ticks;
    uint32_t *arrived, *taken;          /* attempts in each tick: all, and those that were served */
};

/* False: there is no memory, or the policy is invalid. Nothing must be freed then. */
bool fleet_run(const struct fleet_setup *setup, struct fleet_result *result);
void fleet_free(struct fleet_result *result);

/* The most attempts in a second from the recovery on, without the first tick of the run. */
uint32_t fleet_peak(const struct fleet_setup *setup, const struct fleet_result *result);

/* The least possible number of attempts. A client whose first one comes in the outage, or when the
   server can't take it, needs another one. */
uint64_t fleet_least_attempts(const struct fleet_setup *setup);

/* The earliest time at which the server can have taken so many requests, if they came exactly when
   it has room. */
uint64_t fleet_least_ms(const struct fleet_setup *setup, uint32_t requests);

#endif
