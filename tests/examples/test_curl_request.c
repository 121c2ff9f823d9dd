/* examples/curl/curl_request against a scripted server. QUICK_PROGRAM is the same, but its waits
   are over at once. SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../common/server.h"
#include "hung_resolver.h"

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole"
#define OK_CUT "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nbroken"
/* The server closes after it, and says so: otherwise libcurl might use the connection again. */
#define ERROR(status, headers) \
    "HTTP/1.1 " status " x\r\nConnection: close\r\n" headers "Content-Length: 10\r\n\r\nerror page"
#define URL "http://127.0.0.1:%u/ "
#define REFUSED "failed: it was refused; attempts: 1;"
#define KEY_OF_200 KEY_OF_50 KEY_OF_50 KEY_OF_50 KEY_OF_50
#define KEY_OF_50 "12345678901234567890123456789012345678901234567890"
#define CANT_WRITE "curl_request: can't write to standard output"

static struct server server;

/* Longer than the buffer of stdout. */
static const char much[16384] = "HTTP/1.1 200 x\r\n\r\n";

static void close_all(void)
{
    close(0);
    close(1);
    close(2);
}

/* ---- one line for each end of a call ---- */

struct row {
    const char *words;
    struct answer answers[3];       /* up to the first without bytes */
    unsigned requests;
    const char *verdict, *says;     /* both on stderr */
    const char *out;                /* NULL: "whole" of a success, and else nothing */
    void (*before)(void);
};

static const struct row rows[] = {
    { URL, { { OK } }, 1, "done; attempts: 1;", "HTTP status (200)" },
    { URL, { { ERROR("503", "") }, { OK } }, 2, "done; attempts: 2;",
      "HTTP status (503): retry 1 in 1000 ms\n" },
    { URL, { { ERROR("503", "Retry-After: 9999\r\n") } }, 1, "wait_too_long; attempts: 1;",
      "a wait of 9999000 ms was refused" },
    { URL, { { ERROR("503", ""), CLOSE, NULL, true } }, 6, "exhausted; attempts: 6;",
      "HTTP status (503)\nerror page\n" },
    { URL, { { ERROR("404", "") } }, 1, REFUSED, "HTTP status (404)\nerror page\n" },
    { URL, { { "HTTP/1.1 404 x\r\n\r\n\033[2J\a\177\377e" } }, 1, REFUSED,
      "\n.[2J...e\n" },
    { URL, { { ERROR("302", "Location: /b\r\n"), CLOSE, "/" }, { OK, CLOSE, "/b" } }, 2,
      "done; attempts: 1;", "" },
    { URL, { { ERROR("302", "Location: /\r\n"), CLOSE, NULL, true } }, 6, "failed; attempts: 1;",
      "Number of redirects hit maximum amount (47)" },
    /* 2 s are left of the 60, and the server says nothing more */
    { URL, { { ERROR("503", "Retry-After: 58\r\n") }, { "", HANG } }, 2, "timed_out; attempts: 2;",
      "(28)" },
    { URL "PUT {}", { { ERROR("503", "") }, { OK } }, 2, "done; attempts: 2;", "" },
    { URL "POST {}", { { ERROR("503", "") } }, 1, "unsure: it may have been done; attempts: 1;",
      "(503)" },
    { URL "POST {}", { { ERROR("409", "") } }, 1, REFUSED, "(409)" },
    { URL "POST {} k-1", { { ERROR("409", "Retry-After: 2\r\n") }, { OK } }, 2,
      "done; attempts: 2;", "(409): retry 1 in 2" },
    { URL "POST {} k-1", { { ERROR("503", ""), KEEP }, { "", RESET }, { OK } }, 3,
      "done; attempts: 3;", "(503): retry 1" },
    { URL "POST {} " KEY_OF_200, { { OK } }, 1, "done; attempts: 1;", "" },
    { URL "POST {} " KEY_OF_200 "k", { { NULL } }, 0, "one line of at most 200 bytes", "usage: " },
    { URL "HEAD", { { NULL } }, 0, "The method must be GET, PUT or POST.", "usage: " },
    { URL "POST", { { NULL } }, 0, "PUT and POST have a body", "usage: " },
    { URL "GET {}", { { NULL } }, 0, "GET has none", "usage: " },
    { URL "PUT {} a\nb", { { NULL } }, 0, "The key must be one line", "usage: " },
    { URL "PUT {} k more", { { NULL } }, 0, "at most three more words", "usage: " },
    { "--token=secret", { { NULL } }, 0, "It takes a URL", "usage: " },
    { "file:///etc/passwd", { { NULL } }, 0, "failed; attempts: 1;", " (1)\n" },
    { URL, { { "HTTP/1.1 204 x\r\n\r\n" } }, 1, "done; attempts: 1;", "", "" },
    { URL, { { "HTTP/1.1 200 x\r\n\r\nxxxxxxxxxxxxxxxx", REPEAT } }, 1, "failed; attempts: 1;",
      " (23)\n" },
    { URL, { { OK } }, 1, "done; attempts: 1;", CANT_WRITE, "", fill_disk },
    /* libcurl's socket would get the number of a closed stdout */
    { URL, { { much, .length = sizeof much } }, 1, "done; attempts: 1;", CANT_WRITE, "",
      close_stdout },
    { URL, { { ERROR("503", ""), KEEP }, { OK } }, 2, "", "", "", close_all },
};

