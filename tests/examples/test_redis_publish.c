/* examples/redis/redis_publish against a real redis-server that is killed and comes back as a
   replica, and against a server that follows a script. SPDX-License-Identifier: MIT */
#include "redis_fixture.h"

static redisContext *subscriber;

static void subscribe(void)
{
    redisFree(subscriber);
    subscriber = redisConnect("127.0.0.1", redis_port);
    assert_non_null(subscriber);
    redisSetTimeout(subscriber, (struct timeval){ .tv_sec = PATIENCE_MS / 1000 });
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

static void start(void)
{
    program_start_words(PROGRAM, "127.0.0.1 %u lines", (unsigned)redis_port);
}

static void publish(const char *line)
{
    say(line);
    say("\n");
    receive_after(NULL, line);
}

static void assert_done(const char *text)
{
    program_end();
    assert_status(0);
    assert_contains(program.err.bytes, text);
}

static int begin(void **state)
{
    starts_as_replica = false;
    fresh_server();
    subscribe();
    return 0;
}

static int finish(void **state)
{
    redisFree(subscriber);
    subscriber = NULL;
    unsetenv("REDISCLI_AUTH");
    return program_kill(state);
}

/* The subscriber is there before the server becomes the master. */
TEST(no_line_is_lost_by_a_restart_or_sent_to_a_replica)
{
    start();
    publish("one");
    kill_server();
    say("two\nthree\n");
    await(&program.err, "Connection refused: retry ");
    starts_as_replica = true;
    fresh_server();
    subscribe();
    await(&program.err, "the server is not the master: retry ");
    tell("REPLICAOF NO ONE");
    receive_after(NULL, "two");
    receive_after(NULL, "three");
    publish("");
    say("four");
    assert_done("done; published: 5\n");
    receive_after(NULL, "four");
}

static void break_stderr(void)
{
    int ends[2];
    if (pipe(ends) == 0 && dup2(ends[1], 2) == 2 && close(ends[0]) == 0)
        close(ends[1]);
}

/* The line that says so would raise SIGPIPE. */
TEST(a_restart_loses_no_line_if_nobody_reads_stderr_any_more)
{
    program.before = break_stderr;
    start();
    publish("one");
    kill_server();
    say("two\n");
    starts_as_replica = true;
    fresh_server();
    subscribe();
    tell("REPLICAOF NO ONE");
    receive_after(NULL, "two");
    program_end();
    assert_status(0);
}

/* It closes the connection instead of a reply to PUBLISH. */
TEST(a_line_that_got_no_reply_is_repeated)
{
    static const char master[] = "*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n";
    static const struct answer answers[] = {
        { "+PONG\r\n", KEEP, NULL, false, 1 }, { master, KEEP, NULL, false, 1 },
        { "", CLOSE, NULL, false, 1 },
        { "+PONG\r\n", KEEP, NULL, false, 1 }, { master, KEEP, NULL, false, 1 },
        { ":1\r\n", KEEP, NULL, false, 1 },
    };
    assert_true(server_start(&scripted, answers, LENGTH(answers)));
    program_start_words(PROGRAM, "127.0.0.1 %u lines", (unsigned)scripted.port);
    say("one\n");
    assert_done("done; published: 1\n");
    assert_int_equal(server_stop(&scripted), 6);
    assert_non_null(strstr(scripted.requests[2].text, "PUBLISH\r\n$5\r\nlines\r\n$3\r\none\r\n"));
    assert_string_equal(scripted.requests[5].text, scripted.requests[2].text);
}

/* The input stays open, so that the program can't end for lack of it. */
TEST(a_password_that_is_wrong_ends_it_at_once)
{
    tell("CONFIG SET requirepass 5esame");
    setenv("REDISCLI_AUTH", "0pen", 1);
    start();
    say("one\n");
    program_finish();
    assert_status(1);
    assert_contains(program.err.bytes, "WRONGPASS ");
    assert_contains(program.err.bytes, "; failed; published: 0\n");
    setenv("REDISCLI_AUTH", "5esame", 1);
    start();
    publish("one");
    assert_done("done; published: 1\n");
}

/* The input stays open, so that the signal alone can be the reason. */
TEST(a_signal_ends_a_wait_for_a_line_and_a_wait_for_the_server)
{
    for (unsigned away = 0; away < 2; away++) {
        start();
        publish("one");
        if (away) {
            kill_server();
            say("two\n");
            await(&program.err, "Connection refused: retry 3 in ");
        }
        kill(program.pid, SIGTERM);
        program_finish();
        assert_status(1);
        assert_contains(program.err.bytes, "cancelled; published: 1\n");
    }
}

static void close_stdin(void)
{
    close(0);
}

TEST(a_closed_input_is_no_empty_one)
{
    program.before = close_stdin;
    start();
    program_finish();
    assert_status(1);
}

int main(void)
{
    return run_all_with(begin, finish, make_place, remove_place);
}
