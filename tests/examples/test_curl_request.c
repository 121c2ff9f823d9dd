/* examples/curl/curl_request against a scripted server. QUICK_PROGRAM is the same, but its waits
   are over at once. SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../common/server.h"
#include "hung_resolver.h"

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole"
/* The server closes after it, and says so: otherwise libcurl might use the connection again. */
#define ERROR(status, headers) \
    "HTTP/1.1 " status " x\r\nConnection: close\r\n" headers "Content-Length: 10\r\n\r\nerror page"
#define BUSY "HTTP/1.1 429 x\r\nContent-Length: 0\r\n\r\n"

static struct server server;

/* ---- one line for each end of a call ---- */

struct row {
    const char *more;               /* words after the URL */
    struct answer answers[3];       /* up to the first without bytes */
    unsigned requests;
    const char *verdict, *says;     /* both on stderr */
};

static const struct row rows[] = {
    { "", { { OK } }, 1, "done; attempts: 1;", "HTTP status (200)" },
    { "", { { ERROR("503", "") }, { OK } }, 2, "done; attempts: 2;",
      "HTTP status (503): retry 1 in 1000 ms\n" },
    { "", { { ERROR("503", "Retry-After: 9999\r\n") } }, 1, "wait_too_long; attempts: 1;",
      "a wait of 9999000 ms was refused" },
    { "", { { ERROR("503", ""), CLOSE, NULL, true } }, 6, "exhausted; attempts: 6;",
      "HTTP status (503)\nerror page\n" },
    { "", { { ERROR("404", "") } }, 1, "failed; attempts: 1;", "HTTP status (404)\nerror page\n" },
    { "", { { "HTTP/1.1 404 x\r\n\r\n\033[2J\a\177\377e" } }, 1, "failed; attempts: 1;",
      "\n.[2J...e\n" },
    { "", { { ERROR("302", "Location: /b\r\n"), CLOSE, "/" }, { OK, CLOSE, "/b" } }, 2,
      "done; attempts: 1;", "" },
    { "", { { ERROR("302", "Location: file:///etc/passwd\r\n") } }, 1, "failed; attempts: 1;",
      "(1)" },
    { "", { { "HTTP/1.1 200 x\r\nContent-Le" }, { OK } }, 2, "done; attempts: 2;",
      "(18): retry 1" },
    { "", { { ERROR("302", "Location: /\r\n"), CLOSE, NULL, true } }, 6, "failed; attempts: 1;",
      "Number of redirects hit maximum amount (47)" },
    /* 2 s are left of the 60, and the server says nothing more */
    { "", { { ERROR("503", "Retry-After: 58\r\n") }, { "", HANG } }, 2, "timed_out; attempts: 2;",
      "(28)" },
    { "PUT {}", { { ERROR("503", ""), KEEP }, { OK } }, 2, "done; attempts: 2;", "(503): retry 1" },
    { "POST {}", { { ERROR("503", "") } }, 1, "failed; attempts: 1;", "(503)" },
    { "POST {} k-1", { { ERROR("503", "") }, { OK } }, 2, "done; attempts: 2;", "(503): retry 1" },
    { "HEAD", { { NULL } }, 0, "The method must be GET, PUT or POST.", "usage: " },
    { "POST", { { NULL } }, 0, "PUT and POST have a body", "usage: " },
    { "GET {}", { { NULL } }, 0, "GET has none", "usage: " },
    { "PUT {} a\nb", { { NULL } }, 0, "The key must be one line", "usage: " },
    { "PUT {} k more", { { NULL } }, 0, "at most three more words", "usage: " },
};

static void request(const char *more, unsigned port)
{
    program_start_words(QUICK_PROGRAM, "http://127.0.0.1:%u/ %s", port, more);
    program_end();
}

TEST(each_call_ends_as_it_should_and_prints_the_body_of_a_success_alone)
{
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct row *row = &rows[i];
        bool done = strncmp(row->verdict, "done", 4) == 0;
        unsigned count = 0;
        while (count < LENGTH(row->answers) && row->answers[count].bytes)
            count++;
        assert_true(server_start(&server, row->answers, count));
        request(row->more, server.port);
        assert_contains(program.err.bytes, row->verdict);
        assert_contains(program.err.bytes, row->says);
        assert_string_equal(program.out.bytes, done ? "whole" : "");
        assert_status(done ? 0 : row->requests == 0 ? 2 : 1);
        assert_int_equal(server_stop(&server), row->requests);
    }
}

/* libcurl's socket would get the number of a closed stdout. */
TEST(a_body_that_can_not_be_written_is_a_failure)
{
    static char much[16384] = "HTTP/1.1 200 x\r\n\r\n";
    const struct answer answers[] = { { OK, .always = true }, { much, .always = true } };
    memset(much + strlen(much), 'x', sizeof much - 1 - strlen(much));
    for (unsigned i = 0; i < 4; i++) {
        assert_true(server_start(&server, &answers[i % 2], 1));
        program.before = i < 2 ? fill_disk : close_stdout;
        request("", server.port);
        assert_status(1);
        assert_contains(program.err.bytes, "curl_request: can't write to standard output");
    }
}

static void close_all(void)
{
    close(0);
    close(1);
    close(2);
}

TEST(without_stdin_stdout_and_stderr_the_server_gets_its_requests_alone)
{
    static const struct answer answers[] = { { ERROR("503", ""), KEEP }, { OK } };
    assert_true(server_start(&server, answers, 2));
    program.before = close_all;
    request("", server.port);
    assert_int_equal(server_stop(&server), 2);
    assert_true(server_was_asked(&server, 1, "GET /"));
}

