/* The small examples as their users run them. FOLDER is that of the programs.
   SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../common/server.h"

int quickstart_main(int argc, char **argv);
#define main quickstart_main
#define run quickstart_run
#include "../../examples/quickstart/quickstart.c"
#undef main
#undef run

static struct server server;

/* Blanks separate the options. %u is the port of the server. */
static void run(const char *name, const char *options, int status)
{
    char file[512];
    snprintf(file, sizeof file, FOLDER "/%s", name);
    program_start_words(file, options, (unsigned)server.port);
    program_end();
    assert_status(status);
}

#define assert_says(text) assert_contains(program.out.bytes, text)

/* ---- all of them. LEFT_OUT: this machine does not have their library ---- */

TEST(a_wrong_argument_is_answered_by_the_usage_and_not_printed)
{
    static const struct { const char *name, *options; } rows[] = {
        { "quickstart", "--token=secret" }, { "reconnect", "--help" },
        { "uv_curl", "" }, { "uv_curl", "--help" },
        { "curl_many", "" }, { "curl_many", "1" }, { "curl_many", "0 http://a/" },
        { "curl_many", "11 http://a/" }, { "curl_many", "http://a/ 1" },
        { "redis_gate", "--help" },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        if (strstr(LEFT_OUT, rows[i].name))
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
        { "fleet", "--clients 9", fill_disk }, { "fleet", "--clients 9", close_stdout },
        { "reconnect", "127.0.0.1 %u", fill_disk },
        { "uv_curl", "http://127.0.0.1:%u/", close_stdout },
        { "curl_many", "1 http://127.0.0.1:%u/", close_stdout },
    };
    static const struct answer fine = { "HTTP/1.1 200 x\r\n\r\n", .always = true };
    for (unsigned i = 0; i < LENGTH(programs); i++) {
        if (strstr(LEFT_OUT, programs[i].name))
            continue;
        server.greeting = strcmp(programs[i].name, "reconnect") == 0 ? "hello\n" : NULL;
        assert_true(server_start(&server, &fine, 1));
        program.before = programs[i].before;
        run(programs[i].name, programs[i].options, 1);
        assert_contains(program.err.bytes, ": can't write to standard output");
    }
}

/* ---- quickstart ---- */

static void set_proxy(void)
{
    unsetenv("no_proxy");
    setenv("http_proxy", "http://127.0.0.1:1", 1);
}

TEST(quickstart_retries_503_and_429_of_its_own_server_and_prints_the_body)
{
    program.before = set_proxy;
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
        { "HTTP/1.1 503 x\r\nRetry-After: 301\r\n\r\n", "verdict: wait_too_long; attempts: 1;" },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        const struct answer answer = { rows[i].bytes, .always = true };
        assert_true(server_start(&server, &answer, 1));
        run("quickstart", "http://127.0.0.1:%u/a?b", 1);
        assert_says("/a?b\nattempt 1: ");
        assert_says(rows[i].text);
    }
}

TEST(quickstart_gives_up_an_attempt_to_a_server_that_says_nothing)
{
    static const struct answer silent = { "", HANG };
    const struct redial_attempt attempt = { 1, 300, redial_system() };
    struct fetch fetch = { curl_easy_init(), 0, "" };
    char url[64];
    assert_true(server_start(&server, &silent, 1));
    snprintf(url, sizeof url, "http://127.0.0.1:%u/", (unsigned)server.port);
    curl_easy_setopt(fetch.curl, CURLOPT_URL, url);
    assert_int_equal(fetch_once(&fetch, &attempt).code, CURLE_OPERATION_TIMEDOUT);
    curl_easy_cleanup(fetch.curl);
}

int main(void)
{
    setenv("no_proxy", "*", 1);
    return run_all_with(NULL, program_kill, NULL, NULL);
}
