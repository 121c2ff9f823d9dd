/* redial_curl_begin, redial_curl_line, redial_curl_end and redial_curl_perform, in C and C++: what
   they do to the handle, and answers that are cut. SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <string.h>

#include <curl/curl.h>

/* The last values of the options that they set. */
enum { TIMEOUT, FUNCTION, DATA, FRESH, FORBID, GUARD, GUARDED, NAMES, LIFETIME, OPTIONS };

static intptr_t set[OPTIONS];

static inline void note(CURLoption option, intptr_t value)
{
    static const CURLoption options[OPTIONS] = {
        CURLOPT_TIMEOUT_MS, CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA, CURLOPT_FRESH_CONNECT,
        CURLOPT_FORBID_REUSE, CURLOPT_PREREQFUNCTION, CURLOPT_PREREQDATA, CURLOPT_DNS_CACHE_TIMEOUT,
        CURLOPT_MAXLIFETIME_CONN,
    };
    for (int i = 0; i < OPTIONS; i++)
        if (options[i] == option)
            set[i] = value;
}

#undef curl_easy_setopt
#define curl_easy_setopt(curl, option, value) \
    (note(option, (intptr_t)(value)), (curl_easy_setopt)(curl, option, value))
#include "transfer.h"

static CURLM *multi;

/* ---- answers that are cut after each of their bytes ---- */

#define HEADER(status, more) "HTTP/1.1 " status " x\r\nContent-Length: 0\r\n" more "\r\n"
#define HI "Content-Length: 2\r\n\r\nhi"
#define CHUNKS "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n"

/* SETTINGS, its acknowledgement, HEADERS (200, with the length), DATA. */
#define OF_HTTP_2 \
    "\0\0\0\4\0\0\0\0\0" "\0\0\0\4\1\0\0\0\0" \
    "\0\0\5\1\4\0\0\0\1" "\x88\x0f\x0d\1" "2" "\0\0\2\0\1\0\0\0\1" "hi"

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
    { CHUNKS "2\r\nab\r\n0\r\nTrailer: t\r\n\r\n", GET, 1 },
    { "HTTP/1.1 103 x\r\nLink: </a>\r\n\r\nHTTP/1.1 204 x\r\n\r\n", GET },
    { "HTTP/1.1 100 x\r\n\r\n" HEADER("503", ""), GET, NEVER },
    { "HTTP/1.1 101 x\r\nUpgrade: it\r\n\r\n!", GET },
    { HEADER("302", TO_B), FOLLOW, NEVER },
    { "HTTP/1.1 200 x\r\n" HI, FOLLOW, 0, { "HTTP/1.1 302 x\r\n" TO_B HI, KEEP } },
    { "HTTP/1.1 200 x\r\n\r\n", TUNNEL, NEVER },
    { HEADER("200", ""), TUNNEL, 0, { "HTTP/1.1 200 x\r\n\r\n", KEEP } },
    { OF_HTTP_2, VERSION_2 },
};

static struct redial_outcome attempt(attempt_function *interface, const struct answer *answers,
                                     unsigned count, unsigned set_up)
{
    struct redial_outcome outcome;
    CURL *curl;
    start_answers(answers, count);
    curl = new_handle(set_up, set_up & VERSION_2 ? LONG_URL : NULL);
    outcome = interface(multi, curl, 60000, "GET");
    curl_easy_cleanup(curl);
    server_stop(&server);
    return outcome;
}

/* A connection of HTTP/2 stays open after a whole answer, which may come once the request is there:
   what precedes it is shorter than "enough". */
static struct redial_outcome attempt_cut(attempt_function *interface, const struct cut_row *row,
                                         size_t length, size_t whole)
{
    char bytes[256];
    struct answer answers[] = { row->before, { bytes, CLOSE, NULL, false, 0, length } };
    memcpy(bytes, row->answer, length);
    bytes[length] = '\0';
    if (row->set_up & VERSION_2) {
        answers[1].enough = 120;
        answers[1].then = length == whole ? KEEP : CLOSE;
    }
    return row->before.bytes ? attempt(interface, answers, 2, row->set_up)
                             : attempt(interface, &answers[1], 1, row->set_up);
}

