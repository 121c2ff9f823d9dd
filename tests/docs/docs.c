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

/* ---- README: the tables, without their headers ---- */

static const char *const statuses[][8] = {
#include "statuses.rows"
};
static const char *const was_done[][8] = {
#include "was_done.rows"
};
static const char *const retry_after[][8] = {
#include "retry_after.rows"
};
static const char *const policies[][8] = {
#include "policies.rows"
};
#define ROWS(table) ((int)(sizeof table / sizeof *table))

/* Ends the program if a row of README is not right. */
static void check(bool right, const char *row, const char *message, const char *more)
{
    if (right)
        return;
    fprintf(stderr, "README.md, the row \"%s\" %s %s\n", row, message, more);
    exit(1);
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
    for (int status = -1; status < 1000; status++) {
        long smallest = 10000;
        char is[40];
        int row = 0;
        for (int i = 0; i < ROWS(statuses); i++) {
            long range = range_of(statuses[i][0], status);
            snprintf(is, sizeof is, "%d is in two rows:", status);
            check(range != smallest || range == 10000, statuses[row][0], is, statuses[i][0]);
            if (range < smallest) {
                smallest = range;
                row = i;
            }
        }
        for (int i = 0; i < 16; i++) {
            const char *word = word_for(redial_http(status, 0, methods[i / 8][i % 8]).kind);
            snprintf(is, sizeof is, "does not say: %d is", status);
            check(smallest < 10000 && strncmp(statuses[row][1 + i / 8], word, 4) == 0,
                  statuses[row][0], is, word);
        }
    }
}

/* It was done, or not, or perhaps. Each verdict that ends a call is there (but invalid). */
static void the_table_of_what_was_done(void)
{
    for (enum redial_verdict verdict = REDIAL_DONE; verdict <= REDIAL_CANCELLED; verdict++) {
        const char *name = redial_verdict_name(verdict);
        const char *answer = verdict == REDIAL_DONE ? "yes"
                             : verdict == REDIAL_UNSURE ? "perhaps" : "no";
        int row = 0;
        while (row < ROWS(was_done) - 1 && !strstr(was_done[row][0], name))
            row++;
        if (verdict != REDIAL_ATTEMPT && verdict != REDIAL_WAIT)
            check(strstr(was_done[row][0], name) && strcmp(was_done[row][1], answer) == 0,
                  was_done[row][0], "should say:", answer);
    }
}

/* What a Retry-After becomes before each of five retries with the default policy: "2..3 s". */
static void the_table_of_retry_after(void)
{
    const struct redial_policy defaults = REDIAL_POLICY_DEFAULT;
    for (int row = 0; row < ROWS(retry_after); row++)
        for (uint32_t n = 0; n < 5; n++) {
            int seconds = atoi(retry_after[row][0]);
            struct redial_outcome told = redial_retry(429, redial_seconds_ms(seconds));
            struct redial_call other;
            char is[40];
            redial_resume(&call, &defaults, n, 0, 0);
            other = call;
            snprintf(is, sizeof is, "%u..%u s",
                     (unsigned)redial_next(&call, 0, told, 0).delay_ms / 1000,
                     (unsigned)redial_next(&other, 0, told, UINT32_MAX).delay_ms / 1000);
            check(strcmp(retry_after[row][1 + n], is) == 0, retry_after[row][0], "lacks", is);
        }
}

/* After 5 ms of a call. max_retries is 1. */
static struct redial_step decided(uint32_t base_ms, uint32_t cap_ms, struct redial_outcome outcome)
{
    policy = (struct redial_policy){ .base_ms = base_ms, .cap_ms = cap_ms, .max_retries = 1 };
    redial_begin(&call, &policy, 0);
    return redial_next(&call, 5, outcome, UINT32_MAX);
}

/* One member is not 0: what may an attempt take? */
static uint32_t timeout_with(uint32_t max_elapsed_ms)
{
    policy = (struct redial_policy){ .base_ms = 1, .cap_ms = 1, .max_elapsed_ms = max_elapsed_ms };
    redial_begin(&call, &policy, 0);
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
    for (int i = 0; i < 11; i++) {
        check(ROWS(policies) == 11 && strcmp(policies[i][0], members[i].member) == 0,
              policies[i][0], "is where this belongs:", members[i].member);
        check(strstr(policies[i][2], members[i].zero) && members[i].is, policies[i][0],
              "does not say, or the library does not, that 0 means", members[i].zero);
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

static void a_poll_comes_every_5_s_and_has_a_limit(void)
{
    const bool ready = false;
    struct redial_outcome outcome;
    fresh();
#include "poll.statements"
    redial_begin(&call, &policy, 0);
    assert(redial_next(&call, 5, outcome, UINT32_MAX).delay_ms == 5000);
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

int main(void)
{
    the_table_of_statuses();
    the_table_of_what_was_done();
    the_table_of_retry_after();
    the_table_of_the_policy();
    a_test_of_the_program_passes();
    an_opinion_repeats_only_what_is_safe();
    a_connection_that_held_starts_afresh();
    a_poll_comes_every_5_s_and_has_a_limit();
    a_fake_shows_the_waits();
    an_event_loop_waits_at_the_gate_and_after_a_failure();
    return 0;
}
