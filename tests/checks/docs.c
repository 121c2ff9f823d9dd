/* The code of README.md, examples/README.md and the headers, compiled and run as a reader would use
   it. docs.sh puts each piece into a file. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../src/system.h"
#include "redial_fake.h"

static struct redial_fake fake;
static struct redial_policy policy;
static int requests;
static const char *script;               /* what G (get) and L (log in) answer: "G401 L200 G200" */
static int failures;                     /* the first answers are `failure` */
static int failure;
static bool every_other_fails;
static uint32_t asked_ms;                /* by the server, at a failure */
static uint32_t begin_ms, earliest_ms;   /* of the call; of the next request */
static unsigned points, event_at;        /* calls of hooks; at which one something happens */
static bool stops, stopped, told;       /* the event; it has happened; the program knows */
static uint32_t opens_ms;
static bool asked_gate;                  /* since the last request; it was open */

static void reach_point(void)
{
    if (points++ != event_at)
        return;
    if (stops)
        stopped = true;
    else
        opens_ms = fake.now_ms + 5000;
}

static uint32_t now_at_a_point(const struct redial_env *env)
{
    reach_point();
    return redial_fake_now_(env);
}

static bool wait_at_a_point(const struct redial_env *env, uint32_t ms)
{
    bool whole = redial_fake_wait_(env, ms);
    reach_point();
    told = told || stopped || !whole;
    return !told;
}

static bool cancelled(const struct redial_env *env)
{
    (void)env;
    reach_point();
    return told = told || stopped;
}

static uint32_t closed(const struct redial_env *env)
{
    uint32_t left_ms = redial_fake_now_(env) < opens_ms ? opens_ms - redial_fake_now_(env) : 0;
    asked_gate = left_ms == 0;
    reach_point();
    return left_ms;
}

static void fresh(int failing)
{
    policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    redial_fake_init(&fake);
    fake.env.now_ms = now_at_a_point;
    fake.env.wait_ms = wait_at_a_point;
    fake.env.cancelled = cancelled;
    fake.env.hold_ms = closed;
    requests = 0;
    script = NULL;
    asked_ms = begin_ms = earliest_ms = opens_ms = 0;
    failures = failing;
    failure = 503;
    every_other_fails = stops = stopped = told = asked_gate = false;
    points = 0;
    event_at = UINT_MAX;
}

/* What the reader's program has. A request takes 100 ms. */
static int answer(uint32_t timeout_ms, uint32_t *retry_after_ms)
{
    bool failed = requests++ < failures || (every_other_fails && requests % 2);
    uint32_t past_ms = fake.now_ms - begin_ms;
    assert(asked_gate && !told && fake.now_ms >= earliest_ms && timeout_ms > 0);
    assert(!policy.max_elapsed_ms || timeout_ms <= policy.max_elapsed_ms - past_ms);
    asked_gate = false;
    fake.now_ms += 100;
    *retry_after_ms = failed ? asked_ms : 0;
    earliest_ms = fake.now_ms + *retry_after_ms;
    return failed ? failure : 200;
}

/* The next answer of the script, which must be one to this request. */
static int scripted(char request)
{
    int status;
    assert(*script++ == request);
    status = atoi(script);
    script += strcspn(script, "GL");
    return status;
}

static int http_get(const char *url, uint32_t timeout_ms, uint32_t *retry_after_ms)
{
    assert(strcmp(url, "/") == 0);
    return script ? (answer(timeout_ms, retry_after_ms), scripted('G'))
                  : answer(timeout_ms, retry_after_ms);
}

static struct redial_outcome log_in(uint32_t timeout_ms)
{
    uint32_t retry_after_ms;
    answer(timeout_ms, &retry_after_ms);
    return redial_http(scripted('L'), retry_after_ms, REDIAL_IDEMPOTENT);
}

/* ---- README.md ---- */

/* docs.sh looks for each line that is printed here in the document that it begins with. What README
   says after an assertion is what the assertion has shown. */
static void readme_says(const char *text)
{
    printf("README.md|%s\n", text);
}

/* The programs of README print to stdout, too. */
static void print_nothing(const char *format, ...)
{
    (void)format;
}

#define printf print_nothing
#define main main_of_readme
#define get get_of_readme
#define fetch fetch_of_readme
#include "app.c"
#undef main
#undef get
#undef fetch

static bool down;

#define get get_as_told
static struct redial_outcome get(const char *url, uint32_t timeout_ms)
{
    uint32_t retry_after_ms = 0;
    int status = down ? 503 : http_get(url, timeout_ms, &retry_after_ms);
    assert(timeout_ms == 10000);
    return redial_http(status, retry_after_ms, "GET");
}
#include "fetch.c"
#include "test.c"
#undef get
#undef printf

static void a_program_and_its_test(void)
{
    fresh(0);
    fake.random = UINT32_MAX;
    assert(fetch_of_readme("/", &fake.env) == REDIAL_DONE && fake.waits == 2);
    printf("README.md|The program takes at most %u s, and\n", fake.now_ms / 1000);
    fresh(2);
    asked_ms = 7000;
    assert(fetch("/", &fake.env) == REDIAL_DONE && requests == 3);
    assert(fake.waited_ms[0] == 7000 && fake.waited_ms[1] == 7000);
    fresh(1);
    failure = 404;
    assert(fetch("/", &fake.env) == REDIAL_FAILED && requests == 1);
    down = true;
    assert(a_server_that_is_down_is_asked_six_times());
    down = false;
}

/* ---- README.md: what is retried ---- */

static unsigned row_of(int status)
{
    if (status == 429)
        return 0;
    if ((status < 200 && status != 101) || (status >= 500 && status <= 599))
        return 1;
    if (status == 301 || status == 302 || status == 303 || status == 307 || status == 308)
        return 2;
    return status < 400 ? 3 : 4;
}

static const char *word_for(int status, const char *method)
{
    switch (redial_http(status, 0, method).kind) {
    case REDIAL_KIND_DONE: return "done";
    case REDIAL_KIND_RETRY: return "retried";
    default: return "failed";
    }
}

static void what_is_retried(void)
{
    static const struct { const char *text; int status; const char *why; } rows[] = {
        { "429: the server did nothing", 429, "" },
        { "500..599; no answer: below 200 (0 for a timeout), but not 101", 0, ": it may be done" },
        { "301, 302, 303, 307, 308: a redirect was not followed", 301, "" },
        { "101, 2xx, other 3xx", 200, "" },
        { "all others, such as 401, 403 and 404", 404, "" },
    };
    static const char *const safe[] = { "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" };
    static const char *const others[] = { "POST", "PATCH", "CONNECT", "get", "", NULL };
    for (int status = -1; status < 1000; status++)
        for (unsigned i = 0; i < 6; i++) {
            int first = rows[row_of(status)].status;
            assert(word_for(status, safe[i]) == word_for(first, REDIAL_IDEMPOTENT));
            assert(word_for(status, others[i]) == word_for(first, NULL));
        }
    for (unsigned i = 0; i < 5; i++)
        printf("README.md|| %s | %s | %s%s |\n", rows[i].text, word_for(rows[i].status, "GET"),
               word_for(rows[i].status, "POST"), rows[i].why);
    readme_says("| status | GET HEAD OPTIONS TRACE PUT DELETE | any other method, or NULL |");
    puts("include/redial.h|below 200, but not 101 RETRY if redial_http_idempotent(method)\n"
         "include/redial.h|500..599 the same 429 RETRY, whatever the method\n"
         "include/redial.h|301, 302, 303, 307, 308 FAIL: the redirect was not followed 101, "
         "others of 200..399 DONE all others FAIL\n"
         "include/redial.h|(redial_http makes a 202 DONE.)");
    readme_says("Methods are case-sensitive: \"get\" counts as \"any other\".");
}

