/* examples/redis/redis_call: commands against a real redis-server that is stopped, killed or
   refuses, and against a server that follows a script. SPDX-License-Identifier: MIT */
#include "redis_fixture.h"

int call_main(int argc, char **argv);
#define main call_main
#include "../../examples/redis/redis_call.c"
#undef main

static struct redis_link link_;
static uint32_t limit_ms;
static unsigned attempts;

/* The server is stopped until there is a wait. */
static void on_wait(const struct redial_env *env, const struct redial_event *event)
{
    assert_string_equal(link_.error, "no reply in time");
    limit_ms = PATIENCE_MS;
    kill(redis_server, SIGCONT);
}

static struct redial_outcome increment_once(void *repeat, const struct redial_attempt *attempt)
{
    static const char *const words[] = { "INCR", "counter" };
    const struct redis_command command = { 2, words, *(const bool *)repeat };
    const struct redial_attempt limited = { attempt->number, limit_ms, attempt->env };
    redisReply *reply;
    struct redial_outcome outcome = redis_run(&link_, &limited, &command, &reply);
    attempts = attempt->number;
    freeReplyObject(reply);
    return outcome;
}

static enum redial_verdict increment(bool repeat)
{
    static const struct redial_policy often = { .base_ms = 1, .cap_ms = 20,
                                                .max_retries = REDIAL_NO_LIMIT };
    struct redial_env env = *redial_system();
    env.on_wait = on_wait;
    return redial_run(&often, &env, increment_once, &repeat, NULL);
}

static int begin(void **state)
{
    fresh_server();
    link_ = (struct redis_link){ .host = "127.0.0.1", .port = redis_port };
    limit_ms = PATIENCE_MS;
    return increment(false) == REDIAL_DONE ? 0 : -1;
}

static int finish(void **state)
{
    redis_close(&link_);
    return program_kill(state);
}

TEST(a_command_without_a_reply_is_unsure_and_repeated_only_if_that_is_safe)
{
    limit_ms = 20;
    kill(redis_server, SIGSTOP);
    assert_int_equal(increment(false), REDIAL_UNSURE);
    assert_int_equal(attempts, 1);
    assert_string_equal(link_.error, "no reply in time");
    kill(redis_server, SIGCONT);
    limit_ms = PATIENCE_MS;
    while (tell("GET counter") == 1)
        ;
    assert_int_equal(tell("GET counter"), 2);
    limit_ms = 20;
    kill(redis_server, SIGSTOP);
    assert_int_equal(increment(true), REDIAL_DONE);
    assert_true(attempts > 1);
}

TEST(a_connection_that_the_server_closed_is_replaced_before_a_command_is_sent)
{
    tell("CLIENT KILL TYPE normal SKIPME yes");
    assert_int_equal(increment(false), REDIAL_DONE);
    assert_int_equal(attempts, 1);
}

TEST(keepalive_notices_that_the_machine_of_the_server_is_lost)
{
    int keepalive = 0, fd = link_.context->fd;
    socklen_t size = sizeof keepalive;
    assert_int_equal(getsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &keepalive, &size), 0);
    assert_int_equal(keepalive, 1);
}

#define MISCONF "-MISCONF Redis is configured to save RDB snapshots\r\n"

/* Replies to PING and GET may come together. An attempt has PATIENCE_MS by a clock that makes a step
   at each look. The last but one sends pieces of a reply without an end. In the last one the time
   is over after the greeting: the command is not sent. */
static const struct stranger {
    const char *reply, *password;
    enum redial_kind kind;
    const char *error;
    bool kept;          /* the connection */
    enum then then;
    uint32_t step_ms;
} strangers[] = {
    { "-LOADING Redis is loading\r\n", NULL, REDIAL_KIND_RETRY, "LOADING Redis", false, KEEP },
    { "+OK\r\n", "5esame", REDIAL_KIND_RETRY, "Server closed the connection", false, KEEP },
    { "-ERR unknown command `AUTH`, with args: `5esame`\r\n", "5esame", REDIAL_KIND_FAIL,
      "ERR unknown command ", false, KEEP },
    { "HTTP/1.1 400 Bad Request\r\n\r\n", NULL, REDIAL_KIND_FAIL, "Protocol error", false, KEEP },
    { "+PONG\r\nHTTP/1.1\r\n", NULL, REDIAL_KIND_UNSURE, "Protocol error", false, KEEP },
    { "+PONG\r\n-READONLY x\r\n", NULL, REDIAL_KIND_RETRY, "READONLY ", false, KEEP },
    { "+PONG\r\n-ERR x\r\n", NULL, REDIAL_KIND_FAIL, "ERR x", true, KEEP },
    { "+PONG\r\n", NULL, REDIAL_KIND_UNSURE, "Server closed the connection", false, KEEP },
    { MISCONF "$1\r\n7\r\n", NULL, REDIAL_KIND_DONE, "MISCONF ", true, KEEP },
    { MISCONF MISCONF, NULL, REDIAL_KIND_RETRY, "MISCONF ", true, KEEP },
    { "+x", NULL, REDIAL_KIND_RETRY, "no reply in time", false, REPEAT, 1000 },
    { "+PONG\r\n", NULL, REDIAL_KIND_RETRY, "no reply in time", false, KEEP, 18000 },
};

