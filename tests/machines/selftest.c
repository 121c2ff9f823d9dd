/* The freestanding part of redial, checked without a libc: the same program runs on a Cortex-M, on an AVR and here.
   SPDX-License-Identifier: MIT

   Prints the sizes of the machine's types, a line for each failed check (the first 20), and "N passed, M failed".
   On an AVR int has 16 bits, and constants are in its RAM: tables are short. */
#include "machine.h"
#include "redial.h"
#include "redial_fake.h"

#include "../unit/wide.h"

#define COUNT(array) (sizeof (array) / sizeof *(array))

/* ---- what a test needs ---- */

static uint32_t passed, failed;

static void print_hex(uint64_t value)
{
    char text[19], *at = text + sizeof text - 1;
    *at = 0;
    do
        *--at = "0123456789abcdef"[value & 15];
    while (value >>= 4);
    *--at = 'x';
    *--at = '0';
    machine_print(at);
}

static void print_number(uint32_t value)
{
    char text[11], *at = text + sizeof text - 1;
    *at = 0;
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    machine_print(at);
}

static void check(const char *what, uint64_t got, uint64_t expected)
{
    if (got == expected) {
        passed++;
        return;
    }
    if (failed++ >= 20)
        return;
    machine_print(what);
    machine_print(": got ");
    print_hex(got);
    machine_print(", expected ");
    print_hex(expected);
    machine_print("\n");
}

static bool same(const char *a, const char *b)
{
    for (; *a && *a == *b; a++)
        b++;
    return *a == *b;
}

