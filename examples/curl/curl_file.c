/* A file from a server, or to one: whole, or not at all. SPDX-License-Identifier: MIT

       curl_file get URL FILE     # FILE.part becomes FILE when it is whole
       curl_file put FILE URL

   Each attempt begins anew. Copy attempt_get or attempt_put, with what stands above it and the
   options of open_transfer. The policy is in main. Ctrl-C ends a wait and a transfer. */
#define _FILE_OFFSET_BITS 64   /* files of more than 2 GB on a system of 32 bits */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/interrupt.h"
#include "../common/stdout.h"
#include "redial_curl.h"

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

struct transfer {
    CURL *curl;
    const char *file;
    char part[5000];       /* FILE.part, or "": there is none, or it has to stay */
    FILE *stream;          /* of FILE.part, or of the file that is sent */
    struct stat begun;     /* the file that is sent, as it was */
    char why[5200];        /* what neither the server nor libcurl says */
    long long shown;       /* by the progress line */
    const char *erase;     /* that line; "": there is none */
};

static void system_failed(struct transfer *transfer)
{
    snprintf(transfer->why, sizeof transfer->why, "%s: %s", transfer->file, strerror(errno));
}

static struct redial_outcome judge(const struct transfer *transfer, struct redial_outcome outcome,
                                   bool is_right_status)
{
    if (outcome.kind == REDIAL_KIND_CANCELLED && interrupted)
        return outcome;
    if (transfer->why[0] || (outcome.kind == REDIAL_KIND_DONE && !is_right_status))
        return redial_fail(outcome.code);
    return outcome;
}

/* What the answer to a put says is dropped. */
static size_t take_body(char *data, size_t size, size_t count, void *user)
{
    struct transfer *transfer = user;
    if (!transfer->part[0] || fwrite(data, size, count, transfer->stream) == count)
        return size * count;
    system_failed(transfer);
    return 0;   /* CURLE_WRITE_ERROR */
}

/* Without a length, the end of a connection of HTTP/1 ends the body, or cuts it. */
static bool is_end_known(CURL *curl)
{
    struct curl_header *coding;
    curl_off_t length = -1;
    long version = 0;
    curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    curl_easy_getinfo(curl, CURLINFO_HTTP_VERSION, &version);
    return length >= 0 || version > CURL_HTTP_VERSION_1_1
           || (!curl_easy_header(curl, "Transfer-Encoding", 0, CURLH_HEADER, -1, &coding)
               && curl_strequal(coding->value, "chunked"));
}

static struct redial_outcome attempt_get(void *user, const struct redial_attempt *attempt)
{
    struct transfer *get = user;
    struct redial_outcome outcome = redial_fail(0);
    get->stream = freopen(get->part, "wb", get->stream);   /* it is empty again */
    if (!get->stream)
        system_failed(get);
    else
        outcome = redial_curl_perform(get->curl, attempt->timeout_ms, "GET");
    if (outcome.code == 200 && !is_end_known(get->curl)) {
        snprintf(get->why, sizeof get->why,
                 "the answer has no length: nobody knows whether %s is whole", get->part);
        get->part[0] = '\0';
    } else if (outcome.code == 200   /* some errors of a disk or a network come only at fsync */
               && (fflush(get->stream) != 0 || fsync(fileno(get->stream)) != 0
                   || rename(get->part, get->file) != 0))
        system_failed(get);
    return judge(get, outcome, outcome.code == 200);   /* 204 is no file */
}

static bool has_changed(struct transfer *put)
{
    struct stat now;
    if (fstat(fileno(put->stream), &now) == 0 && now.st_size == put->begun.st_size
        && now.st_mtim.tv_sec == put->begun.st_mtim.tv_sec
        && now.st_mtim.tv_nsec == put->begun.st_mtim.tv_nsec)
        return false;
    snprintf(put->why, sizeof put->why, "%s changed while it was sent", put->file);
    return true;
}

/* A file that changed is not given to its end, so that no server stores a mixture. */
static size_t give_body(char *data, size_t size, size_t count, void *user)
{
    struct transfer *put = user;
    size_t length = fread(data, 1, size * count, put->stream);
    if (ferror(put->stream))
        system_failed(put);
    return ferror(put->stream) || has_changed(put) ? CURL_READFUNC_ABORT : length;
}

/* By itself libcurl sends the file again after a kept connection has died, or after HTTP/2's
   REFUSED_STREAM and GOAWAY. Without this, the versions 8.7 to 8.15 would then fail with 65, also
   in each later transfer of the handle. */
