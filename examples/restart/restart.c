/* PUTs that survive a restart: each is stored with the state of its retries, as redial.h says at
   redial_resume. It needs libcurl and SQLite. SPDX-License-Identifier: MIT

       restart add STORE KEY URL <BODY    stores a PUT; the same one again is the same job
       restart run STORE                  delivers what is stored, and ends when nothing is left

   Both may fail or be killed at any moment: the store always says how to go on. The server may get
   a job twice, because an answer can be lost, but always with the same Idempotency-Key: its KEY.
   Copy deliver and what it calls, and shorten_waits. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include <sqlite3.h>

#include "../common/interrupt.h"
#include "../common/stdout.h"
#include "redial_curl.h"

#define BODY_MAX (16u << 20)
#define KEY_MAX 200
#define LOOK_MS 1000      /* how often a run looks for new jobs */
#define BUSY_MS 30000     /* how long it waits for another process that writes to the store */

/* A job is given up after 13 attempts in about 40 minutes, or where the server asks for long waits
   after an hour. Time in which no run works does not count. */
static const struct redial_policy policy = {
    .base_ms = 1000, .cap_ms = 600000, .jitter_ms = 1000, .max_retries = 12,
    .max_elapsed_ms = 3600000, .attempt_ms = 10000, .min_attempt_ms = 1000
};

struct job {
    char *key, *url, *body;
    size_t length;                   /* of the body */
    uint32_t retries, elapsed_ms;    /* as redial_resume takes them */
    int64_t due_ms;                  /* by the wall clock */
};

static sqlite3 *store;

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "restart: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

/* ---- the store ---- */

static sqlite3_stmt *prepare(const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store, sql, -1, &statement, NULL) != SQLITE_OK)
        fail("the store", sqlite3_errmsg(store));
    return statement;
}

/* True: the result has a row. False: the statement is done, and what it changed is on the disk. */
static bool step(sqlite3_stmt *statement)
{
    int result = sqlite3_step(statement);
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        fail("the store", sqlite3_errmsg(store));
    return result == SQLITE_ROW;
}

static void execute(sqlite3_stmt *statement)
{
    step(statement);
    sqlite3_finalize(statement);
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    if (sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC) != SQLITE_OK)
        fail("the store", sqlite3_errmsg(store));
}

static void open_store(const char *name, int create)
{
    const char *file;
    if (sqlite3_open_v2(name, &store, SQLITE_OPEN_READWRITE | create, NULL) != SQLITE_OK)
        fail(name, sqlite3_errmsg(store));
    file = sqlite3_db_filename(store, "main");
    if (!file || !*file)
        fail(name, "is no name of a file");   /* SQLite would keep the jobs in memory */
    sqlite3_busy_timeout(store, BUSY_MS);
    execute(prepare("PRAGMA synchronous = EXTRA"));   /* to survive a power failure */
    execute(prepare("CREATE TABLE IF NOT EXISTS jobs (key TEXT NOT NULL PRIMARY KEY,"
                    " url TEXT NOT NULL, body BLOB NOT NULL,"
                    " state TEXT NOT NULL DEFAULT 'waiting',"   /* delivered, given up */
                    " retries INTEGER NOT NULL DEFAULT 0,"
                    " elapsed_ms INTEGER NOT NULL DEFAULT 0,"   /* up to due_ms */
                    " delay_ms INTEGER NOT NULL DEFAULT 0,"     /* the wait before due_ms */
                    " due_ms INTEGER NOT NULL DEFAULT 0)"));
}

/* ---- restart add ---- */

static sqlite3_stmt *prepare_with(const char *sql, const struct job *job)
{
    sqlite3_stmt *statement = prepare(sql);
    bind_text(statement, 1, job->key);
    bind_text(statement, 2, job->url);
    if (sqlite3_bind_blob64(statement, 3, job->body, job->length, SQLITE_STATIC) != SQLITE_OK)
        fail("the store", sqlite3_errmsg(store));
    return statement;
}

/* Once the job is stored, this ends with 0, even if stdout takes no word of it. Otherwise somebody
   would store it again, perhaps with another key. */
static int add(const char *name, const struct job *job)
{
    open_store(name, SQLITE_OPEN_CREATE);
    execute(prepare_with("INSERT INTO jobs (key, url, body) VALUES (?1, ?2, ?3)"
                         " ON CONFLICT (key) DO NOTHING", job));
    if (sqlite3_changes(store) > 0) {
        printf("%s: stored\n", job->key);
    } else {
        sqlite3_stmt *same = prepare_with("SELECT state FROM jobs WHERE key = ?1"
                                          " AND url = ?2 AND body = ?3", job);
        if (!step(same))
            fail(job->key, "is the key of another job");
        printf("%s: stored before: %s\n", job->key, (const char *)sqlite3_column_text(same, 0));
        sqlite3_finalize(same);
    }
    sqlite3_close(store);
    return EXIT_SUCCESS;
}

