/* redial_curl.h, by real transfers: each outcome that its manual promises.
   SPDX-License-Identifier: MIT */
#include "transfer.h"

/* What a server says to a line of SMTP, IMAP or FTP. */
#define ASK(line) { line "\r\n", KEEP, NULL, false, 1 }
#define ALWAYS(line) { line "\r\n", KEEP, NULL, true, 1 }
#define NO_ANSWER { "", CLOSE, NULL, false, 1 }

/* ---- the table ---- */

static const struct row rows[] = {
    /* the statuses */
    { "100, 200", GET, { { "HTTP/1.1 100 x\r\n\r\n" ANSWER("200", "") } }, HTTP(200, 0) },
    { "100, cut", GET, { { "HTTP/1.1 100 x\r\nA: b\r\n" } }, RETRY(GIVEN) },
    { "POST, 103, cut", POST, { { "HTTP/1.1 103 x\r\nLink: a\r\n" } }, RETRY(GIVEN),
      UNSURE(GIVEN) },
    { "101", GET, { { "HTTP/1.1 101 x\r\n\r\nanything" } }, HTTP(101, 0) },
    { "401", GET, { { ANSWER("401", "") } }, HTTP(401, 0) },
    { "POST, 429", POST, { { ANSWER("429", AFTER_7) } }, HTTP(429, 7000) },
    { "POST, 503", POST, { { ANSWER("503", AFTER_7) } }, HTTP(503, 7000), UNSURE_AFTER(503, 7000) },
    /* Retry-After */
    { "a fraction", GET, { { ANSWER("503", "Retry-After: 1.5\r\n" DATE) } }, HTTP(503, 1500) },
    { "a date", GET, { { ANSWER("503", DATE AT_49_39) } }, HTTP(503, 2000) },
    { "a date that has passed", GET, { { ANSWER("503", AT_49_39) } }, HTTP(503, 0) },
    { "a date before one to come", GET,
      { { ANSWER("503", "Date: Fri, 31 Dec 2100 00:00:00 GMT\r\n"
                        "Retry-After: Thu, 30 Dec 2100 00:00:00 GMT\r\n") } }, HTTP(503, 0) },
    { "two numbers", GET, { { ANSWER("503", "Retry-After: 2, 3\r\n") } }, HTTP(503, 2000) },
    { "two numbers, no Date", GET, { { ANSWER("503", "Date: no\r\nRetry-After: 2, 3\r\n") } },
      HTTP(503, 2000) },
    { "the first is longer", GET, { { ANSWER("429", "Retry-After: 9\r\n" AFTER_7) } },
      HTTP(429, 9000) },
    { "the last is longer", GET, { { ANSWER("429", AFTER_7 DATE AT_49_39 "Retry-After: 9\r\n") } },
      HTTP(429, 9000) },
    /* redirects */
    { "POST, 303 to nowhere", POST, { { ANSWER("303", "") } }, HTTP(303, 0), UNSURE(303) },
    { "POST, 307", POST, { { ANSWER("307", TO_B) } }, HTTP(307, 0) },
    { "POST, 308", POST, { { ANSWER("308", TO_B) } }, HTTP(308, 0) },
    { "POST, 404", POST, { { ANSWER("404", "") } }, HTTP(404, 0) },
    { "308 to nowhere", GET, { { ANSWER("308", AFTER_7) } }, HTTP(308, 7000) },
    { "HEAD, 308 to nowhere", HEAD, { { ANSWER("308", "") } }, HTTP(308, 0) },
    { "PUT, 308 to nowhere", PUT, { { ANSWER("308", "") } }, HTTP(308, 0), DONE_BY(308) },
    { "PUT, 308", PUT, { { ANSWER("308", TO_B) } }, HTTP(308, 0) },
    { "302", GET, { { ANSWER("302", TO_B AFTER_7) } }, HTTP(302, 7000) },
    { "503 with a place", FOLLOW, { { ANSWER("503", TO_B) } }, HTTP(503, 0) },
    { "302 after 7 s, 503", FOLLOW, { { ANSWER("302", TO_B AFTER_7) }, { ANSWER("503", "") } },
      HTTP(503, 0), UNSURE(503) },
    { "302, 503 by its own Date", FOLLOW,
      { { ANSWER("302", TO_B "Date: Sun, 06 Nov 1994 08:00:00 GMT\r\n") },
      { ANSWER("503", DATE AT_49_39) } }, HTTP(503, 2000), UNSURE_AFTER(503, 2000) },
    { "POST, 307, 503", POST | FOLLOW, { { ANSWER("307", TO_B) }, { ANSWER("503", "") } },
      HTTP(503, 0), UNSURE(503) },
    { "PUT, 307, 503", PUT | FOLLOW, { { ANSWER("307", TO_B) }, { ANSWER("503", "") } },
      HTTP(503, 0) },
    { "HEAD, 302, 503", HEAD | FOLLOW, { { ANSWER("302", TO_B) }, { ANSWER("503", "") } },
      HTTP(503, 0) },
    { "POST, 303, 200", POST | FOLLOW, { { ANSWER("303", TO_B) }, { ANSWER("200", "") } },
      HTTP(200, 0) },
    { "POST, 303 to nobody", POST | FOLLOW,
      { { ANSWER("303", "Location: http://" NO_NAME "/\r\n") } }, RETRY(6), UNSURE(6) },
    /* the status counts more than the error */
    { "refused 401", FAIL_ON_ERROR, { { ANSWER("401", "") } }, HTTP(401, 0) },
    { "cut after 400", GET, { { CUT("400", "") } }, HTTP(400, 0) },
    { "400 that we refuse", REFUSE_BODY, { { CUT("400", "") } }, HTTP(400, 0) },
    { "399 that we refuse", REFUSE_BODY, { { CUT("399", "") } }, FAIL(23) },
    /* temporary errors */
    { "cut after 200", GET, { { CUT("200", "") } }, RETRY(18) },
    { "cut after 399", GET, { { CUT("399", "") } }, RETRY(18) },
    { "nothing", GET, { { "" } }, RETRY(52) },
    { "reset", GET, { { "", RESET } }, RETRY(56) },
    { "reset in the answer", GET, { { CUT("200", ""), RESET } }, RETRY(56) },
    { "nobody", NOBODY, { { NULL } }, RETRY(7) },
    { "unknown host", GET, { { NULL } }, RETRY(6), RETRY(6), "http://" NO_NAME "/" },
    { "POST to nobody", POST | NOBODY, { { NULL } }, RETRY(7) },
    { "POST, no handshake", POST, { { "", CLOSE, NULL, false, 1 } }, RETRY(35), RETRY(35),
      "https://127.0.0.1:%u/" },
    { "POST, nothing", POST, { { "" } }, RETRY(52), UNSURE(52) },
    { "POST, reset", POST, { { "", RESET } }, RETRY(56), UNSURE(56) },
    { "POST, cut after 200", POST, { { CUT("200", "") } }, RETRY(18), UNSURE(18) },
    /* errors that stay */
    { "no HTTP", GET, { { "220 mail.example ESMTP\r\n" } }, FAIL(GIVEN) },
    { "POST, unknown scheme", POST, { { NULL } }, FAIL(1), FAIL(1), "nosuch://a/" },
    { "POST, no URL", POST, { { NULL } }, FAIL(3), FAIL(3), "" },
    { "POST, a body that we refuse", POST | REFUSE_BODY, { { CUT("200", "") } }, FAIL(23),
      UNSURE(23) },
    { "POST, wrong gzip", POST | UNZIP, { { WRONG_GZIP("200") } }, FAIL(61), UNSURE(61) },
    { "POST, 302 to no URL", POST | FOLLOW, { { ANSWER("302", "Location: http://[/\r\n") } },
      FAIL(3), UNSURE(3) },
    { "401, wrong gzip", UNZIP, { { WRONG_GZIP("401") } }, HTTP(401, 0) },
    { "401 to a range", RANGE, { { CUT("401", "") } }, HTTP(401, 0) },
    { "200 to a range", RANGE, { { CUT("200", "") } }, FAIL(33) },
    /* stopped by the program */
    { "stopped after 503", STOP_AT_BODY, { { CUT("503", AFTER_7), HANG } }, CANCELLED },
    { "stopped at once", STOP_AT_ONCE, { { "", HANG } }, CANCELLED },
    { "POST, stopped at once", POST | STOP_AT_ONCE, { { "", HANG } }, CANCELLED },
    { "POST, stopped after 503", POST | STOP_AT_BODY, { { CUT("503", AFTER_7), HANG } }, CANCELLED,
      UNSURE_AFTER(503, 7000) },
    { "POST, stopped after 404", POST | STOP_AT_BODY, { { CUT("404", ""), HANG } }, CANCELLED,
      FAIL(404) },
    { "POST, stopped after 200", POST | STOP_AT_BODY, { { CUT("200", ""), HANG } }, CANCELLED,
      UNSURE(42) },
    { "POST, 303, stopped", POST | FOLLOW | STOP_AT_BODY,
      { { ANSWER("303", TO_B) }, { CUT("200", ""), HANG } }, CANCELLED, UNSURE(42) },
    /* no HTTP */
    { "a file", GET, { { NULL } }, DONE, DONE, "file:///dev/null" },
    { "a missing file", GET, { { NULL } }, FAIL(37), UNSURE(37), "file:///dev/null/nothing" },
    { "a mail", UPLOAD,
      { ASK("250 x"), ASK("250 x"), ASK("250 x"), ASK("354 x"), ASK("250 x"), ASK("221 x") }, DONE,
      DONE, "smtp://127.0.0.1:%u/", "220 x\r\n" },
    { "a mail without an answer", UPLOAD,
      { ASK("250 x"), ASK("250 x"), ASK("250 x"), ASK("354 x"), NO_ANSWER },
      RETRY(GIVEN), UNSURE(GIVEN), "smtp://127.0.0.1:%u/", "220 x\r\n" },
    { "an append without an answer", UPLOAD,
      { ASK("* CAPABILITY IMAP4rev1\r\nA001 OK x"), ASK("+ x"), NO_ANSWER },
      RETRY(GIVEN), UNSURE(GIVEN), "IMAP://127.0.0.1:%u/INBOX", "* OK x\r\n" },
    { "IMAP over a Unix socket", DELETE | UNIX,
      { ASK("* CAPABILITY IMAP4rev1\r\nA001 OK x"), NO_ANSWER }, RETRY(GIVEN),
      UNSURE(GIVEN), "imap://127.0.0.1/", "* OK x\r\n" },
    { "a mail to nobody", UPLOAD | NOBODY, { { NULL } }, RETRY(7), RETRY(7),
      "smtp://127.0.0.1:%u/" },
    /* this server of FTP says 502 at the end of a good transfer, and 530 to one that fails */
    { "FTP, 502", HEAD, { ASK("331 x"), ASK("230 x"), ALWAYS("502 x") }, DONE, DONE,
      "ftp://127.0.0.1:%u/",
      "220 x\r\n" },
    { "FTP, 530", GET, { ALWAYS("530 x") }, FAIL(67), FAIL(67), "ftp://127.0.0.1:%u/",
      "220 x\r\n" },
    { "FTP, 399", GET, { ASK("331 x"), ASK("230 x"), ALWAYS("399 x") }, FAIL(GIVEN), UNSURE(GIVEN),
      "ftp://127.0.0.1:%u/", "220 x\r\n" },
    { "FTP, 600", GET, { ASK("331 x"), ASK("230 x"), ALWAYS("600 x") }, FAIL(GIVEN), UNSURE(GIVEN),
      "ftp://127.0.0.1:%u/", "220 x\r\n" },
    { "FTP by a proxy of HTTP, 503", PROXY, { { ANSWER("503", AFTER_7) } }, HTTP(503, 7000),
      HTTP(503, 7000), "ftp://origin.invalid/" },
    { "RTSP, 503", GET, { { "RTSP/1.0 503 x\r\nCSeq: 1\r\n\r\n" } }, HTTP(503, 0), UNSURE(503),
      "rtsp://127.0.0.1:%u/" },
    /* tunnels through a proxy */
    { "tunnel, 300", TUNNEL, { { ANSWER("300", "") } }, FAIL(300) },
    { "tunnel, 399", TUNNEL, { { ANSWER("399", "") } }, FAIL(399) },
    { "tunnel, 400", TUNNEL, { { ANSWER("400", "") } }, HTTP(400, 0) },
    { "tunnel, 407", TUNNEL, { { ANSWER("407", "") } }, HTTP(407, 0) },
    { "tunnel, 429", TUNNEL, { { ANSWER("429", AFTER_7 "Retry-After: 9\r\n") } }, HTTP(429, 9000) },
    { "tunnel, 503", TUNNEL, { { ANSWER("503", DATE AT_49_39) } }, HTTP(503, 2000) },
    { "tunnel, 503 after 2094", TUNNEL,
      { { ANSWER("503", "Retry-After: Sun, 06 Nov 2094 08:49:37 GMT\r\n") } }, HTTP(503, 0) },
    { "POST, tunnel, 503", POST | TUNNEL, { { ANSWER("503", AFTER_7) } }, HTTP(503, 7000) },
    { "tunnel, 200, 503", TUNNEL,
      { { "HTTP/1.1 200 x\r\n\r\n", KEEP }, { ANSWER("503", AFTER_7) } }, HTTP(503, 7000) },
    { "tunnel, 299, nothing", TUNNEL, { { "HTTP/1.1 299 x\r\n\r\n", KEEP }, { "" } }, RETRY(52) },
    { "POST, tunnel, 200, nothing", POST | TUNNEL, { { "HTTP/1.1 200 x\r\n\r\n", KEEP }, { "" } },
      RETRY(52), UNSURE(52) },
    { "tunnel, 200, 302, tunnel, 503", FOLLOW | TUNNEL, { { "HTTP/1.1 200 x\r\n\r\n", KEEP },
      { ANSWER("302", "Location: http://other.invalid/\r\n") }, { ANSWER("503", "") } },
      HTTP(503, 0), UNSURE(503) },
    { "tunnel, 407, hung", TUNNEL | PROXY_DIGEST | A_SECOND,
      { { ANSWER("407", PROXY_CHALLENGE), KEEP }, { "", HANG } }, RETRY(28), RETRY(GIVEN) },
    /* rounds of authentication */
    { "digest, 429", POST | DIGEST,
      { { ANSWER("401", CHALLENGE), KEEP }, { ANSWER("429", AFTER_7) } }, HTTP(429, 7000) },
    { "digest, 303, 429", POST | DIGEST | FOLLOW,
      { { ANSWER("401", CHALLENGE), KEEP }, { ANSWER("303", TO_B) },
      { ANSWER("429", AFTER_7) } }, HTTP(429, 7000), UNSURE_AFTER(429, 7000) },
};

