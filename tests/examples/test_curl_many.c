/* Many GETs at once: examples/curl/curl_many is PROGRAM, and examples/loops/uv_curl is UV_PROGRAM.
   ODD_PROGRAM is curl_many_odd.c, and UV_ODD_PROGRAM uv_curl_odd.c; their name server hangs. Those
   of uv_curl are "" where there is no libuv. SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../common/server.h"
#include "hung_resolver.h"

#define GETS 100
#define ANSWER(status, headers) "HTTP/1.1 " status " x\r\n" headers "Content-Length: 0\r\n\r\n"

static struct server server;

/* For what both programs have in common. */
static const struct { const char *program, *places; } both[] = {
    { PROGRAM, "10" }, { UV_PROGRAM, NULL }
};
#define BOTH (UV_PROGRAM[0] ? 2u : 1u)

/* Of the URLs /0, /1 and so on. places NULL: uv_curl has none. */
static void start(const char *file, const char *places, unsigned gets)
{
    static char urls[GETS][48];
    const char *arguments[GETS + 3] = { file, places };
    for (unsigned i = 0; i < gets; i++) {
        snprintf(urls[i], sizeof urls[i], "http://127.0.0.1:%u/%u", (unsigned)server.port, i);
        arguments[i + (places ? 2 : 1)] = urls[i];
    }
    program_start(arguments);
}

