/* GETs with libcurl on libuv: curl_multi_socket_action, redial_begin, redial_ready and redial_next.
   It needs libuv and libcurl 7.87. SPDX-License-Identifier: MIT

       uv_curl http://a.example/1 http://a.example/2 ...      at most 100

   libuv watches libcurl's sockets, and has a timer for libcurl, which also ends attempts, and one
   for the next attempt of each GET. To copy: all above main. curl_many has a budget and a gate. */
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "../common/stdout.h"
#include "redial_curl.h"

#define MOST 100

struct get {
    const char *url;
    CURL *curl;
    struct redial_call call;
    struct redial_curl_attempt attempt;
    bool sent;              /* an attempt is under way */
    uv_timer_t timer;       /* for the next one */
    size_t length;          /* of the body */
};

static uv_loop_t *loop;
static uv_timer_t timer;    /* libcurl's */
static CURLM *multi;
static unsigned left, done; /* GETs that have not ended, and those that succeeded */

static const struct redial_policy policy = {
    .base_ms = 100, .cap_ms = 5000, .max_retries = 5, .max_elapsed_ms = 60000, .attempt_ms = 2000
};

static uint32_t now_ms(void)
{
    uv_update_time(loop);   /* otherwise it is the time at which libuv began to call us */
    return (uint32_t)uv_now(loop);
}

/* ---- the decisions: see redial_ready in redial.h ---- */

static void go(uv_timer_t *of_get);
static void ended(struct get *get, struct redial_outcome outcome);

static struct redial_outcome end_attempt(struct get *get, CURLcode result)
{
    get->sent = false;
    curl_multi_remove_handle(multi, get->curl);
    return redial_curl_end(&get->attempt, result);
}

static void act(struct get *get, struct redial_step step)
{
    if (step.verdict == REDIAL_ATTEMPT) {
        get->length = 0;    /* drops the error page, or the part of a body, of the attempt before */
        get->sent = redial_curl_begin(&get->attempt, get->curl, step.timeout_ms, "GET");
        if (curl_multi_add_handle(multi, get->curl) != CURLM_OK)
            ended(get, end_attempt(get, CURLE_OUT_OF_MEMORY));
    } else if (step.verdict == REDIAL_WAIT) {
        uv_timer_start(&get->timer, go, step.delay_ms, 0);
    } else {
        printf("%s: %s\n", get->url, redial_verdict_name(step.verdict));
        done += step.verdict == REDIAL_DONE;
        if (--left == 0)
            uv_stop(loop);
    }
}

static void ended(struct get *get, struct redial_outcome outcome)
{
    const struct redial_env *env = redial_system();
    struct redial_step step = redial_next(&get->call, now_ms(), outcome, env->random(env));
    printf("%s: %d %s, %zu bytes", get->url, outcome.code,
           outcome.code < 200 ? curl_easy_strerror((CURLcode)outcome.code) : "", get->length);
    printf(step.verdict == REDIAL_WAIT ? "; wait %u ms\n" : "\n", (unsigned)step.delay_ms);
    act(get, step);
}

/* At the beginning, and when the timer fires. */
static void go(uv_timer_t *of_get)
{
    struct get *get = of_get->data;
    act(get, redial_ready(&get->call, now_ms()));
}

/* After a signal all GETs are given up. */
static void stop(uv_signal_t *handle, int number)
{
    (void)number;
    for (struct get *get = handle->data; get->url; get++)
        if (get->sent)
            end_attempt(get, CURLE_ABORTED_BY_CALLBACK);
    uv_stop(loop);
}

/* ---- libcurl on libuv ---- */

static size_t take(char *data, size_t size, size_t count, void *user)
{
    (void)data;   /* a program would keep it */
    ((struct get *)user)->length += size * count;
    return size * count;
}

static void tell(curl_socket_t fd, int events)
{
    CURLMsg *message;
    int ignored;
    curl_multi_socket_action(multi, fd, events, &ignored);
    while ((message = curl_multi_info_read(multi, &ignored))) {
        struct get *get = NULL;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&get);
        ended(get, end_attempt(get, message->data.result));
    }
}