static void read_body(struct job *job)
{
    static char body[BODY_MAX + 1];
    job->body = body;
    job->length = fread(body, 1, sizeof body, stdin);
    if (ferror(stdin))
        fail("the body", strerror(errno));
    if (job->length > BODY_MAX)
        fail("the body", "is longer than 16 MiB");
}

/* One word, because it becomes a header. */
static bool is_key(const char *text)
{
    size_t length = 0;
    while (text[length] > ' ' && text[length] < 0x7f)
        length++;
    return !text[length] && length > 0 && length <= KEY_MAX;
}

/* ---- restart run: the rows ---- */

static int64_t wall_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static char *copy_column(sqlite3_stmt *row, int column)
{
    const void *bytes = sqlite3_column_blob(row, column);   /* NULL, if there are none */
    size_t length = (size_t)sqlite3_column_bytes(row, column);
    char *copy = calloc(length + 1, 1);
    if (!copy)
        fail("memory", strerror(ENOMEM));
    if (length > 0)
        memcpy(copy, bytes, length);
    return copy;
}

/* The one that is due first. False: none waits. While the transfer lasts no statement is open, so
   that others can write. */
static bool read_job(struct job *job)
{
    sqlite3_stmt *row = prepare("SELECT key, url, body, retries, elapsed_ms, due_ms"
                                " FROM jobs WHERE state = 'waiting'"
                                " ORDER BY due_ms LIMIT 1");
    bool found = step(row);
    if (found) {
        job->key = copy_column(row, 0);
        job->url = copy_column(row, 1);
        job->body = copy_column(row, 2);
        job->length = (size_t)sqlite3_column_bytes(row, 2);
        job->retries = (uint32_t)sqlite3_column_int64(row, 3);
        job->elapsed_ms = (uint32_t)sqlite3_column_int64(row, 4);
        job->due_ms = sqlite3_column_int64(row, 5);
    }
    sqlite3_finalize(row);
    return found;
}

static void free_job(struct job *job)
{
    free(job->key);
    free(job->url);
    free(job->body);
}

/* The wait of delay_ms begins now, and elapsed_ms ends now. */
static void write_job(const struct job *job, const char *state, uint32_t retries,
                      uint32_t elapsed_ms, uint32_t delay_ms)
{
    sqlite3_stmt *update = prepare("UPDATE jobs SET state = ?2, retries = ?3,"
                                   " elapsed_ms = ?4, delay_ms = ?5, due_ms = ?6"
                                   " WHERE key = ?1");
    bind_text(update, 1, job->key);
    bind_text(update, 2, state);
    sqlite3_bind_int64(update, 3, retries);
    sqlite3_bind_int64(update, 4, (int64_t)elapsed_ms + delay_ms);
    sqlite3_bind_int64(update, 5, delay_ms);
    sqlite3_bind_int64(update, 6, wall_ms() + delay_ms);
    execute(update);
}

/* No job waits for longer than its delay_ms, even if the clock was ahead when it was stored, or has
   fallen back to 1970. */
static void shorten_waits(int64_t now_ms)
{
    sqlite3_stmt *update = prepare("UPDATE jobs SET due_ms = ?1 + delay_ms"
                                   " WHERE state = 'waiting' AND due_ms > ?1 + delay_ms");
    sqlite3_bind_int64(update, 1, now_ms);
    execute(update);
}

/* ---- restart run: one attempt ---- */

static int stop_transfer(void *user, curl_off_t all, curl_off_t now, curl_off_t all_up,
                         curl_off_t now_up)
{
    (void)user, (void)all, (void)now, (void)all_up, (void)now_up;
    return interrupted != 0;
}

static size_t drop(char *data, size_t size, size_t count, void *user)
{
    (void)data, (void)user;
    return size * count;
}

static struct curl_slist *make_headers(const char *key)
{
    char line[KEY_MAX + 32];
    const char *const lines[] = { line, "Content-Type: application/octet-stream", "Expect:" };
    struct curl_slist *headers = NULL;
    snprintf(line, sizeof line, "Idempotency-Key: %s", key);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct curl_slist *longer = curl_slist_append(headers, lines[i]);
        if (!longer)
            fail("memory", strerror(ENOMEM));
        headers = longer;
    }
    return headers;
}

/* Each attempt has a connection of its own: on one that it kept, libcurl would send the request
   again by itself if it is dead, and nobody would count that. */
static struct redial_outcome put(const struct job *job, uint32_t timeout_ms)
{
    struct redial_outcome outcome = redial_retry(CURLE_OUT_OF_MEMORY, 0);
    struct curl_slist *headers = make_headers(job->key);
    CURL *curl = curl_easy_init();
    if (curl && curl_easy_setopt(curl, CURLOPT_URL, job->url) == CURLE_OK) {
        curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "PUT");
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, job->body);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)job->length);
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop);
        curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, stop_transfer);
        curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
        outcome = redial_curl_perform(curl, timeout_ms, "PUT");
    }
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    return outcome;
}

/* ---- restart run: one job ---- */

