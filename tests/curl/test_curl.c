/* redial_curl.h, by real transfers: each row of the table in its manual. SPDX-License-Identifier: MIT */
#include <stdbool.h>

#include <curl/curl.h>

/* A handle tells the truth, except about one number. */
static struct lie {
    CURLINFO about;
    long number;
} lie;

static inline CURLcode tell(CURL *curl, CURLINFO info, void *to)
{
    CURLcode result = (curl_easy_getinfo)(curl, info, to);
    if (info == lie.about && (info & CURLINFO_TYPEMASK) == CURLINFO_LONG)
        *(long *)to = lie.number;
    else if (info == lie.about)
        *(curl_off_t *)to = lie.number;
    return result;
}

static bool no_headers;   /* libcurl was built without curl_easy_header */

static inline CURLHcode header_of(CURL *curl, const char *name, size_t index, unsigned origin, int request,
                                  struct curl_header **header)
{
    return no_headers ? CURLHE_NOT_BUILT_IN : (curl_easy_header)(curl, name, index, origin, request, header);
}

#undef curl_easy_header
#define curl_easy_header(curl, name, index, origin, request, header) \
    header_of(curl, name, index, origin, request, header)
#undef curl_easy_getinfo
#define curl_easy_getinfo(curl, info, to) tell(curl, info, to)
#include "transfer.h"

/* ---- set-ups ---- */

static void fail_on_error(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
}

static void resume(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_RESUME_FROM, 5L);
}

static void head(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
}

static size_t refuse(char *data, size_t size, size_t count, void *user)
{
    return 0;
}

static void refuse_body(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, refuse);
}

static int stop_at_body(void *user, curl_off_t all, curl_off_t now, curl_off_t all_up, curl_off_t now_up)
{
    return now > 0;
}

static void stop_transfer(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, stop_at_body);
}

static void follow_once(CURL *curl)
{
    follow(curl);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 1L);
}

static void short_timeout(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 300L);
}

static void tunnel(CURL *curl)
{
    char proxy[64];
    snprintf(proxy, sizeof proxy, "http://127.0.0.1:%u", (unsigned)server.port);
    curl_easy_setopt(curl, CURLOPT_PROXY, proxy);
    curl_easy_setopt(curl, CURLOPT_HTTPPROXYTUNNEL, 1L);
    curl_easy_setopt(curl, CURLOPT_URL, "http://origin.invalid/");
}

static void post_through_tunnel(CURL *curl)
{
    post(curl);
    tunnel(curl);
}

static void follow_through_tunnel(CURL *curl)
{
    follow(curl);
    tunnel(curl);
}

static void post_with_digest_and_follow(CURL *curl)
{
    post_with_digest(curl);
    follow(curl);
}

static void fail_on_error_through_tunnel(CURL *curl)
{
    fail_on_error(curl);
    tunnel(curl);
}

static void post_by_tls(CURL *curl)
{
    post(curl);
    set_url(curl, "https", server.port);
}

/* A resolver refuses it without asking anybody, because its first part is too long. */
#define NO_NAME "a23456789a23456789a23456789a23456789a23456789a23456789a23456789a23456789.invalid"

static void unknown_host(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_URL, "http://" NO_NAME "/");
}

static void unknown_proxy(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_PROXY, "http://" NO_NAME);
}

static void unknown_scheme(CURL *curl)
{
    set_url(curl, "nosuch", server.port);
}

static void no_url(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_URL, "http://[");
}

static void file(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_URL, "file:///dev/null");
}

static void missing_file(CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_URL, "file:///dev/null/nothing");
}

/* ---- the table ---- */

