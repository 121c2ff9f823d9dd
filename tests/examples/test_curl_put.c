/* examples/curl/curl_put against a scripted peer, which keeps every request, and a real nginx.
   SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "curl_fixture.h"

static void put(uint16_t port, const char *path, const char *body, const char *more)
{
    const struct request request = { port, path, more, body };
    start(&request);
    child_finish(&child);
}

/* The peer gives these answers, and all are asked for. */
static void put_answered(const struct step *steps, unsigned count, const char *body, const char *more)
{
    assert_true(recording_server_start(&peer, steps, count));
    put(peer.port, "/", body, more);
    assert_int_equal(recording_server_stop(&peer), count);
}

/* ---- what is made anew, and what is not ---- */

#define BODY_BYTES 100000   /* libcurl asks for it in pieces of 64 KiB */

static const char *long_body(void)
{
    static char body[BODY_BYTES + 1];
    for (unsigned i = 0; i < BODY_BYTES; i++)
        body[i] = (char)('a' + (i ^ i >> 5) % 26);
    return body;
}

static uint64_t fnv1a(const char *stamp, const char *body)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    while (*stamp || *body)
        hash = (hash ^ (unsigned char)(*stamp ? *stamp++ : *body++)) * UINT64_C(0x100000001b3);
    return hash;
}

static void assert_signed(unsigned k, const char *body)
{
    char stamp[64], signature[64], expected[64];
    header_of(peer.requests[k], "X-Timestamp", stamp);
    header_of(peer.requests[k], "X-Signature", signature);
    assert_true(strlen(stamp) > 0);
    snprintf(expected, sizeof expected, "%016" PRIx64, fnv1a(stamp, body));
    assert_string_equal(signature, expected);
}

static void assert_header_same(unsigned i, unsigned k, const char *name, bool same)
{
    char one[64], other[64];
    header_of(peer.requests[i], name, one);
    header_of(peer.requests[k], name, other);
    assert_true(strlen(one) > 0);
    assert_int_equal(strcmp(one, other) == 0, same);
}

TEST(each_attempt_has_the_whole_body_a_fresh_signature_and_the_same_key)
{
    static const struct step steps[] = { { UNAVAILABLE, CLOSE, 0 }, { "", RESET, 30000 }, { OK, CLOSE, 0 } };
    const char *body = long_body();
    put_answered(steps, 3, body, "--key random");
    assert_done();
    for (unsigned k = 0; k < 3; k++)
        assert_signed(k, body);
    assert_string_equal(body_of(peer.requests[0]), body);
    assert_string_equal(body_of(peer.requests[2]), body);
    for (unsigned k = 1; k < 3; k++) {
        assert_header_same(0, k, "Idempotency-Key", true);
        assert_header_same(k - 1, k, "X-Timestamp", false);
        assert_header_same(k - 1, k, "X-Signature", false);
    }
}

TEST(two_calls_have_different_keys)
{
    static const struct step steps[] = { { OK, CLOSE, 0 }, { OK, CLOSE, 0 } };
    assert_true(recording_server_start(&peer, steps, 2));
    put(peer.port, "/", "{}", "--key random");
    put(peer.port, "/", "{}", "--key random");
    assert_int_equal(recording_server_stop(&peer), 2);
    assert_header_same(0, 1, "Idempotency-Key", false);
}

/* libcurl finds the kept connection dead and repeats the second attempt's request by itself, on a new one. */
TEST(a_request_that_libcurl_repeats_has_its_whole_body)
{
    static const struct step steps[] = { { UNAVAILABLE, KEEP, 0 }, { "", CLOSE, 0 }, { OK, CLOSE, 0 } };
    const char *body = long_body();
    put_answered(steps, 3, body, "");
    assert_done();
    assert_says("attempts: 2;");
    assert_header_same(1, 2, "X-Timestamp", true);
    assert_string_equal(body_of(peer.requests[2]), body);
}