static size_t length(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

static void poison(void *memory, size_t size)
{
    unsigned char *at = memory;
    while (size-- > 0)
        *at++ = 0xa5;
}

/* ---- the delay, against its definition in 64 bits (wide.h) ---- */

static const uint32_t edges[] = { 1, 2, 3, 1000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff };
static const uint32_t exponents[] = { 0, 1, 2, 9, 15, 16, 17, 30, 31, 32, 33, 64, 0x10000, 0xffffffff };

static void delays_of(struct redial_policy *policy)
{
    static const uint32_t numbers[] = { 0, 1, 1000, 0x7fffffff, 0xffffffff };
    unsigned i, j, mode;
    for (i = 0; i < COUNT(exponents); i++)
        for (j = 0; j < COUNT(numbers); j++) {
            check("redial_delay_ms", redial_delay_ms(policy, exponents[i], numbers[j]),
                  wide_delay(policy->base_ms, policy->cap_ms, exponents[i], numbers[j]));
            for (mode = REDIAL_JITTER_ADDED; mode <= REDIAL_JITTER_NONE; mode++) {
                policy->jitter = (enum redial_jitter)mode;
                check("redial_random_delay_ms", redial_random_delay_ms(policy, exponents[i], numbers[j]),
                      wide_random_delay(policy, exponents[i], numbers[j]));
            }
        }
}

static void delays(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    unsigned base, cap;
    for (base = 0; base < COUNT(edges); base++)
        for (cap = base; cap < COUNT(edges); cap++) {
            policy.base_ms = edges[base];
            policy.cap_ms = edges[cap];
            delays_of(&policy);
        }
}

static void longest_waits(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    unsigned base, cap;
    policy.max_retries = 40;
    for (base = 0; base < COUNT(edges); base++)
        for (cap = base; cap < COUNT(edges); cap++) {
            uint64_t total = 0;
            uint32_t n;
            policy.base_ms = edges[base];
            policy.cap_ms = edges[cap];
            for (n = 0; n < 40; n++)
                total += wide_random_delay(&policy, n, UINT32_MAX);
            check("redial_longest_waits_ms", redial_longest_waits_ms(&policy), total);
        }
    policy.base_ms = policy.cap_ms = UINT32_MAX;
    policy.max_retries = UINT32_MAX - 1;
    check("longest total of all", redial_longest_waits_ms(&policy), (uint64_t)UINT32_MAX * (UINT32_MAX - 1));
    policy.max_retries = REDIAL_NO_LIMIT;
    check("longest total without an end", redial_longest_waits_ms(&policy), UINT64_MAX);
    policy.max_elapsed_ms = 70000;
    check("longest total within a limit", redial_longest_waits_ms(&policy), 69999);
}

static void policy_checks(void)
{
    static const struct {
        struct redial_policy policy;
        enum redial_policy_error error;
    } rows[] = {
        { REDIAL_POLICY_DEFAULT, REDIAL_POLICY_OK },
        { { .base_ms = 0, .cap_ms = 0 }, REDIAL_POLICY_BASE_ZERO },
        { { .base_ms = 0x10000, .cap_ms = 0xffff }, REDIAL_POLICY_CAP_BELOW_BASE },
        { { .base_ms = 0x10000, .cap_ms = 0x10000, .jitter_ms = 0x10000 }, REDIAL_POLICY_JITTER_TOO_LONG },
        { { .base_ms = 1, .cap_ms = 1, .jitter_ms = 1001 }, REDIAL_POLICY_JITTER_TOO_LONG },
        { { .base_ms = 1, .cap_ms = 1, .jitter = (enum redial_jitter)5 }, REDIAL_POLICY_JITTER_UNKNOWN },
        { { .base_ms = 1, .cap_ms = 1 }, REDIAL_POLICY_JITTER_ZERO },
        { { .base_ms = 1, .cap_ms = 1, .jitter = REDIAL_JITTER_NONE }, REDIAL_POLICY_OK },
    };
    unsigned i;
    for (i = 0; i < COUNT(rows); i++)
        check("redial_policy_check", redial_policy_check(&rows[i].policy), rows[i].error);
    check("no policy", redial_policy_check(NULL), REDIAL_POLICY_NULL);
}

/* ---- the decision ---- */

struct limits {
    uint32_t retries, elapsed_ms, retry_after_ms, min_uptime_ms;
};

#define DONE { REDIAL_KIND_DONE, 0, 0, 0 }
#define FAIL { REDIAL_KIND_FAIL, 0, 0, 0 }
#define HTTP(status) { REDIAL_KIND_HTTP, status, 0, 0 }
#define RETRY(retry_after_ms, uptime_ms) { REDIAL_KIND_RETRY, 0, retry_after_ms, uptime_ms }
#define PENDING(retry_after_ms) { REDIAL_KIND_PENDING, 0, retry_after_ms, 0 }
#define POSTPONED(retry_after_ms) { REDIAL_KIND_POSTPONED, 0, retry_after_ms, 0 }

/* One decision at at_ms after the beginning, when so many retries were granted before; and the retries after it. */
static void rules(void)
{
    static const struct {
        const char *rule;
        struct limits limits;
        uint32_t before, at_ms, random;
        struct redial_outcome outcome;
        enum redial_verdict verdict;
        uint32_t delay_ms, retries;
    } rows[] = {
        { "done", { 5, 0, 0, 0 }, 1, 0, 0, DONE, REDIAL_DONE, 0, 1 },
        { "fail", { 5, 0, 0, 0 }, 1, 0, 0, FAIL, REDIAL_FAILED, 0, 1 },
        { "kind 0", { 5, 0, 0, 0 }, 0, 0, 0, { (enum redial_kind)0, 0, 0, 0 }, REDIAL_INVALID, 0, 0 },
        { "kind 22", { 5, 0, 0, 0 }, 0, 0, 0, { (enum redial_kind)22, 0, 0, 0 }, REDIAL_INVALID, 0, 0 },
        { "no response", { 5, 0, 0, 0 }, 0, 0, 0, HTTP(0), REDIAL_RETRY, 1000, 1 },
        { "status 399", { 5, 0, 0, 0 }, 0, 0, 0, HTTP(399), REDIAL_DONE, 0, 0 },
        { "status 429", { 5, 0, 0, 0 }, 0, 0, 0, HTTP(429), REDIAL_RETRY, 1000, 1 },
        { "status 499", { 5, 0, 0, 0 }, 0, 0, 0, HTTP(499), REDIAL_FAILED, 0, 0 },
        { "longest first wait", { 5, 0, 0, 0 }, 0, 0, UINT32_MAX, RETRY(0, 0), REDIAL_RETRY, 1500, 1 },
        { "fifth wait", { 5, 0, 0, 0 }, 4, 0, 0, RETRY(0, 0), REDIAL_RETRY, 16000, 5 },
        { "no sixth", { 5, 0, 0, 0 }, 5, 0, 0, RETRY(0, 0), REDIAL_EXHAUSTED, 0, 5 },
        { "no limit, at the cap", { REDIAL_NO_LIMIT, 0, 0, 0 }, 40, 0, 0, RETRY(0, 0), REDIAL_RETRY, 90000, 41 },
        { "the server's wait", { 5, 0, 0, 0 }, 0, 0, 0, RETRY(70000, 0), REDIAL_RETRY, 70000, 1 },
        { "spread by our own", { 5, 0, 0, 0 }, 2, 0, UINT32_MAX, RETRY(90000, 0), REDIAL_RETRY, 94000, 3 },
        { "at least half of our own", { 5, 0, 0, 0 }, 4, 0, 0, RETRY(10, 0), REDIAL_RETRY, 8000, 5 },
        { "longer than 5 min", { 5, 0, 0, 0 }, 0, 0, 0, RETRY(300001, 0), REDIAL_WAIT_TOO_LONG, 300001, 0 },
        { "longer than the limit", { 5, 0, 70000, 0 }, 0, 0, 0, RETRY(70001, 0), REDIAL_WAIT_TOO_LONG, 70001, 0 },
        { "the longest of all", { 5, 0, UINT32_MAX, 0 }, 0, 0, UINT32_MAX, RETRY(UINT32_MAX, 0),
          REDIAL_RETRY, UINT32_MAX, 1 },
        { "just in time", { 5, 70000, 0, 0 }, 0, 68999, 0, RETRY(0, 0), REDIAL_RETRY, 1000, 1 },
        { "at the limit", { 5, 70000, 0, 0 }, 0, 69000, 0, RETRY(0, 0), REDIAL_TIMED_OUT, 1000, 0 },
        { "a clock that stepped back", { 5, 70000, 0, 0 }, 0, 0x80000000, 0, RETRY(0, 0), REDIAL_RETRY, 1000, 1 },
        { "a very long attempt", { 5, 70000, 0, 0 }, 0, 0x7fffffff, 0, RETRY(0, 0), REDIAL_TIMED_OUT, 1000, 0 },
        { "uptime: reset", { 5, 80000, 0, 70000 }, 5, 75000, 0, RETRY(0, 70000), REDIAL_RETRY, 1000, 1 },
        { "uptime: too short", { 5, 0, 0, 70000 }, 5, 75000, 0, RETRY(0, 69999), REDIAL_EXHAUSTED, 0, 5 },
        { "pending", { 5, 0, 0, 0 }, 5, 0, 0, PENDING(0), REDIAL_RETRY, 1000, 0 },
        { "pending, with a Retry-After", { 5, 0, 0, 0 }, 5, 0, UINT32_MAX, PENDING(70000), REDIAL_RETRY, 71000, 0 },
        { "pending, too late", { 5, 70000, 0, 0 }, 5, 69000, 0, PENDING(0), REDIAL_TIMED_OUT, 1000, 0 },
        { "postponed", { 5, 0, 0, 0 }, 5, 0, UINT32_MAX, POSTPONED(70000), REDIAL_RETRY, 71000, 5 },
    };
    const uint32_t begun = UINT32_MAX - 1000;   /* shortly before the wrap */
    unsigned i;
    for (i = 0; i < COUNT(rows); i++) {
        struct redial_call call;
        struct redial_step step;
        struct redial_policy policy = { .base_ms = 1000, .cap_ms = 90000, .jitter_ms = 500 };
        policy.max_retries = rows[i].limits.retries;
        policy.max_elapsed_ms = rows[i].limits.elapsed_ms;
        policy.max_retry_after_ms = rows[i].limits.retry_after_ms;
        policy.min_uptime_ms = rows[i].limits.min_uptime_ms;
        poison(&call, sizeof call);
        check("redial_resume", redial_resume(&call, &policy, rows[i].before, 0, begun), true);
        step = redial_next(&call, rows[i].outcome, begun + rows[i].at_ms, rows[i].random);
        check(rows[i].rule, step.verdict, rows[i].verdict);
        check(rows[i].rule, step.delay_ms, rows[i].delay_ms);
        check(rows[i].rule, step.timeout_ms, 0);
        check(rows[i].rule, redial_retries(&call), rows[i].retries);
    }
}

static void hints_without_jitter(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_call call;
    policy.jitter = REDIAL_JITTER_NONE;
    policy.max_retries = REDIAL_NO_LIMIT;
    redial_resume(&call, &policy, 4, 0, 0);
    check("Retry-After, no jitter", redial_next(&call, redial_retry_after(0, 70000), 0, UINT32_MAX).delay_ms, 70000);
    check("half of our own wait", redial_next(&call, redial_retry_after(0, 1), 0, UINT32_MAX).delay_ms, 16000);
}

/* More retries than 16 bits count. */
static void many_retries(void)
{
    struct redial_policy policy = { .base_ms = 1, .cap_ms = 1, .jitter_ms = 1, .max_retries = 66000 };
    struct redial_call call;
    uint32_t granted = 0;
    redial_begin(&call, &policy, 0);
    while (granted < 70000 && redial_next(&call, redial_retry(0), 0, 0).verdict == REDIAL_RETRY)
        granted++;
    check("66000 retries", granted, 66000);
}

static void timeouts(void)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_call call;
    redial_begin(&call, &policy, 0xffffff00);
    check("timeout without a limit", redial_timeout_ms(&call, 0x10000), UINT32_MAX);
    policy.attempt_ms = 0x20000;
    check("timeout of the attempt alone", redial_timeout_ms(&call, 0x10000), 0x20000);
    policy.max_elapsed_ms = 0x10100;
    check("timeout over the wrap", redial_timeout_ms(&call, 0xffff), 1);
    check("no time left", redial_timeout_ms(&call, 0x10000), 0);
    policy.attempt_ms = 5;
    check("timeout: the shorter one", redial_timeout_ms(&call, 0), 5);
    redial_resume(&call, &policy, 7, 0x100fe, 0xffffffff);
    check("timeout of a resumed call", redial_timeout_ms(&call, 0), 1);
    check("time of a resumed call", redial_elapsed_ms(&call, 0), 0x100ff);
    check("retries of a resumed call", redial_retries(&call), 7);
    policy.cap_ms = 1;
    check("begin with a bad policy", redial_begin(&call, &policy, 0), false);
    check("next of a call not begun", redial_next(&call, redial_retry(0), 0, 0).verdict, REDIAL_INVALID);
    check("timeout of a call not begun", redial_timeout_ms(&call, 0), 0);
}

