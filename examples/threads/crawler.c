/* Threads, one host, one retry budget, and one gate: a 429 that one thread gets makes all of them wait.

       crawler         takes about four seconds, with a server of its own on loopback

   The server has four phases: it serves; it is down; it answers 429 for a second; it serves again, except one request
   in 20. The same pages are fetched without a budget and with one, and the table compares both. Exit status 1: there
   were more retries than the budget allows, a thread sent a request while the gate was closed, or the crawl did not
   recover. A page that is given up is dropped here. A real crawler would put it back at the end of its queue. To copy:
   from struct page to work. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../common/http_client.h"
#include "../common/load_server.h"
#include "options.h"

#define THREADS 8
#define CAPACITY 10
#define PERCENT 10
#define PAUSE_MS 1000

enum phase { SERVES, DOWN, BUSY, BACK, PHASES };

static const struct { const char *name; unsigned pages; } phases[PHASES] = {
    { "serves everything", 50 }, { "503 to everything", 100 }, { "429, Retry-After: 1", 50 },
    { "503 to every 20th", 200 },
};

/* ---- one page ---- */

struct page {
    const struct redial_policy *policy;     /* its gate is that of the host, shared by all threads */
    struct http_url url;
};

/* Only a 429 is valid for all requests to the host. A 503 may come from one server among many. */
static void close_gate(const struct redial_policy *policy, const struct redial_env *env, uint32_t retry_after_ms)
{
    redial_gate_close(policy->gate, env->now_ms(env), retry_after_ms ? retry_after_ms : policy->base_ms);
}

static struct redial_outcome fetch(void *user, const struct redial_attempt *attempt)
{
    struct page *page = user;
    struct http_result result = http_get(&page->url, attempt->timeout_ms, NULL, NULL, 0);
    if (result.status == 429)
        close_gate(page->policy, attempt->env, result.retry_after_ms);
    return http_outcome(&result);
}

/* ---- the crawl: THREADS take pages from one counter ---- */

struct crawl {
    const struct redial_policy *policy;
    struct http_url url;
    unsigned pages;
    atomic_uint next, served, attempts, held;   /* held: waits at the gate */
};

static void count_held(const struct redial_env *env, const struct redial_event *event)
{
    struct crawl *crawl = env->user;
    atomic_fetch_add(&crawl->held, event->outcome.kind == REDIAL_KIND_POSTPONED);
}

static void *work(void *user)
{
    struct crawl *crawl = user;
    struct page page = { crawl->policy, crawl->url };
    struct redial_env env = *redial_system();
    unsigned number;
    env.on_wait = count_held;
    env.user = crawl;
    while ((number = atomic_fetch_add(&crawl->next, 1)) < crawl->pages) {
        struct redial_report report;
        snprintf(page.url.target, sizeof page.url.target, "/page/%u", number);
        redial_run(crawl->policy, &env, fetch, &page, &report);
        atomic_fetch_add(&crawl->served, report.verdict == REDIAL_DONE);
        atomic_fetch_add(&crawl->attempts, report.attempts);
    }
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

/* Runs in the server's process. A phase begins with its first request. */
static const char *answer(unsigned phase)
{
    static unsigned was = PHASES, requests;
    static uint32_t began_ms;
    uint32_t now_ms = redial_system()->now_ms(redial_system());
    if (phase != was) {
        was = phase;
        requests = 0;
        began_ms = now_ms;
    }
    requests++;
    if (phase == BUSY && now_ms - began_ms < PAUSE_MS)
        return "429 Too Many Requests\r\nRetry-After: 1";
    if (phase == BACK && requests % 20 == 0)
        return "503 Service Unavailable\r\nRetry-After: 0.05";
    return phase == DOWN ? "503 Service Unavailable" : "200 OK";
}

struct result { unsigned served[PHASES], requests[PHASES], held[PHASES], pages, all_served, all_requests; };

static bool run(struct redial_budget *budget, struct result *result)
{
    struct redial_gate gate;
    const struct redial_policy policy = {
        .base_ms = 5, .cap_ms = 40, .jitter_ms = 50, .max_retries = 5, .max_elapsed_ms = 60000,
        .max_retry_after_ms = 5000, .attempt_ms = 10000, .jitter = REDIAL_JITTER_FULL,
        .budget = budget, .gate = &gate };
    struct load_server *load = load_server_start(answer);
    struct http_url url;
    char text[64];
    bool fine;
    unsigned phase;
    if (!load)
        return false;
    redial_gate_init(&gate);
    snprintf(text, sizeof text, "http://127.0.0.1:%u/", load->port);
    fine = http_parse_url(text, &url);
    for (phase = 0; phase < PHASES && fine; phase++) {
        struct crawl crawl = { .policy = &policy, .url = url, .pages = phases[phase].pages };
        unsigned requests = load->requests, served = load->served;
        load->phase = phase;
        fine = crawl_all(&crawl) && load->requests - requests == crawl.attempts
               && load->served - served == crawl.served;
        result->pages += crawl.pages;
        result->held[phase] = crawl.held;
        result->all_served += result->served[phase] = crawl.served;
        result->all_requests += result->requests[phase] = crawl.attempts;
    }
    load_server_stop(load);
    return fine;
}

static bool print(const struct result *without, const struct result *with)
{
    unsigned bound = CAPACITY + with->all_served * PERCENT / 100, phase;
    unsigned retries = with->all_requests - with->pages;
    unsigned refusals_without = without->requests[BUSY] - without->served[BUSY];
    unsigned refusals_with = with->requests[BUSY] - with->served[BUSY];
    bool kept = retries <= bound, obeyed = refusals_without <= THREADS && refusals_with <= THREADS;
    unsigned held = with->held[BUSY] + without->held[BUSY], held_else = with->held[BACK] + without->held[BACK];
    bool recovered = with->served[BACK] == phases[BACK].pages && with->requests[BACK] > phases[BACK].pages;
    printf("%d threads, one host                  no budget          budget of %d, %d %%\n"
           "the server              pages    served  requests    served  requests\n", THREADS, CAPACITY, PERCENT);
    for (phase = 0; phase < PHASES; phase++)
        printf("%-22s%7u%10u%10u%10u%10u\n", phases[phase].name, phases[phase].pages, without->served[phase],
               without->requests[phase], with->served[phase], with->requests[phase]);
    printf("retries: %u, or %u with a budget that allows %u + %u * %u / 100 = %u: %s\n",
           without->all_requests - without->pages, retries, CAPACITY, with->all_served, PERCENT, bound,
           kept ? "right" : "WRONG");
    printf("429s: %u, or %u with the budget; at most one for each thread: %s\n", refusals_without, refusals_with,
           obeyed ? "right" : "WRONG");
    printf("waits at the gate: %u after a 429; %u after a 503: %s\n", held, held_else, held_else ? "WRONG" : "right");
    printf("all pages served when the server is back, with the budget: %s\n", recovered ? "right" : "WRONG");
    return kept && obeyed && recovered && held_else == 0;
}

int main(int argc, char **argv)
{
    static const struct option none[] = { { NULL, NULL, NULL, NULL, 0, 0, NULL, NULL } };
    static struct result without, with;
    struct redial_budget budget;
    options_read(argc, argv, "crawler: threads that share a retry budget and a gate. It takes no options.", none);
    redial_budget_init(&budget, CAPACITY, PERCENT);
    if (!run(NULL, &without) || !run(&budget, &with)) {
        fprintf(stderr, "crawler: no server or no thread could be started, or the counts of both sides differ\n");
        return 1;
    }
    return print(&without, &with) ? 0 : 1;
}