static const struct row rows[] = {
    /* the statuses */
    { "200", NULL, { { ANSWER("200", ""), CLOSE } }, HTTP(200, 0), HTTP(200, 0) },
    { "204", NULL, { { "HTTP/1.1 204 x\r\n\r\n", CLOSE } }, HTTP(204, 0), HTTP(204, 0) },
    { "HTTP/1.0", NULL, { { "HTTP/1.0 200 OK\r\n\r\nwhole", CLOSE } }, HTTP(200, 0), HTTP(200, 0) },
    { "100, 200", NULL, { { "HTTP/1.1 100 x\r\n\r\n" ANSWER("200", ""), CLOSE } }, HTTP(200, 0), HTTP(200, 0) },
    { "300", NULL, { { ANSWER("300", ""), CLOSE } }, HTTP(300, 0), HTTP(300, 0) },
    { "304", NULL, { { ANSWER("304", ""), CLOSE } }, HTTP(304, 0), HTTP(304, 0) },
    { "400", NULL, { { ANSWER("400", ""), CLOSE } }, HTTP(400, 0), HTTP(400, 0) },
    { "401", NULL, { { ANSWER("401", ""), CLOSE } }, HTTP(401, 0), HTTP(401, 0) },
    { "404", NULL, { { ANSWER("404", ""), CLOSE } }, HTTP(404, 0), HTTP(404, 0) },
    { "429", NULL, { { ANSWER("429", ""), CLOSE } }, HTTP(429, 0), HTTP(429, 0) },
    { "503", NULL, { { ANSWER("503", ""), CLOSE } }, HTTP(503, 0), HTTP(503, 0) },
    { "HEAD, 503", head, { { ANSWER("503", ""), CLOSE } }, HTTP(503, 0), HTTP(503, 0) },
    { "PUT, 503", put, { { ANSWER("503", ""), CLOSE } }, HTTP(503, 0), HTTP(503, 0) },
    { "PUT, 429", put, { { ANSWER("429", AFTER_7), CLOSE } }, HTTP(429, 7000), HTTP(429, 7000) },
    { "POST, 200", post, { { ANSWER("200", ""), CLOSE } }, HTTP(200, 0), HTTP(200, 0) },
    { "POST, 404", post, { { ANSWER("404", ""), CLOSE } }, HTTP(404, 0), HTTP(404, 0) },
    { "POST, 429", post, { { ANSWER("429", AFTER_7), CLOSE } }, HTTP(429, 7000), HTTP(429, 7000) },
    { "POST, 503", post, { { ANSWER("503", AFTER_7), CLOSE } }, HTTP(503, 7000), FAIL_AFTER(503, 7000) },
    /* Retry-After */
    { "seconds", NULL, { { ANSWER("503", AFTER_7), CLOSE } }, HTTP(503, 7000), HTTP(503, 7000) },
    { "a fraction", NULL, { { ANSWER("503", "Retry-After: 1.5\r\n" DATE), CLOSE } }, HTTP(503, 1500), HTTP(503, 1500) },
    { "a date", NULL, { { ANSWER("503", DATE AT_49_39), CLOSE } }, HTTP(503, 2000), HTTP(503, 2000) },
    { "a date that has passed", NULL, { { ANSWER("503", AT_49_39), CLOSE } }, HTTP(503, 0), HTTP(503, 0) },
    { "a Date that is none", NULL, { { ANSWER("503", "Date: no\r\nRetry-After: Sun, 06 Nov 2094 08:49:37 GMT\r\n") } },
      HTTP(503, 0), HTTP(503, 0) },
    { "a millisecond", NULL, { { ANSWER("503", "Retry-After: 0.001\r\n"), CLOSE } }, HTTP(503, 1), HTTP(503, 1) },
    { "the first is longer", NULL, { { ANSWER("429", "Retry-After: 9\r\n" AFTER_7), CLOSE } }, HTTP(429, 9000),
      HTTP(429, 9000) },
    { "the last is longer", NULL, { { ANSWER("429", AFTER_7 DATE AT_49_39 "Retry-After: 9\r\n"), CLOSE } },
      HTTP(429, 9000), HTTP(429, 9000) },
    /* redirects */
    { "301 to nowhere", NULL, { { ANSWER("301", ""), CLOSE } }, FAIL(301), FAIL(301) },
    { "302 to nowhere", NULL, { { ANSWER("302", ""), CLOSE } }, FAIL(302), FAIL(302) },
    { "303 to nowhere", NULL, { { ANSWER("303", ""), CLOSE } }, HTTP(303, 0), HTTP(303, 0) },
    { "307 to nowhere", NULL, { { ANSWER("307", ""), CLOSE } }, FAIL(307), FAIL(307) },
    { "308 to nowhere", NULL, { { ANSWER("308", ""), CLOSE } }, HTTP(308, 0), HTTP(308, 0) },
    { "301", NULL, { { ANSWER("301", TO_B), CLOSE } }, FAIL(301), FAIL(301) },
    { "302", NULL, { { ANSWER("302", TO_B AFTER_7), CLOSE } }, FAIL(302), FAIL(302) },
    { "303", NULL, { { ANSWER("303", TO_B), CLOSE } }, HTTP(303, 0), HTTP(303, 0) },
    { "307", NULL, { { ANSWER("307", TO_B), CLOSE } }, FAIL(307), FAIL(307) },
    { "308", NULL, { { ANSWER("308", TO_B), CLOSE } }, FAIL(308), FAIL(308) },
    { "POST, 303", post, { { ANSWER("303", TO_B), CLOSE } }, HTTP(303, 0), HTTP(303, 0) },
    { "302, 200", follow, { { ANSWER("302", TO_B), CLOSE }, { ANSWER("200", ""), CLOSE } }, HTTP(200, 0),
      HTTP(200, 0) },
    { "308, 304", follow, { { ANSWER("308", TO_B), CLOSE }, { ANSWER("304", ""), CLOSE } }, HTTP(304, 0),
      HTTP(304, 0) },
    { "307, 200", follow, { { ANSWER("307", TO_B), CLOSE }, { ANSWER("200", ""), CLOSE } }, HTTP(200, 0),
      HTTP(200, 0) },
    { "201 with a place", follow, { { ANSWER("201", TO_B), CLOSE } }, HTTP(201, 0), HTTP(201, 0) },
    { "503 with a place", follow, { { ANSWER("503", TO_B), CLOSE } }, HTTP(503, 0), HTTP(503, 0) },
    { "302 after 7 s, 503", follow, { { ANSWER("302", TO_B AFTER_7), CLOSE }, { ANSWER("503", ""), CLOSE } },
      HTTP(503, 0), FAIL(503) },
    { "302, 503 by its own Date", follow, { { ANSWER("302", TO_B "Date: Sun, 06 Nov 1994 08:00:00 GMT\r\n"), CLOSE },
      { ANSWER("503", DATE AT_49_39), CLOSE } }, HTTP(503, 2000), FAIL(503) },
    { "301, 302, 429", follow, { { ANSWER("301", TO_B), CLOSE }, { ANSWER("302", TO_B), CLOSE },
      { ANSWER("429", AFTER_7), CLOSE } }, HTTP(429, 7000), FAIL(429) },
    { "302, 399", follow, { { ANSWER("302", TO_B), CLOSE }, { ANSWER("399", ""), CLOSE } }, HTTP(399, 0),
      HTTP(399, 0) },
    { "302, 400", follow, { { ANSWER("302", TO_B), CLOSE }, { ANSWER("400", ""), CLOSE } }, HTTP(400, 0), FAIL(400) },
    { "302, 301 to nowhere", follow, { { ANSWER("302", TO_B), CLOSE }, { ANSWER("301", ""), CLOSE } }, FAIL(301),
      FAIL(301) },
    { "one redirect too many", follow_once, { { ANSWER("302", TO_B), CLOSE }, { ANSWER("302", TO_B), CLOSE } },
      FAIL(47), FAIL(47) },
    { "POST, 303, 200", post_and_follow, { { ANSWER("303", TO_B), CLOSE }, { ANSWER("200", ""), CLOSE } },
      HTTP(200, 0), HTTP(200, 0) },
    { "POST, 303, 503", post_and_follow, { { ANSWER("303", TO_B), CLOSE }, { ANSWER("503", AFTER_7), CLOSE } },
      HTTP(503, 7000), FAIL(503) },
    { "POST, 303, 429", post_and_follow, { { ANSWER("303", TO_B), CLOSE }, { ANSWER("429", AFTER_7), CLOSE } },
      HTTP(429, 7000), FAIL(429) },
    { "POST, 303, 404", post_and_follow, { { ANSWER("303", TO_B), CLOSE }, { ANSWER("404", ""), CLOSE } },
      HTTP(404, 0), FAIL(404) },
    { "POST, 303, nothing", post_and_follow, { { ANSWER("303", TO_B), CLOSE }, { "", CLOSE } }, RETRY(52), FAIL(52) },
    { "POST, 303 to nobody", post_and_follow, { { ANSWER("303", "Location: http://" NO_NAME "/\r\n"), CLOSE } },
      RETRY(6), FAIL(6) },
    /* the status counts more than the error */
    { "refused 404", fail_on_error, { { ANSWER("404", ""), CLOSE } }, HTTP(404, 0), HTTP(404, 0) },
    { "refused 401", fail_on_error, { { ANSWER("401", ""), CLOSE } }, HTTP(401, 0), HTTP(401, 0) },
    { "refused 503", fail_on_error, { { ANSWER("503", AFTER_7), CLOSE } }, HTTP(503, 7000), HTTP(503, 7000) },
    { "cut after 400", NULL, { { CUT("400", ""), CLOSE } }, HTTP(400, 0), HTTP(400, 0) },
    { "cut after 404", NULL, { { CUT("404", ""), CLOSE } }, HTTP(404, 0), HTTP(404, 0) },
    { "cut after 429", NULL, { { CUT("429", AFTER_7), CLOSE } }, HTTP(429, 7000), HTTP(429, 7000) },
    { "POST, cut after 429", post, { { CUT("429", AFTER_7), CLOSE } }, HTTP(429, 7000), HTTP(429, 7000) },
    { "POST, cut after 503", post, { { CUT("503", ""), CLOSE } }, HTTP(503, 0), FAIL(503) },
    { "no resumption, 503", resume, { { CUT("503", ""), CLOSE } }, HTTP(503, 0), HTTP(503, 0) },
    { "no resumption, 200", resume, { { CUT("200", ""), CLOSE } }, FAIL(33), FAIL(33) },
    { "503 that we refuse", refuse_body, { { CUT("503", AFTER_7), CLOSE } }, HTTP(503, 7000), HTTP(503, 7000) },
    { "200 that we refuse", refuse_body, { { CUT("200", ""), CLOSE } }, FAIL(23), FAIL(23) },
    /* temporary errors */
    { "cut after 200", NULL, { { CUT("200", ""), CLOSE } }, RETRY(18), RETRY(18) },
    { "cut after 399", NULL, { { CUT("399", ""), CLOSE } }, RETRY(18), RETRY(18) },
    { "cut after 401", NULL, { { CUT("401", ""), CLOSE } }, RETRY(18), RETRY(18) },
    { "cut after 407", NULL, { { CUT("407", ""), CLOSE } }, RETRY(18), RETRY(18) },
    { "cut after 417", NULL, { { CUT("417", ""), CLOSE } }, RETRY(18), RETRY(18) },
    { "nothing", NULL, { { "", CLOSE } }, RETRY(52), RETRY(52) },
    { "reset", NULL, { { "", RESET } }, RETRY(56), RETRY(56) },
    { "reset in the answer", NULL, { { CUT("200", ""), RESET } }, RETRY(56), RETRY(56) },
    { "no answer in time", short_timeout, { { "", HANG } }, RETRY(28), RETRY(28) },
    { "half an answer in time", short_timeout, { { CUT("200", ""), HANG } }, RETRY(28), RETRY(28) },
    { "nobody", nobody, { { NULL, CLOSE } }, RETRY(7), RETRY(7) },
    { "unknown host", unknown_host, { { NULL, CLOSE } }, RETRY(6), RETRY(6) },
    { "unknown proxy", unknown_proxy, { { NULL, CLOSE } }, RETRY(5), RETRY(5) },
    { "PUT, nothing", put, { { "", CLOSE } }, RETRY(52), RETRY(52) },
    { "PUT to nobody", put_to_nobody, { { NULL, CLOSE } }, RETRY(7), RETRY(7) },
    { "POST to nobody", post_to_nobody, { { NULL, CLOSE } }, RETRY(7), UNSENT(7) },
    { "POST, no handshake", post_by_tls, { { "", CLOSE, NULL, false, 1, 0, false } }, RETRY(35), UNSENT(35) },
    { "POST, nothing", post, { { "", CLOSE } }, RETRY(52), FAIL(52) },
    { "POST, reset", post, { { "", RESET } }, RETRY(56), FAIL(56) },
    { "POST, cut after 200", post, { { CUT("200", ""), CLOSE } }, RETRY(18), FAIL(18) },
    /* errors that stay */
    { "no HTTP", NULL, { { "220 mail.example ESMTP\r\n", CLOSE } }, FAIL(GIVEN), FAIL(GIVEN) },
    { "a status that is no number", NULL, { { "HTTP/1.1 abc\r\n\r\n", CLOSE } }, FAIL(GIVEN), FAIL(GIVEN) },
    { "unknown scheme", unknown_scheme, { { NULL, CLOSE } }, FAIL(1), FAIL(1) },
    { "no URL", no_url, { { NULL, CLOSE } }, FAIL(3), FAIL(3) },
    { "stopped after 200", stop_transfer, { { CUT("200", ""), HANG } }, FAIL(42), FAIL(42) },
    { "stopped after 503", stop_transfer, { { CUT("503", AFTER_7), HANG } }, FAIL(42), FAIL(42) },
    /* no HTTP */
    { "a file", file, { { NULL, CLOSE } }, DONE, DONE },
    { "a missing file", missing_file, { { NULL, CLOSE } }, FAIL(37), FAIL(37) },
    /* tunnels through a proxy */
    { "tunnel, 302", tunnel, { { ANSWER("302", TO_B), CLOSE } }, FAIL(302), FAIL(302) },
    { "tunnel, 300", tunnel, { { ANSWER("300", ""), CLOSE } }, FAIL(300), FAIL(300) },
    { "tunnel, 399", tunnel, { { ANSWER("399", ""), CLOSE } }, FAIL(399), FAIL(399) },
    { "tunnel, 400", tunnel, { { ANSWER("400", ""), CLOSE } }, HTTP(400, 0), HTTP(400, 0) },
    { "tunnel, 407", tunnel, { { ANSWER("407", ""), CLOSE } }, HTTP(407, 0), HTTP(407, 0) },
    { "tunnel, 503", tunnel, { { ANSWER("503", AFTER_7), CLOSE } }, HTTP(503, 0), HTTP(503, 0) },
    { "tunnel, refused 302", fail_on_error_through_tunnel, { { ANSWER("302", TO_B) } }, FAIL(302), FAIL(302) },
    { "tunnel, refused 407", fail_on_error_through_tunnel, { { ANSWER("407", "") } }, HTTP(407, 0), HTTP(407, 0) },
    { "tunnel, refused 503", fail_on_error_through_tunnel, { { ANSWER("503", ""), CLOSE } }, HTTP(503, 0),
      HTTP(503, 0) },
    { "POST, tunnel, 503", post_through_tunnel, { { ANSWER("503", ""), CLOSE } }, HTTP(503, 0), HTTP(503, 0) },
    { "tunnel, 200, 200", tunnel, { { "HTTP/1.1 200 x\r\n\r\n", KEEP }, { ANSWER("200", ""), CLOSE } }, HTTP(200, 0),
      HTTP(200, 0) },
    { "tunnel, 200, 503", tunnel, { { "HTTP/1.1 200 x\r\n\r\n", KEEP }, { ANSWER("503", AFTER_7), CLOSE } },
      HTTP(503, 7000), HTTP(503, 7000) },
    { "tunnel, 299, nothing", tunnel, { { "HTTP/1.1 299 x\r\n\r\n", KEEP }, { "", CLOSE } }, RETRY(52), RETRY(52) },
    { "tunnel, 200, nothing", tunnel, { { "HTTP/1.1 200 x\r\n\r\n", KEEP }, { "", CLOSE } }, RETRY(52), RETRY(52) },
    { "POST, tunnel, 200, nothing", post_through_tunnel, { { "HTTP/1.1 200 x\r\n\r\n", KEEP }, { "", CLOSE } },
      RETRY(52), FAIL(52) },
    { "tunnel, 200, 302, tunnel, 503", follow_through_tunnel, { { "HTTP/1.1 200 x\r\n\r\n", KEEP },
      { ANSWER("302", "Location: http://other.invalid/\r\n"), CLOSE }, { ANSWER("503", ""), CLOSE } }, HTTP(503, 0),
      FAIL(503) },
    /* rounds of authentication */
    { "digest, 200", post_with_digest, { { ANSWER("401", CHALLENGE), KEEP }, { ANSWER("200", ""), CLOSE } },
      HTTP(200, 0), HTTP(200, 0) },
    { "digest, 429", post_with_digest, { { ANSWER("401", CHALLENGE), KEEP }, { ANSWER("429", AFTER_7), CLOSE } },
      HTTP(429, 7000), HTTP(429, 7000) },
    { "digest, 303, 429", post_with_digest_and_follow, { { ANSWER("401", CHALLENGE), KEEP },
      { ANSWER("303", TO_B), CLOSE }, { ANSWER("429", AFTER_7), CLOSE } }, HTTP(429, 7000), FAIL(429) },
};

