/* Many calls at once in one thread: poll(), a heap of timers, redial_begin and redial_next.

       many_calls 10000

   All calls begin at the same moment, over real sockets, to a server that refuses three requests in
   four with 503 or 429. A call that waits needs only one struct call and a place in the heap. Only
   an attempt in progress has a socket, and there are at most SOCKETS: a call stays in the heap
   until one is free. To copy: everything from struct call to run_all.
   SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../common/load_server.h"
#include "redial.h"

#define SOCKETS 500
#define LOOK_MS 100         /* how often the timeouts of attempts are checked */

struct call {
    struct redial_call redial;
    uint32_t due_ms;
};

struct attempt {
    uint32_t call, begun_ms, timeout_ms, length;
    char got[16];           /* the beginning of the status line: "HTTP/1.1 503 Se" is enough */
};

static struct call *calls;
static uint32_t *heap, waiting;                 /* indexes of calls; heap[0] is due first */
static struct pollfd fds[SOCKETS];
static struct attempt under_way[SOCKETS];       /* the attempt of each of fds */
static unsigned count, most = SOCKETS;          /* open sockets; their limit */
static uint32_t verdicts[REDIAL_INVALID + 1], attempts;

static uint32_t now_ms(void)
{
    return redial_system()->now_ms(redial_system());
}

/* ---- timers: a binary heap in the order of a time that may wrap ---- */

static bool earlier(uint32_t a, uint32_t b)
{
    return (calls[a].due_ms - calls[b].due_ms) >> 31;
}

