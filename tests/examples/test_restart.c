/* examples/restart against a scripted server. SPDX-License-Identifier: MIT

   With a world as its first argument this program is restart itself, with the clocks and waits of
   that world. The test can let it be killed at any moment there. */
#define _FILE_OFFSET_BITS 64   /* as SQLite */
#include "../common/program.h"
#include "../common/server.h"

#include <ftw.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>

#include <curl/curl.h>
#include <sqlite3.h>

#define RETRIES 12
#define LIMIT_MS 3600000
#define MONTH_MS (30 * 86400000LL)
#define NOW_MS 1790000000000LL    /* in the year 2026 */
#define ATTEMPT_MS 100            /* of the clocks of a world */

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
#define STATUS(code) "HTTP/1.1 " code " Status\r\nContent-Length: 0\r\n\r\n"

/* ---- a world: restart's side ---- */

/* In memory that the test and restart share. */
static struct world {
    int64_t wall_ms;
    int64_t jump_ms;            /* of the wall clock, in the next wait */
    bool interrupt;             /* Ctrl-C, in the next wait */
    uint32_t now_ms;            /* the clock of redial_system */
    unsigned moments, last;     /* it is killed at the last one; 0: never */
    unsigned attempts, waited;  /* transfers that were begun; those that a wait came after */
    uint32_t begun_ms[64];      /* when they were begun */
} *world;

static void moment(void)
{
    if (++world->moments == world->last)
        raise(SIGKILL);
}

static void pass(uint32_t ms)
{
    world->now_ms += ms;
    world->wall_ms += ms;
}

static uint32_t world_now_ms(const struct redial_env *env)
{
    return world->now_ms;
}

static bool world_wait_ms(const struct redial_env *env, uint32_t ms)
{
    if (world->waited != world->attempts)
        moment();
    world->waited = world->attempts;
    pass(ms);
    world->wall_ms += world->jump_ms;
    world->jump_ms = 0;
    if (world->interrupt)
        raise(SIGINT);
    return !env->cancelled(env);
}

static uint32_t world_random(const struct redial_env *env)
{
    return 0;   /* the shortest waits */
}

const struct redial_env *world_system(void);
const struct redial_env *world_system(void)
{
    static const struct redial_env env = { .now_ms = world_now_ms, .wait_ms = world_wait_ms,
                                           .random = world_random };
    return &env;
}

int world_clock(clockid_t clock, struct timespec *now);
int world_clock(clockid_t clock, struct timespec *now)
{
    now->tv_sec = world->wall_ms / 1000;
    now->tv_nsec = world->wall_ms % 1000 * 1000000;
    return 0;
}

CURLcode world_perform(CURL *curl);
CURLcode world_perform(CURL *curl)
{
    CURLcode result;
    moment();
    world->begun_ms[world->attempts++ % LENGTH(world->begun_ms)] = world->now_ms;
    result = curl_easy_perform(curl);
    pass(ATTEMPT_MS);
    moment();
    return result;
}

/* No power fails here. Where the linker lets SQLite call this one, the test takes less time. */
int fdatasync(int file);
int fdatasync(int file)
{
    return 0;
}

/* What SQLite writes to the store and its journal, and the end of the journal. */
static sqlite3_syscall_ptr real_pwrite, real_unlink;

static ssize_t world_pwrite(int file, const void *bytes, size_t size, off_t at)
{
    moment();
    return ((ssize_t (*)(int, const void *, size_t, off_t))real_pwrite)(file, bytes, size, at);
}

static int world_unlink(const char *name)
{
    moment();
    return ((int (*)(const char *))real_unlink)(name);
}

static void watch(const char *call, sqlite3_syscall_ptr ours, sqlite3_syscall_ptr *real)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    sqlite3_syscall_ptr found = vfs->xGetSystemCall(vfs, call);
    if (found && vfs->xSetSystemCall(vfs, call, ours) == SQLITE_OK)
        *real = found;
}

static void enter(const char *name)
{
    int file = open(name, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof *world) != 0)
        abort();
    world = mmap(NULL, sizeof *world, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (world == MAP_FAILED)
        abort();
}

