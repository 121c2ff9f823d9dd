/* examples/restart against a server. With arguments this program is restart itself, in a world
   with a clock of its own, where it is killed at any moment. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hung_resolver.h"
#include "redial.h"

static struct world {           /* in memory that the test and restart share */
    uint32_t ms;                /* the time */
    unsigned moments, last;     /* it is killed at the last; 0: SIGTERM in a wait after a PUT */
    bool fails;                 /* it is not killed: what it calls at the last fails */
    char log[64];               /* of the moments, a letter each */
    uint32_t attempts, begun_ms[64];
} *world;

static bool moment(char what)
{
    world->log[world->moments++ % 63] = what;
    if (world->moments == world->last && !world->fails)
        raise(SIGKILL);
    return world->moments != world->last;
}

static uint32_t world_now_ms(const struct redial_env *env)
{
    return (void)env, world->ms;
}

static bool world_wait_ms(const struct redial_env *env, uint32_t ms)
{
    moment('W');
    if (truncate("f", 2) == 0)   /* FILE changes */
        world->ms += ms;
    if (world->last == 0 && world->attempts > 0)
        raise(SIGTERM);
    return !env->cancelled(env);
}

/* The time is less than 71 minutes: as random bits, it gives the shortest waits. */
static const struct redial_env world_env = { .now_ms = world_now_ms, .wait_ms = world_wait_ms,
                                             .random = world_now_ms };

static CURLcode world_perform(CURL *curl)
{
    CURLcode result;
    moment('S');
    world->begun_ms[world->attempts++ % 64] = world->ms;
    curl_easy_setopt(curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);   /* the server never says 100 */
    result = curl_easy_perform(curl);
    world->ms += 100;
    moment('E');
    return result;
}

/* In 2026. A folder, and a file that was not flushed, have not moved on. */
#define clock_gettime(clock, now) \
    (*(now) = (struct timespec){ 1790000000 + world->ms / 1000, world->ms % 1000 * 1000000 })
#define fsync(fd) (moment(lseek(fd, 0, SEEK_CUR) > 0 ? 'F' : 'D') ? fsync(fd) : -1)
#define rename(from, to) (moment('R') ? rename(from, to) : -1)
#define unlink(name) (moment('U') ? unlink(name) : -1)
/* A minute of silence is a second. A limit of time for an attempt is 1 ms. */
#undef curl_easy_setopt
#define curl_easy_setopt(curl, option, value) curl_easy_setopt(curl, option, _Generic((value), \
    default: (value), long: (option) == CURLOPT_TIMEOUT_MS ? 1L : (long)(intptr_t)(value) \
                            / ((option) == CURLOPT_LOW_SPEED_TIME ? 60 : 1)))
#define curl_easy_perform(curl) world_perform(curl)
#define redial_system() (&world_env)
int restart_main(int argc, char **argv);
#define main restart_main
#include "../../examples/restart/restart.c"
#undef main
#undef redial_system

#include "../common/program.h"
#include "../common/server.h"
#include "../common/folder.h"

#define URL " http://f.test/f\n"   /* the server is its proxy */
#define OK { "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" }
#define STATUS(code, more) { "HTTP/1.1 " code " x\r\n" more "Content-Length: 0\r\n\r\n", KEEP }
#define BUSY STATUS("503", "")
static struct server server;

