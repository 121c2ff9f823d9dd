/* An HTTP server for the examples that send many requests at once: a process of its own, one thread, poll().
   It ends when it is stopped, and when the process that started it ends. SPDX-License-Identifier: MIT */
#ifndef LOAD_SERVER_H
#define LOAD_SERVER_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#define LOAD_SERVER_OPEN 500   /* the most connections at a time; more wait to be accepted */

/* In memory that both processes share. */
struct load_server {
    uint16_t port;                  /* on 127.0.0.1 */
    atomic_uint phase;              /* yours; it is passed to `answer` */
    atomic_uint requests, served;   /* all requests, and those that were answered with 2xx */
    pid_t pid;
    int alive;
};

/* The server's process calls it for one request after the other. It returns the status line without the protocol's
   version, and may add header fields: "503 Service Unavailable", "429 Too Many Requests\r\nRetry-After: 1". */
typedef const char *load_server_answer(unsigned phase);

/* NULL: the system refused; see errno. It forks, so call it before you start a thread. */
struct load_server *load_server_start(load_server_answer *answer);
void load_server_stop(struct load_server *load);

#endif
