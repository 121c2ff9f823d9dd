/* An outbox for HTTP PUTs that must arrive. It stores each one with the state of its retries until it arrives, even if
   that takes days, restarts and crashes. It needs libcurl and SQLite; libpq for a store that several machines share.
   SPDX-License-Identifier: MIT

       outbox add https://hooks.example.com/orders/17 --body order.json
       outbox run                  # in as many processes as you like; systemd or the like starts it again
       outbox requeue --job 17     # sends a job again that was given up
       outbox run --store postgresql://db.example.com/outbox      # PGPASSWORD or ~/.pgpass hold the password

   To copy: job.c, the decisions, and what to store of a call; store.c, the order in which they are written; worker.c,
   the loop. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/interrupt.h"
#include "options.h"
#include "send.h"
#include "worker.h"

#define BODY_MAX (16u << 20)
#define DAY_MS 86400000u

static const char about[] =
    "An outbox: HTTP PUTs that must arrive. It stores each one until it has arrived.\n"
    "  outbox add URL --body FILE   stores one for delivery, and prints its number\n"
    "  outbox run                   delivers what is due, until it is stopped\n"
    "  outbox requeue               sends again what was given up\n"
    "Each of them has more options: outbox add --help.";

#define OPTION_STORE(name) \
    { "store", "STORE", "a file, or postgresql://... [outbox.db]", NULL, 0, 0, NULL, name }
#define OPTION_END { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "outbox: %s: %s\n", what, why);
    return EXIT_FAILURE;
}

/* ---- add ---- */

/* Each of the four parts is random bits of the system: good enough for keys that must differ. */
static void make_key(char key[33])
{
    const struct redial_env *env = redial_system();
    unsigned i;
    for (i = 0; i < 4; i++)
        snprintf(key + 8 * i, 9, "%08" PRIx32, env->random(env));
}

/* False: the file can't be read, or is longer than BODY_MAX. */
static bool read_all(FILE *file, char **body, size_t *length)
{
    *body = malloc(BODY_MAX + 1);
    *length = *body ? fread(*body, 1, BODY_MAX + 1, file) : 0;
    return *body && !ferror(file) && *length <= BODY_MAX;
}

static bool read_body(const char *name, char **body, size_t *length)
{
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    bool ok = file && read_all(file, body, length);
    if (file && file != stdin)
        fclose(file);
    return ok;
}

