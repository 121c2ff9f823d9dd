/* examples/loops/uv_get: many calls at once, each with answers of its own. PROGRAM is uv_get, and
   LATE_PROGRAM the same on a slow machine (uv_get_late.c). SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../common/server.h"

static struct server server;

#define OK "HTTP/1.1 200 OK\r\n\r\n"
#define BUSY "HTTP/1.1 503 x\r\n\r\n"
#define X64 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

/* The first answer to a path, and how its call ends. Every other answer is 200. */
static const struct row {
    const char *path, *bytes;
    unsigned requests;
    const char *end;
    enum then then;
    bool always;
} rows[] = {
    { "/once", OK, 1, "200 ; done" },
    { "/old", "HTTP/1.0 200\r\n\r\n", 1, "200 ; done", HANG },
    { "/gone", "HTTP/1.1 404 x\r\n\r\n", 1, "404 ; failed" },
    { "/hour", "HTTP/1.1 503 x\r\nRetry-After: 3600\r\n\r\n", 1, "503 ; wait_too_long" },
    { "/stranger", "SSH-2.0-OpenSSH\r\n\r\n", 1, "; failed" },
    { "/long", "HTTP/1.1 200 x\r\nX: " X64, 1, "; failed", REPEAT },
    { "/again", BUSY, 2, "200 ; done" },
    { "/early", "HTTP/1.1 103 x\r\nLink: a\r\n\r\n" BUSY, 2, "200 ; done" },
    { "/reset", "H", 2, "200 ; done", RESET },
    { "/hang", "H", 2, "200 ; done", HANG },
    { "/down", BUSY, 4, "503 ; exhausted", CLOSE, true },
};

static void start(const char *file, const char *paths, uint16_t port)
{
    program_start_words(file, "127.0.0.1 %u %s", (unsigned)port, paths);
    program_end();
}

/* How many lines of the program begin with this path and contain the text. */
static unsigned lines(const char *path, const char *text)
{
    unsigned count = 0;
    for (const char *line = program.out.bytes; *line; line += strcspn(line, "\n") + 1) {
        const char *found = strstr(line, text);
        count += strncmp(line, path, strlen(path)) == 0 && line[strlen(path)] == ':' && found
                 && found < line + strcspn(line, "\n");
    }
    return count;
}

TEST(each_call_is_retried_and_ends_by_its_own_answers)
{
    struct answer answers[LENGTH(rows) + 1] = { { OK, .always = true } };
    char paths[512] = "";
    unsigned requests = 0;
    for (unsigned k = 0; k < LENGTH(rows); k++) {
        answers[k] = (struct answer){ rows[k].bytes, rows[k].then, rows[k].path,
                                      rows[k].always, .in_pieces = rows[k].then != REPEAT };
        snprintf(paths + strlen(paths), sizeof paths - strlen(paths), " %s", rows[k].path);
    }
    answers[LENGTH(rows)] = (struct answer){ OK, .always = true };
    assert_true(server_start(&server, answers, LENGTH(answers)));
    start(PROGRAM, paths, server.port);
    for (unsigned k = 0; k < LENGTH(rows); k++) {
        requests += rows[k].requests;
        if (lines(rows[k].path, rows[k].end) != 1
            || lines(rows[k].path, "; wait in ") != rows[k].requests - 1)
            fail_msg("%s: not as in its row:\n%s", rows[k].path, program.out.bytes);
    }
    assert_int_equal(server_stop(&server), requests);
    assert_status(1);
}

TEST(a_refused_connection_is_tried_again_and_the_status_tells_whether_all_are_done)
{
    static const struct answer fine = { OK, .always = true };
    start(PROGRAM, "/a", closed_port());
    assert_int_equal(lines("/a", "refused; wait in "), 3);
    assert_int_equal(lines("/a", "refused; exhausted"), 1);
    assert_status(1);
    assert_true(server_start(&server, &fine, 1));
    start(PROGRAM, "/a /b", server.port);
    assert_int_equal(server_stop(&server), 2);
    assert_status(0);
}

/* uv_get_late.c fails if a wait began before the answer was read. */
TEST(a_slow_loop_shortens_no_wait_and_makes_no_attempt_without_time)
{
    static const struct answer down = { BUSY, .always = true };
    assert_true(server_start(&server, &down, 1));
    start(LATE_PROGRAM, "/a", server.port);
    assert_int_equal(server_stop(&server), 2);
    assert_int_equal(lines("/a", "timed_out"), 1);
    assert_status(1);
}

static void allow_16_files(void)
{
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 16, 16 });
}

TEST(uv_get_says_how_many_files_it_must_be_allowed_to_open)
{
    program.before = allow_16_files;
    start(PROGRAM, "/a /b", closed_port());
    assert_string_equal(program.err.bytes, "uv_get: ulimit -n must be 18 or more\n");
    assert_status(1);
}

int main(void)
{
    return run_all_with(NULL, program_kill, NULL, NULL);
}
