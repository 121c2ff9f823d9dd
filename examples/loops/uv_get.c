/* Some GETs with libuv: redial_begin and redial_next, with a uv_timer_t for the waits. It needs
   libuv. SPDX-License-Identifier: MIT

       uv_get 127.0.0.1 8080 /a /b /c      prints the status of each; it reads no bodies

   One timer for each call is enough: during an attempt it is the timeout, between attempts it is
   the wait. libuv's errors are negative errno values, which redial_errno accepts. To copy: from
   struct get to get_start, and common/http_header.c. */
#include <stdio.h>
#include <sys/resource.h>
#include <uv.h>

#include "../common/http_header.h"
#include "../common/stdout.h"

#define MOST 100
#define FILES 16            /* that libuv itself has open */

struct get {
    const char *path;
    struct redial_call call;
    struct redial_outcome outcome;      /* of the attempt that is being closed */
    enum redial_verdict verdict;        /* REDIAL_WAIT: it goes on */
    union {
        struct sockaddr any;
        struct sockaddr_in ipv4;
        struct sockaddr_in6 ipv6;
    } server;
    uv_timer_t timer;
    uv_tcp_t tcp;
    uv_connect_t connect;
    uv_write_t write;
    size_t length;
    char request[2048];
    char got[8192];                     /* a longer header is refused */
};

static void attempt(uv_timer_t *timer);

/* ---- between two attempts: the decision ---- */

static void print(const struct get *get, uint32_t delay_ms)
{
    int code = get->outcome.code;
    printf("%s: %d %s; %s", get->path, code, code < 0 ? uv_strerror(code) : "",
           redial_verdict_name(get->verdict));
    printf(get->verdict == REDIAL_WAIT ? " in %u ms\n" : "\n", (unsigned)delay_ms);
}

static void decide(uv_handle_t *tcp)
{
    struct get *get = tcp->data;
    const struct redial_env *env = redial_system();
    struct redial_step step;
    /* Otherwise the timer would start from an old reading of the clock. */
    uv_update_time(tcp->loop);
    step = redial_next(&get->call, (uint32_t)uv_now(tcp->loop), get->outcome, env->random(env));
    get->verdict = step.verdict;
    print(get, step.delay_ms);
    if (step.verdict == REDIAL_WAIT)
        uv_timer_start(&get->timer, attempt, step.delay_ms, 0);
    else
        uv_close((uv_handle_t *)&get->timer, NULL);
}

/* Only the first outcome of an attempt counts. Closing the socket may cause others. */
static void finish(struct get *get, struct redial_outcome outcome)
{
    if (uv_is_closing((uv_handle_t *)&get->tcp))
        return;
    get->outcome = outcome;
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

/* UV_EOF is not an errno value, so redial_errno does not know it. UV_ENOBUFS means that the header
   did not fit into our buffer, and it would not fit the next time either. */
static void on_read(uv_stream_t *tcp, ssize_t length, const uv_buf_t *buffer)
{
    struct get *get = tcp->data;
    const char *header;
    (void)buffer;
    if (length > 0)
        get->length += (size_t)length;
    get->got[get->length] = 0;
    header = http_header_whole(get->got);
    if (header)
        finish(get, http_header_outcome(header));
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
    struct get *get = request->data;
    uv_buf_t text = uv_buf_init(get->request, (unsigned)strlen(get->request));
    if (status >= 0)
        status = uv_read_start((uv_stream_t *)&get->tcp, room, on_read);
    if (status >= 0)
        status = uv_write(&get->write, (uv_stream_t *)&get->tcp, &text, 1, on_written);
    if (status < 0)
        finish(get, redial_errno(status));
}

static void attempt(uv_timer_t *timer)
{
    struct get *get = timer->data;
    uint32_t timeout_ms = redial_ready(&get->call, (uint32_t)uv_now(timer->loop)).timeout_ms;
    int status;
    if (timeout_ms == 0) {   /* the loop was late */
        get->verdict = REDIAL_TIMED_OUT;
        print(get, 0);
        uv_close((uv_handle_t *)timer, NULL);
        return;
    }
    get->length = 0;
    uv_tcp_init(timer->loop, &get->tcp);
    uv_timer_start(timer, too_long, timeout_ms, 0);
    status = uv_tcp_connect(&get->connect, &get->tcp, &get->server.any, on_connected);
    if (status < 0)
        finish(get, redial_errno(status));
}

static void get_start(struct get *get, uv_loop_t *loop, const struct redial_policy *policy)
{
    snprintf(get->request, sizeof get->request, "GET %.1900s HTTP/1.1\r\nHost: localhost\r\n"
             "Connection: close\r\n\r\n", get->path);
    uv_timer_init(loop, &get->timer);
    get->timer.data = get->tcp.data = get->connect.data = get->write.data = get;
    redial_begin(&get->call, policy, (uint32_t)uv_now(loop));
    attempt(&get->timer);
}

/* ---- the program ---- */

/* Otherwise libuv would abort. */
static bool may_open(unsigned count)
{
    struct rlimit files;
    return getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur >= FILES + (rlim_t)count;
}

static bool set_address(struct get *get, const char *address, int port)
{
    return port > 0 && port < 65536
           && (uv_ip4_addr(address, port, &get->server.ipv4) == 0
               || uv_ip6_addr(address, port, &get->server.ipv6) == 0);
}

int main(int argc, char **argv)
{
    static const struct redial_policy policy = {
        .base_ms = 50, .cap_ms = 2000, .jitter_ms = 50, .max_retries = 3,
        .max_elapsed_ms = 30000, .attempt_ms = 2000
    };
    static struct get gets[MOST];
    unsigned i, done = 0, count = (unsigned)argc - 3;
    uv_loop_t loop;
    stdout_begin();
    if (argc < 4 || count > MOST || !set_address(gets, argv[1], atoi(argv[2]))) {
        fputs("usage: uv_get ADDRESS PORT PATH...\n"
              "ADDRESS is a number, because redial is shown here without a look-up.\n", stderr);
        return 2;
    }
    if (!may_open(count) || uv_loop_init(&loop) < 0) {
        fprintf(stderr, "uv_get: ulimit -n must be %u or more\n", FILES + count);
        return 1;
    }
    for (i = 0; i < count; i++) {
        gets[i].path = argv[3 + i];
        gets[i].server = gets[0].server;
        get_start(&gets[i], &loop, &policy);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    for (i = 0; i < count; i++)
        done += gets[i].verdict == REDIAL_DONE;
    return stdout_end("uv_get", done == count ? EXIT_SUCCESS : EXIT_FAILURE);
}
