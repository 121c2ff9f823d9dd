/* Publishes each line of its input on a channel of Redis, for ever: redial_run, REDIAL_NO_LIMIT, min_uptime_ms and
   redial_disconnected. Needs hiredis. SPDX-License-Identifier: MIT

       tail -F /var/log/app.log | redis_publish --port 6379 --channel log
       REDISCLI_AUTH=... redis_publish --host redis.example.com

   To copy: redis_error.c, which error replies are worth a retry; redis_call.c, one attempt of a command; publisher.c, a
   connection that should stay up. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../common/options.h"
#include "publisher.h"

#define PASSWORD "REDISCLI_AUTH"    /* redis-cli reads it, too */

/* ---- Ctrl-C: the flag ends a wait of redial_run, and the pipe ends a wait for input ---- */

static volatile sig_atomic_t stopped;
static int stop_pipe[2];

static void stop(int signal_number)
{
    ssize_t ignored = write(stop_pipe[1], "", 1);
    (void)ignored;
    (void)signal_number;
    stopped = 1;
}

static bool cancelled(const struct redial_env *env)
{
    (void)env;
    return stopped != 0;
}

static bool prepare_signals(void)
{
    struct sigaction action = { .sa_handler = stop };
    action.sa_flags = (int)SA_RESETHAND;    /* a second Ctrl-C ends the program at once */
    return pipe(stop_pipe) == 0 && sigaction(SIGINT, &action, NULL) == 0 && sigaction(SIGTERM, &action, NULL) == 0
           && signal(SIGPIPE, SIG_IGN) != SIG_ERR;
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
        { "base", "MS", "the first wait", &policy->base_ms, 1, UINT32_MAX, NULL, NULL },
        { "cap", "MS", "the longest wait", &policy->cap_ms, 1, UINT32_MAX, NULL, NULL },
        { "mode", "MODE", "the jitter mode", &mode, 1, 0, options_modes, NULL },
        { "retries", "N", "retries in one outage", &policy->max_retries, 0, UINT32_MAX - 1, options_unlimited, NULL },
        { "attempt", "MS", "to connect, and for one reply", &policy->attempt_ms, 1, INT32_MAX, NULL, NULL },
        { "min-uptime", "MS", "uptime that resets the retries", &policy->min_uptime_ms, 1, UINT32_MAX, NULL, NULL },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL },
    };
    options_read(argc, argv, "Publishes each line of its input. A password is in " PASSWORD ".", options);
    options_set_mode(policy, mode);
    publisher->link.port = (int)port;
    publisher->repeat = repeat != 0;
}

int main(int argc, char **argv)
{
    static struct publisher publisher = { .link = { .host = "127.0.0.1" }, .channel = "lines" };
    struct redial_policy policy = { .base_ms = 500, .cap_ms = 32000, .jitter_ms = 1000, .jitter = REDIAL_JITTER_SPREAD,
                                    .max_retries = REDIAL_NO_LIMIT, .attempt_ms = 5000, .min_uptime_ms = 10000 };
    struct redial_env env = *redial_system();
    struct redial_report report;
    read_options(&publisher, &policy, argc, argv);
    if (!prepare_signals()) {
        perror("redis_publish");
        return EXIT_FAILURE;
    }
    publisher.link.password = getenv(PASSWORD);
    publisher.stop_fd = stop_pipe[0];
    env.cancelled = cancelled;
    env.on_wait = print_wait;
    env.user = &publisher;
    redial_run(&policy, &env, publisher_connection, &publisher, &report);
    return finish(&publisher, &report);
}