int restart_main(int argc, char **argv);

static int be_restart(int argc, char **argv)
{
    enter(argv[0]);
    sqlite3_initialize();
    watch("pwrite", (sqlite3_syscall_ptr)world_pwrite, &real_pwrite);
    watch("pwrite64", (sqlite3_syscall_ptr)world_pwrite, &real_pwrite);
    watch("unlink", (sqlite3_syscall_ptr)world_unlink, &real_unlink);
    return restart_main(argc, argv);
}

/* ---- the test's side ---- */

static const char *self;
static char dir[] = "/tmp/redial-restart-XXXXXX";   /* TMPDIR may be gone */
static char place[64], store[64];                   /* of the world, and of the jobs */
static struct server server;

static void add_bytes(const char *key, const char *path, const void *body, size_t length)
{
    program_start_words(self, "%s add %s %s http://127.0.0.1:%u%s", place, store, key,
                        (unsigned)server.port, path);
    assert_int_equal(write(program.in, body, length), length);
    program_end();
}

static void add(const char *key, const char *path)
{
    add_bytes(key, path, "{}", 2);
}

static void run(void)
{
    program_start_words(self, "%s run %s", place, store);
    program_end();
}

/* The first column of the result, or "". */
static const char *sql(const char *format, ...)
{
    static char out[256];
    sqlite3 *db;
    sqlite3_stmt *statement;
    va_list values;
    char *text;
    int result;
    assert_int_equal(sqlite3_open(store, &db), SQLITE_OK);
    va_start(values, format);
    text = sqlite3_vmprintf(format, values);
    va_end(values);
    assert_int_equal(sqlite3_prepare_v2(db, text, -1, &statement, NULL), SQLITE_OK);
    result = sqlite3_step(statement);
    assert_true(result == SQLITE_ROW || result == SQLITE_DONE);
    snprintf(out, sizeof out, "%s",
             result == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : "");
    sqlite3_finalize(statement);
    sqlite3_close(db);
    sqlite3_free(text);
    return out;
}

#define assert_jobs(expected) \
    assert_string_equal(sql("SELECT group_concat(key || ' ' || state || ' ' || retries) FROM" \
                            " (SELECT * FROM jobs ORDER BY key)"), expected)

static int remove_file(const char *name, const struct stat *about, int type, struct FTW *where)
{
    return type == FTW_DP && strcmp(name, dir) == 0 ? 0 : remove(name);
}

/* A new world, and no store. */
static int begin(void **state)
{
    assert_int_equal(nftw(dir, remove_file, 8, FTW_DEPTH | FTW_PHYS), 0);
    enter(place);
    world->wall_ms = NOW_MS;
    return 0;
}

static int finish(void **state)
{
    munmap(world, sizeof *world);
    if (server.running)
        server_stop(&server);
    return program_kill(state);
}

static void serve(const struct answer *answers, unsigned count)
{
    assert_true(server_start(&server, answers, count));
}

/* ---- killed ---- */

/* Between these numbers of requests had this path, all of them with the same key and body. */
static void assert_requests(const char *path, unsigned least, unsigned most)
{
    char line[32];
    unsigned k, count = 0;
    snprintf(line, sizeof line, "PUT %s", path);
    for (k = 0; k < server.count; k++)
        if (server_was_asked(&server, k, line)) {
            assert_string_equal(server_header(&server, k, "Idempotency-Key"), path + 1);
            assert_string_equal(server.requests[k].body, "{}");
            count++;
        }
    if (count < least || count > most)
        fail_msg("%s: %u requests", path, count);
}

/* Stores two jobs and delivers them. What is killed is started again. Returns how often. */
static unsigned live(unsigned last)
{
    static const char *const paths[] = { "/busy", "/gone" };
    static const struct answer answers[] = {
        { STATUS("503"), CLOSE, "/busy" }, { OK, CLOSE, "/busy", true },
        { STATUS("503"), CLOSE, "/gone" }, { STATUS("404"), CLOSE, "/gone", true },
    };
    unsigned kills = 0, i = 0;
    begin(NULL);
    serve(answers, LENGTH(answers));
    world->last = last;
    while (i <= LENGTH(paths)) {
        if (i < LENGTH(paths))
            add(paths[i] + 1, paths[i]);
        else
            run();
        if (program.status == -SIGKILL)
            kills++;
        else
            i++;
    }
    server_stop(&server);
    return kills;
}

