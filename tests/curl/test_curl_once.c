/* A request that is not safe to repeat is made once, also where libcurl needs several rounds for it
   and has an idle connection, which dies. SPDX-License-Identifier: MIT */
#include "transfer.h"

#define OPEN_TUNNEL { "HTTP/1.1 200 x\r\n\r\n", KEEP, "origin.invalid:80", true }
#define FINE { ANSWER("200", ""), KEEP }
#define ALWAYS_FINE { ANSWER("200", ""), KEEP, NULL, true }

/* The first round. libcurl waits for the answer to Expect before it sends the body. */
static const struct round {
    const char *what;
    unsigned set_up;
    struct answer answer;
} rounds[] = {
    { "307", POST | FOLLOW, { ANSWER("307", TO_B), KEEP } },
    { "308", POST | FOLLOW, { ANSWER("308", TO_B), KEEP } },
    { "302", POST | FOLLOW | POST_AGAIN, { ANSWER("302", TO_B), KEEP } },
    { "303", POST | FOLLOW, { ANSWER("303", TO_B), KEEP } },
    { "307 to a GET that is not safe", FOLLOW, { ANSWER("307", TO_B), KEEP } },
    { "401, Basic", POST | ANY_LOGIN, { ANSWER("401", BASIC), KEEP } },
    { "401, Digest", POST | ANY_LOGIN, { ANSWER("401", CHALLENGE), KEEP } },
    { "417", BIG, { ANSWER("417", ""), KEEP, NULL, false, 1 } },
    { "407 of a proxy", POST | ANY_LOGIN | PROXY, { ANSWER("407", PROXY_BASIC), KEEP } },
    { "307 in a tunnel", POST | FOLLOW | TUNNEL, { ANSWER("307", TO_B), KEEP } },
    { "303 in a tunnel", POST | FOLLOW | TUNNEL, { ANSWER("303", TO_B), KEEP } },
    { "401 in a tunnel", POST | ANY_LOGIN | TUNNEL, { ANSWER("401", BASIC), KEEP } },
};

/* ---- the header callback: redial's, the program's with redial_curl_line, and without it ---- */

static size_t own_line(char *line, size_t size, size_t count, void *attempt)
{
    return redial_curl_line(line, size, count, attempt);
}

static const curl_write_callback callbacks[] = { redial_curl_line, own_line, swallow };
static transfer_function *const transfers[] = { transfer_by_easy, transfer_by_multi,
                                                transfer_by_sockets };

#define WAYS (LENGTH(callbacks) * LENGTH(transfers))

/* A request that leaves an idle connection, and the payment. */
static struct redial_outcome pay(size_t way, unsigned set_up, const char *url,
                                 const struct answer *answers, unsigned count, bool own_connection)
{
    transfer_function *transfer = transfers[way / LENGTH(callbacks)];
    struct redial_curl_attempt attempt;
    struct redial_outcome outcome;
    CURLM *multi = curl_multi_init();
    CURL *curl;
    start_answers(answers, count);
    curl = new_handle(set_up, url);
    if (!(set_up & VERSION_2)) {
        curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
        assert_int_equal(transfer(multi, curl), CURLE_OK);
        set_options(curl, set_up);
    }
    assert_true(redial_curl_begin(&attempt, curl, 60000, "POST"));
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, callbacks[way % LENGTH(callbacks)]);
    if (!own_connection) {
        curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 0L);
        curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 0L);
    }
    outcome = redial_curl_end(&attempt, transfer(multi, curl));
    curl_easy_cleanup(curl);
    curl_multi_cleanup(multi);
    server_stop(&server);
    return outcome;
}

/* The k-th request that is no CONNECT; NULL: there were fewer. */
static const struct server_request *request(unsigned k)
{
    for (unsigned i = 0; i < server.count; i++)
        if (!server_was_asked(&server, i, "CONNECT origin.invalid:80") && k-- == 0)
            return &server.requests[i];
    return NULL;
}

static void expect_requests(const char *what, size_t way, struct redial_outcome outcome,
                            struct redial_outcome wanted, unsigned requests)
{
    char text[80];
    snprintf(text, sizeof text, "%s, way %u", what, (unsigned)way);
    expect(text, "redial_curl_end", CURLE_OK, outcome, wanted);
    if (!request(requests - 1) || request(requests))
        fail_msg("%s: not %u requests", text, requests);
}

/* After a 303, the GET may be repeated; libcurl does so where not even an interim answer came. */
TEST(a_payment_whose_second_round_dies_after_the_work_is_made_once)
{
    static const struct answer deaths[] = { { "" }, { "", RESET }, { "HTTP/1.1 103 x\r\n\r\n" } };
    static const struct redial_outcome unsure = UNSURE(52), done = DONE_BY(200);
    for (size_t i = 0; i < LENGTH(rounds) * LENGTH(deaths) * WAYS; i++) {
        const struct round *round = &rounds[i / WAYS % LENGTH(rounds)];
        const struct answer *death = &deaths[i / WAYS / LENGTH(rounds)];
        const struct answer answers[] = { OPEN_TUNNEL, FINE, round->answer, *death, ALWAYS_FINE };
        bool repeated = strncmp(round->what, "303", 3) == 0 && !death->bytes[0];
        struct redial_outcome outcome =
            pay(i % WAYS, round->set_up, NULL, answers, LENGTH(answers), true);
        expect_requests(round->what, i % WAYS, outcome, repeated ? done : unsure, repeated ? 4 : 3);
        assert_int_equal(request(2)->connection, 1);
    }
}

