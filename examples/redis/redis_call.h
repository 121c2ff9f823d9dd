/* One attempt of a Redis command with hiredis, blocking, and its outcome for redial: see
   redis_command.c. SPDX-License-Identifier: MIT

   Set attempt_ms in the policy: it limits connecting and waiting for the reply, but not the look-up
   of a name. The program must ignore SIGPIPE, because hiredis writes to connections that the server
   may have closed. */
#ifndef REDIS_CALL_H
#define REDIS_CALL_H

#include <hiredis/hiredis.h>
#include <stdbool.h>

#include "redial.h"

/* Initialise the first members, and set all else to 0. One thread at a time. */
struct redis_link {
    const char *host;       /* looked up for each connection, and so finds the current master */
    int port;
    const char *password;   /* NULL: none. `error` never contains it */
    redisContext *context;  /* NULL: not connected */
    char error[128];        /* for people, after an outcome that is not DONE */
    /* Private. */
    const struct redial_env *env;
    uint32_t began_ms, limit_ms;
};

struct redis_command {
    int count;
    const char *const *words;
    /* True: it may be done twice, because twice has the same effect as once (SET, GET, DEL), or is
       better than never. */
    bool repeat;
};

/* Connects if needed, sends the command and waits for its reply, which you must free. *reply is
   NULL unless the outcome is DONE; an error reply becomes the outcome. A new connection is greeted
   with AUTH if there is a password, and with PING, because a server also accepts connections while
   it loads its data or has too many clients.

   If the command was sent and no reply came, the server may have done it: RETRY if it may be done
   twice, otherwise UNSURE. After RETRY or FAIL for a command that may not, it was not done. The code
   is one of hiredis' REDIS_ERR_IO and so on, or an enum redis_advice. */
struct redial_outcome redis_run(struct redis_link *link, const struct redial_attempt *attempt,
                                const struct redis_command *command, redisReply **reply);

void redis_close(struct redis_link *link);

#endif
