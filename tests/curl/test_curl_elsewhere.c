/* A retry goes elsewhere: to the address that a name has by then, and to another connection where
   the one that was kept gives no answer. SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "transfer.h"

enum { PATIENCE_MS = 60000, SOON_MS = 500, OLD_MS = 2200 };

static const struct answer fine = { ANSWER("200", ""), KEEP, NULL, true };

/* ---- a resolver, which libcurl finds before that of the C library ---- */

static const char *address;   /* changes only between two attempts. NULL: the name is unknown */
static unsigned lookups;

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found)
{
    static struct sockaddr_in here = { .sin_family = AF_INET };
    static struct addrinfo all = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM,
                                   .ai_addrlen = sizeof here,
                                   .ai_addr = (struct sockaddr *)&here };
    lookups++;
    if (!address || (hints && hints->ai_family == AF_INET6))
        return EAI_NONAME;
    here.sin_port = htons(server.port);
    here.sin_addr.s_addr = inet_addr(address);
    *found = &all;
    return 0;
}

void freeaddrinfo(struct addrinfo *found)
{
}

/* c-ares does not call our function, and other systems bind libcurl to their own. */
static bool resolves(void)
{
#if defined(__linux__)
    return !curl_version_info(CURLVERSION_NOW)->ares;
#else
    return false;
#endif
}

/* At this address and the server's port, a queue has no room for another connection. The sockets
   stay open until the program ends. */
static void fill(const char *text)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(server.port),
                              .sin_addr.s_addr = inet_addr(text) };
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&to, sizeof to) | listen(listener, 0), 0);
    for (int i = 0; i < 4; i++) {
        int client = socket(AF_INET, SOCK_STREAM, 0);
        fcntl(client, F_SETFL, O_NONBLOCK);
        connect(client, (struct sockaddr *)&to, sizeof to);
    }
}

/* In the time of the fake: the attempts are made after 0, 1 and 3 s, and the service is there from
   2 s on. A second handle asks for the same name, just after the first one. */
static void await_service(attempt_function *interface, const char *before, uint32_t timeout_ms)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    static const char url[] = "http://later.invalid:%u/";
    CURL *curls[] = { new_handle(GET, url), new_handle(GET, url) };
    CURLM *multi = curl_multi_init();
    struct redial_outcome outcomes[2];
    struct redial_fake fake;
    struct redial_call call;
    redial_fake_init(&fake);
    for (struct redial_step step = redial_loop_begin(&call, &policy, &fake.env);
         step.verdict == REDIAL_ATTEMPT; step = redial_loop_next(&call, &fake.env, outcomes[0])) {
        address = fake.now_ms >= 2000 ? "127.0.0.1" : before;
        for (int i = 0; i < 2; i++)
            outcomes[i] = interface(multi, curls[i], address == before ? timeout_ms : PATIENCE_MS,
                                    "GET");
    }
    assert_true(outcomes[0].code == 200 && outcomes[1].code == 200);
    assert_int_equal(fake.waits, 2);
    lookups = 0;
    for (int i = 0; i < 100; i++)
        assert_int_equal(interface(multi, curls[0], PATIENCE_MS, "GET").code, 200);
    assert_int_equal(lookups, 0);
    curl_easy_cleanup(curls[0]);
    curl_easy_cleanup(curls[1]);
    curl_multi_cleanup(multi);
}

TEST(a_service_that_moves_is_found_at_the_third_attempt)
{
    if (!resolves())
        skip();
    assert_true(server_start(&server, &fine, 1));
    for (size_t i = 0; i < LENGTH(interfaces); i++) {
        await_service(interfaces[i], NULL, PATIENCE_MS);
        await_service(interfaces[i], "127.0.0.2", PATIENCE_MS);   /* nobody listens there */
    }
    fill("127.0.0.3");
    await_service(attempt_by_easy, "127.0.0.3", SOON_MS);
    await_service(attempt_by_multi, "127.0.0.3", SOON_MS);
}

/* ---- a connection of HTTP/2 that gives no answer any more ---- */

#define SECOND_OK "\0\0\1\1\5\0\0\0\3" "\x88"

/* The first connection goes dark after its first answer. libcurl 7.88 cannot use one twice that it
   made with prior knowledge. */
TEST(after_a_timeout_no_call_uses_the_dead_connection_of_http_2)
{
    static const struct answer answers[] = {
        FRAMES(OK_BY_HTTP_2, HANG), FRAMES(OK_BY_HTTP_2, KEEP),
        { SECOND_OK, KEEP, NULL, false, 60, false, sizeof SECOND_OK - 1 },
    };
    static const int codes[] = { 200, 28, 200, 200 };
    if (!(curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2)
        || curl_version_info(CURLVERSION_NOW)->version_num < 0x080000)
        skip();
    for (size_t i = 0; i < 2; i++) {
        CURLM *multi = curl_multi_init();
        CURL *curl;
        start_answers(answers, 3);
        curl = new_handle(VERSION_2, LONG_URL);
        for (size_t k = 0; k < LENGTH(codes); k++)
            assert_int_equal(interfaces[i](multi, curl, codes[k] == 28 ? OLD_MS : PATIENCE_MS,
                                           "GET").code, codes[k]);
        curl_easy_cleanup(curl);
        curl_multi_cleanup(multi);
        server_stop(&server);
        assert_int_equal(server.connections, 2);
    }
}

