/* PUTs a file until it is delivered, and may be killed at any moment. SPDX-License-Identifier: MIT

       restart FILE URL

   FILE.retry holds the state of the retries. The next run goes on with the same retry, the rest of
   the wait, and the same limits. An attempt may last as long as data moves. Ctrl-C and SIGTERM end
   a run, too. A lost answer lets the server get FILE twice. FILE is sent as it is now: to change
   it, rename another file to it. Nothing guards against two runs at once. It needs libcurl. Copy
   all above main. Exit status: 0 delivered, 1 given up or ended, 2 usage. */
#define _FILE_OFFSET_BITS 64   /* files of more than 2 GB on a system of 32 bits */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../common/interrupt.h"
#include "../common/stdout.h"
#include "redial_curl.h"

#define TEXT_BYTES 10000

/* 13 attempts in about 40 minutes and their own time. None begins after an hour, which comes where
   the server asks for long waits. Time in which the program does not run does not count. */
static const struct redial_policy policy = {
    .base_ms = 1000, .cap_ms = 600000, .jitter_ms = 1000, .max_retries = 12,
    .max_elapsed_ms = 3600000, .max_retry_after_ms = 600000
};

static const char *file_name, *url;
static char record_name[TEXT_BYTES], new_name[TEXT_BYTES];   /* FILE.retry, FILE.retry.new */
static int folder_fd;                                        /* where they are */

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "restart: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

struct record {
    unsigned retries, elapsed_ms;   /* as redial_resume takes them, at the end of the wait */
    unsigned wait_ms;               /* 0: an attempt is made */
    long long end_ms;               /* of the wait, by the wall clock */
};

static long long wall_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static size_t print_record(char *text, const struct record *record)
{
    return (size_t)snprintf(text, TEXT_BYTES, "%u %u %u %lld %s\n", record->retries,
                            record->elapsed_ms, record->wait_ms, record->end_ms, url);
}

/* False: there is none. Each byte must be as print_record would print it. No wait of the policy is
   longer than the longest that a server may ask for, and cap_ms, which is added at random. */
static bool read_record(struct record *record)
{
    char text[TEXT_BYTES], printed[TEXT_BYTES];
    FILE *in = fopen(record_name, "rb");
    size_t length = in ? fread(text, 1, sizeof text - 1, in) : 0;
    if (!in && errno == ENOENT)
        return false;
    if (!in || ferror(in))   /* it may be a folder */
        fail(record_name, strerror(errno));
    text[length] = '\0';
    if (sscanf(text, "%9u %9u %9u %18lld", &record->retries, &record->elapsed_ms, &record->wait_ms,
               &record->end_ms) != 4 || record->retries > policy.max_retries
        || record->wait_ms > policy.max_retry_after_ms + policy.cap_ms
        || print_record(printed, record) != length || memcmp(printed, text, length) != 0)
        fail(record_name, "is damaged, or of another URL; remove it to begin anew");
    fclose(in);
    return true;
}

/* A wait begins, or if wait_ms is 0, an attempt. Whenever the program is killed or the power fails,
   the record is the one before or this one. Another user's file or link is not written to. */
static void write_record(uint32_t retries, uint32_t elapsed_ms, uint32_t wait_ms)
{
    struct record record = { retries, elapsed_ms + wait_ms, wait_ms, wall_ms() + wait_ms };
    char text[TEXT_BYTES];
    size_t length = print_record(text, &record);
    FILE *out = (unlink(new_name), fopen(new_name, "wbx"));
    if (!out || fwrite(text, 1, length, out) != length || fflush(out) != 0
        || fsync(fileno(out)) != 0 || fclose(out) != 0 || rename(new_name, record_name) != 0
        || fsync(folder_fd) != 0)
        fail(new_name, strerror(errno));
}

static void on_wait(const struct redial_env *env, const struct redial_event *event)
{
    (void)env, write_record(event->retry, event->elapsed_ms, event->delay_ms);
    fprintf(stderr, "retry %u in %u ms\n", (unsigned)event->retry, (unsigned)event->delay_ms);
}

static int stop_transfer(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    (void)user, (void)a, (void)b, (void)c, (void)d;
    return interrupted != 0;
}