TEST(a_kill_at_any_moment_loses_no_job_and_adds_no_attempt)
{
    unsigned moments, i;
    assert_int_equal(live(0), 0);
    assert_status(1);
    moments = world->moments;
    for (i = 0; i < 40; i++) {
        assert_int_equal(live(1 + i * (moments - 1) / 39), 1);
        assert_string_equal(sql("SELECT group_concat(key || ' ' || state) FROM"
                                " (SELECT * FROM jobs ORDER BY key)"),
                            "busy delivered,gone given up");
        assert_requests("/busy", 2, 3);
        assert_requests("/gone", 2, 3);
    }
}

/* The server says nothing, and restart is killed each time. */
TEST(killed_in_each_attempt_it_waits_longer_each_time_and_gives_up_after_the_last)
{
    static const struct answer silence = { NULL, HANG, NULL, true };
    unsigned k;
    serve(&silence, 1);
    add("key", "/key");
    for (k = 0; k <= RETRIES; k++) {
        program_start_words(self, "%s run %s", place, store);
        server_await(&server, k + 1);
        kill(program.pid, SIGKILL);
        program_end();
    }
    run();
    assert_status(1);
    assert_contains(program.err.bytes, "key: given up, exhausted\n");
    server_stop(&server);
    assert_requests("/key", RETRIES + 1, RETRIES + 1);
    for (k = 0; k < RETRIES; k++)
        assert_int_equal(world->begun_ms[k + 1] - world->begun_ms[k],
                         k < 10 ? 1000u << k : 600000);
}

/* ---- time ---- */

TEST(a_job_waits_for_the_rest_of_its_wait_and_never_longer_than_the_wait)
{
    static const struct answer good = { OK };
    static const struct {
        int64_t later_ms, jump_ms;    /* of the wall clock: at the start, and in the first wait */
        uint32_t wait_ms;
    } rows[] = {
        { 0, 0, 8000 },
        { 2500, 0, 5500 },
        { 7999, 0, 1 },
        { 8000, 0, 0 },
        { MONTH_MS, 0, 0 },
        { -1, 0, 8000 },
        { -MONTH_MS, 0, 8000 },
        { 1000 - NOW_MS, 0, 8000 },            /* it is 1970 */
        { 0, 1000 - NOW_MS, 1000 + 8000 },
        { 0, MONTH_MS, 1000 },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        begin(NULL);
        serve(&good, 1);
        add("key", "/");
        sql("UPDATE jobs SET retries = 3, delay_ms = 8000, due_ms = %lld", NOW_MS + 8000);
        world->wall_ms += rows[i].later_ms;
        world->jump_ms = rows[i].jump_ms;
        run();
        assert_status(0);
        assert_int_equal(world->attempts, 1);
        assert_int_equal(world->begun_ms[0], rows[i].wait_ms);
        assert_jobs("key delivered 3");
    }
}

/* ---- one attempt ---- */