/* Closing old connections would close those to other servers, too. */
TEST(after_a_timeout_on_a_new_connection_those_to_other_servers_live_on)
{
    static const struct answer hangs[] = { { "", HANG }, { ANSWER("200", "") } };
    static struct server other;
    CURL *curl;
    assert_true(server_start(&other, &fine, 1));
    start_answers(hangs, 2);
    curl = new_handle(GET, NULL);
    set_address(curl, CURLOPT_URL, "http://127.0.0.1:%u/", other.port);
    assert_int_equal(redial_curl_perform(curl, PATIENCE_MS, "GET").code, 200);
    set_address(curl, CURLOPT_URL, "http://127.0.0.1:%u/", server.port);
    assert_int_equal(redial_curl_perform(curl, OLD_MS, "GET").code, 28);
    assert_int_equal(redial_curl_perform(curl, PATIENCE_MS, "GET").code, 200);
    set_address(curl, CURLOPT_URL, "http://127.0.0.1:%u/", other.port);
    assert_int_equal(redial_curl_perform(curl, PATIENCE_MS, "GET").code, 200);
    curl_easy_cleanup(curl);
    server_stop(&other);
    assert_int_equal(other.connections, 1);
}

/* ---- nghttpd behind a relay, which tests/check libcurl starts ---- */

enum { CALLS = 20 };

static void go_dark(void)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) },
                              .sin_port = htons((uint16_t)atoi(getenv("DARK_PORT"))) };
    int client = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(client, (struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(read(client, &to, 1), 0);
    close(client);
}

static CURL *new_https(void)
{
    CURL *curl =
        new_handle(GET, resolves() ? "https://later.invalid:%u/" : "https://127.0.0.1:%u/");
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
    return curl;
}

static void begin(CURLM *multi, CURL *curl, struct redial_curl_attempt *attempt,
                  uint32_t timeout_ms)
{
    curl_easy_setopt(curl, CURLOPT_PRIVATE, attempt);
    assert_true(redial_curl_begin(attempt, curl, timeout_ms, "GET"));
    curl_multi_add_handle(multi, curl);
}

/* Each call that timed out is begun again at once, while others still use the connection. Returns
   how many attempts were made until all were done. */
static unsigned make_calls(CURLM *multi, CURL **curls, uint32_t timeout_ms)
{
    struct redial_curl_attempt attempts[CALLS];
    unsigned count = CALLS, left = CALLS;
    for (int i = 0; i < CALLS; i++)
        begin(multi, curls[i], &attempts[i], timeout_ms);
    while (left > 0 && count < 6 * CALLS) {
        struct redial_curl_attempt *attempt = NULL;
        CURLMsg *message;
        int running;
        curl_multi_perform(multi, &running);
        while ((message = curl_multi_info_read(multi, &running))) {
            CURLcode result = message->data.result;
            CURL *curl = message->easy_handle;
            curl_multi_remove_handle(multi, curl);
            curl_easy_getinfo(curl, CURLINFO_PRIVATE, (char **)&attempt);
            if (redial_curl_end(attempt, result).kind == REDIAL_KIND_DONE) {
                left--;
                continue;
            }
            begin(multi, curl, attempt, PATIENCE_MS);
            count++;
        }
        curl_multi_poll(multi, NULL, 0, 100, NULL);
    }
    return left ? 0 : count;
}

TEST(calls_over_a_connection_of_https_that_went_dark_are_done_at_the_second_attempt)
{
    CURLM *multi = curl_multi_init();
    CURL *curls[CALLS];
    if (!getenv("HTTP2_PORT"))
        skip();
    address = "127.0.0.1";
    server.port = (uint16_t)atoi(getenv("HTTP2_PORT"));
    for (int i = 0; i < CALLS; i++)
        curls[i] = new_https();
    assert_int_equal(attempt_by_multi(multi, curls[0], PATIENCE_MS, "GET").code, 200);
    go_dark();
    assert_int_equal(make_calls(multi, curls, OLD_MS), 2 * CALLS);
    lookups = 0;
    for (int i = 0; i < 5; i++)
        assert_int_equal(make_calls(multi, curls, PATIENCE_MS), CALLS);
    assert_int_equal(lookups, 0);
    for (int i = 0; i < 4; i++) {
        int code = attempt_by_easy(NULL, curls[0], i == 1 ? OLD_MS : PATIENCE_MS, "GET").code;
        assert_int_equal(code, i == 1 ? CURLE_OPERATION_TIMEDOUT : 200);
        if (i == 0)
            go_dark();
    }
    print_message("HTTP/2, libcurl %s\n", curl_version_info(CURLVERSION_NOW)->version);
    for (int i = 0; i < CALLS; i++)
        curl_easy_cleanup(curls[i]);
    curl_multi_cleanup(multi);
}

int main(void)
{
    return run_all_with(NULL, NULL, start_libcurl, stop_libcurl);
}
