/* redial_curl_perform: its timeout, what it does to the handle, and answers that are cut.
   SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <string.h>

#include <curl/curl.h>

/* The last values of the options that it sets. */
static _Thread_local intptr_t set_timeout_ms, set_function, set_data;

static inline void note(CURLoption option, intptr_t value)
{
    if (option == CURLOPT_TIMEOUT_MS)
        set_timeout_ms = value;
    else if (option == CURLOPT_HEADERFUNCTION)
        set_function = value;
    else if (option == CURLOPT_HEADERDATA)
        set_data = value;
}

/* Lines that a transfer has more than it has, up to the first NULL. */
static _Thread_local const char *const *more_lines;

static inline CURLcode perform_with_more_lines(CURL *curl)
{
    size_t (*callback)(const char *, size_t, size_t, void *) =
        (size_t (*)(const char *, size_t, size_t, void *))set_function;
    CURLcode result = (curl_easy_perform)(curl);
    for (; more_lines && *more_lines; more_lines++)
        callback(*more_lines, 1, strlen(*more_lines), (void *)set_data);
    return result;
}

#undef curl_easy_setopt
#define curl_easy_setopt(curl, option, value) \
    (note(option, (intptr_t)(value)), (curl_easy_setopt)(curl, option, value))
#define curl_easy_perform(curl) perform_with_more_lines(curl)
#include "transfer.h"

/* ---- answers that are cut after each of their bytes ---- */

#define HEADER(status, more) "HTTP/1.1 " status " x\r\nContent-Length: 0\r\n" more "\r\n"
#define HI "Content-Length: 2\r\n\r\nhi"
#define CHUNKS "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n"

/* SETTINGS, its acknowledgement, HEADERS (200, with the length), DATA. */
#define OF_HTTP_2 \
    "\0\0\0\4\0\0\0\0\0" "\0\0\0\4\1\0\0\0\0" \
    "\0\0\5\1\4\0\0\0\1" "\x88\x0f\x0d\1" "2" "\0\0\2\0\1\0\0\0\1" "hi"
#define LONG_URL "http://127.0.0.1:%u/" LONG LONG LONG LONG
#define LONG "~~~~~~~~~~~~~~~~~~~~"   /* HPACK makes it no shorter */

enum { NEVER = -1 };

static const struct cut_row {
    const char *answer;
    unsigned set_up;
    int spare;             /* so many of the last bytes may be missing; or it is NEVER a success */
    struct answer before;  /* comes whole, if it has bytes */
} cut_rows[] = {
    { HEADER("200", "A: b\r\n"), GET },
    { "HTTP/1.1 200 x\r\n" HI, GET },
    { "HTTP/1.0 200 x\n" HI, GET },
    { "HTTP/1.1 204 x\n\n", GET },
    { "HTTP/1.1 200 x\r\n\r\n", GET },
    { "HTTP/1.1 200 x\r\nContent-Length: 2\r\n\r\n", HEAD },
    { CHUNKS "2\r\nab\r\n0\r\n\r\n", GET, 1 },
    { CHUNKS "2\r\nab\r\n0\r\nTrailer: t\r\n\r\n", GET, 1 },
    { "HTTP/1.1 103 x\r\nLink: </a>\r\n\r\nHTTP/1.1 204 x\r\n\r\n", GET },
    { "HTTP/1.1 100 x\r\n\r\n" HEADER("503", ""), GET, NEVER },
    { HEADER("503", "Retry-After: 7\r\n"), GET, NEVER },
    { "HTTP/1.1 101 x\r\nUpgrade: it\r\n\r\n!", GET },
    { HEADER("302", TO_B), FOLLOW, NEVER },
    { HEADER("200", ""), FOLLOW, 0, { HEADER("302", TO_B) } },
    { "HTTP/1.1 200 x\r\n" HI, FOLLOW, 0, { "HTTP/1.1 302 x\r\n" TO_B HI, KEEP } },
    { "HTTP/1.1 200 x\r\n\r\n", TUNNEL, NEVER },
    { HEADER("200", ""), TUNNEL, 0, { "HTTP/1.1 200 x\r\n\r\n", KEEP } },
    { OF_HTTP_2, VERSION_2 },
};

