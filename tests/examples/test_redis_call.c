/* examples/redis/redis_call: commands against a real redis-server that is stopped, killed, started again, or refuses.
   SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "redis_fixture.h"
#include "../../examples/redis/redis_error.h"

/* At the first wait whose reason begins with `awaited`, it calls `then`, or tells the server what `then_tell` says. */
static struct client {
    struct redis_link link;
    unsigned attempts;
    const char *awaited, *then_tell;
    void (*then)(void);
    bool seen;
    long long number;
} client;

static void on_wait(const struct redial_env *env, const struct redial_event *event)
{
    if (!client.awaited || client.seen || strncmp(client.link.error, client.awaited, strlen(client.awaited)) != 0)
        return;
    client.seen = true;
    client.link.silence_ms = 0;
    if (client.then)
        client.then();
    else
        tell_ok(client.then_tell);
}

static enum redial_verdict run(bool repeat, const char *text)
{
    struct question question = { .link = &client.link, .command = { .repeat = repeat } };
    struct redial_env env = *redial_system();
    enum redial_verdict verdict;
    env.on_wait = on_wait;
    verdict = ask(&question, &env, text);
    client.number = question.reply ? question.reply->integer : -1;
    client.attempts = question.attempts;
    freeReplyObject(question.reply);
    return verdict;
}

static int connect_client(void **state)
{
    if (fresh_server(state) != 0)
        return -1;
    redis_close(&client.link);
    client = (struct client){ .link = { .host = "127.0.0.1", .port = redis_port } };
    freeReplyObject(tell("PING"));      /* it is up */
    return run(true, "PING") == REDIAL_DONE ? 0 : -1;
}

static int close_client(void **state)
{
    redis_close(&client.link);
    return 0;
}

static void assert_fails(const char *text, const char *why)
{
    assert_int_equal(run(true, text), REDIAL_FAILED);
    assert_int_equal(client.attempts, 1);
    assert_memory_equal(client.link.error, why, strlen(why));
}

static void assert_waited_for(const char *awaited, void (*then)(void))
{
    client.awaited = awaited;
    client.then = then;
    assert_int_equal(run(false, "INCR counter"), REDIAL_DONE);
    assert_true(client.seen);
    assert_int_equal(client.number, 1);
}

/* ---- what may have been done ---- */

static void go_on(void)
{
    kill(redis_server, SIGCONT);
}

TEST(a_command_without_a_reply_may_have_been_done_and_is_not_repeated_unless_the_caller_says_so)
{
    client.link.silence_ms = 20;
    assert_int_equal(kill(redis_server, SIGSTOP), 0);
    assert_int_equal(run(false, "INCR counter"), REDIAL_FAILED);
    go_on();
    assert_true(client.link.maybe_done);
    assert_int_equal(client.attempts, 1);
    assert_string_equal(client.link.error, "no reply in time");
    while (tell_number("EXISTS counter") == 0)
        ;
    assert_int_equal(tell_number("GET counter"), 1);
}

TEST(a_server_that_says_nothing_is_left_after_the_limit_for_silence_and_a_lost_machine_is_noticed_by_keepalive)
{
    int keepalive = 0;
    socklen_t size = sizeof keepalive;
    assert_int_equal(getsockopt(client.link.context->fd, SOL_SOCKET, SO_KEEPALIVE, &keepalive, &size), 0);
    assert_int_equal(keepalive, 1);
    client.link.silence_ms = 20;
    client.awaited = "no reply in time";
    client.then = go_on;
    assert_int_equal(kill(redis_server, SIGSTOP), 0);
    assert_int_equal(run(true, "INCR counter"), REDIAL_DONE);
    assert_true(client.seen);
    assert_false(client.link.maybe_done);
}

TEST(a_connection_that_the_server_closed_while_it_was_idle_is_replaced_before_a_command_is_sent)
{
    assert_int_equal(tell_number("CLIENT KILL TYPE normal SKIPME yes"), 1);
    assert_int_equal(run(false, "INCR counter"), REDIAL_DONE);
    assert_int_equal(client.attempts, 1);
}

/* ---- error replies that are waited for ---- */

/* A connection to a server that loads gets no answer to PING. */
static void finish_loading(void)
{
    redisContext *other = redisConnect("127.0.0.1", redis_port);
    freeReplyObject(redisCommand(other, "CONFIG SET key-load-delay 0"));
    redisFree(other);
}

