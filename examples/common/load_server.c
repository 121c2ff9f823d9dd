/* The server of load_server.h. SPDX-License-Identifier: MIT */
#include "load_server.h"
#include "loopback.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALIVE, LISTENER, FIRST };   /* indexes in fds; FIRST is the first connection */

static struct pollfd fds[FIRST + LOAD_SERVER_OPEN];
static unsigned char matched[FIRST + LOAD_SERVER_OPEN];   /* how much of the blank line that ends a request has come */

static unsigned accept_all(unsigned count)
{
    int fd;
    while (count < FIRST + LOAD_SERVER_OPEN && (fd = accept(fds[LISTENER].fd, NULL, NULL)) >= 0) {
        fds[count] = (struct pollfd){ .fd = fd, .events = POLLIN };
        matched[count++] = 0;
    }
    return count;
}

/* Every second answer is HTTP/1.0, and each has a long header, so that clients see both. */
static void reply(struct load_server *load, int fd, const char *answer)
{
    char text[1000];
    unsigned version = atomic_fetch_add(&load->requests, 1) % 2;
    int length = snprintf(text, sizeof text, "HTTP/1.%u %s\r\nX-Long: %0600d\r\nContent-Length: 0\r\n"
                          "Connection: close\r\n\r\n", version, answer, 0);
    atomic_fetch_add(&load->served, answer[0] == '2');
    if (send(fd, text, (size_t)length, 0) != length)
        perror("load server: send");
}

/* Reads and answers. True: the connection is finished. */
static bool serve(struct load_server *load, unsigned at, load_server_answer *answer)
{
    char text[1024];
    ssize_t i, length = recv(fds[at].fd, text, sizeof text, MSG_DONTWAIT);
    for (i = 0; i < length && matched[at] < 4; i++)
        matched[at] = (unsigned char)(text[i] == "\r\n\r\n"[matched[at]] ? matched[at] + 1 : text[i] == '\r');
    if (matched[at] == 4)
        reply(load, fds[at].fd, answer(atomic_load(&load->phase)));
    return matched[at] == 4 || length <= 0;
}

static void serve_all(struct load_server *load, load_server_answer *answer)
{
    unsigned count = FIRST, i;
    while (!fds[ALIVE].revents) {
        fds[LISTENER].events = count < FIRST + LOAD_SERVER_OPEN ? POLLIN : 0;
        if (poll(fds, count, -1) < 0)
            continue;
        for (i = count; i-- > FIRST;)   /* downwards, because the last one replaces one that is closed */
            if (fds[i].revents && serve(load, i, answer)) {
                close(fds[i].fd);
                fds[i] = fds[--count];
                matched[i] = matched[count];
            }
        count = accept_all(count);
    }
}

/* Runs in the child process. */
static void run(struct load_server *load, int listener, int alive, load_server_answer *answer)
{
    signal(SIGINT, SIG_IGN);    /* the parent handles Ctrl-C */
    signal(SIGPIPE, SIG_IGN);   /* send() returns an error if the client has gone */
    fds[ALIVE] = (struct pollfd){ .fd = alive, .events = POLLIN };   /* it is closed when the parent ends */
    fds[LISTENER] = (struct pollfd){ .fd = listener };
    serve_all(load, answer);
    _exit(0);
}

struct load_server *load_server_start(load_server_answer *answer)
{
    struct load_server *load = mmap(NULL, sizeof *load, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int alive[2], listener;
    pid_t pid;   /* not directly in *load, which both processes would write */
    if (load == MAP_FAILED || (listener = loopback_socket(&load->port)) < 0 || listen(listener, SOMAXCONN) != 0
        || fcntl(listener, F_SETFL, O_NONBLOCK) != 0 || pipe(alive) != 0)
        return NULL;
    fflush(NULL);   /* otherwise the child would print it again */
    pid = fork();
    if (pid == 0) {
        close(alive[1]);
        run(load, listener, alive[0], answer);
    }
    close(listener);
    close(alive[0]);
    load->alive = alive[1];
    load->pid = pid;
    return pid > 0 ? load : NULL;
}

void load_server_stop(struct load_server *load)
{
    close(load->alive);
    waitpid(load->pid, NULL, 0);
    munmap(load, sizeof *load);
}
