/* Twenty processes share a quota for 20 s: with a gate in each of them, or with one gate for all in
   Redis. Their HTTP server is built in. SPDX-License-Identifier: MIT

       redis_gate                     a gate in each process
       redis_gate 127.0.0.1 6379      one for all; the password is in REDISCLI_AUTH

   To copy: shared_gate.c and redis_error.c; `request` and `held` show how a program uses them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/http_client.h"
#include "../common/interrupt.h"
#include "../common/load_server.h"
#include "shared_gate.h"

#define PROCESSES 20
#define EVERY_MS 2000   /* the mean time from one call of a process to its next */
#define QUOTA 10        /* requests in a second, for all */
#define PAUSE_S 5       /* after more than that, all are refused for so long */
#define RUN_MS 20000

/* max_elapsed_ms ends a call that is held again and again. */
static const struct redial_policy policy = {
    .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000, .max_retries = 5,
    .max_elapsed_ms = 60000, .attempt_ms = 5000
};

struct client {
    struct shared_gate gate;
    struct http_url url;
};

static struct redial_outcome request(void *user, const struct redial_attempt *attempt)
{
    struct client *client = user;
    char text[512];
    struct http_result result = http_get(&client->url, attempt->timeout_ms, NULL, text, 512);
    uint32_t ms = result.retry_after_ms < 1000 ? 1000 : result.retry_after_ms;
    if (result.status == 429)   /* it holds for all: see redial_gate in redial.h */
        shared_gate_close(&client->gate, ms < 5000 ? ms : 5000);
    return http_outcome(&result);
}

static uint32_t held(const struct redial_env *env)
{
    struct client *client = env->user;
    return shared_gate_left_ms(&client->gate);
}

static void print_why(struct shared_gate *gate, const char *why)
{
    (void)gate;
    if (why)
        fprintf(stderr, "each process has a gate of its own: %s\n", why);
    else
        fprintf(stderr, "there is one gate for all\n");
}

static _Noreturn void be_client(struct client *client)
{
    struct redial_env env = *redial_system();
    shared_gate_init(&client->gate, redial_system());
    env.cancelled = interrupt_cancelled;
    env.hold_ms = held;
    env.user = client;
    while (env.wait_ms(&env, env.random(&env) % (2 * EVERY_MS + 1)))
        redial_run(&policy, &env, request, client, NULL);
    exit(EXIT_SUCCESS);
}

/* ---- the HTTP server ---- */

static const char *answer(const char *path)
{
    static char text[128];
    static unsigned served, refused, used;
    static uint32_t since_ms, until_ms;   /* of the second in which `used` counts; of the pause */
    uint32_t now_ms = redial_system()->now_ms(redial_system());
    if (strcmp(path, "/report") == 0) {
        snprintf(text, sizeof text, "200 OK\r\n\r\n%u served, %u refused", served, refused);
        return text;
    }
    if (until_ms - now_ms > PAUSE_S * 1000) {
        used = now_ms - since_ms < 1000 ? used + 1 : 1;
        since_ms = used == 1 ? now_ms : since_ms;
        if (used <= QUOTA)
            return served++, "200 OK\r\n\r\n";
        until_ms = now_ms + PAUSE_S * 1000;
    }
    refused++;
    snprintf(text, sizeof text, "429 Too Many Requests\r\nRetry-After: %u\r\n\r\n",
             (unsigned)(until_ms - now_ms) / 1000 + 1);
    return text;
}

/* ---- the program ---- */

int main(int argc, char **argv)
{
    struct client client = { .gate = { .name = "redis_gate", .told = print_why } };
    struct redial_env env = *redial_system();
    struct load_server server;
    struct http_result result;
    char text[512];
    pid_t pids[PROCESSES];
    if (argc != 1 && argc != 3) {
        fprintf(stderr, "usage: redis_gate [HOST PORT]\n");
        return 2;
    }
    client.gate.host = argc == 3 ? argv[1] : NULL;
    client.gate.port = argc == 3 ? argv[2] : NULL;
    client.gate.password = getenv("REDISCLI_AUTH");
    interrupt_catch();
    if (load_server_start(&server, answer) != 0) {
        perror("redis_gate");
        return EXIT_FAILURE;
    }
    snprintf(text, sizeof text, "http://127.0.0.1:%u/", (unsigned)server.port);
    http_parse_url(text, &client.url);
    for (unsigned i = 0; i < PROCESSES; i++, client.gate.told = NULL)   /* the first one tells */
        if ((pids[i] = fork()) == 0)
            be_client(&client);
    env.cancelled = interrupt_cancelled;
    env.wait_ms(&env, RUN_MS);
    for (unsigned i = 0; i < PROCESSES; i++)
        if (pids[i] > 0 && kill(pids[i], SIGTERM) == 0)
            waitpid(pids[i], NULL, 0);
    strcpy(client.url.target, "/report");
    result = http_get(&client.url, 5000, NULL, text, sizeof text);
    puts(result.error ? "no report" : result.body);
    load_server_stop(&server);
    return EXIT_SUCCESS;
}
