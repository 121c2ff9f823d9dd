/* Which error replies of Redis are worth a retry. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "redis_error.h"

/* The beginning of the reply, as whole words: BUSYKEY and BUSYGROUP are not BUSY. All other replies
   fail. NOAUTH, WRONGPASS, NOPERM and OOM last until a person acts, and MOVED and ASK are for a
   client of Redis Cluster.

   A script may return any text as an error. Give the errors of your own scripts codes that are not
   in this table. */
static const struct {
    const char *begin;
    enum redis_advice advice;
} rows[] = {
    { "LOADING", REDIS_ADVICE_RETRY },       /* the server has just started, and loads its data */
    { "BUSY", REDIS_ADVICE_RETRY },          /* a script has been running for too long */
    { "TRYAGAIN", REDIS_ADVICE_RETRY },      /* the keys are moving to another node */
    { "CLUSTERDOWN", REDIS_ADVICE_RETRY },   /* no node serves the slot at the moment */
    { "MASTERDOWN", REDIS_ADVICE_RETRY },    /* a replica that must not return old data */
    { "NOREPLICAS", REDIS_ADVICE_RETRY },    /* a master that waits for its replicas */
    { "MISCONF", REDIS_ADVICE_RETRY },       /* it could not save: a full disk, no memory to fork */
    { "READONLY", REDIS_ADVICE_RECONNECT },  /* after a failover: the name leads elsewhere now */
    { "ERR max number of clients", REDIS_ADVICE_RECONNECT },   /* the server then closes it */
};

static bool begins(const char *text, const char *begin)
{
    size_t length = strlen(begin);
    return strncmp(text, begin, length) == 0 && (text[length] == ' ' || text[length] == '\0');
}

struct redial_outcome redis_error_outcome(const char *text)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (begins(text, rows[i].begin))
            return redial_retry((int)rows[i].advice, 0);
    return redial_fail(REDIS_ADVICE_FAIL);
}

void redis_error_copy(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%s", text);
    for (; *out; out++)
        if ((unsigned char)*out < ' ' || (unsigned char)*out >= 0x7f)   /* ESC and C1, too */
            *out = '.';
}

void redis_error_hide_quoted(char *text)
{
    text[strcspn(text, "'`\"")] = '\0';
}
