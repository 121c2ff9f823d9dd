/* examples/redis/redis_call: commands against a real redis-server that is stopped or refuses, and
   against a server that follows a script. SPDX-License-Identifier: MIT */
#include "redis_fixture.h"

static struct client {
    struct redis_link link;
    struct redial_policy policy;
    unsigned attempts;
} client;

/* The server is stopped until there is a wait. */
static void on_wait(const struct redial_env *env, const struct redial_event *event)
{
    assert_string_equal(client.link.error, "no reply in time");
    client.policy.attempt_ms = PATIENCE_MS;
    kill(redis_server, SIGCONT);
}

static struct redial_outcome increment_once(void *repeat, const struct redial_attempt *attempt)
{
    static const char *const words[] = { "INCR", "counter" };
    const struct redis_command command = { 2, words, *(const bool *)repeat };
    struct redial_outcome outcome;
    redisReply *reply;
    client.attempts = attempt->number;
    outcome = redis_run(&client.link, attempt, &command, &reply);
    freeReplyObject(reply);
    return outcome;
}

static enum redial_verdict increment(bool repeat)
{
    struct redial_env env = *redial_system();
    env.on_wait = on_wait;
    return redial_run(&client.policy, &env, increment_once, &repeat, NULL);
}

static int begin(void **state)
{
    fresh_server();
    client = (struct client){
        .link = { .host = "127.0.0.1", .port = redis_port },
        .policy = { .base_ms = 1, .cap_ms = 20, .max_retries = REDIAL_NO_LIMIT,
                    .max_elapsed_ms = PATIENCE_MS, .attempt_ms = PATIENCE_MS,
                    .jitter = REDIAL_JITTER_NONE } };
    return increment(false) == REDIAL_DONE ? 0 : -1;
}

static int finish(void **state)
{
    redis_close(&client.link);
    return 0;
}

TEST(a_command_without_a_reply_is_not_repeated_unless_the_caller_says_so)
{
    client.policy.attempt_ms = 20;
    kill(redis_server, SIGSTOP);
    assert_int_equal(increment(false), REDIAL_FAILED);
    assert_int_equal(client.attempts, 1);
    assert_string_equal(client.link.error, "no reply in time");
    kill(redis_server, SIGCONT);
    assert_true(client.link.maybe_done);
    client.policy.attempt_ms = PATIENCE_MS;
    while (tell("GET counter") == 1)
        ;
    assert_int_equal(tell("GET counter"), 2);
    client.policy.attempt_ms = 20;
    kill(redis_server, SIGSTOP);
    assert_int_equal(increment(true), REDIAL_DONE);
    assert_true(client.attempts > 1);
    assert_false(client.link.maybe_done);
}

TEST(a_connection_that_the_server_closed_is_replaced_before_a_command_is_sent)
{
    tell("CLIENT KILL TYPE normal SKIPME yes");
    assert_int_equal(increment(false), REDIAL_DONE);
    assert_int_equal(client.attempts, 1);
}

TEST(keepalive_notices_that_the_machine_of_the_server_is_lost)
{
    int keepalive = 0, fd = client.link.context->fd;
    socklen_t size = sizeof keepalive;
    assert_int_equal(getsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &keepalive, &size), 0);
    assert_int_equal(keepalive, 1);
}

#define MISCONF "-MISCONF Redis is configured to save RDB snapshots\r\n"

/* Replies to PING and GET may come together. The last one sends pieces of a reply without an
   end. */
static const struct {
    const char *reply, *password;
    enum redial_kind kind;
    const char *error;
    enum then then;
} strangers[] = {
    { "-LOADING Redis is loading the dataset in memory\r\n", NULL, REDIAL_KIND_RETRY,
      "LOADING Redis is loading", KEEP },
    { "+OK\r\n", "5esame", REDIAL_KIND_RETRY, "Server closed the connection", KEEP },
    { "-ERR unknown command `AUTH`, with args: `5esame`\r\n", "5esame", REDIAL_KIND_FAIL,
      "ERR unknown command ", KEEP },
    { "HTTP/1.1 400 Bad Request\r\n\r\n", NULL, REDIAL_KIND_FAIL, "Protocol error", KEEP },
    { "+PONG\r\n-READONLY x\r\n", NULL, REDIAL_KIND_RETRY, "READONLY ", KEEP },
    { MISCONF "$1\r\n7\r\n", NULL, REDIAL_KIND_DONE, "MISCONF ", KEEP },
    { MISCONF MISCONF, NULL, REDIAL_KIND_RETRY, "MISCONF ", KEEP },
    { "+x", NULL, REDIAL_KIND_RETRY, "no reply in time", REPEAT },
};

/* It is 1 ms later after each look. An attempt without an end fails here. */
static uint32_t count_ms(const struct redial_env *env)
{
    uint32_t *now_ms = env->user;
    assert_true(*now_ms < 1000);
    return (*now_ms)++;
}

TEST(what_will_pass_is_tried_again_a_stranger_is_not_and_no_password_is_told)
{
    static const char *const words[] = { "GET", "counter" };
    static const struct redis_command command = { 2, words, false };
    for (unsigned i = 0; i < LENGTH(strangers); i++) {
        const struct answer answers[] = { { strangers[i].reply, strangers[i].then, NULL, false, 1 },
                                          { "", CLOSE, NULL, false, 1 } };
        uint32_t now_ms = 0;
        const struct redial_env env = { .now_ms = count_ms, .user = &now_ms };
        const struct redial_attempt attempt = { 1, strangers[i].then == REPEAT ? 50 : UINT32_MAX,
                                                &env };
        struct redis_link link = { .host = "127.0.0.1", .password = strangers[i].password };
        enum redial_kind kind;
        redisReply *reply;
        assert_true(server_start(&scripted, answers, 2));
        link.port = scripted.port;
        kind = redis_run(&link, &attempt, &command, &reply).kind;
        if (kind != strangers[i].kind
            || strncmp(link.error, strangers[i].error, strlen(strangers[i].error)) != 0
            || strstr(link.error, "5esame") || link.maybe_done
            || (kind == REDIAL_KIND_DONE) != (reply != NULL)
            || (link.context != NULL) != (strncmp(link.error, "MISCONF", 7) == 0))
            fail_msg("%s: kind %d, %s", strangers[i].reply, (int)kind, link.error);
        freeReplyObject(reply);
        redis_close(&link);
    }
}

int main(void)
{
    return run_all_with(begin, finish, make_place, remove_place);
}