/* After one attempt, or in the wait that follows it, restart is stopped. */
TEST(each_answer_has_its_decision_and_its_row)
{
    static const struct {
        struct answer answer;
        const char *row;              /* state, retries, elapsed_ms, delay_ms, due_ms from now */
        uint32_t retries, elapsed_ms; /* before */
        bool unsent;
    } rows[] = {
        { { OK }, "delivered 0 100 0 100" },
        { { "HTTP/1.1 204 x\r\n\r\n" }, "delivered 4 5100 0 100", 4, 5000 },
        { { STATUS("503") }, "waiting 1 1100 1000 1100" },
        { { STATUS("503") }, "waiting 5 21100 16000 16100", 4, 5000 },
        { { STATUS("429") }, "waiting 1 1100 1000 1100" },
        { { "HTTP/1.1 503 x\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n" },
          "waiting 1 30100 30000 30100" },
        { { "HTTP/1.1 503 x\r\nRetry-After: 601\r\nContent-Length: 0\r\n\r\n" },
          "given up 0 100 0 100" },
        { { STATUS("404") }, "given up 0 100 0 100" },
        { { "HTTP/1.1 307 x\r\nLocation: /\r\nContent-Length: 0\r\n\r\n" },
          "given up 0 100 0 100" },
        { { "" }, "waiting 1 1100 1000 1100" },
        { { "HTTP/1.1 200 OK\r\nContent-Le" }, "waiting 1 1100 1000 1100" },
        { { "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok" }, "waiting 1 1100 1000 1100" },
        { { "HTTP/1.1 100 Continue\r\n\r\n" }, "waiting 1 1100 1000 1100" },
        { { STATUS("503") }, "waiting 12 600100 600000 600100", 11 },
        { { STATUS("503") }, "given up 12 100 0 100", 12 },
        { { OK }, "given up 13 0 0 0", 13, 0, true },
        /* a second is enough for an attempt, and all that it gets */
        { { "", HANG }, "given up 0 3599100 0 100", 0, LIMIT_MS - 1000 },
        { { OK }, "given up 0 3599001 0 0", 0, LIMIT_MS - 999, true },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        begin(NULL);
        serve(&rows[i].answer, 1);
        add("key", "/key");
        sql("UPDATE jobs SET retries = %u, elapsed_ms = %u", rows[i].retries, rows[i].elapsed_ms);
        world->interrupt = true;
        run();
        assert_status(rows[i].row[0] == 'd' ? 0 : 1);
        server_stop(&server);
        assert_requests("/key", !rows[i].unsent, !rows[i].unsent);
        assert_true(rows[i].unsent == (strncmp(program.err.bytes, "key: given up", 13) == 0));
        assert_string_equal(sql("SELECT state || ' ' || retries || ' ' || elapsed_ms || ' ' ||"
                                " delay_ms || ' ' || (due_ms - %lld) FROM jobs", NOW_MS),
                            rows[i].row);
    }
}

TEST(each_retry_and_each_end_has_a_line)
{
    static const struct answer answers[] = {
        { "HTTP/1.1 503 x\r\nContent-Length: 4\r\n\r\npage", KEEP },
        { STATUS("404"), KEEP },
    };
    serve(answers, LENGTH(answers));
    add("key", "/key");
    run();
    assert_status(1);
    assert_string_equal(program.out.bytes, "");
    assert_string_equal(program.err.bytes, "key: attempt 1: HTTP status (503)\n"
                                           "key: the next attempt in 1000 ms\n"
                                           "key: attempt 2: HTTP status (404)\n"
                                           "key: given up, failed\n");
    assert_int_equal(server_stop(&server), 2);
    assert_int_equal(server.connections, 2);
}

/* For more than a megabyte, libcurl would ask with an Expect whether it may send it. */
TEST(a_body_arrives_as_it_was_added)
{
    static const struct answer good = { OK, CLOSE, NULL, true };
    static char large[3 << 20];
    static const struct { const void *body; size_t length; } rows[] = {
        { "", 0 }, { "a\0b\0\n\xff\0", 7 }, { large, sizeof large },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct server_request *request;
        begin(NULL);
        serve(&good, 1);
        add_bytes("key", "/key", rows[i].body, rows[i].length);
        run();
        assert_int_equal(server_stop(&server), 1);
        request = &server.requests[0];
        assert_int_equal(request->length - (size_t)(request->body - request->text),
                         rows[i].length);
        assert_memory_equal(request->body, rows[i].body, rows[i].length);
        assert_string_equal(server_header(&server, 0, "Expect"), "");
        assert_string_equal(server_header(&server, 0, "Content-Type"), "application/octet-stream");
    }
}

/* ---- add ---- */

