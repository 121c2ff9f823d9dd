/* A file from a server, or to one: whole, or not at all. SPDX-License-Identifier: MIT

       curl_file get URL FILE     # goes on where it was cut, also in the next run of the program
       curl_file put FILE URL     # sends the file from its beginning in each attempt

   Copy attempt_get, with what stands above it and part.c, or attempt_put with what stands above it.
   The policy is in main. Ctrl-C ends a wait and a transfer. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#define _FILE_OFFSET_BITS 64   /* files of more than 2 GB on a system of 32 bits */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../common/interrupt.h"
#include "../common/stdout.h"
#include "part.h"
#include "redial_curl.h"

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

struct transfer {
    CURL *curl;
    const char *file;
    char why[PART_NAME_MAX + 200];   /* what neither the server nor libcurl says */
    long long now, all;              /* bytes in FILE.part, or sent; of the file (-1: unknown) */
    long long shown;                 /* by the progress line; -1: there is none */
    bool terminal;

    struct timespec modified;        /* of the file that put sends */
    int fd;

    struct part part;                /* what get has received */
    struct curl_slist *if_range;     /* NULL: the rest of it is not asked for */
    bool begun;                      /* the body of the answer */
    bool kept;                       /* it is no error page */
    bool wrong;                      /* it does not go on where FILE.part ends */
    long long end;                   /* of FILE.part after this answer; -1: unknown */
};

static void system_failed(struct transfer *transfer)
{
    snprintf(transfer->why, sizeof transfer->why, "%s: %s", transfer->file, strerror(errno));
}

static bool is_success(struct redial_outcome outcome)
{
    return outcome.kind == REDIAL_KIND_DONE;
}

static bool was_interrupted(struct redial_outcome outcome)
{
    return outcome.code == CURLE_ABORTED_BY_CALLBACK && interrupted;
}

/* ---- get: what an answer says of its body ---- */