/* Before all tests, and as restart (state is NULL): there is one world. */
static int enter(void **state)
{
    int fd = state && folder_enter(state) != 0 ? -1 : open("world", O_RDWR | O_CREAT, 0600);
    world = mmap(NULL, sizeof *world, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return ftruncate(fd, sizeof *world) | close(fd);
}

static void begin(const struct answer *answers, unsigned count, const char *record)
{
    char proxy[50];
    assert_true(server_start(&server, answers, count));
    snprintf(proxy, sizeof proxy, "127.0.0.1:%u", (unsigned)server.port);
    setenv("http_proxy", proxy, 1);
    setenv("no_proxy", "", 1);
    memset(world, 0, sizeof *world);
    file_write("f", "body", 4);
    remove("f.retry"), remove("f.retry.new");
    assert_int_equal(symlink("kept", "f.retry.new"), 0);   /* of another user */
    if (record)
        file_write("f.retry", record, strlen(record));
}

static void run(const char *words)
{
    program_start_words(SELF, "world %s", words);
    program_end();
}

TEST(a_run_goes_on_where_the_record_says_and_says_there_how_to_go_on)
{
    char words[9950];
    const struct {
        const char *before;     /* retries, elapsed_ms, wait_ms, and its end */
        struct answer answer;
        int begun_ms;           /* -1: nothing is sent */
        const char *after, *says, *words;   /* NULL: "f http://f.test/f" */
    } rows[] = {
        { NULL, OK, 0, NULL, "HTTP status (200)\ndone\n" },
        { NULL, BUSY, 0, "1 1100 1000 1790000001100" URL, "(503)\nretry 1 in 1000 ms\nca" },
        { NULL, STATUS("429", "Retry-After: 30\r\n"), 0, "1 30100 30000 1790000030100" URL, "" },
        { NULL, STATUS("308", ""), 0, NULL, "HTTP status (308)\nfailed\n" },
        { NULL, { "HTTP/1.1 200 OK\r\nCont" }, 0, "1 1100 1000 1790000001100" URL, "(18)\n" },
        { NULL, { "", HANG }, 0, "1 1100 1000 1790000001100" URL, "(28)\n" },
        /* the rest of a wait, and never more than the wait */
        { "3 9000 8000 1790000000001" URL, BUSY, 1, "4 17100 8000 1790000008101" URL, "" },
        { "3 9000 1200000 1799000000000" URL, OK, 1200000, NULL, "retry 3 in 1200000 ms\nHTTP" },
        { "11 9000 8000 0" URL, BUSY, 0, "12 609100 600000 1790000600100" URL, "retry 12 in" },
        { "12 9000 8000 0" URL, BUSY, 0, NULL, "exhausted\n" },
        { "4 3600000 8000 0" URL, BUSY, -1, NULL, "timed_out\n" },
        /* it was killed in an attempt */
        { "3 9000 0 0" URL, BUSY, 8000, "5 33100 16000 1790000024100" URL, "retry 4 in 8000 ms" },
        { "12 9000 0 0" URL, BUSY, -1, NULL, "exhausted\n" },
#define SAME(record) { record, OK, -1, record, "restart: f.retry: is damaged, or of another URL" }
        SAME(""), SAME("3 9 8 1"), SAME("3 9 8 1 http://f.t"), SAME("3 9 8 1 http://f.test/g\n"),
        SAME("3 9 8 1" URL "\n"), SAME("-3 9 8 1" URL), SAME("3 9 99999999999 1" URL),
        SAME("x" URL), SAME("13 9000 8000 1" URL), SAME("3 9000 1200001 1799000000000" URL),
#define MISTAKE(words, says) { NULL, OK, -1, NULL, says, words }
        MISTAKE("f", "usage: restart FILE URL\n"), MISTAKE("f u v", "usage: "),
        MISTAKE("-f u", "usage: "), MISTAKE("f -u", "usage: "), MISTAKE("no u:/", "no: No such"),
        MISTAKE(". u:/", "restart: .: is no regular file\n"), MISTAKE("f file:///f", "(1)\nfailed"),
        MISTAKE("f ftp://f.test/", "(1)\nfailed"), MISTAKE("d u:/", "d.retry: Is a directory\n"),
        MISTAKE("f/f u:/", "restart: f/f.retry: Not a directory\n"),
        MISTAKE("world u:/", "restart: world.retry.new: File exists\n"),
        MISTAKE("@ u:/", "FILE or URL: is empty, or has"), MISTAKE(words, "more than 9900 bytes\n"),
    };
    snprintf(words, sizeof words, "%09901d u:/", 0);
    assert_true(mkdir("world.retry.new", 0700) == 0 && mkdir("d.retry", 0700) == 0);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        begin(&rows[i].answer, 1, rows[i].before);
        run(rows[i].words ? rows[i].words : "f http://f.test/f");
        print_message("row %zu: %s", i + 1, program.err.bytes);
        assert_status(rows[i].says[0] == 'u' ? 2 : !strstr(program.err.bytes, "done\n"));
        assert_contains(program.err.bytes, rows[i].says);
        assert_file("kept", NULL);
        assert_file("f.retry", rows[i].after);
        assert_int_equal(server_stop(&server) ? (int)world->begun_ms[0] : -1, rows[i].begun_ms);
    }
}

TEST(a_kill_or_an_error_at_any_moment_loses_nothing_and_shortens_no_wait)
{
    static const struct answer answers[] = { BUSY, OK, OK };
    char errors[21] = "";
    for (unsigned n = 0, i; n < 40; n++) {
        begin(answers, 3, NULL);
        world->last = n / 2 + 1, world->fails = n % 2;
        run("f http://f.test/f");
        errors[n / 2] = program.status == 1 ? 'E' : ' ';
        assert_contains(program.err.bytes, program.status != 1 ? ""
                        : n < 34 ? "restart: f.retry.new: " : "done\nrestart: f.retry: ");
        if (program.status != 0)
            run("f http://f.test/f");
        assert_status(0);
        assert_file("f.retry", NULL);
        assert_in_range(server_stop(&server), 2, 3);
        for (i = 0; i < server.count; i++) {
            assert_true(server_was_asked(&server, i, "PUT http://f.test/f"));
            assert_string_equal(server.requests[i].body, world->begun_ms[i] ? "bo" : "body");
            if (i > 0 && n < 36)      /* the record is gone at the last moment, 19 */
                assert_true(world->begun_ms[i] - world->begun_ms[i - 1] >= 1000u << (i - 1));
        }
    }
    assert_string_equal(errors,     "EEEE   EEE  EEE  EE ");
    assert_string_equal(world->log, "UFRDSEUFRDWUFRDSEUD");   /* on the disk before it matters */
}

TEST(ctrl_c_ends_a_run_at_once_and_the_record_stays)
{
    static const struct answer answers[] = { STATUS("503", "Retry-After: 30\r\n"), { "", HANG } };
    static const char *const says[] = { "retry 1 in 3", "", "the name server hangs\n" };
    for (unsigned i = 0; i < (resolver_can_hang() ? 3 : 2); i++) {
        struct stat about;
        begin(&answers[i % 2], 1, NULL);
        setenv("no_proxy", i < 2 ? "" : "*", 1);
        program_start_words(i ? SELF : PROGRAM, "%sf http://f.test/f", i ? "world " : "");
        await(&program.err, says[i]);
        server_await(&server, i < 2);
        program_interrupt("cancelled\n");
        assert_int_equal(strncmp(file_read("f.retry"), i ? "0 0 0 1" : "1 3", 3), 0);
        assert_true(stat("f.retry", &about) == 0 && (about.st_mode & 0777) == 0600);
    }
}

int main(int argc, char **argv)
{
    if (argc > 2 && enter(NULL) == 0)
        return argv[2] += argv[2][0] == '@', restart_main(argc - 1, argv + 1);   /* @: "" */
    return run_all_with(NULL, program_kill, enter, folder_leave);
}
