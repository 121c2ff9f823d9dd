/* One attempt of a Redis command with hiredis, blocking, and what its end says of a retry. SPDX-License-Identifier: MIT

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

   The program has to ignore SIGPIPE: hiredis writes to connections that the server may have closed. */
#ifndef REDIS_CALL_H
#define REDIS_CALL_H

#include <hiredis/hiredis.h>

#include "redial.h"

/* Initialise host, port and password, and set all else to 0. One thread at a time. */
struct redis_link {
    const char *host;           /* a name is looked up anew for each connection, so that it finds the master of today */
    int port;
    const char *password;       /* NULL: none. It is never put into `error` */
    redisContext *context;      /* NULL: not connected */
    /* After an outcome that is not DONE. */
    char error[128];            /* why, for a person */
    bool maybe_done;            /* the command was sent, and no reply came */
    /* Private. */
    const struct redial_env *env;
    uint32_t began_ms, limit_ms;
};

struct redis_command {
    int count;
    const char *const *words;
    const size_t *lengths;      /* NULL: the words end with a NUL */
    /* What to do after the command was sent and no reply came: the server may have done it. True: repeat it, since
       twice does no more than once (SET, GET, DEL), or since twice is better than never. False: fail. */
    bool repeat;
};

/* From now on, what is done on the link may take so long in all. UINT32_MAX: no limit. Call it first. (hiredis applies
   what is left to each read, so a reply that trickles in may take longer.) */
void redis_limit(struct redis_link *link, const struct redial_env *env, uint32_t limit_ms);

/* Connects anew: AUTH if there is a password, and PING, because a server that loads its data or has no room for us
   accepts connections, too. The code of an outcome is one of hiredis' REDIS_ERR_IO and so on, or an enum
   redis_advice. */
struct redial_outcome redis_open(struct redis_link *link);

/* Sends the command and waits for its reply, which is yours to free. Connects first where that is needed. An error
   reply is an outcome, and *reply is NULL then, as it is in all cases but DONE. */
struct redial_outcome redis_run(struct redis_link *link, const struct redis_command *command, redisReply **reply);

/* Has the server closed the connection, or sent what nobody asked for? True where there is none. */
bool redis_is_broken(const struct redis_link *link);

void redis_close(struct redis_link *link);

#endif
