/* redial_curl_perform: its timeout, what it does to the handle, and answers that are cut.
   SPDX-License-Identifier: MIT */
#include <stdint.h>

#include <curl/curl.h>

/* The last values of the options that it sets. */
static intptr_t set_timeout_ms, set_function, set_data;

static inline void note(CURLoption option, intptr_t value)
{
    if (option == CURLOPT_TIMEOUT_MS)
        set_timeout_ms = value;
    else if (option == CURLOPT_HEADERFUNCTION)
        set_function = value;
    else if (option == CURLOPT_HEADERDATA)
        set_data = value;
}

#undef curl_easy_setopt
#define curl_easy_setopt(curl, option, value) \
    (note(option, (intptr_t)(value)), (curl_easy_setopt)(curl, option, value))
#include "transfer.h"

/* ---- answers that are cut after each of their bytes ---- */

#define HEADER(status, more) "HTTP/1.1 " status " x\r\nContent-Length: 0\r\n" more "\r\n"
#define HI "Content-Length: 2\r\n\r\nhi"
#define CHUNKS "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n"

static const struct cut_row {
    const char *answer;
    unsigned set_up;
    const char *before;   /* an answer that comes whole; NULL: none */
    enum then then;       /* after that */
    unsigned spare;       /* so many of the last bytes may be missing */
} cut_rows[] = {
    { HEADER("200", "A: b\r\n"), GET },
    { "HTTP/1.1 200 x\r\n" HI, GET },
    { "HTTP/1.0 200 x\n" HI, GET },
    { "HTTP/1.1 204 x\n\n", GET },
    { "HTTP/1.1 200 x\r\n\r\n", HEAD },
    { CHUNKS "2\r\nab\r\n0\r\n\r\n", GET, NULL, CLOSE, 1 },
    { CHUNKS "2\r\nab\r\n0\r\nTrailer: t\r\n\r\n", GET, NULL, CLOSE, 1 },
    { "HTTP/1.1 103 x\r\nLink: </a>\r\n\r\nHTTP/1.1 204 x\r\n\r\n", GET },
    { HEADER("503", "Retry-After: 7\r\n"), GET },
    { "HTTP/1.1 100 x\r\n\r\n" HEADER("503", ""), GET },
    { HEADER("200", ""), FOLLOW, HEADER("302", TO_B), CLOSE },
    { "HTTP/1.1 200 x\r\n" HI, FOLLOW, "HTTP/1.1 302 x\r\n" TO_B HI, KEEP },
    { HEADER("200", ""), TUNNEL, "HTTP/1.1 200 x\r\n\r\n", KEEP },
};

static struct redial_outcome attempt(const struct answer *answers, unsigned count, unsigned set_up)
{
    struct redial_outcome outcome;
    CURL *curl;
    start_answers(answers, count);
    curl = new_handle(set_up, NULL);
    outcome = redial_curl_perform(curl, 60000, "GET");
    curl_easy_cleanup(curl);
    server_stop(&server);
    return outcome;
}

static bool is_success(struct redial_outcome outcome)
{
    return outcome.kind == REDIAL_KIND_DONE
           || (outcome.kind == REDIAL_KIND_HTTP && outcome.code < 400);
}

static void try_cuts(const struct cut_row *row)
{
    size_t whole = strlen(row->answer);
    for (size_t length = 0; length <= whole; length++) {
        char cut[256];
        const struct answer answers[] = { { row->before ? row->before : cut, row->then }, { cut } };
        struct redial_outcome outcome;
        snprintf(cut, sizeof cut, "%.*s", (int)length, row->answer);
        outcome = attempt(answers, row->before ? 2 : 1, row->set_up);
        if (strstr(row->answer, "503"))
            assert_false(is_success(outcome));
        else if (is_success(outcome) ? length + row->spare < whole : length == whole)
            fail_msg("%s after %u bytes: kind %d, code %d", row->answer, (unsigned)length,
                     (int)outcome.kind, outcome.code);
    }
}

TEST(an_answer_that_is_cut_at_any_byte_is_no_success)
{
    for (size_t i = 0; i < LENGTH(cut_rows); i++)
        try_cuts(&cut_rows[i]);
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
    static const struct answer hang[] = { { "", HANG } };
    static const struct redial_outcome wanted = RETRY(28);
    CURL *curl;
    start_answers(hang, 1);
    curl = new_handle(GET, NULL);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 50L);
    expect("50 ms", "redial_curl_perform", CURLE_OPERATION_TIMEDOUT,
           redial_curl_perform(curl, REDIAL_NO_LIMIT, "GET"), wanted);
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

int main(void)
{
    return run_all_with(NULL, NULL, start_libcurl, stop_libcurl);
}