TEST(each_end_of_a_transfer_has_its_outcome)
{
    try_rows(rows, LENGTH(rows), curl_easy_perform);
}

TEST(it_is_the_same_with_the_multi_interface)
{
    try_rows(rows, LENGTH(rows), perform_by_multi);
}

/* ---- each code, on handles of every kind ---- */

static bool is_temporary(int code)
{
    static const unsigned char codes[] = { 5, 6, 7, 16, 18, 27, 28, 35, 52, 55, 56, 65, 92, 95, 96, 97 };
    return memchr(codes, code, sizeof codes) != NULL;
}

/* CURLE_HTTP_RETURNED_ERROR means that the status counts, even 401. */
static void try_all_codes(const char *what, set_up_curl *set_up, const char *answer, int status)
{
    const struct answer answers[] = { { answer, CLOSE, NULL, false, 0, 0, false } };
    bool post_was_sent = set_up == post, deciding = status == 404;
    CURL *curl;
    start_answers(answers, 1);
    curl = new_handle(set_up);
    if (answer)
        curl_easy_perform(curl);
    for (int code = 1; code < 100; code++) {
        struct row row = { what, NULL, { { NULL, CLOSE, NULL, false, 0, 0, false } }, FAIL(code), FAIL(code) };
        if (code != 42 && (deciding || (status && code == 22))) {
            row.repeatable = (struct redial_outcome)HTTP(status, 0);
            row.other = row.repeatable;
        } else if (is_temporary(code)) {
            row.repeatable = (struct redial_outcome)RETRY(code);
            row.other = post_was_sent ? row.other : row.repeatable;
        }
        expect_both(&row, curl, (CURLcode)code);
    }
    curl_easy_cleanup(curl);
    server_stop(&server);
}