/* ---- the loops ---- */

static uint32_t asked;

static struct redial_outcome always_503(void *user, const struct redial_attempt *attempt)
{
    struct redial_fake *fake = user;
    check("attempt number", attempt->number, ++asked);
    fake->now_ms += 100;
    return redial_http(503, 0);
}

static void runs(void)
{
    static const struct {
        const char *what;
        uint32_t max_elapsed_ms, random, cancel_at_wait;
        enum redial_verdict verdict;
        uint32_t attempts, waits, waited_ms, refused_wait_ms;
    } rows[] = {
        { "run: shortest schedule", 0, 0, 0, REDIAL_EXHAUSTED, 6, 5, 31000, 0 },
        { "run: longest schedule", 0, UINT32_MAX, 0, REDIAL_EXHAUSTED, 6, 5, 36000, 0 },
        { "run: limit", 31500, 0, 0, REDIAL_TIMED_OUT, 5, 4, 15000, 16000 },
        { "run: cancelled", 0, 0, 3, REDIAL_CANCELLED, 3, 3, 3000, 0 },
    };
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_fake fake;
    struct redial_report report;
    struct redial_call call;
    struct redial_step step;
    unsigned i;
    for (i = 0; i < COUNT(rows); i++) {
        redial_fake_init(&fake);
        poison(&report, sizeof report);
        fake.now_ms = UINT32_MAX - 2000;
        fake.random = rows[i].random;
        fake.cancel_at_wait = rows[i].cancel_at_wait;
        policy.max_elapsed_ms = rows[i].max_elapsed_ms;
        asked = 0;
        check(rows[i].what, redial_run(&policy, &fake.env, always_503, &fake, &report), rows[i].verdict);
        check(rows[i].what, report.verdict, rows[i].verdict);
        check(rows[i].what, report.attempts, rows[i].attempts);
        check(rows[i].what, fake.waits, rows[i].waits);
        check(rows[i].what, report.waited_ms, rows[i].waited_ms);
        check(rows[i].what, report.refused_wait_ms, rows[i].refused_wait_ms);
        check(rows[i].what, report.elapsed_ms, rows[i].waited_ms + 100 * rows[i].attempts);
        check(rows[i].what, (uint64_t)report.last.code, 503);
        /* and the same without a callback */
        redial_fake_init(&fake);
        fake.random = rows[i].random;
        fake.cancel_at_wait = rows[i].cancel_at_wait;
        asked = 0;
        step = redial_loop_begin(&call, &policy, &fake.env);
        while (step.verdict == REDIAL_RETRY) {
            check(rows[i].what, step.timeout_ms, redial_timeout_ms(&call, fake.now_ms));
            asked++;
            fake.now_ms += 100;
            step = redial_loop_next(&call, &fake.env, redial_http(503, 0));
        }
        check(rows[i].what, step.verdict, rows[i].verdict);
        check(rows[i].what, step.delay_ms, rows[i].refused_wait_ms);
        check(rows[i].what, asked, rows[i].attempts);
        check(rows[i].what, fake.waits, rows[i].waits);
    }
}

