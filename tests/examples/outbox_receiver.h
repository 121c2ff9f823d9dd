/* A server on loopback that receives the jobs of an outbox, answers by a plan, and notices two requests of one key at
   once. SPDX-License-Identifier: MIT

   One thread. A request is kept for a moment before it is answered, so that another one of its key would be seen beside
   it. A client that has gone is no longer there, even if its end has not been read yet. */
#ifndef OUTBOX_RECEIVER_H
#define OUTBOX_RECEIVER_H

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "request_text.h"
#include "../../examples/common/loopback.h"
#include "../unit/support.h"

#define RECEIVER_HOSTS 4          /* each a port of its own */
#define RECEIVER_CLIENTS 64
#define RECEIVER_ARRIVALS 8192

/* The answer that a path asks for. While the receiver is CALM, it answers 200 instead of a random status. */
enum answer { ANSWER_OK, ANSWER_503, ANSWER_HOURS, ANSWER_429, ANSWER_404, ANSWER_CUT, ANSWER_HOLD,
              ANSWER_HOLD_FIRST, ANSWER_307, ANSWER_KEEP, ANSWER_LONG, ANSWER_DRAWN };

#define RECEIVER_LONG 200000   /* the length of the body of ANSWER_LONG; all other answers have none */

static const struct { const char *path, *text; } receiver_answers[] = {
    { "/ok", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" },
    { "/503", "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n" },
    { "/hours", "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7200\r\nContent-Length: 0\r\n\r\n" },
    { "/429-first", "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n" },
    { "/404", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n" },
    { "/cut", "" },
    { "/hold", NULL },
    { "/hold-first", NULL },
    { "/307", "HTTP/1.1 307 Elsewhere\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n" },
    { "/keep", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" },   /* and the connection stays open */
    { "/long", "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 200000\r\n\r\n" },
};

struct arrival {
    char key[64], body[64];
    unsigned attempt;
    enum answer answer;
};

struct receiver_client {
    int fd;
    char text[4096];
    size_t length;
    struct arrival *arrival;   /* NULL: the request is not there yet */
    bool answered;             /* and kept open */
    bool sync;                 /* receiver_settle */
};

struct receiver {
    int listeners[RECEIVER_HOSTS], stop[2];
    uint16_t ports[RECEIVER_HOSTS];
    pthread_t thread;
    uint64_t seed;
    atomic_bool calm;
    atomic_uint count;           /* of arrivals; those before it don't change any more */
    atomic_uint overlaps;        /* two requests of one key at once */
    atomic_uint reused;          /* connections on which another request came */
    struct receiver_client clients[RECEIVER_CLIENTS];
    struct arrival arrivals[RECEIVER_ARRIVALS];
};

/* ---- requests ---- */

/* Of 20 requests, 7 are served, 5 unavailable, 2 unavailable for hours, 1 too many, 2 cut and 3 never answered. */
static inline enum answer receiver_draw(struct receiver *receiver)
{
    static const unsigned char shares[] = { 7, 5, 2, 1, 0, 2, 3 };
    unsigned draw = random32(&receiver->seed) % 20, answer = 0;
    if (atomic_load(&receiver->calm))
        return ANSWER_OK;
    while (draw >= shares[answer])
        draw -= shares[answer++];
    return (enum answer)answer;
}

/* -first: the first attempt of each job; the others are served. */
static inline enum answer receiver_plan(struct receiver *receiver, const char *text, unsigned attempt)
{
    for (unsigned i = 0; i < LENGTH(receiver_answers); i++) {
        size_t length = strlen(receiver_answers[i].path);
        if (strncmp(text + 4, receiver_answers[i].path, length) == 0 && text[4 + length] == ' ')
            return attempt > 1 && strstr(receiver_answers[i].path, "-first") ? ANSWER_OK : (enum answer)i;
    }
    return receiver_draw(receiver);
}

static inline bool receiver_gone(const struct receiver_client *client)
{
    char byte;
    return recv(client->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static inline void receiver_look_for_another(struct receiver *receiver, const struct receiver_client *client)
{
    for (unsigned i = 0; i < RECEIVER_CLIENTS; i++) {
        const struct receiver_client *other = &receiver->clients[i];
        if (other != client && other->fd >= 0 && other->arrival
            && !other->answered
            && strcmp(other->arrival->key, client->arrival->key) == 0 && !receiver_gone(other))
            atomic_fetch_add(&receiver->overlaps, 1);
    }
}

static inline void receiver_note(struct receiver *receiver, struct receiver_client *client)
{
    unsigned count = atomic_load(&receiver->count);
    char attempt[64];
    if (count == RECEIVER_ARRIVALS)
        abort();
    client->arrival = &receiver->arrivals[count];
    header_of(client->text, "Idempotency-Key", client->arrival->key);
    header_of(client->text, "X-Attempt", attempt);
    client->arrival->attempt = (unsigned)strtoul(attempt, NULL, 10);
    snprintf(client->arrival->body, sizeof client->arrival->body, "%s", body_of(client->text));
    client->arrival->answer = receiver_plan(receiver, client->text, client->arrival->attempt);
    receiver_look_for_another(receiver, client);
    atomic_store(&receiver->count, count + 1);
}

/* ---- connections ---- */

static inline void receiver_close(struct receiver_client *client)
{
    close(client->fd);
    client->fd = -1;
}

static inline void receiver_accept(struct receiver *receiver, int listener)
{
    unsigned i = 0;
    while (i < RECEIVER_CLIENTS && receiver->clients[i].fd >= 0)
        i++;
    if (i == RECEIVER_CLIENTS)
        abort();
    memset(&receiver->clients[i], 0, sizeof receiver->clients[i]);
    receiver->clients[i].fd = accept(listener, NULL, NULL);
}

static inline void receiver_read(struct receiver *receiver, struct receiver_client *client)
{
    size_t left = sizeof client->text - 1 - client->length;
    ssize_t more = recv(client->fd, client->text + client->length, left, 0);
    if (more <= 0) {
        receiver_close(client);
        return;
    }
    atomic_fetch_add(&receiver->reused, client->answered);
    client->length += (size_t)more;
    client->text[client->length] = '\0';
    client->sync = strcmp(client->text, "SYNC") == 0;
    if (!client->arrival && !client->sync && body_of(client->text) && client->length >= length_of(client->text))
        receiver_note(receiver, client);
}

static inline unsigned receiver_open_clients(const struct receiver *receiver)
{
    unsigned i, open = 0;
    for (i = 0; i < RECEIVER_CLIENTS; i++)
        open += receiver->clients[i].fd >= 0;
    return open;
}

/* False: nobody was there any more. */
static inline bool receiver_send(const struct receiver_client *client, const char *text)
{
    static const char body[RECEIVER_LONG];
    ssize_t length = client->arrival->answer == ANSWER_LONG ? RECEIVER_LONG : 0;
    return send(client->fd, text, strlen(text), MSG_NOSIGNAL) > 0
           && send(client->fd, body, (size_t)length, MSG_NOSIGNAL) == length;
}

/* Answers what was there before this round, sometimes only in the next one. */
static inline void receiver_answer(struct receiver *receiver, struct receiver_client *client)
{
    const char *text = client->arrival ? receiver_answers[client->arrival->answer].text : NULL;
    if (client->answered)
        return;
    if (text && random32(&receiver->seed) % 4 > 0) {
        if (*text && !receiver_send(client, text))
            client->arrival->answer = ANSWER_CUT;
        client->answered = client->arrival->answer == ANSWER_KEEP;
        if (!client->answered)
            receiver_close(client);
    } else if (client->sync && receiver_open_clients(receiver) == 1)
        receiver_close(client);
}

/* Fills in the descriptors to wait for, those of the clients first. */
static inline void receiver_turn(struct receiver *receiver, struct pollfd *fds)
{
    for (unsigned i = 0; i < RECEIVER_CLIENTS; i++)
        if (fds[i].revents)
            receiver_read(receiver, &receiver->clients[i]);
        else if (fds[i].fd >= 0)
            receiver_answer(receiver, &receiver->clients[i]);
    for (unsigned i = 0; i < RECEIVER_HOSTS; i++)
        if (fds[RECEIVER_CLIENTS + i].revents)
            receiver_accept(receiver, receiver->listeners[i]);
}

static inline void *receiver_serve(void *user)
{
    struct receiver *receiver = user;
    struct pollfd fds[RECEIVER_CLIENTS + RECEIVER_HOSTS + 1];
    for (;;) {
        for (unsigned i = 0; i < RECEIVER_CLIENTS; i++)
            fds[i] = (struct pollfd){ receiver->clients[i].fd, POLLIN, 0 };
        for (unsigned i = 0; i < RECEIVER_HOSTS; i++)
            fds[RECEIVER_CLIENTS + i] = (struct pollfd){ receiver->listeners[i], POLLIN, 0 };
        fds[RECEIVER_CLIENTS + RECEIVER_HOSTS] = (struct pollfd){ receiver->stop[0], POLLIN, 0 };
        poll(fds, LENGTH(fds), receiver_open_clients(receiver) ? 2 : -1);
        if (fds[RECEIVER_CLIENTS + RECEIVER_HOSTS].revents)
            return NULL;
        receiver_turn(receiver, fds);
    }
}

/* ---- the test ---- */

static inline bool receiver_start(struct receiver *receiver, uint64_t seed)
{
    memset(receiver, 0, sizeof *receiver);
    receiver->seed = seed;
    for (unsigned i = 0; i < RECEIVER_CLIENTS; i++)
        receiver->clients[i].fd = -1;
    for (unsigned i = 0; i < RECEIVER_HOSTS; i++) {
        receiver->listeners[i] = loopback_socket(&receiver->ports[i]);
        if (receiver->listeners[i] < 0 || listen(receiver->listeners[i], 64) != 0)
            return false;
    }
    return pipe(receiver->stop) == 0 && pthread_create(&receiver->thread, NULL, receiver_serve, receiver) == 0;
}

static inline void receiver_stop(struct receiver *receiver)
{
    close(receiver->stop[1]);
    pthread_join(receiver->thread, NULL);
    close(receiver->stop[0]);
    for (unsigned i = 0; i < RECEIVER_CLIENTS; i++)
        if (receiver->clients[i].fd >= 0)
            close(receiver->clients[i].fd);
    for (unsigned i = 0; i < RECEIVER_HOSTS; i++)
        close(receiver->listeners[i]);
}

/* Once all clients have ended: returns when it has read all that they sent. */
static inline bool receiver_settle(const struct receiver *receiver)
{
    for (unsigned i = 0; i < RECEIVER_HOSTS; i++) {
        struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(receiver->ports[i]),
                                       .sin_addr = { htonl(INADDR_LOOPBACK) } };
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        char byte;
        bool ok = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0
                  && send(fd, "SYNC", 4, MSG_NOSIGNAL) == 4 && recv(fd, &byte, 1, 0) == 0;
        close(fd);
        if (!ok)
            return false;
    }
    return true;
}

/* Counts the arrivals of this key. 0: all. */
static inline unsigned receiver_count(const struct receiver *receiver, const char *key)
{
    unsigned i, count = 0, all = atomic_load(&receiver->count);
    for (i = 0; i < all; i++)
        count += !key || strcmp(receiver->arrivals[i].key, key) == 0;
    return count;
}

#endif