static void run(const char *file, const char *places, unsigned gets)
{
    start(file, places, gets);
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

static unsigned number(const struct server *asked, unsigned k)
{
    return (unsigned)atoi(asked->requests[k].text + strlen("GET /"));
}

/* ---- a server that fails ---- */

static const struct answer *whole_or_cut(unsigned n, unsigned missing)
{
    static char bytes[512];   /* the server sends it before it asks again */
    static struct answer answer = { bytes };
    int header = snprintf(bytes, sizeof bytes, "HTTP/1.1 200 x\r\nContent-Length: %u\r\n\r\n",
                          100 + n);
    memset(bytes + header, 'x', 100 + n);
    bytes[header + 100 + (int)(n - missing)] = '\0';
    answer.then = missing ? CLOSE : KEEP;
    return &answer;
}

static const struct answer *fail_each_fifth(struct server *asked, unsigned k)
{
    static const struct answer ends[] = {
        { "HTTP/1.1 200 x\r\nContent-" }, { "", RESET }, { ANSWER("503", ""), KEEP }, { NULL },
        { "HTTP/1.1 200 x\r\n", HANG }, { "HTTP/1.1 200 x\r\n" }, { "H", RESET },
        { ANSWER("503", ""), KEEP }, { NULL }, { ANSWER("429", "Retry-After: 0.1\r\n"), KEEP },
    };
    const struct answer *end = &ends[k / 5 % LENGTH(ends)];
    return k % 5 == 4 && end->bytes ? end : whole_or_cut(number(asked, k), k % 5 == 4 ? 7 : 0);
}

TEST(of_100_gets_to_a_server_that_fails_95_are_done_and_all_of_these_are_whole)
{
    for (unsigned i = 0; i < BOTH; i++) {
        unsigned done = 0;
        assert_true(server_start_with(&server, fail_each_fifth));
        run(both[i].program, both[i].places, GETS);
        for (unsigned n = 0; n < GETS; n++) {
            char all[48], whole[64];
            snprintf(all, sizeof all, "/%u: 200 , ", n);
            snprintf(whole, sizeof whole, "/%u: 200 , %u bytes\n", n, 100 + n);
            assert_true(lines(all) == lines(whole) && lines(whole) <= 1);
            done += lines(whole);
        }
        print_message("%u done, with %u requests\n", done, server.count);
        assert_int_equal(lines(": done\n"), done);
        assert_true(done >= GETS * 95 / 100);
        assert_status(done < GETS);
    }
}

/* ---- the budget and the gate ---- */

/* Each GET gets a 429 that names a time, which costs nothing, and then 503. */
TEST(an_outage_costs_no_more_retries_than_the_budget_has_and_a_429_with_a_time_none)
{
    struct answer answers[11] = { { NULL } };
    char paths[10][4];
    for (unsigned i = 0; i < 10; i++) {
        snprintf(paths[i], sizeof paths[i], "/%u", i);
        answers[i] = (struct answer){ ANSWER("429", "Retry-After: 0.1\r\n"), .path = paths[i] };
    }
    answers[10] = (struct answer){ ANSWER("503", ""), .always = true };
    assert_true(server_start(&server, answers, 11));
    run(PROGRAM, "10", 10);
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
    return k > 1 ? &fine : number(asked, k) == 0 ? &no : &busy;
}

TEST(a_429_that_names_no_time_holds_all_gets_for_a_second)
{
    assert_true(server_start_with(&server, busy_then_429));
    run(PROGRAM, "2", 2);
    assert_int_equal(lines("/0: 0 held, 0 bytes; wait "), 1);
    assert_int_equal(lines("/1: 0 held, 0 bytes; wait "), 1);
    assert_status(0);
}

/* ---- each end ---- */

/* Meanwhile the first one hangs, until its timeout. */
TEST(a_get_that_has_ended_leaves_its_place_to_the_next_one_at_once)
{
    static const struct answer answers[] = {
        { "", HANG, "/0" }, { ANSWER("200", ""), CLOSE, "/0" },
        { ANSWER("503", "Retry-After: 3600\r\n"), CLOSE, "/1" }, { ANSWER("404", ""), CLOSE, "/2" },
        { ANSWER("302", "Location: /5\r\n"), CLOSE, "/3" }, { ANSWER("200", ""), CLOSE, "/4" },
    };
    assert_true(server_start(&server, answers, LENGTH(answers)));
    run(PROGRAM, "2", 5);
    program.out.seen = 0;
    await(&program.out, "/1: 503 , 0 bytes\n");
    await(&program.out, "/1: wait_too_long\n");
    await(&program.out, "/2: failed\n");
    await(&program.out, "/3: failed\n");
    await(&program.out, "/4: done\n");
    await(&program.out, "/0: 28 ");
    await(&program.out, "/0: done\n");
    assert_status(1);
}

TEST(a_retry_is_made_when_it_is_due_although_another_get_hangs)
{
    static const struct answer answers[] = {
        { "", HANG, "/0" }, { ANSWER("200", ""), CLOSE, "/0" },
        { ANSWER("503", ""), CLOSE, "/1" }, { ANSWER("503", ""), CLOSE, "/1" },
        { ANSWER("200", ""), CLOSE, "/1" },
    };
    for (unsigned i = 0; i < BOTH; i++) {
        assert_true(server_start(&server, answers, LENGTH(answers)));
        run(both[i].program, both[i].places, 2);
        program.out.seen = 0;
        await(&program.out, "/1: 503 , 0 bytes; wait ");
        await(&program.out, "/1: done\n");
        await(&program.out, "/0: 28 ");
        await(&program.out, "/0: done\n");
        assert_status(0);
    }
}

TEST(only_http_is_spoken_and_a_body_that_is_too_long_fails)
{
    static const struct answer endless = { "HTTP/1.1 200 x\r\n\r\nxxxxxxxxxxxxxxxx", REPEAT };
    assert_true(server_start(&server, &endless, 1));
    program_start_words(PROGRAM, "2 file:///dev/null http://127.0.0.1:%u/", (unsigned)server.port);
    program_end();
    assert_contains(program.out.bytes, "file:///dev/null: 1 ");
    assert_int_equal(lines(": failed\n"), 2);
    if (BOTH == 2) {
        program_start_words(UV_PROGRAM, "file:///dev/null");
        program_end();
        assert_contains(program.out.bytes, "file:///dev/null: failed\n");
    }
}

TEST(without_time_no_attempt_is_made)
{
    static const struct answer down = { ANSWER("503", ""), .always = true };
    assert_true(server_start(&server, &down, 1));
    run(ODD_PROGRAM, "1", 1);
    assert_int_equal(server.count, 2);
    assert_int_equal(lines("/0: timed_out\n"), 1);
}

/* ---- uv_curl alone: see uv_curl_odd.c ---- */

static void run_odd(const char *oddity, const char *first)
{
    const struct answer answers[] = { { first, KEEP }, { ANSWER("200", ""), KEEP } };
    if (BOTH < 2)
        skip();
    assert_true(server_start(&server, answers, 2));
    setenv(oddity, "yes", 1);
    run(UV_ODD_PROGRAM, NULL, 1);
    unsetenv(oddity);
    assert_status(0);
    assert_int_equal(server.count, 2);
}

TEST(a_timer_of_libuv_that_is_early_makes_no_attempt_early)
{
    run_odd("EARLY", ANSWER("503", "Retry-After: 1\r\n"));
    assert_true(real_now_ms() - program.began_ms >= 1000);
    assert_int_equal(lines("\n"), 3);
}

TEST(a_transfer_that_pauses_for_too_long_times_out_and_is_retried)
{
    run_odd("PAUSE", "HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\nwhole");
    assert_contains(program.out.bytes, "/0: 28 ");
    assert_contains(program.out.bytes, ", 0 bytes; wait ");
}

/* ---- a name server that hangs, and Ctrl-C ---- */

TEST(a_name_server_that_hangs_holds_neither_other_gets_nor_a_timeout_nor_ctrl_c)
{
    static const struct answer fine = { ANSWER("200", "") };
    if (!resolver_can_hang())
        skip();
    for (unsigned i = 0; i < BOTH; i++) {
        assert_true(server_start(&server, &fine, 1));
        program_start_words(i ? UV_ODD_PROGRAM : ODD_PROGRAM,
                            i ? "http://hangs.test/ http://127.0.0.1:%u/"
                              : "2 http://hangs.test/ http://127.0.0.1:%u/", (unsigned)server.port);
        await(&program.out, ": done\n");
        await(&program.out, "hangs.test/: 28 ");
        program.err.seen = 0;
        await(&program.err, "the name server hangs");
        await(&program.err, "the name server hangs");
        program_interrupt("");
        assert_int_equal(lines("an attempt was not ended"), 0);   /* the odd ones say so */
    }
}

/* If the attempt had not been given up, its timeout would have been another line. */
TEST(ctrl_c_ends_an_attempt_and_a_wait)
{
    static const struct answer answers[] = {
        { "HTTP/1.1 200 x\r\n", HANG }, { ANSWER("503", "Retry-After: 30\r\n") },
    };
    for (unsigned i = 0; i < BOTH; i++) {
        assert_true(server_start(&server, answers, 2));
        start(both[i].program, both[i].places, 2);
        await(&program.out, "; wait 3");
        program_interrupt("");
        assert_int_equal(lines("\n"), 1);
    }
}

TEST(ctrl_c_just_before_a_wait_ends_it)
{
    static const struct answer busy = { ANSWER("503", "Retry-After: 30\r\n") };
    assert_true(server_start(&server, &busy, 1));
    start(ODD_PROGRAM, "1", 1);
    program_end();
    assert_true(real_now_ms() - program.began_ms < 20000);
    assert_status(1);
}

int main(void)
{
    setenv("no_proxy", "*", 1);
    return run_all_with(NULL, program_kill, NULL, NULL);
}
