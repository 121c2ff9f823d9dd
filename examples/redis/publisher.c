/* Publishes lines for ever, and reconnects. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "publisher.h"
#include "redis_error.h"

#define CHECK_MS 1000

/* A line that cannot be published, because it is too long or cannot be read. */
static struct redial_outcome input_failed(struct publisher *publisher)
{
    snprintf(publisher->link.error, sizeof publisher->link.error, "input: %s", strerror(errno));
    return redial_fail(REDIS_ERR_OTHER);
}

/* The connection broke, and the line may have been published. The next attempt repeats it or drops it. */
static void sent_without_reply(struct publisher *publisher)
{
    if (publisher->repeat)
        return;
    publisher->unknown++;
    line_reader_drop(&publisher->lines);
}

/* `repeat` is true here, so that the connection is retried in any case. The code above decides about the line. */
static struct redial_outcome publish_line(struct publisher *publisher, const char *line, size_t length)
{
    const char *const words[] = { "PUBLISH", publisher->channel, line };
    const size_t lengths[] = { 7, strlen(publisher->channel), length };
    const struct redis_command command = { 3, words, lengths, true };
    redisReply *reply;
    struct redial_outcome outcome = redis_run(&publisher->link, &command, &reply);
    bool unheard = reply && reply->integer == 0;
    freeReplyObject(reply);
    if (publisher->link.maybe_done)
        sent_without_reply(publisher);
    if (unheard)                    /* at a replica, which also takes lines, the subscribers may be elsewhere */
        outcome = redis_check_master(&publisher->link, 0);
    if (outcome.kind != REDIAL_KIND_DONE)
        return outcome;
    publisher->published++;
    publisher->unheard += unheard;
    line_reader_drop(&publisher->lines);
    return outcome;
}

/* Waits for a line, but for a second at most and only while the connection is quiet. RETRY: the program was told to stop;
   its cancelled() returns true, so that there is no retry. */
static struct redial_outcome wait_for_line(struct publisher *publisher)
{
    struct pollfd fds[] = { { .fd = publisher->stop_fd, .events = POLLIN },
                            { .fd = publisher->link.context->fd, .events = POLLIN },
                            { .fd = publisher->lines.fd, .events = POLLIN } };
    if (poll(fds, 3, CHECK_MS) < 0)
        return errno == EINTR ? redial_done() : input_failed(publisher);
    if (fds[0].revents)
        return redial_retry(REDIS_ERR_OTHER);
    if (fds[2].revents && !line_reader_fill(&publisher->lines))
        return input_failed(publisher);
    return redial_done();
}

/* Repeats until an outcome is not DONE, or all lines are published. */
static struct redial_outcome publish_all(struct publisher *publisher, const struct redial_attempt *attempt)
{
    struct redial_outcome outcome = redial_done();
    const char *line;
    size_t length;
    while (outcome.kind == REDIAL_KIND_DONE) {
        redis_limit(&publisher->link, attempt->env, attempt->timeout_ms);
        outcome = redis_check_master(&publisher->link, CHECK_MS);
        if (outcome.kind != REDIAL_KIND_DONE)
            break;
        line = line_reader_first(&publisher->lines, &length);
        if (line)
            outcome = publish_line(publisher, line, length);
        else if (publisher->lines.ended)
            break;
        else
            outcome = wait_for_line(publisher);
    }
    return outcome;
}

/* Uptime begins when the server has answered and is the master. So the backoff keeps growing if a server accepts
   connections but cannot serve. */
struct redial_outcome publisher_connection(void *user, const struct redial_attempt *attempt)
{
    struct publisher *publisher = user;
    struct redial_outcome outcome;
    uint32_t since_ms;
    redis_limit(&publisher->link, attempt->env, attempt->timeout_ms);
    outcome = redis_open(&publisher->link);
    if (outcome.kind != REDIAL_KIND_DONE)
        return outcome;
    since_ms = attempt->env->now_ms(attempt->env);
    outcome = publish_all(publisher, attempt);
    redis_close(&publisher->link);
    if (outcome.kind != REDIAL_KIND_RETRY)
        return outcome;
    return redial_disconnected(outcome.code, attempt->env->now_ms(attempt->env) - since_ms);
}
