/* One gate for all machines that share a quota: a redial_gate in each process, and a key in Redis
   or Valkey that expires when the gate opens. It needs redial, redis_error.c and sockets, and on
   the server Redis 7.0, or Valkey. redis_gate.c uses it. SPDX-License-Identifier: MIT

   No caller waits for a connection. Until there is one, and whenever the server is away or refuses,
   the gate of this process alone counts. It connects again after a second, later after up to 16 s,
   and then tells the server what it closed meanwhile. A question takes one round trip. If the reply
   is not there after 50 ms, the local gate answers, and the reply counts when it comes. It asks at
   most once a second, so the shared gate helps where many processes each send a few requests a
   second or less. One that sends more meets its own 429 first.

   Only durations go to the server, so the machines' clocks need not agree. Make the gate after the
   last fork. An access control list must allow EVAL, PTTL and SET, and the keys redial:gate:*. */
#ifndef SHARED_GATE_H
#define SHARED_GATE_H

#include <stdatomic.h>

#include "redial.h"

/* Initialise the first members, and set all others to 0. It must not move in memory. Threads may
   share it. */
struct shared_gate {
    const char *host;       /* an IP address, because the look-up of a name may take long. NULL:
                               no server */
    const char *port;
    const char *password;   /* NULL: none. `why` never contains it */
    const char *name;       /* of the quota. The key is redial:gate:NAME */
    /* Called when the server answers for the first time on a connection (why is NULL), and after
       each failure with its reason. One call at a time, in the thread that used the gate. It must
       not take long. May be NULL. */
    void (*told)(struct shared_gate *gate, const char *why);
    void *user;             /* yours */

    /* Private. */
    const struct redial_env *env;
    struct redial_gate local;
    struct redial_call call;                /* of connecting */
    uint32_t asked_ms, since_ms;            /* since_ms: since then it waits for the server */
    int fd;                                 /* -1: none */
    bool open, greeting, answers;           /* greeting: the reply to AUTH is still to come */
    unsigned owed;                          /* replies that are still to come */
    size_t length;
    char text[512];                         /* what has come of a reply */
    atomic_bool busy, unsent;               /* unsent: the server was not told yet of a closing */
};

/* Begins to connect. env: the clock of all who use the gate, and random numbers. */
void shared_gate_init(struct shared_gate *gate, const struct redial_env *env);

/* For hold_ms: the time until the gate opens; 0: it is open. It takes at most 50 ms. */
uint32_t shared_gate_left_ms(struct shared_gate *gate);

/* After a 429: closes the gate for what it asked for, but at least 1 s and at most 5 s, and tells
   the server without waiting for its reply. The later end wins. */
void shared_gate_throttle(struct shared_gate *gate, uint32_t retry_after_ms);

/* Closes the connection. No thread may use the gate any more. */
void shared_gate_end(struct shared_gate *gate);

#endif