static uint32_t step_ms(const struct redial_env *env)
{
    uint32_t *clock = env->user;
    assert_true(clock[0] < 2 * PATIENCE_MS);   /* an attempt without an end fails here */
    return clock[0] += clock[1];
}

TEST(what_will_pass_is_tried_again_a_stranger_is_not_and_no_password_is_told)
{
    static const char *const words[] = { "GET", "counter" };
    static const struct redis_command command = { 2, words, false };
    for (unsigned i = 0; i < LENGTH(strangers); i++) {
        const struct stranger *row = &strangers[i];
        const struct answer answers[] = { { row->reply, row->then, .enough = 1 },
                                          { "", CLOSE, .enough = 1 } };
        uint32_t clock[] = { 0, row->step_ms };
        const struct redial_env env = { .now_ms = step_ms, .user = clock };
        const struct redial_attempt attempt = { 1, PATIENCE_MS, &env };
        struct redis_link link = { .host = "127.0.0.1", .password = row->password };
        enum redial_kind kind;
        redisReply *reply;
        assert_true(server_start(&scripted, answers, 2));
        link.port = scripted.port;
        kind = redis_run(&link, &attempt, &command, &reply).kind;
        if (kind != row->kind || strncmp(link.error, row->error, strlen(row->error)) != 0
            || strstr(link.error, "5esame") || (kind == REDIAL_KIND_DONE) != (reply != NULL)
            || row->kept != (link.context != NULL))
            fail_msg("row %u, %s: kind %d, %s", i, row->reply, (int)kind, link.error);
        freeReplyObject(reply);
        redis_close(&link);
        assert_true(server_stop(&scripted) == 1 || row->step_ms == 0);
    }
}

/* ---- the program ---- */

TEST(the_program_sends_one_command_through_a_restart_and_prints_the_reply)
{
    kill_server();
    program_start_words(PROGRAM, "127.0.0.1 %u SET color blue", (unsigned)redis_port);
    await(&program.err, "Connection refused: retry 1 in ");
    fresh_server();
    program_end();
    assert_status(0);
    assert_string_equal(program.out.bytes, "OK\n");
}

TEST(the_program_says_in_words_what_became_of_the_command)
{
    static const struct {
        const char *words, *reply;      /* reply: to the command, after that to PING */
        int status;
        const char *out, *err;
    } rows[] = {
        { "INCR n", ":7\r\n", 0, "7\n", "" },
        { "LRANGE l 0 -1", "*3\r\n$1\r\na\r\n*1\r\n:1\r\n$-1\r\n", 0, "a\n1\n(nil)\n", "" },
        { "INCR n", "-WRONGTYPE x\r\n", 1, "", "failed, the command was refused: WRONGTYPE x\n" },
        { "INCR n", "", 1, "", "unsure, the command may have been done: Server closed" },
        { "INCR n", "-LOADING x\r\n", 1, "", "cancelled, the command was not done: LOADING x\n" },
        { "", "", 2, "", "usage: redis_call HOST PORT COMMAND" },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        const struct answer answers[] = {
            { "+PONG\r\n", KEEP, .enough = 1 },
            { rows[i].reply, rows[i].reply[0] ? KEEP : CLOSE, .enough = 1, .always = true },
        };
        assert_true(server_start(&scripted, answers, 2));
        program_start_words(PROGRAM, "127.0.0.1 %u %s", (unsigned)scripted.port, rows[i].words);
        if (strstr(rows[i].err, "cancelled")) {
            await(&program.err, "LOADING x: retry ");
            kill(program.pid, SIGTERM);
        }
        program_end();
        assert_status(rows[i].status);
        assert_string_equal(program.out.bytes, rows[i].out);
        assert_contains(program.err.bytes, rows[i].err);
    }
}

int main(void)
{
    return run_all_with(begin, finish, make_place, remove_place);
}
