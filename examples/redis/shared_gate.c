/* The gate of shared_gate.h. SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "redis_error.h"
#include "shared_gate.h"

#define REPLY_MS 50      /* a caller waits no longer for a reply */
#define PERIOD_MS 1000   /* between two questions */
#define SILENCE_MS 5000  /* a connection may take so long to open, and a reply to come */
#define COMMAND_SIZE 2048

/* WIDE, because many machines lose their server at the same moment. */
static const struct redial_policy connecting = {
    .base_ms = 1000, .cap_ms = 16000, .jitter = REDIAL_JITTER_WIDE, .max_retries = REDIAL_NO_LIMIT
};

/* The arguments are the time to close for, or 0, and our clock, which comes back so that we know
   when we asked. The first line makes it fail on a replica, which may not know of other machines'
   closings. A key without an end (-1) counts as open, and gets one at the next closing. */
static const char script[] =
    "#!lua\n"
    "local left, ms = redis.call('PTTL', KEYS[1]), tonumber(ARGV[1])\n"
    "if ms > 0 and ms > left then\n"
    "  redis.call('SET', KEYS[1], 'closed', 'PX', ms)\n"
    "  left = ms\n"
    "end\n"
    "return redis.status_reply(ARGV[2] .. ' ' .. left)\n";

static uint32_t now_ms(const struct shared_gate *gate)
{
    return gate->env->now_ms(gate->env);
}

static uint32_t local_left_ms(struct shared_gate *gate)
{
    return redial_gate_left_ms(&gate->local, now_ms(gate));
}

/* ---- the connection ---- */

static void disconnect(struct shared_gate *gate)
{
    if (gate->fd >= 0)
        close(gate->fd);
    gate->fd = -1;
    gate->open = gate->answers = false;
}

/* The local gate works alone now, and redial_ready says when to connect again. */
static void fail(struct shared_gate *gate, const char *why)
{
    disconnect(gate);
    redial_next(&gate->call, now_ms(gate), redial_retry(0, 0), gate->env->random(gate->env));
    if (gate->told)
        gate->told(gate, why);
}

static bool is_ready(const struct shared_gate *gate, short events, uint32_t wait_ms)
{
    struct pollfd fd = { gate->fd, events, 0 };
    return poll(&fd, 1, (int)wait_ms) > 0;
}

/* Returns without waiting. */
static void begin_to_connect(struct shared_gate *gate)
{
    struct addrinfo hints = { .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM }, *address;
    int error = getaddrinfo(gate->host, gate->port, &hints, &address);
    if (error != 0) {
        fail(gate, gai_strerror(error));
        return;
    }
    gate->owed = 0;
    gate->length = 0;
    gate->since_ms = now_ms(gate);
    gate->fd = socket(address->ai_family, SOCK_STREAM, 0);
    if (gate->fd < 0 || fcntl(gate->fd, F_SETFD, FD_CLOEXEC) != 0
        || fcntl(gate->fd, F_SETFL, O_NONBLOCK) != 0
        || setsockopt(gate->fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int)) != 0
        || (connect(gate->fd, address->ai_addr, address->ai_addrlen) != 0 && errno != EINPROGRESS))
        fail(gate, strerror(errno));
    freeaddrinfo(address);
}

/* ---- replies: each is one short line ---- */

/* The time is counted from the question, because the reply may have waited here to be read. */
static void learn(struct shared_gate *gate, uint32_t asked_ms, long long left_ms)
{
    uint32_t spent_ms = now_ms(gate) - asked_ms;
    left_ms = left_ms < REDIAL_RETRY_AFTER_MAX_MS ? left_ms : REDIAL_RETRY_AFTER_MAX_MS;
    if (left_ms > spent_ms)
        redial_gate_close(&gate->local, now_ms(gate), (uint32_t)left_ms - spent_ms);
    if (gate->answers)
        return;
    gate->answers = true;
    redial_begin(&gate->call, &connecting, now_ms(gate));
    if (gate->told)
        gate->told(gate, NULL);
}

static void take_reply(struct shared_gate *gate, char *line)
{
    char why[sizeof gate->text];
    unsigned long asked_ms;
    long long left_ms;
    bool greeting = gate->greeting;
    gate->greeting = false;
    if (greeting && strcmp(line, "+OK") == 0) {
        gate->owed--;
    } else if (gate->owed > 0 && sscanf(line, "+%lu %lld", &asked_ms, &left_ms) == 2) {
        gate->owed--;
        learn(gate, (uint32_t)asked_ms, left_ms);
    } else {
        redis_error_copy(why, sizeof why, *line == '-' ? line + 1 : "not a reply to the question");
        if (greeting)
            redis_error_hide_quoted(why);
        fail(gate, why);
    }
}