static int seek_body(void *user, curl_off_t offset, int origin)
{
    struct transfer *put = user;
    return fseeko(put->stream, (off_t)offset, origin) == 0 ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

static struct redial_outcome attempt_put(void *user, const struct redial_attempt *attempt)
{
    struct transfer *put = user;
    struct redial_outcome outcome;
    rewind(put->stream);   /* libcurl does not do it for a new transfer */
    outcome = redial_curl_perform(put->curl, attempt->timeout_ms, "PUT");
    has_changed(put);
    return judge(put, outcome, outcome.code / 100 == 2);
}

/* libcurl calls it about once a second, and at once after a signal. */
static int show_progress(void *user, curl_off_t all, curl_off_t now, curl_off_t all_up,
                         curl_off_t now_up)
{
    struct transfer *transfer = user;
    long long whole = all_up ? all_up : all, done = all_up ? now_up : now;
    long long number = whole ? done * 100 / whole : done / 1000000;
    if (transfer->erase[0] && number != transfer->shown)
        fprintf(stderr, "\r%s: %lld %s\033[K", transfer->file, number, whole ? "%" : "MB");
    transfer->shown = number;
    return interrupted != 0;
}

static const char *reason(const struct transfer *transfer, int code)
{
    static char text[200];
    snprintf(text, sizeof text, "%s (%d)",
             code < 200 ? curl_easy_strerror((CURLcode)code) : "HTTP status", code);
    return transfer->why[0] ? transfer->why : text;
}

static void on_wait(const struct redial_env *env, const struct redial_event *event)
{
    const struct transfer *transfer = env->user;
    fprintf(stderr, "%s%s: retry %u in %u ms\n", transfer->erase,
            reason(transfer, event->outcome.code), (unsigned)event->retry,
            (unsigned)event->delay_ms);
}

static void print_end(const struct transfer *transfer, const struct redial_report *report)
{
    fprintf(stderr, "%s%s; attempts: %u", transfer->erase, redial_verdict_name(report->verdict),
            (unsigned)report->attempts);
    if (report->verdict != REDIAL_DONE)
        fprintf(stderr, "; last: %s", reason(transfer, report->last.code));
    if (report->refused_wait_ms)
        fprintf(stderr, "; a wait of %u ms was refused", (unsigned)report->refused_wait_ms);
    fputc('\n', stderr);
}

/* False: `why` says the reason. */
static bool open_transfer(struct transfer *transfer, const char *url, bool is_get)
{
    CURL *curl = transfer->curl = curl_easy_init();
    char more;
    transfer->stream = is_get ? fopen(transfer->part, "wb") : fopen(transfer->file, "rb");
    if (!curl || !transfer->stream || fstat(fileno(transfer->stream), &transfer->begun) != 0
        || curl_easy_setopt(curl, CURLOPT_URL, url) != CURLE_OK)
        system_failed(transfer);
    else if (!is_get && pread(fileno(transfer->stream), &more, 1, transfer->begun.st_size) != 0)
        snprintf(transfer->why, sizeof transfer->why, "%s: this is no file of a known size",
                 transfer->file);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 30L);
    curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);        /* a name server may hang */
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);   /* nothing came or went for a minute */
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, 60L);
    curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);       /* an error page is no part of a file */
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, show_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, transfer);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, give_body);
    curl_easy_setopt(curl, CURLOPT_READDATA, transfer);
    curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, seek_body);
    curl_easy_setopt(curl, CURLOPT_SEEKDATA, transfer);
    curl_easy_setopt(curl, CURLOPT_UPLOAD, is_get ? 0L : 1L);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)transfer->begun.st_size);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, is_get ? 1L : 0L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
    return !transfer->why[0];
}

int main(int argc, char **argv)
{
    /* It has no limit of time: how long an attempt may take depends on the size of the file. */
    static const struct redial_policy policy = {
        .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000, .max_retries = 8
    };
    static struct transfer transfer = { .shown = -1 };
    struct redial_env env = *redial_system();
    struct redial_report report;
    bool is_get = argc == 4 && strcmp(argv[1], "get") == 0;
    stdout_begin();   /* what stderr is told must not get into the file */
    if (argc != 4 || argv[2][0] == '-' || argv[3][0] == '-'
        || (!is_get && strcmp(argv[1], "put") != 0)) {
        fputs("usage: curl_file get URL FILE | put FILE URL\n", stderr);
        return 2;
    }
    transfer.file = is_get ? argv[3] : argv[2];
    transfer.erase = isatty(STDERR_FILENO) ? "\r\033[K" : "";
    if (is_get)
        snprintf(transfer.part, sizeof transfer.part, "%s.part", transfer.file);
    env.user = &transfer;
    env.cancelled = interrupt_cancelled;
    env.on_wait = on_wait;
    interrupt_catch();
    if (!open_transfer(&transfer, is_get ? argv[2] : argv[3], is_get)) {
        fprintf(stderr, "%s\n", transfer.why);
        return EXIT_FAILURE;
    }
    redial_run(&policy, &env, is_get ? attempt_get : attempt_put, &transfer, &report);
    print_end(&transfer, &report);
    unlink(transfer.part);
    curl_easy_cleanup(transfer.curl);
    return report.verdict == REDIAL_DONE ? EXIT_SUCCESS : EXIT_FAILURE;
}
