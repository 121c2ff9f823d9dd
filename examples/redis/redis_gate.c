/* What one gate for a fleet saves: processes share a quota with a gate in each of them, with one gate for all, and with
   one whose Redis is killed in the middle. Needs hiredis, and redis-server or valkey-server.
   SPDX-License-Identifier: MIT

       redis_gate --processes 50 --redis valkey-server

   To copy: shared_gate.c, and from struct machine to note, how a program uses it. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "../common/http_client.h"
#include "../common/interrupt.h"
#include "../common/load_server.h"
#include "../common/loopback.h"
#include "options.h"
#include "shared_gate.h"

#define MOST_PROCESSES 200
#define MOST_WORKERS 32

static uint32_t processes = 20, workers = 2, every_ms = 4000, quota = 10, pause_s = 5, time_s = 20;
static const char *redis_program = "redis-server";

/* All processes share it. */
static struct counts {
    atomic_uint requests, refused;
    atomic_uint early;          /* requests that were sent while the quota was known to be used up */
    atomic_uint alone;          /* failures of Redis that a process was told */
    atomic_bool over;
    pid_t parent;
} *counts;

_Noreturn static void give_up(const char *what, int error)
{
    fprintf(stderr, "redis_gate: %s: %s\n", what, strerror(error));
    exit(EXIT_FAILURE);
}

/* ---- one machine: a process with workers ---- */

struct machine {
    struct shared_gate gate;
    struct redial_policy policy;
    struct http_url url;
};

static struct redial_outcome request(void *user, const struct redial_attempt *attempt)
{
    struct machine *machine = user;
    uint32_t closed_ms = shared_gate_check(&machine->gate);
    struct http_result result;
    char text[512];
    if (closed_ms)
        return redial_postponed(closed_ms);
    result = http_get(&machine->url, attempt->timeout_ms, NULL, text, sizeof text);
    if (result.status == 429)
        shared_gate_close(&machine->gate, result.retry_after_ms);
    return http_outcome(&result);
}

static bool is_over(const struct redial_env *env)
{
    return interrupt_cancelled(env) || counts->over || getppid() != counts->parent;
}

static void *work(void *user)
{
    struct machine *machine = user;
    struct redial_env env = *redial_system();
    env.cancelled = is_over;
    while (env.wait_ms(&env, env.random(&env) % (2 * every_ms + 1)))
        redial_run(&machine->policy, &env, request, machine, NULL);
    return NULL;
}

static void note(struct shared_gate *shared, const char *why)
{
    (void)shared;
    counts->alone += why != NULL;
}