/* False: the job was given up. */
static bool finish(const struct job *job, struct redial_call *call, uint32_t now_ms,
                enum redial_verdict verdict)
{
    bool done = verdict == REDIAL_DONE;
    write_job(job, done ? "delivered" : "given up", redial_retries(call),
              redial_elapsed_ms(call, now_ms), 0);
    if (done)
        fprintf(stderr, "%s: delivered\n", job->key);
    else
        fprintf(stderr, "%s: given up, %s\n", job->key, redial_verdict_name(verdict));
    return done;
}

static bool decide(const struct redial_env *env, const struct job *job, struct redial_call *call,
                   struct redial_outcome outcome)
{
    uint32_t now_ms = env->now_ms(env);
    struct redial_step step = redial_next(call, now_ms, outcome, env->random(env));
    fprintf(stderr, "%s: attempt %u: %s (%d)\n", job->key, (unsigned)job->retries + 1,
            outcome.code < 200 ? curl_easy_strerror((CURLcode)outcome.code) : "HTTP status",
            outcome.code);
    if (step.verdict != REDIAL_RETRY)
        return finish(job, call, now_ms, step.verdict);
    write_job(job, "waiting", redial_retries(call), redial_elapsed_ms(call, now_ms), step.delay_ms);
    fprintf(stderr, "%s: the next attempt in %u ms\n", job->key, (unsigned)step.delay_ms);
    return true;
}

static bool deliver(const struct redial_env *env, const struct job *job)
{
    uint32_t now_ms = env->now_ms(env), timeout_ms;
    struct redial_outcome outcome;
    struct redial_call call;
    redial_resume(&call, &policy, job->retries, job->elapsed_ms, now_ms);
    timeout_ms = redial_timeout_ms(&call, now_ms);
    if (job->retries > policy.max_retries)   /* the program was killed in the last attempt */
        return finish(job, &call, now_ms, REDIAL_EXHAUSTED);
    if (timeout_ms == 0)
        return finish(job, &call, now_ms, REDIAL_TIMED_OUT);
    /* If the program is killed in this attempt, the attempt has failed, and a wait follows it. */
    write_job(job, "waiting", job->retries + 1, job->elapsed_ms,
              redial_random_delay_ms(&policy, job->retries, env->random(env)));
    outcome = put(job, timeout_ms);
    if (outcome.code == CURLE_ABORTED_BY_CALLBACK)   /* Ctrl-C */
        return true;
    return decide(env, job, &call, outcome);
}

/* ---- restart run: all jobs ---- */

/* The lock is a file of its own: to close a descriptor of the store would end the locks of SQLite.
   It ends with the program. */
static void be_the_only_run(void)
{
    const char *name = sqlite3_db_filename(store, "main");
    char *lock = sqlite3_mprintf("%s.lock", name);
    int file = lock ? open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0)
        fail("the lock", strerror(errno));
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        fail(name, errno == EWOULDBLOCK ? "another run works on it" : strerror(errno));
    sqlite3_free(lock);
}

/* At most LOOK_MS, because jobs may be added meanwhile. */
static void wait_for(const struct redial_env *env, int64_t ms)
{
    if (!env->wait_ms(env, ms < LOOK_MS ? (uint32_t)ms : LOOK_MS) && !interrupted)
        fail("the clock", "refuses to wait");
}

static int run(const char *name)
{
    struct redial_env env = *redial_system();
    int64_t now_ms, last_ms = INT64_MAX;
    bool all_delivered = true;
    struct job job;
    open_store(name, 0);
    be_the_only_run();
    env.cancelled = interrupt_cancelled;
    interrupt_catch();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (; read_job(&job); free_job(&job)) {
        if (interrupted)
            fail(name, "not all jobs are delivered");
        now_ms = wall_ms();
        if (now_ms < last_ms)   /* at first, and when the clock was set back */
            shorten_waits(now_ms);
        else if (job.due_ms > now_ms)
            wait_for(&env, job.due_ms - now_ms);
        else if (!deliver(&env, &job))
            all_delivered = false;
        last_ms = now_ms;
    }
    sqlite3_close(store);
    return all_delivered ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct job job = { 0 };
    bool adds = argc == 5 && strcmp(argv[1], "add") == 0;
    stdout_begin();             /* what it says must not get to a server */
    if (!adds && (argc != 3 || strcmp(argv[1], "run") != 0)) {
        fprintf(stderr, "usage: restart add STORE KEY URL <BODY\n       restart run STORE\n");
        return 2;
    }
    umask(077);                 /* bodies and URLs may hold secrets */
    signal(SIGPIPE, SIG_IGN);   /* nobody reads what it says */
    signal(SIGXFSZ, SIG_IGN);   /* a file that may not grow is an error, as a full disk is */
    if (!adds)
        return run(argv[2]);
    if (!is_key(argv[3]))
        fail("the key", "must be one word of at most 200 bytes");
    job.key = argv[3];
    job.url = argv[4];
    read_body(&job);
    return add(argv[2], &job);
}