TEST(each_end_of_a_transfer_has_its_outcome)
{
    try_rows(rows, LENGTH(rows), transfer_by_easy);
}

TEST(it_is_the_same_with_the_multi_interface)
{
    try_rows(rows, LENGTH(rows), transfer_by_multi);
    try_rows(rows, LENGTH(rows), transfer_by_sockets);
}

/* ---- timeouts in each phase of a POST: was it sent? ---- */

TEST(a_post_that_took_too_long_is_repeated_only_if_it_had_not_been_sent)
{
    static const struct row slow[] = {
        { "TLS", POST | A_SECOND, { { "", HANG, NULL, false, 1 } }, RETRY(28), RETRY(28),
          "https://127.0.0.1:%u/" },
        { "the first byte", POST | A_SECOND, { { "", HANG } }, RETRY(28), UNSURE(28) },
        { "the header", POST | A_SECOND, { { "HTTP/1.1 200 x\r\nA: ", HANG } }, RETRY(28),
          UNSURE(28) },
        { "the body", POST | A_SECOND, { { CUT("200", ""), HANG } }, RETRY(28), UNSURE(28) },
    };
    struct row tunnel = { "CONNECT", POST | TUNNEL | A_SECOND, { { "", HANG } }, RETRY(28) };
    if (curl_version_info(CURLVERSION_NOW)->version_num < 0x080800)   /* CONNECT counts, too */
        tunnel.other = (struct redial_outcome)UNSURE(28);
    try_rows(slow, LENGTH(slow), transfer_by_easy);
    try_rows(&tunnel, 1, transfer_by_easy);
}

