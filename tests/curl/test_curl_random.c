/* Payments to a server that resets, cuts, refuses and redirects at random, with each interface:
   none is done twice. An argument is the seed. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "transfer.h"

#define PAYMENTS 2000

static uint64_t seed = 20240229;

/* ---- the server ---- */

static uint64_t chance;              /* of the server's thread */
static unsigned done[PAYMENTS];      /* how often */

struct reply {
    struct answer answer;
    bool works;                      /* it does the payment first */
};

static const struct reply to_post[] = {
    { { ANSWER("200", "") }, true }, { { "" }, true }, { { "", RESET }, true },
    { { CUT("200", "") }, true }, { { CUT("500", "") }, true }, { { ANSWER("503", "") }, true },
    { { "HTTP/1.1 200 x\r\nContent-" }, true }, { { "HTTP/1.1 103 x\r\n\r\n" }, true },
    { { ANSWER("303", TO_B) }, true }, { { ANSWER("302", TO_B) }, true },
    { { ANSWER("307", TO_B), KEEP }, false }, { { ANSWER("308", TO_B AFTER_7) }, false },
    { { ANSWER("429", AFTER_7), KEEP }, false }, { { ANSWER("429", "") }, false },
    { { CUT("429", "") }, false }, { { ANSWER("404", "") }, false },
};

static const struct reply to_get[] = {
    { { ANSWER("200", "") }, false }, { { "" }, false }, { { "", RESET }, false },
    { { CUT("200", "") }, false }, { { ANSWER("429", AFTER_7) }, false },
    { { ANSWER("503", "") }, false }, { { ANSWER("303", TO_B) }, false },
};

static const struct reply to_connect[] = {
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

struct payment {
    CURL *curl;
    CURLM *multi;
    unsigned number;
};

/* With NULL, libcurl repeats a payment by itself, unless the program forbids it. */
static struct redial_outcome attempt_payment(void *user, const struct redial_attempt *attempt)
{
    struct payment *payment = user;
    long own = payment->number & 2 ? 0 : 1;
    attempt_function *interface = payment->number & 4 ? attempt_by_multi : attempt_by_easy;
    curl_easy_setopt(payment->curl, CURLOPT_FRESH_CONNECT, own);
    curl_easy_setopt(payment->curl, CURLOPT_FORBID_REUSE, own);
    return interface(payment->multi, payment->curl, attempt->timeout_ms, own ? NULL : "POST");
}

static CURL *new_payer(unsigned set_up)
{
    CURL *curl = new_handle(POST | FOLLOW | set_up, NULL);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
    return curl;
}

/* Returns how many attempts it took. */
static unsigned pay(CURL *curl, CURLM *multi, unsigned number)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct payment payment = { curl, multi, number };
    struct redial_report report;
    struct redial_fake fake;
    char body[16];
    snprintf(body, sizeof body, "%u", number);
    redial_fake_init(&fake);
    curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, body);
    redial_run(&policy, &fake.env, attempt_payment, &payment, &report);
    if (report.verdict == REDIAL_DONE && report.last.code == 0)
        fail_msg("payment %u: no status", number);
    return report.attempts;
}

TEST(no_payment_is_done_twice)
{
    CURLM *multi = curl_multi_init();
    CURL *payers[2];
    unsigned attempts = 0, all = 0;
    memset(done, 0, sizeof done);
    chance = seed;
    assert_true(server_start_with(&server, choose));
    payers[0] = new_payer(GET);
    payers[1] = new_payer(TUNNEL);
    for (unsigned i = 0; i < PAYMENTS; i++)
        attempts += pay(payers[i & 1], multi, i);
    curl_easy_cleanup(payers[0]);
    curl_easy_cleanup(payers[1]);
    curl_multi_cleanup(multi);
    server_stop(&server);
    for (unsigned i = 0; i < PAYMENTS; i++) {
        if (done[i] > 1)
            fail_msg("payment %u was done %u times; the seed is %llu", i, done[i],
                     (unsigned long long)seed);
        all += done[i];
    }
    print_message("%u payments, %u attempts, %u done, seed %llu\n", PAYMENTS, attempts, all,
                  (unsigned long long)seed);
    assert_true(attempts > PAYMENTS + PAYMENTS / 10 && all > PAYMENTS / 2);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10) | 1;
    return run_all_with(NULL, NULL, start_libcurl, stop_libcurl);
}
