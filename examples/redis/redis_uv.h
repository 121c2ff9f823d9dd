/* A connection to Redis that reconnects, with hiredis and libuv: redial_begin and redial_next.
   SPDX-License-Identifier: MIT

   One timer for each client is enough: until the server has answered, it is the attempt's timeout; between two
   attempts, it is the wait. The program must ignore SIGPIPE. The gate of a policy is not checked. */
#ifndef REDIS_UV_H
#define REDIS_UV_H

#include <hiredis/async.h>
#include <hiredis/hiredis.h>
#include <uv.h>

#include "redial.h"

/* Initialise the members up to user, and set all others to 0. The client must not move in memory. Call all functions in
   the thread of the loop. Every hook except on_end may call them. */
struct redis_uv {
    uv_loop_t *loop;
    const char *host;           /* an address, because looking up a name would block the loop */
    int port;
    const char *password;       /* NULL: none. `error` never contains it */
    const struct redial_policy *policy;
    const struct redial_env *env;   /* its clock and random bits: redial_system() */
    /* The server has answered. You may send commands. Subscriptions, for example, must be made again. */
    void (*on_up)(struct redis_uv *client);
    /* The connection broke or failed; see `error`. The next attempt comes after delay_ms. */
    void (*on_wait)(struct redis_uv *client, struct redial_outcome outcome, uint32_t delay_ms);
    /* There will be no more attempts. CANCELLED: redis_uv_stop was called. You may free the client. */
    void (*on_end)(struct redis_uv *client, enum redial_verdict verdict);
    void *user;
    /* For commands while the client is up. If a callback gets a NULL reply, the connection broke, and the server may
       have done the command. The client does not repeat it: you decide. */
    redisAsyncContext *context;
    char error[128];
    bool up;
    /* Private. */
    struct redial_call call;
    uv_timer_t timer;
    uint32_t since_ms;
    enum redial_verdict verdict;
};

/* Begins the first attempt. False: the policy is invalid; no hook is called. */
bool redis_uv_start(struct redis_uv *client);

/* For a reply such as READONLY, which means that this connection is useless: ends it and reconnects by the policy.
   Pass the outcome of redis_error_outcome. Call it only while the client is up. */
void redis_uv_reconnect(struct redis_uv *client, struct redial_outcome outcome);

/* Ends the client. The loop then calls on_end. */
void redis_uv_stop(struct redis_uv *client);

#endif
