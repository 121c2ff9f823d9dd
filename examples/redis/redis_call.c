/* Sends one command to Redis with hiredis, through a restart of the server, and prints the reply.
   SPDX-License-Identifier: MIT

       redis_call 127.0.0.1 6379 INCR visits        a password is in REDISCLI_AUTH

   No command is done twice: after one that got no reply, the program says so and ends. To copy: all
   above "the program", and redis_error.c. */
#include <errno.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/interrupt.h"
#include "../common/stdout.h"
#include "redis_error.h"

/* Initialise the first members, and set all else to 0. One thread at a time. */
struct redis_link {
    const char *host;       /* looked up for each connection, and so finds the current master */
    int port;
    const char *password;   /* NULL: none. `error` never contains it */
    redisContext *context;  /* NULL: not connected */
    char error[128];        /* for people, after an outcome that is not DONE */
    const struct redial_env *env;
    uint32_t began_ms, limit_ms;
};

struct redis_command {
    int count;
    const char *const *words;
    /* True: it may be done twice, because twice has the same effect as once (SET, GET, DEL), or is
       better than never. */
    bool repeat;
};

static struct timeval to_timeval(uint32_t ms)
{
    return (struct timeval){ .tv_sec = ms / 1000, .tv_usec = (int)(ms % 1000) * 1000 };
}

/* Limits the next read or write. hiredis alone would give each piece of a reply the whole time
   again. */
static bool is_time(struct redis_link *link)
{
    uint32_t spent_ms = link->env->now_ms(link->env) - link->began_ms;
    if (spent_ms < link->limit_ms)   /* 0 would mean "no limit" to the system */
        return redisSetTimeout(link->context, to_timeval(link->limit_ms - spent_ms)) == REDIS_OK;
    link->context->err = REDIS_ERR_IO;
    errno = EAGAIN;
    return false;
}

static void redis_close(struct redis_link *link)
{
    redisFree(link->context);
    link->context = NULL;
}

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
        outcome = redis_error_outcome((*reply)->str);
        redis_error_copy(link->error, sizeof link->error, (*reply)->str);
        freeReplyObject(*reply);
        *reply = NULL;
        if (outcome.code == REDIS_ADVICE_RECONNECT)
            redis_close(link);
    }
    return outcome;
}

/* Safe to repeat, on the next connection. */
static struct redial_outcome greet_with(struct redis_link *link, const char *name,
                                        const char *argument)
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
        outcome = greet_with(link, "AUTH", link->password);
        redis_error_hide_quoted(link->error);
    }
    if (outcome.kind == REDIAL_KIND_DONE)
        outcome = greet_with(link, "PING", NULL);
    return strncmp(link->error, "MISCONF ", 8) == 0 ? redial_done() : outcome;
}

/* ---- the connection ---- */

static struct redial_outcome connect_link(struct redis_link *link)
{
    struct redial_outcome outcome;
    redis_close(link);
    link->context = redisConnectWithTimeout(link->host, link->port, to_timeval(link->limit_ms));
    if (!link->context || link->context->err
        || redisEnableKeepAlive(link->context) != REDIS_OK)   /* finds a server that is gone */
        return broken(link, true);
    outcome = greet(link);
    if (outcome.kind != REDIAL_KIND_DONE)
        redis_close(link);
    return outcome;
}

/* Connects if needed, sends the command and waits for its reply, which the caller frees. *reply is
   NULL unless the outcome is DONE; an error reply becomes the outcome. A new connection is greeted
   with AUTH if there is a password, and with PING, because a server also accepts connections while
   it loads its data or has too many clients.

   If the command was sent and no reply came, the server may have done it: RETRY if it may be done
   twice, otherwise UNSURE. After any other RETRY or FAIL it was not done. attempt_ms limits all but
   the look-up of a name. The program must ignore SIGPIPE: hiredis writes to connections that the
   server may have closed. */
static struct redial_outcome redis_run(struct redis_link *link,
                                       const struct redial_attempt *attempt,
                                       const struct redis_command *command, redisReply **reply)
{
    struct redial_outcome outcome = redial_done();
    struct pollfd readable = { link->context ? link->context->fd : -1, POLLIN, 0 };
    *reply = NULL;
    link->env = attempt->env;
    link->began_ms = attempt->env->now_ms(attempt->env);
    link->limit_ms = attempt->timeout_ms < INT32_MAX ? attempt->timeout_ms : INT32_MAX;
    /* If the server has closed it or sent unexpected data, any command may use a new connection,
       because nothing was sent yet. */
    if (!link->context || poll(&readable, 1, 0) > 0)
        outcome = connect_link(link);
    return outcome.kind == REDIAL_KIND_DONE ? ask(link, command, reply) : outcome;
}

/* ---- the program ---- */

/* WIDE, because all clients of a server lose it at once. */
static const struct redial_policy policy = {
    .base_ms = 100, .cap_ms = 10000, .jitter = REDIAL_JITTER_WIDE,
    .max_retries = REDIAL_NO_LIMIT, .max_elapsed_ms = 300000, .attempt_ms = 2000
};

struct request {
    struct redis_link link;
    struct redis_command command;
    redisReply *reply;
};

static struct redial_outcome send_once(void *user, const struct redial_attempt *attempt)
{
    struct request *request = user;
    return redis_run(&request->link, attempt, &request->command, &request->reply);
}

static void print_wait(const struct redial_env *env, const struct redial_event *event)
{
    const struct request *request = env->user;
    fprintf(stderr, "%s: retry %u in %u ms\n", request->link.error, (unsigned)event->retry,
            (unsigned)event->delay_ms);
}

static void print_reply(const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_INTEGER)
        printf("%lld\n", reply->integer);
    else if (reply->type != REDIS_REPLY_ARRAY)
        puts(reply->str ? reply->str : "(nil)");
    for (size_t i = 0; i < reply->elements; i++)
        print_reply(reply->element[i]);
}

int main(int argc, char **argv)
{
    struct request request = { .link = { .password = getenv("REDISCLI_AUTH") } };
    struct redial_env env = *redial_system();
    enum redial_verdict verdict;
    stdout_begin();   /* what stderr is told must not get to Redis */
    if (argc < 4 || argv[1][0] == '-' || atoi(argv[2]) < 1 || atoi(argv[2]) > 65535) {
        fputs("usage: redis_call HOST PORT COMMAND [ARGUMENT...]\n", stderr);
        return 2;
    }
    request.link.host = argv[1];
    request.link.port = atoi(argv[2]);
    request.command = (struct redis_command){ argc - 3, (const char *const *)argv + 3, false };
    env.cancelled = interrupt_cancelled;
    env.on_wait = print_wait;
    env.user = &request;
    interrupt_catch();
    signal(SIGPIPE, SIG_IGN);
    verdict = redial_run(&policy, &env, send_once, &request, NULL);
    if (verdict == REDIAL_DONE)
        print_reply(request.reply);
    else   /* a retry followed only what was not done */
        fprintf(stderr, "%s, the command %s: %s\n", redial_verdict_name(verdict),
                verdict == REDIAL_UNSURE ? "may have been done"
                : verdict == REDIAL_FAILED ? "was refused" : "was not done", request.link.error);
    freeReplyObject(request.reply);
    redis_close(&request.link);
    return stdout_end("redis_call", verdict == REDIAL_DONE ? EXIT_SUCCESS : EXIT_FAILURE);
}
