/* Payments to a server that resets, cuts, hangs, refuses and redirects at random, with idle
   connections and with each interface: none is done twice, and each verdict is true. An argument is
   the seed. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "transfer.h"

enum { PAYMENTS = 600, PAYERS = 6 };

static uint64_t seed = 20240229;

/* ---- the server ---- */

static uint64_t chance;              /* of the server's thread */
static unsigned done[PAYMENTS];      /* how often */

struct reply {
    struct answer answer;
    bool works;                      /* it does the payment first */
};

static const struct reply to_post[] = {
    { { ANSWER("200", "") }, true }, { { ANSWER("200", ""), KEEP }, true }, { { "" }, true },
    { { "", RESET }, true }, { { "", HANG }, true }, { { CUT("200", "") }, true },
    { { CUT("500", "") }, true }, { { ANSWER("503", "") }, true },
    { { "HTTP/1.1 200 x\r\nContent-" }, true }, { { "HTTP/1.1 103 x\r\n\r\n" }, true },
    { { ANSWER("303", TO_B) }, true }, { { ANSWER("302", TO_B) }, true },
    { { ANSWER("307", TO_B), KEEP }, false }, { { ANSWER("308", TO_B AFTER_7) }, false },
    { { ANSWER("307", TO_B), KEEP }, false }, { { ANSWER("401", BASIC), KEEP }, false },
    { { ANSWER("401", BASIC), KEEP }, false }, { { ANSWER("429", AFTER_7), KEEP }, false },
    { { ANSWER("429", "") }, false }, { { CUT("429", "") }, false },
    { { ANSWER("404", "") }, false },
};

static const struct reply to_get[] = {
    { { ANSWER("200", ""), KEEP }, false }, { { ANSWER("200", ""), KEEP }, false },
    { { ANSWER("200", ""), KEEP }, false }, { { "" }, false }, { { "", RESET }, false },
    { { CUT("200", "") }, false }, { { ANSWER("429", AFTER_7), KEEP }, false },
    { { ANSWER("503", "") }, false }, { { ANSWER("303", TO_B), KEEP }, false },
};

static const struct reply to_connect[] = {
    { { "HTTP/1.1 200 x\r\n\r\n", KEEP }, false }, { { "HTTP/1.1 200 x\r\n\r\n", KEEP }, false },
    { { "HTTP/1.1 200 x\r\n\r\n", KEEP }, false }, { { "HTTP/1.1 200 x\r\n\r\n", KEEP }, false },
    { { "HTTP/1.1 200 x\r\n\r\n" }, false }, { { ANSWER("503", AFTER_7) }, false },
    { { ANSWER("429", "") }, false }, { { ANSWER("302", TO_B) }, false }, { { "" }, false },
    { { "", RESET }, false },
};

static const struct reply *one_of(const struct reply *replies, size_t count)
{
    return &replies[random32(&chance) % count];
}

static const struct answer *choose(struct server *asked, unsigned k)
{
    const struct reply *reply;
    if (server_was_asked(asked, k, "CONNECT origin.invalid:80"))
        reply = one_of(to_connect, LENGTH(to_connect));
    else if (strncmp(asked->requests[k].text, "POST ", 5) == 0)
        reply = one_of(to_post, LENGTH(to_post));
    else
        reply = one_of(to_get, LENGTH(to_get));
    if (reply->works)
        done[atoi(asked->requests[k].body)]++;
    return &reply->answer;
}

/* ---- the client ---- */

struct payer {
    CURL *curl;
    CURLM *multi;
    transfer_function *transfer;
    uint64_t chance;
    unsigned calls_left;             /* of the progress callback, which then stops the transfer */
};

static int stop_at_random(void *user, curl_off_t all, curl_off_t now, curl_off_t all_up,
                          curl_off_t now_up)
{
    struct payer *payer = user;
    return payer->calls_left-- == 0;
}

/* Some payments have no connection of their own. Some are stopped. */
static struct redial_outcome attempt_payment(void *user, const struct redial_attempt *attempt)
{
    struct payer *payer = user;
    struct redial_curl_attempt one;
    uint32_t dice = random32(&payer->chance);
    payer->calls_left = dice % 8 == 0 ? dice / 8 % 8 : UINT32_MAX;
    assert_true(redial_curl_begin(&one, payer->curl, attempt->timeout_ms, "POST"));
    if (dice & 64) {
        curl_easy_setopt(payer->curl, CURLOPT_FRESH_CONNECT, 0L);
        curl_easy_setopt(payer->curl, CURLOPT_FORBID_REUSE, 0L);
    }
    return redial_curl_end(&one, payer->transfer(payer->multi, payer->curl));
}

