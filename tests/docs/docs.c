/* Runs the code of the documents as a reader would use it, and compares README's tables with the
   library. docs.sh puts each piece of code into files. SPDX-License-Identifier: MIT */
#include "stubs.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

static struct redial_policy policy;
static struct redial_call call;
static struct redial_report report;
static struct redial_fake fake;

static void fresh(void)
{
    policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    redial_fake_init(&fake);
}

/* ---- README: the tables ---- */

static char cells[20][8][300];   /* cells[0] is the header */
static int rows, columns;
static const char *table;

/* A mistake in a row of the table. */
static void wrong(int row, const char *message, const char *more)
{
    fprintf(stderr, "README.md, in the table \"%s\", row \"%s\": %s%s\n", table, cells[row][0],
            message, more);
    exit(1);
}

/* Reads the table whose first header cell is this. */
static void read_table(const char *first)
{
    FILE *readme = fopen("README.md", "r");
    char line[2000];
    assert(readme);
    rows = columns = 0;
    table = first;
    while (fgets(line, sizeof line, readme)) {
        int column = 0;
        char *cell = line + 1, *end;
        if (rows > 0 && *line != '|')
            break;
        if (*line != '|' || (rows == 0 && strncmp(line + 2, first, strlen(first)) != 0))
            continue;
        if (line[1] == '-')
            continue;
        for (; (end = strstr(cell, " |")); cell = end + 2, column++) {
            assert(rows < 20 && column < 8 && end - cell < 300);
            snprintf(cells[rows][column], sizeof cells[0][0], "%.*s", (int)(end - cell - 1),
                     cell + 1);
        }
        columns = column;
        rows++;
    }
    fclose(readme);
    if (rows == 0) {
        fprintf(stderr, "README.md has no table that begins with \"%s\"\n", first);
        exit(1);
    }
}

/* How a cell names a status: 2: itself, or in a range; 1: among "other 3xx"; 0: not. */
static int names(const char *cell, int status)
{
    int named = 0;
    for (const char *at = cell; *at; at++) {
        char *end;
        long low, high;
        bool other, not;
        if (!isdigit((unsigned char)*at))
            continue;
        low = high = strtol(at, &end, 10);
        other = at - cell >= 6 && strncmp(at - 6, "other ", 6) == 0;
        not = at - cell >= 4 && strncmp(at - 4, "not ", 4) == 0;
        if (at - cell >= 6 && strncmp(at - 6, "below ", 6) == 0)
            low = INT_MIN, high--;
        else if (strncmp(end, "..", 2) == 0)
            high = strtol(end + 2, &end, 10);
        else if (strncmp(end, "xx", 2) == 0)
            low *= 100, high = low + 99;
        else if (strncmp(end, " and above", 10) == 0)
            high = INT_MAX;
        if (status >= low && status <= high) {
            if (not)
                return 0;
            named = other && named < 1 ? 1 : other ? named : 2;
        }
        at = end - 1;
    }
    return named;
}

static const char *word_for(enum redial_kind kind)
{
    switch (kind) {
    case REDIAL_KIND_DONE: return "done";
    case REDIAL_KIND_RETRY: return "retried";
    case REDIAL_KIND_UNSURE: return "unsure";
    default: return "failed";
    }
}

static void the_table_of_statuses(void)
{
    static const char *const methods[2][8] = {
        { "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY", REDIAL_IDEMPOTENT },
        { "POST", "PATCH", "CONNECT", "get", "", NULL, "Post", "LOCK" },
    };
    read_table("status |");
    for (int status = -1; status < 1000; status++) {
        int row = 0, best = 0;
        for (int i = 1; i < rows; i++) {
            int named = names(cells[i][0], status);
            if (best == 0 && strncmp(cells[i][0], "all other", 9) == 0)
                named = 1;
            if (named == 2 && best == 2)
                wrong(i, "names a status of another row: ", cells[row][0]);
            if (named > best) {
                best = named;
                row = i;
            }
        }
        for (int i = 0; i < 16; i++) {
            const char *is = word_for(redial_http(status, 0, methods[i / 8][i % 8]).kind);
            if (row == 0 || strncmp(cells[row][1 + i / 8], is, strlen(is)) != 0) {
                fprintf(stderr, "%d is %s\n", status, is);
                wrong(row, "says something else", "");
            }
        }
    }
}

/* After 5 ms of a call. max_retries is 1. */
static struct redial_step decided(uint32_t base_ms, uint32_t cap_ms, struct redial_outcome outcome)
{
    struct redial_policy zeros = { .base_ms = base_ms, .cap_ms = cap_ms, .max_retries = 1 };
    redial_begin(&call, &zeros, 0);
    return redial_next(&call, 5, outcome, UINT32_MAX);
}

