/* Connects hiredis' async interface with libuv, as hiredis/adapters/libuv.h does. That of hiredis 0.14 (Debian 12) does
   not report an error of the socket to hiredis, so a refused connection hangs. SPDX-License-Identifier: MIT */
#ifndef REDIS_UV_POLL_H
#define REDIS_UV_POLL_H

#include <hiredis/async.h>
#include <hiredis/hiredis.h>
#include <stdbool.h>
#include <uv.h>

/* False: out of memory, or the loop refuses the socket. hiredis ends it together with the context. */
bool redis_uv_poll(redisAsyncContext *context, uv_loop_t *loop);

#endif