/* ---- the parsers ---- */

static void retry_afters(void)
{
    enum { REFUSED = 77 };
    static const struct {
        const char *text;
        uint32_t retry_after_ms;   /* REFUSED: nothing is written */
    } rows[] = {
        { "0", 0 }, { "1", 1000 }, { "66", 66000 }, { " \t120 ", 120000 }, { "0000000000000000000007", 7000 },
        { "65535", 65535000 }, { "65536", 65536000 }, { "4294967", 4294967000 }, { "4294968", UINT32_MAX },
        { "99999999999999999999999999", UINT32_MAX },
        { "1.5", 1500 }, { "65536.0001", 65536001 }, { "0.9991", 1000 }, { "4294967.2951", UINT32_MAX },
        { "", REFUSED }, { "-1", REFUSED }, { "1.", REFUSED }, { ".5", REFUSED }, { "2, 3", REFUSED },
        { "1e3", REFUSED },
        { "Sun, 06 Nov 1994 08:49:37 GMT", 37000 },
        { "Sunday, 06-Nov-94 08:50:00 GMT", 60000 },
        { "Sun Nov  6 08:48:00 1994", 0 },
        { "Mon, 07 Nov 1994 08:49:00 GMT", 86400000 },
        { "Sun, 06 Nov 1994 23:59:59 GMT", 54659000 },
        { "Mon, 26 Dec 1994 01:51:47 GMT", 4294967000 },
        { "Mon, 26 Dec 1994 01:51:48 GMT", UINT32_MAX },
        { "Fri, 31 Dec 9999 23:59:60 GMT", UINT32_MAX },
        { "Sun, 29 Feb 1995 08:49:37 GMT", REFUSED }, { "Sun, 06 Nov 1994 24:00:00 GMT", REFUSED },
        { "Sun, 06 nov 1994 08:49:37 GMT", REFUSED }, { "Sun, 06 Nov 1994 08:49:37 UTC", REFUSED },
    };
    const int64_t now_s = 784111740;   /* 1994-11-06 08:49:00 */
    unsigned i;
    for (i = 0; i < COUNT(rows); i++) {
        uint32_t retry_after_ms = REFUSED;
        bool read = redial_parse_retry_after(rows[i].text, length(rows[i].text), now_s, &retry_after_ms);
        check(rows[i].text, read, rows[i].retry_after_ms != REFUSED);
        check(rows[i].text, retry_after_ms, rows[i].retry_after_ms);
    }
}