TEST(codes_that_may_pass_are_retried_where_nothing_was_sent_or_the_request_may_be_repeated)
{
    try_all_codes("unused handle", NULL, NULL, 0);
    try_all_codes("no answer", NULL, "", 0);
    try_all_codes("200", NULL, ANSWER("200", ""), 200);
    try_all_codes("POST, no answer", post, "", 0);
    try_all_codes("POST, 200", post, ANSWER("200", ""), 200);
}

TEST(a_bad_status_counts_more_than_any_code_except_where_it_may_be_that_of_an_earlier_round)
{
    try_all_codes("404", NULL, ANSWER("404", ""), 404);
    try_all_codes("401", NULL, ANSWER("401", ""), 401);
    try_all_codes("407", NULL, ANSWER("407", ""), 407);
    try_all_codes("417", NULL, ANSWER("417", ""), 417);
}

/* ---- what takes more than a row ---- */

TEST(a_date_without_a_date_of_the_response_is_compared_with_our_clock)
{
    static const struct answer answers[] = { { ANSWER("503", "Retry-After: Tue, 06 Nov 2096 08:49:37 GMT\r\n") } };
    struct row row = { "a date to come", NULL, { { NULL, CLOSE } }, HTTP(503, 0), HTTP(503, 0) };
    curl_off_t seconds = 0;
    CURL *curl;
    start_answers(answers, 1);
    curl = new_handle(NULL);
    assert_int_equal(curl_easy_perform(curl), CURLE_OK);
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
    assert_true(seconds > 0);   /* some versions say 6 hours at most */
    row.repeatable.retry_after_ms = row.other.retry_after_ms = redial_seconds_ms(seconds);
    expect_both(&row, curl, CURLE_OK);
    curl_easy_cleanup(curl);
}