/* The interfaces take turns. */
TEST(an_answer_that_is_cut_at_any_byte_is_no_success)
{
    bool version_2 = curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2;
    for (size_t i = 0; i < LENGTH(cut_rows) - !version_2; i++) {
        const struct cut_row *row = &cut_rows[i];
        size_t whole = row->set_up & VERSION_2 ? sizeof OF_HTTP_2 - 1 : strlen(row->answer);
        for (size_t length = 0; length <= whole; length++) {
            struct redial_outcome outcome =
                attempt_cut(interfaces[length % LENGTH(interfaces)], row, length, whole);
            bool may = row->spare != NEVER && length + (size_t)row->spare >= whole;
            bool must = row->spare != NEVER && length == whole;
            if (outcome.kind == REDIAL_KIND_DONE ? !may : must)
                fail_msg("row %u, %u bytes: kind %d, code %d", (unsigned)i, (unsigned)length,
                         (int)outcome.kind, outcome.code);
        }
    }
}

/* Some versions of libcurl hand over the beginning of a line at which the connection ended. */
TEST(a_header_ends_with_a_whole_line_that_is_empty)
{
    static const struct answer fine[] = { { ANSWER("200", "") } };
    static const struct { char lines[3][20]; bool cut; } headers[] = {
        { { "HTTP/1.1 200 x\r\n", "\r\n" }, false }, { { "HTTP/1.1 200 x\n", "\n" }, false },
        { { "HTTP/1.1 200 x\r\n", "\r" }, true }, { { "HTTP/1.1 200 x\r\n", "x\n" }, true },
        { { "HTTP/2 103\r\n", "\r\n", "HTTP/2 200\r\n" }, true }, { { "HTTP/" }, true },
        { { "HTTP", "TRAILER: x\r\n" }, false }, { { "" }, false },
    };
    for (size_t i = 0; i < LENGTH(headers); i++) {
        struct redial_curl_attempt more;
        CURL *curl = new_handle(GET, NULL);
        start_answers(fine, 1);
        set_address(curl, CURLOPT_URL, "http://127.0.0.1:%u/", server.port);
        poison(&more, sizeof more);
        assert_true(redial_curl_begin(&more, curl, 60000, "GET"));
        curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, swallow);
        assert_int_equal(curl_easy_perform(curl), CURLE_OK);
        for (size_t k = 0; k < 3; k++) {
            char line[20];
            memcpy(line, headers[i].lines[k], sizeof line);
            assert_int_equal(redial_curl_line(line, 1, strlen(line), &more), strlen(line));
        }
        assert_int_equal(redial_curl_end(&more, CURLE_OK).code, headers[i].cut ? 18 : 200);
        curl_easy_cleanup(curl);
    }
}

