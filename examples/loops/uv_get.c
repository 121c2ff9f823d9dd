/* A few GETs with libuv: redial_begin and redial_next, with a uv_timer_t for the waits. It needs
   libuv.

       uv_get      its own server answers 503, 503, 429, 200 in turn; one call finds no server

   One timer for each call is enough: during an attempt it is the timeout, between attempts it is
   the wait. libuv's errors are negative errno values, which redial_errno accepts. To copy: from
   struct get to get_start. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <uv.h>

#include "../common/load_server.h"
#include "redial.h"

#define CALLS 6
#define FILES 32
#define HEADER_MAX 8192     /* a longer header is refused */

struct get {
    struct redial_call call;
    struct redial_outcome outcome;      /* of the attempt that is being closed */
    struct sockaddr_in server;
    uv_timer_t timer;
    uv_tcp_t tcp;
    uv_connect_t connect;
    uv_write_t write;
    size_t length;
    char got[HEADER_MAX + 1];           /* the response's header, and the data that came with it */
    unsigned number, attempts;
    uint64_t began_ms;
};

static void attempt(uv_timer_t *timer);

/* ---- between two attempts: the decision ---- */

static void print_verdict(const struct get *get, enum redial_verdict verdict)
{
    int code = get->outcome.code;
    printf("%4u ms: call %u, attempt %u: %d%s%s, %s",
           (unsigned)(uv_now(get->timer.loop) - get->began_ms), get->number, get->attempts, code,
           code < 0 ? " " : "", code < 0 ? uv_strerror(code) : "", redial_verdict_name(verdict));
}

static void give_up(struct get *get, enum redial_verdict verdict)
{
    print_verdict(get, verdict);
    printf("\n");
    uv_close((uv_handle_t *)&get->timer, NULL);
}

static void decide(uv_handle_t *tcp)
{
    struct get *get = tcp->data;
    const struct redial_env *env = redial_system();
    struct redial_step step;
    /* Otherwise the timer would start from an old reading of the clock. */
    uv_update_time(tcp->loop);
    step = redial_next(&get->call, (uint32_t)uv_now(tcp->loop), get->outcome, env->random(env));
    if (step.verdict != REDIAL_RETRY) {
        give_up(get, step.verdict);
        return;
    }
    print_verdict(get, step.verdict);
    printf(" in %u ms\n", (unsigned)step.delay_ms);
    uv_timer_start(&get->timer, attempt, step.delay_ms, 0);
}

/* Only the first outcome of an attempt counts. Closing the socket may cause others. */
static void finish(struct get *get, struct redial_outcome outcome)
{
    if (uv_is_closing((uv_handle_t *)&get->tcp))
        return;
    get->outcome = outcome;
    uv_timer_stop(&get->timer);
    uv_close((uv_handle_t *)&get->tcp, decide);
}

/* ---- one attempt ---- */

static void too_long(uv_timer_t *timer)
{
    finish(timer->data, redial_errno(UV_ETIMEDOUT));
}

static void room(uv_handle_t *tcp, size_t suggested, uv_buf_t *buffer)
{
    struct get *get = tcp->data;
    (void)suggested;
    *buffer = uv_buf_init(get->got + get->length, (unsigned)(sizeof get->got - 1 - get->length));
}

/* The value of a header field; "": there is none. */
static const char *field(const char *header, const char *name, char value[64])
{
    const char *line = strstr(header, "\r\n") + 2;
    value[0] = '\0';
    for (; *line != '\r'; line = strstr(line, "\r\n") + 2)
        if (strncasecmp(line, name, strlen(name)) == 0)
            snprintf(value, 64, "%.*s", (int)strcspn(line + strlen(name), "\r"),
                     line + strlen(name));
    return value;
}

/* Of HTTP/1.0 as well as of HTTP/1.1. */
static struct redial_outcome outcome_of(const char *header)
{
    char retry_after[64], date[64];
    if (strncmp(header, "HTTP/1.", 7) != 0 || strspn(header + 7, "0123456789") != 1
        || header[8] != ' ')
        return redial_fail(UV_EPROTO);
    return redial_http(atoi(header + 9),
                       redial_retry_after_ms(field(header, "Retry-After:", retry_after),
                                             field(header, "Date:", date)),
                       "GET");
}

