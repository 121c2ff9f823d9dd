/* A connection to Redis that comes back, with hiredis and libuv: redial_begin and redial_next.
   SPDX-License-Identifier: MIT

   One timer for each client is enough: until the server has answered, it is the attempt's timeout; between two
   attempts, it is the wait. The program has to ignore SIGPIPE. A policy's gate is not looked at. */
#ifndef REDIS_UV_H
#define REDIS_UV_H

#include <hiredis/async.h>
#include <hiredis/hiredis.h>
#include <uv.h>

#include "redial.h"

/* Initialise all up to user, and set all else to 0. The client must not move in memory. All is done in the thread of
   the loop, and every function below may be called from a hook, but from on_end. */
struct redis_uv {
    uv_loop_t *loop;
    const char *host;           /* an address: hiredis looks up names while the loop stands still */
    int port;
    const char *password;       /* NULL: none. It is never put into `error` */
    const struct redial_policy *policy;
    const struct redial_env *env;   /* its clock and random bits: redial_system() */
    /* The server has answered. Commands may be sent from now on: subscriptions, for example, have to be made anew. */
    void (*on_up)(struct redis_uv *client);
    /* The connection broke, or could not be made: `error` says why. The next attempt is due in delay_ms. */
    void (*on_wait)(struct redis_uv *client, struct redial_outcome outcome, uint32_t delay_ms);
    /* No more attempts; CANCELLED after redis_uv_stop. The memory is yours again. */
    void (*on_end)(struct redis_uv *client, enum redial_verdict verdict);
    void *user;
    /* While the client is up: for commands. A callback that gets a NULL reply has lost the connection, and its command
       may have been done. The commands of that time are not sent again: that is the caller's decision. */
    redisAsyncContext *context;
    char error[128];
    bool up;
    /* Private. */
    struct redial_call call;
    uv_timer_t timer;
    uint32_t since_ms;
    enum redial_verdict verdict;
};

/* Begins the first attempt. False: the policy is invalid, and no hook is called. */
bool redis_uv_start(struct redis_uv *client);

/* For a reply that says that the connection is not for us any more, such as READONLY: leaves it and comes back by the
   policy. The outcome is that of redis_error_outcome. Only while the client is up. */
void redis_uv_reconnect(struct redis_uv *client, struct redial_outcome outcome);

/* Ends the client: on_end follows, from the loop. */
void redis_uv_stop(struct redis_uv *client);

#endif