static enum redial_kind by_opinion(int status, const char *method)
{
    struct redial_outcome outcome = redial_http(status, 3000, method);
#include "opinion.c"
    assert(outcome.retry_after_ms == 3000 && outcome.code == status);
    return outcome.kind;
}

static void an_opinion_repeats_only_what_is_safe(void)
{
    assert(by_opinion(408, "GET") == REDIAL_KIND_RETRY);
    assert(by_opinion(408, "POST") == REDIAL_KIND_FAIL);
    for (int status = -1; status < 1000; status++) {
        bool only = status >= 500 && status != 503;
        if (status != 408)
            assert(by_opinion(status, "PUT")
                   == (only ? REDIAL_KIND_FAIL : redial_http(status, 0, "PUT").kind));
    }
}

/* ---- README.md: the policy ---- */

static struct redial_outcome as_set(void *outcome, const struct redial_attempt *attempt)
{
    (void)attempt;
    fake.now_ms += 100;
    return *(struct redial_outcome *)outcome;
}

/* How a run ends whose attempts all have this outcome. */
static struct redial_report report_of(struct redial_outcome outcome)
{
    struct redial_report report;
    fake.env.hold_ms = NULL;
    redial_run(&policy, &fake.env, as_set, &outcome, &report);
    return report;
}

/* With a jitter_ms of 0. */
static uint32_t random_part_ms(uint32_t base_ms, struct redial_outcome outcome)
{
    struct redial_policy set = { .base_ms = base_ms, .cap_ms = UINT32_MAX, .max_retries = 1 };
    struct redial_call low, high;
    redial_begin(&low, &set, 0);
    redial_begin(&high, &set, 0);
    return redial_next(&high, 0, outcome, UINT32_MAX).delay_ms
           - redial_next(&low, 0, outcome, 0).delay_ms;
}

/* What 0 means. The policy is all zero, but for a base and a cap. */
static void zeros_of_the_table(void)
{
    struct redial_call call = { 0 };
    struct redial_outcome after_a_day = redial_retry(0, 0);
    fresh(0);
    policy = (struct redial_policy){ .cap_ms = 9 };
    assert(redial_policy_error(&policy));
    policy = (struct redial_policy){ .base_ms = 9, .cap_ms = 8 };
    assert(redial_policy_error(&policy));
    policy.cap_ms = 9;
    assert(report_of(redial_retry(0, 0)).attempts == 1);
    assert(report_of(redial_pending(0)).verdict == REDIAL_INVALID);
    redial_begin(&call, &policy, 0);
    assert(redial_timeout_ms(&call, 0) == UINT32_MAX);
    policy.max_elapsed_ms = 3000;
    assert(redial_timeout_ms(&call, 0) == 3000);
    policy.max_retries = 5;
    after_a_day.uptime_ms = 86400000;
    assert(report_of(after_a_day).attempts == 6);
    policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    policy.base_ms = policy.cap_ms = policy.max_retries = 0;
    assert(memcmp(&policy, &(struct redial_policy){ 0 }, sizeof policy) == 0);
    readme_says("has 0 in each member but `base_ms`, `cap_ms` and `max_retries`.");
    readme_says("| `base_ms` | the first wait | refused |");
    readme_says("| `cap_ms` | the longest backoff wait, at least `base_ms` | refused |");
    readme_says("| `max_retries` | retries after the first attempt; `REDIAL_NO_LIMIT`: for ever | "
                "one attempt |");
    readme_says("| no limit; a poll is then invalid |");
    readme_says("| `max_elapsed_ms` alone limits it |");
    readme_says("sets retries and elapsed time to 0 | never |");
    readme_says("(with RETRY): never 0; UINT32_MAX is no limit.");
}