/* A status of another protocol is no HTTP status: this server of FTP says 502 at the end of a good transfer. */
TEST(a_transfer_by_ftp_that_succeeds_is_done)
{
    static const struct answer answers[] = { { "331 x\r\n", KEEP, NULL, false, 1, 0, false },
                                             { "230 x\r\n", KEEP, NULL, false, 1, 0, false },
                                             { "502 x\r\n", KEEP, NULL, true, 1, 0, false } };
    static const struct row row = { "ftp", NULL, { { NULL, CLOSE } }, DONE, DONE };
    long status = 0;
    CURL *curl;
    server.greeting = "220 x\r\n";
    start_answers(answers, 3);
    curl = new_handle(head);
    set_url(curl, "ftp", server.port);
    assert_int_equal(curl_easy_perform(curl), CURLE_OK);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    assert_int_equal(status, 502);
    expect_both(&row, curl, CURLE_OK);
    curl_easy_cleanup(curl);
    server.greeting = NULL;
}

/* Nor is the one with which it fails. */
TEST(a_transfer_by_ftp_that_fails_has_no_status)
{
    static const struct answer answers[] = { { "530 x\r\n", KEEP, NULL, true, 1, 0, false } };
    static const struct row row = { "ftp", NULL, { { NULL, CLOSE } }, FAIL(67), FAIL(67) };
    CURL *curl;
    server.greeting = "220 x\r\n";
    start_answers(answers, 1);
    curl = new_handle(NULL);
    set_url(curl, "ftp", server.port);
    expect_both(&row, curl, curl_easy_perform(curl));
    curl_easy_cleanup(curl);
    server.greeting = NULL;
}

