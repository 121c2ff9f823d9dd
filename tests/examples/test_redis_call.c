/* examples/redis/redis_error, and redis_call against a server that follows a script.
   test_redis_gate has the real one. SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include <sys/socket.h>
#include "../common/server.h"

int call_main(int argc, char **argv);
#define main call_main
#include "../../examples/redis/redis_call.c"
#undef main

static struct server scripted;
static struct redis_link one;

/* It makes a step at each look. An attempt without an end fails here. */
static uint32_t step_ms(const struct redial_env *env)
{
    uint32_t *clock = env->user;
    assert_true(clock[0] < 2 * PATIENCE_MS);
    return clock[0] += clock[1];
}

static struct redial_outcome get(bool repeat, uint32_t ms, redisReply **reply)
{
    static const char *const words[] = { "GET", "counter" };
    const struct redis_command command = { 2, words, repeat };
    uint32_t clock[] = { 0, ms };
    const struct redial_env env = { .now_ms = step_ms, .user = clock };
    const struct redial_attempt attempt = { 1, PATIENCE_MS, &env };
    poison(reply, sizeof *reply);
    return redis_run(&one, &attempt, &command, reply);
}

/* By what advises: RETRY, RECONNECT, FAIL. An error word counts only if it is whole, at the
   beginning, and in the right case. */
TEST(a_reply_that_will_change_is_retried_and_no_other_is)
{
    static const char *const texts[3][8] = {
        { "LOADING x", "BUSY", "TRYAGAIN x", "CLUSTERDOWN x", "MASTERDOWN x", "NOREPLICAS x",
          "MISCONF x" },
        { "ERR max number of clients reached", "READONLY x" },
        { "MOVED 3999 127.0.0.1:6381", "EXECABORT Transaction discarded because of: LOADING x",
          "BUSYKEY x", "ERR max number of clientsX", "LOADIN", "loading" },
    };
    for (int i = 0; i < 3; i++)
        for (unsigned k = 0; texts[i][k]; k++) {
            struct redial_outcome outcome = redis_error_outcome(texts[i][k]);
            if (outcome.code != REDIS_ADVICE_RETRY + i
                || outcome.kind != (i < 2 ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL))
                fail_msg("%s: %d, not %d", texts[i][k], outcome.code, REDIS_ADVICE_RETRY + i);
        }
}

/* ---- one attempt ---- */

#define PONG "+PONG\r\n"
#define VALUE "$1\r\n7\r\n"

/* Replies to PING and GET may come together. The last but one sends pieces of a reply without an
   end. In the last one the time is over after the greeting: the command is not sent. */
static const struct stranger {
    const char *reply, *password;
    bool repeat;
    enum redial_kind kind;
    const char *error;
    bool kept;          /* the connection */
    enum then then;
    uint32_t step_ms;
} strangers[] = {
    { "-LOADING x\r\n", NULL, false, REDIAL_KIND_RETRY, "LOADING x", false, KEEP },
    { "+OK\r\n", "5esame", false, REDIAL_KIND_RETRY, "Server closed the connection", false, KEEP },
    { "-ERR unknown command `AUTH`, with args: `5esame`\r\n", "5esame", false, REDIAL_KIND_FAIL,
      "ERR unknown command ", false, KEEP },
    { "-ERR\x7f \"5esame\"\r\n", "5esame", false, REDIAL_KIND_FAIL, "ERR. ", false, KEEP },
    { PONG "HTTP/1.1\r\n", NULL, true, REDIAL_KIND_FAIL, "Protocol error", false, KEEP },
    { PONG "HTTP/1.1\r\n", NULL, false, REDIAL_KIND_UNSURE, "Protocol error", false, KEEP },
    { PONG, NULL, false, REDIAL_KIND_UNSURE, "Server closed the connection", false, KEEP },
    { PONG, NULL, true, REDIAL_KIND_RETRY, "Server closed the connection", false, KEEP },
    { PONG "-READONLY x\r\n", NULL, false, REDIAL_KIND_RETRY, "READONLY x", false, KEEP },
    { PONG "-ERR x\r\n", NULL, true, REDIAL_KIND_FAIL, "ERR x", true, KEEP },
    { "-MISCONF x\r\n" VALUE, NULL, false, REDIAL_KIND_DONE, "MISCONF ", true, KEEP },
    { "+x", NULL, false, REDIAL_KIND_RETRY, "no reply in time", false, REPEAT, 1000 },
    { PONG, NULL, false, REDIAL_KIND_RETRY, "no reply in time", false, KEEP, 18000 },
};