/* The words that were misread. */
static void words_of_the_table(void)
{
    const unsigned most = REDIAL_JITTER_MAX_MS, attempts = 4;
    assert(random_part_ms(10, redial_retry(0, 0)) == 10);
    assert(random_part_ms(5000, redial_retry(0, 0)) == most);
    assert(random_part_ms(10, redial_retry(0, 50)) == most);
    assert(random_part_ms(10, redial_postponed(50)) == most);
    printf("README.md|or after a hold, at most %u;\n", most);
    printf("README.md|`base_ms`, but at most %u; if a server or a hold named the wait, %u\n",
           most, most);
    fresh(0);   /* attempts and waits: 100 + 1000 + 100 + 2000 ms */
    policy.max_elapsed_ms = 3200;
    assert(report_of(redial_retry(0, 0)).attempts == 2);
    policy.max_elapsed_ms = 3201;
    assert(report_of(redial_retry(0, 0)).attempts == 3);
    readme_says("a wait that would reach it is not begun: timed_out;");
    printf("README.md|`UINT32_MAX`: any | %u minutes, or `cap_ms` if longer |\n",
           (unsigned)REDIAL_RETRY_AFTER_MAX_MS / 60000);
    printf("README.md|If three layers make %u attempts each, a slow server gets %u requests\n",
           attempts, attempts * attempts * attempts);
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void ranges_of_the_modes(void)
{
    fresh(0);
    for (unsigned n = 0; n < 8; n++)
        for (policy.cap_ms = 1500; policy.cap_ms < 99999; policy.cap_ms *= 2) {
            const uint32_t base = policy.base_ms, cap = policy.cap_ms;
            const uint32_t w = lesser(base << n, cap), v = lesser(2 * w, cap);
            const uint32_t ranges[4][2] = {
                [REDIAL_JITTER_ADDED] = { w, lesser((base << n) + 1000, cap) },
                [REDIAL_JITTER_WIDE] = { v - v / 2 < base ? base : v - v / 2, v },
                [REDIAL_JITTER_FULL] = { 0, w },
                [REDIAL_JITTER_NONE] = { w, w },
            };
            for (policy.jitter = 0; policy.jitter < 4; policy.jitter++) {
                assert(redial_random_delay_ms(&policy, n, 0) == ranges[policy.jitter][0]);
                assert(redial_random_delay_ms(&policy, n, UINT32_MAX) == ranges[policy.jitter][1]);
            }
        }
    readme_says("| mode | each wait, w = min(base · 2ⁿ, cap) |");
    readme_says("| `REDIAL_JITTER_WIDE` | v/2..v, v = min(2w, cap); if base < cap, at least "
                "base |");
    readme_says("| `REDIAL_JITTER_FULL` | 0..w |");
    readme_says("| `REDIAL_JITTER_ADDED` | min(base · 2ⁿ + 0..`jitter_ms`, cap) |");
    readme_says("| `REDIAL_JITTER_NONE` | w |");
    readme_says("wait = min(base * 2^n + random_ms, cap) n counts the retries from 0, random_ms is "
                "at most a second and new for each wait,");
}

/* ---- README.md: not HTTP, and what a retry can break ---- */

static int connects;

static int my_connect(const char *host, uint32_t timeout_ms)
{
    bool connected = ++connects == 3 || connects == 5;
    assert(strcmp(host, "host") == 0 && timeout_ms == UINT32_MAX);
    errno = connected ? 0 : connects == 7 ? EACCES : ECONNREFUSED;   /* 0 as at an end of file */
    return connected ? 7 : -1;
}

static void my_work(int fd)
{
    assert(fd == 7);
    fake.now_ms += connects == 3 ? policy.min_uptime_ms : policy.min_uptime_ms - 1;
}
#include "stay.c"

static void a_connection_that_held_starts_afresh(void)
{
    static const uint32_t waits_ms[] = { 1000, 2000, 1000, 2000, 4000, 8000 };
    static char host[] = "host";
    struct redial_report report;
    fresh(0);
    fake.env.hold_ms = NULL;
    policy.max_retries = REDIAL_NO_LIMIT;
    policy.min_uptime_ms = 10000;
    connects = 0;
    redial_run(&policy, &fake.env, stay_connected, host, &report);
    assert(report.verdict == REDIAL_FAILED && report.last.code == EACCES && connects == 7);
    assert(fake.waits == 6 && memcmp(fake.waited_ms, waits_ms, sizeof waits_ms) == 0);
    printf("README.md|set `max_retries` to `REDIAL_NO_LIMIT`, `min_uptime_ms` to %u, and\n",
           (unsigned)policy.min_uptime_ms);
}

static struct redial_outcome poll_once(bool ready)
{
    struct redial_outcome outcome;
#include "poll.c"
    return outcome;
}

static void a_poll_ends_with_its_limit(void)
{
    struct redial_outcome outcome;
    struct redial_report report;
    fresh(0);
    outcome = poll_once(false);   /* which sets the policy, too */
    report = report_of(outcome);
    assert(report.verdict == REDIAL_TIMED_OUT && report.elapsed_ms <= policy.max_elapsed_ms);
    assert(fake.waited_ms[0] == policy.base_ms && fake.waited_ms[63] == policy.base_ms);
    assert(report_of(poll_once(true)).verdict == REDIAL_DONE);
    printf("README.md|To poll every %u s (waits double up to the cap, as for retries, "
           "whose count each poll resets):\n",
           (unsigned)policy.base_ms / 1000);
    policy.max_elapsed_ms = 0;
    assert(report_of(outcome).verdict == REDIAL_INVALID);
}

static void readme(void)
{
    a_program_and_its_test();
    what_is_retried();
    an_opinion_repeats_only_what_is_safe();
    zeros_of_the_table();
    words_of_the_table();
    ranges_of_the_modes();
    a_connection_that_held_starts_afresh();
    a_poll_ends_with_its_limit();
}

/* ---- examples/README.md ---- */

#include "every.c"
#include "wait_by_table.c"
#include "about_ms.c"
#include "of_answer.c"
#include "get_with_login.c"

/* Gets with a token. */
static enum redial_verdict get(struct session *session)
{
    struct redial_call call;
    struct redial_step step = redial_loop_begin(&call, &policy, &fake.env);
    while (step.verdict == REDIAL_RETRY)
        step = redial_loop_next(&call, &fake.env, get_with_login(session, "/", step.timeout_ms));
    return step.verdict;
}

static void each_expiry_of_a_token_is_one_login(void)
{
    static const struct {
        const char *script;
        uint32_t max_retries;
        enum redial_verdict verdict;
    } rows[] = {
        { "G200", 0, REDIAL_DONE },
        { "G401 L200 G200", 0, REDIAL_DONE },   /* it costs no retry */
        { "G401 L200 G401", 9, REDIAL_FAILED },
        { "G401 L200 G503 G401 L200 G200", 1, REDIAL_DONE },
        { "G401 L503 L0 L200 G200", 2, REDIAL_DONE },
        { "G401 L503 L503", 1, REDIAL_EXHAUSTED },
        { "G401 L400", 9, REDIAL_FAILED },
    };
    struct session session = { false, false, 0 };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct session other = { false, false, 0 };
        fresh(0);
        script = rows[i].script;
        policy.max_retries = rows[i].max_retries;
        assert(get(&other) == rows[i].verdict && !*script);
    }
    for (unsigned expiry = 0; expiry < 3; expiry++) {   /* of one session */
        fresh(0);
        script = "G401 L200 G200";
        assert(get(&session) == REDIAL_DONE && !*script && session.status == 200);
        assert(fake.waits == 2 && fake.waited_ms[0] == 1 && fake.waited_ms[1] == 1);
    }
}

/* Returns how many items were had. */
static int get_items(int items)
{
    const struct redial_env *env = &fake.env;
    struct redial_call call;
    struct redial_step step = redial_loop_begin(&call, &policy, env);
    int item = 0;
    while (item < items && step.verdict == REDIAL_RETRY) {
        uint32_t retry_after_ms = 0;
        int status = http_get("/", step.timeout_ms, &retry_after_ms);
        step = redial_loop_next(&call, env, redial_http(status, retry_after_ms, "GET"));
#include "next_item.c"
    }
    return item;
}

