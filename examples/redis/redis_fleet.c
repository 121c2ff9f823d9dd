/* Many clients of Redis in one thread lose their server at the same moment. It shows when they come back. It uses
   redial_begin and redial_next, hiredis' async interface and libuv. SPDX-License-Identifier: MIT

       redis_fleet --port 6379                  then stop the server, and start it again
       redis_fleet --port 6379 --mode none      the same without jitter

   To copy: redis_uv.c, a connection that reconnects. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/options.h"
#include "redis_uv.h"

#define MOST 1000
#define ROWS 20
#define WIDTH 50
#define BAR "##################################################"
#define PASSWORD "REDISCLI_AUTH"    /* redis-cli reads it, too */

enum state { NOT_YET, UP, LOST, BACK };

struct member {
    struct redis_uv client;
    enum state state;
    uint32_t due_ms;            /* in the state LOST: the time of the first retry */
};

static struct fleet {
    struct member members[MOST];
    uint32_t size, ended, first_loss_ms;
    unsigned long attempts;     /* since the first loss */
    bool any_lost, failed;
    uv_signal_t interrupt;
} fleet;

static uint32_t clock_ms(void)
{
    return redial_system()->now_ms(redial_system());
}

/* Called when a client has reached the state. True: all clients have reached it. */
static bool all_are(enum state state, struct redis_uv *client)
{
    uint32_t count = 0;
    ((struct member *)client->user)->state = state;
    for (uint32_t i = 0; i < fleet.size; i++)
        count += fleet.members[i].state >= state;
    return count == fleet.size;
}

/* ---- the end ---- */

static void stop_all(void)
{
    for (uint32_t i = 0; i < fleet.size; i++)
        redis_uv_stop(&fleet.members[i].client);
}

static void on_interrupt(uv_signal_t *handle, int number)
{
    (void)handle;
    (void)number;
    fleet.failed = true;
    stop_all();
}

static void on_end(struct redis_uv *client, enum redial_verdict verdict)
{
    if (verdict != REDIAL_CANCELLED) {
        fprintf(stderr, "redis_fleet: %s: %s\n", redial_verdict_name(verdict), client->error);
        fleet.failed = true;
    }
    if (++fleet.ended == fleet.size)
        uv_close((uv_handle_t *)&fleet.interrupt, NULL);
}

/* ---- when the retries are due ---- */

static uint32_t due_ms(uint32_t i)
{
    return fleet.members[i].due_ms - fleet.first_loss_ms;
}

static void print_row(uint32_t from_ms, uint32_t row_ms)
{
    uint32_t count = 0, length;
    for (uint32_t i = 0; i < fleet.size; i++)
        count += due_ms(i) >= from_ms && due_ms(i) - from_ms < row_ms;
    length = (count * WIDTH + fleet.size - 1) / fleet.size;
    printf("%8u ms |%.*s %u\n", (unsigned)from_ms, (int)length, BAR, (unsigned)count);
}

static void print_due(void)
{
    uint32_t first_ms = UINT32_MAX, last_ms = 0, row_ms;
    for (uint32_t i = 0; i < fleet.size; i++) {
        first_ms = due_ms(i) < first_ms ? due_ms(i) : first_ms;
        last_ms = due_ms(i) > last_ms ? due_ms(i) : last_ms;
    }
    row_ms = last_ms / ROWS + 1;
    printf("All %u have lost it. Their first retries are due, counted from the first loss:\n", (unsigned)fleet.size);
    for (uint32_t row = first_ms / row_ms; row <= last_ms / row_ms; row++)
        print_row(row * row_ms, row_ms);
    fflush(stdout);
}

/* ---- the hooks of a client ---- */

static void on_wait(struct redis_uv *client, struct redial_outcome outcome, uint32_t delay_ms)
{
    struct member *member = client->user;
    uint32_t now_ms = clock_ms();
    (void)outcome;
    fleet.attempts += member->state == LOST;
    if (member->state != UP)
        return;
    if (!fleet.any_lost)
        fleet.first_loss_ms = now_ms;
    fleet.any_lost = true;
    member->due_ms = now_ms + delay_ms;
    if (all_are(LOST, client))
        print_due();
}

static void on_up(struct redis_uv *client)
{
    const struct member *member = client->user;
    fleet.attempts += member->state == LOST;
    if (member->state == NOT_YET && all_are(UP, client)) {
        printf("All %u are connected. Stop the server now, and start it again.\n", (unsigned)fleet.size);
        fflush(stdout);
    } else if (member->state == LOST && all_are(BACK, client)) {
        printf("All %u are back, after %lu attempts.\n", (unsigned)fleet.size, fleet.attempts);
        stop_all();
    }
}

/* ---- the program ---- */

static void start_all(struct redis_uv client)
{
    client.password = getenv(PASSWORD);
    client.env = redial_system();
    client.on_up = on_up;
    client.on_wait = on_wait;
    client.on_end = on_end;
    for (uint32_t i = 0; i < fleet.size; i++) {
        fleet.members[i].client = client;
        fleet.members[i].client.user = &fleet.members[i];
        redis_uv_start(&fleet.members[i].client);
    }
}

static void read_options(struct redis_uv *client, struct redial_policy *policy, int argc, char **argv)
{
    uint32_t port = 6379, mode = policy->jitter;
    const struct option options[] = {
        { "host", "ADDRESS", "the server [127.0.0.1]", NULL, 0, 0, NULL, &client->host },
        { "port", "N", "the port of the server", &port, 1, 65535, NULL, NULL },
        { "clients", "N", "the number of clients", &fleet.size, 1, MOST, NULL, NULL },
        { "base", "MS", "the first wait", &policy->base_ms, 1, UINT32_MAX, NULL, NULL },
        { "cap", "MS", "the longest wait", &policy->cap_ms, 1, UINT32_MAX, NULL, NULL },
        OPTION_MODE(&mode),
        { "attempt", "MS", "the timeout to connect and get the first reply", &policy->attempt_ms, 1, INT32_MAX,
          NULL, NULL },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL },
    };
    options_read(argc, argv, "Shows when clients come back that lost their server together.\n"
                 "A password is in " PASSWORD ".", options);
    options_set_mode(policy, mode);
    client->port = (int)port;
}

int main(int argc, char **argv)
{
    static struct redial_policy policy = { .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000, .attempt_ms = 5000,
                                           .max_retries = REDIAL_NO_LIMIT, .min_uptime_ms = 10000 };
    struct redis_uv client = { .loop = uv_default_loop(), .host = "127.0.0.1", .policy = &policy };
    fleet.size = 50;
    read_options(&client, &policy, argc, argv);
    signal(SIGPIPE, SIG_IGN);
    start_all(client);
    uv_signal_init(client.loop, &fleet.interrupt);
    uv_signal_start(&fleet.interrupt, on_interrupt, SIGINT);
    uv_run(client.loop, UV_RUN_DEFAULT);
    return uv_loop_close(client.loop) == 0 && !fleet.failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
