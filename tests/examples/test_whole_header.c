/* Answers that are cut, and the pair of functions that notices it. SPDX-License-Identifier: MIT */
#include "../common/server.h"
#include "../common/support.h"
#include "../../examples/common/whole_header.h"

#define HEADER(status, more) "HTTP/1.1 " status " x\r\nContent-Length: 0\r\n" more "\r\n"

static struct server server;

static const struct row {
    const char *before;   /* an answer that came whole; NULL: none */
    const char *answer;   /* it is cut after each of its bytes */
} rows[] = {
    { NULL, HEADER("200", "A: b\r\n") },
    { NULL, HEADER("503", "Retry-After: 7\r\n") },
    { NULL, "HTTP/1.1 204 x\n\n" },
    { NULL, "HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\nwhole" },
    { NULL, "HTTP/1.1 103 x\r\nLink: </a>\r\n\r\nHTTP/1.1 100 x\r\n\r\n" HEADER("200", "") },
    { NULL, "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n"
            "2\r\nab\r\n0\r\nTrailer: t\r\n\r\n" },
    { HEADER("302", "Location: /b\r\n"), HEADER("200", "") },
};

/* The handle is used for all rows, as a program does that repeats its request. */
static CURL *new_handle(bool *whole)
{
    CURL *curl = curl_easy_init();
    assert_non_null(curl);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, whole_header_line);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, whole);
    return curl;
}

static size_t swallow(char *data, size_t size, size_t count, void *user)
{
    return size * count;
}

static CURLcode answered(CURL *curl, bool *whole, const char *before, const char *bytes)
{
    const struct answer answers[] = { { before ? before : bytes }, { bytes } };
    char url[64];
    CURLcode result;
    assert_true(server_start(&server, answers, before ? 2 : 1));
    snprintf(url, sizeof url, "http://127.0.0.1:%u/", (unsigned)server.port);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, swallow);
    result = whole_header_check(whole, curl, curl_easy_perform(curl));
    server_stop(&server);
    return result;
}

/* Some versions do without the last byte of chunks. */
static void expect(unsigned row, size_t length, CURLcode result)
{
    size_t whole = strlen(rows[row].answer);
    bool good = result == CURLE_OK, chunks = strstr(rows[row].answer, "chunked") != NULL;
    if (good != (length == whole) && !(chunks && length == whole - 1))
        fail_msg("row %u after %u bytes: CURLcode %d", row, (unsigned)length, (int)result);
}

TEST(an_answer_that_is_cut_at_any_byte_is_no_success)
{
    bool whole = false;
    CURL *curl = new_handle(&whole);
    for (unsigned i = 0; i < LENGTH(rows); i++)
        for (size_t length = 0; length <= strlen(rows[i].answer); length++) {
            char cut[256];
            snprintf(cut, sizeof cut, "%.*s", (int)length, rows[i].answer);
            expect(i, length, answered(curl, &whole, rows[i].before, cut));
        }
    curl_easy_cleanup(curl);
}

TEST(an_interim_answer_alone_is_no_success_and_another_error_stays)
{
    bool whole = true;
    CURL *curl = new_handle(&whole);
    answered(curl, &whole, NULL, "HTTP/1.1 103 x\r\n\r\n");
    whole = true;
    assert_int_equal(whole_header_check(&whole, curl, CURLE_OK), CURLE_PARTIAL_FILE);
    assert_false(whole);
    assert_int_equal(whole_header_check(&whole, curl, CURLE_COULDNT_CONNECT),
                     CURLE_COULDNT_CONNECT);
    curl_easy_cleanup(curl);
}

int main(void)
{
    return run_all();
}