/* Each attempt begins with its method, and not with what was printed, and has the body and key. */
static void check_request(unsigned k, const char *words)
{
    char method[8] = "GET", body[8] = "", key[256] = "";
    sscanf(words, "%7s %7s %255s", method, body, key);
    assert_memory_equal(server.requests[k].text, method, strlen(method));
    assert_string_equal(server.requests[k].body, body);
    assert_string_equal(server_header(&server, k, "Idempotency-Key"), key);
}

TEST(each_call_ends_as_it_should_and_prints_the_body_of_a_success_alone)
{
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct row *row = &rows[i];
        bool wrong = strncmp(row->says, "usage", 5) == 0;
        bool done = strncmp(row->verdict, "done", 4) == 0;
        unsigned count = 0;
        while (count < LENGTH(row->answers) && row->answers[count].bytes)
            count++;
        assert_true(server_start(&server, row->answers, count));
        program.before = row->before;
        program_start_words(QUICK_PROGRAM, row->words, (unsigned)server.port);
        program_end();
        assert_contains(program.err.bytes, row->verdict);
        assert_contains(program.err.bytes, row->says);
        assert_null(strstr(program.err.bytes, "secret"));
        assert_string_equal(program.out.bytes, row->out ? row->out : done ? "whole" : "");
        assert_status(wrong ? 2 : done && !row->before ? 0 : 1);
        assert_int_equal(server_stop(&server), row->requests);
        for (unsigned k = 0; k < row->requests; k++)
            check_request(k, row->words + strlen(URL));
    }
}

/* ---- Ctrl-C, and a name server that hangs ---- */

/* A POST that has left may have been done. */
TEST(ctrl_c_ends_a_wait_and_a_transfer)
{
    static const struct { struct answer answer; const char *words, *awaited, *says; } waits[] = {
        { { ERROR("503", "Retry-After: 30\r\n") }, URL, "retry 1 in 3", "cancelled; attempts: 1;" },
        { { OK_CUT, HANG }, URL, "", "cancelled; attempts: 1;" },
        { { OK_CUT, HANG }, URL "POST {}", "", "unsure: it may have been done; attempts: 1;" },
        { { ERROR("302", "Location: http://hangs.test/\r\n") }, URL, "the name server hangs",
          "cancelled; attempts: 1;" },
    };
    for (unsigned i = 0; i < LENGTH(waits) - (resolver_can_hang() ? 0 : 1); i++) {
        assert_true(server_start(&server, &waits[i].answer, 1));
        program_start_words(i < 3 ? PROGRAM : QUICK_PROGRAM, waits[i].words, (unsigned)server.port);
        await(&program.err, waits[i].awaited);
        server_await(&server, 1);
        program_interrupt(waits[i].says);
    }
}

/* It would answer after 20 s. 2 s are left when it is asked. */
TEST(a_name_server_that_hangs_does_not_hold_the_limit)
{
    static const struct answer answers[] = { { ERROR("503", "Retry-After: 58\r\n") },
                                             { ERROR("302", "Location: http://hangs.test/\r\n") } };
    if (!resolver_can_hang())
        skip();
    assert_true(server_start(&server, answers, 2));
    program_start_words(QUICK_PROGRAM, "http://127.0.0.1:%u/", (unsigned)server.port);
    program_end();
    assert_true(real_now_ms() - program.began_ms < 15000);
    assert_contains(program.err.bytes, "the name server hangs");
    assert_contains(program.err.bytes, "timed_out; attempts: 2; last: Timeout was reached (28)");
}

int main(void)
{
    setenv("no_proxy", "*", 1);
    return run_all_with(NULL, program_kill, NULL, NULL);
}