/* Microseconds for each key: if nobody finished it, it would load for half an hour. */
TEST(a_server_that_loads_a_large_file_is_waited_for)
{
    static const char *const slowly[] = { "--key-load-delay", "20000",
                                          "--loading-process-events-interval-bytes", "1024", NULL };
    tell_ok("DEBUG POPULATE 100000 key 100");
    tell_ok("SAVE");
    kill_server();
    start_server(slowly);
    assert_waited_for("LOADING ", finish_loading);
}

/* The third reason is not compared: the server closes the connection before it reads, so that its reply may be lost. */
static const struct { const char *first, *awaited, *then; bool connected, master; } refusals[] = {
    { "CONFIG SET min-replicas-to-write 1", "NOREPLICAS ", "CONFIG SET min-replicas-to-write 0", true, false },
    { "REPLICAOF 127.0.0.1 1", "the server is not the master", "REPLICAOF NO ONE", false, true },
    { "CONFIG SET maxclients 1", "", "CONFIG SET maxclients 100", false, false },
};

TEST(a_server_that_refuses_for_now_is_waited_for)
{
    for (unsigned i = 0; i < LENGTH(refusals); i++) {
        assert_int_equal(connect_client(state), 0);
        if (!refusals[i].connected)
            redis_close(&client.link);
        client.link.master = refusals[i].master;
        tell_ok(refusals[i].first);
        client.then_tell = refusals[i].then;
        assert_waited_for(refusals[i].awaited, NULL);
    }
}

TEST(readonly_means_a_new_connection)
{
    long long before;
    assert_int_equal(run(true, "CLIENT ID"), REDIAL_DONE);
    before = client.number;
    tell_ok("REPLICAOF 127.0.0.1 1");
    client.then_tell = "REPLICAOF NO ONE";
    assert_waited_for("READONLY ", NULL);
    assert_int_equal(run(true, "CLIENT ID"), REDIAL_DONE);
    assert_true(client.number > before);
}

/* ---- error replies that are not waited for ---- */

TEST(a_password_is_not_printed_where_the_server_does_not_know_AUTH)
{
    static const char *const renamed[] = { "--rename-command", "AUTH", "''", NULL };
    kill_server();
    start_server(renamed);
    freeReplyObject(tell("PING"));
    client.link.password = "5esame";
    assert_fails("INCR counter", "ERR unknown command");
    assert_null(strstr(client.link.error, "5esame"));
}

TEST(an_error_that_stays_until_somebody_changes_the_setup_fails_at_once)
{
    assert_int_equal(run(true, "SET key word"), REDIAL_DONE);
    assert_fails("INCR key", "ERR value is not an integer");
    tell_ok("CONFIG SET maxmemory 1");
    assert_fails("SET key word", "OOM ");
}

TEST(the_first_error_of_several_commands_ends_the_connection_because_replies_are_unread)
{
    static const char *const wrong[] = { "NOSUCHCOMMAND" }, *const ping[] = { "PING" };
    static const struct redis_command commands[] = { { 1, wrong, NULL, true }, { 1, ping, NULL, true } };
    redisReply *reply;
    redis_limit(&client.link, redial_system(), UINT32_MAX);
    assert_int_equal(redis_run_all(&client.link, commands, 2, &reply).kind, REDIAL_KIND_FAIL);
    assert_null(reply);
    assert_null(client.link.context);
    assert_int_equal(redis_run_all(&client.link, commands + 1, 1, &reply).kind, REDIAL_KIND_DONE);
    assert_string_equal(reply->str, "PONG");
    freeReplyObject(reply);
}

static void *answer_as_http(void *listener)
{
    static const char text[] = "HTTP/1.1 400 Bad Request\r\n\r\n";
    int fd = accept(*(int *)listener, NULL, NULL);
    return write(fd, text, sizeof text - 1) > 0 ? (void *)(intptr_t)fd : NULL;
}

TEST(a_server_that_is_not_redis_fails_at_once)
{
    uint16_t port = 0;
    int listener = loopback_socket(&port);
    pthread_t thread;
    void *fd;
    assert_true(listener >= 0 && listen(listener, 1) == 0);
    assert_int_equal(pthread_create(&thread, NULL, answer_as_http, &listener), 0);
    redis_close(&client.link);
    client.link.port = port;
    assert_fails("INCR counter", "Protocol error");
    pthread_join(thread, &fd);
    close((int)(intptr_t)fd);
    close(listener);
}

int main(void)
{
    return run_all_with(connect_client, close_client, make_place, remove_place);
}
