/* examples/curl/curl_file against a server that cuts, lies and hangs. QUICK_PROGRAM is the same
   program, but its waits are over at once: see curl_file_quick.c. SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../common/server.h"
#include "../common/folder.h"
#include "hung_resolver.h"

#include <sys/stat.h>

#define GET "get http://127.0.0.1:%u/f out"
#define PUT "put in http://127.0.0.1:%u/f"
#define LENGTH_10 "Content-Length: 10\r\n"
#define OK(status, headers, body) { "HTTP/1.1 " status " x\r\n" headers "\r\n" body }
#define WHOLE OK("200", LENGTH_10, "0123456789")
#define CUT OK("200", LENGTH_10, "01234")
#define HALF { "HTTP/1.1 200 x\r\n" LENGTH_10 "\r\n01234", HANG }
#define CODING "Transfer-Encoding: "
#define CREATED OK("201", "Content-Length: 2\r\n", "ok")
/* Without "close", libcurl may send the next request before it notices that the server closes. */
#define ERROR(status, headers) OK(status, headers "Connection: close\r\n" LENGTH_10, "error page")
#define BUSY_KEPT { "HTTP/1.1 503 x\r\nContent-Length: 0\r\n\r\n", KEEP }
#define ALWAYS(bytes) { bytes, CLOSE, NULL, true }
#define DONE "done; attempts: "
#define LAST "failed; attempts: 1; last: "
#define NO_LENGTH "the answer has no length: nobody knows whether out.part is whole\n"

static struct server server;
static const char *trouble;   /* of the next program; "": none */

static void make_trouble(void)
{
    signal(SIGXFSZ, SIG_IGN);
    if (strcmp(trouble, "SMALL_DISK") == 0)
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 7, 7 });
    if (strcmp(trouble, "NO_STDERR") == 0)
        close(2);
    setenv(trouble, "yes", 1);   /* see curl_file_quick.c */
}

/* The words may have a %u for the port. */
static void start(const char *file, const char *words, const char *its_trouble)
{
    trouble = its_trouble;
    program.before = make_trouble;
    program_start_words(file, words, (unsigned)server.port);
}

static void run(const char *words, const char *its_trouble)
{
    start(QUICK_PROGRAM, words, its_trouble);
    program_end();
    assert_string_equal(program.out.bytes, "");
    assert_null(strchr(program.err.bytes, '\r'));   /* no progress is shown here */
}

static const char large[9000] = "HTTP/1.0 200 x\r\nContent-Length: 8000\r\n\r\n";