/* libcurl counts the body after each of its reads, and none is that long. */
TEST(a_trailer_that_looks_like_a_header_begins_none)
{
    static char bytes[200200] = CHUNKS "30d40\r\n";
    const struct answer answers[] = { { bytes } };
    memset(bytes + strlen(bytes), 'x', 200000);
    strcat(bytes, "\r\n0\r\nHTTP/1.1: t\r\n\r\n");
    assert_int_equal(attempt(attempt_by_easy, answers, 1, GET).kind, REDIAL_KIND_DONE);
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

/* ---- the options ---- */

TEST(the_timeout_fits_a_long_of_32_bits_and_no_limit_leaves_that_of_the_handle)
{
    static const struct { uint32_t timeout_ms; intptr_t set_ms, left_ms; } timeouts[] = {
        { 1, 1, 0 }, { 2000, 2000, 0 }, { INT32_MAX - 1, INT32_MAX - 1, 0 },
        { INT32_MAX, INT32_MAX, 0 }, { 1u + INT32_MAX, INT32_MAX, 0 },
        { UINT32_MAX - 1, INT32_MAX, 0 }, { UINT32_MAX, 7, 7 },
    };
    CURL *curl = new_handle(GET, NULL);
    for (size_t i = 0; i < LENGTH(timeouts); i++) {
        struct redial_curl_attempt attempt;
        set[TIMEOUT] = 7;
        assert_true(redial_curl_begin(&attempt, curl, timeouts[i].timeout_ms, NULL));
        assert_int_equal(set[TIMEOUT], timeouts[i].set_ms);
        redial_curl_end(&attempt, CURLE_OK);
        assert_int_equal(set[TIMEOUT], timeouts[i].left_ms);
    }
    curl_easy_cleanup(curl);
}

/* 7: what the program had set stays. */
TEST(after_an_attempt_the_options_are_at_the_defaults_that_the_header_names)
{
    static const struct { const char *method; intptr_t own, after; } methods[] = {
        { "POST", 1, 0 }, { "PATCH", 1, 0 }, { "get", 1, 0 }, { "GET", 7, 7 }, { "DELETE", 7, 7 },
        { REDIAL_IDEMPOTENT, 7, 7 }, { NULL, 7, 7 },
    };
    CURL *curl = new_handle(GET, NULL);
    for (size_t i = 0; i < LENGTH(methods); i++) {
        struct redial_curl_attempt attempt;
        bool guarded = methods[i].own == 1;
        for (int k = 0; k < OPTIONS; k++)
            set[k] = 7;
        assert_true(redial_curl_begin(&attempt, curl, 1, methods[i].method));
        assert_true(set[TIMEOUT] == 1 && set[NAMES] == 7 && set[LIFETIME] == 7);
        assert_true(set[FUNCTION] == (intptr_t)redial_curl_line);
        assert_true(set[DATA] == (intptr_t)&attempt);
        assert_true(set[FRESH] == methods[i].own && set[FORBID] == methods[i].own);
        assert_true(set[GUARD] == (guarded ? (intptr_t)redial_curl_guard_ : 7));
        assert_true(set[GUARDED] == (guarded ? (intptr_t)&attempt : 7));
        redial_curl_end(&attempt, CURLE_RECV_ERROR);
        assert_true(set[TIMEOUT] == 0 && set[FUNCTION] == 0 && set[DATA] == 0);
        assert_true(set[FRESH] == 0 && set[NAMES] == 60 && set[LIFETIME] == 0);
        assert_true(set[FORBID] == methods[i].after && set[GUARD] == methods[i].after);
        assert_true(set[GUARDED] == methods[i].after);
    }
    curl_easy_cleanup(curl);
}

/* As a std::string would do it. */
TEST(the_text_of_the_method_may_be_gone_after_begin)
{
    static const struct {
        const char *method;
        unsigned set_up;
        struct answer answer;
        struct redial_outcome wanted;
    } rows[] = {
        { "POST", POST, { "" }, UNSURE(52) },
        { "PUT", PUT, { "" }, RETRY(52) },
        { "PUT", PUT, { ANSWER("308", "") }, DONE_BY(308) },
        { "GET", GET, { ANSWER("308", "") }, FAIL(308) },
        { "HEAD", HEAD, { ANSWER("308", "") }, FAIL(308) },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct redial_curl_attempt attempt;
        char *method = strdup(rows[i].method);
        CURLcode result;
        CURL *curl;
        start_answers(&rows[i].answer, 1);
        curl = new_handle(rows[i].set_up, NULL);
        assert_true(redial_curl_begin(&attempt, curl, 60000, method));
        poison(method, strlen(method));
        free(method);
        result = curl_easy_perform(curl);
        expect(rows[i].method, "redial_curl_end", result, redial_curl_end(&attempt, result),
               rows[i].wanted);
        curl_easy_cleanup(curl);
    }
}

static const struct redial_outcome invalid = { REDIAL_KIND_INVALID, 0, 0, 0 };

TEST(a_timeout_of_0_is_a_mistake_nothing_is_set_or_sent)
{
    static const struct answer fine = { ANSWER("200", ""), .always = true };
    start_answers(&fine, 1);
    for (size_t i = 0; i < LENGTH(interfaces); i++) {
        struct redial_curl_attempt attempt;
        CURL *curl = new_handle(POST, NULL);
        poison(&attempt, sizeof attempt);
        poison(set, sizeof set);
        assert_false(redial_curl_begin(&attempt, curl, 0, i & 1 ? "POST" : NULL));
        for (int code = 0; code < 100; code++)
            expect("0 ms", "redial_curl_end", (CURLcode)code,
                   redial_curl_end(&attempt, (CURLcode)code), invalid);
        expect("0 ms", "an interface", CURLE_OK, interfaces[i](multi, curl, 0, "GET"), invalid);
        for (int k = 0; k < OPTIONS; k++)
            assert_memory_equal(&set[k], "\xa5\xa5\xa5\xa5", 4);
        curl_easy_cleanup(curl);
    }
    assert_int_equal(server_stop(&server), 0);
}

/* A status that is there is that of an earlier transfer. */
TEST(an_end_without_a_transfer_is_no_success)
{
    static const struct answer answers[] = { { ANSWER("302", TO_B), KEEP, "/moved", true },
                                             { ANSWER("503", AFTER_7), KEEP, NULL, true } };
    static const struct redial_outcome no_url = FAIL(3), in_multi = FAIL(2);
    struct redial_curl_attempt attempt;
    int running;
    CURL *curl;
    start_answers(answers, 2);
    curl = new_handle(POST, NULL);
    expect("unused", "redial_curl", CURLE_OK, redial_curl(curl, CURLE_OK, "GET"), invalid);
    for (int reset = 0; reset < 2; reset++) {
        assert_true(redial_curl_begin(&attempt, curl, 60000, "POST"));
        assert_int_equal(curl_easy_perform(curl), CURLE_OK);
        if (reset)
            curl_easy_reset(curl);
        else
            assert_int_equal(redial_curl_end(&attempt, CURLE_OK).code, 503);
        expect("reset or ended", "redial_curl_end", CURLE_OK, redial_curl_end(&attempt, CURLE_OK),
               invalid);
    }
    curl_easy_cleanup(curl);
    curl = new_handle(POST, NULL);
    assert_int_equal(redial_curl_perform(curl, 60000, "POST").code, 503);
    curl_easy_setopt(curl, CURLOPT_URL, NULL);
    expect("no URL", "it", CURLE_OK, redial_curl_perform(curl, 60000, "POST"), no_url);
    set_address(curl, CURLOPT_URL, "http://127.0.0.1:%u/moved", server.port);
    assert_int_equal(redial_curl_perform(curl, 60000, "POST").code, 302);
    curl_easy_setopt(curl, CURLOPT_URL, NULL);
    expect("no URL", "after 302", CURLE_OK, redial_curl_perform(curl, 60000, "POST"), no_url);
    set_address(curl, CURLOPT_URL, "http://127.0.0.1:%u/", server.port);
    curl_multi_add_handle(multi, curl);
    curl_multi_perform(multi, &running);
    expect("in a multi", "it", CURLE_OK, redial_curl_perform(curl, 60000, "POST"), in_multi);
    curl_multi_remove_handle(multi, curl);
    curl_easy_cleanup(curl);
}

/* A pointer to the attempt that stayed would be one to memory that was freed. */
TEST(an_attempt_that_is_given_up_leaves_nothing_behind)
{
    static const struct redial_outcome cancelled = CANCELLED, unsure = UNSURE(42);
    static const struct answer answers[] = { { "", HANG, "/" }, { "", HANG, "/" },
                                             { ANSWER("200", "") } };
    for (int sent = 0; sent < 2; sent++) {
        struct redial_curl_attempt *attempt = malloc(sizeof *attempt);
        int running;
        CURL *curl;
        start_answers(answers, 3);
        curl = new_handle(POST, NULL);
        assert_true(redial_curl_begin(attempt, curl, 60000, "POST"));
        curl_multi_add_handle(multi, curl);
        while (sent && !redial_curl_int_(curl, CURLINFO_REQUEST_SIZE))
            curl_multi_perform(multi, &running);
        curl_multi_remove_handle(multi, curl);
        expect("given up", "redial_curl_end", CURLE_ABORTED_BY_CALLBACK,
               redial_curl_end(attempt, CURLE_ABORTED_BY_CALLBACK), sent ? unsure : cancelled);
        for (int k = 0; k < OPTIONS; k++)
            assert_int_equal(set[k], k == NAMES ? 60 : 0);
        poison(attempt, sizeof *attempt);
        free(attempt);
        set_address(curl, CURLOPT_URL, "http://127.0.0.1:%u/b", server.port);
        assert_int_equal(curl_easy_perform(curl), CURLE_OK);
        curl_easy_cleanup(curl);
    }
}

static int start_multi(void **state)
{
    multi = curl_multi_init();
    return multi ? 0 : -1;
}

static int stop_multi(void **state)
{
    curl_multi_cleanup(multi);
    return 0;
}

int main(void)
{
    return run_all_with(start_multi, stop_multi, start_libcurl, stop_libcurl);
}
