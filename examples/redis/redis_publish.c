/* Publishes each line of its input on a channel of Redis, and loses none while the server restarts:
   one redial_run for each line. Needs hiredis. SPDX-License-Identifier: MIT

       tail -F /var/log/app.log | redis_publish 127.0.0.1 6379 log
       REDISCLI_AUTH=... redis_publish redis.example.com 6379 log <lines.txt

   To copy: redis_call.c, one attempt of a command; redis_error.c, which replies mean a retry. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/interrupt.h"
#include "../common/stdout.h"
#include "redis_call.h"

/* For ever, because the input can wait. WIDE, because all clients of a server lose it at once. */
static const struct redial_policy policy = {
    .base_ms = 100, .cap_ms = 10000, .max_retries = REDIAL_NO_LIMIT, .attempt_ms = 2000,
    .jitter = REDIAL_JITTER_WIDE
};

struct publisher {
    struct redis_link link;
    const char *channel;
    char *line;
    size_t length;
};

/* A line that was sent without a reply is repeated: subscribers may get it twice. */
static struct redial_outcome publish(void *user, const struct redial_attempt *attempt)
{
    struct publisher *publisher = user;
    const char *const words[] = { "PUBLISH", publisher->channel, publisher->line };
    const size_t lengths[] = { strlen(words[0]), strlen(words[1]), publisher->length };
    const struct redis_command command = { 3, words, lengths, true };
    redisReply *reply;
    struct redial_outcome outcome = redis_run(&publisher->link, attempt, &command, &reply);
    freeReplyObject(reply);
    return outcome;
}

static void print_wait(const struct redial_env *env, const struct redial_event *event)
{
    const struct publisher *publisher = env->user;
    fprintf(stderr, "%s: retry %u in %u ms\n", publisher->link.error, (unsigned)event->retry,
            (unsigned)event->delay_ms);
}

/* False: there is none, or a signal came. */
static bool read_line(struct publisher *publisher, size_t *size)
{
    ssize_t length = getline(&publisher->line, size, stdin);
    if (length < 0)
        return false;
    publisher->length = (size_t)length - (publisher->line[length - 1] == '\n');
    return true;
}

int main(int argc, char **argv)
{
    struct publisher publisher = { .link = { .master = true } };
    enum redial_verdict verdict = REDIAL_DONE;
    struct redial_env env = *redial_system();
    unsigned long published = 0;
    size_t size = 0;
    stdout_begin();   /* what stderr is told must not get to Redis */
    if (argc != 4 || atoi(argv[2]) < 1 || atoi(argv[2]) > 65535) {
        fprintf(stderr, "usage: redis_publish HOST PORT CHANNEL; a password is in REDISCLI_AUTH\n");
        return 2;
    }
    publisher.link.host = argv[1];
    publisher.link.port = atoi(argv[2]);
    publisher.link.password = getenv("REDISCLI_AUTH");
    publisher.channel = argv[3];
    env.cancelled = interrupt_cancelled;
    env.on_wait = print_wait;
    env.user = &publisher;
    interrupt_catch();
    signal(SIGPIPE, SIG_IGN);
    while (verdict == REDIAL_DONE && !interrupted && read_line(&publisher, &size)) {
        verdict = redial_run(&policy, &env, publish, &publisher, NULL);
        published += verdict == REDIAL_DONE;
    }
    if (interrupted)
        verdict = REDIAL_CANCELLED;
    if (verdict == REDIAL_FAILED)
        fprintf(stderr, "%s; ", publisher.link.error);
    fprintf(stderr, "%s; published: %lu\n", redial_verdict_name(verdict), published);
    redis_close(&publisher.link);
    free(publisher.line);
    return verdict == REDIAL_DONE && !ferror(stdin) ? EXIT_SUCCESS : EXIT_FAILURE;
}
