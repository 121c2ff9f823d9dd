/* For the tests of the examples with Redis: a real server on loopback that is killed and started again on the same
   port. SPDX-License-Identifier: MIT */
#ifndef REDIS_FIXTURE_H
#define REDIS_FIXTURE_H

#include <stdlib.h>
#include <time.h>

#include "child.h"
#include "../unit/support.h"
#include "../../examples/common/loopback.h"
#include "../../examples/redis/redis_call.h"

static char dir[] = "/tmp/redial-redis-XXXXXX";
static uint16_t redis_port;
static pid_t redis_server;
static struct redis_link admin;     /* the test's own connection */

/* ---- the server ---- */

/* Keeps a free port over restarts. The socket is bound and never listens, so that nobody else gets the port, and the
   server may share it. While the server is away, connections are refused. */
static inline bool reserve_port(uint16_t *port)
{
    int yes = 1, fd = loopback_socket(port);
    return fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0
           && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

/* The environment may name another server, Valkey for example. */
static inline const char *server_program(void)
{
    const char *other = getenv("REDIAL_SERVER");
    return other ? other : SERVER;
}

/* more: options of redis-server, two words each; NULL: none. */
static inline void exec_server(const char *const *more)
{
    char port[8], log[64];
    const char *line[32] = { server_program(), "--port", port, "--bind", "127.0.0.1", "--dir", dir, "--logfile", log,
                             "--save", "", "--enable-debug-command", "yes", "--rdbcompression", "no" };
    unsigned count = 15;
    while (more && *more)
        line[count++] = *more++;
    line[count] = NULL;
    snprintf(port, sizeof port, "%u", (unsigned)redis_port);
    snprintf(log, sizeof log, "%s/log", dir);
    child_follows_parent(SIGKILL);
    execv(line[0], (char *const *)(uintptr_t)line);
    _exit(127);
}

static inline void start_server(const char *const *more)
{
    redis_server = fork();
    if (redis_server == 0)
        exec_server(more);
    assert_true(redis_server > 0);
}

static inline void kill_server(void)
{
    redis_close(&admin);
    if (redis_server > 0 && kill(redis_server, SIGKILL) == 0)
        waitpid(redis_server, NULL, 0);
    redis_server = 0;
}

/* ---- the test's own connection ---- */

/* One command, asked again until there is a verdict. */
struct question {
    struct redis_link *link;
    struct redis_command command;
    char text[128];
    const char *words[9];   /* ended by NULL */
    redisReply *reply;
    unsigned attempts;
};

static inline struct redial_outcome ask_once(void *user, const struct redial_attempt *attempt)
{
    struct question *question = user;
    question->attempts = attempt->number;
    redis_limit(question->link, attempt->env, attempt->timeout_ms);
    return redis_run(question->link, &question->command, &question->reply);
}

/* Blanks separate the words. It waits for a server that is being started. */
static inline enum redial_verdict ask(struct question *question, const struct redial_env *env, const char *text)
{
    static const struct redial_policy policy = { .base_ms = 1, .cap_ms = 20, .max_retries = REDIAL_NO_LIMIT,
                                                 .max_elapsed_ms = 120000, .jitter = REDIAL_JITTER_NONE };
    snprintf(question->text, sizeof question->text, "%s", text);
    memset(question->words, 0, sizeof question->words);
    add_words(question->words, question->text);
    question->command.words = question->words;
    for (question->command.count = 0; question->words[question->command.count];)
        question->command.count++;
    return redial_run(&policy, env, ask_once, question, NULL);
}

/* The reply, which you must free. */
static inline redisReply *tell(const char *text)
{
    struct question question = { .link = &admin, .command = { .repeat = true } };
    if (ask(&question, redial_system(), text) != REDIAL_DONE)
        fail_msg("%s: %s", text, admin.error);
    return question.reply;
}

static inline void tell_ok(const char *text)
{
    redisReply *reply = tell(text);
    assert_string_equal(reply->str, "OK");
    freeReplyObject(reply);
}

static inline long long tell_number(const char *text)
{
    redisReply *reply = tell(text);
    long long number = reply->type == REDIS_REPLY_INTEGER ? reply->integer : strtoll(reply->str, NULL, 10);
    freeReplyObject(reply);
    return number;
}

/* ---- before all tests, before each, after all ---- */

static inline int make_place(void **state)
{
    if (access(server_program(), X_OK) != 0) {
        puts("there is no redis-server");
        exit(77);
    }
    signal(SIGPIPE, SIG_IGN);
    admin = (struct redis_link){ .host = "127.0.0.1" };
    if (!mkdtemp(dir) || !reserve_port(&redis_port))
        return -1;
    admin.port = redis_port;
    return 0;
}

/* A server without data. */
static inline int fresh_server(void **state)
{
    char dump[64];
    kill_server();
    snprintf(dump, sizeof dump, "%s/dump.rdb", dir);
    unlink(dump);
    start_server(NULL);
    return 0;
}

static inline int remove_place(void **state)
{
    kill_server();
    return remove_folder(dir);
}

#endif
