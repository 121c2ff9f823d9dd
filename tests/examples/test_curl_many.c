/* Many GETs at once: examples/curl/curl_many is PROGRAM, and ODD_PROGRAM is curl_many_odd.c. With
   an argument, it is examples/loops/uv_curl, and uv_curl_odd.c. The name server of the odd ones
   hangs. SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../common/server.h"
#include "hung_resolver.h"

#define GETS 100
#define ANSWER(status, headers) "HTTP/1.1 " status " x\r\n" headers "Content-Length: 0\r\n\r\n"

static struct server server;
static bool uv;

enum { USUAL, ODD };
static const char *const programs[2][2] = { { PROGRAM, ODD_PROGRAM },
                                            { UV_PROGRAM, UV_ODD_PROGRAM } };

/* GETs of /0, /1 and so on. uv_curl has no places. */
static void start(unsigned which, unsigned places, unsigned gets)
{
    static char words[GETS * 40];
    int length = uv ? 0 : sprintf(words, "%u", places);
    for (unsigned i = 0; i < gets; i++)
        length += sprintf(words + length, " http://127.0.0.1:%u/%u", (unsigned)server.port, i);
    program_start_words(programs[uv][which], "%s", words);
}

static void run(unsigned which, unsigned places, unsigned gets)
{
    start(which, places, gets);
    program_end();
    server_stop(&server);
}

/* How many lines contain this text. */
static unsigned lines(const char *text)
{
    unsigned count = 0;
    for (const char *at = program.out.bytes; (at = strstr(at, text)) != NULL; at++)
        count++;
    return count;
}

/* ---- both programs ---- */

static const struct answer *fail_each_fifth(struct server *asked, unsigned k)
{
    static const struct answer whole = { "HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\nwhole", KEEP },
                               ends[] = {
        { "HTTP/1.1 200 x\r\n", HANG }, { "HTTP/1.1 200 x\r\nContent-" }, { "", RESET },
        { "HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\ncut" }, { "HTTP/1.1 200 x\r\n" },
        { "H", RESET }, { ANSWER("503", ""), KEEP },
    };
    return k % 5 == 4 ? &ends[k / 5 % LENGTH(ends)] : &whole;
}

TEST(of_100_gets_to_a_server_that_fails_95_are_done_and_all_of_these_are_whole)
{
    unsigned done;
    assert_true(server_start_with(&server, fail_each_fifth));
    run(USUAL, 10, GETS);
    done = lines(": done\n");
    print_message("%u done, with %u requests\n", done, server.count);
    assert_int_equal(lines(": 200 , 5 bytes\n"), done);
    assert_int_equal(lines(": 200 , "), done);
    assert_in_range(done, GETS * 95 / 100, GETS);
    assert_status(done < GETS);
}

TEST(while_a_get_hangs_retries_are_made_when_they_are_due_and_the_next_gets_begin)
{
    static const struct answer answers[] = {
        { "", HANG, "/0" }, { ANSWER("200", ""), CLOSE, "/0" }, { ANSWER("503", ""), CLOSE, "/1" },
        { ANSWER("503", ""), CLOSE, "/1" }, { ANSWER("200", ""), CLOSE, "/1" },
        { ANSWER("503", "Retry-After: 3600\r\n"), CLOSE, "/2" }, { ANSWER("404", ""), CLOSE, "/3" },
        { ANSWER("302", "Location: /5\r\n"), CLOSE, "/4" },
    };
    static const char *const meanwhile[] = {
        "/1: 503 , 0 bytes; wait ", "/1: done\n", "/2: 503 , 0 bytes\n", "/2: wait_too_long\n",
        "/3: failed\n", "/4: failed\n",
    };
    assert_true(server_start(&server, answers, LENGTH(answers)));
    run(USUAL, 2, 5);
    for (unsigned i = 0; i < LENGTH(meanwhile); i++) {
        assert_contains(program.out.bytes, meanwhile[i]);
        assert_contains(strstr(program.out.bytes, meanwhile[i]), "/0: 28 ");
    }
    assert_contains(program.out.bytes, "/0: done\n");
    assert_true(real_now_ms() - program.began_ms < 15000);   /* for attempt_ms is 2000 */
    assert_status(1);
}

/* A body that is too long is for curl_many alone: uv_curl keeps none. */
TEST(only_http_is_spoken_and_a_body_that_is_too_long_fails)
{
    static const struct answer endless = { "HTTP/1.1 200 x\r\n\r\nxxxxxxxxxxxxxxxx", REPEAT };
    assert_true(server_start(&server, &endless, 1));
    program_start_words(programs[uv][USUAL],
                        uv ? "file:///dev/null" : "2 file:///dev/null http://127.0.0.1:%u/",
                        (unsigned)server.port);
    program_end();
    assert_contains(program.out.bytes, "file:///dev/null: 1 ");
    assert_int_equal(lines(": failed\n"), uv ? 1 : 2);
}