/* ---- SSH, which libcurl may have been built without ---- */

static const struct row ssh_rows[] = {
    { "sftp", GET, { NO_ANSWER }, RETRY(GIVEN), UNSURE(GIVEN), "sftp://127.0.0.1:%u/x" },
    { "scp", GET, { NO_ANSWER }, RETRY(GIVEN), UNSURE(GIVEN), "scp://127.0.0.1:%u/x" },
    { "sftp to nobody", GET | NOBODY, { { NULL } }, RETRY(7), RETRY(7), "sftp://127.0.0.1:%u/x" },
};

static CURLcode transfer_with_ssh_error(CURLM *multi, CURL *curl)
{
    CURLcode result = curl_easy_perform(curl);
    return result == CURLE_COULDNT_CONNECT ? result : CURLE_SSH;
}

static bool has_protocol(const char *name)
{
    const char *const *protocol = curl_version_info(CURLVERSION_NOW)->protocols;
    while (*protocol && strcmp(*protocol, name) != 0)
        protocol++;
    return *protocol != NULL;
}

TEST(a_server_of_ssh_that_closes_at_once_may_pass)
{
    if (!has_protocol("sftp"))
        skip();
    try_rows(ssh_rows, LENGTH(ssh_rows), transfer_by_easy);
    try_rows(ssh_rows, LENGTH(ssh_rows), transfer_with_ssh_error);
}