static void push(uint32_t call)
{
    uint32_t at = waiting++;
    for (; at > 0 && earlier(call, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = call;
}

static uint32_t pop(void)
{
    uint32_t first = heap[0], last = heap[--waiting], at = 0, child;
    while ((child = 2 * at + 1) < waiting) {
        child += child + 1 < waiting && earlier(heap[child + 1], heap[child]);
        if (!earlier(heap[child], last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}

/* The time until the first call is due. 0: it is due. -1: there is none. */
static int next_due_ms(uint32_t now)
{
    uint32_t left = waiting ? calls[heap[0]].due_ms - now : 0;
    return !waiting ? -1 : left >> 31 ? 0 : (int)left;
}

/* ---- one attempt ---- */

/* Decides whether the call makes another attempt later or ends. */
static void settle(uint32_t call, struct redial_outcome outcome)
{
    const struct redial_env *env = redial_system();
    uint32_t now = now_ms();
    struct redial_step step = redial_next(&calls[call].redial, now, outcome, env->random(env));
    verdicts[step.verdict]++;
    if (step.verdict == REDIAL_RETRY) {
        calls[call].due_ms = now + step.delay_ms;
        push(call);
    }
}

static void start(uint32_t call, const struct sockaddr_in *server)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    uint32_t now = now_ms();
    attempts++;
    if (fd < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0
        || (connect(fd, (const struct sockaddr *)server, sizeof *server) != 0
            && errno != EINPROGRESS)) {
        settle(call, redial_errno(errno));
        if (fd >= 0)
            close(fd);
        return;
    }
    fds[count] = (struct pollfd){ .fd = fd, .events = POLLOUT };
    under_way[count++] = (struct attempt){
        .call = call, .begun_ms = now, .timeout_ms = redial_timeout_ms(&calls[call].redial, now)
    };
}

/* The status line is enough here, because this server sends no Retry-After. */
static struct redial_outcome outcome_of(const char *got)
{
    if (strncmp(got, "HTTP/1.", 7) != 0 || strspn(got + 7, "0123456789") != 1 || got[8] != ' ')
        return redial_fail(EPROTO);
    return redial_http(atoi(got + 9), 0, "GET");
}

/* Continues an attempt as far as possible. True: it has ended with *outcome. */
static bool go_on(struct pollfd *at, struct attempt *attempt, struct redial_outcome *outcome)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    ssize_t got;
    if (at->events == POLLOUT) {    /* connected; if not, send() returns the error */
        at->events = POLLIN;
        got = send(at->fd, request, sizeof request - 1, 0);
    } else {
        got = recv(at->fd, attempt->got + attempt->length,
                   sizeof attempt->got - 1 - attempt->length, 0);
        attempt->length += got > 0 ? (uint32_t)got : 0;
    }
    if (got > 0 && attempt->length < sizeof attempt->got - 1)
        return false;
    if (got < 0)
        *outcome = redial_errno(errno);
    else if (got == 0)
        *outcome = redial_retry(ECONNABORTED, 0);
    else
        *outcome = outcome_of(attempt->got);
    return true;
}

static void poll_all(int longest_ms)
{
    struct redial_outcome outcome;
    unsigned i;
    if (poll(fds, count, longest_ms) < 0)
        return;
    /* Downwards, because the last one replaces one that has ended. */
    for (i = count; i-- > 0;) {
        uint32_t call = under_way[i].call;
        bool over = fds[i].revents && go_on(&fds[i], &under_way[i], &outcome);
        if (!over && now_ms() - under_way[i].begun_ms >= under_way[i].timeout_ms) {
            outcome = redial_errno(ETIMEDOUT);
            over = true;
        }
        if (over) {
            close(fds[i].fd);
            fds[i] = fds[--count];
            under_way[i] = under_way[count];
            settle(call, outcome);
        }
    }
}

static void run_all(const struct sockaddr_in *server)
{
    while (waiting + count > 0) {
        int due_ms;
        while ((due_ms = next_due_ms(now_ms())) == 0 && count < most)
            start(pop(), server);
        poll_all(due_ms > 0 && due_ms < LOOK_MS ? due_ms : LOOK_MS);
    }
}

/* ---- the demonstration ---- */

/* Serves one request in four. xorshift has a fixed seed here, so every run refuses the same
   requests. */
static const char *refuse_most(const char *path)
{
    static uint32_t bits = 2463534242;
    (void)path;
    bits ^= bits << 13;
    bits ^= bits >> 17;
    bits ^= bits << 5;
    if (bits >> 30 == 0)
        return "200 OK\r\n\r\n";
    return bits & 1 ? "503 Service Unavailable\r\n\r\n" : "429 Too Many Requests\r\n\r\n";
}

/* Fewer sockets than SOCKETS, if fewer files may be open. */
static void make_room(void)
{
    const rlim_t others = 20;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < SOCKETS + others)
        most = files.rlim_cur > 2 * others ? (unsigned)(files.rlim_cur - others) : (unsigned)others;
}

static void print_report(uint32_t number, uint32_t took_ms)
{
    unsigned v;
    printf("%u calls at once, at most %u sockets\n", (unsigned)number, most);
    printf("%u attempts, %u of them retries\n", (unsigned)attempts,
           (unsigned)verdicts[REDIAL_RETRY]);
    for (v = 0; v <= REDIAL_INVALID; v++)
        if (verdicts[v] > 0 && v != REDIAL_RETRY)
            printf("%u %s\n", (unsigned)verdicts[v], redial_verdict_name(v));
    printf("memory: %zu bytes a call, %zu of them redial's; %zu bytes a socket\n",
           sizeof *calls + sizeof *heap, sizeof calls->redial, sizeof *fds + sizeof *under_way);
    printf("time: %u.%03u s\n", (unsigned)(took_ms / 1000), (unsigned)(took_ms % 1000));
}

int main(int argc, char **argv)
{
    static const struct redial_policy policy = {
        .base_ms = 20, .cap_ms = 200, .max_retries = 20, .attempt_ms = 5000,
        .jitter = REDIAL_JITTER_FULL
    };
    struct sockaddr_in server = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    struct load_server load;
    unsigned long number = argc == 1 ? 10000 : argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
    uint32_t i, began_ms;
    if (number < 1 || number > 1000000) {
        fputs("usage: many_calls [NUMBER]\n"
              "NUMBER calls begin at once: 1 to 1000000, by default 10000.\n", stderr);
        return 2;
    }
    make_room();
    signal(SIGPIPE, SIG_IGN);   /* send() returns an error if the server has gone */
    calls = calloc(number, sizeof *calls);
    heap = calloc(number, sizeof *heap);
    if (!calls || !heap || load_server_start(&load, refuse_most) != 0) {
        perror("many_calls");
        return 1;
    }
    server.sin_port = htons(load.port);
    began_ms = now_ms();
    for (i = 0; i < number; i++) {
        redial_begin(&calls[i].redial, &policy, began_ms);
        calls[i].due_ms = began_ms;
        push(i);
    }
    run_all(&server);
    print_report((uint32_t)number, now_ms() - began_ms);
    load_server_stop(&load);
    free(calls);
    free(heap);
    return 0;
}
