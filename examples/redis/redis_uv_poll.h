/* Connects hiredis' async interface with libuv, as hiredis/adapters/libuv.h does. That of hiredis 0.14 (Debian 12) does
   not tell hiredis of an error of the socket: a refused connection hangs. SPDX-License-Identifier: MIT */
#ifndef REDIS_UV_POLL_H
#define REDIS_UV_POLL_H

#include <hiredis/async.h>
#include <hiredis/hiredis.h>
#include <stdbool.h>
#include <uv.h>

/* False: there is no memory, or the loop refuses the socket. hiredis ends it with the context. */
bool redis_uv_poll(redisAsyncContext *context, uv_loop_t *loop);

#endif
