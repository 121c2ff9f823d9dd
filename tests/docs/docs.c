/* Runs the code of the documents as a reader would use it, and compares README's tables with the
   library. docs.sh puts each piece of code into files. SPDX-License-Identifier: MIT */
#include "stubs.h"

#include <stdlib.h>

static struct redial_policy policy;
static struct redial_call call;
static struct redial_report report;
static struct redial_fake fake;

/* ---- README's tables ---- */

static char readme[100000];

/* One row has this text, in the table whose header begins so, and that row has these cells. */
static void says(const char *header, const char *text, const char *cells)
{
    const char *at = strstr(readme, header);
    int rows = 0;
    for (at = at ? strchr(at, '\n') : NULL; at && at[1] == '|'; at = strchr(at + 1, '\n')) {
        char line[1000];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
        rows += !strstr(line, text) ? 0 : strstr(line, cells) ? 1 : 2;
    }
    if (rows == 1)
        return;
    fprintf(stderr, "README.md, the table %s: \"%s\" should have: %s\n", header, text, cells);
    exit(1);
}

static void the_table_of_statuses(void)
{
    static const char *const methods[8][2] = {
        { "GET", "POST" }, { "HEAD", "PATCH" }, { "OPTIONS", "CONNECT" }, { "TRACE", "get" },
        { "PUT", "" }, { "DELETE", NULL }, { "QUERY", "Post" }, { REDIAL_IDEMPOTENT, "LOCK" },
    };
    static const struct { int last; const char *text; } ranges[] = {
        { 100, "below 200" }, { 101, "| 101," }, { 199, "below 200" }, { 299, "2xx" },
        { 300, "other 3xx" }, { 303, "301, 302, 303:" }, { 306, "other 3xx" }, { 308, "307, 308:" },
        { 399, "other 3xx" }, { 428, "all others" }, { 429, "429" }, { 499, "all others" },
        { 599, "500..599" }, { 999, "600 and above" },
    };
    static const char *const words[] = {
        [REDIAL_KIND_DONE] = "done", [REDIAL_KIND_RETRY] = "retried",
        [REDIAL_KIND_UNSURE] = "unsure", [REDIAL_KIND_FAIL] = "failed",
    };
    for (int status = -1, range = 0; status < 1000; status++) {
        range += status > ranges[range].last;
        for (int i = 0; i < 8; i++) {
            char cells[40];
            snprintf(cells, sizeof cells, "| %s | %s",
                     words[redial_http(status, 0, methods[i][0]).kind],
                     words[redial_http(status, 0, methods[i][1]).kind]);
            says("| status | GET HEAD OPTIONS TRACE PUT DELETE QUERY, ", ranges[range].text, cells);
        }
    }
}

/* It was done, or not, or perhaps. Each verdict that ends a call is there. */
static void the_table_of_what_was_done(void)
{
    for (enum redial_verdict verdict = REDIAL_INVALID; verdict <= REDIAL_CANCELLED; verdict++)
        if (verdict != REDIAL_ATTEMPT && verdict != REDIAL_WAIT && verdict != REDIAL_DONE)
            says("| verdict of a request", redial_verdict_name(verdict), verdict == REDIAL_UNSURE
                 || verdict == REDIAL_INVALID ? "| perhaps |" : "| no |");
    says("| verdict of a request", "done (2xx)", "| yes |");
    says("| verdict of a request", "done with a 3xx", "| perhaps |");
}

/* What a Retry-After of 2 s and of 30 s becomes before each of five retries. */
static void the_table_of_retry_after(void)
{
    for (unsigned told_s = 2; told_s <= 30; told_s += 28) {
        struct redial_outcome told = redial_retry(429, told_s * 1000);
        char row[100];
        int end = sprintf(row, "| %u s |", told_s);
        for (int i = 0; i < 10; i++) {   /* the shortest and the longest wait before each retry */
            redial_resume(&call, &policy, i / 2, 0, 0);
            end += sprintf(row + end, i % 2 ? "..%u s |" : " %u", (unsigned)
                           redial_next(&call, 0, told, i % 2 ? UINT32_MAX : 0).delay_ms / 1000);
        }
        says("| Retry-After | before retry 1 | 2 | 3 | 4 | 5 |", row, row);
    }
}

/* After 5 ms of a call. max_retries is 1. */
static struct redial_step decided(uint32_t base_ms, uint32_t cap_ms, struct redial_outcome outcome)
{
    policy = (struct redial_policy){ .base_ms = base_ms, .cap_ms = cap_ms, .max_retries = 1 };
    redial_begin(&call, &policy, 0);
    return redial_next(&call, 5, outcome, UINT32_MAX);
}

static void zero_means(const char *member, const char *what, bool is)
{
    says("| member |", member, is ? what : "what the library does");
}