/* The files are "in", with ten bytes, "empty", and a folder. */
static const struct row {
    const char *words, *trouble;
    struct answer answers[3];   /* up to the first without bytes */
    unsigned requests;
    const char *says, *out, *part;
} rows[] = {
    { GET, "", { WHOLE }, 1, DONE "1\n", "0123456789" },
    { GET, "", { OK("200", "Content-Length: 0\r\n", "") }, 1, DONE "1\n", "" },
    { GET, "", { OK("200", CODING "Chunked\r\n", "1\r\n0\r\n0\r\n\r\n") }, 1, DONE "1\n", "0" },
    { GET, "", { CUT, OK("200", "Content-Length: 3\r\n", "new") }, 2,
      "(18): retry 1 in 1000 ms\n" DONE "2\n", "new" },
    { GET, "", { ERROR("503", ""), { "HTTP/1.1 200 x\r\nCont" }, WHOLE }, 3,
      "HTTP status (503): retry 1 in 1000 ms\n", "0123456789" },
    { GET, "", { ERROR("302", "Location: /b\r\n"), WHOLE }, 2, DONE "1\n", "0123456789" },
    { GET, "HURRY", { HALF, WHOLE }, 2, "(28): retry 1 in 1000 ms\n", "0123456789" },
    { GET, "", { ERROR("404", "") }, 1, LAST "HTTP status (404)\n" },
    { GET, "", { ALWAYS("HTTP/1.1 503 x\r\n\r\n") }, 9, "exhausted; attempts: 9; last: HTTP" },
    { GET, "", { ERROR("503", "Retry-After: 9999\r\n") }, 1,
      "wait_too_long; attempts: 1; last: HTTP status (503); a wait of 9999000 ms was refused\n" },
    { GET, "", { OK("206", LENGTH_10, "0123456789") }, 1, LAST "HTTP status (206)\n" },
    { GET, "", { ERROR("302", "Location: ftp://127.0.0.1:1/\r\n") }, 1, "(1)\n" },
    { GET, "", { ALWAYS("HTTP/1.1 302 x\r\nLocation: /\r\n\r\n") }, 6, "(47)\n" },
    { GET, "", { { "HTTP/1.0 200 x\r\n\r\n012" } }, 1, LAST NO_LENGTH, NULL, "012" },
    { GET, "", { OK("200", CODING "identity\r\n", "0") }, 1, LAST NO_LENGTH, NULL, "0" },
    { GET, "SMALL_DISK", { WHOLE }, 1, LAST "out: File too large\n" },
    { GET, "SMALL_DISK", { { large, .length = sizeof large } }, 1, LAST "out: File too large\n" },
    { GET, "NO_STDERR", { CUT, WHOLE }, 2, "", "0123456789" },
    { GET, "BAD_DISK", { WHOLE }, 1, LAST "out: " },
    { "get http://127.0.0.1:%u/ folder", "", { WHOLE }, 1, LAST "folder: Is a directory\n" },
    { PUT, "", { CREATED }, 1, DONE "1\n" },
    { "put empty http://127.0.0.1:%u/", "", { OK("204", "", "") }, 1, DONE "1\n" },
    { PUT, "", { ERROR("503", ""), CREATED }, 2, "(503): retry 1 in 1000 ms\n" DONE "2\n" },
    { PUT, "", { { "", RESET }, { "HTTP/1.1 201 x\r\nContent-Le" }, CREATED }, 3, DONE "3\n" },
    { PUT, "KEEP", { BUSY_KEPT, { "" }, CREATED }, 3, DONE "2\n" },   /* libcurl sends it again */
    { PUT, "HURRY", { { "", HANG }, CREATED }, 2, "(28): retry 1 in 1000 ms\n" DONE "2\n" },
    { PUT, "", { ERROR("302", "Location: /b\r\n") }, 1, LAST "HTTP status (302)\n" },
    { PUT, "", { ERROR("308", "") }, 1, LAST "HTTP status (308)\n" },   /* for libcurl it is done */
    { PUT, "READ", { CREATED }, 0, LAST "in changed while it was sent\n" },   /* not all of it */
    { PUT, "GROWS", { CREATED }, 1, LAST "in changed while it was sent\n" },
    { PUT, "SECOND", { ERROR("503", "") }, 1, LAST "in changed while it was sent\n" },
    { PUT, "NANOSECOND", { CREATED }, 1, LAST "in changed while it was sent\n" },
    { "put none http://127.0.0.1:%u/", "", { CREATED }, 0, "none: No such file or directory\n" },
    { "put folder http://127.0.0.1:%u/", "", { CREATED }, 0, "folder: this is no file of a known" },
    { "", "", { CREATED }, 0, "usage: curl_file get URL FILE | put FILE URL\n" },
    { "get a", "", { CREATED }, 0, "usage: " }, { "post a b", "", { CREATED }, 0, "usage: " },
    { "get -a b", "", { CREATED }, 0, "usage: " }, { "put a -b", "", { CREATED }, 0, "usage: " },
};

