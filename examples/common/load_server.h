/* An HTTP server for the examples that send many requests at once: a process of its own, one thread, poll().
   It ends when it is stopped, and when its starter ends for any reason. SPDX-License-Identifier: MIT */
#ifndef LOAD_SERVER_H
#define LOAD_SERVER_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#define LOAD_SERVER_OPEN 500   /* so many connections at a time; more wait to be accepted */

/* In memory that both processes see. */
struct load_server {
    uint16_t port;                  /* on 127.0.0.1 */
    atomic_uint phase;              /* yours: `answer` gets it */
    atomic_uint requests, served;   /* how many came, how many of them were answered with 2xx */
    pid_t pid;
    int alive;
};

/* Called in the server's process, for one request after the other. It returns what follows the protocol's version,
   and may add header fields: "503 Service Unavailable", "429 Too Many Requests\r\nRetry-After: 1". */
typedef const char *load_server_answer(unsigned phase);

/* NULL: the system refused, and errno says why. Before the first thread is started: it forks. */
struct load_server *load_server_start(load_server_answer *answer);
void load_server_stop(struct load_server *load);

#endif
