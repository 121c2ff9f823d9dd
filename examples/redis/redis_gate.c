/* Twenty machines share a quota for 20 s: each has a gate of its own, or all have one in Redis. A
   thread plays each machine, and the HTTP server is built in. It needs libcurl 7.61.
   SPDX-License-Identifier: MIT

       redis_gate                     a gate for each machine
       redis_gate 127.0.0.1 6379      one for all; the password is in REDISCLI_AUTH

   To copy: shared_gate.c and redis_error.c; `request` and `held` show how a program uses them. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/demo_server.h"
#include "../common/interrupt.h"
#include "../common/stdout.h"
#include "redial_curl.h"
#include "shared_gate.h"

/* max_elapsed_ms ends a call that is held again and again. */
static const struct redial_policy policy = {
    .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000, .max_retries = 5,
    .max_elapsed_ms = 60000, .attempt_ms = 5000
};

static atomic_uint served, refused;

static CURL *open_request(uint16_t port)
{
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_URL, "http://127.0.0.1/");
    curl_easy_setopt(curl, CURLOPT_PORT, (long)port);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");   /* whatever the environment says */
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    return curl;
}

/* gate->user is the machine's handle. */
static struct redial_outcome request(void *user, const struct redial_attempt *attempt)
{
    struct shared_gate *gate = user;
    struct redial_outcome outcome = redial_curl_perform(gate->user, attempt->timeout_ms, "GET");
    served += outcome.code == 200;
    refused += outcome.code == 429;
    if (outcome.code == 429)   /* it holds for all: see redial_gate in redial.h */
        shared_gate_throttle(gate, outcome.retry_after_ms);
    return outcome;
}

static uint32_t held(const struct redial_env *env)
{
    return shared_gate_left_ms(env->user);
}

/* A machine: one call after the other, with up to 4 s between them. */
static void *work(void *gate)
{
    struct redial_env env = *redial_system();
    shared_gate_init(gate, redial_system());
    env.hold_ms = held;
    env.user = gate;
    while (env.wait_ms(&env, env.random(&env) % 4000))
        redial_run(&policy, &env, request, gate, NULL);
    return NULL;
}

static void print_why(struct shared_gate *gate, const char *why)
{
    fprintf(stderr, "%s: %s\n", gate->name, why ? why : "there is one gate for all");
}

/* The server allows 20 requests in 5 s. The machines want to send 50. */
static const char *answer(const char *path)
{
    static uint32_t used, since_ms;
    uint32_t now_ms = redial_system()->now_ms(redial_system());
    (void)path;
    if (now_ms - since_ms >= 5000) {
        since_ms = now_ms;
        used = 0;
    }
    return used++ < 20 ? "200 OK\r\n\r\n" : "429 Too Many Requests\r\nRetry-After: 5\r\n\r\n";
}

/* The server and the threads end with the program. */
static bool start(struct shared_gate gate)
{
    static struct shared_gate gates[20];
    struct demo_server server = { .port = 0 };
    pthread_t thread;
    bool fine = demo_server_start(&server, answer) == 0 && curl_global_init(CURL_GLOBAL_ALL) == 0;
    for (unsigned i = 0; fine && i < sizeof gates / sizeof *gates; i++) {
        gates[i] = gate;
        gates[i].user = open_request(server.port);
        gate.told = NULL;   /* the first machine tells for all */
        fine = gates[i].user && pthread_create(&thread, NULL, work, &gates[i]) == 0;
    }
    return fine;
}

int main(int argc, char **argv)
{
    struct shared_gate gate = { .name = "redis_gate", .told = print_why };
    struct redial_env env = *redial_system();
    signal(SIGPIPE, SIG_IGN);
    stdout_begin();
    if (argc != 1 && argc != 3) {
        fprintf(stderr, "usage: redis_gate [HOST PORT]\n");
        return 2;
    }
    gate.host = argv[1];
    gate.port = argc == 3 ? argv[2] : NULL;
    gate.password = getenv("REDISCLI_AUTH");
    env.cancelled = interrupt_cancelled;
    interrupt_catch();
    if (!start(gate)) {
        fprintf(stderr, "redis_gate: the server or a thread could not be started\n");
        return 1;
    }
    env.wait_ms(&env, 20000);
    printf("%u served, %u refused\n", served, refused);
    return stdout_end("redis_gate", EXIT_SUCCESS);
}
