/* One attempt of a Redis command with hiredis, blocking, and its outcome for redial. SPDX-License-Identifier: MIT

       static struct redial_outcome increment(void *user, const struct redial_attempt *attempt)
       {
           static const char *const words[] = { "INCR", "counter" };
           static const struct redis_command command = { 2, words, NULL, false };
           struct redis_link *link = user;
           redisReply *reply;
           struct redial_outcome outcome;
           redis_limit(link, attempt->env, attempt->timeout_ms);
           outcome = redis_run(link, &command, &reply);
           if (reply)
               printf("%lld\n", reply->integer);
           freeReplyObject(reply);
           return outcome;
       }

   The program must ignore SIGPIPE, because hiredis writes to connections that the server may have closed. */
#ifndef REDIS_CALL_H
#define REDIS_CALL_H

#include <hiredis/hiredis.h>
#include <stdbool.h>

#include "redial.h"

/* Initialise host, port and password, and set all else to 0. One thread at a time. */
struct redis_link {
    const char *host;           /* looked up again for each connection, so that it finds the current master */
    int port;
    const char *password;       /* NULL: none. `error` never contains it */
    bool master;                /* the server must be the master: redis_open asks for its ROLE */
    uint32_t silence_ms;        /* the longest wait for a server that says nothing. 0: a minute */
    redisContext *context;      /* NULL: not connected */
    /* Set after an outcome that is not DONE. */
    char error[128];            /* a message for people */
    bool maybe_done;            /* the command was sent, and no reply came */
    /* Private. */
    const struct redial_env *env;
    uint32_t began_ms, limit_ms, checked_ms;
};

struct redis_command {
    int count;
    const char *const *words;
    const size_t *lengths;      /* NULL: the words end with a NUL */
    /* If the command was sent and no reply came, the server may have done it. True: repeat it, because twice has the
       same effect as once (SET, GET, DEL), or because twice is better than never. False: fail. */
    bool repeat;
};

/* Call it first. Limits the time of all that follows on the link, except the look-up of a name. UINT32_MAX: only
   silence_ms does. */
void redis_limit(struct redis_link *link, const struct redial_env *env, uint32_t limit_ms);

/* Makes a new connection. Sends AUTH if there is a password, and PING, because a server also accepts connections while
   it loads its data or has too many clients. The code of an outcome is one of hiredis' REDIS_ERR_IO and so on, or an
   enum redis_advice. */
struct redial_outcome redis_open(struct redis_link *link);

/* Sends the command and waits for its reply, which you must free. Connects first if needed. *reply is NULL unless the
   outcome is DONE; an error reply becomes the outcome. */
struct redial_outcome redis_run(struct redis_link *link, const struct redis_command *command, redisReply **reply);

/* The same for several commands, of a transaction for example, that are sent at once. `repeat` of the first one counts
   for all. *reply is that of the last one. The first error reply ends it, and the connection. */
struct redial_outcome redis_run_all(struct redis_link *link, const struct redis_command *commands, unsigned count,
                                    redisReply **reply);

/* For a command such as PUBLISH, which a replica takes without an error: is the connection open, and the server still
   the master? ROLE is asked if the last answer is at least age_ms old. RETRY: no, and the connection is closed. */
struct redial_outcome redis_check_master(struct redis_link *link, uint32_t age_ms);

/* True: the server has closed the connection or sent unexpected data, or there is no connection. */
bool redis_is_broken(const struct redis_link *link);

void redis_close(struct redis_link *link);

#endif
