/* Publishes each line of its input on a channel of Redis, for ever: redial_run, REDIAL_NO_LIMIT, min_uptime_ms and
   redial_disconnected. Needs hiredis. SPDX-License-Identifier: MIT

       tail -F /var/log/app.log | redis_publish --port 6379 --channel log
       REDISCLI_AUTH=... redis_publish --host redis.example.com

   To copy: redis_error.c, which error replies are worth a retry; redis_call.c, one attempt of a command; publisher.c, a
   connection that should stay up. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/interrupt.h"
#include "options.h"
#include "publisher.h"

#define PASSWORD "REDISCLI_AUTH"    /* redis-cli reads it, too */

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
        { "attempt", "TIME", "the timeout to connect, and of one reply", &policy->attempt_ms, 1, INT32_MAX, NULL, NULL },
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
    struct redial_policy policy = { .base_ms = 500, .cap_ms = 32000, .jitter_ms = 1000, .jitter = REDIAL_JITTER_SPREAD,
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
    redial_run(&policy, &env, publisher_connection, &publisher, &report);
    return finish(&publisher, &report);
}
