/* A connection to Redis that reconnects, with hiredis and libuv. SPDX-License-Identifier: MIT

   If a connection breaks, hiredis frees it. If we end it, we free it; in a callback of the connection, hiredis delays
   that until the callback returns. We then set context->data to NULL, so that later callbacks do nothing. */
#include "redis_error.h"
#include "redis_uv.h"
#include "redis_uv_poll.h"

static void attempt(uv_timer_t *timer);

static uint32_t now_ms(const struct redis_uv *client)
{
    return client->env->now_ms(client->env);
}

/* ---- between two attempts: the decision ---- */

static void on_timer_closed(uv_handle_t *timer)
{
    struct redis_uv *client = timer->data;
    client->on_end(client, client->verdict);
}

static void end(struct redis_uv *client, enum redial_verdict verdict)
{
    if (uv_is_closing((uv_handle_t *)&client->timer))
        return;
    client->verdict = verdict;
    uv_close((uv_handle_t *)&client->timer, on_timer_closed);
}

/* Call the hook last, because it may stop the client. */
static void decide(struct redis_uv *client, struct redial_outcome outcome)
{
    struct redial_step step = redial_next(&client->call, outcome, now_ms(client), client->env->random(client->env));
    if (step.verdict != REDIAL_RETRY) {
        end(client, step.verdict);
        return;
    }
    uv_update_time(client->loop);   /* otherwise the timer would start from an old reading of the clock */
    uv_timer_start(&client->timer, attempt, step.delay_ms, 0);
    client->on_wait(client, outcome, step.delay_ms);
}

/* The connection has ended. Its uptime becomes part of the outcome. */
static struct redial_outcome over(struct redis_uv *client, struct redial_outcome outcome)
{
    if (client->up && outcome.kind == REDIAL_KIND_RETRY)
        outcome = redial_disconnected(outcome.code, now_ms(client) - client->since_ms);
    client->up = false;
    client->context = NULL;
    uv_timer_stop(&client->timer);
    return outcome;
}

/* Ends a connection that hiredis still has. */
static void leave(redisAsyncContext *context)
{
    if (!context)
        return;
    context->data = NULL;
    redisAsyncFree(context);
}

static void finish(struct redis_uv *client, struct redial_outcome outcome)
{
    redisAsyncContext *context = client->context;
    outcome = over(client, outcome);
    leave(context);
    decide(client, outcome);
}

/* ---- callbacks of hiredis ---- */

/* context->err is not set yet when a connection is refused. */
static struct redial_outcome broken(struct redis_uv *client, const redisAsyncContext *context)
{
    int code = context->c.err;
    redis_error_copy(client->error, sizeof client->error, context->c.errstr);
    return code == REDIS_ERR_PROTOCOL ? redial_fail(code) : redial_retry(code);
}

/* hiredis frees the connection after these two callbacks. */
static void on_connected(const redisAsyncContext *context, int status)
{
    struct redis_uv *client = context->data;
    if (client && status != REDIS_OK)
        decide(client, over(client, broken(client, context)));
}

static void on_disconnected(const redisAsyncContext *context, int status)
{
    struct redis_uv *client = context->data;
    (void)status;
    if (client)
        decide(client, over(client, broken(client, context)));
}

/* True: the reply is an error, and the attempt has ended. A NULL reply means that the connection broke. */
static bool refused(struct redis_uv *client, const redisReply *reply, bool to_auth)
{
    if (reply->type != REDIS_REPLY_ERROR)
        return false;
    redis_error_copy(client->error, sizeof client->error, reply->str);
    if (to_auth)
        redis_error_hide_quoted(client->error);
    finish(client, redis_error_outcome(reply->str));
    return true;
}

static void on_auth(redisAsyncContext *context, void *reply, void *unused)
{
    (void)unused;
    if (reply && context->data)
        refused(context->data, reply, true);
}

/* A server also accepts connections while it loads its data or has too many clients. With this reply it is up. */
static void on_pong(redisAsyncContext *context, void *reply, void *unused)
{
    struct redis_uv *client = context->data;
    (void)unused;
    if (!reply || !client || refused(client, reply, false))
        return;
    uv_timer_stop(&client->timer);
    client->since_ms = now_ms(client);
    client->up = true;
    client->on_up(client);
}

/* ---- one attempt ---- */

static void too_late(uv_timer_t *timer)
{
    struct redis_uv *client = timer->data;
    redis_error_copy(client->error, sizeof client->error, "no reply in time");
    finish(client, redial_retry(REDIS_ERR_IO));
}

static bool greet(struct redis_uv *client, redisAsyncContext *context)
{
    if (redisAsyncSetConnectCallback(context, on_connected) != REDIS_OK
        || redisAsyncSetDisconnectCallback(context, on_disconnected) != REDIS_OK)
        return false;
    if (client->password && redisAsyncCommand(context, on_auth, NULL, "AUTH %s", client->password) != REDIS_OK)
        return false;
    return redisAsyncCommand(context, on_pong, NULL, "PING") == REDIS_OK;
}

/* False: it failed at once; see `error`. */
static bool connect_now(struct redis_uv *client)
{
    redisAsyncContext *context = redisAsyncConnect(client->host, client->port);
    client->context = context;
    if (context)
        context->data = client;
    if (context && !context->err && redis_uv_poll(context, client->loop) && greet(client, context))
        return true;
    redis_error_copy(client->error, sizeof client->error,
                     context && context->err ? context->errstr : "no memory, or no place in the loop");
    return false;
}

static void attempt(uv_timer_t *timer)
{
    struct redis_uv *client = timer->data;
    uint32_t timeout_ms = redial_timeout_ms(&client->call, now_ms(client));
    if (timeout_ms == 0) {
        end(client, REDIAL_TIMED_OUT);
    } else if (!connect_now(client)) {
        finish(client, redial_retry(REDIS_ERR_OTHER));
    } else {
        uv_update_time(client->loop);
        uv_timer_start(timer, too_late, timeout_ms, 0);
    }
}

/* ---- what the program calls ---- */

bool redis_uv_start(struct redis_uv *client)
{
    if (!redial_begin(&client->call, client->policy, now_ms(client)))
        return false;
    uv_timer_init(client->loop, &client->timer);
    client->timer.data = client;
    uv_timer_start(&client->timer, attempt, 0, 0);
    return true;
}

void redis_uv_reconnect(struct redis_uv *client, struct redial_outcome outcome)
{
    if (client->up)
        finish(client, outcome);
}

void redis_uv_stop(struct redis_uv *client)
{
    redisAsyncContext *context = client->context;
    client->context = NULL;
    client->up = false;
    leave(context);
    end(client, REDIAL_CANCELLED);
}