TEST(a_put_is_stored_by_nginx_after_its_rate_limit)
{
    char path[64], stored[BODY_BYTES + 2];
    unsigned tries = 0;
    path_to(path, sizeof path, "www/stored");
    assert_int_equal(mkdir(path, 0700), 0);
    path_to(path, sizeof path, "www/stored/thing");
    do {
        put(nginx_port, "/stored/thing", "{}", "--base 100ms --retries 20");
        put(nginx_port, "/stored/thing", long_body(), "--base 100ms --retries 20");
        assert_says("done;");
        child_read(path, stored, sizeof stored);
        assert_string_equal(stored, long_body());
    } while (!says("HTTP status (429): retry 1 in 100 ms\n") && ++tries < 50);
    assert_says("HTTP status (429): retry 1 in 100 ms\n");
}

static void assert_sent(const char *more, const char *first_answer, unsigned requests)
{
    const struct step steps[] = { { first_answer, CLOSE, 0 }, { OK, CLOSE, 0 } };
    assert_true(recording_server_start(&peer, steps, 2));
    put(peer.port, "/", "{\"size\": 4}", more);
    assert_int_equal(recording_server_stop(&peer), requests);
    if (requests == 2)
        assert_done();
    else
        assert_given_up("; attempts: 1;");
}

TEST(a_post_is_repeated_only_with_an_idempotency_key)
{
    char key[64];
    assert_sent("--method POST", "", 1);
    assert_sent("--method POST", UNAVAILABLE, 1);
    assert_memory_equal(peer.requests[0], "POST / HTTP/1.1\r\n", 17);
    header_of(peer.requests[0], "Idempotency-Key", key);
    assert_string_equal(key, "");
    assert_sent("--method POST --key random", UNAVAILABLE, 2);
    assert_memory_equal(peer.requests[1], "POST / HTTP/1.1\r\n", 17);
    assert_string_equal(body_of(peer.requests[1]), "{\"size\": 4}");
    header_of(peer.requests[0], "Idempotency-Key", key);
    assert_int_equal(strlen(key), 32);
    assert_int_equal(strspn(key, "0123456789abcdef"), 32);
    assert_sent("--method PUT", UNAVAILABLE, 2);
}

TEST(a_post_that_the_server_has_not_done_is_repeated)
{
    assert_sent("--method POST", "HTTP/1.1 429 Slow down\r\nContent-Length: 0\r\n\r\n", 2);
    put(closed_port, "/", "{}", "--method POST --retries 1");
    assert_given_up("exhausted; attempts: 2;");
}

TEST(a_header_cut_short_is_no_success)
{
    assert_sent("", "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Len", 2);
    assert_sent("--method POST", "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Len", 1);
}

#define FORBIDDEN(reason, message) \
    "HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n" \
    "{\"error\": {\"errors\": [{\"reason\" : \"" reason "\", \"message\": \"" message "\"}]}}"

TEST(only_a_403_for_a_rate_limit_is_repeated)
{
    assert_sent("", FORBIDDEN("userRateLimitExceeded", "Slow down"), 2);
    assert_sent("", FORBIDDEN("dailyLimitExceeded", "Tomorrow"), 1);
    assert_sent("", FORBIDDEN("dailyLimitExceeded", "not userRateLimitExceeded"), 1);
    assert_sent("", FORBIDDEN("userRateLimitExceededX", "Slow down"), 1);
    assert_sent("", "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", 1);
}

TEST(a_403_keeps_its_retry_after)
{
    static const struct step step = { "HTTP/1.1 403 Forbidden\r\nRetry-After: 3600\r\nConnection: close\r\n\r\n"
                                      "{\"reason\": \"userRateLimitExceeded\"}", CLOSE, 0 };
    put_answered(&step, 1, "{}", "");
    assert_given_up("wait_too_long; attempts: 1;");
    assert_says("a wait of 3600000 ms was refused");
}

TEST(a_put_that_is_sent_elsewhere_is_no_success)
{
    assert_sent("", "HTTP/1.1 307 Elsewhere\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n", 1);
}

TEST(a_bad_word_is_named_with_its_rule)
{
    put(closed_port, "/", NULL, "--method GET");
    assert_refused("--method GET: must be PUT or POST");
    put(closed_port, "/", NULL, "--key mine");
    assert_refused("--key mine: must be none or random");
}

int main(void)
{
    return run_all_with(NULL, NULL, start_servers, stop_servers);
}