static void waits_of_their_own(void)
{
    static const struct {
        enum redial_kind kind;
        uint32_t retry_after_ms, uptime_ms, wait_ms;
    } rows[] = {
        { REDIAL_KIND_RETRY, 0, 0, 1000 },
        { REDIAL_KIND_RETRY, 0, 0, 10000 },
        { REDIAL_KIND_POSTPONED, 70, 0, 70 },
        { REDIAL_KIND_RETRY, 0, 9999, 60000 },
        { REDIAL_KIND_RETRY, 0, 0, 600000 },
        { REDIAL_KIND_RETRY, 700000, 0, 700000 },
        { REDIAL_KIND_RETRY, 0, 0, 600000 },
        { REDIAL_KIND_RETRY, 0, 10000, 1000 },   /* it worked: afresh */
        { REDIAL_KIND_RETRY, 0, 0, 10000 },
        { REDIAL_KIND_PENDING, 0, 0, 1000 },
        { REDIAL_KIND_PENDING, 0, 0, 1000 },
    };
    struct redial_policy own;
    struct redial_call call;
    fresh(0);
    own = policy;
    own.jitter = REDIAL_JITTER_NONE;
    own.max_retries = own.max_retry_after_ms = own.max_elapsed_ms = REDIAL_NO_LIMIT;
    own.min_uptime_ms = 10000;
    redial_loop_begin(&call, &own, &fake.env);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct redial_outcome outcome = redial_retry(503, rows[i].retry_after_ms);
        outcome.kind = rows[i].kind;
        outcome.uptime_ms = rows[i].uptime_ms;
        assert(wait_by_table(&call, &own, &fake.env, outcome).verdict == REDIAL_RETRY);
        assert(fake.waited_ms[i] == rows[i].wait_ms);
    }
    assert(about_ms(&policy, 2, 25, 0) == 3000 && about_ms(&policy, 2, 25, UINT32_MAX) == 5000);
    assert(about_ms(&policy, 9, 100, UINT32_MAX) == 64000 && about_ms(&policy, 0, 0, 7) == 1000);
    own.base_ms = own.cap_ms = 4321;   /* rule 7 */
    redial_loop_begin(&call, &own, &fake.env);
    assert(redial_next(&call, 0, redial_retry(503, 0), UINT32_MAX).delay_ms == 4321);
    assert(redial_next(&call, 0, redial_retry(503, 4000), UINT32_MAX).delay_ms == 4000);
    own = every(5);
    for (unsigned n = 0; n < 9; n++) {
        assert(redial_random_delay_ms(&own, n, 0) == 5000);
        assert(redial_random_delay_ms(&own, n, UINT32_MAX) == 10000);
    }
    own = every(0);
    assert(!redial_policy_error(&own) && own.base_ms == 1);
    policy.jitter = REDIAL_JITTER_WIDE;   /* random from the base on */
    for (unsigned n = 0; n < 5; n++) {
        assert(redial_random_delay_ms(&policy, n, 0) == 1000u << n);
        assert(redial_random_delay_ms(&policy, n, UINT32_MAX) == 2000u << n);
    }
}

static void an_answer_may_mean_something_else(void)
{
    static const struct {
        int status;
        bool more;
        enum redial_kind kind;
        int code;
        uint32_t retry_after_ms;
    } rows[] = {
        { 200, false, REDIAL_KIND_DONE, 200, 7 },    { 202, false, REDIAL_KIND_PENDING, 0, 7 },
        { 303, false, REDIAL_KIND_DONE, 303, 0 },    { 308, true, REDIAL_KIND_DONE, 308, 0 },
        { 308, false, REDIAL_KIND_RETRY, 308, 7 },   { 404, true, REDIAL_KIND_FAIL, 404, 7 },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct redial_outcome is = of_answer(rows[i].status, 7, rows[i].more);
        assert(is.kind == rows[i].kind && is.code == rows[i].code);
        assert(is.retry_after_ms == rows[i].retry_after_ms);
    }
}

static void a_bad_nonce_is_repeated_at_once_and_counted(void)
{
    const struct redial_env *env = &fake.env;
    const struct redial_outcome outcome = redial_retry(503, 0);
    struct redial_policy at_once;
    struct redial_step step = { .verdict = REDIAL_RETRY };
    struct redial_call call;
    fresh(0);
    at_once = policy;
    at_once.base_ms = at_once.cap_ms = 1;
    at_once.jitter = REDIAL_JITTER_NONE;
    redial_loop_begin(&call, &policy, env);
    for (unsigned i = 0; i < 6; i++) {
        bool bad_nonce = i % 2 == 0;
        assert(step.verdict == REDIAL_RETRY);
#include "at_once.c"
    }
    assert(step.verdict == REDIAL_EXHAUSTED && fake.waits == 5);
    for (unsigned i = 0; i < 5; i++)
        assert(fake.waited_ms[i] == (i % 2 ? 1000u << i : 1));
}

static void shapes_of_loops(void)
{
    struct redial_budget budget;
    fresh(100);
    assert(get_items(3) == 0 && requests == 6);
    fresh(4);
    policy.max_retries = 4;
    assert(get_items(3) == 3 && requests == 7);
    fresh(0);   /* each success gives a token back */
    redial_budget_init(&budget, 2, 100);
    policy.budget = &budget;
    every_other_fails = true;
    assert(get_items(50) == 50 && requests == 100);

    fresh(0);
    for (unsigned failures = 1; failures < 6; failures++) {
        const struct redial_env *env = &fake.env;
        uint32_t wait_ms;
#include "next_wait.c"
        assert(wait_ms == 500u << failures);
    }
}

/* `answer` looks at each request. */
static void nothing_is_sent_too_early_or_after_a_stop(void)
{
    for (unsigned i = 0; i < 2 * 3 * 2 * 60; i++) {
        unsigned shape = i / 2 % 3;
        struct session session = { false, false, 0 };
        fresh(shape == 1 ? 1 : 3);
        script = shape == 1 ? "G503 G401 L200 G200" : NULL;
        stops = i % 2;
        event_at = i / 12;
        asked_ms = i / 6 % 2 * 3000;
        policy.max_elapsed_ms = shape > 0 ? 8000 : 0;   /* fetch has its own policy */
        if (shape == 0)
            fetch("/", &fake.env);
        else if (shape == 1)
            get(&session);
        else
            get_items(1);
        assert(requests > 0 || stopped);
    }
}

struct message { uint32_t deliveries, hidden_ms; enum redial_verdict removed; };

static struct redial_outcome put_message(struct message *message)
{
    (void)message;
    return redial_http(requests++ < failures ? 503 : 200, 0, "PUT");
}

static void hide_message(struct message *message, uint32_t ms)
{
    message->hidden_ms = ms;
}

static void remove_message(struct message *message, enum redial_verdict verdict)
{
    message->removed = verdict;
}

#include "handle.c"

/* What becomes of a message that was delivered so often, while the server is up, or down. */
static void delivered(uint32_t deliveries, int failing, struct message becomes, int sent)
{
    struct message message = { deliveries, 0, REDIAL_INVALID };
    struct redial_budget empty = { 0 };
    fresh(failing);
    policy.budget = &empty;   /* the wait that it refuses is the same */
    handle(&message, &policy, &fake.env);
    policy.budget = NULL;
    assert(message.hidden_ms == becomes.hidden_ms && message.removed == becomes.removed);
    message = (struct message){ deliveries, 0, REDIAL_INVALID };
    requests = 0;
    handle(&message, &policy, &fake.env);
    assert(message.hidden_ms == becomes.hidden_ms && message.removed == becomes.removed);
    assert(requests == sent);
}

static void a_queue_counts_the_retries(void)
{
    delivered(1, 0, (struct message){ 0, 0, REDIAL_DONE }, 1);
    delivered(1, 1, (struct message){ 0, 1000, REDIAL_INVALID }, 1);
    delivered(5, 1, (struct message){ 0, 16000, REDIAL_INVALID }, 1);
    delivered(6, 0, (struct message){ 0, 0, REDIAL_DONE }, 1);
    delivered(6, 1, (struct message){ 0, 0, REDIAL_EXHAUSTED }, 1);
    delivered(7, 0, (struct message){ 0, 0, REDIAL_EXHAUSTED }, 0);   /* a worker died */
    delivered(0, 1, (struct message){ 0, 1000, REDIAL_INVALID }, 1);   /* not counted */
}

