/* examples/quickstart, as its user runs it: QUICKSTART is the program. SPDX-License-Identifier: MIT */
#include "../common/program.h"

#include "../common/server.h"

#define BUSY "HTTP/1.1 503 x\r\nContent-Length: 0\r\n\r\n"

static struct server server;
static char url[64];

static void serve(const struct answer *answers, unsigned rows)
{
    assert_true(server_start(&server, answers, rows));
    snprintf(url, sizeof url, "http://127.0.0.1:%u/a?b", (unsigned)server.port);
}

static void start(const char *const arguments[])
{
    const char *line[16] = { QUICKSTART };
    for (unsigned i = 0; arguments[i]; i++)
        line[i + 1] = arguments[i];
    program_start(line);
}

static void expect(const char *const arguments[], int status, const char *const texts[])
{
    start(arguments);
    program_end();
    for (; *texts; texts++)
        assert_contains(program.out.bytes, *texts);
    assert_status(status);
}

/* ---- runs ---- */

TEST(without_a_url_it_retries_503_and_429_of_its_own_server_and_prints_the_body)
{
    expect((const char *[]){ NULL }, 0, (const char *[]){
        "The server is built in. It answers 503, then 429 with Retry-After: 1, then 200.\nGET ",
        "attempt 1: status 503; wait ", " ms\nattempt 2: status 429; wait 1",
        " (the server asked for 1000 ms)\nattempt 3: status 200\nverdict: done; attempts: 3; time: ",
        "\n{\"id\": 7, \"name\": \"redial\"}\n", NULL });
}

TEST(options_set_the_schedule_and_the_last_line_names_the_verdict)
{
    serve((const struct answer[]){ { BUSY, .always = true } }, 1);
    expect((const char *[]){ "--base", "10ms", "--cap=.015", "--mode", "none", "--retries", "3", url, NULL }, 1,
           (const char *[]){ "/a?b\nattempt 1: status 503; wait 10 ms\nattempt 2: status 503; wait 15 ms\n",
                             "attempt 4: status 503\nverdict: exhausted; attempts: 4; time: ", NULL });
    server_stop(&server);
}

/* Only full jitter waits less than half of 10 ms. In 40 waits it does so, but for one run in 10^10. */
TEST(the_mode_of_jitter_can_be_chosen)
{
    const char *at;
    int short_waits = 0, ms;
    serve((const struct answer[]){ { BUSY, .always = true } }, 1);
    start((const char *[]){ "--mode=full", "--base=10ms", "--cap=10ms", "--retries=40", url, NULL });
    program_end();
    assert_status(1);
    assert_int_equal(server_stop(&server), 41);
    for (at = program.out.bytes; (at = strstr(at, "; wait ")) != NULL; at++)
        short_waits += sscanf(at, "; wait %d ms", &ms) == 1 && ms < 5;
    assert_true(short_waits > 0);
}

TEST(an_attempt_has_a_timeout_and_the_next_one_may_succeed)
{
    serve((const struct answer[]){ { "", HANG }, { "HTTP/1.1 200 OK\r\n\r\n", .always = true } }, 2);
    expect((const char *[]){ "--base=1ms", "--attempt=300ms", url, NULL }, 0,
           (const char *[]){ "attempt 1: could not receive (", "; wait ", "attempt 2: status 200\n", NULL });
    server_stop(&server);
}

TEST(each_verdict_is_named)
{
    static const struct { struct answer answer; const char *texts[3]; } runs[] = {
        { { "HTTP/1.1 404 x\r\nContent-Length: 0\r\n\r\n", CLOSE, .always = true },
          { "status 404\nverdict: failed; attempts: 1;", NULL } },
        { { "HTTP/1.1 503 x\r\nRetry-After: 301\r\nContent-Length: 0\r\n\r\n", CLOSE, .always = true },
          { "verdict: wait_too_long; attempts: 1;", "a wait of 301000 ms was refused", NULL } },
        { { "hello\r\n", CLOSE, .always = true }, { "the answer is not HTTP/1\nverdict: failed; attempts: 1;", NULL } },
        { { "", RESET, .always = true },
          { "(Connection reset by peer); wait 1 ms", "verdict: exhausted; attempts: 2;", NULL } },
        { { "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", CLOSE, .always = true },
          { "closed in the middle of the body (", "verdict: exhausted; attempts: 2;", NULL } },
    };
    for (size_t i = 0; i < LENGTH(runs); i++) {
        serve(&runs[i].answer, 1);
        expect((const char *[]){ "--base=1ms", "--mode=none", "--retries=1", url, NULL }, 1, runs[i].texts);
        server_stop(&server);
    }
}

TEST(a_body_longer_than_the_buffer_is_cut_and_the_output_says_so)
{
    static char bytes[8192] = "HTTP/1.1 200 OK\r\n\r\n";
    memset(bytes + 19, 'x', 5000);
    serve(&(const struct answer){ bytes }, 1);
    expect((const char *[]){ url, NULL }, 0, (const char *[]){ "verdict: done", "xxx\n(4096 bytes of 5000)\n", NULL });
    server_stop(&server);
}

/* ---- Ctrl-C ---- */

/* If Ctrl-C did not end the wait, there would be another verdict half a minute later. */
static void expect_cancelled(const struct answer *answer, const char *when, const char *text)
{
    serve(answer, 1);
    start((const char *[]){ "--base=30", "--cap=0.5m", "--retries=1", url, NULL });
    await(&program.out, when);
    kill(program.pid, SIGINT);
    program_end();
    server_stop(&server);
    assert_status(1);
    assert_contains(program.out.bytes, text);
    assert_contains(program.out.bytes, "\nverdict: cancelled; attempts: 1;");
}

TEST(an_interrupt_ends_a_wait)
{
    expect_cancelled(&(const struct answer){ BUSY }, "; wait ", "status 503; wait 30");
}

TEST(an_interrupt_ends_an_attempt)
{
    expect_cancelled(&(const struct answer){ "", HANG }, "attempt 1: ", " (Interrupted system call)");
}

/* ---- bad usage ---- */

TEST(a_bad_argument_is_refused_with_one_line_that_names_it_and_the_rule)
{
    static const struct { const char *arguments[5]; const char *line; } bad[] = {
        { { "--base", "0", NULL }, "quickstart: --base 0: must be a time from 1ms to 1193h, in seconds or with the "
                                   "unit ms, s, m or h\n" },
        { { "--cap", "199ms", NULL },
          "quickstart: --base 200ms --cap 199ms --jitter 200ms: cap_ms must not be less than base_ms\n" },
        { { "-b", NULL }, "quickstart: -b: no such option; --help lists them\n" },
        { { "ftp://a/", NULL }, "quickstart: the URL: must be http://" },
        { { "http://a:b/", NULL }, "quickstart: the URL: must be http://" },
        { { "http://a/", "http://b/", NULL }, "quickstart: the URL: must be the last argument\n" },
    };
    for (size_t i = 0; i < LENGTH(bad); i++) {
        start(bad[i].arguments);
        program_end();
        assert_status(2);
        if (strncmp(program.err.bytes, bad[i].line, strlen(bad[i].line)) != 0)
            fail_msg("not '%s' but: %s", bad[i].line, program.err.bytes);
        assert_ptr_equal(strchr(program.err.bytes, '\n'), program.err.bytes + program.err.length - 1);
    }
}

TEST(help_is_given)
{
    expect((const char *[]){ "--help", NULL }, 0,
           (const char *[]){ "usage: quickstart", "--retries N", "[200ms]", NULL });
}

int main(void)
{
    return run_all_with(NULL, program_kill, NULL, NULL);
}
