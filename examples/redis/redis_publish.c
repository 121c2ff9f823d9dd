/* Publishes each line of its input on a channel of Redis, for ever: redial_run, REDIAL_NO_LIMIT, min_uptime_ms and
   redial_disconnected. Needs hiredis. SPDX-License-Identifier: MIT

       tail -F /var/log/app.log | redis_publish --port 6379 --channel log
       REDISCLI_AUTH=... redis_publish --host redis.example.com

   To copy: redis_error.c, which error replies are worth a retry; redis_call.c, one attempt of a command; from struct
   publisher to publish_lines, a connection that should stay up. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/interrupt.h"
#include "options.h"
#include "redis_call.h"
#include "redis_error.h"

#define CHECK_MS 1000
#define PASSWORD "REDISCLI_AUTH"    /* redis-cli reads it, too */

struct publisher {
    struct redis_link link;
    const char *channel;
    bool repeat;                /* repeat a line that was sent without a reply: subscribers may get it twice */
    int stop_fd;                /* the program stops when it becomes readable */
    unsigned long published, unheard, unknown;  /* unheard: published without a subscriber at this server;
                                                   unknown: sent without a reply, and not repeated */
    bool ended;                 /* the end of the input was read */
    size_t used;
    char buffer[65536];         /* the lines that were read and not yet published; no line may be longer */
};

/* ---- the input ---- */

/* The first complete line, without its end. The last line of a file needs no end. NULL: there is none. */
static const char *first_line(const struct publisher *publisher, size_t *length)
{
    const char *end = memchr(publisher->buffer, '\n', publisher->used);
    *length = end ? (size_t)(end - publisher->buffer) : publisher->used;
    return end || (publisher->ended && publisher->used > 0) ? publisher->buffer : NULL;
}

static void drop_line(struct publisher *publisher)
{
    size_t length;
    if (!first_line(publisher, &length))
        return;
    length += length < publisher->used;     /* the newline */
    publisher->used -= length;
    memmove(publisher->buffer, publisher->buffer + length, publisher->used);
}

/* False: a line is too long, or cannot be read. */
static bool read_lines(struct publisher *publisher)
{
    ssize_t got;
    errno = EMSGSIZE;
    if (publisher->used == sizeof publisher->buffer)
        return false;
    got = read(STDIN_FILENO, publisher->buffer + publisher->used, sizeof publisher->buffer - publisher->used);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    publisher->used += (size_t)got;
    publisher->ended = got == 0;
    return true;
}

/* ---- a connection from its beginning to its end ---- */

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
    drop_line(publisher);
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
    drop_line(publisher);
    return outcome;
}

/* Waits for a line, but for a second at most and only while the connection is quiet. RETRY: the program was told to
   stop; its cancelled() returns true, so that there is no retry. */
static struct redial_outcome wait_for_line(struct publisher *publisher)
{
    struct pollfd fds[] = { { .fd = publisher->stop_fd, .events = POLLIN },
                            { .fd = publisher->link.context->fd, .events = POLLIN },
                            { .fd = STDIN_FILENO, .events = POLLIN } };
    if (poll(fds, 3, CHECK_MS) < 0)
        return errno == EINTR ? redial_done() : input_failed(publisher);
    if (fds[0].revents)
        return redial_retry(REDIS_ERR_OTHER, 0);
    if (fds[2].revents && !read_lines(publisher))
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
        line = first_line(publisher, &length);
        if (line)
            outcome = publish_line(publisher, line, length);
        else if (publisher->ended)
            break;
        else
            outcome = wait_for_line(publisher);
    }
    return outcome;
}

/* The operation for redial_run. DONE: all lines are published, and the input has ended. No line is lost while the
   server is away: it stays unread, or in the buffer. Uptime begins when the server has answered and is the master, so
   that the backoff keeps growing if a server accepts connections but cannot serve. */
static struct redial_outcome publish_lines(void *user, const struct redial_attempt *attempt)
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
    outcome.uptime_ms = attempt->env->now_ms(attempt->env) - since_ms;
    return outcome;
}

