/* A retry goes elsewhere: to the address that a name has by then, and to another connection where
   the one that was kept gives no answer. And what needs a resolver of our own, or the servers that
   tests/check libcurl starts. SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "transfer.h"

enum { PATIENCE_MS = 60000, LONG_MS = 10000, SOON_MS = 500, OLD_MS = 2200 };

static const struct answer fine = { ANSWER("200", ""), KEEP, NULL, true };

/* ---- a resolver, which libcurl finds before that of the C library ---- */

static const char *address;   /* changes only between two attempts. NULL: the name is unknown */
static unsigned lookups;
static int released[2];       /* the pipe that "slow.invalid" waits for */

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found)
{
    static struct sockaddr_in here = { .sin_family = AF_INET };
    static struct addrinfo all = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM,
                                   .ai_addrlen = sizeof here,
                                   .ai_addr = (struct sockaddr *)&here };
    struct pollfd end = { released[0], POLLIN, 0 };
    lookups++;
    if (strcmp(name, "slow.invalid") == 0)
        poll(&end, 1, PATIENCE_MS);
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

/* Before libcurl 7.87, the end waits for the resolver. */
TEST(a_post_that_found_no_name_or_no_connection_in_time_was_not_sent)
{
    static const struct row row = { "not sent", POST, { { NULL } }, RETRY(28), RETRY(28) };
    if (!resolves())
        skip();
    assert_true(server_start(&server, &fine, 1));
    assert_int_equal(pipe(released), 0);
    address = "127.0.0.4";
    fill(address);
#if LIBCURL_VERSION_NUM >= 0x075700
    for (int i = 0; i < 2; i++) {
        CURL *curl = new_handle(POST, i ? "http://slow.invalid:%u/" : "http://full.invalid:%u/");
        curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)SOON_MS);
        curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);
        expect_both(&row, curl, curl_easy_perform(curl));
        curl_easy_cleanup(curl);
    }
#endif
    close(released[1]);
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

/* ---- a server of TLS, which tests/check libcurl starts ---- */

static int small_buffer(void *user, curl_socket_t fd, curlsocktype purpose)
{
    int size = 4096;
    return setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0 ? CURL_SOCKOPT_OK
                                                                         : CURL_SOCKOPT_ERROR;
}

static CURL *new_tls_post(const char *body, const char *url)
{
    CURL *curl = new_handle(GET, url);
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
    curl_easy_setopt(curl, CURLOPT_SOCKOPTFUNCTION, small_buffer);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    return curl;
}

/* One SSL_write is for the header and the body. The server reads the first record of it, and resets
   the connection, often while the second is being sent: then libcurl counts nothing. */
TEST(a_post_of_which_the_server_got_a_record_is_not_unsent)
{
    static const struct row cut = { "cut", POST, { { NULL } }, RETRY(GIVEN), UNSURE(GIVEN) };
    static const struct row hung = { "hung", POST, { { NULL } }, RETRY(28), UNSURE(28) };
    static const struct row stranger = { "refused", POST, { { NULL } }, FAIL(60), FAIL(60) };
    static char body[60001];
    unsigned count[100] = { 0 };
    CURL *curl;
    if (!getenv("TLS_PORT"))
        skip();
    server.port = (uint16_t)atoi(getenv("TLS_PORT"));
    memset(body, 'x', sizeof body - 1);
    for (int i = 0; i < 50; i++) {
        CURLcode result;
        curl = new_tls_post(body, "https://127.0.0.1:%u/");
        result = curl_easy_perform(curl);
        count[result]++;
        expect_both(&cut, curl, result);
        curl_easy_cleanup(curl);
    }
    print_message("TLS, libcurl %s: %u times CURLE_SEND_ERROR, %u times CURLE_RECV_ERROR\n",
                  curl_version_info(CURLVERSION_NOW)->version, count[CURLE_SEND_ERROR],
                  count[CURLE_RECV_ERROR]);
    curl = new_tls_post(body, "https://127.0.0.1:%u/");
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
    expect_both(&stranger, curl, curl_easy_perform(curl));
    curl_easy_cleanup(curl);
    curl = new_tls_post(body, "https://127.0.0.1:%u/hang");
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 3000L);
    expect_both(&hung, curl, curl_easy_perform(curl));
    curl_easy_cleanup(curl);
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

/* Half of the calls have 2 s more (libcurl looks for old connections once a second): those that
   timed out are begun again while others still use the connection. Returns how many attempts were
   made until all were done. */
static unsigned make_calls(CURLM *multi, CURL **curls, uint32_t timeout_ms)
{
    struct redial_curl_attempt attempts[CALLS];
    unsigned count = CALLS, left = CALLS;
    for (int i = 0; i < CALLS; i++)
        begin(multi, curls[i], &attempts[i], timeout_ms + (i < CALLS / 2 ? 0 : 2000));
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
            begin(multi, curl, attempt, LONG_MS);
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
    assert_int_equal(attempt_by_multi(multi, curls[0], LONG_MS, "GET").code, 200);
    go_dark();
    assert_int_equal(make_calls(multi, curls, OLD_MS), 2 * CALLS);
    lookups = 0;
    for (int i = 0; i < 5; i++)
        assert_int_equal(make_calls(multi, curls, LONG_MS), CALLS);
    assert_int_equal(lookups, 0);
    for (int i = 0; i < 4; i++) {
        int code = attempt_by_easy(NULL, curls[0], i == 1 ? OLD_MS : LONG_MS, "GET").code;
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
