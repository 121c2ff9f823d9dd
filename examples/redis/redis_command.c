/* Sends one command to Redis, through a restart of the server, and prints the reply. Needs hiredis.
   SPDX-License-Identifier: MIT

       redis_command 127.0.0.1 6379 INCR visits        a password is in REDISCLI_AUTH

   No command is done twice: after one that got no reply, it says so and ends. To copy: redis_call.c
   and redis_error.c. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/interrupt.h"
#include "../common/stdout.h"
#include "redis_call.h"

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

/* A retry follows only what was not done. */
static void print_end(enum redial_verdict verdict, const char *error)
{
    fprintf(stderr, "%s, the command %s: %s\n", redial_verdict_name(verdict),
            verdict == REDIAL_UNSURE ? "may have been done"
            : verdict == REDIAL_FAILED ? "was refused" : "was not done", error);
}

int main(int argc, char **argv)
{
    struct request request = { .link = { .password = getenv("REDISCLI_AUTH") } };
    struct redial_env env = *redial_system();
    enum redial_verdict verdict;
    stdout_begin();   /* what stderr is told must not get to Redis */
    if (argc < 4 || argv[1][0] == '-' || atoi(argv[2]) < 1 || atoi(argv[2]) > 65535) {
        fputs("usage: redis_command HOST PORT COMMAND [ARGUMENT...]\n", stderr);
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
    else
        print_end(verdict, request.link.error);
    freeReplyObject(request.reply);
    redis_close(&request.link);
    return stdout_end("redis_command", verdict == REDIAL_DONE ? EXIT_SUCCESS : EXIT_FAILURE);
}
