/* examples/curl/curl_request against a scripted server. SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../common/server.h"

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole"
#define ERROR(status, headers) "HTTP/1.1 " status " x\r\n" headers "Content-Length: 10\r\n\r\nerror page"

static struct server server;

static void request_begins(uint16_t port, const char *more, const char *body)
{
    program_start_words(PROGRAM, "--url http://127.0.0.1:%u/ --base 20ms --jitter 1ms %s %s %s", (unsigned)port, more,
                        body ? "--body" : "", body ? body : "");
}

static void request(uint16_t port, const char *more, const char *body)
{
    request_begins(port, more, body);
    program_end();
}

/* ---- one line for each end of a call ---- */

struct row {
    const char *more;
    struct answer answers[3];       /* up to the first without bytes */
    unsigned requests;
    const char *verdict, *says;     /* both on stderr */
};

static const struct row rows[] = {
    { "", { { OK } }, 1, "done; attempts: 1;", "HTTP status (200)" },
    { "", { { ERROR("503", "") }, { OK } }, 2, "done; attempts: 2;", "HTTP status (503): retry 1 in " },
    { "", { { ERROR("429", "Retry-After: 1\r\n") }, { OK } }, 2, "done; attempts: 2;", "the server asked for 1000 ms" },
    { "", { { ERROR("503", "Retry-After: 9999\r\n") } }, 1, "wait_too_long; attempts: 1;",
      "a wait of 9999000 ms was refused" },
    { "--retries 0", { { ERROR("503", "") } }, 1, "exhausted; attempts: 1;", "HTTP status (503)\nerror page\n" },
    { "", { { ERROR("404", "") } }, 1, "failed; attempts: 1;", "HTTP status (404)\nerror page\n" },
    { "", { { "HTTP/1.1 404 x\r\n\r\n\033[2J\a" } }, 1, "failed; attempts: 1;", "\n.[2J.\n" },
    { "", { { ERROR("302", "Location: /b\r\n"), CLOSE, "/" }, { OK, CLOSE, "/b" } }, 2, "done; attempts: 1;", "" },
    { "", { { "HTTP/1.1 200 x\r\nContent-Length: 99\r\n\r\nbroken" }, { OK } }, 2, "done; attempts: 2;",
      "(18): retry 1" },
    { "", { { "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n0\r\nX-T: 1\r\n\r\n" } }, 1,
      "done; attempts: 1;", "" },
    { "", { { "HTTP/1.1 200 x\r\nContent-Le" }, { OK } }, 2, "done; attempts: 2;", "(18): retry 1" },
    { "", { { "HTTP/1.1 103 x\r\n\r\nHTTP/1.1 200 x\r\nContent-Le" }, { OK } }, 2, "done; attempts: 2;",
      "(18): retry 1" },
    { "--attempt 2s", { { "", HANG }, { OK } }, 2, "done; attempts: 2;", "(28): retry 1" },
    { "--limit 2s", { { "", HANG } }, 1, "timed_out; attempts: 1;", "(28)" },
    { "--max-body 4", { { OK } }, 1, "failed; attempts: 1;", "(23)" },
    { "--max-body 5", { { OK } }, 1, "done; attempts: 1;", "" },
    { "--method PUT", { { ERROR("503", ""), KEEP }, { OK } }, 2, "done; attempts: 2;", "(503): retry 1" },
    { "--method PUT", { { ERROR("307", "Location: /b\r\n") } }, 1, "failed; attempts: 1;", "(307)" },
    { "--method POST", { { ERROR("503", "") } }, 1, "failed; attempts: 1;", "(503)" },
    { "--method HEAD", { { NULL } }, 0, "--method HEAD: must be GET, PUT or POST", "" },
    { "--key mine", { { NULL } }, 0, "--key mine: must be none or random", "" },
};

TEST(each_call_ends_as_it_should_and_prints_the_body_of_a_success_alone)
{
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct row *row = &rows[i];
        bool done = strncmp(row->verdict, "done", 4) == 0;
        unsigned count = 0;
        while (count < LENGTH(row->answers) && row->answers[count].bytes)
            count++;
        assert_true(server_start(&server, row->answers, count));
        request(server.port, row->more, NULL);
        assert_contains(program.err.bytes, row->verdict);
        assert_contains(program.err.bytes, row->says);
        assert_string_equal(program.out.bytes, done ? "whole" : "");
        assert_status(done ? 0 : row->requests == 0 ? 2 : 1);
        assert_int_equal(server_stop(&server), row->requests);
    }
}

/* ---- what is sent again, and what is not ---- */

TEST(each_attempt_has_the_whole_body_and_the_key_of_its_call)
{
    static const struct answer answers[] = { { ERROR("503", ""), KEEP }, { "", RESET, NULL, false, 30000 }, { OK },
                                             { OK } };
    static char body[100001];
    char key[64];
    memset(body, 'x', sizeof body - 1);
    assert_true(server_start(&server, answers, 4));
    request(server.port, "--method POST --key random", body);
    request(server.port, "--method POST --key random", body);
    assert_int_equal(server_stop(&server), 4);
    assert_string_equal(server.requests[0].body, body);
    assert_string_equal(server.requests[2].body, body);
    snprintf(key, sizeof key, "%s", server_header(&server, 0, "Idempotency-Key"));
    assert_int_equal(strlen(key), 32);
    assert_string_equal(server_header(&server, 2, "Idempotency-Key"), key);
    assert_string_not_equal(server_header(&server, 3, "Idempotency-Key"), key);
}

/* The server keeps the connection after 429, does the work of the next request, and closes without an answer. */
TEST(libcurl_itself_repeats_on_a_kept_connection_only_what_may_be_repeated)
{
    static const struct answer answers[] = { { ERROR("429", ""), KEEP }, { "", CLOSE }, { OK, CLOSE, NULL, true } };
    static const struct { const char *more; unsigned requests; const char *verdict; } kept[] = {
        { "--method POST", 2, "failed; attempts: 2;" },
        { "--method PUT", 3, "done; attempts: 2;" },
        { "--method POST --key random", 3, "done; attempts: 2;" },
    };
    for (size_t i = 0; i < LENGTH(kept); i++) {
        assert_true(server_start(&server, answers, 3));
        request(server.port, kept[i].more, "{}");
        assert_int_equal(server_stop(&server), kept[i].requests);
        assert_int_equal(server.connections, 2);
        assert_contains(program.err.bytes, kept[i].verdict);
    }
}

/* ---- Ctrl-C, in at most 2 s, because the machine may be busy ---- */

static void interrupt(void)
{
    uint32_t since = real_now_ms();
    kill(program.pid, SIGINT);
    program_finish();
    assert_true(real_now_ms() - since < 2000);
    assert_status(1);
    assert_contains(program.err.bytes, "cancelled; attempts: 1;");
}

TEST(ctrl_c_ends_a_wait)
{
    request_begins(closed_port(), "--base 30s", NULL);
    await(&program.err, "retry 1 in 3");
    interrupt();
}

TEST(ctrl_c_ends_a_transfer)
{
    static const struct answer answers[] = { { "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nbroken", HANG } };
    assert_true(server_start(&server, answers, 1));
    request_begins(server.port, "--attempt 50s", NULL);
    server_await(&server, 1);
    interrupt();
    server_stop(&server);
}

int main(void)
{
    setenv("no_proxy", "*", 1);
    return run_all_with(NULL, program_kill, NULL, NULL);
}
