/* A server on loopback for tests. It answers from a table and keeps what it is sent.
   SPDX-License-Identifier: MIT

       static struct server server;
       static const struct answer answers[] = {
           { "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", KEEP },
           { "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole" },
       };
       assert_true(server_start(&server, answers, 2));
       ...                                           a client of http://127.0.0.1:server.port/
       assert_int_equal(server_stop(&server), 2);    two requests came
       assert_string_equal(server.requests[0].body, "{}");

   A request takes the first row that fits its path and is not used up. If there is none, it is
   counted, and its connection is closed without an answer. A CONNECT is a request like any other:
   if its answer keeps the connection, what comes through the tunnel is the next request. One thread
   serves all connections, and it never sleeps. */
#ifndef SERVER_H
#define SERVER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row may leave out its last members. */
#if defined(__GNUC__)
#  pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

/* What follows the answer. */
enum then {
    CLOSE = 0,
    KEEP,      /* the connection waits for another request */
    HANG,      /* the connection stays open, and nothing is said any more */
    RESET,
    REPEAT     /* the answer is sent again and again, until the client has gone */
};

struct answer {
    const char *bytes;      /* NULL: none */
    enum then then;
    const char *path;       /* of the request, without a query; NULL: any */
    bool always;            /* it is never used up */
    size_t enough;          /* it is given after so many bytes of the request; 0: after all of it */
    size_t length;          /* of bytes; 0: they are a text */
};

struct server_request {
    char *text;             /* the request line, the headers and the body; a NUL follows it */
    size_t length;
    const char *body;       /* in text; "" while the header is not whole */
    unsigned connection;    /* 1 for the first that came */
};

/* Chooses the answer for server->requests[k], which is whole. NULL: not yet, and it is asked again
   in a moment. It is called in the server's thread. */
struct server;
typedef const struct answer *server_choose(struct server *server, unsigned k);

/* Zeroed before its first start. The requests stay until the next one. */
struct server {
    uint16_t port;
    const char *greeting;              /* what each new connection is told at once; NULL: nothing */
    const char *path;                  /* of a Unix socket, where it listens; NULL: at the port */
    struct server_request *requests;
    unsigned count, connections;       /* while it runs, ask server_await */
    /* ---- private ---- */
    const struct answer *answers;
    unsigned rows;
    bool *used;
    server_choose *choose;
    bool running;
    int listener, stop[2];
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t arrived;
};

/* From now on it listens, at a free port. A server that still runs, after a test that failed, is
   stopped. False: the system refused something. */
bool server_start(struct server *server, const struct answer *answers, unsigned rows);
bool server_start_with(struct server *server, server_choose *choose);

/* Returns when so many requests have come. */
void server_await(struct server *server, unsigned count);

/* Closes all connections. Returns how many requests came. */
unsigned server_stop(struct server *server);

/* A port where nobody listens as long as this program runs. */
uint16_t closed_port(void);

/* The value of a header of request k, in memory that the next call uses again, or "". */
const char *server_header(const struct server *server, unsigned k, const char *name);

/* Does request k begin with these words ("GET /path")? */
bool server_was_asked(const struct server *server, unsigned k, const char *method_and_path);

#endif
