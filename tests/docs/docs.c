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

/* How many statuses the smallest range of a cell has that this one is in: of "101, 2xx" 1 for 101,
   and 100 for 204. If it is in none: 9999 for "all others", and 10000. */
static long range_of(const char *cell, int status)
{
    long smallest = 9999;
    for (const char *at = cell; *at; at++) {
        char *end;
        long low, high;
        if (!isdigit((unsigned char)*at))
            continue;
        low = high = strtol(at, &end, 10);
        if (at - cell >= 6 && strncmp(at - 6, "below ", 6) == 0) {
            low = -1;
            high--;
        } else if (strncmp(end, "..", 2) == 0) {
            high = strtol(end + 2, &end, 10);
        } else if (strncmp(end, "xx", 2) == 0) {
            low *= 100;
            high = low + 99;
        } else if (strncmp(end, " and above", 10) == 0) {
            high = 999;
        } else if (at - cell >= 4 && strncmp(at - 4, "not ", 4) == 0) {
            high--;
        }
        if (status >= low && status <= high && high - low + 1 < smallest)
            smallest = high - low + 1;
        at = end - 1;
    }
    return strstr(cell, "all others") || smallest < 9999 ? smallest : 10000;
}

static const char *word_for(enum redial_kind kind)
{
    switch (kind) {
    case REDIAL_KIND_DONE: return "done";
    case REDIAL_KIND_RETRY: return "retry";
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
        long smallest = 10000;
        int row = 0;
        for (int i = 1; i < rows; i++) {
            long range = range_of(cells[i][0], status);
            if (range == smallest && range < 10000)
                wrong(i, "names a status of another row: ", cells[row][0]);
            if (range < smallest) {
                smallest = range;
                row = i;
            }
        }
        for (int i = 0; i < 16; i++) {
            const char *is = word_for(redial_http(status, 0, methods[i / 8][i % 8]).kind);
            if (row == 0 || strncmp(cells[row][1 + i / 8], is, 4) != 0) {
                fprintf(stderr, "%d is %s\n", status, is);
                wrong(row, "says something else", "");
            }
        }
    }
}

/* Each verdict that ends a call is there (but invalid): it was done, or not, or perhaps. */
static void the_table_of_what_was_done(void)
{
    char all[sizeof cells[0]] = ", ";
    read_table("verdict of");
    for (int row = 1; row < rows; row++)
        strcat(strcat(all, cells[row][0]), ", ");
    for (enum redial_verdict verdict = REDIAL_DONE; verdict <= REDIAL_CANCELLED; verdict++)
        if (verdict != REDIAL_ATTEMPT && verdict != REDIAL_WAIT
            && !strstr(all, redial_verdict_name(verdict)))
            wrong(0, "lacks ", redial_verdict_name(verdict));
    for (int row = 1; row < rows; row++) {
        const char *is = strstr(cells[row][0], "unsure") ? "perhaps"
                         : strncmp(cells[row][0], "done", 4) == 0 ? "yes" : "no";
        if (strcmp(cells[row][1], is) != 0)
            wrong(row, "it was done: ", is);
    }
}

/* What a Retry-After becomes before each of five retries with the default policy: "2..3 s". */
static void the_table_of_retry_after(void)
{
    read_table("Retry-After |");
    for (int row = 1; row < rows; row++)
        for (int n = 0; n < 5; n++) {
            const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
            uint32_t asked_ms = redial_seconds_ms(atoi(cells[row][0]));
            struct redial_outcome told = redial_retry(429, asked_ms);
            struct redial_call low, high;
            char is[40];
            redial_resume(&low, &policy, (uint32_t)n, 0, 0);
            high = low;
            snprintf(is, sizeof is, "%u..%u s",
                     (unsigned)redial_next(&low, 0, told, 0).delay_ms / 1000,
                     (unsigned)redial_next(&high, 0, told, UINT32_MAX).delay_ms / 1000);
            if (columns != 6 || strcmp(cells[row][1 + n], is) != 0)
                wrong(row, "lacks ", is);
        }
    assert(rows > 2);
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
        { "`budget`", "none", decided(7, 99, failed).verdict == REDIAL_WAIT },
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

static struct redial_outcome get(const char *url, uint32_t timeout_ms)
{
    assert(strncmp(url, "http://", 7) == 0 && timeout_ms == 10000);
    return redial_http(503, 0, "GET");
}

#define printf(...) ((void)0)
#include "fetch.functions"
#undef printf
#ifdef WITH_CURL
#define get get_by_curl
#include "curl.functions"
#undef get
#endif

static void a_test_of_the_program_passes(void)
{
#include "test.statements"
}

static struct redial_outcome by_opinion(int status, const char *method)
{
    struct redial_outcome outcome = redial_http(status, 3000, method);
    const bool has_key = method[0] == 'G';
#include "opinion.statements"
    return outcome;
}

static void an_opinion_repeats_only_what_is_safe(void)
{
    for (int status = -1; status < 1000; status++) {
        bool again = by_opinion(status, "POST").kind == REDIAL_KIND_RETRY;
        assert(again == (status == 429) && by_opinion(status, "GET").code == status);
    }
    assert(by_opinion(408, "GET").kind == REDIAL_KIND_RETRY);
    assert(by_opinion(503, "GET").kind == REDIAL_KIND_RETRY);
    assert(by_opinion(500, "GET").kind == REDIAL_KIND_FAIL);
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

static struct redial_outcome stay_connected(void *host, const struct redial_attempt *attempt)
{
#include "connection.statements"
}

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

#include "event_loop.functions"

static void an_event_loop_waits_at_the_gate_and_after_a_failure(void)
{
    struct request request = { .timeout_ms = 0 };
    fresh();
    policy.max_elapsed_ms = 10000;
    redial_gate_close(&my_gate, 0, 700);
    redial_begin(&request.call, &policy, 0);
    for (clock_ms = 0; clock_ms < 700; clock_ms += 100) {   /* the timer is early: it waits again */
        go(&request);
        assert(request.timeout_ms == 0 && request.timer_ms == 700);
    }
    go(&request);
    assert(request.timeout_ms == 9300);
    ended(&request, redial_http(503, 0, "GET"));
    assert(request.timer_ms == 1700 && request.verdict == REDIAL_INVALID);
    clock_ms = 11000;
    go(&request);
    assert(request.verdict == REDIAL_TIMED_OUT);
    ended(&request, redial_http(404, 0, "GET"));
    assert(request.verdict == REDIAL_FAILED);
}

/* ---- libcurl ---- */

static void a_transfer_is_done_or_fails(void)
{
#ifdef WITH_CURL
    CURL *handle = curl_easy_init();
    fresh();
    curl_easy_setopt(handle, CURLOPT_URL, "file:///dev/null");
    assert(redial_run(&policy, &fake.env, get_by_curl, handle, NULL) == REDIAL_DONE);
    curl_easy_setopt(handle, CURLOPT_URL, "file:///dev/null/nowhere");
    assert(redial_run(&policy, &fake.env, get_by_curl, handle, NULL) == REDIAL_FAILED);
    curl_easy_cleanup(handle);
#endif
}

int main(void)
{
    the_table_of_statuses();
    the_table_of_what_was_done();
    the_table_of_retry_after();
    the_table_of_the_policy();
    a_test_of_the_program_passes();
    an_opinion_repeats_only_what_is_safe();
    a_connection_that_held_starts_afresh();
    a_poll_ends_with_its_limit();
    a_fake_shows_the_waits();
    an_event_loop_waits_at_the_gate_and_after_a_failure();
    a_transfer_is_done_or_fails();
    return 0;
}