static void put_digits(char *at, int digits, int value)
{
    while (digits-- > 0) {
        at[digits] = (char)('0' + value % 10);
        value /= 10;
    }
}

static int64_t parsed(int day, const char *month, int year)
{
    char text[] = "Mon, 00 Jan 0000 00:00:00 GMT";
    int64_t unix_s = INT64_MIN;
    unsigned i;
    put_digits(text + 5, 2, day);
    for (i = 0; i < 3; i++)
        text[8 + i] = month[i];
    put_digits(text + 12, 4, year);
    redial_parse_http_date(text, sizeof text - 1, 0, &unix_s);
    return unix_s;
}

/* Every year, counted from one New Year to the next. */
static void calendar(void)
{
    const int64_t day_s = 86400;
    int64_t new_year_s = -719528 * day_s;   /* 1 Jan 0000 */
    int year;
    for (year = 0; year <= 9999; year++) {
        bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        check("1 Jan", (uint64_t)parsed(1, "Jan", year), (uint64_t)new_year_s);
        check("29 Feb", (uint64_t)parsed(29, "Feb", year), (uint64_t)(leap ? new_year_s + 59 * day_s : INT64_MIN));
        check("1 Mar", (uint64_t)parsed(1, "Mar", year), (uint64_t)(new_year_s + (59 + leap) * day_s));
        check("31 Dec", (uint64_t)parsed(31, "Dec", year), (uint64_t)(new_year_s + (364 + leap) * day_s));
        new_year_s += (365 + leap) * day_s;
    }
    check("the epoch", (uint64_t)parsed(1, "Jan", 1970), 0);
}

