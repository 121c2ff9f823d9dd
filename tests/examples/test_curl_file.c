/* examples/curl/curl_file against a server that cuts, lies and hangs. QUICK_PROGRAM is the same
   program, but its waits are over at once: see curl_file_quick.c. An argument is the seed.
   SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../common/server.h"

#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>

#define LENGTH_10 "Content-Length: 10\r\n"
#define WHOLE(headers) "HTTP/1.1 200 x\r\n" LENGTH_10 headers "\r\n0123456789"
#define CUT(headers) "HTTP/1.1 200 x\r\n" LENGTH_10 headers "\r\n01234"
/* Without it, libcurl may send the next request before it notices that the server has closed. */
#define LAST "Connection: close\r\n"
#define PART(range, headers, body) \
    "HTTP/1.1 206 x\r\n" LAST "Content-Range: bytes " range "\r\n" headers "\r\n" body
#define REST(headers) PART("5-9/10", "Content-Length: 5\r\n" headers, "56789")
#define BEYOND(range, headers) \
    "HTTP/1.1 416 x\r\n" LAST "Content-Range: bytes " range "\r\nContent-Length: 4\r\n" headers \
    "\r\nbad!"
#define ERROR(status, headers) \
    "HTTP/1.1 " status " x\r\n" headers LAST LENGTH_10 "\r\nerror page"
#define BUSY_KEPT "HTTP/1.1 503 x\r\n" LENGTH_10 "\r\nerror page"
#define NO_LENGTH(version, headers) "HTTP/" version " 200 x\r\n" headers "\r\n0123456789"
#define TAG "ETag: \"a\"\r\n"
#define OTHER "ETag: \"b\"\r\n"
#define WEAK "ETag: W/\"a\"\r\n"
#define DAY "Sun, 06 Nov 1994 08:49:37 GMT"
#define DATED "Last-Modified: " DAY "\r\n"
#define AGAIN { WHOLE("") }

static struct server server;

/* ---- each test has an empty folder ---- */

static char folder[] = "curl_file.XXXXXX";
static size_t row_number;       /* of a table, for a failure's message; 0: no table */

