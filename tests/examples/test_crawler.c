/* examples/threads/crawler: one fetch, with a clock of the test, and the program.
   SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include "../common/server.h"
#include "redial_fake.h"

int crawler_main(void);
#define main crawler_main
#include "../../examples/threads/crawler.c"
#undef main

static struct server server;

/* The gate is closed for at least a second, and for at most five. */
TEST(a_429_closes_the_gate_and_costs_a_retry_only_if_it_names_no_time)
{
    static const struct {
        const char *answer;
        enum redial_kind kind;
        uint32_t closed_ms;
    } rows[] = {
        { "HTTP/1.1 429 x\r\n\r\n", REDIAL_KIND_RETRY, 1000 },
        { "HTTP/1.1 429 x\r\nRetry-After: 0.5\r\n\r\n", REDIAL_KIND_HELD, 1000 },
        { "HTTP/1.1 429 x\r\nRetry-After: 2\r\n\r\n", REDIAL_KIND_HELD, 2000 },
        { "HTTP/1.1 429 x\r\nRetry-After: 60\r\n\r\n", REDIAL_KIND_HELD, 5000 },
        { "HTTP/1.1 503 x\r\nRetry-After: 2\r\n\r\n", REDIAL_KIND_RETRY, 0 },
    };
    struct redial_fake fake;
    const struct redial_attempt attempt = { 1, PATIENCE_MS, &fake.env };
    redial_fake_init(&fake);
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        const struct answer answer = { rows[i].answer };
        struct redial_gate gate = { 0, 0 };
        struct page page = { curl_easy_init(), &gate };
        char url[64];
        assert_true(server_start(&server, &answer, 1));
        snprintf(url, sizeof url, "http://127.0.0.1:%u/", (unsigned)server.port);
        curl_easy_setopt(page.curl, CURLOPT_URL, url);
        assert_int_equal(fetch(&page, &attempt).kind, rows[i].kind);
        assert_int_equal(redial_gate_left_ms(&gate, fake.env.now_ms(&fake.env)), rows[i].closed_ms);
        curl_easy_cleanup(page.curl);
    }
}

/* At most a 429 for each of the 8 threads, for the gate closes. With a budget, some pages may then
   lack a token. */
TEST(threads_share_a_budget_and_a_429_but_no_503)
{
    static const struct { const char *what; unsigned pages, pages_with, least, most; } rows[] = {
        { "every 20th", 200, 200, 201, 1200 }, { "429, Retry-After: 1", 50, 0, 0, 50 + 8 },
        { "429 without a time", 50, 0, 0, 50 + 8 },
    };
    unsigned retries, retries_with, allowed, held, held_by_503;
    program_start_words(PROGRAM, "");
    program_end();
    assert_status(0);
    /* 10 tokens more */
    assert_contains(program.out.bytes,
                    "503 to everything         100         0       600         0       110\n");
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        unsigned served, requests, served_with, requests_with;
        assert_int_equal(sscanf(strstr(program.out.bytes, rows[i].what) + strlen(rows[i].what),
                                "%*u%u%u%u%u", &served, &requests, &served_with, &requests_with),
                         4);
        if (served != rows[i].pages || served_with < rows[i].pages_with
            || requests < rows[i].least || requests_with < rows[i].least
            || requests > rows[i].most || requests_with > rows[i].most)
            fail_msg("%s", program.out.bytes);
    }
    assert_int_equal(sscanf(strstr(program.out.bytes, "retries: "),
                            "retries: %u, or %u with a budget that allows 10 + %*u * 10 / 100 = %u "
                            "waits at the gate: %u after a 429; %u after a 503",
                            &retries, &retries_with, &allowed, &held, &held_by_503), 5);
    if (retries <= retries_with || retries_with > allowed || held == 0 || held_by_503 != 0)
        fail_msg("%s", program.out.bytes);
}

int main(void)
{
    setenv("no_proxy", "*", 1);
    return run_all_with(NULL, program_kill, NULL, NULL);
}
