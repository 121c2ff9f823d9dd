/* Publishes lines for ever, and reconnects. SPDX-License-Identifier: MIT */
#ifndef PUBLISHER_H
#define PUBLISHER_H

#include "line_reader.h"
#include "redis_call.h"

/* Initialise link, channel, repeat, stop_fd and lines.fd, and set all else to 0. */
struct publisher {
    struct redis_link link;
    struct line_reader lines;
    const char *channel;
    bool repeat;                /* repeat a line that was sent without a reply: subscribers may get it twice */
    int stop_fd;                /* the program stops when it becomes readable */
    unsigned long published, unheard, unknown;  /* unheard: published without a subscriber at this server;
                                                   unknown: sent without a reply, and not repeated */
};

/* An operation for redial_run: one connection from its beginning to its end. DONE: all lines are published, and the
   input has ended. No line is lost while the server is away: it stays unread, or in the buffer. A server that became a
   replica is noticed within a second, and at once where nobody subscribed to it. Set link.master. */
struct redial_outcome publisher_connection(void *user, const struct redial_attempt *attempt);

#endif