static void the_table_of_the_policy(void)
{
    const struct redial_policy brief = { .base_ms = 1, .cap_ms = 1, .max_elapsed_ms = 1 };
    const struct redial_outcome failed = redial_retry(503, 0);
    const struct redial_outcome worked = { REDIAL_KIND_RETRY, 0, 0, UINT32_MAX };
    zero_means("| `base_ms` |", "| refused", decided(0, 9, failed).verdict == REDIAL_INVALID);
    zero_means("| `cap_ms` |", "| refused", decided(9, 0, failed).verdict == REDIAL_INVALID);
    zero_means("| `jitter_ms` |", "| `base_ms`, at most 1000; after ",
               decided(7, 99, failed).delay_ms == 7 + 7
               && decided(2000, 9999, failed).delay_ms == 2000 + 1000
               && decided(7, 99, redial_held(50)).delay_ms == 50 + 1000);
    zero_means("| `jitter` |", "| ADDED", redial_random_delay_ms(&policy, 0, UINT32_MAX) == 7 + 7);
    zero_means("| `max_elapsed_ms` |", "| no limit",
               redial_ready(&call, UINT32_MAX / 4).timeout_ms == UINT32_MAX
               && decided(7, 99, redial_pending(0)).verdict == REDIAL_INVALID);
    redial_begin(&call, &brief, 0);
    zero_means("| `attempt_ms` |", "| only `max_el", redial_ready(&call, 0).timeout_ms == 1);
    zero_means("| `min_attempt_ms` |", "| any time ", redial_ready(&call, 0).timeout_ms == 1);
    zero_means("| `max_retries` |", "| one attempt",
               redial_next(&call, 0, failed, 0).verdict == REDIAL_EXHAUSTED);
    zero_means("| `max_retry_after_ms` |", "| 5 minutes",
               decided(7, 99, redial_retry(0, 300000)).verdict == REDIAL_WAIT
               && decided(7, 99, redial_retry(0, 300001)).verdict == REDIAL_WAIT_TOO_LONG
               && decided(7, 300001, redial_retry(0, 300001)).verdict == REDIAL_WAIT);
    zero_means("| `budget` |", "| none", decided(7, 99, worked).verdict == REDIAL_WAIT);
    zero_means("| `min_uptime_ms` |", "| never",
               redial_next(&call, 5, worked, 0).verdict == REDIAL_EXHAUSTED);
}

/* ---- README's programs ---- */

static struct redial_outcome get(const char *url, uint32_t timeout_ms)
{
    assert(strncmp(url, "http://", 7) == 0 && timeout_ms == 10000);
    return redial_http(503, 0, "GET");
}

#define printf(...) ((void)0)
#include "fetch.functions"
#undef printf

static bool repeated(int status, const char *method)
{
    struct redial_outcome outcome = redial_http(status, 3000, method);
    const bool has_key = method[0] == 'G';
#include "opinion.statements"
    return outcome.code == status && outcome.kind == REDIAL_KIND_RETRY;
}

static void an_opinion_repeats_only_what_is_safe(void)
{
    for (int status = -1; status < 1000; status++)
        assert(repeated(status, "POST") == (status == 429));
    assert(repeated(408, "GET") && repeated(409, "GET") && repeated(503, "GET"));
    assert(!repeated(500, "GET"));
}

static int connects;

int my_connect(void *host, uint32_t timeout_ms)
{
    bool connected = ++connects == 3 || connects == 5;
    assert(host == &fake && timeout_ms == UINT32_MAX);
    errno = connected ? 0 : connects == 7 ? EACCES : ECONNREFUSED;   /* 0 as at an end of file */
    return connected ? 7 : -1;
}

void my_work(int fd)
{
    assert(fd == 7);
    fake.now_ms += connects == 3 ? policy.min_uptime_ms : policy.min_uptime_ms - 1;
}

static struct redial_outcome stay_connected(void *host, const struct redial_attempt *attempt)
{
#include "connection.statements"
}

static void a_connection_that_held_starts_afresh(void)
{
    static const uint32_t waits_ms[] = { 1000, 2000, 1000, 2000, 4000, 8000 };
    policy.max_retries = REDIAL_NO_LIMIT;
    policy.min_uptime_ms = 60000;
    redial_run(&policy, &fake.env, stay_connected, &fake, &report);
    assert(report.verdict == REDIAL_FAILED && report.last.code == EACCES && connects == 7);
    assert(fake.waits == 6 && memcmp(fake.waited_ms, waits_ms, sizeof waits_ms) == 0);
}

static void a_poll_comes_every_5_s_and_has_a_limit(void)
{
    const bool ready = false;
    struct redial_outcome outcome;
#include "poll.statements"
    redial_begin(&call, &policy, 0);
    assert(redial_next(&call, 5, outcome, UINT32_MAX).delay_ms == 5000);
}

/* ---- the headers ---- */

struct redial_outcome my_operation(void *user, const struct redial_attempt *attempt)
{
    (void)user, (void)attempt;
    return redial_retry(503, 0);
}

static void a_fake_shows_the_waits(void)
{
    void *my_data = NULL;
    policy.max_retries = 2;
#include "fake.statements"
}

#include "event_loop.functions"

static void an_event_loop_waits_at_the_gate_and_after_a_failure(void)
{
    struct request request = { .timeout_ms = 0 };
    policy.max_elapsed_ms = 10000;
    redial_gate_close(&my_gate, 0, 700);
    redial_begin(&request.call, &policy, 0);
    go(&request);
    assert(request.timeout_ms == 0 && request.timer_ms == 700);
    clock_ms = 700;
    go(&request);
    assert(request.timeout_ms == 9300);
    ended(&request, redial_http(503, 0, "GET"));
    assert(request.timer_ms == 1700 && request.verdict == REDIAL_INVALID);
    clock_ms = 11000;
    go(&request);
    assert(request.verdict == REDIAL_TIMED_OUT);
}

int main(void)
{
    static void (*const parts[])(void) = {
        the_table_of_statuses, the_table_of_what_was_done, the_table_of_retry_after,
        the_table_of_the_policy, an_opinion_repeats_only_what_is_safe,
        a_connection_that_held_starts_afresh, a_poll_comes_every_5_s_and_has_a_limit,
        a_fake_shows_the_waits, an_event_loop_waits_at_the_gate_and_after_a_failure
    };
    FILE *file = fopen("README.md", "r");
    assert(file && fread(readme, 1, sizeof readme - 1, file) > 0);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
        redial_fake_init(&fake);
        parts[i]();
    }
    {
#include "test.statements"
    }
    return 0;
}