/* ---- redial.h ---- */

static const char *said;

#define main program
#define printf(format, text) (said = (text))
#define redial_system() (&fake.env)
#include "program.c"
#undef redial_system
#undef printf
#undef main
#include "hooks.c"

static const char *asked_until;

int my_get(const char *url, uint32_t timeout_ms, uint32_t *retry_after_ms)
{
    *retry_after_ms = redial_retry_after_ms(asked_until, "Sun, 06 Nov 1994 08:49:37 GMT");
    assert(strcmp(url, "http://example.com/") == 0 && timeout_ms == 10000);
    return requests++ < failures ? 503 : 200;
}

static void first_program(void)
{
    fresh(1);
    asked_until = "Sun, 06 Nov 1994 08:51:37 GMT";   /* longer than the minute: no second attempt */
    assert(program() == 1 && requests == 1 && fake.waits == 0 && strcmp(said, "timed_out") == 0);
    assert(program() == 0 && requests == 2);
    fresh(1);
    asked_until = "Sun, 06 Nov 1994 08:49:40 GMT";
    assert(program() == 0 && requests == 2 && fake.waits == 1 && fake.waited_ms[0] == 3000);
}

static void stop_at_retry_2(const struct redial_env *env, const struct redial_event *event)
{
    ((struct app *)env->user)->stopping = event->retry == 2;
}

static struct redial_outcome unavailable(void *user, const struct redial_attempt *attempt)
{
    (void)user, (void)attempt;
    return redial_http(503, 0, "GET");
}

static void hooks(void)
{
    struct redial_report report;
    struct app app = { false, { 0, 0 } };
    fresh(0);
#define redial_system() (&fake.env)
#include "env.c"
#undef redial_system
    env.on_wait = stop_at_retry_2;
    redial_gate_close(&app.quota, fake.now_ms, 700);
    assert(redial_run(&policy, &env, unavailable, NULL, &report) == REDIAL_CANCELLED);
    assert(report.attempts == 2 && fake.waits == 3 && fake.waited_ms[0] == 700);
}

static struct redial_gate quota;

static struct redial_outcome answered(int status, uint32_t retry_after_ms, uint32_t now_ms)
{
    struct redial_outcome outcome = redial_http(status, retry_after_ms, "GET");
    {
#include "quota.c"
    }
    return outcome;
}

static void a_429_holds_for_all(void)
{
    static const struct {
        int status;
        uint32_t asked_ms, held_ms;
        enum redial_kind kind;
    } rows[] = {
        { 429, 0, 1000, REDIAL_KIND_RETRY },
        { 429, 3000, 3000, REDIAL_KIND_POSTPONED },
        { 429, 864000000, 5000, REDIAL_KIND_POSTPONED },   /* ten days */
        { 503, 3000, 0, REDIAL_KIND_RETRY },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct redial_outcome outcome = answered(rows[i].status, rows[i].asked_ms, 100);
        assert(outcome.kind == rows[i].kind && outcome.retry_after_ms == rows[i].asked_ms);
        assert(redial_gate_left_ms(&quota, 100) == rows[i].held_ms);
        redial_gate_open(&quota);
    }
    printf("include/redial.h|the others %u to %u s and jitter\n", rows[0].held_ms / 1000,
           rows[2].held_ms / 1000);
    redial_gate_close(&quota, 0, UINT32_MAX);
    printf("include/redial.h|but at most %u days; 0 does nothing\n",
           redial_gate_left_ms(&quota, 0) / 86400000);
    redial_gate_open(&quota);
}

static void faked(void)
{
    struct redial_report report, *my_data = NULL;
    fresh(0);
    policy.max_retries = 2;
#define my_operation unavailable
#include "fake.c"
}

struct request {
    struct redial_call call;
    uint32_t timer_ms;
    bool sent;
    enum redial_verdict verdict;
};
static struct redial_gate my_gate;

#define my_clock_ms() fake.now_ms
#define my_random() 0
#define my_finish(request, is) ((request)->verdict = (is))
#define my_start_timer(request, delay_ms) ((request)->timer_ms = fake.now_ms + (delay_ms))
#define my_send(request, timeout_ms) ((request)->sent = (timeout_ms) > 0)
#include "steps.c"

static void steps_wait_at_the_gate_and_after_a_failure(void)
{
    struct request request = { .sent = false };
    fresh(0);
    redial_gate_close(&my_gate, 0, 700);
    policy.max_elapsed_ms = 10000;
    redial_begin(&request.call, &policy, 0);
    send_now(&request);
    assert(!request.sent && request.timer_ms == 700);
    fake.now_ms = request.timer_ms;
    send_now(&request);
    assert(request.sent);
    ended(&request, redial_http(503, 0, "GET"));
    assert(request.timer_ms == 1700);
    fake.now_ms = 11000;
    send_now(&request);
    assert(request.verdict == REDIAL_TIMED_OUT);
    ended(&request, redial_http(404, 0, "GET"));
    assert(request.verdict == REDIAL_FAILED);
}

/* ---- numbers in prose: docs.sh looks for each line in the document that it begins with ---- */

static unsigned shortest_s(unsigned n)
{
    return redial_random_delay_ms(&policy, n, 0) / 1000;
}

static unsigned longest_s(unsigned n)
{
    return redial_random_delay_ms(&policy, n, UINT32_MAX) / 1000;
}

/* If each answer comes after 10 s and asks for the longest wait that is allowed. */
static unsigned longest_call_s(void)
{
    struct redial_step step = { .verdict = REDIAL_RETRY };
    struct redial_call call;
    uint32_t now_ms = 0;
    fresh(0);
    redial_begin(&call, &policy, now_ms);
    for (; step.verdict == REDIAL_RETRY; now_ms += step.delay_ms)
        step = redial_next(&call, now_ms += 10000, redial_retry(503, REDIAL_RETRY_AFTER_MAX_MS),
                           UINT32_MAX);
    assert(step.verdict == REDIAL_EXHAUSTED);
    return now_ms / 1000;
}

static void waits_of_the_default_policy(void)
{
    unsigned sum = 0, minutes = (unsigned)REDIAL_RETRY_AFTER_MAX_MS / 60000;
    fresh(0);
    printf("include/redial.h|means: %u minutes, or cap_ms\n", minutes);
    printf("README.md|%u s, cap %u s, %u retries\n", (unsigned)policy.base_ms / 1000,
           (unsigned)policy.cap_ms / 1000, (unsigned)policy.max_retries);
    printf("include/redial.h|An initialiser: %u s, cap %u s, %u retries\n",
           (unsigned)policy.base_ms / 1000, (unsigned)policy.cap_ms / 1000,
           (unsigned)policy.max_retries);
    printf("include/redial.h|With base_ms %u and cap_ms %u, w is ", (unsigned)policy.base_ms,
           (unsigned)policy.cap_ms);
    for (unsigned n = 0; n < 6; n++)
        printf(n < 5 ? "%u, " : "%u...\n", (unsigned)redial_delay_ms(&policy, n, 0));
    printf("include/redial.h|waits double up to %u s stops up to %u s before its limit\n",
           (unsigned)policy.cap_ms / 1000, (unsigned)policy.cap_ms / 1000);
    printf("include/redial.h|The waits are");
    for (unsigned n = 0; n < policy.max_retries; n++)
        printf(n ? n + 1 < policy.max_retries ? ", %u to %u s" : " and %u to %u s;" : " %u to %u s",
               shortest_s(n), longest_s(n));
    printf("\ninclude/redial.h|at most (");
    for (unsigned n = 0; n < policy.max_retries; sum += longest_s(n++))
        printf(n ? " + %u" : "%u", longest_s(n));
    printf(") s + %u * 10 s = %u s, or %u s if each answer asks for %u minutes\n",
           (unsigned)policy.max_retries + 1, sum + ((unsigned)policy.max_retries + 1) * 10,
           longest_call_s(), minutes);
}

