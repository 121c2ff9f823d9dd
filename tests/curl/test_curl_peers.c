/* redial_curl.h with servers of TLS and HTTP/2, which tests/checks/libcurl.sh starts: it sets
   TLS_PORT and HTTP2_SOCKET. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/socket.h>

#include "transfer.h"

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    if (!value)
        fail_msg("%s is not set", name);
    return value;
}

static int small_buffer(void *user, curl_socket_t fd, curlsocktype purpose)
{
    int size = 4096;
    return setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0 ? CURL_SOCKOPT_OK
                                                                         : CURL_SOCKOPT_ERROR;
}

static CURL *new_tls_post(const char *body, const char *url)
{
    CURL *curl;
    server.port = (uint16_t)atoi(setting("TLS_PORT"));
    curl = new_handle(GET, url);
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
    static const struct row cut = { "cut", POST, { { NULL } }, RETRY(GIVEN), FAIL(GIVEN) };
    static const struct row hung = { "hung", POST, { { NULL } }, RETRY(28), FAIL(28) };
    static char body[60001];
    unsigned count[100] = { 0 };
    CURL *curl;
    memset(body, 'x', sizeof body - 1);
    for (int i = 0; i < 50; i++) {
        CURLcode result;
        curl = new_tls_post(body, "https://127.0.0.1:%u/");
        result = curl_easy_perform(curl);
        count[result]++;
        expect_both(&cut, curl, result);
        curl_easy_cleanup(curl);
    }
    print_message("TLS: %u times CURLE_SEND_ERROR, %u times CURLE_RECV_ERROR\n",
                  count[CURLE_SEND_ERROR], count[CURLE_RECV_ERROR]);
    curl = new_tls_post(body, "https://127.0.0.1:%u/hang");
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 3000L);
    expect_both(&hung, curl, curl_easy_perform(curl));
    curl_easy_cleanup(curl);
}

/* nginx answers before it has read a body, so that the POST has none. */
TEST(http_2_has_the_same_outcomes)
{
    static const struct row rows[] = {
        { "GET", GET, { { NULL } }, HTTP(503, 2000), HTTP(503, 2000), "http://localhost/" },
        { "POST", POST, { { NULL } }, HTTP(503, 2000), FAIL_AFTER(503, 2000), "http://localhost/" },
        { "POST, cut", POST, { { NULL } }, RETRY(GIVEN), FAIL(GIVEN), "http://localhost/cut" },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        CURL *curl = new_handle(rows[i].set_up, rows[i].url);
        CURLcode result;
        long version = 0;
        if (rows[i].set_up == POST)
            curl_easy_setopt(curl, CURLOPT_POSTFIELDS, "");
        curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, setting("HTTP2_SOCKET"));
        curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE);
        result = curl_easy_perform(curl);
        print_message("HTTP/2, %s: CURLcode %d\n", rows[i].what, (int)result);
        expect_both(&rows[i], curl, result);
        curl_easy_getinfo(curl, CURLINFO_HTTP_VERSION, &version);
        if (result == CURLE_OK)
            assert_int_equal(version, CURL_HTTP_VERSION_2_0);
        curl_easy_cleanup(curl);
    }
}

int main(void)
{
    puts(curl_version());
    return run_all_with(NULL, NULL, start_libcurl, stop_libcurl);
}