TEST(no_file_is_read_and_no_option_is_printed)
{
    program_start_words(QUICK_PROGRAM, "file:///etc/passwd");
    program_end();
    assert_status(1);
    assert_string_equal(program.out.bytes, "");
    assert_contains(program.err.bytes, "failed; attempts: 1; last: ");
    assert_contains(program.err.bytes, " (1)\n");
    program_start_words(QUICK_PROGRAM, "--token=secret");
    program_end();
    assert_status(2);
    assert_null(strstr(program.err.bytes, "secret"));
}

TEST(an_answer_without_a_body_prints_nothing_and_one_without_an_end_is_refused)
{
    static const struct answer empty = { "HTTP/1.1 204 x\r\n\r\n" };
    static char much[65536] = "HTTP/1.1 200 x\r\n\r\n";
    const struct answer endless = { much, REPEAT };
    assert_true(server_start(&server, &empty, 1));
    request("", server.port);
    assert_status(0);
    assert_string_equal(program.out.bytes, "");
    memset(much + strlen(much), 'x', sizeof much - 1 - strlen(much));
    assert_true(server_start(&server, &endless, 1));
    request("", server.port);
    assert_contains(program.err.bytes, "failed; attempts: 1; last: ");
    assert_contains(program.err.bytes, " (23)\n");
    assert_string_equal(program.out.bytes, "");
}

/* ---- what is sent again, and what is not ---- */

TEST(each_attempt_has_the_whole_body_and_the_key_of_its_call)
{
    static const struct answer answers[] = { { ERROR("503", ""), KEEP },
                                             { "", RESET, NULL, false, 30000 }, { OK } };
    static char body[100001], more[100100];
    memset(body, 'x', sizeof body - 1);
    snprintf(more, sizeof more, "POST %s 6f1c", body);
    assert_true(server_start(&server, answers, 3));
    request(more, server.port);
    assert_int_equal(server_stop(&server), 3);
    assert_string_equal(server.requests[0].body, body);
    assert_string_equal(server.requests[2].body, body);
    assert_string_equal(server_header(&server, 0, "Idempotency-Key"), "6f1c");
    assert_string_equal(server_header(&server, 2, "Idempotency-Key"), "6f1c");
    snprintf(more, sizeof more, "POST {} %.201s", body);
    request(more, server.port);
    assert_contains(program.err.bytes, "The key must be one line of at most 200 bytes.");
    assert_status(2);
}

/* The server keeps the connection after 429, does the work of the next request, and closes. */
TEST(libcurl_itself_repeats_on_a_kept_connection_only_what_may_be_repeated)
{
    static const struct answer answers[] = { { BUSY, KEEP }, { "", CLOSE },
                                             { OK, CLOSE, NULL, true } };
    static const struct { const char *more; unsigned requests; const char *verdict; } kept[] = {
        { "POST {}", 2, "failed; attempts: 2;" },
        { "PUT {}", 3, "done; attempts: 2;" },
        { "POST {} 6f1c", 3, "done; attempts: 2;" },
    };
    for (size_t i = 0; i < LENGTH(kept); i++) {
        assert_true(server_start(&server, answers, 3));
        request(kept[i].more, server.port);
        assert_int_equal(server_stop(&server), kept[i].requests);
        assert_int_equal(server.connections, 2);
        assert_int_equal(strncmp(server.requests[0].text, kept[i].more, 4), 0);   /* the method */
        assert_contains(program.err.bytes, kept[i].verdict);
    }
}

/* ---- Ctrl-C ---- */

TEST(ctrl_c_ends_a_wait_and_a_transfer)
{
    static const struct answer answers[] = {
        { ERROR("503", "Retry-After: 30\r\n") },
        { "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nbroken", HANG },
    };
    for (unsigned i = 0; i < 2; i++) {
        assert_true(server_start(&server, &answers[i], 1));
        program_start_words(PROGRAM, "http://127.0.0.1:%u/", (unsigned)server.port);
        if (i == 0)
            await(&program.err, "retry 1 in 3");
        server_await(&server, 1);
        program_interrupt("cancelled; attempts: 1;");
        server_stop(&server);
    }
}

/* It would answer after 20 s. 2 s are left when it is asked. */
TEST(a_name_server_that_hangs_holds_neither_the_limit_nor_ctrl_c)
{
    static const struct answer answers[] = { { ERROR("503", "Retry-After: 58\r\n") },
                                             { ERROR("302", "Location: http://hangs.test/\r\n") } };
    uint32_t since;
    if (!resolver_can_hang())
        skip();
    assert_true(server_start(&server, answers, 2));
    program_start_words(QUICK_PROGRAM, "http://127.0.0.1:%u/", (unsigned)server.port);
    await(&program.err, "the name server hangs");
    since = real_now_ms();
    program_end();
    print_message("it ended after %u ms\n", (unsigned)(real_now_ms() - since));
    assert_true(real_now_ms() - since < 4000);   /* the machine may be busy */
    assert_contains(program.err.bytes, "timed_out; attempts: 2; last: Timeout was reached (28)");
    assert_status(1);
    program_start_words(QUICK_PROGRAM, "http://hangs.test/");
    await(&program.err, "the name server hangs");
    program_interrupt("cancelled; attempts: 1;");
}

int main(void)
{
    setenv("no_proxy", "*", 1);
    return run_all_with(NULL, program_kill, NULL, NULL);
}