/* ---- WebSocket: a refused upgrade is the same error with each status ---- */

#define WS "ws://127.0.0.1:%u/"

static const struct row ws_rows[] = {
    { "ws, 200", GET, { { ANSWER("200", "") } }, FAIL(22), UNSURE(22), WS },
    { "ws, 204", GET, { { "HTTP/1.1 204 x\r\n\r\n" } }, FAIL(22), UNSURE(22), WS },
    { "ws, 304", GET, { { "HTTP/1.1 304 x\r\n\r\n" } }, FAIL(22), UNSURE(22), WS },
    { "ws, 401", GET, { { ANSWER("401", "") } }, HTTP(401, 0), HTTP(401, 0), WS },
    { "ws, 503", GET, { { ANSWER("503", AFTER_7) } }, HTTP(503, 7000), UNSURE_AFTER(503, 7000),
      WS },
};

TEST(a_websocket_that_was_refused_is_no_success)
{
    if (!has_protocol("ws"))
        skip();
    try_rows(ws_rows, LENGTH(ws_rows), transfer_by_easy);
}

/* ---- FTP and SMTP: the last reply decides ---- */

TEST(a_reply_of_4xx_may_pass_and_one_of_5xx_stays)
{
    static const char *const replies[] = {
        "400 x\r\n", "421 x\r\n", "425 x\r\n", "450 x\r\n", "451 x\r\n", "452 x\r\n",
        "499 x\r\n", "500 x\r\n", "550 x\r\n", "599 x\r\n",
    };
    static const struct redial_outcome retry = RETRY(GIVEN), unsure = UNSURE(GIVEN),
                                       fail = FAIL(GIVEN);
    for (size_t i = 0; i < LENGTH(replies); i++) {
        const struct answer says = { replies[i], KEEP, NULL, true, 1 };
        bool passes = replies[i][0] == '4';
        const struct row pair[] = {
            { replies[i], GET, { ASK("331 x"), ASK("230 x"), says }, passes ? retry : fail,
              passes ? unsure : fail, "ftp://127.0.0.1:%u/", "220 x\r\n" },
            { replies[i], UPLOAD, { ASK("250 x"), ASK("250 x"), says }, passes ? retry : fail,
              passes ? unsure : fail, "smtp://127.0.0.1:%u/", "220 x\r\n" },
        };
        try_rows(pair, LENGTH(pair), transfer_by_easy);
    }
}