static void two_digit_years(void)
{
    static const struct {
        int64_t now_s;
        const char *text;
        int64_t unix_s;
    } rows[] = {
        { 784111777, "Sunday, 06-Nov-94 08:49:37 GMT", 784111777 },
        { 784111777, "Sunday, 06-Nov-44 08:49:37 GMT", 2362034977 },    /* 50 years to the second: 2044 */
        { 784111776, "Sunday, 06-Nov-44 08:49:37 GMT", -793725023 },    /* a second more: 1944 */
    };
    unsigned i;
    for (i = 0; i < COUNT(rows); i++) {
        int64_t unix_s = 1;
        redial_parse_http_date(rows[i].text, length(rows[i].text), rows[i].now_s, &unix_s);
        check("two digits of a year", (uint64_t)unix_s, (uint64_t)rows[i].unix_s);
    }
}

/* ---- statuses, methods, names ---- */

static void small_tables(void)
{
    static const struct {
        int status;
        bool retryable;
    } rows[] = { { -32767, false }, { 0, false }, { 428, false }, { 429, true }, { 430, false }, { 499, false },
                 { 500, true }, { 599, true }, { 600, false }, { 32767, false } };
    const struct redial_policy policy = redial_policy_default();
    unsigned i;
    for (i = 0; i < COUNT(rows); i++)
        check("redial_http_retryable", redial_http_retryable(rows[i].status), rows[i].retryable);
    check("GET", redial_http_idempotent("GET"), true);
    check("POST", redial_http_idempotent("POST"), false);
    check("first verdict", same(redial_verdict_name(REDIAL_DONE), "done"), true);
    check("last verdict", same(redial_verdict_name(REDIAL_INVALID), "invalid"), true);
    check("no verdict", same(redial_verdict_name(0xffff), "unknown"), true);
    check("error", same(redial_policy_error_text(REDIAL_POLICY_BASE_ZERO), "base_ms must be at least 1"), true);
    check("no error", same(redial_policy_error_text(0x8000), "unknown policy error"), true);
    check("default", redial_policy_default().max_retry_after_ms, 0);
    check("POST 503", redial_classify(&policy, redial_http_request("POST", 503, 0)), REDIAL_KIND_FAIL);
    check("POST 429", redial_classify(&policy, redial_http_request("POST", 429, 0)), REDIAL_KIND_RETRY);
    check("PUT 503", redial_classify(&policy, redial_http_request("PUT", 503, 0)), REDIAL_KIND_RETRY);
    check("66 seconds", redial_seconds_ms(66), 66000);
    check("-1 second", redial_seconds_ms(-1), 0);
    check("2^32 seconds", redial_seconds_ms((int64_t)1 << 32), UINT32_MAX);
}

static void print_sizes(void)
{
    static const struct {
        const char *type;
        uint32_t bytes;
    } rows[] = {
        { "bytes: int ", sizeof(int) },           { ", pointer ", sizeof(void *) },
        { ", policy ", sizeof(struct redial_policy) }, { ", call ", sizeof(struct redial_call) },
        { ", outcome ", sizeof(struct redial_outcome) }, { ", env ", sizeof(struct redial_env) },
        { ", report ", sizeof(struct redial_report) }, { ", budget ", sizeof(struct redial_budget) },
    };
    unsigned i;
    for (i = 0; i < COUNT(rows); i++) {
        machine_print(rows[i].type);
        print_number(rows[i].bytes);
    }
    machine_print("\n");
}

int main(void)
{
    static void (*const tests[])(void) = {
        policy_checks, delays, longest_waits, rules, hints_without_jitter, many_retries, timeouts, runs,
        retry_afters, calendar, two_digit_years, small_tables,
    };
    unsigned i;
    print_sizes();
    for (i = 0; i < COUNT(tests); i++)
        tests[i]();
    print_number(passed);
    machine_print(" passed, ");
    print_number(failed);
    machine_print(" failed\n");
    machine_end(failed == 0);
}
