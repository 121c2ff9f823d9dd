/* A server on loopback that sends scripted answers, for examples and tests: connection k gets answer k, byte for byte.
   SPDX-License-Identifier: MIT

   It is a child process. It ends when scripted_server_stop is called, and at the latest when its parent ends. It serves
   one connection after the other, each after it has received the header of the request. */
#ifndef SCRIPTED_SERVER_H
#define SCRIPTED_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum scripted_then {
    THEN_CLOSE = 0,
    THEN_RESET,      /* the peer gets ECONNRESET, and may lose what was sent before */
    THEN_HANG,       /* sends no more, leaves the connection open, and serves the next one */
    THEN_REPEAT      /* sends the bytes again and again, until the peer closes */
};

struct scripted_answer {
    const char *bytes;         /* may be "" */
    enum scripted_then then;
    bool in_pieces;            /* each byte is sent separately */
    size_t length;             /* 0: strlen(bytes) */
};

struct scripted_server {
    uint16_t port;             /* on 127.0.0.1 */
    pid_t pid;
    int alive_fd;              /* the child ends when it is closed */
};

/* The last answer is repeated for all further connections. False: it could not be started; see errno. */
bool scripted_server_start(struct scripted_server *server, const struct scripted_answer *answers, size_t count);
void scripted_server_stop(struct scripted_server *server);

#endif