/* ---- what no server here can make libcurl say ---- */

static const struct lying {
    struct lie lie;
    struct row row;
} lies[] = {
    /* some versions say 0 for two of these although bytes were sent */
    { { CURLINFO_REQUEST_SIZE, 1 }, { "bytes in the request", post_to_nobody, { { NULL } }, RETRY(7), FAIL(7) } },
    { { CURLINFO_SIZE_UPLOAD_T, 1 }, { "bytes in the body", post_to_nobody, { { NULL } }, RETRY(7), FAIL(7) } },
    { { CURLINFO_PRETRANSFER_TIME_T, 1 }, { "a time of sending", post_to_nobody, { { NULL } }, RETRY(7), FAIL(7) } },
    /* a refused tunnel counts only if nothing else is known */
    { { CURLINFO_HTTP_CONNECTCODE, 503 }, { "a success", file, { { NULL } }, DONE, DONE } },
    { { CURLINFO_HTTP_CONNECTCODE, 503 }, { "no scheme", unknown_scheme, { { NULL } }, HTTP(503, 0), HTTP(503, 0) } },
    { { CURLINFO_HTTP_CONNECTCODE, 503 }, { "a status", NULL, { { CUT("404", "") } }, HTTP(404, 0), HTTP(404, 0) } },
    /* a redirect to another protocol than HTTP */
    { { CURLINFO_HTTP_VERSION, 0 }, { "302, no HTTP", follow, { { ANSWER("302", TO_B) }, { ANSWER("200", "") } }, DONE,
      DONE } },
};

