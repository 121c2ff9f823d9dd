/* A server on loopback that answers from a script, for examples and tests: connection k gets answer k, byte for byte.
   SPDX-License-Identifier: MIT

   It is a child process, which ends with scripted_server_stop and at the latest with its parent. One connection is
   served after the other, each after its request's header has come. */
#ifndef SCRIPTED_SERVER_H
#define SCRIPTED_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum scripted_then {
    THEN_CLOSE = 0,
    THEN_RESET,      /* the peer gets ECONNRESET, and may lose what was sent before */
    THEN_HANG,       /* says no more and leaves the connection open; the next one is served */
    THEN_REPEAT      /* sends the bytes again and again, until the peer closes */
};

struct scripted_answer {
    const char *bytes;         /* may be "" */
    enum scripted_then then;
    bool in_pieces;            /* every byte sent for itself */
    size_t length;             /* 0: strlen(bytes) */
};

struct scripted_server {
    uint16_t port;             /* on 127.0.0.1 */
    pid_t pid;
    int alive_fd;              /* closed: the child ends */
};

/* The last answer is repeated without end. False: errno says why, and nothing runs. */
bool scripted_server_start(struct scripted_server *server, const struct scripted_answer *answers, size_t count);
void scripted_server_stop(struct scripted_server *server);

#endif