static void read_replies(struct shared_gate *gate)
{
    size_t room = sizeof gate->text - 1 - gate->length;
    ssize_t got = recv(gate->fd, gate->text + gate->length, room, 0);
    char *line = gate->text, *end;
    if (got <= 0) {
        fail(gate, got == 0 ? "the server closed the connection" : strerror(errno));
        return;
    }
    gate->length += (size_t)got;
    gate->text[gate->length] = '\0';
    while (gate->open && (end = strstr(line, "\r\n")) != NULL) {
        *end = '\0';
        take_reply(gate, line);
        line = end + 2;
    }
    gate->length -= (size_t)(line - gate->text);
    memmove(gate->text, line, gate->length + 1);
    if (gate->open && gate->length == sizeof gate->text - 1)
        fail(gate, "a reply is too long");
}

/* Reads what is there, and what comes within wait_ms, up to the last reply that is owed. */
static void hear(struct shared_gate *gate, uint32_t wait_ms)
{
    uint32_t began_ms = now_ms(gate), spent_ms = 0;
    while (spent_ms <= wait_ms && is_ready(gate, POLLIN, wait_ms - spent_ms)) {
        read_replies(gate);
        if (!gate->open || gate->owed == 0)
            return;
        spent_ms = now_ms(gate) - began_ms;
    }
}

/* ---- questions ---- */

/* A new socket takes it at once, and so does one whose server replies. */
static void send_command(struct shared_gate *gate, const char *const *words, unsigned count)
{
    char text[COMMAND_SIZE];
    size_t length = (size_t)snprintf(text, sizeof text, "*%u\r\n", count);
    ssize_t sent;
    for (unsigned i = 0; i < count && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "$%lu\r\n%s\r\n",
                                   (unsigned long)strlen(words[i]), words[i]);
    if (length >= sizeof text) {
        fail(gate, "the name or the password is too long");
        return;
    }
    sent = send(gate->fd, text, length, MSG_NOSIGNAL);
    if (sent != (ssize_t)length) {
        fail(gate, sent < 0 ? strerror(errno) : "the server does not read");
        return;
    }
    gate->since_ms = gate->owed++ ? gate->since_ms : now_ms(gate);
}

static void ask(struct shared_gate *gate)
{
    bool unsent = atomic_exchange(&gate->unsent, false);
    char key[COMMAND_SIZE], ms[11], asked_ms[11];
    const char *const words[] = { "EVAL", script, "1", key, ms, asked_ms };
    gate->asked_ms = now_ms(gate);
    snprintf(key, sizeof key, "redial:gate:%s", gate->name);
    snprintf(ms, sizeof ms, "%lu", unsent ? (unsigned long)local_left_ms(gate) : 0);
    snprintf(asked_ms, sizeof asked_ms, "%lu", (unsigned long)gate->asked_ms);
    send_command(gate, words, 6);
}

/* The connection is open. The first question tells what was closed before. */
static void greet(struct shared_gate *gate)
{
    const char *const words[] = { "AUTH", gate->password };
    gate->open = true;
    gate->greeting = gate->password != NULL;
    gate->unsent = true;
    if (gate->password)
        send_command(gate, words, 2);
}

/* It ends at most wait_ms after the last question was sent. */
static void advance(struct shared_gate *gate, uint32_t wait_ms)
{
    uint32_t spent_ms;
    if (gate->fd < 0 && redial_ready(&gate->call, now_ms(gate)).verdict == REDIAL_ATTEMPT)
        begin_to_connect(gate);
    if (gate->fd >= 0 && !gate->open && is_ready(gate, POLLOUT, 0))
        greet(gate);
    if (gate->open)
        hear(gate, 0);
    if (gate->fd >= 0 && (!gate->open || gate->owed > 0)
        && now_ms(gate) - gate->since_ms >= SILENCE_MS)
        fail(gate, "no reply in time");
    if (gate->open && (gate->unsent || (gate->owed == 0
                                        && now_ms(gate) - gate->asked_ms >= PERIOD_MS)))
        ask(gate);
    spent_ms = now_ms(gate) - gate->asked_ms;
    if (gate->open && gate->owed > 0 && spent_ms < wait_ms)
        hear(gate, wait_ms - spent_ms);
}

/* No thread waits for another one. One that closes the gate while another one is busy leaves it to
   that one to tell the server. */
static void work(struct shared_gate *gate, uint32_t wait_ms)
{
    bool open;
    do {
        if (!gate->host || atomic_exchange(&gate->busy, true))
            return;
        advance(gate, wait_ms);
        open = gate->open;
        gate->busy = false;
        wait_ms = 0;
    } while (open && gate->unsent);
}

/* ---- what the program calls ---- */

void shared_gate_init(struct shared_gate *gate, const struct redial_env *env)
{
    gate->env = env;
    gate->fd = -1;
    redial_begin(&gate->call, &connecting, now_ms(gate));
    work(gate, 0);
}

uint32_t shared_gate_left_ms(struct shared_gate *gate)
{
    work(gate, REPLY_MS);
    return local_left_ms(gate);
}

void shared_gate_throttle(struct shared_gate *gate, uint32_t retry_after_ms)
{
    redial_gate_throttle(&gate->local, now_ms(gate), retry_after_ms);
    gate->unsent = true;
    work(gate, 0);
}

void shared_gate_end(struct shared_gate *gate)
{
    if (gate->env)
        disconnect(gate);
}
