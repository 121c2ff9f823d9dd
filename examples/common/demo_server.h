/* A small HTTP server for examples that need one: a process of its own, which serves one connection
   after the other. It ends when it is stopped, and when the process that started it ends.
   SPDX-License-Identifier: MIT */
#ifndef DEMO_SERVER_H
#define DEMO_SERVER_H

#include <stdint.h>
#include <sys/types.h>

struct demo_server {
    uint16_t port;   /* on 127.0.0.1 */
    pid_t pid;
    int alive;
};

/* The server's process calls it for each request. It returns the answer without "HTTP/1.0 ": the
   status line, header fields if it wants, a blank line, and perhaps a body. */
typedef const char *demo_server_answer(const char *path);

/* 0, or -1: the system refused; see errno. It forks, so call it before you start a thread. */
int demo_server_start(struct demo_server *server, demo_server_answer *answer);
void demo_server_stop(const struct demo_server *server);

#endif