static void run_row(const struct row *row)
{
    unsigned count = 0, k;
    const char *body = strcmp(row->words, PUT) == 0 ? "0123456789" : "";
    while (count < LENGTH(row->answers) && row->answers[count].bytes)
        count++;
    assert_true(server_start(&server, row->answers, count));
    file_write("in", "0123456789", 10);
    run(row->words, row->trouble);
    print_message("%s: %s", row->words, program.err.bytes);
    assert_int_equal(server_stop(&server), row->requests);
    assert_contains(program.err.bytes, row->says);
    assert_file("out", row->out);
    assert_file("out.part", row->part);
    assert_file("folder.part", NULL);
    assert_status(strstr(row->says, "usage") ? 2 : row->out || strstr(row->says, DONE) ? 0 : 1);
    for (k = 0; k < server.count && row->words[0] == 'p'; k++) {
        assert_string_equal(server.requests[k].body, body);
        assert_string_equal(server_header(&server, k, "Content-Length"), body[0] ? "10" : "0");
    }
    remove("out");
    remove("out.part");
}

TEST(a_file_arrives_whole_or_not_at_all_and_each_attempt_begins_anew)
{
    file_write("empty", "", 0);
    assert_int_equal(mkdir("folder", 0700), 0);
    for (size_t i = 0; i < LENGTH(rows); i++)
        run_row(&rows[i]);
}

TEST(a_large_file_is_whole_on_both_sides_after_it_was_cut)
{
    static char content[150001], text[150100];
    const struct answer gets[] = { { text, RESET, .length = 100000 }, { text, .length = 140000 },
                                   { text } };
    const struct answer puts[] = { { "", RESET, .enough = 100000 }, ERROR("503", ""), CREATED };
    for (size_t i = 0; i < sizeof content - 1; i++)
        content[i] = (char)(i % 251 + 1);
    sprintf(text, "HTTP/1.1 200 x\r\nContent-Length: 150000\r\n\r\n%s", content);
    file_write("in", content, sizeof content - 1);
    assert_true(server_start(&server, gets, 3));
    run(GET, "");
    assert_status(0);
    assert_file("out", content);
    assert_true(server_start(&server, puts, 3));
    run(PUT, "");
    assert_status(0);
    assert_int_equal(server_stop(&server), 3);
    assert_string_equal(server.requests[2].body, content);
}

/* The limit for a connection holds for the name server, too. */
TEST(ctrl_c_ends_a_wait_and_a_transfer_at_once)
{
    static const struct answer answers[] = { ERROR("503", "Retry-After: 30\r\n"), HALF };
    static const char *const says[] = { "status (503): retry 1 in 3", "",
                                        "(28): retry 1 in 1000 ms\nthe name server hangs" };
    file_write("in", "0123456789", 10);
    for (unsigned i = 0; i < (resolver_can_hang() ? 5 : 4); i++) {
        assert_true(server_start(&server, &answers[i / 2 % 2], 1));
        start(i < 4 ? PROGRAM : QUICK_PROGRAM,
              i == 4 ? "get http://hangs.test/ out" : i % 2 ? PUT : GET, "HURRY");
        await(&program.err, says[i / 2]);
        server_await(&server, i < 4);
        program_interrupt(i < 4 ? "cancelled; attempts: 1; last: " : "cancelled; attempts: ");
        assert_file("out.part", NULL);
    }
}

TEST(the_progress_of_each_attempt_is_shown_on_a_terminal)
{
    static const struct answer answers[] = { CUT, ERROR("503", ""), HALF };
    file_write("in", "0123456789", 10);
    for (unsigned i = 0; i < 2; i++) {
        assert_true(server_start(&server, answers, 3));
        start(QUICK_PROGRAM, i == 0 ? GET : PUT, "TERMINAL");
        await(&program.err, "HTTP status (503): retry 2 in 2000 ms\n");
        assert_true(i == 1 || !strstr(program.err.bytes, "100 %"));   /* of an error page */
        await(&program.err, i == 0 ? "\rout: 50 %\033[K" : "\rin: 100 %\033[K");
        server_await(&server, 3);
        program_interrupt("\r\033[Kcancelled; attempts: 3");
    }
}

int main(void)
{
    setenv("no_proxy", "*", 1);
    return run_all_with(NULL, program_kill, folder_enter, folder_leave);
}