static void on_timer(uv_timer_t *ignored)
{
    (void)ignored;
    tell(CURL_SOCKET_TIMEOUT, 0);
}

static void on_socket(uv_poll_t *poll, int status, int events)
{
    uv_os_fd_t fd;
    uv_fileno((uv_handle_t *)poll, &fd);
    tell(fd, (status < 0 ? CURL_CSELECT_ERR : 0) | (events & UV_READABLE ? CURL_CSELECT_IN : 0)
                 | (events & UV_WRITABLE ? CURL_CSELECT_OUT : 0));
}

/* libcurl calls it, again if the timer was early. -1: no timer. */
static int set_timer(CURLM *ignored, long ms, void *user)
{
    (void)ignored, (void)user;
    return ms < 0 ? uv_timer_stop(&timer) : uv_timer_start(&timer, on_timer, (uint64_t)ms, 0);
}

static void forget(uv_handle_t *poll)
{
    free(poll);
}

/* libcurl calls it. poll is what curl_multi_assign stored. */
static int watch(CURL *curl, curl_socket_t fd, int what, void *user, void *poll)
{
    int events;
    (void)curl, (void)user;
    if (what == CURL_POLL_REMOVE) {
        uv_close(poll, forget);
        return 0;
    }
    if (!poll) {
        poll = malloc(sizeof(uv_poll_t));
        if (!poll || uv_poll_init_socket(loop, poll, fd) != 0) {
            free(poll);
            return -1;   /* all transfers fail */
        }
        curl_multi_assign(multi, fd, poll);
    }
    events = (what & CURL_POLL_IN ? UV_READABLE : 0) | (what & CURL_POLL_OUT ? UV_WRITABLE : 0);
    return uv_poll_start(poll, events, on_socket) == 0 ? 0 : -1;
}

static void start(struct get *get, const char *url)
{
    get->url = url;
    get->curl = curl_easy_init();
    curl_easy_setopt(get->curl, CURLOPT_URL, url);
    curl_easy_setopt(get->curl, CURLOPT_PRIVATE, get);
    curl_easy_setopt(get->curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(get->curl, CURLOPT_WRITEDATA, get);
    curl_easy_setopt(get->curl, CURLOPT_PROTOCOLS_STR, "http,https");   /* no file, no mail */
    curl_easy_setopt(get->curl, CURLOPT_QUICK_EXIT, 1L);   /* even if a name server hangs */
    uv_timer_init(loop, &get->timer);
    get->timer.data = get;
    redial_begin(&get->call, &policy, now_ms());
    go(&get->timer);
}

int main(int argc, char **argv)
{
    static struct get gets[MOST + 1];   /* the last one has no URL */
    static uv_signal_t signals[2];
    unsigned i, count = (unsigned)argc - 1;
    stdout_begin();
    if (count < 1 || count > MOST || argv[1][0] == '-') {
        fputs("usage: uv_curl URL...\nIt takes at most 100 URLs.\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);   /* each line at once, in a pipe, too */
    curl_global_init(CURL_GLOBAL_DEFAULT);
    loop = uv_default_loop();
    multi = curl_multi_init();
    if (!loop || !multi) {
        perror("uv_curl");
        return EXIT_FAILURE;
    }
    uv_timer_init(loop, &timer);
    for (i = 0; i < 2; i++) {
        uv_signal_init(loop, &signals[i]);
        signals[i].data = gets;
        uv_signal_start(&signals[i], stop, i ? SIGTERM : SIGINT);
    }
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
#if LIBCURL_VERSION_NUM >= 0x081400
    /* Without it, curl_multi_cleanup waits for the threads of a name server that hangs. */
    curl_multi_setopt(multi, CURLMOPT_QUICK_EXIT, 1L);
#endif
    left = count;
    for (i = 0; i < count; i++)
        start(&gets[i], argv[i + 1]);
    uv_run(loop, UV_RUN_DEFAULT);
    for (i = 0; i < count; i++)
        curl_easy_cleanup(gets[i].curl);
    curl_multi_cleanup(multi);
    return stdout_end("uv_curl", done == count ? EXIT_SUCCESS : EXIT_FAILURE);
}
