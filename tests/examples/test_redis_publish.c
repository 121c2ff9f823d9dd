/* examples/redis/redis_publish against a real redis-server that is killed and started again.
   SPDX-License-Identifier: MIT */
#include "redis_program.h"

#define QUICKLY "--base 5ms --cap 20ms --mode none --min-uptime 1ms --attempt 100s "

static redisContext *subscriber;

/* Waits for a server that is being started. */
static void subscribe(void)
{
    freeReplyObject(tell("PING"));
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

static void receive(const char *text)
{
    receive_after(NULL, text);
}

static int begin(void **state)
{
    if (fresh_server(state) != 0)
        return -1;
    subscribe();
    return 0;
}

static int finish(void **state)
{
    redisFree(subscriber);
    subscriber = NULL;
    return kill_program(state);
}

/* The program has been connected for at least 1 ms when this returns. */
static void let_uptime_pass(void)
{
    uint32_t since_ms = real_now_ms();
    while (real_now_ms() - since_ms < 3)
        freeReplyObject(tell("PING"));
}

/* ---- it lives for ever ---- */

static void outage(void)
{
    let_uptime_pass();
    kill_server();
    wait_until_it_says("retry 1 in 5 ms; it worked for");
    start_server(NULL);
    subscribe();
}

TEST(each_outage_begins_with_the_first_wait_and_no_line_is_lost)
{
    start_program(QUICKLY);
    say("one\n");
    receive("one");
    outage();
    say("two\n\n");
    receive("two");
    receive("");
    outage();
    say("three");
    close(program.input);
    program.input = -1;
    receive("three");
    assert_int_equal(wait_until_it_ends(), 0);
    assert_int_equal(times_said("retry 1 in"), 2);
    assert_said("done; published: 4\n");
}

TEST(a_connection_that_worked_for_too_short_a_time_keeps_the_backoff_growing)
{
    start_program(QUICKLY "--min-uptime 4000000s");
    say("one\n");
    receive("one");
    outage();
    say("two\n");
    receive("two");
    kill_server();
    wait_until_it_says("the server closed the connection: retry ");
    assert_int_equal(end_by(SIGTERM), 1);
    assert_int_equal(times_said("retry 1 in"), 1);
}

/* ---- a server that is no longer the right one ---- */

/* A replica takes PUBLISH without an error. The lines that it gets must reach the master's subscribers all the same. */
TEST(lines_for_a_server_that_became_a_replica_are_published_when_there_is_a_master)
{
    start_program(QUICKLY);
    say("one\n");
    receive("one");
    assert_int_equal(tell_number("CLIENT KILL TYPE pubsub"), 1);
    tell_ok("REPLICAOF 127.0.0.1 1");
    say("two\n");
    wait_until_it_says("the server is not the master: retry 1 in");
    wait_until_it_says("the server is not the master: retry 2 in");
    subscribe();
    tell_ok("REPLICAOF NO ONE");
    receive("two");
    assert_int_equal(wait_until_it_ends(), 0);
    assert_said("done; published: 2\n");
}

TEST(a_server_that_became_a_replica_is_left_even_while_no_line_comes_and_somebody_listens_there)
{
    start_program(QUICKLY);
    say("one\n");
    receive("one");
    tell_ok("REPLICAOF 127.0.0.1 1");
    wait_until_it_says("the server is not the master: retry 1 in");
    assert_int_equal(end_by(SIGTERM), 1);
}

TEST(a_server_that_stands_still_is_noticed_even_while_no_line_comes)
{
    start_program(QUICKLY "--attempt 100");
    say("one\n");
    receive("one");
    kill(redis_server, SIGSTOP);
    wait_until_it_says("no reply in time: retry ");
    assert_int_equal(end_by(SIGTERM), 1);
}

TEST(lines_that_no_subscriber_got_are_counted)
{
    start_program(QUICKLY "--channel other");
    say("one\ntwo\n");
    assert_int_equal(wait_until_it_ends(), 0);
    assert_said("done; published: 2; heard by nobody: 2\n");
}

/* ---- lines that may have been published ---- */

/* The server stands still until the program has given up waiting for its reply. */
static void publish_without_reply(const char *options)
{
    start_program(options);
    say("one\n");
    receive("one");
    kill(redis_server, SIGSTOP);
    say("two\n");
    wait_until_it_says("no reply in time: retry ");
    kill(redis_server, SIGCONT);
    receive_after("one", "two");    /* on a slow machine, the first line may have had no reply in time, too */
}

TEST(a_line_without_a_reply_is_counted_and_not_repeated)
{
    publish_without_reply(QUICKLY "--attempt 500ms");
    say("three\n");
    receive("three");
    assert_int_equal(wait_until_it_ends(), 0);
    assert_said("; sent without a reply and not repeated: ");
}

TEST(a_line_without_a_reply_is_repeated_where_the_caller_says_so)
{
    publish_without_reply(QUICKLY "--attempt 500ms --repeat yes");
    receive("two");
    assert_int_equal(wait_until_it_ends(), 0);
    assert_said("done; published: 2\n");
}

/* ---- how it ends ---- */

TEST(a_password_that_is_wrong_ends_it_at_once_and_is_not_printed)
{
    tell_ok("CONFIG SET requirepass 5esame");
    setenv("REDISCLI_AUTH", "0pen", 1);
    start_program(QUICKLY);
    assert_int_equal(wait_until_it_ends(), 1);
    assert_said("failed; published: 0; WRONGPASS ");
    assert_not_said("0pen");
    unsetenv("REDISCLI_AUTH");
    start_program(QUICKLY);
    assert_int_equal(wait_until_it_ends(), 1);
    assert_said("failed; published: 0; NOAUTH ");
    setenv("REDISCLI_AUTH", "5esame", 1);
    start_program(QUICKLY);
    say("one\n");
    receive("one");
    assert_int_equal(wait_until_it_ends(), 0);
    assert_not_said("5esame");
    unsetenv("REDISCLI_AUTH");
}

TEST(a_signal_ends_a_wait_for_a_line_and_a_wait_for_the_server)
{
    start_program(QUICKLY);
    say("one\n");
    receive("one");
    assert_int_equal(end_by(SIGTERM), 1);
    assert_string_equal(program.said, "cancelled; published: 1\n");
    kill_server();
    start_program("--base 4000000s --cap 4000000s --mode none");
    wait_until_it_says("retry 1 in 4000000000 ms");
    assert_int_equal(end_by(SIGINT), 1);
    assert_said("cancelled; published: 0\n");
}

TEST(a_line_that_is_too_long_is_an_error)
{
    static char line[65536 + 2];
    memset(line, 'x', sizeof line - 2);
    line[65535] = '\n';
    start_program(QUICKLY);
    say(line);
    line[65535] = '\0';
    receive(line);
    line[65535] = 'x';
    say(line);
    assert_int_equal(wait_until_it_ends(), 1);
    assert_said("failed; published: 1; input: Message too long\n");
}

TEST(help_is_given_and_unknown_options_are_refused)
{
    start_program("--help");
    assert_int_equal(wait_until_it_ends(), 0);
    assert_said("one outage [unlimited]");
    assert_said("uptime that resets the retries [10s]");
    start_program("--wrong");
    assert_int_equal(wait_until_it_ends(), 2);
    assert_string_equal(program.said, "redis_publish: --wrong: no such option; --help lists them\n");
    start_program("--repeat perhaps");
    assert_int_equal(wait_until_it_ends(), 2);
    assert_string_equal(program.said, "redis_publish: --repeat perhaps: must be yes or no\n");
}

int main(void)
{
    return run_all_with(begin, finish, make_place, remove_place);
}
