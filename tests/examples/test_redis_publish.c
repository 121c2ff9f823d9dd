/* examples/redis/redis_publish against a real redis-server that is killed and started again, stands still, or becomes a
   replica. SPDX-License-Identifier: MIT */
#include "redis_fixture.h"

static redisContext *subscriber;

static void subscribe(void)
{
    redisFree(subscriber);
    subscriber = redisConnect("127.0.0.1", redis_port);
    assert_non_null(subscriber);
    freeReplyObject(redisCommand(subscriber, "SUBSCRIBE lines"));
    assert_int_equal(subscriber->err, 0);
}

/* The next line that is not the one before; NULL: none may come before. */
static void receive_after(const char *before, const char *text)
{
    redisReply *reply = NULL;
    do {
        freeReplyObject(reply);
        assert_int_equal(redisGetReply(subscriber, (void **)&reply), REDIS_OK);
        assert_int_equal(reply->elements, 3);
    } while (before && strcmp(reply->element[2]->str, before) == 0);
    assert_string_equal(reply->element[2]->str, text);
    freeReplyObject(reply);
}

/* If an option comes twice, the last one counts. */
static void start(const char *more)
{
    program_start_words(PROGRAM, "--port %u --base 5ms --cap 20ms --mode none --min-uptime 1ms --attempt 100s %s",
                        (unsigned)redis_port, more);
}

static void publish(const char *line)
{
    say(line);
    say("\n");
    receive_after(NULL, line);
}

static void start_and_publish(const char *more)
{
    start(more);
    publish("one");
}

static void assert_ends(int status, const char *text)
{
    program_end();
    assert_status(status);
    assert_contains(program.err.bytes, text);
}

/* The input stays open, so that the signal alone can be the reason. */
static void assert_ends_by(int number)
{
    kill(program.pid, number);
    program_finish();
    assert_status(1);
    assert_contains(program.err.bytes, "cancelled; published: ");
}

static int begin(void **state)
{
    fresh_server();
    subscribe();
    return 0;
}

static int finish(void **state)
{
    redisFree(subscriber);
    subscriber = NULL;
    return program_kill(state);
}

/* The program has been connected for at least 1 ms when the server dies. */
static void outage(void)
{
    uint32_t since_ms = real_now_ms();
    while (real_now_ms() - since_ms < 3)
        tell("PING");
    kill_server();
    await(&program.err, "retry 1 in 5 ms; it worked for");
    fresh_server();
    subscribe();
}

TEST(each_outage_begins_with_the_first_wait_and_no_line_is_lost)
{
    start_and_publish("");
    outage();
    publish("two");
    publish("");
    outage();
    say("three");
    assert_ends(0, "done; published: 4\n");
    receive_after(NULL, "three");
}

TEST(a_connection_that_worked_for_too_short_a_time_keeps_the_backoff_growing)
{
    size_t number;
    start_and_publish("--min-uptime 1h");
    outage();
    publish("two");
    kill_server();
    await(&program.err, "the server closed the connection: retry ");
    number = program.err.seen;
    await(&program.err, "; it worked for");
    assert_true(atoi(program.err.bytes + number) > 1);
    assert_ends_by(SIGTERM);
}

/* A replica takes PUBLISH without an error. The lines that it gets must reach the master's subscribers all the same. */
TEST(lines_for_a_server_that_became_a_replica_are_published_when_there_is_a_master)
{
    start_and_publish("");
    assert_int_equal(tell("CLIENT KILL TYPE pubsub"), 1);
    tell("REPLICAOF 127.0.0.1 1");
    say("two\n");
    await(&program.err, "the server is not the master: retry 1 in");
    await(&program.err, "the server is not the master: retry 2 in");
    subscribe();
    tell("REPLICAOF NO ONE");
    receive_after(NULL, "two");
    assert_ends(0, "done; published: 2\n");
}

TEST(a_server_that_became_a_replica_or_stands_still_is_left_even_while_no_line_comes)
{
    start_and_publish("--attempt 500ms --repeat yes");
    tell("REPLICAOF 127.0.0.1 1");
    await(&program.err, "the server is not the master: retry ");
    tell("REPLICAOF NO ONE");
    say("two\n");
    receive_after("one", "two");
    kill(redis_server, SIGSTOP);
    await(&program.err, "no reply in time: retry ");
    assert_ends_by(SIGTERM);
}

TEST(lines_that_no_subscriber_got_are_counted)
{
    start("--channel other");
    say("one\ntwo\n");
    assert_ends(0, "done; published: 2; heard by nobody: 2\n");
}

/* The server stands still until the program has given up waiting for its reply. On a slow machine, the first line may
   have had no reply in time, too. */
TEST(a_line_without_a_reply_is_counted_and_repeated_only_where_the_caller_says_so)
{
    for (unsigned repeat = 0; repeat < 2; repeat++) {
        start_and_publish(repeat ? "--attempt 500ms --repeat yes" : "--attempt 500ms");
        kill(redis_server, SIGSTOP);
        say("two\n");
        await(&program.err, "no reply in time: retry ");
        kill(redis_server, SIGCONT);
        receive_after("one", "two");
        if (repeat)
            receive_after(NULL, "two");
        else
            publish("three");
        assert_ends(0, repeat ? "done; published: 2\n" : "; sent without a reply and not repeated: ");
    }
}

TEST(a_password_that_is_wrong_ends_it_at_once_and_is_not_printed)
{
    tell("CONFIG SET requirepass 5esame");
    setenv("REDISCLI_AUTH", "0pen", 1);
    start("");
    assert_ends(1, "failed; published: 0; WRONGPASS ");
    assert_null(strstr(program.err.bytes, "0pen"));
    setenv("REDISCLI_AUTH", "5esame", 1);
    start_and_publish("");
    assert_ends(0, "done; published: 1\n");
    unsetenv("REDISCLI_AUTH");
}

TEST(a_signal_ends_a_wait_for_a_line_and_a_wait_for_the_server)
{
    start_and_publish("");
    assert_ends_by(SIGTERM);
    kill_server();
    start("--base 4000000s --cap 4000000s");
    await(&program.err, "retry 1 in ");
    assert_ends_by(SIGINT);
}

TEST(a_line_that_is_too_long_is_an_error)
{
    static char line[65536 + 1];
    memset(line, 'x', 65535);
    start("");
    publish(line);
    line[65535] = 'x';
    say(line);
    assert_ends(1, "failed; published: 1; input: Message too long\n");
}

int main(void)
{
    return run_all_with(begin, finish, make_place, remove_place);
}