TEST(without_a_connection_of_its_own_it_is_made_once_too)
{
    static const struct answer answers[] = { OPEN_TUNNEL, FINE, { "" }, ALWAYS_FINE };
    static const struct redial_outcome unsure = UNSURE(52);
    for (size_t i = 0; i < 2 * WAYS; i++)
        expect_requests("idle", i % WAYS,
                        pay(i % WAYS, POST | (i < WAYS ? 0 : TUNNEL), NULL, answers, 4, false),
                        unsure, 2);
}

/* A third round shows whether the answer to the second one counted, which came on the idle
   connection. */
TEST(a_round_that_libcurl_needs_is_not_refused)
{
    static const struct answer thirds[] = { { ANSWER("307", TO_B), KEEP },
                                            { ANSWER("307", TO_B) } };
    static const struct redial_outcome done = DONE_BY(200);
    for (size_t i = 0; i < LENGTH(rounds) * LENGTH(thirds) * WAYS; i++) {
        const struct round *round = &rounds[i / WAYS % LENGTH(rounds)];
        const struct answer answers[] = { OPEN_TUNNEL, FINE, round->answer,
                                          thirds[i / WAYS / LENGTH(rounds)], ALWAYS_FINE };
        struct redial_outcome outcome =
            pay(i % WAYS, round->set_up | FOLLOW, NULL, answers, LENGTH(answers), true);
        expect_requests(round->what, i % WAYS, outcome, done, 4);
    }
}

/* ---- HTTP/2, where libcurl repeats what the server refused ---- */

#define RESET_STREAM(code) SETTINGS "\0\0\4\3\0\0\0\0\1" "\0\0\0" code

TEST(a_post_that_http_2_refuses_on_its_new_connection_is_done_once)
{
    static const struct { const char *what; struct answer answers[2]; } rows[] = {
        { "REFUSED_STREAM", { FRAMES(RESET_STREAM("\7"), KEEP), FRAMES(OK_BY_HTTP_2, KEEP) } },
        { "HTTP_1_1_REQUIRED", { FRAMES(RESET_STREAM("\15"), KEEP), { ANSWER("200", "") } } },
    };
    static const struct redial_outcome done = DONE_BY(200);
    if (!(curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2))
        skip();
    for (size_t i = 0; i < LENGTH(rows) * WAYS; i++) {
        struct redial_outcome outcome = pay(i % WAYS, POST | VERSION_2, LONG_URL,
                                            rows[i / WAYS].answers, 2, true);
        expect_requests(rows[i / WAYS].what, i % WAYS, outcome, done, 2);
    }
}

/* ---- an upload by callbacks, which libcurl may have to rewind by itself ---- */

enum { FILE_BYTES = 2000, MOST = 1500 };   /* of which so many must have come */

static size_t read_file(char *data, size_t size, size_t count, void *user)
{
    size_t *offset = user, length = size * count;
    length = length < FILE_BYTES - *offset ? length : FILE_BYTES - *offset;
    memset(data, 'x', length);
    *offset += length;
    return length;
}

static int seek_file(void *user, curl_off_t offset, int origin)
{
    *(size_t *)user = (size_t)offset;
    return origin == SEEK_SET ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

#define REFUSED { RESET_STREAM("\7"), KEEP, NULL, false, MOST, \
                  sizeof RESET_STREAM("\7") - 1 }
#define STORED { OK_BY_HTTP_2, KEEP, NULL, false, MOST, sizeof OK_BY_HTTP_2 - 1 }

TEST(an_upload_that_can_seek_is_done_after_its_connection_died_or_refused_it)
{
    static const struct { unsigned set_up; struct answer answers[3]; } rows[] = {
        { GET, { FINE, { "" }, FINE } }, { VERSION_2, { REFUSED, STORED } },
    };
    bool version_2 = curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2;
    for (size_t i = 0; i < LENGTH(interfaces) * (version_2 ? 2 : 1); i++) {
        unsigned set_up = rows[i / LENGTH(interfaces)].set_up;
        attempt_function *interface = interfaces[i % LENGTH(interfaces)];
        CURLM *multi = curl_multi_init();
        size_t offset = 0;
        CURL *curl;
        start_answers(rows[i / LENGTH(interfaces)].answers, 3);
        curl = new_handle(set_up, NULL);
        if (!(set_up & VERSION_2))
            assert_int_equal(interface(multi, curl, 60000, "GET").code, 200);
        curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(curl, CURLOPT_INFILESIZE, (long)FILE_BYTES);
        curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_file);
        curl_easy_setopt(curl, CURLOPT_READDATA, &offset);
        curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, seek_file);
        curl_easy_setopt(curl, CURLOPT_SEEKDATA, &offset);
        curl_easy_setopt(curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
        assert_int_equal(interface(multi, curl, 60000, "PUT").code, 200);
        assert_true(offset == FILE_BYTES);
        curl_easy_cleanup(curl);
        curl_multi_cleanup(multi);
        server_stop(&server);
        assert_true(server.connections == 2);
        assert_true((set_up & VERSION_2) || strlen(server.requests[2].body) == FILE_BYTES);
    }
}

int main(void)
{
    return run_all_with(NULL, NULL, start_libcurl, stop_libcurl);
}