TEST(numbers_that_no_server_here_can_make_libcurl_say_count_as_in_the_manual)
{
    for (size_t i = 0; i < LENGTH(lies); i++) {
        lie = lies[i].lie;
        try_rows(&lies[i].row, 1, curl_easy_perform);
    }
}

TEST(a_libcurl_that_was_built_without_headers_counts_redirects_and_reads_retry_after_itself)
{
    static const struct row without[] = {
        { "429", NULL, { { ANSWER("429", AFTER_7), CLOSE } }, HTTP(429, 7000), HTTP(429, 7000) },
        { "POST, 303, 503", post_and_follow, { { ANSWER("303", TO_B), CLOSE }, { ANSWER("503", ""), CLOSE } },
          HTTP(503, 0), FAIL(503) },
    };
    no_headers = true;
    try_rows(without, LENGTH(without), curl_easy_perform);
}

static int tell_the_truth(void **state)
{
    lie.about = CURLINFO_NONE;
    no_headers = false;
    return 0;
}

static size_t read_once(char *to, size_t size, size_t count, void *user)
{
    size_t *left = user, now = *left;
    memset(to, 'x', now);
    *left = 0;
    return now;
}

TEST(a_body_that_libcurl_cannot_rewind_is_sent_again_by_the_next_attempt)
{
    static const struct answer answers[] = { { ANSWER("429", ""), KEEP }, { "", CLOSE } };
    static const struct row row = { "no rewind", NULL, { { NULL, CLOSE } }, RETRY(65), FAIL(65) };
    CURL *curl;
    size_t left = 5;
    start_answers(answers, 2);
    curl = new_handle(NULL);
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, 5L);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_once);
    curl_easy_setopt(curl, CURLOPT_READDATA, &left);
    assert_int_equal(curl_easy_perform(curl), CURLE_OK);
    left = 5;
    expect_both(&row, curl, curl_easy_perform(curl));
    assert_int_equal(server_stop(&server), 2);
    curl_easy_cleanup(curl);
}