static void open_payer(struct payer *payer, unsigned number)
{
    static transfer_function *const transfers[] = { transfer_by_easy, transfer_by_multi,
                                                    transfer_by_sockets };
    payer->curl = new_handle(FOLLOW | ANY_LOGIN | (number < 3 ? 0 : TUNNEL), NULL);
    payer->multi = curl_multi_init();
    payer->transfer = transfers[number % 3];
    payer->chance = seed + number;
    curl_easy_setopt(payer->curl, CURLOPT_MAXREDIRS, 5L);
    curl_easy_setopt(payer->curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(payer->curl, CURLOPT_XFERINFOFUNCTION, stop_at_random);
    curl_easy_setopt(payer->curl, CURLOPT_XFERINFODATA, payer);
}

/* Some GETs leave idle connections. Then comes the payment. */
static struct redial_report pay(struct payer *payer, unsigned number)
{
    static const struct redial_policy policy = { .base_ms = 1000, .cap_ms = 32000,
                                                 .max_retries = 5, .attempt_ms = 100 };
    struct redial_report report;
    struct redial_fake fake;
    char body[16];
    snprintf(body, sizeof body, "%u", number);
    redial_fake_init(&fake);
    payer->calls_left = UINT32_MAX;
    curl_easy_setopt(payer->curl, CURLOPT_HTTPGET, 1L);
    for (uint32_t gets = random32(&payer->chance) % 3; gets > 0; gets--)
        payer->transfer(payer->multi, payer->curl);
    curl_easy_setopt(payer->curl, CURLOPT_COPYPOSTFIELDS, body);
    redial_run(&policy, &fake.env, attempt_payment, payer, &report);
    return report;
}

/* Only UNSURE leaves it open. */
static void expect_truth(unsigned number, enum redial_verdict verdict)
{
    unsigned least = verdict == REDIAL_DONE, most = least || verdict == REDIAL_UNSURE;
    if (done[number] < least || done[number] > most)
        fail_msg("payment %u was done %u times, and is %s; the seed is %llu", number, done[number],
                 redial_verdict_name(verdict), (unsigned long long)seed);
}

TEST(no_payment_is_done_twice_and_each_verdict_is_true)
{
    static enum redial_verdict verdicts[PAYMENTS];
    struct payer payers[PAYERS];
    unsigned attempts = 0, counts[REDIAL_CANCELLED + 1] = { 0 };
    memset(done, 0, sizeof done);
    chance = seed;
    assert_true(server_start_with(&server, choose));
    for (unsigned i = 0; i < PAYERS; i++)
        open_payer(&payers[i], i);
    for (unsigned i = 0; i < PAYMENTS; i++) {
        struct redial_report report = pay(&payers[i % PAYERS], i);
        verdicts[i] = report.verdict;
        attempts += report.attempts;
        counts[report.verdict]++;
    }
    for (unsigned i = 0; i < PAYERS; i++) {
        curl_easy_cleanup(payers[i].curl);
        curl_multi_cleanup(payers[i].multi);
    }
    server_stop(&server);
    for (unsigned i = 0; i < PAYMENTS; i++)
        expect_truth(i, verdicts[i]);
    print_message("%u payments, %u attempts: %u done, %u unsure, %u cancelled, %u failed, seed "
                  "%llu\n", (unsigned)PAYMENTS, attempts, counts[REDIAL_DONE],
                  counts[REDIAL_UNSURE], counts[REDIAL_CANCELLED], counts[REDIAL_FAILED],
                  (unsigned long long)seed);
    assert_true(counts[REDIAL_DONE] > 30 && counts[REDIAL_UNSURE] > 60);
}

/* ---- README's reason ---- */

/* The server does a payment, and its connection dies: without an answer, or within one. */
static const struct answer *die_after_the_work(struct server *asked, unsigned k)
{
    static const struct answer kept = { ANSWER("200", ""), KEEP };
    static const struct answer deaths[] = { { "" }, { CUT("200", "") },
                                            { "HTTP/1.1 200 x\r\nContent-" } };
    unsigned number;
    if (server_was_asked(asked, k, "GET"))
        return &kept;
    number = (unsigned)atoi(asked->requests[k].body);
    return ++done[number] > 1 ? &kept : &deaths[number % LENGTH(deaths)];
}

static unsigned sent_again(bool with_redial)
{
    unsigned again = 0;
    memset(done, 0, sizeof done);
    assert_true(server_start_with(&server, die_after_the_work));
    for (unsigned i = 0; i < 300; i++) {
        CURL *curl = new_handle(GET, NULL);
        char body[16];
        snprintf(body, sizeof body, "%u", i);
        curl_easy_perform(curl); /* which leaves an idle connection */
        curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, body);
        if (with_redial)
            redial_curl_perform(curl, 10000, "POST");
        else
            curl_easy_perform(curl);
        again += done[i] > 1;
        curl_easy_cleanup(curl);
    }
    server_stop(&server);
    return again;
}

TEST(of_300_payments_libcurl_alone_sends_100_again_and_with_redial_none)
{
    unsigned alone = sent_again(false), with_redial = sent_again(true);
    print_message("sent again: %u by libcurl alone, %u with redial\n", alone, with_redial);
    assert_int_equal(alone, 100);
    assert_int_equal(with_redial, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10) | 1;
    return run_all_with(NULL, NULL, start_libcurl, stop_libcurl);
}