static size_t drop(char *data, size_t size, size_t count, void *user)
{
    (void)data, (void)user;
    return size * count;
}

static CURL *open_request(void)
{
    CURL *curl = curl_easy_init();
    if (!curl || curl_easy_setopt(curl, CURLOPT_URL, url) != CURLE_OK)
        fail("libcurl", "no memory is left");
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 30L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);   /* nothing came or went for a minute */
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, 60L);
    curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);        /* a name server may hang */
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, stop_transfer);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    return curl;
}

static struct redial_outcome attempt(CURL *curl, uint32_t retries, uint32_t elapsed_ms)
{
    struct redial_outcome outcome;
    struct stat about;
    FILE *body = fopen(file_name, "rb");
    if (!body || fstat(fileno(body), &about) != 0 || !S_ISREG(about.st_mode))
        fail(file_name, body ? "is no regular file" : strerror(errno));
    curl_easy_setopt(curl, CURLOPT_READDATA, body);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)about.st_size);
    write_record(retries, elapsed_ms, 0);
    outcome = redial_curl_perform(curl, REDIAL_NO_LIMIT, "PUT");   /* as the head says */
    fclose(body);
    fprintf(stderr, "%s (%d)\n", outcome.code < 200 ? curl_easy_strerror((CURLcode)outcome.code)
                                                    : "HTTP status", outcome.code);
    return outcome.kind == REDIAL_KIND_DONE && outcome.code / 100 != 2 ? redial_fail(outcome.code)
                                                                       : outcome;
}

static enum redial_verdict deliver(const struct redial_env *env, CURL *curl)
{
    struct redial_step step;
    struct redial_call call;
    struct record old = { .wait_ms = 1 };   /* without a record: a new call */
    long long left_ms = read_record(&old) ? old.end_ms - wall_ms() : 0;
    left_ms = left_ms > old.wait_ms ? old.wait_ms : left_ms;   /* the clock was set back */
    if (left_ms > 0 && (fprintf(stderr, "retry %u in %lld ms\n", old.retries, left_ms),
                        !env->wait_ms(env, (uint32_t)left_ms)))
        return REDIAL_CANCELLED;
    redial_resume(&call, &policy, old.retries, old.elapsed_ms, env->now_ms(env));
    step = old.wait_ms > 0 ? redial_ready(&call, env->now_ms(env))
           : redial_loop_next(&call, env, redial_retry(0, 0));   /* it was killed in an attempt */
    while (step.verdict == REDIAL_ATTEMPT)
        step = redial_loop_next(&call, env, attempt(curl, redial_retries(&call),
                                                    redial_elapsed_ms(&call, env->now_ms(env))));
    return step.verdict;
}

int main(int argc, char **argv)
{
    struct redial_env env = *redial_system();
    enum redial_verdict verdict;
    CURL *curl;
    stdout_begin();   /* what stderr is told must not get into the record */
    if (argc != 3 || argv[1][0] == '-' || argv[2][0] == '-') {
        fputs("usage: restart FILE URL\n", stderr);
        return 2;
    }
    file_name = argv[1], url = argv[2];
    if (!*file_name || strlen(file_name) > TEXT_BYTES - 100 || strlen(url) > TEXT_BYTES - 100)
        fail("FILE or URL", "is empty, or has more than 9900 bytes");
    folder_fd = open(dirname(strcpy(new_name, file_name)), O_RDONLY);
    if (folder_fd < 0)
        fail(file_name, strerror(errno));
    sprintf(record_name, "%s.retry", file_name);
    sprintf(new_name, "%s.retry.new", file_name);
    umask(077);   /* the URL may hold a password */
    env.cancelled = interrupt_cancelled, env.on_wait = on_wait;
    interrupt_catch();
    curl = open_request();
    verdict = deliver(&env, curl);
    curl_easy_cleanup(curl);
    fprintf(stderr, "%s\n", redial_verdict_name(verdict));
    if (verdict != REDIAL_CANCELLED && (unlink(record_name) != 0 || fsync(folder_fd) != 0))
        fail(record_name, strerror(errno));
    return verdict == REDIAL_DONE ? EXIT_SUCCESS : EXIT_FAILURE;
}
