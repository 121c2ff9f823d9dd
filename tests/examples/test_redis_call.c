/* examples/redis/redis_call: commands against a real redis-server that is stopped, killed, started again, or refuses.
   SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "redis_fixture.h"
#include "../../examples/redis/redis_error.h"

#define PATIENT_MS 120000   /* longer than anything takes on a slow machine */

static const struct redial_policy policy = { .base_ms = 1, .cap_ms = 20, .max_retries = REDIAL_NO_LIMIT,
                                             .max_elapsed_ms = PATIENT_MS, .jitter = REDIAL_JITTER_NONE };

/* One command of a client, until there is a verdict. At the first wait whose reason begins with `awaited`, it
   calls `then`. */
static struct client {
    struct redis_link link;
    struct redis_command command;
    uint32_t first_limit_ms;            /* of the first attempt; 0: PATIENT_MS */
    const char *awaited;
    void (*then)(void);
    bool seen;
    long long number;
    struct redial_report report;
} client;

static struct redial_outcome attempt_command(void *user, const struct redial_attempt *attempt)
{
    redisReply *reply;
    struct redial_outcome outcome;
    (void)user;
    redis_limit(&client.link, attempt->env,
                attempt->number == 1 && client.first_limit_ms ? client.first_limit_ms : PATIENT_MS);
    outcome = redis_run(&client.link, &client.command, &reply);
    client.number = reply ? reply->integer : -1;
    freeReplyObject(reply);
    return outcome;
}

static void on_wait(const struct redial_env *env, const struct redial_event *event)
{
    (void)env;
    (void)event;
    if (!client.awaited || client.seen || strncmp(client.link.error, client.awaited, strlen(client.awaited)) != 0)
        return;
    client.seen = true;
    client.then();
}

static void await(const char *awaited, void (*then)(void))
{
    client.awaited = awaited;
    client.then = then;
    client.seen = false;
}

static enum redial_verdict run(bool repeat, int count, const char *const *words)
{
    struct redial_env env = *redial_system();
    env.on_wait = on_wait;
    client.command = (struct redis_command){ count, words, NULL, repeat };
    return redial_run(&policy, &env, attempt_command, NULL, &client.report);
}

static const char *const ping[] = { "PING" }, *const increment[] = { "INCR", "counter" };

static int connect_client(void **state)
{
    if (fresh_server(state) != 0)
        return -1;
    redis_close(&client.link);
    client = (struct client){ .link = { .host = "127.0.0.1", .port = redis_port } };
    freeReplyObject(tell("PING"));      /* it is up */
    return run(true, 1, ping) == REDIAL_DONE ? 0 : -1;
}

static int close_client(void **state)
{
    redis_close(&client.link);
    return 0;
}

static void assert_fails(int count, const char *const *words, const char *why)
{
    assert_int_equal(run(true, count, words), REDIAL_FAILED);
    assert_int_equal(client.report.attempts, 1);
    assert_memory_equal(client.link.error, why, strlen(why));
}

/* ---- what may have been done ---- */

static void go_on(void)
{
    kill(redis_server, SIGCONT);
}

/* INCR is sent, and the server stands still until its sender has given up. */
static enum redial_verdict increment_without_reply(bool repeat)
{
    client.first_limit_ms = 20;
    await("no reply in time", go_on);
    assert_int_equal(kill(redis_server, SIGSTOP), 0);
    return run(repeat, 2, increment);
}

TEST(a_command_without_a_reply_was_done_and_is_not_repeated_unless_the_caller_says_so)
{
    assert_int_equal(increment_without_reply(false), REDIAL_FAILED);
    go_on();
    assert_true(client.link.maybe_done);
    assert_int_equal(client.report.attempts, 1);
    assert_int_equal(client.report.last.code, REDIS_ERR_IO);
    assert_string_equal(client.link.error, "no reply in time");
    while (tell_number("EXISTS counter") == 0)
        ;
    assert_int_equal(tell_number("GET counter"), 1);
}

TEST(a_command_without_a_reply_is_repeated_where_the_caller_says_so)
{
    assert_int_equal(increment_without_reply(true), REDIAL_DONE);
    assert_false(client.link.maybe_done);
    assert_int_equal(client.report.attempts, 2);
    assert_int_equal(client.number, 2);
    assert_true(client.seen);
}

TEST(a_server_that_says_nothing_is_left_after_the_limit_for_silence_and_a_lost_machine_is_noticed_by_keepalive)
{
    int keepalive = 0;
    socklen_t size = sizeof keepalive;
    assert_int_equal(getsockopt(client.link.context->fd, SOL_SOCKET, SO_KEEPALIVE, &keepalive, &size), 0);
    assert_int_equal(keepalive, 1);
    client.first_limit_ms = UINT32_MAX;
    client.link.silence_ms = 20;
    await("no reply in time", go_on);
    assert_int_equal(kill(redis_server, SIGSTOP), 0);
    assert_int_equal(run(true, 2, increment), REDIAL_DONE);
    assert_true(client.seen);
}

static void start_again(void)
{
    start_server(NULL);
}

TEST(a_refused_connection_is_worth_a_retry)
{
    kill_server();
    await("Connection refused", start_again);
    assert_int_equal(run(false, 2, increment), REDIAL_DONE);
    assert_true(client.seen);
}