static unsigned wait_of_rule_7_s(enum redial_jitter jitter, unsigned last, uint32_t random)
{
    struct redial_step step = { .verdict = REDIAL_RETRY };
    struct redial_call call;
    fresh(0);
    policy.jitter = jitter;
    policy.max_retries = last + 1;
    redial_begin(&call, &policy, 0);
    for (unsigned n = 0; n <= last; n++)
        step = redial_next(&call, 0, redial_retry(503, n < last ? 0 : 2000), random);
    return step.delay_ms / 1000;
}

static void ranges_of_rule_7(void)
{
    const enum redial_jitter none = REDIAL_JITTER_NONE;
    for (enum redial_jitter jitter = REDIAL_JITTER_ADDED; jitter < none; jitter++)
        printf("include/redial.h|a Retry-After of 2 s at the third retry (n = 2, w = 4 s) makes "
               "the default policy wait %u to %u s\n", wait_of_rule_7_s(jitter, 2, 0),
               wait_of_rule_7_s(jitter, 2, UINT32_MAX));
    assert(wait_of_rule_7_s(none, 2, 0) == wait_of_rule_7_s(none, 2, UINT32_MAX));
    printf("include/redial.h|NONE waits %u s.\n", wait_of_rule_7_s(none, 2, 0));
    printf("README.md|2 s before the fifth retry become %u to %u s (with jitter NONE: %u s)\n",
           wait_of_rule_7_s(REDIAL_JITTER_ADDED, 4, 0),
           wait_of_rule_7_s(REDIAL_JITTER_ADDED, 4, UINT32_MAX), wait_of_rule_7_s(none, 4, 0));
    assert(wait_of_rule_7_s(REDIAL_JITTER_ADDED, 5, UINT32_MAX)
           == (policy.cap_ms / 2 + policy.cap_ms) / 1000);
    printf("include/redial.h|even 1 ms may lead to cap_ms / 2 + max(cap_ms, %u), by rule 7\n"
           "include/redial.h|for a backoff wait min(base_ms, %u), for others %u.\n"
           "include/redial.h|and a jitter_ms of 0 counts as %u.\n", REDIAL_JITTER_MAX_MS,
           REDIAL_JITTER_MAX_MS, REDIAL_JITTER_MAX_MS, REDIAL_JITTER_MAX_MS);
}

/* How many successes give a token back, with 10 %. */
static unsigned successes_for_a_token(void)
{
    static struct redial_budget budget;
    unsigned successes = 0;
    redial_budget_init(&budget, 20, 10);
    assert(budget.take_(&budget));
    for (; redial_budget_tokens(&budget) < 20; successes++)
        budget.earn_(&budget);
    return successes;
}

/* Rounded down. */
static double days(uint32_t ms)
{
    return ms / 8640000 / 10.0;
}

static void sizes_and_limits(void)
{
    printf("README.md|It is version %u.%u (\n", REDIAL_VERSION_MAJOR, REDIAL_VERSION_MINOR);
    printf("README.md|a %u-bit compare-and-swap,\n",
           (unsigned)(8 * sizeof ((struct redial_gate *)0)->end_ms_));
    printf("include/redial.h|of 2^31 ms (%.1f days)\n", days(UINT32_C(1) << 31));
    printf("README.md|at most %.1f days, and %.1f days between\n", days(UINT32_MAX),
           days(INT32_MAX));
    printf("include/redial.h|in %u bytes (%u if a pointer has 4)\n",
           (unsigned)(sizeof(void *) == 8 ? sizeof(struct redial_call) : 24),
           (unsigned)(sizeof(struct redial_call) - sizeof(void *) + 4));
    printf("include/redial.h|and at least every %u ms\n"
           "README.md|at shutdown, within %u ms,\n", 2u * REDIAL_ASK_MS_, 2u * REDIAL_ASK_MS_);
    printf("include/redial.h|32-bit readings is right (%.1f days)\n"
           "include/redial.h|was forgotten for %.1f days\n", days(INT32_MAX), days(INT32_MAX));
    printf("include/redial.h|More than %u.%03u s (%.1f days) is UINT32_MAX\n"
           "include/redial.h|may last %.1f days, measure in 64 bits\n",
           UINT32_MAX / 1000, UINT32_MAX % 1000, days(UINT32_MAX), days(UINT32_MAX));
    assert(redial_seconds_ms(INT64_MAX) == UINT32_MAX - 1);
    printf("include/redial.h|Whole seconds in milliseconds: at most UINT32_MAX - 1,\n");
    assert(successes_for_a_token() == 10);
    printf("README.md|`redial_budget_init(&budget, 20, 10)` allows 20 retries; each success "
           "gives 10 %% of one back\n"
           "include/redial.h|The usual 10 allows a retry for ten successes\n");
}

/* ---- examples/README.md: on a device ---- */

static uint64_t counted;   /* by a counter of 24 bits */

static uint32_t read_counter(void)
{
    return (uint32_t)counted & 0xffffff;
}

#define tick_ms counter_ms
#include "tick_ms.c"
#undef tick_ms
#include "random_bits.c"

static void a_counter_of_24_bits_becomes_one_of_32(void)
{
    printf("examples/README.md|1000 Hz overflows above %u minutes\n"
           "examples/README.md|one of 32 bits wraps after %u minutes\n",
           UINT32_MAX / 1000 / 60000, UINT32_MAX / 1000 / 60000);
    printf("examples/README.md|of %u bits runs at %u Hz: read it at least once in %u s\n",
           24u, (unsigned)hz, (mask + 1) / hz);
    for (uint32_t step = 1; counted / hz < 60u * 86400; counted += step = step % 16700000 + 9999)
        assert(counter_ms() == (uint32_t)(counted * 1000 / hz) && step < mask);
}