TEST(an_error_reply_was_not_done_silence_is_unsure_and_no_password_is_told)
{
    for (unsigned i = 0; i < LENGTH(strangers); i++) {
        const struct stranger *row = &strangers[i];
        const struct answer answers[] = { { row->reply, row->then, .enough = 1 },
                                          { "", CLOSE, .enough = 1 } };
        redisReply *reply;
        enum redial_kind kind;
        assert_true(server_start(&scripted, answers, 2));
        one = (struct redis_link){ .host = "127.0.0.1", .port = scripted.port,
                                   .password = row->password };
        kind = get(row->repeat, row->step_ms, &reply).kind;
        if (kind != row->kind || strncmp(one.error, row->error, strlen(row->error)) != 0
            || strstr(one.error, "5esame") || (kind == REDIAL_KIND_DONE) != (reply != NULL)
            || row->kept != (one.context != NULL))
            fail_msg("row %u, %s: kind %d, %s", i, row->reply, (int)kind, one.error);
        freeReplyObject(reply);
        redis_close(&one);
        assert_true(server_stop(&scripted) == 1 || row->step_ms == 0);
    }
}

/* Keepalive lets the system close one whose server's machine is lost. */
TEST(a_connection_that_the_server_closed_is_replaced_before_a_command_is_sent)
{
    static const struct answer answers[] = {
        { PONG, KEEP, .enough = 1 }, { VALUE, CLOSE, .enough = 1 },
        { PONG VALUE, KEEP, .enough = 1 },
    };
    int keepalive = 0;
    socklen_t size = sizeof keepalive;
    assert_true(server_start(&scripted, answers, 3));
    one = (struct redis_link){ .host = "127.0.0.1", .port = scripted.port };
    for (unsigned i = 0; i < 2; i++) {
        struct pollfd end = { .events = POLLIN };
        redisReply *reply;
        assert_int_equal(get(false, 0, &reply).kind, REDIAL_KIND_DONE);
        assert_string_equal(reply->str, "7");
        freeReplyObject(reply);
        end.fd = one.context->fd;
        assert_int_equal(getsockopt(end.fd, SOL_SOCKET, SO_KEEPALIVE, &keepalive, &size), 0);
        assert_int_equal(keepalive, 1);
        assert_true(i == 1 || poll(&end, 1, PATIENCE_MS) == 1);
    }
}

TEST(words_say_what_became_of_the_command)
{
    static const struct {
        const char *words, *reply;      /* to the command, after the PONG */
        int status;
        const char *out, *err;
    } rows[] = {
        { "LRANGE l 0 -1", "*3\r\n$1\r\na\r\n*1\r\n:1\r\n$-1\r\n", 0, "a\n1\n(nil)\n", "" },
        { "INCR n", "-WRONGTYPE x\r\n", 1, "", "failed, the command was refused: WRONGTYPE x\n" },
        { "INCR n", "", 1, "", "unsure, the command may have been done: Server closed" },
        { "INCR n", "-LOADING x\r\n", 1, "", "cancelled, the command was not done: LOADING x\n" },
        { "", "", 2, "", "usage: redis_call HOST PORT COMMAND" },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        const struct answer answers[] = {
            { PONG, KEEP, .enough = 1 },
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
    signal(SIGPIPE, SIG_IGN);   /* as the program does */
    return run_all_with(NULL, program_kill, NULL, NULL);
}