TEST(a_name_server_that_hangs_holds_neither_other_gets_nor_a_timeout_nor_ctrl_c)
{
    static const struct answer fine = { ANSWER("200", "") };
    if (!resolver_can_hang())
        skip();
    assert_true(server_start(&server, &fine, 1));
    program_start_words(programs[uv][ODD], "%s http://hangs.test/ http://127.0.0.1:%u/",
                        uv ? "" : "2", (unsigned)server.port);
    await(&program.out, ": done\n");
    await(&program.out, "hangs.test/: 28 ");
    await(&program.err, "the name server hangs");
    await(&program.err, "the name server hangs");
    program_interrupt("");
}

/* If the attempt had not been given up, its timeout would have been another line. */
TEST(ctrl_c_ends_an_attempt_and_a_wait)
{
    static const struct answer answers[] = {
        { "HTTP/1.1 200 x\r\n", HANG }, { ANSWER("503", "Retry-After: 30\r\n") },
    };
    assert_true(server_start(&server, answers, 2));
    start(USUAL, 2, 2);
    await(&program.out, "; wait 3");
    program_interrupt("");
    assert_int_equal(lines("\n"), 1);
}

/* ---- uv_curl ---- */

TEST(a_timer_of_libuv_that_is_early_makes_no_attempt_early)
{
    static const struct answer answers[] = { { ANSWER("503", "Retry-After: 1\r\n") },
                                             { ANSWER("200", "") } };
    if (!uv)
        skip();
    assert_true(server_start(&server, answers, 2));
    run(ODD, 1, 1);
    assert_true(real_now_ms() - program.began_ms >= 1000);
    assert_int_equal(lines("\n"), 3);
    assert_status(0);
}

TEST(a_transfer_that_pauses_for_longer_than_its_timeout_is_retried)
{
    static const struct answer whole = { "HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\nwhole",
                                         KEEP, NULL, true };
    if (!uv)
        skip();
    assert_true(server_start(&server, &whole, 1));
    setenv("PAUSE", "yes", 1);
    run(ODD, 1, 1);
    unsetenv("PAUSE");
    assert_contains(program.out.bytes, "/0: 28 ");
    assert_contains(program.out.bytes, ", 0 bytes; wait ");
    assert_status(0);
}

/* ---- curl_many: the budget, the gate, and its loop ---- */

/* Ten GETs at once get a 429 that names a time, which costs nothing, and then 503. */
TEST(an_outage_costs_no_more_retries_than_the_budget_has_and_a_429_with_a_time_none)
{
    struct answer answers[11];
    if (uv)
        skip();
    for (unsigned i = 0; i < 10; i++)
        answers[i] = (struct answer){ ANSWER("429", "Retry-After: 0.1\r\n") };
    answers[10] = (struct answer){ ANSWER("503", ""), .always = true };
    assert_true(server_start(&server, answers, 11));
    run(USUAL, 10, 10);
    assert_int_equal(server.count, 10 + 10 + 20);
    assert_true(lines(": budget_empty\n") > 0);
    assert_status(1);
}

/* /1 comes again when /0 has got its 429. */
static const struct answer *busy_then_429(struct server *asked, unsigned k)
{
    static const struct answer busy = { ANSWER("503", "") }, no = { ANSWER("429", "") },
                               fine = { ANSWER("200", "") };
    if (asked->count < 2)
        return NULL;
    return k > 1 ? &fine : server_was_asked(asked, k, "GET /0") ? &no : &busy;
}

TEST(a_429_that_names_no_time_holds_all_gets_for_a_second)
{
    if (uv)
        skip();
    assert_true(server_start_with(&server, busy_then_429));
    run(USUAL, 2, 2);
    assert_int_equal(lines("/0: 0 held, 0 bytes; wait "), 1);
    assert_int_equal(lines("/1: 0 held, 0 bytes; wait "), 1);
    assert_status(0);
}

TEST(without_time_no_attempt_is_made_and_ctrl_c_just_before_a_wait_ends_it)
{
    static const struct answer down = { ANSWER("503", ""), .always = true },
                               busy = { ANSWER("503", "Retry-After: 30\r\n") };
    if (uv)
        skip();
    assert_true(server_start(&server, &down, 1));
    run(ODD, 1, 1);
    assert_int_equal(server.count, 2);
    assert_int_equal(lines("/0: timed_out\n"), 1);
    assert_true(server_start(&server, &busy, 1));
    run(ODD, 1, 1);
    assert_true(real_now_ms() - program.began_ms < 20000);
    assert_status(1);
}

int main(int argc, char **argv)
{
    uv = argc > 1;
    setenv("no_proxy", "*", 1);
    return run_all_with(NULL, program_kill, NULL, NULL);
}
