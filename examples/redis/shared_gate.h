/* One gate for all machines that share a quota: a redial_gate in each process, and a key in Redis or Valkey that
   expires when the gate opens. It needs hiredis, redis_call.c, and Redis 7.0 or Valkey. SPDX-License-Identifier: MIT

       static struct shared_gate quota = { .link = { .host = "10.0.0.3", .port = 6379 }, .key = "maps" };
       struct redial_policy policy = REDIAL_POLICY_DEFAULT;
       shared_gate_init(&quota, redial_system());

       redial_run(&policy, redial_system(), operation, ...);

       closed_ms = shared_gate_check(&quota);              in the operation
       if (closed_ms)
           return redial_postponed(closed_ms);
       status = my_get(url, &retry_after_ms);
       if (status == 429)
           shared_gate_close(&quota, retry_after_ms);

   Only durations go to the server and come from it, so the machines' clocks need not agree. If the server is away, slow
   or refuses, an operation gives up after 50 ms. Then this process works with its own gate alone, and connects again
   after a second, later after up to 16 s. What it closed meanwhile, it then tells the server.

   A process asks the server at most once a second. So the shared gate helps where many processes each send a few
   requests a second or less. One that sends more meets its own 429 before it asks.

   The program must ignore SIGPIPE. Make the gate after the last fork. An access control list must allow PING, ROLE,
   MULTI, EXEC, SET, PEXPIRE and PTTL. */
#ifndef SHARED_GATE_H
#define SHARED_GATE_H

#include <stdatomic.h>

#include "redis_call.h"

/* Initialise the first members, and set all others to 0. It must not move in memory. Threads may share it. */
struct shared_gate {
    struct redis_link link;     /* its host is an address, because nothing limits the time in which a name is looked up.
                                   NULL: no server */
    const char *key;
    uint32_t max_ms;            /* no longer closing is believed or made: max_retry_after_ms of the policies.
                                   0: REDIAL_RETRY_AFTER_MAX_MS */
    /* Called after each failure, with its reason: the process works alone now. why NULL: no longer. One call at a time,
       in the thread that used the gate. It must not take long. May be NULL. */
    void (*told)(struct shared_gate *shared, const char *why);
    void *user;                 /* yours */

    struct redial_gate gate;    /* for your policies */

    /* Private. */
    const struct redial_env *env;
    struct redial_call call;                    /* of connecting */
    uint32_t since_ms, wait_ms, opened_ms;      /* the next check is due wait_ms after since_ms */
    atomic_bool busy, alone, unsent;            /* unsent: the server doesn't know yet of a closing of ours */
};

/* env: the clock of all who use the gate, and random numbers. */
void shared_gate_init(struct shared_gate *shared, const struct redial_env *env);

/* Call it before each attempt, or at least before the first. If it is time for it, and no other thread does it, it asks
   the server. The time until the gate opens; 0: it is open. */
uint32_t shared_gate_check(struct shared_gate *shared);

/* Closes the gate for ms, and tells the server. The later end wins. Call it with 0 after a 429 that names no wait: it
   asks the server at once. */
void shared_gate_close(struct shared_gate *shared, uint32_t ms);

/* Closes the connection. No thread may use the gate any more. */
void shared_gate_end(struct shared_gate *shared);

#endif