static void be_machine(const char *name, uint16_t port, uint16_t redis_port)
{
    static struct machine machine = { .gate = { .told = note }, .policy = REDIAL_POLICY_DEFAULT };
    pthread_t threads[MOST_WORKERS];
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u/", (unsigned)port);
    http_parse_url(url, &machine.url);
    machine.gate.key = name;
    machine.gate.link.host = redis_port ? "127.0.0.1" : NULL;
    machine.gate.link.port = redis_port;
    shared_gate_init(&machine.gate, redial_system());
    machine.policy.max_retries = REDIAL_NO_LIMIT;
    for (uint32_t i = 0; i < workers; i++)
        if ((errno = pthread_create(&threads[i], NULL, work, &machine)) != 0)
            give_up("a thread", errno);
    for (uint32_t i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    _exit(0);
}

/* ---- the two servers ---- */

/* After more requests in a second than the quota allows, it refuses all for pause_s. */
static const char *answer(const char *path)
{
    static char refusal[64];
    static uint32_t second_ms, refused_ms;
    static unsigned used;
    static bool refuses;
    uint32_t now_ms = redial_system()->now_ms(redial_system());
    (void)path;
    refuses = refuses && now_ms - refused_ms < pause_s * 1000;
    counts->requests++;
    counts->early += refuses;
    if (!refuses) {
        used = now_ms - second_ms < 1000 ? used + 1 : 1;
        second_ms = used == 1 ? now_ms : second_ms;
        if (used <= quota)
            return "200 OK\r\n\r\n";
        refuses = true;
        refused_ms = now_ms;
    }
    counts->refused++;
    snprintf(refusal, sizeof refusal, "429 Too Many Requests\r\nRetry-After: %u\r\n\r\n",
             (unsigned)(pause_s - (now_ms - refused_ms) / 1000));
    return refusal;
}

struct redis { pid_t pid; uint16_t port; };

static void start_redis(struct redis *redis)
{
    extern char **environ;
    char text[8], *line[] = { (char *)(uintptr_t)redis_program, "--port", text, "--bind", "127.0.0.1", "--save", "",
                              "--logfile", "/dev/null", NULL };
    int error, fd = loopback_socket(&redis->port);
    if (fd < 0)
        give_up("a port for Redis", errno);
    snprintf(text, sizeof text, "%u", (unsigned)redis->port);
    close(fd);
    error = posix_spawnp(&redis->pid, redis_program, NULL, NULL, line, environ);
    if (error != 0)
        give_up(redis_program, error);
}

static void stop_redis(struct redis *redis)
{
    if (redis->pid > 0 && kill(redis->pid, SIGKILL) == 0)
        waitpid(redis->pid, NULL, 0);
    redis->pid = 0;
}

/* ---- one run ---- */

static void wait_and_show(const char *name, struct redis *killed)
{
    const struct redial_env *env = redial_system();
    for (uint32_t s = 0; s < time_s && !interrupted; s++) {
        if (killed && s == time_s / 2)
            stop_redis(killed);
        fprintf(stderr, "\r%s: %u of %u s, %u requests ", name, (unsigned)s, (unsigned)time_s, counts->requests);
        env->wait_ms(env, 1000);
    }
    fprintf(stderr, "\r%72s\r", "");
}

static void run(const char *name, uint16_t redis_port, struct redis *killed)
{
    pid_t pids[MOST_PROCESSES];
    struct load_server load;
    memset(counts, 0, sizeof *counts);
    counts->parent = getpid();
    if (load_server_start(&load, answer) != 0)
        give_up("the server", errno);
    for (uint32_t i = 0; i < processes; i++)
        if ((pids[i] = fork()) == 0)
            be_machine(name, load.port, redis_port);
        else if (pids[i] < 0)
            give_up("a process", errno);
    wait_and_show(name, killed);
    counts->over = true;
    for (uint32_t i = 0; i < processes; i++)
        waitpid(pids[i], NULL, 0);
    printf("%-24s%9u%8u%8u%11u%16u\n", name, counts->requests, counts->requests - counts->refused,
           counts->refused, counts->early, counts->alone);
    fflush(stdout);
    load_server_stop(&load);
}

/* ---- the program ---- */

int main(int argc, char **argv)
{
    const struct option options[] = {
        { "processes", "N", "how many share the quota", &processes, 1, MOST_PROCESSES, NULL, NULL },
        { "workers", "N", "threads in each", &workers, 1, MOST_WORKERS, NULL, NULL },
        { "every", "TIME", "the mean time from one call of a worker to its next", &every_ms, 1, 1000000, NULL, NULL },
        { "quota", "N", "requests in a second, for all", &quota, 1, 100000, NULL, NULL },
        { "pause", "SECONDS", "the Retry-After of a 429", &pause_s, 1, 300, NULL, NULL },
        { "time", "SECONDS", "of each of the three runs", &time_s, 1, 3600, NULL, NULL },
        { "redis", "PROGRAM", "the gate's server [redis-server]", NULL, 0, 0, NULL, &redis_program },
        { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL },
    };
    struct redis redis;
    options_read(argc, argv, "Processes share a quota: with a gate in each of them, and with one for all.", options);
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED)
        give_up("memory", errno);
    signal(SIGPIPE, SIG_IGN);
    interrupt_catch();
    start_redis(&redis);
    printf("%-24s requests  served    429s  too early  Redis failures\n", "");
    fflush(stdout);
    run("a gate in each process", 0, NULL);
    if (!interrupted && waitpid(redis.pid, NULL, WNOHANG) != 0) {
        fprintf(stderr, "redis_gate: %s has ended: it is no Redis server, or could not start\n", redis_program);
        return EXIT_FAILURE;
    }
    if (!interrupted)
        run("one gate for all", redis.port, NULL);
    if (!interrupted)
        run("Redis killed midway", redis.port, &redis);
    stop_redis(&redis);
    return interrupted ? EXIT_FAILURE : EXIT_SUCCESS;
}