static int keep(const char *store, struct job *job)
{
    struct db db;
    bool ok = store_open(&db, store, redial_system()) && store_add(&db, job);
    if (!ok)
        fail("the store", db.error);
    db_close(&db);
    if (ok)
        printf("job %lld\n", (long long)job->id);
    return ok && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static char *copy(const char *text)
{
    char *out = malloc(strlen(text) + 1);
    if (out)
        strcpy(out, text);
    return out;
}

struct add_options {
    const char *store, *url, *body;
};

/* Removes the URL, which is not an option, from the arguments. */
static void read_add_options(struct add_options *all, int argc, char **argv)
{
    const struct option options[] = {
        { "body", "FILE", "what to send, JSON; -: from stdin", NULL, 0, 0, NULL, &all->body },
        OPTION_STORE(&all->store), OPTION_END,
    };
    if (argc > 1 && strncmp(argv[1], "--", 2) != 0) {
        all->url = argv[1];
        argv[1] = argv[0];
        argc--;
        argv++;
    }
    options_read(argc, argv, "outbox add URL: stores a PUT for delivery.", options);
    if (!all->body)
        options_refuse("--body", "must be given");
}

static int add(int argc, char **argv)
{
    struct add_options all = { "outbox.db", NULL, NULL };
    struct job job = { .id = 0 };
    int status;
    read_add_options(&all, argc, argv);
    if (!all.url || !send_host_of(all.url, job.host))
        options_refuse("add", "a URL of http or https must follow");
    make_key(job.key);
    job.url = copy(all.url);
    if (!read_body(all.body, &job.body, &job.length))
        status = fail(all.body, "can't be read, or is longer than 16 MiB");
    else
        status = job.url ? keep(all.store, &job) : fail("add", "there is no memory");
    job_free(&job);
    return status;
}

/* ---- run ---- */

static void set_defaults(struct worker *worker)
{
    memset(worker, 0, sizeof *worker);
    worker->store = "outbox.db";
    worker->policy = (struct redial_policy){ .base_ms = 10000, .cap_ms = 3600000, .jitter_ms = 1000,
                                             .max_retries = REDIAL_NO_LIMIT, .max_elapsed_ms = 3 * DAY_MS,
                                             .max_retry_after_ms = UINT32_MAX, .attempt_ms = 10000,
                                             .retryable = send_retryable };
    worker->lease_ms = 60000;
    worker->env = *redial_system();
    worker->env.cancelled = interrupt_cancelled;
}

static void read_run_options(struct worker *worker, int argc, char **argv)
{
    static const struct option_word ends[] = { { "never", WORKER_NEVER }, { "idle", WORKER_IDLE },
                                               { "empty", WORKER_EMPTY }, { NULL, 0 } };
    static const struct option_word any[] = { { "any", UINT32_MAX }, { NULL, 0 } };
    struct redial_policy *policy = &worker->policy;
    uint32_t mode = REDIAL_JITTER_EQUAL, until = WORKER_NEVER;
    const struct option options[] = {
        OPTION_STORE(&worker->store),
        { "base", "TIME", "the first wait", &policy->base_ms, 1, UINT32_MAX, NULL, NULL },
        { "cap", "TIME", "the longest wait without a Retry-After", &policy->cap_ms, 1, UINT32_MAX, NULL, NULL },
        OPTION_JITTER(&policy->jitter_ms), OPTION_MODE(&mode), OPTION_RETRIES(&policy->max_retries),
        { "limit", "TIME", "of a job, from its first attempt; 0: none", &policy->max_elapsed_ms, 0, UINT32_MAX, NULL,
          NULL },
        { "retry-after", "TIME", "the longest wait that a server may ask for", &policy->max_retry_after_ms, 1,
          UINT32_MAX - 1, any, NULL },
        { "attempt", "TIME", "one attempt", &policy->attempt_ms, 1, INT32_MAX, NULL, NULL },
        { "lease", "TIME", "how long a worker owns a job; above --attempt", &worker->lease_ms, 2, INT32_MAX, NULL,
          NULL },
        { "until", "WHEN", "never, idle: nothing is due, empty: nothing left", &until, 1, 0, ends, NULL },
        OPTION_END,
    };
    options_read(argc, argv, "outbox run: delivers what is due.", options);
    options_set_mode(policy, mode);
    worker->until = (enum worker_until)until;
    if (worker->lease_ms <= policy->attempt_ms)
        options_refuse("--lease", "must be longer than --attempt, or two workers could send one job at once");
}

static int run(int argc, char **argv)
{
    struct worker worker;
    set_defaults(&worker);
    read_run_options(&worker, argc, argv);
    interrupt_catch();     /* a second signal ends it at once; another worker continues the job after its lease */
    signal(SIGPIPE, SIG_IGN);
    return worker_run(&worker);
}

/* ---- requeue ---- */

static int requeue(int argc, char **argv)
{
    const char *store = "outbox.db";
    uint32_t job = 0;
    const struct option options[] = {
        { "job", "N", "the number of one job; 0: all", &job, 0, UINT32_MAX, NULL, NULL },
        OPTION_STORE(&store), OPTION_END,
    };
    struct db db;
    bool ok;
    options_read(argc, argv, "outbox requeue: sends again what was given up.", options);
    ok = store_open(&db, store, redial_system()) && store_requeue(&db, job);
    if (ok)
        printf("%lld sent again\n", (long long)db.changed);
    else
        fail("the store", db.error);
    db_close(&db);
    return ok && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- the program ---- */

int main(int argc, char **argv)
{
    static const struct { const char *name; int (*command)(int argc, char **argv); } commands[] = {
        { "add", add }, { "run", run }, { "requeue", requeue },
    };
    const struct option none[] = { OPTION_END };
    unsigned i;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            argv[1] = argv[0];
            return commands[i].command(argc - 1, argv + 1);
        }
    options_read(argc, argv, about, none);
    options_refuse("a command", "must be given: add, run or requeue; see --help");
}
