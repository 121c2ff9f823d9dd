/* A POST whose time is over, in each phase of a transfer: was it sent?
   SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "transfer.h"

enum { TIMEOUT_MS = 2000, PATIENCE_MS = 60000 };

/* The resolver of libcurl finds this function before that of the C library. */
static int released[2];

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found)
{
    struct pollfd end = { released[0], POLLIN, 0 };
    poll(&end, 1, PATIENCE_MS);
    return EAI_AGAIN;
}

/* Before libcurl 8.8, the size of the request is also that of the CONNECT. */
static enum redial_kind connect_counts(void)
{
    bool counts = curl_version_info(CURLVERSION_NOW)->version_num < 0x080800;
    return counts ? REDIAL_KIND_UNSURE : REDIAL_KIND_RETRY;
}

/* Its queue has no room for another connection. The sockets stay open until the program ends. */
static uint16_t full_port(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    struct sockaddr *to = (struct sockaddr *)&address;
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, to, size) | listen(listener, 0), 0);
    assert_int_equal(getsockname(listener, to, &size), 0);
    for (int i = 0; i < 4; i++) {
        int client = socket(AF_INET, SOCK_STREAM, 0);
        fcntl(client, F_SETFL, O_NONBLOCK);
        connect(client, to, size);
    }
    return ntohs(address.sin_port);
}

static struct phase {
    const char *what;
    unsigned set_up;
    const char *url;            /* %u is the port; NULL: http://127.0.0.1:%u/ */
    struct answer answer;
    enum redial_kind kind;      /* of the outcome */
    struct server server;
    CURL *curl;
} phases[] = {
    { "the name", POST, "http://slow.invalid/", { "", HANG }, REDIAL_KIND_RETRY },
    { "the connection", POST, NULL, { NULL }, REDIAL_KIND_RETRY },
    { "TLS", POST, "https://127.0.0.1:%u/", { "", HANG, NULL, false, 1 }, REDIAL_KIND_RETRY },
    { "CONNECT", POST | TUNNEL, NULL, { "", HANG }, REDIAL_KIND_INVALID },
    { "the first byte", POST, NULL, { "", HANG }, REDIAL_KIND_UNSURE },
    { "the header", POST, NULL, { "HTTP/1.1 200 x\r\nContent-", HANG }, REDIAL_KIND_UNSURE },
    { "the body", POST, NULL, { CUT("200", ""), HANG }, REDIAL_KIND_UNSURE },
};

/* Before libcurl 7.87, the end waits for the resolver. c-ares does not call our function, and other
   systems bind libcurl to their own and accept more connections than they promise. */
static size_t first_phase(void)
{
#if !defined(__linux__)
    return 2;
#elif LIBCURL_VERSION_NUM < 0x075700
    return 1;
#else
    return curl_version_info(CURLVERSION_NOW)->ares ? 1 : 0;
#endif
}

static void begin(struct phase *phase, CURLM *multi)
{
    assert_true(server_start(&phase->server, &phase->answer, 1));
    server.port = phase->answer.bytes || phase->url ? phase->server.port : full_port();
    phase->curl = new_handle(phase->set_up, phase->url);
    curl_easy_setopt(phase->curl, CURLOPT_TIMEOUT_MS, (long)TIMEOUT_MS);
    curl_easy_setopt(phase->curl, CURLOPT_PRIVATE, phase);
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(phase->curl, CURLOPT_QUICK_EXIT, 1L);   /* does not wait for the resolver */
#endif
    assert_int_equal(curl_multi_add_handle(multi, phase->curl), CURLM_OK);
}

static void ended(CURLMsg *message)
{
    struct redial_outcome wanted = { REDIAL_KIND_INVALID, 28, 0, 0 };
    struct phase *phase = NULL;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&phase);
    wanted.kind = phase->kind;
    if (phase->set_up & TUNNEL)
        wanted.kind = connect_counts();
    assert_int_equal(message->data.result, CURLE_OPERATION_TIMEDOUT);
    expect(phase->what, "redial_curl, NULL", message->data.result,
           redial_curl(message->easy_handle, message->data.result, NULL), wanted);
    wanted.kind = REDIAL_KIND_RETRY;
    expect(phase->what, "redial_curl", message->data.result,
           redial_curl(message->easy_handle, message->data.result, "GET"), wanted);
}

/* All at once, because each takes as long as its timeout. */
TEST(a_post_that_took_too_long_is_repeated_only_if_it_had_not_been_sent)
{
    CURLM *multi = curl_multi_init();
    CURLMsg *message;
    int running = 1, left;
    assert_int_equal(pipe(released), 0);
    for (size_t i = first_phase(); i < LENGTH(phases); i++)
        begin(&phases[i], multi);
    while (curl_multi_perform(multi, &running) == CURLM_OK && running)
        curl_multi_poll(multi, NULL, 0, 1000, NULL);
    for (size_t i = first_phase(); i < LENGTH(phases); i++) {
        message = curl_multi_info_read(multi, &left);
        assert_non_null(message);
        ended(message);
    }
    close(released[1]);
    for (size_t i = first_phase(); i < LENGTH(phases); i++) {
        curl_multi_remove_handle(multi, phases[i].curl);
        curl_easy_cleanup(phases[i].curl);
        server_stop(&phases[i].server);
    }
    curl_multi_cleanup(multi);
}

/* ---- a server of TLS, which check_libcurl of tests/check starts ---- */

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

int main(void)
{
    return run_all_with(NULL, NULL, start_libcurl, stop_libcurl);
}
