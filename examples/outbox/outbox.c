/* An outbox for HTTP PUTs that must arrive. It stores each one with the state of its retries until
   it arrives, even if that takes days, restarts and crashes. It needs libcurl, and SQLite or libpq.
   SPDX-License-Identifier: MIT

       outbox add outbox.db https://hooks.example.com/orders/17 <order.json
       outbox run outbox.db        # in as many processes as you like; systemd starts it again
       outbox requeue outbox.db 17
       outbox_postgresql run postgresql://db.example.com/outbox    # PGPASSWORD or ~/.pgpass */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/interrupt.h"
#include "worker.h"

#define BODY_MAX (16u << 20)
#define LEASE_MS 60000   /* longer than an attempt */

/* How a job is retried: after 5 to 10 s, 10 to 20 s, ... half an hour to an hour, for 3 days. */
static const struct redial_policy policy = {
    .base_ms = 5000,
    .cap_ms = 3600000,
    .jitter_ms = 1000,
    .jitter = REDIAL_JITTER_WIDE,
    .max_retries = REDIAL_NO_LIMIT,
    .max_elapsed_ms = 72 * 3600000,
    .max_retry_after_ms = UINT32_MAX,
    .attempt_ms = 10000,
    .retryable = send_retryable,
};

static const char usage[] =
    "usage: outbox add STORE URL <BODY   stores a PUT for delivery, prints its number\n"
    "       outbox run STORE             delivers what is due, until it is stopped\n"
    "       outbox once STORE            delivers what is due, and ends\n"
    "       outbox requeue STORE [JOB]   sends again what was given up: all, or one\n";

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "outbox: %s: %s\n", what, why);
    return EXIT_FAILURE;
}

static int end(struct db *db, const char *store, bool ok, const char *done, int64_t number)
{
    if (ok)
        printf("%s %" PRId64 "\n", done, number);
    else
        fail(store, db->error);
    db_close(db);
    return ok && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- the commands ---- */

/* Random bits of the system are good enough for keys that must differ. */
static void make_key(char key[33])
{
    const struct redial_env *env = redial_system();
    for (unsigned i = 0; i < 4; i++)
        snprintf(key + 8 * i, 9, "%08" PRIx32, env->random(env));
}

static int add(const char *store, char *url)
{
    struct job job = { .url = url, .body = malloc(BODY_MAX + 1) };
    struct db db;
    bool ok;
    if (!send_host_of(url, job.host))
        return fail(url, "is no URL of http or https");
    if (job.body)
        job.length = fread(job.body, 1, BODY_MAX + 1, stdin);
    if (!job.body || ferror(stdin) || job.length > BODY_MAX)
        return fail("the body", "can't be read, or is longer than 16 MiB");
    make_key(job.key);
    ok = store_open(&db, store) && store_add(&db, &job);
    free(job.body);
    return end(&db, store, ok, "job", job.id);
}

static int requeue(const char *store, const char *text)
{
    char *rest = "";
    int64_t job = text ? strtoll(text, &rest, 10) : 0;
    struct db db;
    bool ok;
    if (*rest || (text && job < 1))
        return fail(text, "is no number of a job");
    ok = store_open(&db, store) && store_requeue(&db, job);
    return end(&db, store, ok, "sent again:", db.changed);
}

/* A second signal ends it at once. Another worker continues the job after its lease. */
static int run(const char *store, bool once)
{
    struct worker worker = {
        .store = store, .policy = policy, .lease_ms = LEASE_MS, .once = once,
        .env = *redial_system(),
    };
    worker.env.cancelled = interrupt_cancelled;
    interrupt_catch();
    signal(SIGPIPE, SIG_IGN);
    return worker_run(&worker);
}

int main(int argc, char **argv)
{
    const char *command = argc >= 2 ? argv[1] : "";
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (strcmp(command, "add") == 0 && argc == 4)
        return add(argv[2], argv[3]);
    if ((strcmp(command, "run") == 0 || strcmp(command, "once") == 0) && argc == 3)
        return run(argv[2], strcmp(command, "once") == 0);
    if (strcmp(command, "requeue") == 0 && (argc == 3 || argc == 4))
        return requeue(argv[2], argv[3]);
    fputs(usage, strcmp(command, "--help") == 0 ? stdout : stderr);
    return strcmp(command, "--help") == 0 ? EXIT_SUCCESS : 2;
}
