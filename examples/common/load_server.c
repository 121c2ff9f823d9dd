/* The server of load_server.h. SPDX-License-Identifier: MIT */
#include "load_server.h"

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

enum { ALIVE, LISTENER, FIRST };   /* places in fds; connections come after */

static struct pollfd fds[FIRST + LOAD_SERVER_OPEN];
static unsigned char matched[FIRST + LOAD_SERVER_OPEN];   /* bytes of the blank line that ends a request */

static int listen_on_loopback(uint16_t *port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return -1;
    if (bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, SOMAXCONN) != 0
        || getsockname(fd, (struct sockaddr *)&address, &size) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
        close(fd);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return fd;
}

static unsigned accept_all(unsigned count)
{
    int fd;
    while (count < FIRST + LOAD_SERVER_OPEN && (fd = accept(fds[LISTENER].fd, NULL, NULL)) >= 0) {
        fds[count] = (struct pollfd){ .fd = fd, .events = POLLIN };
        matched[count++] = 0;
    }
    return count;
}

static void reply(struct load_server *load, int fd, const char *answer)
{
    char text[200];
    int length = snprintf(text, sizeof text, "HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", answer);
    atomic_fetch_add(&load->requests, 1);
    atomic_fetch_add(&load->served, answer[0] == '2');
    if (send(fd, text, (size_t)length, 0) != length)
        perror("load server: send");
}

/* Reads what has come; true: the connection is through. */
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
        for (i = count; i-- > FIRST;)   /* downwards: the last one takes the place of one that is closed */
            if (fds[i].revents && serve(load, i, answer)) {
                close(fds[i].fd);
                fds[i] = fds[--count];
                matched[i] = matched[count];
            }
        count = accept_all(count);
    }
}

struct load_server *load_server_start(load_server_answer *answer)
{
    struct load_server *load = mmap(NULL, sizeof *load, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int alive[2], listener;
    if (load == MAP_FAILED || (listener = listen_on_loopback(&load->port)) < 0 || pipe(alive) != 0)
        return NULL;
    fflush(NULL);   /* or the child would print it again */
    load->pid = fork();
    if (load->pid == 0) {
        signal(SIGINT, SIG_IGN);    /* a Ctrl-C is the starter's to answer */
        signal(SIGPIPE, SIG_IGN);   /* a client that went away is an error of send() */
        close(alive[1]);
        fds[ALIVE] = (struct pollfd){ .fd = alive[0], .events = POLLIN };   /* its end is the starter's end */
        fds[LISTENER] = (struct pollfd){ .fd = listener };
        serve_all(load, answer);
        _exit(0);
    }
    close(listener);
    close(alive[0]);
    load->alive = alive[1];
    return load->pid > 0 ? load : NULL;
}

void load_server_stop(struct load_server *load)
{
    close(load->alive);
    waitpid(load->pid, NULL, 0);
    munmap(load, sizeof *load);
}