static const char *header(const struct transfer *get, const char *name)
{
    struct curl_header *found;
    return curl_easy_header(get->curl, name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK
               ? found->value : NULL;
}

/* For If-Range: a strong ETag. An answer without any ETag has its Last-Modified, if that is so old
   that another change would have changed it, too (RFC 9110, 13.1.5 and 8.8.2.2). */
static const char *version_of(const struct transfer *get)
{
    const char *tag = header(get, "ETag"), *modified = header(get, "Last-Modified");
    const char *date = header(get, "Date");
    time_t then = modified ? curl_getdate(modified, NULL) : -1;
    if (tag)
        return tag[0] == '"' && strlen(tag) > 1 && tag[strlen(tag) - 1] == '"' ? tag : "";
    return then >= 0 && then + 60 <= (date ? curl_getdate(date, NULL) : time(NULL)) ? modified : "";
}

static bool is_same_version(const struct transfer *get)
{
    const char *version = header(get, get->part.version[0] == '"' ? "ETag" : "Last-Modified");
    return !version || strcmp(version, get->part.version) == 0;
}

/* A 206: is it what follows FILE.part? */
static bool goes_on(struct transfer *get)
{
    const char *range = header(get, "Content-Range");
    long long first, last, all;
    int length = 0;
    if (!get->if_range || !is_same_version(get) || !range
        || sscanf(range, "bytes %18lld-%18lld/%18lld%n", &first, &last, &all, &length) != 3
        || range[length] || first != get->part.size || last < first || last >= all)
        return false;
    get->end = last + 1;
    get->all = all;
    return true;
}

/* A 416: does FILE.part end where the file does? */
static bool was_whole(struct transfer *get)
{
    const char *range = header(get, "Content-Range");
    int length = 0;
    return is_same_version(get) && range && sscanf(range, "bytes */%18lld%n", &get->all, &length)
           && length && !range[length] && get->all == get->part.size;
}

/* Without a length, the end of a connection of HTTP/1 ends the body, or cuts it. */
static bool is_end_known(const struct transfer *get)
{
    const char *coding = header(get, "Transfer-Encoding");
    long version = 0;
    curl_easy_getinfo(get->curl, CURLINFO_HTTP_VERSION, &version);
    return get->all >= 0 || version > CURL_HTTP_VERSION_1_1
           || (coding && curl_strequal(coding, "chunked"));
}

/* ---- get: one attempt ---- */

/* False: nothing of it is wanted. */
static bool begin_body(struct transfer *get)
{
    long status = 0;
    curl_off_t length = -1;
    curl_easy_getinfo(get->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(get->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    get->begun = true;
    get->kept = status == 200 || status == 206;
    if (status == 206)
        get->wrong = !goes_on(get);
    if (status != 200)
        return !get->wrong;
    get->all = get->end = length;
    if (part_begin(&get->part, version_of(get)))
        return true;
    system_failed(get);
    return false;
}

static size_t take_body(char *data, size_t size, size_t count, void *user)
{
    struct transfer *get = user;
    size_t length = size * count;
    if (!get->begun && !begin_body(get))
        return 0;   /* CURLE_WRITE_ERROR */
    if (!get->kept)
        return length;
    get->wrong = get->end >= 0 && (long long)length > get->end - get->part.size;
    if (get->wrong)
        return 0;
    if (!part_append(&get->part, data, length)) {
        system_failed(get);
        return 0;
    }
    get->now = get->part.size;
    return length;
}

static void ask(struct transfer *get)
{
    char range[32], line[sizeof get->part.version + 20];
    bool known = get->part.size > 0 && get->part.version[0];
    get->now = get->part.size;
    snprintf(range, sizeof range, "%lld-", get->now);
    snprintf(line, sizeof line, "If-Range: %s", get->part.version);
    curl_slist_free_all(get->if_range);
    get->if_range = known ? curl_slist_append(NULL, line) : NULL;
    curl_easy_setopt(get->curl, CURLOPT_HTTPHEADER, get->if_range);
    curl_easy_setopt(get->curl, CURLOPT_RANGE, get->if_range ? range : NULL);
}

/* The server gave all it wants to. */
static struct redial_outcome finish(struct transfer *get, int status)
{
    if (get->all > get->part.size)
        return redial_retry(CURLE_PARTIAL_FILE, 0);
    if (!is_end_known(get))
        snprintf(get->why, sizeof get->why,
                 "the answer has no length: nobody knows whether %s is whole", get->part.name);
    else if (!part_finish(&get->part))
        system_failed(get);
    return get->why[0] ? redial_fail(status) : redial_done();
}

static struct redial_outcome attempt_get(void *user, const struct redial_attempt *attempt)
{
    struct transfer *get = user;
    struct redial_outcome outcome;
    get->begun = get->wrong = false;
    ask(get);
    outcome = redial_curl_perform(get->curl, attempt->timeout_ms, "GET");
    if (!get->begun && is_success(outcome))
        begin_body(get);   /* it is empty */
    if (get->wrong || outcome.code == CURLE_RANGE_ERROR
        || (outcome.code == 416 && get->if_range && !was_whole(get))) {
        if (!part_begin(&get->part, ""))
            system_failed(get);
        outcome = redial_retry(CURLE_RANGE_ERROR, 0);
    }
    if (get->why[0])
        return redial_fail(outcome.code);
    if (was_interrupted(outcome))
        return redial_retry(outcome.code, 0);   /* and redial_run says CANCELLED */
    if (outcome.code == 200 || outcome.code == 206 || (outcome.code == 416 && get->if_range))
        return finish(get, outcome.code);
    return is_success(outcome) ? redial_fail(outcome.code) : outcome;   /* 204 is no file */
}

/* ---- put: one attempt ---- */

static bool has_changed(const struct transfer *put)
{
    struct stat file;
    return fstat(put->fd, &file) != 0 || file.st_size != put->all
           || file.st_mtim.tv_sec != put->modified.tv_sec
           || file.st_mtim.tv_nsec != put->modified.tv_nsec;
}

/* A file that changed is not given to its end, so that no server stores a mixture. */
static size_t give_body(char *data, size_t size, size_t count, void *user)
{
    struct transfer *put = user;
    ssize_t length = pread(put->fd, data, size * count, put->now);
    if (length < 0)
        system_failed(put);
    if (length < 0 || has_changed(put))
        return CURL_READFUNC_ABORT;
    put->now += length;
    return (size_t)length;
}

/* Within an attempt, libcurl rewinds by itself: if a connection that it kept is dead. */
static int rewind_body(void *user, curl_off_t offset, int origin)
{
    struct transfer *put = user;
    put->now = offset;
    return origin == SEEK_SET ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK;
}

static size_t drop_body(char *data, size_t size, size_t count, void *user)
{
    (void)data, (void)user;
    return size * count;
}

static struct redial_outcome attempt_put(void *user, const struct redial_attempt *attempt)
{
    struct transfer *put = user;
    struct redial_outcome outcome;
    put->now = 0;   /* between attempts libcurl does not rewind */
    outcome = redial_curl_perform(put->curl, attempt->timeout_ms, "PUT");
    if (!put->why[0] && has_changed(put))
        snprintf(put->why, sizeof put->why, "%s changed while it was sent", put->file);
    if (put->why[0])
        return redial_fail(outcome.code);
    if (was_interrupted(outcome))
        return redial_retry(outcome.code, 0);
    return is_success(outcome) && outcome.code / 100 != 2 ? redial_fail(outcome.code) : outcome;
}

/* ---- what is shown, on stderr ---- */

/* libcurl calls it about once a second, and at once after a signal. */
static int show_progress(void *user, curl_off_t all, curl_off_t now, curl_off_t all_up,
                         curl_off_t now_up)
{
    struct transfer *transfer = user;
    bool known = transfer->all > 0;
    long long number = known ? transfer->now * 100 / transfer->all : transfer->now / 1000000;
    (void)all, (void)now, (void)all_up, (void)now_up;
    if (transfer->terminal && number != transfer->shown) {
        fprintf(stderr, "\r%s: %lld %s\033[K", transfer->file, number, known ? "%" : "MB");
        transfer->shown = number;
    }
    return interrupted != 0;
}

static void end_progress_line(struct transfer *transfer)
{
    if (transfer->shown >= 0)
        fputs("\r\033[K", stderr);
    transfer->shown = -1;
}

static void print_reason(const struct transfer *transfer, int code)
{
    if (transfer->why[0])
        fputs(transfer->why, stderr);
    else
        fprintf(stderr, "%s (%d)",
                code < 200 ? curl_easy_strerror((CURLcode)code) : "HTTP status", code);
}

static void on_wait(const struct redial_env *env, const struct redial_event *event)
{
    end_progress_line(env->user);
    print_reason(env->user, event->outcome.code);
    fprintf(stderr, ": retry %u in %u ms\n", (unsigned)event->retry, (unsigned)event->delay_ms);
}

static void print_end(struct transfer *transfer, const struct redial_report *report)
{
    end_progress_line(transfer);
    fprintf(stderr, "%s; attempts: %u", redial_verdict_name(report->verdict),
            (unsigned)report->attempts);
    if (report->verdict != REDIAL_DONE) {
        fputs("; last: ", stderr);
        print_reason(transfer, report->last.code);
    }
    if (report->refused_wait_ms)
        fprintf(stderr, "; a wait of %u ms was refused", (unsigned)report->refused_wait_ms);
    fputc('\n', stderr);
}

/* ---- the program ---- */

static bool open_get(struct transfer *get, const char *url)
{
    curl_easy_setopt(get->curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(get->curl, CURLOPT_WRITEDATA, get);
    curl_easy_setopt(get->curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(get->curl, CURLOPT_MAXREDIRS, 5L);
    get->all = -1;
    if (part_open(&get->part, get->file, url))
        return true;
    system_failed(get);
    return false;
}

static bool open_put(struct transfer *put)
{
    struct stat file;
    char more;
    put->fd = open(put->file, O_RDONLY | O_CLOEXEC);
    if (put->fd < 0 || fstat(put->fd, &file) != 0) {
        system_failed(put);
        return false;
    }
    if (pread(put->fd, &more, 1, file.st_size) != 0) {   /* a folder, a terminal, a file of /proc */
        snprintf(put->why, sizeof put->why, "%s: this is no file of a known size", put->file);
        return false;
    }
    put->all = file.st_size;
    put->modified = file.st_mtim;
    curl_easy_setopt(put->curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(put->curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)put->all);
    curl_easy_setopt(put->curl, CURLOPT_READFUNCTION, give_body);
    curl_easy_setopt(put->curl, CURLOPT_READDATA, put);
    curl_easy_setopt(put->curl, CURLOPT_SEEKFUNCTION, rewind_body);
    curl_easy_setopt(put->curl, CURLOPT_SEEKDATA, put);
    curl_easy_setopt(put->curl, CURLOPT_WRITEFUNCTION, drop_body);
    return true;
}

/* False: `why` says the reason. */
static bool open_transfer(struct transfer *transfer, const char *url, bool is_get)
{
    CURL *curl = transfer->curl = curl_easy_init();
    if (!curl || curl_easy_setopt(curl, CURLOPT_URL, url) != CURLE_OK) {
        snprintf(transfer->why, sizeof transfer->why, "no memory is left");
        return false;
    }
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 30L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);   /* nothing came or went for a minute */
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, 60L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, show_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, transfer);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    return is_get ? open_get(transfer, url) : open_put(transfer);
}

int main(int argc, char **argv)
{
    /* It has no limit of time: how long an attempt may take depends on the size of the file. */
    static const struct redial_policy policy = {
        .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000, .max_retries = 8
    };
    static struct transfer transfer = { .shown = -1, .fd = -1, .part = { .fd = -1 } };
    struct redial_env env = *redial_system();
    struct redial_report report = { .verdict = REDIAL_INVALID };
    bool is_get = argc == 4 && strcmp(argv[1], "get") == 0;
    stdout_begin();   /* what stderr is told must not get into the file */
    if (argc != 4 || argv[2][0] == '-' || argv[3][0] == '-'
        || (!is_get && strcmp(argv[1], "put") != 0)) {
        fputs("usage: curl_file get URL FILE | put FILE URL\n", stderr);
        return 2;
    }
    transfer.file = is_get ? argv[3] : argv[2];
    transfer.terminal = isatty(STDERR_FILENO);
    env.user = &transfer;
    env.cancelled = interrupt_cancelled;
    env.on_wait = on_wait;
    interrupt_catch();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (open_transfer(&transfer, is_get ? argv[2] : argv[3], is_get)) {
        redial_run(&policy, &env, is_get ? attempt_get : attempt_put, &transfer, &report);
        print_end(&transfer, &report);
    } else {
        fprintf(stderr, "%s\n", transfer.why);
    }
    part_close(&transfer.part);
    curl_easy_cleanup(transfer.curl);
    curl_slist_free_all(transfer.if_range);
    return report.verdict == REDIAL_DONE ? EXIT_SUCCESS : EXIT_FAILURE;
}
