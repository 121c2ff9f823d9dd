/* An outbox for HTTP PUTs that must arrive. It stores each one with the state of its retries until it arrives, even if
   that takes days, restarts and crashes. It needs libcurl and SQLite; libpq for a store that several machines share.
   SPDX-License-Identifier: MIT

       outbox add https://hooks.example.com/orders/17 --body order.json
       outbox run                  # in as many processes as you like; systemd or the like starts it again
       outbox requeue --job 17     # sends a job again that was given up
       outbox run --store postgresql://db.example.com/outbox      # PGPASSWORD or ~/.pgpass hold the password */
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

static int end(struct db *db, bool ok, const char *done, int64_t number)
{
    if (ok)
        printf("%s %lld\n", done, (long long)number);
    else
        fail("the store", db->error);
    db_close(db);
    return ok && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- add ---- */

/* Random bits of the system are good enough for keys that must differ. */
static void make_key(char key[33])
{
    const struct redial_env *env = redial_system();
    for (unsigned i = 0; i < 4; i++)
        snprintf(key + 8 * i, 9, "%08" PRIx32, env->random(env));
}

/* False: the file can't be read, or is longer than BODY_MAX. */
static bool read_body(const char *name, struct job *job)
{
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    job->body = malloc(BODY_MAX + 1);
    if (!file || !job->body)
        return false;
    job->length = fread(job->body, 1, BODY_MAX + 1, file);
    return !ferror(file) && job->length <= BODY_MAX;
}

static int add(int argc, char **argv)
{
    static char no_url[] = "";
    const char *store = "outbox.db", *file = NULL;
    const struct option options[] = {
        { "body", "FILE", "what to send, JSON; -: from stdin", NULL, 0, 0, NULL, &file }, OPTION_STORE(&store),
        OPTION_END,
    };
    struct job job = { .url = no_url };
    struct db db;
    bool ok;
    if (argc > 1 && strncmp(argv[1], "--", 2) != 0) {   /* the URL is no option */
        job.url = argv[1];
        argv[1] = argv[0];
        argc--;
        argv++;
    }
    options_read(argc, argv, "outbox add URL: stores a PUT for delivery.", options);
    if (!file)
        options_refuse("--body", "must be given");
    if (!send_host_of(job.url, job.host))
        options_refuse("add", "a URL of http or https must follow");
    make_key(job.key);
    if (!read_body(file, &job))
        return fail(file, "can't be read, or is longer than 16 MiB");
    ok = store_open(&db, store, redial_system()) && store_add(&db, &job);
    free(job.body);
    return end(&db, ok, "job", job.id);
}

/* ---- run ---- */

static void read_run_options(struct worker *worker, int argc, char **argv)
{
    static const struct option_word ends[] = { { "never", WORKER_NEVER }, { "idle", WORKER_IDLE },
                                               { "empty", WORKER_EMPTY }, { NULL, 0 } };
    static const struct option_word any[] = { { "any", UINT32_MAX }, { NULL, 0 } };
    struct redial_policy *policy = &worker->policy;
    uint32_t mode = REDIAL_JITTER_WIDE, until = WORKER_NEVER;
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
    struct worker worker = {
        .store = "outbox.db", .lease_ms = 60000, .env = *redial_system(),
        .policy = { .base_ms = 10000, .cap_ms = 3600000, .jitter_ms = 1000, .max_retries = REDIAL_NO_LIMIT,
                    .max_elapsed_ms = 72 * 3600000, .max_retry_after_ms = UINT32_MAX, .attempt_ms = 10000,
                    .retryable = send_retryable },
    };
    read_run_options(&worker, argc, argv);
    worker.env.cancelled = interrupt_cancelled;
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
        { "job", "N", "one job; 0: all", &job, 0, UINT32_MAX, NULL, NULL }, OPTION_STORE(&store), OPTION_END,
    };
    struct db db;
    bool ok;
    options_read(argc, argv, "outbox requeue: sends again what was given up.", options);
    ok = store_open(&db, store, redial_system()) && store_requeue(&db, job);
    return end(&db, ok, "sent again:", db.changed);
}

/* ---- the program ---- */

int main(int argc, char **argv)
{
    static const struct { const char *name; int (*command)(int argc, char **argv); } commands[] = {
        { "add", add }, { "run", run }, { "requeue", requeue },
    };
    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (unsigned i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            argv[1] = argv[0];
            return commands[i].command(argc - 1, argv + 1);
        }
    options_read(argc, argv, about, (const struct option[]){ OPTION_END });
    options_refuse("a command", "must be given: add, run or requeue; see --help");
}
