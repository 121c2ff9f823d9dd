/* Threads with libcurl, one host, one budget, and one gate: a 429 of one thread makes all wait.

       crawler         takes about six seconds, with a server of its own on loopback

   The server is asked for five kinds of pages, in turn: it serves all; it is down; it answers 429
   for a second, and says so; it does that and does not say so; it serves all but one request in 20.
   The same pages are fetched without a budget and with one, and the table compares both. A page
   that is given up is dropped here. A real crawler would put it back at the end of its queue. To
   copy: from struct page to work. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../common/demo_server.h"
#include "../common/stdout.h"
#include "redial_curl.h"

#define THREADS 8
#define CAPACITY 10
#define PERCENT 10
#define PAUSE_MS 1000   /* for so long, the server answers 429 */

enum phase { SERVES, DOWN, BUSY, MUTE, BACK, PHASES };

static const struct { const char *path, *name; unsigned pages; } phases[PHASES] = {
    { "serves", "serves everything", 50 }, { "down", "503 to everything", 100 },
    { "busy", "429, Retry-After: 1", 50 }, { "mute", "429 without a time", 50 },
    { "back", "503 to every 20th", 200 },
};

/* ---- one page ---- */

struct page {
    CURL *curl;                 /* of the thread */
    struct redial_gate *gate;   /* that of the host, shared by all threads */
};

/* Only a 429 is valid for all requests to the host. A 503 may come from one server among many. */
static struct redial_outcome fetch(void *user, const struct redial_attempt *attempt)
{
    struct page *page = user;
    struct redial_outcome outcome = redial_curl_perform(page->curl, attempt->timeout_ms, "GET");
    uint32_t now_ms = attempt->env->now_ms(attempt->env);
    if (outcome.code == 429)
        redial_gate_throttle(page->gate, now_ms, outcome.retry_after_ms);
    if (outcome.code == 429 && outcome.retry_after_ms > 0)
        outcome.kind = REDIAL_KIND_HELD;   /* it named a time: no retry, no token */
    return outcome;
}

/* ---- the crawl: THREADS take pages from one counter ---- */

struct crawl {
    const struct redial_policy *policy;
    struct redial_gate *gate;
    uint16_t port;
    enum phase phase;
    atomic_uint threads, next, served, attempts, held;   /* held: waits at the gate */
};

static void count_held(const struct redial_env *env, const struct redial_event *event)
{
    struct crawl *crawl = env->user;
    /* The 429 itself, which is held too, has a status. */
    atomic_fetch_add(&crawl->held,
                     event->outcome.kind == REDIAL_KIND_HELD && event->outcome.code == 0);
}

static uint32_t held(const struct redial_env *env)
{
    struct crawl *crawl = env->user;
    return redial_gate_left_ms(crawl->gate, env->now_ms(env));
}

/* Here a crawler would keep the page. */
static size_t drop(char *data, size_t size, size_t count, void *user)
{
    (void)data, (void)user;
    return size * count;
}

