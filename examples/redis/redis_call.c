/* One attempt of a Redis command with hiredis, blocking. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "redis_call.h"
#include "redis_error.h"

#define SILENCE_MS 60000

/* ---- time ---- */

void redis_limit(struct redis_link *link, const struct redial_env *env, uint32_t limit_ms)
{
    link->env = env;
    link->began_ms = env->now_ms(env);
    link->limit_ms = limit_ms;
}

/* At least 1 ms, because 0 means "no limit" to the system. At most INT_MAX, because hiredis passes it to poll(). */
static struct timeval time_left(const struct redis_link *link)
{
    uint32_t spent_ms = link->env->now_ms(link->env) - link->began_ms;
    uint32_t left_ms = spent_ms < link->limit_ms ? link->limit_ms - spent_ms : 1;
    uint32_t most_ms = link->silence_ms ? link->silence_ms : SILENCE_MS;
    if (left_ms > most_ms)
        left_ms = most_ms;
    if (left_ms > INT32_MAX)
        left_ms = INT32_MAX;
    return (struct timeval){ .tv_sec = left_ms / 1000, .tv_usec = (int)(left_ms % 1000) * 1000 };
}

/* Limits the next read or write. hiredis alone would give each piece of a reply the whole time again. */
static bool is_time(struct redis_link *link)
{
    if (link->limit_ms == UINT32_MAX || link->env->now_ms(link->env) - link->began_ms < link->limit_ms)
        return redisSetTimeout(link->context, time_left(link)) == REDIS_OK;
    link->context->err = REDIS_ERR_IO;
    errno = EAGAIN;
    return false;
}

/* ---- outcomes ---- */

/* The connection is unusable. If something other than Redis answers at that port, a retry would not help. */
static struct redial_outcome broken(struct redis_link *link, bool repeat)
{
    int code = link->context ? link->context->err : REDIS_ERR_OOM;
    bool late = code == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK);
    const char *why = !link->context ? "out of memory" : late ? "no reply in time" : link->context->errstr;
    redis_error_copy(link->error, sizeof link->error, why);
    redis_close(link);
    return repeat && code != REDIS_ERR_PROTOCOL ? redial_retry(code, 0) : redial_fail(code);
}

static struct redial_outcome left(struct redis_link *link, int code, const char *why)
{
    redis_error_copy(link->error, sizeof link->error, why);
    redis_close(link);
    return redial_retry(code, 0);
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
    while (!sent)
        if (!is_time(link) || redisBufferWrite(link->context, &sent) != REDIS_OK)
            return NULL;
    while (redisGetReplyFromReader(link->context, &reply) == REDIS_OK && !reply)
        if (!is_time(link) || redisBufferRead(link->context) != REDIS_OK)
            return NULL;
    return reply;
}

/* Several commands: *reply is the last one's, or the first error ends it. Then replies are unread, so the connection is
   closed. */
static struct redial_outcome exchange(struct redis_link *link, const struct redis_command *commands, unsigned count,
                                      redisReply **reply)
{
    struct redial_outcome outcome = redial_done();
    *reply = NULL;
    for (unsigned i = 0; i < count; i++)
        redisAppendCommandArgv(link->context, commands[i].count, (const char **)(uintptr_t)commands[i].words,
                               commands[i].lengths);
    for (unsigned i = 0; i < count && outcome.kind == REDIAL_KIND_DONE; i++) {
        freeReplyObject(*reply);
        *reply = next_reply(link);
        if (!*reply) {
            link->maybe_done = true;
            return broken(link, commands[0].repeat);
        }
        if ((*reply)->type == REDIS_REPLY_ERROR)
            outcome = refused(link, *reply);
    }
    if (outcome.kind == REDIAL_KIND_DONE)
        return outcome;
    freeReplyObject(*reply);
    *reply = NULL;
    if (count > 1)
        redis_close(link);
    return outcome;
}

/* AUTH and PING are safe to repeat on the next connection. */
static struct redial_outcome greet(struct redis_link *link, const char *name, const char *argument)
{
    const char *words[] = { name, argument };
    const struct redis_command command = { argument ? 2 : 1, words, NULL, true };
    redisReply *reply;
    struct redial_outcome outcome = exchange(link, &command, 1, &reply);
    freeReplyObject(reply);
    if (argument)
        redis_error_hide_quoted(link->error);
    link->maybe_done = false;
    return outcome;
}

static bool is_master(const redisReply *role)
{
    return role->elements > 0 && role->element[0]->str && strcmp(role->element[0]->str, "master") == 0;
}

/* A replica is left, because the name may lead to the master by now. */
static struct redial_outcome ask_role(struct redis_link *link)
{
    static const char *const words[] = { "ROLE" };
    static const struct redis_command role = { 1, words, NULL, true };
    redisReply *reply;
    struct redial_outcome outcome = exchange(link, &role, 1, &reply);
    link->maybe_done = false;
    link->checked_ms = link->env->now_ms(link->env);
    if (reply && !is_master(reply))
        outcome = left(link, REDIS_ADVICE_RECONNECT, "the server is not the master");
    freeReplyObject(reply);
    return outcome;
}

/* ---- the connection ---- */

void redis_close(struct redis_link *link)
{
    redisFree(link->context);
    link->context = NULL;
}

bool redis_is_broken(const struct redis_link *link)
{
    struct pollfd readable = { .events = POLLIN };
    if (!link->context)
        return true;
    readable.fd = link->context->fd;
    return poll(&readable, 1, 0) > 0;
}

struct redial_outcome redis_open(struct redis_link *link)
{
    struct redial_outcome outcome = redial_done();
    redis_close(link);
    link->maybe_done = false;
    link->context = redisConnectWithTimeout(link->host, link->port, time_left(link));
    if (!link->context || link->context->err)
        return broken(link, true);
    if (redisEnableKeepAlive(link->context) != REDIS_OK)    /* detects that the server's machine is gone */
        return broken(link, true);
    if (link->password)
        outcome = greet(link, "AUTH", link->password);
    if (outcome.kind == REDIAL_KIND_DONE)
        outcome = greet(link, "PING", NULL);
    if (outcome.kind == REDIAL_KIND_DONE && link->master)
        outcome = ask_role(link);
    if (outcome.kind != REDIAL_KIND_DONE)
        redis_close(link);
    return outcome;
}

struct redial_outcome redis_run_all(struct redis_link *link, const struct redis_command *commands, unsigned count,
                                    redisReply **reply)
{
    struct redial_outcome outcome = redial_done();
    *reply = NULL;
    link->maybe_done = false;
    if (redis_is_broken(link))      /* nothing was sent yet, so any command may use a new connection */
        outcome = redis_open(link);
    return outcome.kind == REDIAL_KIND_DONE ? exchange(link, commands, count, reply) : outcome;
}

struct redial_outcome redis_run(struct redis_link *link, const struct redis_command *command, redisReply **reply)
{
    return redis_run_all(link, command, 1, reply);
}

struct redial_outcome redis_check_master(struct redis_link *link, uint32_t age_ms)
{
    link->maybe_done = false;
    if (redis_is_broken(link))
        return left(link, REDIS_ERR_EOF, "the server closed the connection");
    return link->env->now_ms(link->env) - link->checked_ms < age_ms ? redial_done() : ask_role(link);
}