/* ---- each code, on handles of every kind ---- */

static bool is_temporary(int code)
{
    static const unsigned char codes[] = { 5, 6, 7, 16, 18, 27, 28, 35, 45,
                                           52, 55, 56, 65, 92, 95, 96, 97 };
    return memchr(codes, code, sizeof codes) != NULL;
}

static bool comes_before_a_transfer(int code)
{
    return code == CURLE_FAILED_INIT || code == CURLE_URL_MALFORMAT
           || code == CURLE_BAD_FUNCTION_ARGUMENT || code == CURLE_RECURSIVE_API_CALL;
}

/* These statuses may be of an earlier round, whose body is not written. */
static bool counts(int status, int code)
{
    bool body = code == CURLE_WRITE_ERROR || code == CURLE_RANGE_ERROR
                || code == CURLE_BAD_CONTENT_ENCODING;
    bool round = status == 401 || status == 407 || status == 417;
    return (status > 0 && code == CURLE_HTTP_RETURNED_ERROR) || (status >= 400 && (!round || body));
}

static void try_all_codes(const char *what, unsigned set_up, const char *answer, int status)
{
    const struct answer answers[] = { { answer } };
    bool sent = set_up == POST;
    CURL *curl;
    start_answers(answers, 1);
    curl = new_handle(set_up, NULL);
    if (answer)
        curl_easy_perform(curl);
    for (int code = 1; code < 200; code++) {
        struct row row = { what, GET, { { NULL } }, FAIL(code), FAIL(code) };
        if (comes_before_a_transfer(code))
            ;   /* FAIL */
        else if (code == CURLE_ABORTED_BY_CALLBACK && !sent)
            row.other = (struct redial_outcome)CANCELLED;
        else if (counts(status, code))
            row.other = (struct redial_outcome)HTTP(status, 0);
        else if (sent)
            row.other = (struct redial_outcome)UNSURE(code);
        else if (is_temporary(code))
            row.other = (struct redial_outcome)RETRY(code);
        row.repeatable = row.other;
        if (code == CURLE_ABORTED_BY_CALLBACK)
            row.repeatable = (struct redial_outcome)CANCELLED;
        else if (row.other.kind == REDIAL_KIND_UNSURE)
            row.repeatable.kind = is_temporary(code) ? REDIAL_KIND_RETRY : REDIAL_KIND_FAIL;
        expect_both(&row, curl, (CURLcode)code);
    }
    curl_easy_cleanup(curl);
    server_stop(&server);
}

TEST(codes_that_may_pass_are_retried_if_nothing_was_sent_or_it_may_be_repeated)
{
    try_all_codes("unused handle", GET, NULL, 0);
    try_all_codes("no answer", GET, "", 0);
    try_all_codes("200", GET, ANSWER("200", ""), 200);
    try_all_codes("POST, no answer", POST, "", 0);
    try_all_codes("POST, 200", POST, ANSWER("200", ""), 200);
    try_all_codes("POST, 404", POST, ANSWER("404", ""), 404);
}

TEST(a_bad_status_counts_more_than_a_code_unless_it_may_be_of_an_earlier_round)
{
    try_all_codes("404", GET, ANSWER("404", ""), 404);
    try_all_codes("401", GET, ANSWER("401", ""), 401);
    try_all_codes("407", GET, ANSWER("407", ""), 407);
    try_all_codes("417", GET, ANSWER("417", ""), 417);
}

int main(void)
{
    return run_all_with(NULL, NULL, start_libcurl, stop_libcurl);
}