/* ---- output ---- */

static void print_wait(const struct redial_env *env, const struct redial_event *event)
{
    const struct publisher *publisher = env->user;
    fprintf(stderr, "%s: retry %u in %u ms", publisher->link.error, (unsigned)event->retry, (unsigned)event->delay_ms);
    if (event->outcome.uptime_ms)
        fprintf(stderr, "; it worked for %u ms", (unsigned)event->outcome.uptime_ms);
    fputc('\n', stderr);
}

static int finish(const struct publisher *publisher, const struct redial_report *report)
{
    fprintf(stderr, "%s; published: %lu", redial_verdict_name(report->verdict), publisher->published);
    if (publisher->unheard)
        fprintf(stderr, "; heard by nobody: %lu", publisher->unheard);
    if (publisher->unknown)
        fprintf(stderr, "; sent without a reply and not repeated: %lu", publisher->unknown);
    if (report->verdict != REDIAL_DONE && report->verdict != REDIAL_CANCELLED)
        fprintf(stderr, "; %s", publisher->link.error);
    fputc('\n', stderr);
    return report->verdict == REDIAL_DONE ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- the program ---- */

static void read_options(struct publisher *publisher, struct redial_policy *policy, int argc, char **argv)
{
    static const struct option_word yes_no[] = { { "yes", 1 }, { "no", 0 }, { NULL, 0 } };
    uint32_t port = 6379, mode = policy->jitter, repeat = 0;
    const struct option options[] = {
        { "host", "NAME", "the server [127.0.0.1]", NULL, 0, 0, NULL, &publisher->link.host },
        { "port", "N", "the port of the server", &port, 1, 65535, NULL, NULL },
        { "channel", "NAME", "the channel [lines]", NULL, 0, 0, NULL, &publisher->channel },
        { "repeat", "WORD", "repeat a line that got no reply: yes or no", &repeat, 1, 0, yes_no, NULL },
        { "base", "TIME", "the first wait", &policy->base_ms, 1, UINT32_MAX, NULL, NULL },
        { "cap", "TIME", "the longest wait", &policy->cap_ms, 1, UINT32_MAX, NULL, NULL },
        OPTION_MODE(&mode),
        { "retries", "N", "retries in one outage", &policy->max_retries, 0, UINT32_MAX - 1, options_unlimited, NULL },
        { "attempt", "TIME", "the timeout to connect, and of a reply", &policy->attempt_ms, 1, INT32_MAX, NULL, NULL },
        { "min-uptime", "TIME", "uptime that resets the retries", &policy->min_uptime_ms, 1, UINT32_MAX, NULL, NULL },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL },
    };
    options_read(argc, argv, "Publishes each line of its input. A password is in " PASSWORD ".", options);
    options_set_mode(policy, mode);
    publisher->link.port = (int)port;
    publisher->repeat = repeat != 0;
}

int main(int argc, char **argv)
{
    static struct publisher publisher = { .link = { .host = "127.0.0.1", .master = true }, .channel = "lines" };
    struct redial_policy policy = { .base_ms = 500, .cap_ms = 32000, .jitter_ms = 1000, .jitter = REDIAL_JITTER_WIDE,
                                    .max_retries = REDIAL_NO_LIMIT, .attempt_ms = 5000, .min_uptime_ms = 10000 };
    struct redial_env env = *redial_system();
    struct redial_report report;
    read_options(&publisher, &policy, argc, argv);
    publisher.stop_fd = interrupt_fd();
    if (publisher.stop_fd < 0) {
        perror("redis_publish");
        return EXIT_FAILURE;
    }
    publisher.link.password = getenv(PASSWORD);
    env.cancelled = interrupt_cancelled;
    env.on_wait = print_wait;
    env.user = &publisher;
    interrupt_catch();
    signal(SIGPIPE, SIG_IGN);
    redial_run(&policy, &env, publish_lines, &publisher, &report);
    return finish(&publisher, &report);
}