static void *work(void *user)
{
    struct crawl *crawl = user;
    struct page page = { curl_easy_init(), crawl->gate };
    struct redial_env env = *redial_system();
    unsigned number;
    env.on_wait = count_held;
    env.hold_ms = held;
    env.user = crawl;
    curl_easy_setopt(page.curl, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(page.curl, CURLOPT_NOSIGNAL, 1L);
    /* One after the other, so that the first answer comes before the last thread sends. */
    env.wait_ms(&env, 20 * atomic_fetch_add(&crawl->threads, 1));
    while ((number = atomic_fetch_add(&crawl->next, 1)) < phases[crawl->phase].pages) {
        struct redial_report report;
        char url[64];
        snprintf(url, sizeof url, "http://127.0.0.1:%u/%s/%u", (unsigned)crawl->port,
                 phases[crawl->phase].path, number);
        curl_easy_setopt(page.curl, CURLOPT_URL, url);
        redial_run(crawl->policy, &env, fetch, &page, &report);
        atomic_fetch_add(&crawl->served, report.verdict == REDIAL_DONE);
        atomic_fetch_add(&crawl->attempts, report.attempts);
    }
    curl_easy_cleanup(page.curl);
    return NULL;
}

static bool crawl_all(struct crawl *crawl)
{
    pthread_t threads[THREADS];
    unsigned i, started = 0;
    while (started < THREADS && pthread_create(&threads[started], NULL, work, crawl) == 0)
        started++;
    for (i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return started > 0;
}

/* ---- the demonstration ---- */

/* Runs in the server's process. */
static const char *answer(const char *path)
{
    static unsigned requests;
    static uint32_t since_ms[2];   /* BUSY, MUTE */
    uint32_t now_ms = redial_system()->now_ms(redial_system()), *since = &since_ms[path[1] == 'm'];
    if (path[1] == 'd')
        return "503 Service Unavailable\r\n\r\n";
    if (path[2] == 'u') {
        *since = *since ? *since : now_ms;
        if (now_ms - *since < PAUSE_MS)
            return path[1] == 'm' ? "429 Too Many Requests\r\n\r\n"
                                  : "429 Too Many Requests\r\nRetry-After: 1\r\n\r\n";
    }
    return path[2] == 'a' && ++requests % 20 == 0
               ? "503 Service Unavailable\r\nRetry-After: 0.05\r\n\r\n" : "200 OK\r\n\r\n";
}

struct result { unsigned served[PHASES], requests[PHASES], held[PHASES], retries, all_served; };

static bool run(struct redial_budget *budget, struct result *result)
{
    struct redial_gate gate = { 0, 0 };
    const struct redial_policy policy = {
        .base_ms = 5, .cap_ms = 40, .jitter_ms = 50, .jitter = REDIAL_JITTER_FULL, .max_retries = 5,
        .max_elapsed_ms = 60000, .attempt_ms = 10000, .max_retry_after_ms = 5000, .budget = budget
    };
    struct demo_server server;
    bool fine = true;
    if (demo_server_start(&server, answer) != 0)
        return false;
    for (unsigned phase = 0; phase < PHASES && fine; phase++) {
        struct crawl crawl = { .policy = &policy, .gate = &gate, .port = server.port,
                               .phase = phase };
        fine = crawl_all(&crawl);
        result->held[phase] = crawl.held;
        result->served[phase] = crawl.served;
        result->requests[phase] = crawl.attempts;
        result->all_served += crawl.served;
        result->retries += crawl.attempts - phases[phase].pages;
    }
    demo_server_stop(&server);
    return fine;
}

static void print(const struct result *without, const struct result *with)
{
    printf("%d threads, one host                  no budget          budget of %d, %d %%\n"
           "the server              pages    served  requests    served  requests\n",
           THREADS, CAPACITY, PERCENT);
    for (unsigned phase = 0; phase < PHASES; phase++)
        printf("%-22s%7u%10u%10u%10u%10u\n", phases[phase].name, phases[phase].pages,
               without->served[phase], without->requests[phase], with->served[phase],
               with->requests[phase]);
    printf("retries: %u, or %u with a budget that allows %u + %u * %u / 100 = %u\n",
           without->retries, with->retries, CAPACITY, with->all_served, PERCENT,
           CAPACITY + with->all_served * PERCENT / 100);
    printf("waits at the gate: %u after a 429; %u after a 503\n",
           with->held[BUSY] + without->held[BUSY] + with->held[MUTE] + without->held[MUTE],
           with->held[BACK] + without->held[BACK]);
}

int main(void)
{
    static struct result without, with;
    struct redial_budget budget;
    stdout_begin();
    signal(SIGPIPE, SIG_IGN);
    curl_global_init(CURL_GLOBAL_DEFAULT);   /* before there are threads */
    redial_budget_init(&budget, CAPACITY, PERCENT);
    if (!run(NULL, &without) || !run(&budget, &with)) {
        fprintf(stderr, "crawler: no server or no thread could be started\n");
        return 1;
    }
    print(&without, &with);
    return stdout_end("crawler", EXIT_SUCCESS);
}