static int enter(void **state)
{
    strcpy(strchr(folder, '.'), ".XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static void clear(void)
{
    unlink("out");
    unlink("out.part");
    unlink("out.part.version");
    unlink("in");
    rmdir("out");
}

static int leave(void **state)
{
    program_kill(state);
    server_stop(&server);
    clear();
    if (row_number > 0)
        print_error("Row %zu failed; the program said:\n%s", row_number, program.err.bytes);
    row_number = 0;
    unsetenv("ATTEMPT_MS");
    unsetenv("RANGE_ERROR");
    unsetenv("BAD_DISK");
    unsetenv("OTHER_PROCESS");
    return chdir("..") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void store(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* NULL, or what must be in it. */
static void assert_file(const char *name, const char *bytes, size_t length)
{
    static char found[1 << 20];
    FILE *file = fopen(name, "rb");
    size_t count = file ? fread(found, 1, sizeof found, file) : 0;
    if (file)
        fclose(file);
    if ((file != NULL) != (bytes != NULL) || (bytes && count != length)
        || (bytes && memcmp(found, bytes, length) != 0))
        fail_msg("%s is %s and has %zu bytes, not %zu; the program says:\n%s", name,
                 file ? "there" : "missing", count, length, program.err.bytes);
}

static void assert_text(const char *name, const char *text)
{
    assert_file(name, text, text ? strlen(text) : 0);
}

/* Up to the first without bytes. */
static unsigned count_of(const struct answer *answers, unsigned most)
{
    unsigned count = 0;
    while (count < most && answers[count].bytes)
        count++;
    return count;
}

/* No progress is shown here. */
static void end(void)
{
    program_end();
    assert_string_equal(program.out.bytes, "");
    assert_null(strchr(program.err.bytes, '\r'));
}

static void run_get(const char *path)
{
    program_start_words(QUICK_PROGRAM, "get http://127.0.0.1:%u%s out", (unsigned)server.port,
                        path);
    end();
}

/* The program says this, and the text of the error, which depends on the system. */
static void assert_error(const char *says, int error)
{
    char text[200];
    snprintf(text, sizeof text, "%s%s\n", says, strerror(error));
    assert_contains(program.err.bytes, text);
    assert_status(1);
}

static void run_put(void)
{
    program_start_words(QUICK_PROGRAM, "put in http://127.0.0.1:%u/f", (unsigned)server.port);
    end();
}

/* ---- get: one line for each end, or beginning, of a file ---- */

#define DONE "done; attempts: "

#define A50 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define A500 A50 A50 A50 A50 A50 A50 A50 A50 A50 A50

static const struct get_row {
    struct answer answers[4];
    unsigned requests;
    const char *range;          /* that the last request asked for */
    const char *file, *part;    /* NULL: there is none */
    const char *says;
} get_rows[] = {
    { { { WHOLE("") } }, 1, "", "0123456789", NULL, DONE "1\n" },
    { { { WHOLE(TAG), CLOSE, NULL, false, 0, true } }, 1, "", "0123456789", NULL, DONE "1\n" },
    { { { "HTTP/1.0 200 x\r\n" LENGTH_10 "\r\n0123456789" } }, 1, "", "0123456789", NULL, DONE },
    { { { "HTTP/1.1 200 x\r\nContent-Length: 0\r\n\r\n" } }, 1, "", "", NULL, DONE },
    { { { "HTTP/1.1 200 x\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\n012\r\n0\r\n\r\n" } }, 1,
      "", "012", NULL, DONE },
    /* It goes on, */
    { { { CUT(TAG) }, { REST("") } }, 2, "bytes=5-", "0123456789", NULL,
      "(18): retry 1 in 1000 ms\n" DONE "2\n" },
    { { { CUT(TAG) }, { REST(TAG) } }, 2, "bytes=5-", "0123456789", NULL, DONE "2" },
    { { { CUT(DATED) }, { REST(DATED TAG) } }, 2, "bytes=5-", "0123456789", NULL, DONE "2" },
    { { { CUT(DATED "Date: Sun, 06 Nov 1994 08:50:37 GMT\r\n") }, { REST("") } }, 2, "bytes=5-",
      "0123456789", NULL, DONE "2" },
    { { { CUT(TAG DATED) }, { REST(TAG "Last-Modified: x\r\n") } }, 2, "bytes=5-", "0123456789",
      NULL, DONE "2" },
    { { { CUT(TAG) }, { PART("5-9/10", "", "567") }, { PART("8-9/10", "", "89") } }, 3, "bytes=8-",
      "0123456789", NULL, DONE "3" },
    { { { CUT(TAG) }, { PART("5-7/10", "Content-Length: 3\r\n", "567") },
        { PART("8-9/10", "", "89") } }, 3, "bytes=8-", "0123456789", NULL,
      "(18): retry 2 in 2000 ms\n" DONE "3" },
    { { { CUT(TAG) }, { ERROR("503", "") }, { REST("") } }, 3, "bytes=5-", "0123456789", NULL,
      "HTTP status (503): retry 2 in 2000 ms\n" DONE "3" },
    { { { CUT(TAG) }, { "HTTP/1.1 200 x\r\nContent-Length: 10\r\nETag: \"b" }, { REST("") } }, 3,
      "bytes=5-", "0123456789", NULL, DONE "3" },
    { { { ERROR("302", "Location: /b\r\n" OTHER), CLOSE, "/f" }, { CUT(TAG), CLOSE, "/b" },
        { ERROR("302", "Location: /b\r\n" OTHER), CLOSE, "/f" }, { REST(TAG), CLOSE, "/b" } }, 4,
      "bytes=5-", "0123456789", NULL, DONE "2" },
    /* or begins anew, because the version is unknown, */
    { { { CUT("") }, AGAIN }, 2, "", "0123456789", NULL, DONE "2" },
    { { { "HTTP/1.1 103 x\r\n" TAG "\r\n" CUT("") }, AGAIN }, 2, "", "0123456789", NULL, DONE "2" },
    { { { CUT(WEAK) }, AGAIN }, 2, "", "0123456789", NULL, DONE "2" },
    { { { CUT(WEAK DATED) }, AGAIN }, 2, "", "0123456789", NULL, DONE "2" },
    { { { CUT("ETag: a\r\n") }, AGAIN }, 2, "", "0123456789", NULL, DONE "2" },
    { { { CUT("ETag: \"a\r\n") }, AGAIN }, 2, "", "0123456789", NULL, DONE "2" },
    { { { CUT("ETag: \"" A500 "\"\r\n") }, AGAIN }, 2, "", "0123456789", NULL, DONE "2" },
    { { { CUT("ETag: \"\r\n") }, AGAIN }, 2, "", "0123456789", NULL, DONE "2" },
    { { { CUT(DATED "Date: Sun, 06 Nov 1994 08:50:36 GMT\r\n") }, AGAIN }, 2, "", "0123456789",
      NULL, DONE "2" },
    { { { CUT("Last-Modified: now\r\n") }, AGAIN }, 2, "", "0123456789", NULL, DONE "2" },
    { { { CUT("Last-Modified: Mon, 06 Nov 2034 08:49:37 GMT\r\n") }, AGAIN }, 2, "", "0123456789",
      NULL, DONE "2" },
    /* or because there is another version, */
    { { { CUT(TAG) }, { WHOLE(OTHER) } }, 2, "bytes=5-", "0123456789", NULL, DONE "2" },
    { { { CUT(TAG) }, { "HTTP/1.1 200 x\r\nContent-Length: 3\r\n" OTHER "\r\nnew" } }, 2,
      "bytes=5-", "new", NULL, DONE "2" },
    { { { CUT(TAG) }, { "HTTP/1.1 200 x\r\nContent-Length: 0\r\n\r\n" } }, 2, "bytes=5-", "", NULL,
      DONE "2" },
    { { { CUT(TAG) }, { "HTTP/1.1 200 x\r\n" LENGTH_10 "\r\n0" }, AGAIN }, 3, "", "0123456789",
      NULL, DONE "3" },
    { { { CUT(TAG) }, { CUT(OTHER) }, { REST(TAG) }, AGAIN }, 4, "", "0123456789", NULL, DONE "4" },
    /* or the server gives something else. */
    { { { CUT(TAG) }, { REST(OTHER) }, AGAIN }, 3, "", "0123456789", NULL,
      "(33): retry 2 in 2000 ms\n" DONE "3" },
    { { { CUT(TAG) }, { REST(WEAK) }, AGAIN }, 3, "", "0123456789", NULL, DONE "3" },
    { { { CUT(DATED) }, { REST("Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT\r\n") }, AGAIN }, 3,
      "", "0123456789", NULL, "(33): retry 2" },
    { { { CUT(TAG) }, { PART("4-9/10", "", "456789") }, AGAIN }, 3, "", "0123456789", NULL,
      "(33): retry 2" },
    { { { CUT(TAG) }, { PART("6-9/10", "", "6789") }, AGAIN }, 3, "", "0123456789", NULL,
      "(33): retry 2" },
    { { { CUT(TAG) }, { PART("5-9/*", "", "56789") }, AGAIN }, 3, "", "0123456789", NULL,
      "(33): retry 2" },
    { { { CUT(TAG) }, { PART("5-9/9", "", "56789") }, AGAIN }, 3, "", "0123456789", NULL,
      "(33): retry 2" },
    { { { CUT(TAG) }, { PART("5-4/10", "Content-Length: 0\r\n", "") }, AGAIN }, 3, "",
      "0123456789", NULL, "(33): retry 2" },
    { { { CUT(TAG) }, { PART("5-9/10x", "", "56789") }, AGAIN }, 3, "", "0123456789", NULL,
      "(33): retry 2" },
    { { { CUT(TAG) }, { PART("5-7/10", "", "56789") }, AGAIN }, 3, "", "0123456789", NULL,
      "(33): retry 2" },
    { { { CUT(TAG) }, { "HTTP/1.1 206 x\r\nContent-Length: 5\r\n\r\n56789" }, AGAIN }, 3, "",
      "0123456789", NULL, "(33): retry 2" },
    { { { CUT(TAG) }, { "HTTP/1.1 206 x\r\nContent-Length: 0\r\n\r\n" }, AGAIN }, 3, "",
      "0123456789", NULL, "(33): retry 2" },
    { { { PART("0-9/10", LENGTH_10, "0123456789") }, AGAIN }, 2, "", "0123456789", NULL,
      "(33): retry 1" },
    { { { CUT(TAG) }, { REST(OTHER) }, { ERROR("404", "") } }, 3, "", NULL, NULL, "last: HTTP" },
    /* 416: FILE.part was whole, or it begins anew. */
    { { { CUT(TAG) }, { BEYOND("*/5", "") } }, 2, "bytes=5-", "01234", NULL, DONE "2" },
    { { { CUT(TAG) }, { BEYOND("*/5", TAG) } }, 2, "bytes=5-", "01234", NULL, DONE "2" },
    { { { CUT(TAG) }, { BEYOND("*/5", OTHER) }, AGAIN }, 3, "", "0123456789", NULL,
      "(33): retry 2" },
    { { { CUT(TAG) }, { BEYOND("*/4", TAG) }, AGAIN }, 3, "", "0123456789", NULL, "(33): retry 2" },
    { { { CUT(TAG) }, { BEYOND("*/50", TAG) }, AGAIN }, 3, "", "0123456789", NULL, "retry 2" },
    { { { CUT(TAG) }, { BEYOND("*/5x", TAG) }, AGAIN }, 3, "", "0123456789", NULL, "retry 2" },
    { { { CUT(TAG) }, { ERROR("416", TAG) }, AGAIN }, 3, "", "0123456789", NULL, "retry 2" },
    { { { ERROR("416", "") } }, 1, "", NULL, NULL, "failed; attempts: 1; last: HTTP status (416)" },
    { { { BEYOND("*/0", "") } }, 1, "", NULL, NULL, "last: HTTP status (416)\n" },
    /* It fails: the beginning stays, and no error page is added. */
    { { { ERROR("404", "") } }, 1, "", NULL, NULL, "failed; attempts: 1; last: HTTP status (404)" },
    { { { CUT(TAG) }, { ERROR("404", TAG) } }, 2, "bytes=5-", NULL, "01234", "attempts: 2" },
    { { { CUT("") }, { ERROR("503", TAG), CLOSE, NULL, true } }, 9, "", NULL, "01234",
      "exhausted; attempts: 9; last: HTTP status (503)" },
    { { { CUT("") }, { ERROR("503", "Retry-After: 9999\r\n") } }, 2, "", NULL, "01234",
      "wait_too_long; attempts: 2; last: HTTP status (503); a wait of 9999000 ms was refused\n" },
    { { { CUT(TAG) }, { "HTTP/1.1 204 x\r\n\r\n" } }, 2, "bytes=5-", NULL, "01234", "(204)" },
    { { { CUT(TAG) }, { "HTTP/1.1 304 x\r\n\r\n" } }, 2, "bytes=5-", NULL, "01234", "(304)" },
    { { { CUT(TAG) }, { ERROR("300", "") } }, 2, "bytes=5-", NULL, "01234", "(300)" },
    { { { ERROR("302", "Location: ftp://127.0.0.1:1/\r\n") } }, 1, "", NULL, NULL, "(1)" },
    { { { NO_LENGTH("1.0", "") } }, 1, "", NULL, "0123456789",
      "failed; attempts: 1; last: the answer has no length: nobody knows whether out.part is" },
    { { { NO_LENGTH("1.1", "Transfer-Encoding: identity\r\n") } }, 1, "", NULL, "0123456789",
      "failed; attempts: 1; last: the answer has no length" },
};

TEST(a_file_goes_on_where_it_was_cut_or_begins_anew_and_is_whole)
{
    for (size_t i = 0; i < LENGTH(get_rows); i++) {
        const struct get_row *row = &get_rows[i];
        row_number = i + 1;
        assert_true(server_start(&server, row->answers, count_of(row->answers, 4)));
        run_get("/f");
        assert_int_equal(server_stop(&server), row->requests);
        assert_contains(program.err.bytes, row->says);
        assert_string_equal(server_header(&server, row->requests - 1, "Range"), row->range);
        assert_text("out", row->file);
        assert_text("out.part", row->part);
        assert_status(row->file ? 0 : 1);
        if (!row->part)
            assert_text("out.part.version", NULL);
        clear();
    }
    row_number = 0;
}

TEST(the_range_is_asked_for_of_the_version_that_was_cut)
{
    static const struct { const char *headers, *version; } versions[] = {
        { CUT(TAG DATED), "\"a\"" }, { CUT(DATED), DAY },
    };
    for (size_t i = 0; i < LENGTH(versions); i++) {
        struct answer answers[] = { { versions[i].headers }, { REST("") } };
        assert_true(server_start(&server, answers, 2));
        run_get("/f");
        assert_int_equal(server_stop(&server), 2);
        assert_string_equal(server_header(&server, 0, "If-Range"), "");
        assert_string_equal(server_header(&server, 1, "If-Range"), versions[i].version);
    }
}

/* ---- get: the next run of the program ---- */

static const struct answer two_runs[] = { { CUT(TAG) }, { ERROR("404", "") }, { REST(TAG) },
                                          { WHOLE(TAG) } };

/* After the first two answers. Returns how the third request begins. */
static const char *second_run(const char *path)
{
    run_get(path);
    assert_status(0);
    assert_text("out", "0123456789");
    assert_text("out.part", NULL);
    assert_text("out.part.version", NULL);
    return server_header(&server, 2, "Range");
}

static void first_run(void)
{
    server_stop(&server);
    clear();
    assert_true(server_start(&server, two_runs, 4));
    run_get("/f");
    assert_status(1);
    assert_text("out.part", "01234");
}

TEST(the_next_run_goes_on_with_the_same_url)
{
    struct stat version;
    first_run();
    assert_int_equal(stat("out.part.version", &version), 0);
    assert_int_equal(version.st_mode & 077, 0);   /* the URL may hold a password */
    assert_string_equal(second_run("/f"), "bytes=5-");
    assert_string_equal(server_header(&server, 2, "If-Range"), "\"a\"");
    assert_int_equal(server_stop(&server), 3);
}

/* %u is the port. */
TEST(the_next_run_begins_anew_if_the_version_is_not_known_for_sure)
{
    static const char *const versions[] = {
        "", "\"a\"", "\"a\"\n", "\"a\"\nhttp://127.0.0.1:%u/f", "\"a\"\nhttp://127.0.0.1:%u/\n",
        "\"a\"\nhttp://127.0.0.1:%u/f\n\n", "\"a\"\nhttp://127.0.0.1:%u/f?2\n",
        "\nhttp://127.0.0.1:%u/f\n",
    };
    static char text[1000];
    for (size_t i = 0; i < LENGTH(versions); i++) {
        row_number = i + 1;
        first_run();
        snprintf(text, sizeof text, versions[i], (unsigned)server.port);
        store("out.part.version", text, strlen(text));
        assert_string_equal(second_run("/f"), "");
    }
    row_number = 0;
    first_run();
    unlink("out.part.version");
    assert_string_equal(second_run("/f"), "");
    first_run();
    store("out.part", "", 0);
    assert_string_equal(second_run("/f"), "");
    first_run();
    assert_string_equal(second_run("/g"), "");
    first_run();
    memset(text, 'a', 600);
    text[0] = text[599] = '"';
    snprintf(text + 600, sizeof text - 600, "\nhttp://127.0.0.1:%u/f\n", (unsigned)server.port);
    store("out.part.version", text, strlen(text));
    assert_string_equal(second_run("/f"), "");
    unlink("out.part");
    store("out.part.version", "", 0);
}

/* ---- get: what no server can do ---- */

TEST(a_range_error_of_libcurl_begins_anew_and_costs_a_retry)
{
    static const struct answer answers[] = { { CUT(TAG) }, { WHOLE("") } };
    assert_true(server_start(&server, answers, 2));
    setenv("RANGE_ERROR", "2", 1);
    run_get("/f");
    assert_int_equal(server_stop(&server), 2);
    assert_string_equal(server_header(&server, 1, "Range"), "");
    assert_contains(program.err.bytes, "(33): retry 2 in 2000 ms\n" DONE "3\n");
    assert_text("out", "0123456789");
}

static void small_disk(void)
{
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 7, 7 });
}

TEST(a_file_that_cannot_be_written_is_an_error_with_a_text)
{
    static const struct answer whole = { WHOLE("") };
    static const struct answer tagged = { "HTTP/1.1 200 x\r\nContent-Length: 3\r\n" TAG "\r\n012" };
    assert_true(server_start(&server, &whole, 1));
    program.before = small_disk;
    run_get("/f");
    assert_error("failed; attempts: 1; last: out: ", EFBIG);
    assert_text("out", NULL);
    assert_true(server_start(&server, &tagged, 1));   /* only the version is too long */
    run_get("/f");
    assert_error("failed; attempts: 1; last: out: ", EFBIG);
    program.before = NULL;
    clear();

    assert_true(server_start(&server, &whole, 1));   /* an old version that can't be forgotten */
    assert_int_equal(mkdir("out.part.version", 0777), 0);
    store("out.part", "01234", 5);
    run_get("/f");
    rmdir("out.part.version");
    assert_text("out.part", "01234");
    assert_status(1);
    assert_contains(program.err.bytes, "failed; attempts: 1; last: out: ");
    assert_text("out", NULL);
    clear();

    assert_true(server_start(&server, &whole, 1));
    setenv("BAD_DISK", "yes", 1);
    run_get("/f");
    assert_error("failed; attempts: 1; last: out: ", EIO);
    assert_text("out", NULL);
    unsetenv("BAD_DISK");
    clear();

    assert_true(server_start(&server, &whole, 1));
    assert_int_equal(mkdir("out", 0777), 0);
    run_get("/f");
    assert_error("failed; attempts: 1; last: out: ", EISDIR);
    assert_text("out.part", "0123456789");
}

TEST(nothing_is_asked_if_the_file_cannot_be_opened_or_belongs_to_another_process)
{
    static const struct answer whole = { WHOLE("") };
    static char name[3994];   /* with ".part.version" it is too long */
    int fd;
    assert_true(server_start(&server, &whole, 1));
    program_start_words(QUICK_PROGRAM, "get http://127.0.0.1:%u/f none/out", server.port);
    program_end();
    assert_error("none/out: ", ENOENT);
    for (size_t i = 0; i < sizeof name - 4; i += 2)
        memcpy(name + i, "./", 2);
    strcpy(name + sizeof name - 4, "out");
    program_start_words(QUICK_PROGRAM, "get http://127.0.0.1:%u/f %s", server.port, name);
    program_end();
    assert_error("/out: ", ENAMETOOLONG);
    store("out.part", "01234", 5);
    fd = open("out.part", O_RDWR | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    run_get("/f");
    close(fd);
    assert_error("out: ", EBUSY);
    assert_text("out.part", "01234");
    setenv("OTHER_PROCESS", "yes", 1);
    run_get("/f");
    assert_error("out: ", EBUSY);
    assert_text("out", "01234");
    assert_int_equal(server_stop(&server), 0);
}

/* ---- put ---- */

#define CREATED "HTTP/1.1 201 x\r\nContent-Length: 2\r\n\r\nok"

static const struct put_row {
    struct answer answers[3];
    unsigned requests;
    int status;
    const char *says;
} put_rows[] = {
    { { { CREATED } }, 1, 0, DONE "1\n" },
    { { { "HTTP/1.1 204 x\r\n\r\n" } }, 1, 0, DONE "1\n" },
    { { { ERROR("503", "") }, { CREATED } }, 2, 0, "HTTP status (503): retry 1 in 1000 ms\n" DONE },
    { { { BUSY_KEPT, KEEP }, { CREATED } }, 2, 0, DONE "2\n" },
    { { { "", RESET }, { CREATED } }, 2, 0, DONE "2\n" },
    /* libcurl itself sends it again on a new connection, where the old one is dead */
    { { { BUSY_KEPT, KEEP }, { "", CLOSE }, { CREATED } }, 3, 0, DONE "2\n" },
    { { { "HTTP/1.1 201 x\r\nContent-Le" }, { CREATED } }, 2, 0, "(18): retry 1 in 1000 ms\n" },
    { { { ERROR("503", ""), CLOSE, NULL, true } }, 9, 1, "exhausted; attempts: 9; last: HTTP" },
    { { { ERROR("403", "") } }, 1, 1, "failed; attempts: 1; last: HTTP status (403)" },
    { { { ERROR("302", "Location: /b\r\n") } }, 1, 1, "last: HTTP status (302)" },
    { { { ERROR("303", "Location: /b\r\n") } }, 1, 1, "last: HTTP status (303)" },
    { { { ERROR("308", "") } }, 1, 1, "last: HTTP status (308)" },
};

TEST(each_attempt_of_a_put_sends_the_whole_file_and_only_200_to_299_is_a_success)
{
    for (size_t i = 0; i < LENGTH(put_rows); i++) {
        const struct put_row *row = &put_rows[i];
        row_number = i + 1;
        store("in", "0123456789", 10);
        assert_true(server_start(&server, row->answers, count_of(row->answers, 3)));
        run_put();
        assert_int_equal(server_stop(&server), row->requests);
        assert_contains(program.err.bytes, row->says);
        assert_status(row->status);
        for (unsigned k = 0; k < server.count; k++) {
            assert_true(server_was_asked(&server, k, "PUT /f"));
            assert_string_equal(server_header(&server, k, "Content-Length"), "10");
            assert_string_equal(server.requests[k].body, "0123456789");
        }
    }
    row_number = 0;
}

TEST(an_empty_file_is_sent_with_its_length)
{
    static const struct answer created = { CREATED };
    store("in", "", 0);
    assert_true(server_start(&server, &created, 1));
    run_put();
    assert_status(0);
    assert_int_equal(server_stop(&server), 1);
    assert_string_equal(server_header(&server, 0, "Content-Length"), "0");
}

/* Each of these leaves size or time as it is. */
static void store_at(const char *bytes, time_t seconds, long ns)
{
    const struct timespec times[2] = { { seconds, ns }, { seconds, ns } };
    store("in", bytes, strlen(bytes));
    assert_int_equal(utimensat(AT_FDCWD, "in", times, 0), 0);
}

static void grow(void)
{
    store_at("0123456789x", 1000000000, 500000000);
}

static void shrink(void)
{
    store_at("012345678", 1000000000, 500000000);
}

static void rewrite(void)
{
    store_at("9876543210", 1000000001, 500000000);
}

static void rewrite_at_once(void)
{
    store_at("9876543210", 1000000000, 500000001);
}

static void replace(void)   /* the program has the old one open, and sends that */
{
    unlink("in");
    store_at("another file", 1000000002, 0);
}

/* When the server has this request, before it answers. On a connection that the server had kept,
   libcurl sends the second one again by itself, as a part of the same attempt. */
static const struct moment {
    unsigned at;
    struct answer answers[2];
    unsigned requests, if_replaced;
} moments[] = {
    { 0, { { CREATED } }, 1, 1 },
    { 0, { { ERROR("503", "") }, { CREATED } }, 1, 2 },
    { 1, { { BUSY_KEPT, KEEP }, { "" } }, 2, 3 },
};

static void (*change)(void);
static const struct moment *moment;

static const struct answer *change_it(struct server *asked, unsigned k)
{
    static const struct answer created = { CREATED };
    (void)asked;
    if (k == moment->at)
        change();
    return k < 2 ? &moment->answers[k] : &created;
}

TEST(a_file_that_changes_while_it_is_sent_is_refused)
{
    static void (*const changes[])(void) = { grow, shrink, rewrite, rewrite_at_once, replace };
    for (size_t i = 0; i < LENGTH(moments) * LENGTH(changes); i++) {
        bool replaced = i / LENGTH(moments) == 4;
        change = changes[i / LENGTH(moments)];
        moment = &moments[i % LENGTH(moments)];
        row_number = i + 1;
        store_at("0123456789", 1000000000, 500000000);
        assert_true(server_start_with(&server, change_it));
        run_put();
        assert_int_equal(server_stop(&server), replaced ? moment->if_replaced : moment->requests);
        assert_string_equal(server.requests[server.count - 1].body, "0123456789");
        assert_status(replaced ? 0 : 1);
        if (!replaced)
            assert_contains(program.err.bytes, "; last: in changed while it was sent\n");
        unlink("in");
    }
    row_number = 0;
}

static void close_stderr(void)
{
    close(2);
}

/* Otherwise the file gets its number, and what the program says. */
TEST(with_a_closed_stderr_nothing_is_said_to_the_file)
{
    static const struct answer answers[] = { { CUT(TAG) }, { REST(TAG) } };
    assert_true(server_start(&server, answers, LENGTH(answers)));
    program.before = close_stderr;
    run_get("/f");
    assert_status(0);
    assert_text("out", "0123456789");
}

TEST(only_a_file_of_a_known_size_is_sent)
{
    assert_true(server_start(&server, NULL, 0));
    run_put();
    assert_error("in: ", ENOENT);
    program_start_words(QUICK_PROGRAM, "put . http://127.0.0.1:%u/f", (unsigned)server.port);
    program_end();
    assert_status(1);
    assert_string_equal(program.err.bytes, ".: this is no file of a known size\n");
#ifdef __linux__
    program_start_words(QUICK_PROGRAM, "put /proc/version http://127.0.0.1:%u/f", server.port);
    program_end();
    assert_status(1);
    assert_string_equal(program.err.bytes, "/proc/version: this is no file of a known size\n");
#endif
    assert_int_equal(server_stop(&server), 0);
}

/* ---- 200 random faults each way ---- */

#define FAULTS 200
#define MOST_BYTES 150000
#define ATTEMPT_MS "100"            /* where the server hangs; elsewhere there is no limit */

static uint64_t seed = 20261123;
static uint64_t chance;             /* of the test, and while a program runs, of the server */

static unsigned below(unsigned limit)
{
    return random32(&chance) % limit;
}

static struct content {
    char bytes[MOST_BYTES + 1];
    size_t size;
    unsigned version;
    enum { BY_TAG, BY_DATE, BY_NOTHING, BY_WEAK_TAG } known;
    bool chunked;
} content;                          /* of the file that is sent, or that the server has */

/* An answer of the server has no 0 in it. */
static void new_content(void)
{
    content.size = below(8) ? below(MOST_BYTES) : below(3);
    for (size_t i = 0; i < content.size; i++)
        content.bytes[i] = (char)(below(255) + 1);
    content.bytes[content.size] = '\0';
    content.version++;
}

/* What the server does, up to IGNORES, to any request; the others, to one for a range. */
enum fault { CUTS, RESETS, HANGS, IS_BUSY, REFUSES, IGNORES, SHIFTS, HAS_ANOTHER, LIES, NO_FAULT };

static enum fault plan[3];
static unsigned planned, made;

static void new_plan(enum fault end)
{
    planned = 1 + below(LENGTH(plan));
    made = 0;
    unsetenv("ATTEMPT_MS");
    for (unsigned i = 0; i < planned; i++) {
        plan[i] = (enum fault)below(end);
        if (plan[i] == HANGS)
            setenv("ATTEMPT_MS", ATTEMPT_MS, 1);
    }
}

static void print_random(unsigned files, unsigned done, unsigned faults)
{
    print_message("%u files, %u faults, %u done, seed %llu\n", files, faults, done,
                  (unsigned long long)seed);
    assert_true(done >= files - files / 10);
}

static char text[MOST_BYTES + 1000];         /* of an answer */

static const char *version_header(void)
{
    static const char *const formats[] = {
        "ETag: \"%u\"\r\n", "Last-Modified: Sun, 06 Nov 1994 %02u:49:37 GMT\r\n", "",
        "ETag: W/\"%u\"\r\n"
    };
    static char header[100];
    snprintf(header, sizeof header, formats[content.known], content.version % 24);
    return header;
}

static void say_whole(void)
{
    int length = sprintf(text, "HTTP/1.1 200 x\r\n%s", version_header());
    if (content.chunked && content.size > 0)
        sprintf(text + length, "Transfer-Encoding: chunked\r\n\r\n%zx\r\n%s\r\n0\r\n\r\n",
                content.size, content.bytes);
    else
        sprintf(text + length, "Content-Length: %zu\r\n\r\n%s", content.size, content.bytes);
}

static void say_from(size_t first)
{
    int length = sprintf(text, "HTTP/1.1 %d x\r\n%sContent-Range: bytes ",
                         first < content.size ? 206 : 416, version_header());
    if (first < content.size)
        sprintf(text + length, "%zu-%zu/%zu\r\nContent-Length: %zu\r\n\r\n%s", first,
                content.size - 1, content.size, content.size - first, content.bytes + first);
    else
        sprintf(text + length, "*/%zu\r\nContent-Length: 4\r\n\r\nbad!", content.size);
}

/* Half of the cuts are within the header, or soon after it. */
static const struct answer *cut(enum then then)
{
    static struct answer answer;
    unsigned length = (unsigned)strlen(text);
    text[below(2) ? below(length) : below(200) % length] = '\0';
    answer = (struct answer){ text, then };
    return &answer;
}

static const struct answer *answer_get(struct server *asked, unsigned k)
{
    static const struct answer good = { text };
    static const struct answer busy = { ERROR("503", TAG) };
    static const struct answer refused = { ERROR("429", "Retry-After: 1\r\n") };
    const char *range = server_header(asked, k, "Range");
    size_t first = range[0] ? strtoul(range + strlen("bytes="), NULL, 10) : 0;
    enum fault fault = made < planned ? plan[made++] : NO_FAULT;
    if (!first && fault != NO_FAULT && fault >= IGNORES)
        fault = CUTS;
    if (fault == HAS_ANOTHER || fault == LIES)
        new_content();
    if (fault == SHIFTS)
        say_from(below(2) ? first - 1 : first + 1);
    else if (fault == LIES   /* the rest of another version, under that one's name */
             || (first && strstr(version_header(), server_header(asked, k, "If-Range"))
                 && fault != IGNORES))
        say_from(first);
    else
        say_whole();
    if (fault == IS_BUSY)
        return &busy;
    if (fault == REFUSES)
        return &refused;
    if (fault == CUTS || ((fault == IGNORES || fault == HAS_ANOTHER) && below(2)))
        return cut(CLOSE);
    return fault == RESETS ? cut(RESET) : fault == HANGS ? cut(HANG) : &good;
}

TEST(what_get_calls_done_is_the_file_of_the_server)
{
    unsigned files = 0, done = 0, faults = 0;
    for (chance = seed; faults < FAULTS; files++) {
        content.known = below(3) ? BY_TAG : below(BY_WEAK_TAG + 1);
        content.chunked = below(2);
        new_content();
        new_plan(NO_FAULT);
        assert_true(server_start_with(&server, answer_get));
        run_get("/f");
        server_stop(&server);
        done += program.status == 0;
        faults += made;
        if (program.status == 0)
            assert_file("out", content.bytes, content.size);
        clear();
    }
    print_random(files, done, faults);
}

TEST(what_put_calls_done_is_on_the_server)
{
    static const struct answer made_answers[] = {
        [CUTS] = { "HTTP/1.1 201 x\r\nContent-Le" }, [RESETS] = { "", RESET },
        [HANGS] = { "", HANG }, [IS_BUSY] = { ERROR("503", "") },
        [REFUSES] = { ERROR("429", "Retry-After: 1\r\n") }
    };
    unsigned files = 0, done = 0, faults = 0;
    for (chance = seed; faults < FAULTS; files++) {
        struct answer answers[LENGTH(plan) + 1];
        new_content();
        store("in", content.bytes, content.size);
        new_plan(IGNORES);
        for (unsigned i = 0; i < planned; i++) {
            answers[i] = made_answers[plan[i]];
            answers[i].enough = below(2) ? 1 + below((unsigned)content.size + 50) : 0;
        }
        answers[planned] = (struct answer){ CREATED, CLOSE, NULL, true };
        assert_true(server_start(&server, answers, planned + 1));
        run_put();
        server_stop(&server);
        done += program.status == 0;
        faults += planned;
        if (program.status == 0) {
            const struct server_request *last = &server.requests[server.count - 1];
            assert_true(server.count > planned);
            assert_int_equal(last->text + last->length - last->body, content.size);
            assert_memory_equal(last->body, content.bytes, content.size);
        }
        unlink("in");
    }
    print_random(files, done, faults);
}

/* ---- a terminal, and Ctrl-C ---- */

static const struct answer wait_long = { ERROR("503", "Retry-After: 30\r\n") };
static const struct answer hang_half = { CUT(TAG), HANG };

TEST(ctrl_c_ends_a_wait_and_a_transfer_and_the_beginning_of_the_file_stays)
{
    static const char *const words[] = { "get http://127.0.0.1:%u/f out",
                                         "put in http://127.0.0.1:%u/f" };
    struct stat part = { 0 };
    store("in", "0123456789", 10);
    for (unsigned i = 0; i < 4; i++) {
        assert_true(server_start(&server, i < 2 ? &wait_long : &hang_half, 1));
        program_start_words(PROGRAM, words[i % 2], (unsigned)server.port);
        if (i < 2)
            await(&program.err, "HTTP status (503): retry 1 in 3");
        server_await(&server, 1);
        while (i == 2 && (stat("out.part", &part) != 0 || part.st_size < 5))
            poll(NULL, 0, 1);
        program_interrupt("cancelled; attempts: 1; last: ");
        server_stop(&server);
    }
    assert_text("out.part", "01234");
}

TEST(the_progress_is_shown_on_a_terminal)
{
    const struct answer answers[] = { { ERROR("503", "") }, hang_half };
    char url[100];
    store("in", "0123456789", 10);
    for (unsigned i = 0; i < 2; i++) {
        assert_true(server_start(&server, answers, 2));
        snprintf(url, sizeof url, "http://127.0.0.1:%u/f", (unsigned)server.port);
        program_start_on_terminal(
            i == 0 ? (const char *const[]){ QUICK_PROGRAM, "get", url, "out", NULL }
                   : (const char *const[]){ QUICK_PROGRAM, "put", "in", url, NULL });
        await(&program.out, "HTTP status (503): retry 1 in 1000 ms\r\n");
        await(&program.out, i == 0 ? "\rout: 50 %\033[K" : "\rin: 100 %\033[K");
        server_await(&server, 2);
        say("\003");
        await(&program.out, "\r\033[Kcancelled; attempts: 2");
        program_finish();
        assert_status(1);
        server_stop(&server);
    }
}

TEST(a_wrong_argument_is_answered_by_the_usage)
{
    static const char *const words[] = { "", "get", "get a", "get a b c", "put a b c", "post a b",
                                         "get -a b", "put a -b" };
    for (size_t i = 0; i < LENGTH(words); i++) {
        program_start_words(QUICK_PROGRAM, "%s", words[i]);
        program_end();
        assert_status(2);
        assert_string_equal(program.err.bytes,
                            "usage: curl_file get URL FILE | put FILE URL\n");
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10) | 1;
    setenv("no_proxy", "*", 1);
    return run_all_with(enter, leave, NULL, NULL);
}
