/* The server that the examples with many requests start for themselves. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdbool.h>
#include <sys/wait.h>

#include "../../examples/common/load_server.h"
#include "../../examples/common/loopback.h"
#include "../unit/support.h"

static const char *by_phase(unsigned phase)
{
    return phase ? "503 Service Unavailable\r\nRetry-After: 1" : "200 OK";
}

/* Returns the answer to a request as text. */
static void get(uint16_t port, char *answer, size_t size)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    static const char request[] = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    ssize_t got;
    address.sin_port = htons(port);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        fail_msg("127.0.0.1 can't be reached (is the loopback interface up?): %s", strerror(errno));
    assert_int_equal(send(fd, request, sizeof request - 1, 0), sizeof request - 1);
    for (; size > 1 && (got = recv(fd, answer, size - 1, 0)) > 0; answer += got)
        size -= (size_t)got;
    *answer = '\0';
    close(fd);
}

TEST(the_load_server_answers_by_its_phase_and_counts_requests)
{
    struct load_server *load = load_server_start(by_phase);
    char answer[200];
    assert_non_null(load);
    get(load->port, answer, sizeof answer);
    assert_non_null(strstr(answer, " 200 OK\r\n"));
    load->phase = 1;
    get(load->port, answer, sizeof answer);
    assert_non_null(strstr(answer, " 503 Service Unavailable\r\nRetry-After: 1\r\n"));
    assert_int_equal(load->requests, 2);
    assert_int_equal(load->served, 1);
    load_server_stop(load);
}

/* A server that answers has finished its start. Had it overwritten its process id, that would show now. */
TEST(the_server_process_runs_until_it_is_stopped)
{
    struct load_server *load = load_server_start(by_phase);
    char answer[200];
    pid_t pid;
    assert_non_null(load);
    get(load->port, answer, sizeof answer);
    pid = load->pid;
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
    load_server_stop(load);
    assert_int_equal(waitpid(pid, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

int main(void)
{
    return run_all();
}
