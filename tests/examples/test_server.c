/* The server of the tests. All tests of the network run after this one, and not without it: where
   there is no network, it fails at once. SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../common/server.h"
#include "../common/support.h"

TEST(the_server_answers_and_keeps_what_it_was_sent)
{
    static const struct answer answer = { "HTTP/1.1 200 x\r\n\r\nwhole" };
    static const char request[] = "PUT /a HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}";
    static struct server server;
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    char got[64] = "";
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(server_start(&server, &answer, 1));
    address.sin_port = htons(server.port);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        fail_msg("127.0.0.1: %s; is the loopback interface up?", strerror(errno));
    assert_int_equal(send(fd, request, strlen(request), 0), strlen(request));
    assert_int_equal(recv(fd, got, sizeof got - 1, MSG_WAITALL), strlen(answer.bytes));
    assert_string_equal(got, answer.bytes);
    close(fd);
    assert_int_equal(server_stop(&server), 1);
    assert_true(server_was_asked(&server, 0, "PUT /a"));
    assert_string_equal(server.requests[0].body, "{}");
}

int main(void)
{
    return run_all();
}
