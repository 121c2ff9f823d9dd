/* Threads, one host, one retry budget; a 429 that one thread gets pauses them all.

       crawler         some four seconds, with a server of its own on loopback

   A backend goes through four phases: it serves, it is down, it wants to be left alone for a second, it is back but
   for one request in 20. The same pages are fetched without a budget and with one, and the table has both side by
   side. Exit status 1: the budget's bound was broken, a thread asked in the pause, or the crawl did not recover.
   A page that is given up stays out here; a crawler would put it back at the end of its queue.
   To lift: from clock_ms to fetch. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "../common/load_server.h"
#include "../common/http_client.h"
#include "redial.h"

#define THREADS 8
#define CAPACITY 10
#define PERCENT 10
#define PAUSE_MS 1000
#define TIMEOUT_MS 10000
#define SPREAD_MS 50        /* after a pause not all threads come in the same millisecond */

enum phase { SERVES, DOWN, BUSY, BACK, PHASES };

static const struct { const char *name; unsigned pages; } phases[PHASES] = {
    { "serves everything", 50 }, { "503 to everything", 100 }, { "429, Retry-After: 1", 50 },
    { "503 to every 20th", 200 },
};

static int64_t clock_ms(void)   /* 64 bits: a pause is compared with a time that may be months later */
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- what the threads share about the host ---- */

struct host {
    struct http_url url;
    struct redial_policy policy;
    _Atomic int64_t not_before_ms;
};

static uint32_t pause_left_ms(struct host *host)
{
    int64_t left_ms = atomic_load(&host->not_before_ms) - clock_ms();
    return left_ms > 0 ? (uint32_t)left_ms : 0;
}

/* Waits here, in the operation, since also a first attempt must not be sent in a pause. What is left of a pause that
   lasts beyond end_ms, or 0: go on. */
static uint32_t keep_away(struct host *host, int64_t end_ms)
{
    const struct redial_env *env = redial_system();
    uint32_t ms;
    while ((ms = pause_left_ms(host)) > 0 && clock_ms() + ms < end_ms)
        env->wait_ms(env, ms + env->random(env) % SPREAD_MS);
    return ms;
}

/* The latest of all that were asked for. One longer than max_retry_after_ms defers the page; others ask again by then. */
static void pause_host(struct host *host, uint32_t ms)
{
    int64_t was = atomic_load(&host->not_before_ms), until;
    until = clock_ms() + (ms < host->policy.max_retry_after_ms ? ms : host->policy.max_retry_after_ms);
    while (was < until && !atomic_compare_exchange_weak(&host->not_before_ms, &was, until))
        continue;
}

struct page {
    struct host *host;
    struct http_url url;
};

static struct redial_outcome fetch(void *user, const struct redial_attempt *attempt)
{
    struct page *page = user;
    struct redial_outcome outcome;
    struct http_result result;
    int64_t end_ms = clock_ms() + attempt->timeout_ms, left_ms;
    uint32_t pause_ms = keep_away(page->host, end_ms);
    if (pause_ms > 0)
        return redial_http(429, pause_ms);  /* what the server would say, were it asked */
    left_ms = end_ms - clock_ms();
    left_ms = left_ms < 1 ? 1 : left_ms < TIMEOUT_MS ? left_ms : TIMEOUT_MS;
    result = http_get(&page->url, (uint32_t)left_ms, NULL, NULL, 0);
    outcome = http_outcome(&result);
    if (outcome.retry_after_ms > 0)
        pause_host(page->host, outcome.retry_after_ms);
    return outcome;
}

/* ---- the crawl: THREADS take pages from one counter ---- */

struct crawl {
    struct host *host;
    unsigned pages;
    atomic_uint next, served, attempts;
};

static void *work(void *user)
{
    struct crawl *crawl = user;
    struct page page = { crawl->host, crawl->host->url };
    unsigned number;
    while ((number = atomic_fetch_add(&crawl->next, 1)) < crawl->pages) {
        struct redial_report report;
        snprintf(page.url.target, sizeof page.url.target, "/page/%u", number);
        redial_run(&crawl->host->policy, redial_system(), fetch, &page, &report);
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

/* In the server's process. A phase begins with its first request. */
static const char *answer(unsigned phase)
{
    static unsigned was = PHASES, requests;
    static int64_t began_ms;
    if (phase != was) {
        was = phase;
        requests = 0;
        began_ms = clock_ms();
    }
    requests++;
    if (phase == BUSY && clock_ms() - began_ms < PAUSE_MS)
        return "429 Too Many Requests\r\nRetry-After: 1";
    return phase == DOWN || (phase == BACK && requests % 20 == 0) ? "503 Service Unavailable" : "200 OK";
}

struct result { unsigned served[PHASES], requests[PHASES], pages, all_served, all_requests; };

static bool run(struct redial_budget *budget, struct result *result)
{
    struct host host = { .policy = { .base_ms = 5, .cap_ms = 40, .jitter_ms = SPREAD_MS, .max_retries = 5,
                                     .max_retry_after_ms = 5000, .jitter = REDIAL_JITTER_FULL, .budget = budget } };
    struct load_server *load = load_server_start(answer);
    char url[64];
    bool fine;
    unsigned phase;
    if (!load)
        return false;
    snprintf(url, sizeof url, "http://127.0.0.1:%u/", load->port);
    fine = http_parse_url(url, &host.url);
    for (phase = 0; phase < PHASES && fine; phase++) {
        struct crawl crawl = { .host = &host, .pages = phases[phase].pages };
        unsigned requests = load->requests, served = load->served;
        load->phase = phase;
        fine = crawl_all(&crawl) && load->requests - requests == crawl.attempts
               && load->served - served == crawl.served;
        result->pages += crawl.pages;
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
    bool recovered = with->served[BACK] == phases[BACK].pages && with->requests[BACK] > phases[BACK].pages;
    printf("%d threads, one host                  no budget          budget of %d, %d %%\n"
           "the backend             pages    served  requests    served  requests\n", THREADS, CAPACITY, PERCENT);
    for (phase = 0; phase < PHASES; phase++)
        printf("%-22s%7u%10u%10u%10u%10u\n", phases[phase].name, phases[phase].pages, without->served[phase],
               without->requests[phase], with->served[phase], with->requests[phase]);
    printf("retries without: %u; with: %u of %u + %u * %u / 100 = %u allowed: %s\n",
           without->all_requests - without->pages, retries, CAPACITY, with->all_served, PERCENT, bound,
           kept ? "kept" : "BROKEN");
    printf("429s: %u without; %u with, at most one a thread: %s\n", refusals_without, refusals_with,
           obeyed ? "kept" : "BROKEN");
    printf("when it is back, with the budget: %s\n", recovered ? "recovered" : "NOT RECOVERED");
    return kept && obeyed && recovered;
}

int main(void)
{
    static struct result without, with;
    struct redial_budget budget;
    redial_budget_init(&budget, CAPACITY, PERCENT);
    if (!run(NULL, &without) || !run(&budget, &with)) {
        fprintf(stderr, "crawler: no server or no thread could be started, or the two did not count alike\n");
        return 1;
    }
    return print(&without, &with) ? 0 : 1;
}