TEST(a_connection_that_the_server_closed_while_it_was_idle_is_replaced_before_a_command_is_sent)
{
    assert_int_equal(tell_number("CLIENT KILL TYPE normal SKIPME yes"), 1);
    assert_int_equal(run(false, 2, increment), REDIAL_DONE);
    assert_int_equal(client.report.attempts, 1);
}

/* ---- error replies that are waited for ---- */

static void assert_waited_for(const char *awaited, void (*then)(void))
{
    await(awaited, then);
    assert_int_equal(run(false, 2, increment), REDIAL_DONE);
    assert_true(client.seen);
    assert_int_equal(client.number, 1);
}

TEST(a_server_that_loads_a_large_file_is_waited_for)
{
    kill_loaded_server();
    start_loading();
    assert_waited_for("LOADING ", finish_loading);
    assert_int_equal(tell_number("DBSIZE"), LOADED_KEYS + 1);
}

static void become_master(void)
{
    tell_ok("REPLICAOF NO ONE");
}

TEST(readonly_means_a_new_connection)
{
    static const char *const id[] = { "CLIENT", "ID" };
    long long before;
    assert_int_equal(run(true, 2, id), REDIAL_DONE);
    before = client.number;
    tell_ok("REPLICAOF 127.0.0.1 1");
    assert_waited_for("READONLY ", become_master);
    assert_int_equal(run(true, 2, id), REDIAL_DONE);
    assert_true(client.number > before);
}

TEST(a_link_that_needs_the_master_is_not_opened_to_a_replica)
{
    redis_close(&client.link);
    client.link.master = true;
    tell_ok("REPLICAOF 127.0.0.1 1");
    assert_waited_for("the server is not the master", become_master);
}

static void need_no_replica(void)
{
    tell_ok("CONFIG SET min-replicas-to-write 0");
}

TEST(a_master_that_misses_its_replicas_is_waited_for)
{
    tell_ok("CONFIG SET min-replicas-to-write 1");
    assert_waited_for("NOREPLICAS ", need_no_replica);
}

static void kill_script(void)
{
    tell_at_once("SCRIPT KILL");
}

TEST(a_script_that_runs_for_too_long_is_waited_for)
{
    redisContext *other = redisConnect("127.0.0.1", redis_port);
    int sent = 0;
    assert_non_null(other);
    tell_ok("CONFIG SET busy-reply-threshold 1");
    assert_int_equal(redisAppendCommand(other, "EVAL %s 0", "while true do end"), REDIS_OK);
    while (!sent)
        assert_int_equal(redisBufferWrite(other, &sent), REDIS_OK);
    await("BUSY ", kill_script);
    while (!client.seen)    /* until the script has begun */
        assert_int_equal(run(false, 2, increment), REDIAL_DONE);
    redisFree(other);
}

static void make_room(void)
{
    tell_ok("CONFIG SET maxclients 100");
}

/* The reason is not compared: the server closes the connection before it reads, so that its reply may be lost. */
TEST(a_server_without_room_for_a_client_is_waited_for)
{
    redis_close(&client.link);
    tell_ok("CONFIG SET maxclients 1");
    assert_waited_for("", make_room);
}

/* ---- error replies that are not waited for ---- */

TEST(a_password_that_is_missing_or_wrong_fails_at_once_and_the_right_one_works)
{
    tell_ok("CONFIG SET requirepass 5esame");
    redis_close(&client.link);
    assert_fails(2, increment, "NOAUTH ");
    client.link.password = "0pen";
    assert_fails(2, increment, "WRONGPASS ");
    assert_null(strstr(client.link.error, "0pen"));
    client.link.password = "5esame";
    assert_int_equal(run(true, 2, increment), REDIAL_DONE);
}

TEST(a_password_is_not_printed_where_the_server_does_not_know_AUTH)
{
    static const char *const renamed[] = { "--rename-command", "AUTH", "''", NULL };
    kill_server();
    start_server(renamed);
    freeReplyObject(tell("PING"));
    client.link.password = "5esame";
    assert_fails(2, increment, "ERR unknown command");
    assert_null(strstr(client.link.error, "5esame"));
}

TEST(an_error_that_stays_until_somebody_changes_the_setup_fails_at_once)
{
    static const char *const set[] = { "SET", "key", "word" }, *const of_key[] = { "INCR", "key" };
    assert_int_equal(run(true, 3, set), REDIAL_DONE);
    assert_fails(2, of_key, "ERR value is not an integer");
    tell_ok("CONFIG SET maxmemory 1");
    assert_fails(3, set, "OOM ");
    tell_ok("ACL SETUSER default -incr");
    assert_fails(2, increment, "NOPERM ");
}

static void *answer_as_http(void *listener)
{
    static const char text[] = "HTTP/1.1 400 Bad Request\r\n\r\n";
    int fd = accept(*(int *)listener, NULL, NULL);
    if (fd < 0 || write(fd, text, sizeof text - 1) < 0)
        perror("answer_as_http");
    return (void *)(intptr_t)fd;
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
    assert_fails(2, increment, "Protocol error");
    pthread_join(thread, &fd);
    close((int)(intptr_t)fd);
    close(listener);
}

int main(void)
{
    return run_all_with(connect_client, close_client, make_place, remove_place);
}
