/* A fleet of clients and one server, simulated in virtual time. SPDX-License-Identifier: MIT

   THE MODEL, in whole milliseconds

   - Every client sends a request at 0 ms. A request is on its way for 10 ms, sd 2 ms, and so is its
     answer: 2 ms and the number of ones in 16 random bits, which is the normal curve to the nearest
     millisecond (mean 8, sd 2). So the whole fleet arrives within a few milliseconds of 10 ms, and
     nearly all fail.
   - A client has `jobs` requests to make, usually one. It begins the next one a millisecond after
     the one before was served or given up. With pause_ms set it waits before each of them, the
     first one too: U[0, 2 * pause_ms].
   - The server is down until outage_ms: no response comes, and the client notices it when an answer
     would have been there. From then on it takes `capacity` requests every per_ms, and refuses the
     rest at once: with 429 and a Retry-After of after_s, or with 503 if that is 0.
   - The server is a token bucket, which is exact at every rate. A request takes a token, and tokens
     come in steadily. The bucket is full at first. It holds the tokens of burst_ms, but at least
     one, and at least those of a millisecond. A server with a queue of that length takes the same
     requests, and answers some of them later.
   - A client is one struct redial_call. Its outcome goes to redial_next with the time at which the
     answer reaches it, and its next request leaves when the wait is over. Nothing else decides
     anything.
   - Requests that arrive in the same millisecond are taken in the order in which they were sent
     off.
   - The `workers` clients of a process share a budget, if there is one, and with `gate` a gate: a
     429 closes it for its Retry-After, from the moment at which it reaches the client. Without
     processes (workers 0), the whole fleet shares one budget.

   It uses integers only, and a random generator of its own: the same seed gives the same result on
   every machine. It reads and prints nothing. It uses only calloc and free of the C library. */
#ifndef HERD_MODEL_H
#define HERD_MODEL_H

#include <redial.h>

#define HERD_TICK_MS 100u               /* what is counted over time is counted in ticks of this */
#define HERD_MOST_MS 1000000000u        /* the longest horizon: 11 days */
#define HERD_MOST_REQUESTS 1000000000u  /* clients * jobs */
#define HERD_EARLY_RETRIES 8u /* a request is "served early" if it needs at most this many */
#define HERD_BUDGET_PERCENT 10u         /* of a token, which a success earns */

struct herd_result {
    uint32_t served, gave_up, early;    /* requests; early: within HERD_EARLY_RETRIES */
    uint64_t attempts;                  /* all that were sent */
    uint64_t held;                      /* attempts that a closed gate held back */
    uint32_t last_served_ms;
    uint32_t now_ms;                    /* when nothing was left to do, or the horizon */
    bool stopped;                       /* watch returned false */
    uint32_t ticks;
    uint32_t *arrived, *taken;          /* attempts in each tick: all, and those that were served */
};

struct herd_setup {
    struct redial_policy policy;        /* its budget is not used: see below */
    uint32_t clients;                   /* 1.. */
    uint32_t jobs;                      /* requests that each client makes; 0: one */
    uint32_t pause_ms;                  /* 0..HERD_MOST_MS */
    /* requests in per_ms, each 1..1,000,000,000; per_ms 0: in a second */
    uint32_t capacity, per_ms;
    uint32_t burst_ms;                  /* 0..HERD_MOST_MS: what the bucket holds */
    uint32_t outage_ms, horizon_ms;     /* 0.. and 1..HERD_MOST_MS */
    uint32_t after_s;                   /* the Retry-After of a refusal; 0: none */
    uint32_t workers;                   /* clients in a process; 0: there are no processes */
    uint32_t gate;                      /* not 0: each process has one */
    uint32_t budget;                    /* its tokens; 0: there is none */
    uint32_t seed;
    /* Called in each second of virtual time; false: stop. NULL: nobody watches. */
    bool (*watch)(const struct herd_result *so_far);
};

/* False: there is no memory, or the policy is invalid. Nothing must be freed then. */
bool herd_run(const struct herd_setup *setup, struct herd_result *result);
void herd_free(struct herd_result *result);

/* clients * jobs. */
uint32_t herd_requests(const struct herd_setup *setup);

/* The most attempts in any span of so many whole ticks from the recovery on, without the first tick
   of the run. */
uint32_t herd_peak(const struct herd_setup *setup, const struct herd_result *result,
                   uint32_t span_ms);

/* The least possible number of attempts. A client whose first one comes in the outage, or when the
   server can't take it, needs another one. */
uint64_t herd_least_attempts(const struct herd_setup *setup);

/* The earliest time at which the server can have taken so many requests, if they came exactly when
   it has room. */
uint64_t herd_least_ms(const struct herd_setup *setup, uint32_t requests);

#endif