TEST(the_same_key_is_the_same_job_and_another_job_needs_another_key)
{
    static const struct answer good = { OK };
    serve(&good, 1);
    add("key", "/");
    assert_status(0);
    assert_string_equal(program.out.bytes, "key: stored\n");
    for (unsigned i = 0; i < 2; i++) {
        add("key", "/");
        assert_status(0);
        assert_string_equal(program.out.bytes, i ? "key: stored before: delivered\n"
                                                 : "key: stored before: waiting\n");
        add("key", "/other");
        assert_status(1);
        add_bytes("key", "/", "{ }", 3);
        assert_status(1);
        assert_contains(program.err.bytes, "key: is the key of another job\n");
        run();
        assert_status(0);
        assert_jobs("key delivered 0");
    }
    assert_int_equal(server_stop(&server), 1);
}

static void close_output(void)
{
    close(1);
}

static void full_output(void)
{
    dup2(open("/dev/full", O_WRONLY), 1);
}

static void output_without_a_reader(void)
{
    int ends[2];
    if (pipe(ends) == 0 && dup2(ends[1], 1) == 1)
        close(ends[0]);
}

TEST(a_job_that_is_stored_is_a_success_whatever_becomes_of_stdout)
{
    static void (*const outputs[])(void) = { close_output, full_output, output_without_a_reader };
    for (size_t i = 0; i < LENGTH(outputs); i++) {
        char key[] = { (char)('a' + (int)i), '\0' };
        program.before = outputs[i];
        add(key, "/");
        assert_status(0);
    }
    assert_jobs("a waiting 0,b waiting 0,c waiting 0");
}

/* ---- what fails ---- */

static rlim_t limit;

static void limit_files(void)
{
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ limit, limit });
}

static void no_limit(void)
{
}

TEST(a_file_that_may_not_grow_is_an_error_and_loses_nothing)
{
    static const struct answer good = { OK };
    static char body[100000];
    for (limit = 0; limit < 100000; limit += 9000) {
        begin(NULL);
        serve(&good, 1);
        program.before = limit_files;
        add_bytes("key", "/", body, sizeof body);
        assert_status(1);
        assert_contains(program.err.bytes, "restart: the store: ");
        program.before = no_limit;
        add_bytes("key", "/", body, sizeof body);
        assert_string_equal(program.out.bytes, "key: stored\n");
        program.before = limit_files;
        run();
        assert_true(program.status == 0 || world->attempts == 0);
        program.before = no_limit;
        run();
        assert_status(0);
        assert_jobs("key delivered 0");
        assert_int_equal(server_stop(&server), 1);
    }
}

static void endless_input(void)
{
    dup2(open("/dev/zero", O_RDONLY), 0);
}

static void folder_as_input(void)
{
    dup2(open("/", O_RDONLY), 0);
}

TEST(a_mistake_is_named_in_one_line)
{
    char no_store[80], no_database[80], long_key[202], words[400];
    const struct {
        const char *words;
        int status;
        const char *says;
        void (*before)(void);
    } rows[] = {
        { "", 2, "usage: restart add STORE KEY URL <BODY\n" },
        { "add s k", 2, "usage: " },
        { "run", 2, "usage: " },
        { "run a b", 2, "usage: " },
        { no_store, 1, "none: unable to open database file\n" },
        { "add /no/where k u", 1, "restart: /no/where: unable to open database file\n" },
        { "run :memory:", 1, "restart: :memory:: is no name of a file\n" },
        { "add :memory: k u", 1, "restart: :memory:: is no name of a file\n" },
        { "add s k\033 u", 1, "restart: the key: must be one word of at most 200 bytes\n" },
        { words, 1, "restart: the key: must be one word of at most 200 bytes\n" },
        { "add s k u", 1, "restart: the body: is longer than 16 MiB\n", endless_input },
        { "add s k u", 1, "restart: the body: Is a directory\n", folder_as_input },
        { no_database, 1, "restart: the store: file is not a database\n" },
    };
    FILE *file = fopen(store, "w");
    memset(long_key, 'k', 201);
    long_key[201] = '\0';
    snprintf(words, sizeof words, "add s %s u", long_key);
    snprintf(no_store, sizeof no_store, "run %s/none", dir);
    snprintf(no_database, sizeof no_database, "run %s", store);
    assert_true(file && fprintf(file, "%0999d", 0) == 999 && fclose(file) == 0);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        program.before = rows[i].before;
        program_start_words(self, "%s %s", place, rows[i].words);
        program_end();
        assert_status(rows[i].status);
        assert_contains(program.err.bytes, rows[i].says);
        assert_string_equal(program.out.bytes, "");
    }
    program.before = NULL;
    program_run((const char *const[]){ self, place, "add", "s", "", "u", NULL });
    assert_contains(program.err.bytes, "the key: must be one word");
}