/* One member is not 0: what may an attempt take? */
static uint32_t timeout_with(uint32_t max_elapsed_ms)
{
    struct redial_policy with = { .base_ms = 1, .cap_ms = 1, .max_elapsed_ms = max_elapsed_ms };
    redial_begin(&call, &with, 0);
    return redial_ready(&call, 0).timeout_ms;
}

static void the_table_of_the_policy(void)
{
    const struct redial_policy one_attempt = { .base_ms = 1, .cap_ms = 1 };
    const struct redial_outcome failed = redial_retry(503, 0);
    const struct redial_outcome worked = { REDIAL_KIND_RETRY, 0, 0, UINT32_MAX };
    const struct { const char *member, *zero; bool is; } members[] = {
        { "`base_ms`", "refused", decided(0, 9, failed).verdict == REDIAL_INVALID },
        { "`cap_ms`", "refused", decided(9, 0, failed).verdict == REDIAL_INVALID },
        { "`jitter_ms`", "1000", decided(7, 99, failed).delay_ms == 7 + 7
          && decided(2000, 9999, failed).delay_ms == 2000 + 1000
          && decided(7, 99, redial_held(50)).delay_ms == 50 + 1000 },
        { "`jitter`", "formula", redial_random_delay_ms(&one_attempt, 9, 0) == 1 },
        { "`max_retries`", "one attempt", redial_begin(&call, &one_attempt, 0)
          && redial_next(&call, 5, failed, 0).verdict == REDIAL_EXHAUSTED },
        { "`max_elapsed_ms`", "no limit", timeout_with(0) == UINT32_MAX
          && decided(7, 99, redial_pending(0)).verdict == REDIAL_INVALID },
        { "`attempt_ms`", "max_elapsed_ms", timeout_with(3000) == 3000 },
        { "`min_attempt_ms`", "any", timeout_with(1) == 1 },
        { "`max_retry_after_ms`", "5 minutes",
          decided(7, 99, redial_retry(0, 300000)).verdict == REDIAL_WAIT
          && decided(7, 99, redial_retry(0, 300001)).verdict == REDIAL_WAIT_TOO_LONG
          && decided(7, 300001, redial_retry(0, 300001)).verdict == REDIAL_WAIT },
        { "`min_uptime_ms`", "never", decided(7, 99, worked).verdict == REDIAL_WAIT
          && redial_next(&call, 5, worked, 0).verdict == REDIAL_EXHAUSTED },
        { "`budget`", "no", decided(7, 99, failed).verdict == REDIAL_WAIT },
    };
    read_table("member |");
    for (int i = 0; i < 11; i++) {
        if (rows != 12 || strcmp(cells[1 + i][0], members[i].member) != 0)
            wrong(i + 1 < rows ? i + 1 : rows - 1, "here belongs ", members[i].member);
        if (!strstr(cells[1 + i][columns - 1], members[i].zero) || !members[i].is)
            wrong(i + 1, "0 should mean ", members[i].zero);
    }
}

/* ---- README's programs ---- */

static int status_of_all;

static struct redial_outcome get(const char *url, uint32_t timeout_ms)
{
    (void)url;
    assert(timeout_ms == 10000);
    return redial_http(status_of_all, 0, "GET");
}

#define printf(...) ((void)0)
#define fprintf(...) ((void)0)
#include "fetch.functions"
#include "test.functions"
#ifdef WITH_CURL
#define get get_by_curl
#include "curl.functions"
#undef get
#endif
#undef printf
#undef fprintf

static void a_program_and_its_test(void)
{
    status_of_all = 503;
    assert(a_server_that_is_down_is_asked_six_times());
    status_of_all = 404;
    assert(!a_server_that_is_down_is_asked_six_times());
}

static struct redial_outcome by_opinion(int status, const char *method)
{
    struct redial_outcome outcome = redial_http(status, 3000, method);
#include "opinion.statements"
    assert(outcome.retry_after_ms == 3000 && outcome.code == status);
    return outcome;
}

static void an_opinion_repeats_only_what_is_safe(void)
{
    assert(by_opinion(408, "GET").kind == REDIAL_KIND_RETRY);
    for (int status = -1; status < 1000; status++) {
        assert(by_opinion(status, "POST").kind != REDIAL_KIND_RETRY || status == 429);
        if (status < 400 || status == 404 || status == 503)
            assert(by_opinion(status, "GET").kind == redial_http(status, 0, "GET").kind);
    }
}

static int connects;

int my_connect(void *host, uint32_t timeout_ms)
{
    bool connected = ++connects == 3 || connects == 5;
    assert(strcmp(host, "host") == 0 && timeout_ms == UINT32_MAX);
    errno = connected ? 0 : connects == 7 ? EACCES : ECONNREFUSED;   /* 0 as at an end of file */
    return connected ? 7 : -1;
}