static uint32_t xorshift(uint32_t x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

static void seeds_are_mixed(void)
{
    unsigned latest_ms = 0, tenths[10] = { 0 }, early = 0;
    fresh(0);
    for (uint32_t serial = 1; serial <= 1000; serial++) {
        uint32_t ms = redial_random_delay_ms(&policy, 0, xorshift(serial)) - 1000;
        latest_ms = ms > latest_ms ? ms : latest_ms;
        seed = serial;
        ms = redial_between_ms(0, 5000, random_bits());
        early += ms < 1000;
        tenths[ms < 5000 ? ms / 500 : 9]++;
    }
    for (unsigned i = 0; i < 10; i++)
        assert(tenths[i] > 70 && tenths[i] < 130);
    printf("examples/README.md|numbers 1 to 1000 as seeds, all first retries came within %u ms\n"
           "examples/README.md|with 5000 as `within_ms` it is %u\n", latest_ms, early);
}

static uint32_t past_ms, bits, sends, sent_at[9];   /* past_ms: since the start */
static unsigned places, interrupt_at;               /* where in a pass an answer comes */
static const struct reply { uint32_t at_ms; int status; } *reply;   /* the next; status 0: none */
static int unread;                                                  /* a status */

static void interrupt(void)
{
    if (reply->status > 0 && past_ms >= reply->at_ms && places++ >= interrupt_at)
        unread = reply++->status;
}

static uint32_t tick;

static uint32_t tick_ms(void)
{
    interrupt();
    return tick + past_ms;
}

static bool modem_answered(int *status, uint32_t *retry_after_ms)
{
    int is = unread;
    unread = 0;
    if (is > 0)
        *status = is;
    if (is == 429)
        *retry_after_ms = 2000;
    interrupt();
    return is > 0;
}

static void modem_send(void)
{
    sent_at[sends++] = past_ms;
    interrupt();
}

#define random_bits() bits
#include "pass.c"
#undef random_bits

/* The requests come at these times. The tick wraps after half a second. */
static enum redial_verdict superloop(uint32_t within_ms, const struct reply *replies,
                                     bool blocks, unsigned count, const uint32_t *at_ms)
{
    struct uplink up;
    reply = replies;
    sends = places = past_ms = 0;
    unread = 0;
    tick = UINT32_MAX - 499;
    start(&up, &policy, within_ms);
    for (; past_ms < 20000; past_ms += blocks && past_ms == 50 ? 18000 : 1)
        pass(&up);
    assert(sends == count);
    for (unsigned i = 0; i < count; i++)
        assert(sent_at[i] - at_ms[i] <= 1);
    return up.step.verdict;
}

static void a_superloop_counts_each_attempt_once(void)
{
    static const struct {
        struct reply replies[4];
        bool blocks;   /* the loop, from 50 ms on */
        unsigned count;
        uint32_t at_ms[4];
        enum redial_verdict verdict;
    } rows[] = {
        { { { 6, 429 }, { 2020, 200 } }, false, 2, { 0, 2006 }, REDIAL_DONE },
        { { { 6, 503 }, { 1020, 200 } }, false, 2, { 0, 1006 }, REDIAL_DONE },
        { { { 6, 404 } }, false, 1, { 0 }, REDIAL_FAILED },
        { { { 6, 503 } }, true, 1, { 0 }, REDIAL_TIMED_OUT },
        { { { 0, 0 } }, true, 1, { 0 }, REDIAL_TIMED_OUT },
        { { { 0, 0 } }, false, 4, { 0, 4000, 9000, 16000 }, REDIAL_TIMED_OUT },
        /* An answer that comes in the wait after its timeout, or after the end, does not count. */
        { { { 3500, 503 }, { 4020, 200 } }, false, 2, { 0, 4000 }, REDIAL_DONE },
        { { { 4020, 200 }, { 4500, 503 } }, false, 2, { 0, 4000 }, REDIAL_DONE },
        { { { 6, 404 }, { 500, 503 } }, false, 1, { 0 }, REDIAL_FAILED },
    };
    fresh(0);
    policy.attempt_ms = 3000;
    policy.max_elapsed_ms = 17500;
    bits = 0;
    for (interrupt_at = 0; interrupt_at < 3; interrupt_at++)
        for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
            assert(superloop(0, rows[i].replies, rows[i].blocks, rows[i].count, rows[i].at_ms)
                   == rows[i].verdict);
    bits = UINT32_C(1) << 31;   /* the first request comes later, and with it the call begins */
    policy.max_elapsed_ms = 2000;
    assert(superloop(5000, (const struct reply[]){ { 2600, 200 }, { 0, 0 } }, false, 1,
                     (const uint32_t[]){ 2500 }) == REDIAL_DONE);
}

struct exchange;
static void decide(struct exchange *exchange, struct redial_outcome outcome);
#define request exchange
#include "attempt_ended.c"
#undef request

static void decide(struct exchange *exchange, struct redial_outcome outcome)
{
    assert(!exchange->out && outcome.code == (int)exchange->attempt);
}

static void an_attempt_reports_once(void)
{
    struct exchange exchange = { .attempt = 3, .out = true };
    attempt_ended(&exchange, 2, redial_done());   /* of the attempt before */
    assert(exchange.out);
    attempt_ended(&exchange, 3, redial_retry(3, 0));
    assert(!exchange.out);
    attempt_ended(&exchange, 3, redial_done());   /* decide would see another code */
}

/* ---- FreeRTOS with a tick of 10 ms ---- */

#define configTICK_RATE_HZ 100
typedef uint16_t TickType_t;
static uint64_t now_us, fed_us;

static void feed_watchdog(void)
{
    fed_us = now_us;
}

static void vTaskDelay(TickType_t ticks)
{
    now_us = (now_us / 10000 + ticks) * 10000;   /* wakes at a tick */
    assert(ticks > 0 && now_us - fed_us <= 1000000);
}

#define tick_ms() (uint32_t)(now_us / 1000)
#include "rtos.c"
#undef tick_ms

static bool after_a_minute(const struct redial_env *env)
{
    return env->now_ms(env) > 60000;
}

static void a_wait_of_freertos_is_never_short_and_feeds_the_watchdog(void)
{
    static const uint32_t waits_ms[] = { 0, 1, 9, 10, 11, 500, 1234, 4295000, UINT32_MAX };
    struct redial_env env = rtos_env;
    for (unsigned i = 0; i < 3 * sizeof waits_ms / sizeof *waits_ms; i++) {
        uint64_t begin_us = now_us = 1000000 + i % 3 * 9999;
        assert(rtos_wait(&env, waits_ms[i / 3]));
        assert(now_us - begin_us - waits_ms[i / 3] * UINT64_C(1000) < 20000);
    }
    fresh(0);
    now_us = 0;
    env.cancelled = after_a_minute;   /* all five waits are over after 31 to 36 s */
    assert(redial_run(&policy, &env, unavailable, NULL, NULL) == REDIAL_EXHAUSTED);
    assert(now_us >= 31000000 && !rtos_wait(&env, 3600000) && now_us < 61000000);
}

/* ---- examples/README.md: storing a call, and protocols ---- */

static struct record flash, at_a_crash;   /* the latter: as it is during an attempt */
static uint32_t awake, works_ms;          /* how long the connection works */

static uint32_t awake_ms(void)
{
    return awake;
}

static struct redial_outcome send_reading(uint32_t timeout_ms);
#define random_bits() bits
#include "wake_up.c"
#undef random_bits

static struct redial_outcome send_reading(uint32_t timeout_ms)
{
    assert(timeout_ms > 0);
    awake = 2000;
    if (works_ms >= policy.min_uptime_ms && works_ms > 0)
        worked(&flash);
    at_a_crash = flash;
    return redial_http(requests++ < failures ? 503 : 200, 0, "PUT");
}

/* One wake-up: by the timer, or after a brown-out. */
static enum redial_verdict wake(bool by_timer, uint32_t sleep_ms, int sent)
{
    struct redial_step step;
    awake = 0;
    requests = 0;
    step = wake_up(&flash, &policy, by_timer);
    assert(step.verdict != REDIAL_RETRY || step.delay_ms == sleep_ms);
    assert(requests == sent);
    return step.verdict;
}

static void one_step_is_a_whole_wake_up(void)
{
    fresh(INT_MAX);
    bits = 0;
    policy.max_elapsed_ms = 100000;
    for (unsigned n = 0; n < 5; n++) {
        assert(wake(true, 1000u << n, 1) == REDIAL_RETRY);
        assert(flash.elapsed_ms == (n + 1) * 2000 + (2000u << n) - 1000);
        assert(wake(false, 1000u << n, 0) == REDIAL_RETRY);   /* a brown-out in the wait */
    }
    assert(wake(true, 0, 1) == REDIAL_EXHAUSTED);
    flash = (struct record){ 0, 0, 0 };   /* a brown-out in each attempt */
    for (unsigned n = 0; n < 6; n++) {
        assert(wake(true, 1000u << n, 1) == (n < 5 ? REDIAL_RETRY : REDIAL_EXHAUSTED));
        flash = at_a_crash;
        assert(flash.retries == n + 1);
        assert(wake(false, 1000u << n, 0) == (n < 5 ? REDIAL_RETRY : REDIAL_EXHAUSTED));
    }
    flash = (struct record){ 2, 99999, 0 };
    assert(wake(true, 4000, 1) == REDIAL_TIMED_OUT);
    flash.elapsed_ms = 100000;
    assert(wake(true, 0, 0) == REDIAL_TIMED_OUT);
    flash = (struct record){ 0, 0, 0 };
    failures = 0;
    assert(wake(false, 0, 1) == REDIAL_DONE);
}

/* At which boot a device makes no attempt any more whose connection works until the power fails. */
static int boots(uint32_t min_uptime_ms)
{
    int boot = 0;
    fresh(INT_MAX);
    policy.min_uptime_ms = min_uptime_ms;
    flash = (struct record){ 0, 0, 0 };
    for (works_ms = 86400000; requests == boot && boot < 100; boot++, flash = at_a_crash)
        wake_up(&flash, &policy, true);
    works_ms = 0;
    return boot;
}

static void a_device_that_worked_for_a_day_does_not_give_up(void)
{
    assert(boots(10000) == 100 && flash.retries == 1 && flash.elapsed_ms == 0);
    assert(boots(REDIAL_NO_LIMIT) == 7);
    printf("examples/README.md|gives up at the seventh boot with the default policy\n");
}

/* For how many seconds a gate looks closed when the clock has wrapped. It was closed for an hour,
   and then asked so often, or not at all. */
static unsigned looks_closed_s(uint32_t every_ms)
{
    struct redial_gate quota = { 0, 0 };
    const uint64_t wrap_ms = UINT64_C(1) << 32, hours_ms = 10800000;
    unsigned seconds = 0;
    redial_gate_close(&quota, 0, 3600000);
    for (uint64_t past = every_ms; every_ms && past < wrap_ms - hours_ms; past += every_ms) {
        uint32_t now_ms = (uint32_t)past;
#include "gate.c"
    }
    for (uint64_t past = wrap_ms - hours_ms; past < wrap_ms + hours_ms; past += 1000) {
        struct redial_gate copy = quota;
        seconds += redial_gate_left_ms(&copy, (uint32_t)past) > 0;
    }
    return seconds;
}

static void a_gate_that_was_forgotten_looks_closed(void)
{
    assert(looks_closed_s(0) > 7000 && looks_closed_s(0) <= 7201);
    assert(looks_closed_s(7 * 86400000) == 0 && looks_closed_s(INT32_MAX) == 0);
    printf("examples/README.md|A gate that nobody asks in the %.1f days after its end\n"
           "examples/README.md|once in %.1f days\n", days(INT32_MAX), days(UINT32_MAX));
}

static uint32_t heard_at_ms;   /* when an answer comes; 0: none */

static void send_question(void)
{
    sent_at[sends++] = fake.now_ms;
}

static bool listen_ms(uint32_t ms)
{
    bool heard = heard_at_ms > 0 && heard_at_ms <= fake.now_ms + ms;
    fake.now_ms = heard ? heard_at_ms : fake.now_ms + ms;
    return heard;
}

#include "ask.c"

static void a_question_over_udp_is_sent_again(void)
{
    fresh(0);
    sends = 0;
    policy = coap(0);
    assert(!ask(&policy, &fake.env) && sends == 5 && fake.now_ms == 62000);
    for (unsigned i = 0; i < 5; i++)
        assert(sent_at[i] == (2000u << i) - 2000);
    policy = coap(UINT32_MAX);
    sends = fake.now_ms = 0;
    assert(!ask(&policy, &fake.env) && sends == 5 && sent_at[4] == 45000);
    printf("examples/README.md|CoAP gives up after at most %u s\n", (unsigned)fake.now_ms / 1000);
    for (heard_at_ms = 1; heard_at_ms < 93000; heard_at_ms += 1000) {
        sends = fake.now_ms = 0;
        assert(ask(&policy, &fake.env) && fake.now_ms == heard_at_ms);
        assert(sent_at[sends - 1] < heard_at_ms);
    }
    heard_at_ms = sends = fake.now_ms = 0;
    policy.base_ms = 0;   /* it is refused, and there is no end of sending */
    assert(!ask(&policy, &fake.env) && sends == 1);
}

int main(void)
{
    sizes_and_limits();
    readme();
    shapes_of_loops();
    waits_of_their_own();
    an_answer_may_mean_something_else();
    a_bad_nonce_is_repeated_at_once_and_counted();
    each_expiry_of_a_token_is_one_login();
    a_counter_of_24_bits_becomes_one_of_32();
    seeds_are_mixed();
    a_superloop_counts_each_attempt_once();
    an_attempt_reports_once();
    a_wait_of_freertos_is_never_short_and_feeds_the_watchdog();
    one_step_is_a_whole_wake_up();
    a_device_that_worked_for_a_day_does_not_give_up();
    a_gate_that_was_forgotten_looks_closed();
    a_question_over_udp_is_sent_again();
    nothing_is_sent_too_early_or_after_a_stop();
    a_queue_counts_the_retries();
    first_program();
    hooks();
    a_429_holds_for_all();
    faked();
    steps_wait_at_the_gate_and_after_a_failure();
    waits_of_the_default_policy();
    ranges_of_rule_7();
}