TEST(a_url_of_a_file_is_given_up)
{
    program_start_words(self, "%s add %s key file:///etc/passwd", place, store);
    program_end();
    run();
    assert_status(1);
    assert_string_equal(program.out.bytes, "");
    assert_jobs("key given up 0");
}

/* ---- several programs ---- */

TEST(one_run_works_on_a_store_and_add_works_beside_it)
{
    static const struct answer good = { OK };
    char name[80];
    struct stat about;
    int lock;
    serve(&good, 1);
    add("key", "/");
    assert_true(stat(store, &about) == 0 && (about.st_mode & 0777) == 0600);
    snprintf(name, sizeof name, "%s.lock", store);
    lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(flock(lock, LOCK_SH), 0);
    run();
    assert_status(1);
    assert_contains(program.err.bytes, "/jobs.db: another run works on it\n");
    add("other", "/");
    assert_status(0);
    close(lock);
    assert_jobs("key waiting 0,other waiting 0");
    assert_int_equal(server_stop(&server), 0);
}

TEST(add_waits_for_the_end_of_a_transaction_of_another_program)
{
    struct pollfd said;
    sqlite3 *db;
    add("key", "/");
    assert_int_equal(sqlite3_open(store, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    program_start_words(self, "%s add %s other http://127.0.0.1/", place, store);
    close(program.in);
    program.in = -1;
    said = (struct pollfd){ program.err.fd, POLLIN, 0 };
    poll(&said, 1, 300);
    assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    program_finish();
    assert_status(0);
    assert_jobs("key waiting 0,other waiting 0");
}

/* ---- Ctrl-C ---- */

TEST(ctrl_c_ends_a_wait_and_a_transfer_which_counts_as_an_attempt)
{
    static const struct answer answers[] = {
        { "HTTP/1.1 503 x\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n", CLOSE, "/busy", true },
        { "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nbroken", HANG, "/slow", true },
    };
    serve(answers, LENGTH(answers));
    add("a", "/busy");
    program_start_words(PROGRAM, "run %s", store);
    await(&program.err, "a: the next attempt in 3");
    /* it looks for new jobs while it waits */
    sql("INSERT INTO jobs (key, url, body) SELECT 'b', url, body FROM jobs");
    await(&program.err, "b: the next attempt in 3");
    program_interrupt("not all jobs are delivered\n");
    assert_jobs("a waiting 1,b waiting 1");
    add("c", "/slow");
    program_start_words(PROGRAM, "run %s", store);
    server_await(&server, 3);
    /* the store is free while a transfer lasts */
    sql("INSERT INTO jobs (key, url, body) SELECT 'd', url, body FROM jobs WHERE key = 'a'");
    program_interrupt("not all jobs are delivered\n");
    assert_jobs("a waiting 1,b waiting 1,c waiting 1,d waiting 0");
}

int main(int argc, char **argv)
{
    int failed;
    if (argc > 1)
        return be_restart(argc - 1, argv + 1);
    self = argv[0];
    setenv("no_proxy", "*", 1);
    if (!mkdtemp(dir))
        return 1;
    snprintf(place, sizeof place, "%s/world", dir);
    snprintf(store, sizeof store, "%s/jobs.db", dir);
    failed = run_all_with(begin, finish, NULL, NULL);
    nftw(dir, remove_file, 8, FTW_DEPTH | FTW_PHYS);
    return rmdir(dir) == 0 ? failed : 1;
}