static struct redial_outcome attempt(const struct answer *answers, unsigned count, unsigned set_up)
{
    struct redial_outcome outcome;
    CURL *curl;
    start_answers(answers, count);
    curl = new_handle(set_up, set_up & VERSION_2 ? LONG_URL : NULL);
    outcome = redial_curl_perform(curl, 60000, "GET");
    curl_easy_cleanup(curl);
    server_stop(&server);
    return outcome;
}

static bool is_success(struct redial_outcome outcome)
{
    return outcome.kind == REDIAL_KIND_DONE;
}

/* A connection of HTTP/2 stays open after a whole answer, which may come once the request is there:
   what precedes it is shorter than "enough". */
static struct redial_outcome attempt_cut(const struct cut_row *row, size_t length, size_t whole)
{
    char bytes[256];
    struct answer answers[] = { row->before, { bytes, CLOSE, NULL, false, 0, false, length } };
    memcpy(bytes, row->answer, length);
    bytes[length] = '\0';
    if (row->set_up & VERSION_2) {
        answers[1].enough = 120;
        answers[1].then = length == whole ? KEEP : CLOSE;
    }
    return row->before.bytes ? attempt(answers, 2, row->set_up)
                             : attempt(&answers[1], 1, row->set_up);
}

TEST(an_answer_that_is_cut_at_any_byte_is_no_success)
{
    bool version_2 = curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2;
    for (size_t i = 0; i < LENGTH(cut_rows) - !version_2; i++) {
        const struct cut_row *row = &cut_rows[i];
        size_t whole = row->set_up & VERSION_2 ? sizeof OF_HTTP_2 - 1 : strlen(row->answer);
        for (size_t length = 0; length <= whole; length++) {
            struct redial_outcome outcome = attempt_cut(row, length, whole);
            bool may = row->spare != NEVER && length + (size_t)row->spare >= whole;
            bool must = row->spare != NEVER && length == whole;
            if (is_success(outcome) ? !may : must)
                fail_msg("row %u, %u bytes: kind %d, code %d", (unsigned)i, (unsigned)length,
                         (int)outcome.kind, outcome.code);
        }
    }
}

/* Some versions of libcurl hand over the beginning of a line at which the connection ended. */
TEST(a_header_ends_with_a_whole_line_that_is_empty)
{
    static const struct { const char *lines[4]; bool cut; } headers[] = {
        { { "HTTP/1.1 200 x\r\n", "\r\n" }, false }, { { "HTTP/1.1 200 x\n", "\n" }, false },
        { { "HTTP/1.1 200 x\r\n", "\r" }, true }, { { "HTTP/1.1 200 x\r\n", "x\n" }, true },
        { { "HTTP/2 103\r\n", "\r\n", "HTTP/2 200\r\n" }, true }, { { "HTTP/" }, true },
        { { "HTTP", "TRAILER: x\r\n" }, false }, { { "" }, false },
    };
    for (size_t i = 0; i < LENGTH(headers); i++) {
        static const struct answer answers[] = { { ANSWER("200", "") } };
        more_lines = headers[i].lines;
        assert_int_equal(is_success(attempt(answers, 1, GET)), !headers[i].cut);
    }
}

/* libcurl counts the body after each of its reads, and none is that long. */
TEST(a_trailer_that_looks_like_a_header_begins_none)
{
    static char bytes[200200] = CHUNKS "30d40\r\n";
    const struct answer answers[] = { { bytes } };
    memset(bytes + strlen(bytes), 'x', 200000);
    strcat(bytes, "\r\n0\r\nHTTP/1.1: t\r\n\r\n");
    assert_true(is_success(attempt(answers, 1, GET)));
}

TEST(a_line_of_another_protocol_begins_no_header)
{
    static const struct answer answers[] = { { "331 x\r\n", KEEP, NULL, false, 1 },
                                             { "230 x\r\n", KEEP, NULL, false, 1 },
                                             { "502 x\r\n", KEEP, NULL, true, 1 } };
    CURL *curl;
    server.greeting = "220-x\r\nHTTP/1.1 200 x\r\n220 x\r\n";
    start_answers(answers, 3);
    curl = new_handle(HEAD, "ftp://127.0.0.1:%u/");
    assert_int_equal(redial_curl_perform(curl, 60000, "GET").kind, REDIAL_KIND_DONE);
    curl_easy_cleanup(curl);
    server.greeting = NULL;
}

/* ---- the timeout ---- */

