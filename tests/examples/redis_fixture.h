/* For the tests of the examples with Redis: a real server on loopback, without data, that is killed
   and started again on the same port. SPDX-License-Identifier: MIT */
#ifndef REDIS_FIXTURE_H
#define REDIS_FIXTURE_H

#include "../common/program.h"
#include <hiredis/hiredis.h>
#include "../common/server.h"
#include "../../examples/common/loopback.h"

static uint16_t redis_port;
static pid_t redis_server;
static redisContext *admin;         /* the test's own connection; NULL: none */
static struct server scripted;      /* plays a Redis that a real one can't be made to be */

static inline void kill_server(void)
{
    redisFree(admin);
    admin = NULL;
    if (redis_server > 0 && kill(redis_server, SIGKILL) == 0)
        waitpid(redis_server, NULL, 0);
    redis_server = 0;
}

/* NULL: the server is not there yet. */
static inline redisReply *try_to_tell(const char *text)
{
    redisReply *reply;
    admin = admin ? admin : redisConnect("127.0.0.1", redis_port);
    assert_non_null(admin);
    reply = admin->err ? NULL : redisCommand(admin, text);
    if (!reply) {
        redisFree(admin);
        admin = NULL;
        usleep(1000);
    }
    return reply;
}

/* Waits for a server that is being started. Returns the number in the reply. */
static inline long long tell(const char *text)
{
    uint32_t since_ms = real_now_ms();
    redisReply *reply = NULL;
    long long number;
    while (!reply && real_now_ms() - since_ms < PATIENCE_MS)
        reply = try_to_tell(text);
    if (!reply || reply->type == REDIS_REPLY_ERROR)
        fail_msg("%s: %s", text, reply ? reply->str : "there is no server");
    number = reply->str ? strtoll(reply->str, NULL, 10) : reply->integer;
    freeReplyObject(reply);
    return number;
}

static inline void fresh_server(void)
{
    char port[8];
    const char *line[] = { SERVER, "--port", port, "--bind", "127.0.0.1", "--save", "",
                           "--dbfilename", "none.rdb", "--logfile", "/dev/null", NULL };
    kill_server();
    snprintf(port, sizeof port, "%u", (unsigned)redis_port);
    redis_server = fork();
    assert_true(redis_server >= 0);
    if (redis_server == 0)
        program_become(line);
    tell("PING");
}

/* ---- before all tests, and after ---- */

/* Keeps a free port over restarts. The socket is bound and never listens, so that nobody else gets
   the port, and the server may share it. While the server is away, connections are refused. */
static inline int make_place(void **state)
{
    int yes = 1, fd = loopback_socket(&redis_port);
    signal(SIGPIPE, SIG_IGN);
    return fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 ? 0 : -1;
}

static inline int remove_place(void **state)
{
    kill_server();
    server_stop(&scripted);
    return 0;
}

#endif
