/* A handful of GETs on libuv: redial_begin and redial_next, with the waits on a uv_timer_t. Needs libuv.

       uv_get                    its own server answers 503, 503, 429, 200 in turn; one call finds nobody at its port

   One timer a call does for both: while an attempt is under way it bounds the attempt, between attempts it is the
   wait. libuv's errors go through redial_errno as they are, negative. To lift: from struct get to get_start.
   SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "../common/load_server.h"
#include "redial.h"

#define CALLS 6
#define ATTEMPT_MS 2000

struct get {
    struct redial_call call;
    struct redial_outcome outcome;      /* of the attempt that is being closed */
    struct sockaddr_in server;
    uv_timer_t timer;
    uv_tcp_t tcp;
    uv_connect_t connect;
    uv_write_t write;
    size_t length;
    char got[512];                      /* of the response, its head */
    unsigned number, attempts;
    uint64_t began_ms;
};

static void attempt(uv_timer_t *timer);

/* ---- between two attempts: the decision ---- */

static void decide(uv_handle_t *tcp)
{
    struct get *get = tcp->data;
    const struct redial_env *env = redial_system();
    struct redial_step step;
    int code = get->outcome.code;
    uv_update_time(tcp->loop);          /* or the timer would count from when the loop last looked at the clock */
    step = redial_next(&get->call, get->outcome, (uint32_t)uv_now(tcp->loop), env->random(env));
    printf("%4u ms: call %u, attempt %u: %d%s%s, %s", (unsigned)(uv_now(tcp->loop) - get->began_ms), get->number,
           get->attempts, code, code < 0 ? " " : "", code < 0 ? uv_strerror(code) : "",
           redial_verdict_name((int)step.verdict));
    if (step.verdict == REDIAL_RETRY) {
        printf(" in %u ms\n", (unsigned)step.delay_ms);
        uv_timer_start(&get->timer, attempt, step.delay_ms, 0);
    } else {
        printf("\n");
        uv_close((uv_handle_t *)&get->timer, NULL);
    }
}

/* The first to say how the attempt ended is right; what the closing stirs up is not heard. */
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

/* UV_EOF is no errno value, and a response cut short is worth a retry: so the end is not left to redial_errno. */
static void on_read(uv_stream_t *tcp, ssize_t length, const uv_buf_t *buffer)
{
    struct get *get = tcp->data;
    (void)buffer;
    if (length < 0 && length != UV_EOF && length != UV_ENOBUFS) {
        finish(get, redial_errno((int)length));
        return;
    }
    if (length > 0)
        get->length += (size_t)length;
    get->got[get->length] = 0;
    if (strstr(get->got, "\r\n\r\n"))
        finish(get, redial_http(strncmp(get->got, "HTTP/1.1 ", 9) == 0 ? atoi(get->got + 9) : 0, 0));
    else if (length < 0)
        finish(get, redial_retry((int)length));
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
    int status;
    get->attempts++;
    get->length = 0;
    uv_tcp_init(timer->loop, &get->tcp);
    uv_timer_start(timer, too_long, ATTEMPT_MS, 0);
    status = uv_tcp_connect(&get->connect, &get->tcp, (const struct sockaddr *)&get->server, on_connected);
    if (status < 0)
        finish(get, redial_errno(status));
}

static void get_start(struct get *get, uv_loop_t *loop, const struct redial_policy *policy, uint16_t port)
{
    uv_ip4_addr("127.0.0.1", port, &get->server);
    uv_timer_init(loop, &get->timer);
    get->timer.data = get->tcp.data = get->connect.data = get->write.data = get;
    get->began_ms = uv_now(loop);
    redial_begin(&get->call, policy, (uint32_t)get->began_ms);
    attempt(&get->timer);
}

/* ---- the demonstration ---- */

static const char *in_turn(unsigned phase)
{
    static const char *const answers[] = { "503 Service Unavailable", "503 Service Unavailable",
                                           "429 Too Many Requests", "200 OK" };
    static unsigned next;
    (void)phase;
    return answers[next++ % 4];
}

int main(void)
{
    static const struct redial_policy policy = {
        .base_ms = 20, .cap_ms = 200, .jitter_ms = 20, .max_retries = 5 };
    static struct get calls[CALLS];
    struct load_server *load = load_server_start(in_turn);
    unsigned i, attempts = 0;
    if (!load) {
        perror("uv_get");
        return 1;
    }
    for (i = 0; i < CALLS; i++) {
        calls[i].number = i + 1;
        get_start(&calls[i], uv_default_loop(), &policy, i == 0 ? 1 : load->port);
    }
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    uv_loop_close(uv_default_loop());
    for (i = 1; i < CALLS; i++)
        attempts += calls[i].attempts;
    printf("%u attempts, the server counted %u and served %u\n", attempts, load->requests, load->served);
    load_server_stop(load);
    return 0;
}