TEST(a_handle_that_is_used_again_remembers_nothing)
{
    static const struct answer answers[] = { { ANSWER("303", TO_B), CLOSE }, { ANSWER("503", AFTER_7), CLOSE },
                                             { ANSWER("429", ""), CLOSE }, { "", CLOSE } };
    static const struct row redirected = { "redirected", NULL, { { NULL, CLOSE } }, HTTP(503, 7000), FAIL(503) };
    static const struct row direct = { "direct", NULL, { { NULL, CLOSE } }, HTTP(429, 0), HTTP(429, 0) };
    static const struct row silent = { "silent", NULL, { { NULL, CLOSE } }, RETRY(52), FAIL(52) };
    static const struct row refused = { "refused", NULL, { { NULL, CLOSE } }, RETRY(7), UNSENT(7) };
    CURL *curl;
    start_answers(answers, 4);
    curl = new_handle(post_and_follow);
    expect_both(&redirected, curl, curl_easy_perform(curl));
    expect_both(&direct, curl, curl_easy_perform(curl));
    expect_both(&silent, curl, curl_easy_perform(curl));
    nobody(curl);
    expect_both(&refused, curl, curl_easy_perform(curl));
    curl_easy_cleanup(curl);
}

/* A long body, of which the server reads only a part. */
TEST(a_post_that_breaks_in_its_body_may_have_been_done)
{
    static const struct answer answers[] = { { "", RESET, NULL, false, 30000, 0, false } };
    static const struct row row = { "broken", NULL, { { NULL, CLOSE } }, RETRY(GIVEN), FAIL(GIVEN) };
    static char body[20000000];
    struct curl_slist *headers = curl_slist_append(NULL, "Expect:");
    CURL *curl;
    start_answers(answers, 1);
    curl = new_handle(NULL);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)sizeof body);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    expect_both(&row, curl, curl_easy_perform(curl));
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
}

/* ---- the loop ---- */

TEST(a_post_that_was_redirected_is_sent_once_whatever_follows)
{
    static const char *const ends[] = { ANSWER("503", ""), ANSWER("429", "Retry-After: 1\r\n"), "", CUT("200", "") };
    for (size_t i = 0; i < LENGTH(ends); i++) {
        const struct answer answers[] = { { ANSWER("303", TO_B), CLOSE, "/", true, 0, 0, false },
                                          { ends[i], CLOSE, "/b", true, 0, 0, false } };
        struct redial_policy policy = redial_policy_default();
        struct redial_fake fake;
        struct redial_call call;
        struct redial_step step;
        CURL *curl;
        start_answers(answers, 2);
        curl = new_handle(post_and_follow);
        redial_fake_init(&fake);
        step = redial_loop_begin(&call, &policy, &fake.env);
        while (step.verdict == REDIAL_RETRY)
            step = redial_loop_next(&call, &fake.env, redial_curl_request(curl, curl_easy_perform(curl)));
        assert_int_equal(step.verdict, REDIAL_FAILED);
        assert_int_equal(server_stop(&server), 2);
        assert_true(server_was_asked(&server, 0, "POST /"));
        assert_true(server_was_asked(&server, 1, "GET /b"));
        curl_easy_cleanup(curl);
    }
}

int main(void)
{
    return run_all_with(tell_the_truth, NULL, start_libcurl, stop_libcurl);
}
