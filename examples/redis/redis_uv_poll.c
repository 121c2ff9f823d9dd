/* Connects hiredis' async interface with libuv. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "redis_uv_poll.h"

struct events {
    redisAsyncContext *context;     /* NULL: hiredis has freed it */
    uv_poll_t poll;
    int wanted;
};

/* After an error, hiredis must read or write to find out which one it is. */
static void on_events(uv_poll_t *poll, int status, int happened)
{
    struct events *events = poll->data;
    if (status < 0)
        happened = events->wanted;
    if (events->context && (happened & UV_READABLE))
        redisAsyncHandleRead(events->context);
    if (events->context && (happened & UV_WRITABLE))
        redisAsyncHandleWrite(events->context);
}

static void want(struct events *events, int wanted)
{
    events->wanted = wanted;
    if (wanted)
        uv_poll_start(&events->poll, wanted, on_events);
    else
        uv_poll_stop(&events->poll);
}

static void add_read(void *events)
{
    want(events, ((struct events *)events)->wanted | UV_READABLE);
}

static void del_read(void *events)
{
    want(events, ((struct events *)events)->wanted & ~UV_READABLE);
}

static void add_write(void *events)
{
    want(events, ((struct events *)events)->wanted | UV_WRITABLE);
}

static void del_write(void *events)
{
    want(events, ((struct events *)events)->wanted & ~UV_WRITABLE);
}

static void on_poll_closed(uv_handle_t *poll)
{
    free(poll->data);
}

static void cleanup(void *user)
{
    struct events *events = user;
    events->context = NULL;
    uv_close((uv_handle_t *)&events->poll, on_poll_closed);
}

bool redis_uv_poll(redisAsyncContext *context, uv_loop_t *loop)
{
    struct events *events = calloc(1, sizeof *events);
    if (!events || uv_poll_init(loop, &events->poll, context->c.fd) != 0) {
        free(events);
        return false;
    }
    events->context = context;
    events->poll.data = events;
    context->ev.data = events;
    context->ev.addRead = add_read;
    context->ev.delRead = del_read;
    context->ev.addWrite = add_write;
    context->ev.delWrite = del_write;
    context->ev.cleanup = cleanup;
    return true;
}