TEST(the_timeout_fits_a_long_of_32_bits_and_no_limit_leaves_that_of_the_handle)
{
    static const struct { uint32_t timeout_ms; intptr_t set_ms; } timeouts[] = {
        { 1, 1 }, { 2000, 2000 }, { INT32_MAX - 1, INT32_MAX - 1 }, { INT32_MAX, INT32_MAX },
        { 1u + INT32_MAX, INT32_MAX }, { UINT32_MAX - 1, INT32_MAX }, { UINT32_MAX, 7 },
    };
    CURL *curl = new_handle(NOBODY, NULL);
    for (size_t i = 0; i < LENGTH(timeouts); i++) {
        set_timeout_ms = 7;
        redial_curl_perform(curl, timeouts[i].timeout_ms, "GET");
        assert_int_equal(set_timeout_ms, timeouts[i].set_ms);
    }
    curl_easy_cleanup(curl);
}

TEST(without_a_limit_the_timeout_of_the_handle_ends_the_transfer)
{
    static const struct answer hang[] = { { "HTTP/1.1 200 x\r\n", HANG } };
    static const struct redial_outcome wanted = RETRY(28);
    CURL *curl;
    start_answers(hang, 1);
    curl = new_handle(POST, NULL);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 50L);
    expect("50 ms", "redial_curl_perform", CURLE_OPERATION_TIMEDOUT,
           redial_curl_perform(curl, REDIAL_NO_LIMIT, REDIAL_IDEMPOTENT), wanted);
    curl_easy_cleanup(curl);
}

TEST(without_time_nothing_is_sent_and_even_a_post_may_be_tried_again)
{
    static const struct answer answers[] = { { ANSWER("200", "") } };
    static const struct redial_outcome wanted = RETRY(28);
    CURL *curl;
    start_answers(answers, 1);
    curl = new_handle(POST, NULL);
    expect("0 ms", "redial_curl_perform", CURLE_OPERATION_TIMEDOUT,
           redial_curl_perform(curl, 0, NULL), wanted);
    curl_easy_cleanup(curl);
    assert_int_equal(server_stop(&server), 0);
}

/* ---- the handle ---- */

static size_t count_lines(char *line, size_t size, size_t count, void *user)
{
    *(unsigned *)user += 1;
    return size * count;
}

TEST(afterwards_the_handle_has_no_header_callback_and_works_in_every_way)
{
    static const struct answer answers[] = { { ANSWER("200", ""), CLOSE, NULL, true } };
    unsigned lines = 0;
    CURL *curl, *copy;
    start_answers(answers, 1);
    curl = new_handle(GET, NULL);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, count_lines);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &lines);
    assert_int_equal(redial_curl_perform(curl, 60000, NULL).code, 200);
    assert_true(set_function == 0 && set_data == 0);
    copy = curl_easy_duphandle(curl);
    assert_int_equal(perform_by_multi(curl), CURLE_OK);
    assert_int_equal(curl_easy_perform(copy), CURLE_OK);
    assert_int_equal(redial_curl_perform(copy, 60000, "GET").code, 200);
    curl_easy_reset(copy);
    curl_easy_setopt(copy, CURLOPT_URL, "file:///dev/null");
    assert_int_equal(redial_curl_perform(copy, 60000, "GET").kind, REDIAL_KIND_DONE);
    assert_int_equal(lines, 0);
    curl_easy_cleanup(curl);
    curl_easy_cleanup(copy);
}

/* ---- threads ---- */

static void *attempt_often(void *successes)
{
    CURL *curl = new_handle(GET, NULL);
    for (int i = 0; i < 100; i++)
        *(int *)successes += is_success(redial_curl_perform(curl, 60000, "GET"));
    curl_easy_cleanup(curl);
    return NULL;
}

TEST(two_threads_may_have_a_handle_each)
{
    static const struct answer answers[] = { { ANSWER("200", ""), KEEP, NULL, true } };
    int successes[2] = { 0 };
    pthread_t other;
    start_answers(answers, 1);
    assert_int_equal(pthread_create(&other, NULL, attempt_often, &successes[1]), 0);
    attempt_often(&successes[0]);
    pthread_join(other, NULL);
    assert_true(successes[0] == 100 && successes[1] == 100);
}

int main(void)
{
    return run_all_with(NULL, NULL, start_libcurl, stop_libcurl);
}
