/* A fleet of clients and one server, simulated in virtual time. SPDX-License-Identifier: MIT

   THE MODEL, in whole milliseconds

   - Every client sends one request at 0 ms. A request is on its way for 10 ms, sd 2 ms, and so is its answer:
     2 ms and the number of ones in 16 random bits, which is the normal curve to the nearest millisecond (mean 8,
     sd 2). So the whole fleet arrives within a few milliseconds of 10 ms, and nearly all fail.
   - The server is down until outage_ms: no response comes, and the client notices it when an answer would have
     been there. From then on it takes capacity requests a second, counted in windows of window_ms that begin at
     0 ms: window k takes the first [capacity * window_ms * (k + 1) / 1000] - [capacity * window_ms * k / 1000]
     requests that reach it and refuses the rest at once, with the chosen answer.
   - A client is one struct redial_call. Its outcome goes to redial_next when the answer reaches it, and its next
     request leaves when the wait is over. Nothing else decides anything.
   - HERD_SLOT: the server keeps a queue that moves by capacity a second. Each client that it refuses is told, in a
     429, the whole seconds (rounded up) until the next free place in that queue. It does not matter who returns.
   - Requests that arrive in the same millisecond are taken in the order in which they were sent off.
   - A budget, if there is one, is shared by the whole fleet: N callers in one program.

   It uses integers only, and a random generator of its own: the same seed gives the same result on every machine. */
#ifndef HERD_MODEL_H
#define HERD_MODEL_H

#include <redial.h>

#define HERD_TICK_MS 100u               /* what is counted over time is counted in ticks of this */
#define HERD_MOST_MS 1000000000u        /* the longest horizon: 11 days */
#define HERD_EARLY_RETRIES 8u           /* "served early": within this many */

enum herd_answer { HERD_PLAIN, HERD_CONSTANT, HERD_SLOT };  /* 503; 503 and Retry-After; 429 and a place */

struct herd_result {
    uint32_t served, gave_up, early;    /* clients; early: within HERD_EARLY_RETRIES */
    uint64_t calls;                     /* requests, the first and the served ones included */
    uint32_t last_served_ms;
    uint32_t now_ms;                    /* when nothing was left to do, or the horizon */
    bool stopped;                       /* by watch */
    uint32_t ticks;
    uint32_t *arrived, *taken;          /* requests in each tick: all, and those that were served */
};

struct herd_setup {
    struct redial_policy policy;        /* its budget is not used: see below */
    uint32_t clients;                   /* 1.. */
    uint32_t capacity;                  /* requests a second, 1..1,000,000,000 */
    uint32_t window_ms;                 /* 1..HERD_MOST_MS */
    uint32_t outage_ms, horizon_ms;     /* 0.. and 1..HERD_MOST_MS */
    enum herd_answer answer;
    uint32_t after_s;                   /* HERD_CONSTANT: 0..4,000,000 */
    bool budget;
    uint32_t budget_capacity, budget_percent;
    uint64_t seed;
    bool (*watch)(void *user, const struct herd_result *so_far);   /* each second of virtual time; false: stop. NULL:
                                                                      nobody watches */
    void *user;
};

/* False: no memory, or an invalid policy; there is nothing to free then. */
bool herd_run(const struct herd_setup *setup, struct herd_result *result);
void herd_free(struct herd_result *result);

/* The most requests in one second (any ten ticks in a row) from the recovery on, the first tick left out. */
uint32_t herd_peak(const struct herd_setup *setup, const struct herd_result *result);

/* When permille of all clients had been served, to the tick; UINT32_MAX: never. */
uint32_t herd_share_ms(const struct herd_setup *setup, const struct herd_result *result, uint32_t permille);

#endif