/* UV_EOF is not an errno value, so redial_errno does not know it. UV_ENOBUFS means that the header
   did not fit into our buffer, and it would not fit the next time either. */
static void on_read(uv_stream_t *tcp, ssize_t length, const uv_buf_t *buffer)
{
    struct get *get = tcp->data;
    (void)buffer;
    if (length > 0)
        get->length += (size_t)length;
    get->got[get->length] = 0;
    if (strstr(get->got, "\r\n\r\n"))
        finish(get, outcome_of(get->got));
    else if (length == UV_EOF)
        finish(get, redial_retry(UV_EOF, 0));
    else if (length == UV_ENOBUFS)
        finish(get, redial_fail(UV_ENOBUFS));
    else if (length < 0)
        finish(get, redial_errno((int)length));
}

static void on_written(uv_write_t *request, int status)
{
    if (status < 0)
        finish(request->data, redial_errno(status));
}

static void on_connected(uv_connect_t *request, int status)
{
    static char text[] = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    struct get *get = request->data;
    uv_buf_t buffer = uv_buf_init(text, sizeof text - 1);
    if (status >= 0)
        status = uv_read_start((uv_stream_t *)&get->tcp, room, on_read);
    if (status >= 0)
        status = uv_write(&get->write, (uv_stream_t *)&get->tcp, &buffer, 1, on_written);
    if (status < 0)
        finish(get, redial_errno(status));
}

static void attempt(uv_timer_t *timer)
{
    struct get *get = timer->data;
    uint32_t timeout_ms = redial_timeout_ms(&get->call, (uint32_t)uv_now(timer->loop));
    int status;
    if (timeout_ms == 0) {
        give_up(get, REDIAL_TIMED_OUT);
        return;
    }
    get->attempts++;
    get->length = 0;
    uv_tcp_init(timer->loop, &get->tcp);
    uv_timer_start(timer, too_long, timeout_ms, 0);
    status = uv_tcp_connect(&get->connect, &get->tcp, (const struct sockaddr *)&get->server,
                            on_connected);
    if (status < 0)
        finish(get, redial_errno(status));
}

static void get_start(struct get *get, uv_loop_t *loop, const struct redial_policy *policy,
                      uint16_t port)
{
    uv_ip4_addr("127.0.0.1", port, &get->server);
    uv_timer_init(loop, &get->timer);
    get->timer.data = get->tcp.data = get->connect.data = get->write.data = get;
    get->began_ms = uv_now(loop);
    redial_begin(&get->call, policy, (uint32_t)get->began_ms);
    attempt(&get->timer);
}

/* ---- the demonstration ---- */

static const char *in_turn(const char *path)
{
    static const char *const answers[] = { "503 Service Unavailable\r\n\r\n",
                                           "503 Service Unavailable\r\n\r\n",
                                           "429 Too Many Requests\r\nretry-after: 0.5\r\n\r\n",
                                           "200 OK\r\n\r\n" };
    static unsigned next;
    (void)path;
    return answers[next++ % 4];
}

int main(void)
{
    static const struct redial_policy policy = {
        .base_ms = 20, .cap_ms = 200, .jitter_ms = 20, .max_retries = 5, .max_elapsed_ms = 30000,
        .max_retry_after_ms = 5000, .attempt_ms = 2000 };
    static struct get calls[CALLS];
    struct load_server load;
    struct rlimit files;
    uv_loop_t loop;
    unsigned i;
    int status;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < FILES) {   /* libuv would abort */
        fprintf(stderr, "uv_get: ulimit -n is %lu, and must be %d or more\n",
                (unsigned long)files.rlim_cur, FILES);
        return 1;
    }
    status = uv_loop_init(&loop);
    if (status < 0 || load_server_start(&load, in_turn) != 0) {
        fprintf(stderr, "uv_get: %s\n", status < 0 ? uv_strerror(status) : strerror(errno));
        return 1;
    }
    for (i = 0; i < CALLS; i++) {
        calls[i].number = i + 1;
        get_start(&calls[i], &loop, &policy, i == 0 ? 1 : load.port);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    load_server_stop(&load);
    return 0;
}
