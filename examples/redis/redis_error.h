/* Which error replies of Redis are worth a retry. It needs neither hiredis nor a connection.
   SPDX-License-Identifier: MIT */
#ifndef REDIS_ERROR_H
#define REDIS_ERROR_H

#include "redial.h"

/* The code of an outcome. It is none of hiredis' REDIS_ERR_IO and so on: a code may be either. */
enum redis_advice {
    REDIS_ADVICE_RETRY = 16,    /* the same command may succeed later, on the same connection */
    REDIS_ADVICE_RECONNECT,     /* the same command may succeed later, on a new connection */
    REDIS_ADVICE_FAIL           /* it would fail again */
};

/* text: the reply as hiredis gives it, without the '-' of the protocol. RETRY with one of the first
   two codes, or FAIL. After any error reply, the command was not done. */
struct redial_outcome redis_error_outcome(const char *text);

/* Copies the text for a log: without control characters, and as much as fits. */
void redis_error_copy(char *out, size_t size, const char *text);

/* For a reply to AUTH: cuts the text before its first quotation mark. A server that doesn't know
   the command repeats the password between such marks. */
void redis_error_hide_quoted(char *text);

#endif