void my_work(int fd)
{
    assert(fd == 7);
    fake.now_ms += connects == 3 ? policy.min_uptime_ms : policy.min_uptime_ms - 1;
}

#include "connection.functions"

static void a_connection_that_held_starts_afresh(void)
{
    static const uint32_t waits_ms[] = { 1000, 2000, 1000, 2000, 4000, 8000 };
    static char host[] = "host";
    fresh();
    policy.max_retries = REDIAL_NO_LIMIT;
    policy.min_uptime_ms = 60000;
    redial_run(&policy, &fake.env, stay_connected, host, &report);
    assert(report.verdict == REDIAL_FAILED && report.last.code == EACCES && connects == 7);
    assert(fake.waits == 6 && memcmp(fake.waited_ms, waits_ms, sizeof waits_ms) == 0);
}

static struct redial_outcome poll_once(bool ready)
{
    struct redial_outcome outcome;
#include "poll.statements"
    return outcome;
}

static struct redial_outcome as_told(void *told, const struct redial_attempt *attempt)
{
    (void)attempt;
    return *(struct redial_outcome *)told;
}

static void a_poll_ends_with_its_limit(void)
{
    struct redial_outcome told = (fresh(), poll_once(false));   /* which sets the policy, too */
    redial_run(&policy, &fake.env, as_told, &told, &report);
    assert(report.verdict == REDIAL_TIMED_OUT && report.elapsed_ms <= policy.max_elapsed_ms);
    assert(fake.waited_ms[0] == policy.base_ms && fake.waited_ms[63] == policy.base_ms);
    assert(poll_once(true).kind == REDIAL_KIND_DONE);
}

/* ---- redial.h and redial_fake.h ---- */

struct redial_outcome my_operation(void *user, const struct redial_attempt *attempt)
{
    (void)user, (void)attempt;
    return redial_retry(503, 0);
}

static void a_fake_shows_the_waits(void)
{
    void *my_data = NULL;
    fresh();
    policy.max_retries = 2;
#include "fake.statements"
}

struct redial_gate my_gate;

uint32_t my_clock_ms(void)
{
    return fake.now_ms;
}

uint32_t my_random(void)
{
    return 0;
}

void my_send(struct request *request, uint32_t timeout_ms)
{
    request->timeout_ms = timeout_ms;
}

void my_start_timer(struct request *request, uint32_t delay_ms)
{
    request->timer_ms = fake.now_ms + delay_ms;
}

void my_finish(struct request *request, enum redial_verdict verdict)
{
    request->verdict = verdict;
}

#include "event_loop.functions"

static void an_event_loop_waits_at_the_gate_and_after_a_failure(void)
{
    struct request request = { .timeout_ms = 0 };
    fresh();
    policy.max_elapsed_ms = 10000;
    redial_gate_close(&my_gate, 0, 700);
    redial_begin(&request.call, &policy, 0);
    go(&request);
    assert(request.timeout_ms == 0 && request.timer_ms == 700);
    fake.now_ms = 699;   /* the timer is early: it waits again */
    go(&request);
    assert(request.timeout_ms == 0 && request.timer_ms == 700);
    fake.now_ms = 700;
    go(&request);
    assert(request.timeout_ms == 9300);
    ended(&request, redial_http(503, 0, "GET"));
    assert(request.timer_ms == 1700 && request.verdict == REDIAL_INVALID);
    fake.now_ms = 11000;
    go(&request);
    assert(request.verdict == REDIAL_TIMED_OUT);
    redial_begin(&request.call, &policy, 0);
    ended(&request, redial_http(404, 0, "GET"));
    assert(request.verdict == REDIAL_FAILED);
}

/* ---- libcurl ---- */

static void a_transfer_is_done_or_fails(void)
{
#ifdef WITH_CURL
    CURL *handle = curl_easy_init();
    curl_easy_setopt(handle, CURLOPT_URL, "file:///dev/null");
    assert(get_with_retries(handle));
    curl_easy_setopt(handle, CURLOPT_URL, "file:///dev/null/nowhere");
    assert(!get_with_retries(handle));
    curl_easy_cleanup(handle);
#endif
}

int main(void)
{
    the_table_of_statuses();
    the_table_of_the_policy();
    a_program_and_its_test();
    an_opinion_repeats_only_what_is_safe();
    a_connection_that_held_starts_afresh();
    a_poll_ends_with_its_limit();
    a_fake_shows_the_waits();
    an_event_loop_waits_at_the_gate_and_after_a_failure();
    a_transfer_is_done_or_fails();
    return 0;
}
