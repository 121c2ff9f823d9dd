/* The small examples as their users run them. FOLDER is that of the programs.
   SPDX-License-Identifier: MIT */
#include "../common/program.h"

#include "../common/server.h"

static struct server server;

/* Blanks separate the options. %u is the port of the server. */
static void start(const char *name, const char *options)
{
    char file[512];
    snprintf(file, sizeof file, FOLDER "/%s", name);
    program_start_words(file, options, (unsigned)server.port);
}

static void run(const char *name, const char *options, int status)
{
    start(name, options);
    program_end();
    assert_status(status);
}

#define assert_says(text) assert_contains(program.out.bytes, text)

static unsigned number_after(const char *text)
{
    const char *at = strstr(program.out.bytes, text);
    if (!at)
        fail_msg("\"%s\" is not in:\n%s", text, program.out.bytes);
    return (unsigned)strtoul(at + strlen(text), NULL, 10);
}

/* ---- all of them ---- */

/* A program of a library that this machine does not have. CI has all of them. */
static bool is_left_out(const char *name)
{
    return strstr(LEFT_OUT, name) && !getenv("REDIAL_CI");
}

TEST(a_wrong_argument_is_answered_by_the_usage_and_not_printed)
{
    static const struct { const char *name, *options; } rows[] = {
        { "quickstart", "--token=secret" }, { "reconnect", "--help" },
        { "uv_get", "" }, { "uv_get", "localhost 80 /a" }, { "uv_get", "127.0.0.1 80" },
        { "uv_get", "--help" },
        { "curl_many", "" }, { "curl_many", "1" }, { "curl_many", "0 http://a/" },
        { "curl_many", "11 http://a/" }, { "curl_many", "http://a/ 1" },
        { "redis_gate", "--help" },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        if (is_left_out(rows[i].name))
            continue;
        run(rows[i].name, rows[i].options, 2);
        assert_memory_equal(program.err.bytes, "usage: ", 7);
        assert_contains(program.err.bytes, rows[i].name);
        assert_null(strstr(program.err.bytes, "secret"));
    }
}

/* If a socket got the number of a closed stdout, the server would get what is printed. */
TEST(a_full_disk_and_a_closed_stdout_are_failures)
{
    static const struct { const char *name, *options; void (*before)(void); } programs[] = {
        { "quickstart", "", fill_disk }, { "quickstart", "", close_stdout },
        { "herd", "--clients 9", fill_disk }, { "herd", "--clients 9", close_stdout },
        { "reconnect", "127.0.0.1 %u", fill_disk }, { "uv_get", "127.0.0.1 %u /", close_stdout },
        { "curl_many", "1 http://127.0.0.1:%u/", close_stdout },
    };
    static const struct answer fine = { "HTTP/1.1 200 x\r\n\r\n", .always = true };
    for (unsigned i = 0; i < LENGTH(programs); i++) {
        if (is_left_out(programs[i].name))
            continue;
        server.greeting = strcmp(programs[i].name, "reconnect") == 0 ? "hello\n" : NULL;
        assert_true(server_start(&server, &fine, 1));
        program.before = programs[i].before;
        run(programs[i].name, programs[i].options, 1);
        assert_contains(program.err.bytes, ": can't write to standard output");
    }
}

TEST(test_your_client_passes)
{
    run("test_your_client", "", 0);
}

/* ---- quickstart ---- */

TEST(quickstart_retries_503_and_429_of_its_own_server_and_prints_the_body)
{
    run("quickstart", "", 0);
    assert_says("attempt 1: status 503; wait ");
    assert_says(" ms\nattempt 2: status 429; wait 1");
    assert_says(" (the server asked for 1000 ms)\nattempt 3: status 200\nverdict: done; attempts: "
                "3; time: ");
    assert_says("\n{\"id\": 7, \"name\": \"redial\"}\n");
}

TEST(quickstart_names_each_verdict)
{
    static const struct { const char *bytes, *text; } rows[] = {
        { "HTTP/1.1 503 x\r\n\r\n", "attempt 4: status 503\nverdict: exhausted; attempts: 4; " },
        { "HTTP/1.1 404 x\r\n\r\n", "status 404\nverdict: failed; attempts: 1;" },
        { "HTTP/1.1 503 x\r\nRetry-After: 301\r\n\r\n", "\na wait of 301000 ms was refused\n" },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        const struct answer answer = { rows[i].bytes, .always = true };
        assert_true(server_start(&server, &answer, 1));
        run("quickstart", "http://127.0.0.1:%u/a?b", 1);
        assert_says("/a?b\nattempt 1: ");
        assert_says(rows[i].text);
    }
}

/* If Ctrl-C did not end the wait or the attempt, there would be another verdict later. */
TEST(ctrl_c_ends_a_wait_and_an_attempt_of_quickstart)
{
    static const struct answer answers[] = { { "HTTP/1.1 503 x\r\nRetry-After: 60\r\n\r\n" },
                                             { "", HANG } };
    for (unsigned i = 0; i < 2; i++) {
        assert_true(server_start(&server, &answers[i], 1));
        start("quickstart", "http://127.0.0.1:%u/");
        await(&program.out, i ? "attempt 1: " : "; wait 6");
        program_interrupt("");
        assert_says("\nverdict: cancelled; attempts: 1;");
    }
}

/* QUICK_PROGRAM is quickstart, with attempts that end a hundred times as early (quick_get.c). */
TEST(quickstart_gives_up_each_attempt_to_a_server_that_says_nothing)
{
    static const struct answer silent = { "", HANG, .always = true };
    assert_true(server_start(&server, &silent, 1));
    program_start_words(QUICK_PROGRAM, "http://127.0.0.1:%u/", (unsigned)server.port);
    program_end();
    assert_status(1);
    assert_says("attempt 1: no whole answer (Connection timed out); wait ");
    assert_says("\nverdict: exhausted; attempts: 4; ");
}

/* ---- threads ---- */

/* At most a 429 for each of the 8 threads, for the gate closes. With a budget, some pages may then
   lack a token. */
TEST(threads_share_a_budget_and_a_429_but_no_503)
{
    static const struct { const char *what; unsigned pages, pages_with, least, most; } rows[] = {
        { "every 20th", 200, 200, 201, 1200 }, { "429, Retry-After: 1", 50, 0, 0, 50 + 8 },
        { "429 without a time", 50, 0, 0, 50 + 8 },
    };
    run("crawler", "", 0);
    assert_narrow();
    /* 10 tokens more */
    assert_says("503 to everything         100         0       600         0       110\n");
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        unsigned served, requests, served_with, requests_with;
        assert_int_equal(sscanf(strstr(program.out.bytes, rows[i].what) + strlen(rows[i].what),
                                "%*u%u%u%u%u", &served, &requests, &served_with, &requests_with),
                         4);
        if (served != rows[i].pages || served_with < rows[i].pages_with
            || requests < rows[i].least || requests_with < rows[i].least
            || requests > rows[i].most || requests_with > rows[i].most)
            fail_msg("%s", program.out.bytes);
    }
    if (number_after("retries: ") <= number_after(", or ")
        || number_after(", or ") > number_after("/ 100 = ")
        || number_after("waits at the gate: ") == 0)
        fail_msg("%s", program.out.bytes);
    assert_int_equal(number_after("after a 429; "), 0);
}

int main(void)
{
    return run_all_with(NULL, program_kill, NULL, NULL);
}
