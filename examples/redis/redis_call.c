/* One attempt of a Redis command with hiredis, blocking. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "redis_call.h"
#include "redis_error.h"

/* ---- time ---- */

static uint32_t time_left_ms(const struct redis_link *link)
{
    uint32_t spent_ms = link->env->now_ms(link->env) - link->began_ms;
    uint32_t left_ms = spent_ms < link->limit_ms ? link->limit_ms - spent_ms : 0;
    return left_ms < INT32_MAX ? left_ms : INT32_MAX;   /* hiredis passes it to poll() */
}

static struct timeval to_timeval(uint32_t ms)
{
    return (struct timeval){ .tv_sec = ms / 1000, .tv_usec = (int)(ms % 1000) * 1000 };
}

/* Limits the next read or write. hiredis alone would give each piece of a reply the whole time
   again. */
static bool is_time(struct redis_link *link)
{
    uint32_t left_ms = time_left_ms(link);
    if (left_ms > 0)   /* 0 means "no limit" to the system */
        return redisSetTimeout(link->context, to_timeval(left_ms)) == REDIS_OK;
    link->context->err = REDIS_ERR_IO;
    errno = EAGAIN;
    return false;
}

/* ---- outcomes ---- */

/* The connection is unusable. If something other than Redis answers at that port, a retry would not
   help. */
static struct redial_outcome broken(struct redis_link *link, bool repeat)
{
    int code = link->context ? link->context->err : REDIS_ERR_OOM;
    bool late = code == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK);
    const char *why = !link->context ? "out of memory" : late ? "no reply in time"
                                                              : link->context->errstr;
    redis_error_copy(link->error, sizeof link->error, why);
    redis_close(link);
    if (!repeat)
        return redial_unsure(code);
    return code == REDIS_ERR_PROTOCOL ? redial_fail(code) : redial_retry(code, 0);
}

static struct redial_outcome refused(struct redis_link *link, const redisReply *reply)
{
    struct redial_outcome outcome = redis_error_outcome(reply->str);
    redis_error_copy(link->error, sizeof link->error, reply->str);
    if (outcome.code == REDIS_ADVICE_RECONNECT)
        redis_close(link);
    return outcome;
}

/* ---- commands on an open connection ---- */

/* NULL: none came. */
static redisReply *next_reply(struct redis_link *link)
{
    void *reply = NULL;
    int sent = 0;
    while (!reply && is_time(link))
        if ((sent ? redisBufferRead(link->context) : redisBufferWrite(link->context, &sent))
                != REDIS_OK
            || redisGetReplyFromReader(link->context, &reply) != REDIS_OK)
            return NULL;
    return reply;
}

static struct redial_outcome ask(struct redis_link *link, const struct redis_command *command,
                                 redisReply **reply)
{
    struct redial_outcome outcome = redial_done();
    if (!is_time(link))
        return broken(link, true);   /* nothing is sent */
    redisAppendCommandArgv(link->context, command->count,
                           (const char **)(uintptr_t)command->words, NULL);
    *reply = next_reply(link);
    if (!*reply)
        return broken(link, command->repeat);
    if ((*reply)->type == REDIS_REPLY_ERROR) {
        outcome = refused(link, *reply);
        freeReplyObject(*reply);
        *reply = NULL;
    }
    return outcome;
}

/* Safe to repeat, on the next connection. */
static struct redial_outcome say(struct redis_link *link, const char *name, const char *argument)
{
    const char *const words[] = { name, argument };
    const struct redis_command command = { argument ? 2 : 1, words, true };
    redisReply *reply = NULL;
    struct redial_outcome outcome = ask(link, &command, &reply);
    freeReplyObject(reply);
    return outcome;
}

/* A server that could not save its data refuses PING with MISCONF, and yet does commands that write
   nothing. */
static struct redial_outcome greet(struct redis_link *link)
{
    struct redial_outcome outcome = redial_done();
    if (link->password) {
        outcome = say(link, "AUTH", link->password);
        redis_error_hide_quoted(link->error);
    }
    if (outcome.kind == REDIAL_KIND_DONE)
        outcome = say(link, "PING", NULL);
    return strncmp(link->error, "MISCONF ", 8) == 0 ? redial_done() : outcome;
}

/* ---- the connection ---- */

void redis_close(struct redis_link *link)
{
    redisFree(link->context);
    link->context = NULL;
}

/* The server has closed it or sent unexpected data, or there is none. */
static bool is_broken(const struct redis_link *link)
{
    struct pollfd readable = { .events = POLLIN };
    if (!link->context)
        return true;
    readable.fd = link->context->fd;
    return poll(&readable, 1, 0) > 0;
}

static struct redial_outcome connect_link(struct redis_link *link)
{
    struct redial_outcome outcome;
    redis_close(link);
    link->context = redisConnectWithTimeout(link->host, link->port, to_timeval(link->limit_ms));
    if (!link->context || link->context->err)
        return broken(link, true);
    if (redisEnableKeepAlive(link->context) != REDIS_OK)   /* finds a server that is gone */
        return broken(link, true);
    outcome = greet(link);
    if (outcome.kind != REDIAL_KIND_DONE)
        redis_close(link);
    return outcome;
}

struct redial_outcome redis_run(struct redis_link *link, const struct redial_attempt *attempt,
                                const struct redis_command *command, redisReply **reply)
{
    struct redial_outcome outcome = redial_done();
    *reply = NULL;
    link->error[0] = '\0';
    link->env = attempt->env;
    link->began_ms = attempt->env->now_ms(attempt->env);
    link->limit_ms = attempt->timeout_ms < INT32_MAX ? attempt->timeout_ms : INT32_MAX;
    if (is_broken(link))   /* nothing was sent yet, so any command may use a new connection */
        outcome = connect_link(link);
    return outcome.kind == REDIAL_KIND_DONE ? ask(link, command, reply) : outcome;
}
