/* The code of README.md, examples/README.md and the headers, compiled and run as a reader would use
   it. docs.sh puts each piece into a file. SPDX-License-Identifier: MIT */
#include <assert.h>
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
static int requests, logins;
static int failures;                     /* the first answers are `failure` */
static int failure;
static bool every_other_fails, login_needed;
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
    requests = logins = 0;
    asked_ms = begin_ms = earliest_ms = opens_ms = 0;
    failures = failing;
    failure = 503;
    login_needed = every_other_fails = stops = stopped = told = asked_gate = false;
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
    return failed ? failure : login_needed && !logins ? 401 : 200;
}

static int http_get(const char *url, uint32_t timeout_ms, uint32_t *retry_after_ms)
{
    assert(strcmp(url, "/") == 0);
    return answer(timeout_ms, retry_after_ms);
}

static bool log_in(void)
{
    return ++logins;
}

/* ---- README.md ---- */

static bool down = true;

static int http_put(const char *url, const char *body, uint32_t timeout_ms,
                    uint32_t *retry_after_ms)
{
    assert(url && body && timeout_ms == 10000);
    return down ? 503 : answer(timeout_ms, retry_after_ms);
}

static uint32_t tick, sent, sent_at[2];
static bool busy, unread;
static unsigned places, interrupt_at;   /* where the first answer comes */

/* An answer is there after 5 ms. */
static void interrupt(void)
{
    if (busy && tick - sent_at[sent - 1] >= 5 && places++ >= interrupt_at) {
        busy = false;
        unread = true;
    }
}

static uint32_t tick_ms(void)
{
    interrupt();
    return tick;
}

static uint32_t random_bits(void)
{
    return 0;
}

static bool modem_busy(void)
{
    bool is;
    interrupt();
    is = busy;
    interrupt();
    return is;
}

static bool modem_answered(int *status, uint32_t *retry_after_ms)
{
    bool is;
    interrupt();
    is = unread;
    unread = false;
    *status = sent == 1 ? 503 : 200;
    *retry_after_ms = sent == 1 ? 2000 : 0;
    interrupt();
    return is;
}

static void modem_send(void)
{
    assert(sent < 2 && !busy);
    busy = true;
    sent_at[sent++] = tick;
}

static unsigned slept_s, last_sleep_s;

static void nap(unsigned s)
{
    slept_s += last_sleep_s = s;
}

#define put_reading put_by_hand
#define sleep nap
int put_reading(const char *url, const char *body);
#include "hand.c"
#undef put_reading
#undef sleep
#include "put.c"
#include "firmware.c"
#include "test.c"
#include "held.c"

/* The passes from first_ms on, at each millisecond. The tick wraps during the wait. */
static enum redial_verdict superloop(const struct redial_policy *limits, uint32_t first_ms)
{
    const uint32_t start_ms = UINT32_MAX - 500;
    struct redial_step step = { .verdict = REDIAL_RETRY };
    struct redial_call call;
    uint32_t since_ms = start_ms;
    busy = unread = false;
    sent = places = 0;
    redial_begin(&call, limits, start_ms);
    for (tick = start_ms + first_ms; tick - start_ms < 9000; tick++)
        pass(&call, &step, &since_ms);
    return step.verdict;
}

/* A pass of the superloop has five places. */
static void an_answer_at_any_moment_is_read_and_nothing_is_sent_twice(void)
{
    struct redial_policy limits = REDIAL_POLICY_DEFAULT;
    for (interrupt_at = 0; interrupt_at < 6; interrupt_at++) {
        assert(superloop(&limits, 1) == REDIAL_DONE && sent == 2);
        assert(sent_at[1] - sent_at[0] == 5 + 2000
               || (sent_at[1] - sent_at[0] == 6 + 2000 && interrupt_at >= 4));
    }
    limits.max_elapsed_ms = 3000;
    assert(superloop(&limits, 2999) == REDIAL_TIMED_OUT && sent == 1);
    assert(superloop(&limits, 3000) == REDIAL_TIMED_OUT && sent == 0);
}

static void readme(void)
{
    assert(a_server_that_is_down_is_tried_six_times());
    assert(put_by_hand("/", "") == -1);
    printf("README.md|it sleeps %u s for nothing\nREADME.md|its test takes %u minutes\n",
           last_sleep_s, slept_s / 60);
    down = false;
    fresh(2);
    asked_ms = 7000;
    assert(put_reading("/", "", &fake.env) == 0 && requests == 3);
    assert(fake.waited_ms[0] == 7000 && fake.waited_ms[1] == 7000);
    fresh(1);
    failure = 404;
    assert(put_reading("/", "", &fake.env) == -1 && requests == 1);
    fresh(0);
    heard_429(&fake.env, 0);
    assert(left_ms(&fake.env) == 1000);
    heard_429(&fake.env, 7000);
    assert(left_ms(&fake.env) == 5000);
    redial_gate_open(&quota);
}

/* ---- examples/README.md ---- */

static unsigned logs, sleeps;

static void log_wait(const struct redial_env *env, const struct redial_event *event)
{
    (void)env;
    assert(event->delay_ms > 0);
    logs++;
}

static bool my_sleep(uint32_t ms)
{
    fake.now_ms += ms;
    return ++sleeps < 3;
}

#define redial_system() (&fake.env)
#include "next_wait_ms.c"
#include "my_env.c"
#undef redial_system
#include "get_with_login.c"
#include "get_pages.c"
#include "every.c"
#include "wait_by_table.c"

static void shapes_of_loops(void)
{
    const uint32_t by_table_ms[] = { 1000, 10000, 60000, 600000, 600000 };
    struct redial_budget budget;
    struct redial_policy own;
    struct redial_call call;
    struct redial_env env;
    fresh(100);
    env = my_env();   /* the third sleep is cut short */
    assert(put_reading("/", "", &env) == -1 && requests == 3 && sleeps == 3 && logs == 3);

    fresh(0);
    login_needed = true;   /* it costs no retry */
    policy.max_retries = 0;
    assert(get_with_login("/", &policy, &fake.env) == 200 && requests == 2);
    assert(logins == 1 && fake.waits == 1 && fake.waited_ms[0] == 1);
    fresh(2);   /* once only */
    failure = 401;
    assert(get_with_login("/", &policy, &fake.env) == 401 && requests == 2 && logins == 1);

    fresh(100);
    assert(get_pages("/", 3, &policy, &fake.env) == 0 && requests == 6);
    fresh(4);
    policy.max_retries = 4;
    assert(get_pages("/", 3, &policy, &fake.env) == 3 && requests == 7);
    fresh(0);   /* each success gives a token back */
    redial_budget_init(&budget, 2, 100);
    policy.budget = &budget;
    every_other_fails = true;
    assert(get_pages("/", 50, &policy, &fake.env) == 50 && requests == 100);

    fresh(0);
    own = policy;
    own.jitter = REDIAL_JITTER_NONE;
    redial_loop_begin(&call, &own, &fake.env);
    for (unsigned n = 0; n < 5; n++) {
        struct redial_outcome asked = redial_retry(503, n == 4 ? 700000 : 0);
        own.max_retry_after_ms = UINT32_MAX;
        assert(wait_by_table(&call, &own, &fake.env, asked).verdict == REDIAL_RETRY);
        assert(fake.waited_ms[n] == (n == 4 ? 700000 : by_table_ms[n]));
    }

    fresh(0);
    assert(next_wait_ms(&policy, 1) == 1000 && next_wait_ms(&policy, 3) == 4000);
    fake.random = UINT32_MAX;
    assert(next_wait_ms(&policy, 1) == 2000);
    own = every(5);
    for (unsigned n = 0; n < 9; n++) {
        assert(redial_random_delay_ms(&own, n, 0) == 5000);
        assert(redial_random_delay_ms(&own, n, UINT32_MAX) == 10000);
    }
    own = every(0);
    assert(!redial_policy_error(&own) && own.base_ms == 1);
}

/* `answer` looks at each request. */
static void nothing_is_sent_too_early_or_after_a_stop(void)
{
    for (unsigned i = 0; i < 2 * 3 * 2 * 60; i++) {
        unsigned shape = i / 2 % 3;
        fresh(3);
        stops = i % 2;
        event_at = i / 12;
        asked_ms = i / 6 % 2 * 3000;
        login_needed = true;
        policy.max_elapsed_ms = shape > 0 ? 8000 : 0;   /* put_reading has its own policy */
        if (shape == 0)
            put_reading("/", "", &fake.env);
        else if (shape == 1)
            get_with_login("/", &policy, &fake.env);
        else
            get_pages("/", 1, &policy, &fake.env);
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

#define main program
#define redial_system() (&fake.env)
#include "program.c"
#undef redial_system
#undef main
#include "hooks.c"

static const char *asked_until;

int my_get(const char *url, uint32_t timeout_ms, char retry_after[64], char date[64])
{
    strcpy(retry_after, asked_until);
    strcpy(date, "Sun, 06 Nov 1994 08:49:37 GMT");
    assert(strcmp(url, "http://example.com/") == 0 && timeout_ms == 10000);
    return requests++ < failures ? 503 : 200;
}

static void first_program(void)
{
    fresh(1);
    asked_until = "Sun, 06 Nov 1994 08:51:37 GMT";   /* longer than the minute: no second attempt */
    assert(program() == 1 && requests == 1 && fake.waits == 0);
    assert(program() == 0 && requests == 2);
    fresh(1);
    asked_until = "Sun, 06 Nov 1994 08:49:40 GMT";
    assert(program() == 0 && requests == 2 && fake.waits == 1 && fake.waited_ms[0] == 3000);
}

static uint16_t my_tick(void)
{
    return (uint16_t)tick;
}

static void a_tick_of_16_bits_is_widened(void)
{
    for (tick = 40000; tick < 1000000; tick += tick < 100000 ? 1 : 65535) {
#include "tick.c"
        assert(now_ms == tick);
    }
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

static uint32_t my_clock_ms(void)
{
    return fake.now_ms;
}

/* README.md: what is left to the deadline for an attempt. */
static uint32_t left_for_an_attempt(uint32_t deadline_ms, uint32_t now_ms)
{
    struct redial_call call;
#include "limited.c"
    assert(redial_begin(&call, &limited, 7));
    return redial_timeout_ms(&call, 7);
}

/* The requests until a deadline that is left_ms away on a clock that is about to wrap, in an outage
   without an end. */
static int requests_within(int32_t left_ms)
{
    const uint32_t end_ms = 500;
    fresh(INT_MAX);
    fake.now_ms = end_ms - (uint32_t)left_ms;
    {
        struct redial_call call;
        struct redial_step step;
        uint32_t ignored;
#include "deadline.c"
        assert(redial_policy_error(&limited) == NULL);
        step = redial_loop_begin(&call, &limited, &fake.env);
        while (step.verdict == REDIAL_RETRY) {
            int status = http_get("/", step.timeout_ms, &ignored);
            assert((int32_t)step.timeout_ms <= (int32_t)(end_ms - fake.now_ms + 100));
            step = redial_loop_next(&call, &fake.env, redial_http(status, 0, "GET"));
        }
        assert(step.verdict == REDIAL_TIMED_OUT);
    }
    return requests;
}

static void a_deadline_that_has_passed_is_no_missing_limit(void)
{
    assert(requests_within(5000) == 3);   /* after 1.1 s and after 3.2 s, but not after 7.3 s */
    assert(requests_within(1) == 1);
    assert(requests_within(0) == 0);
    assert(requests_within(-1) == 0);
    assert(requests_within(INT32_MIN) == 0);
    assert(left_for_an_attempt(5, UINT32_MAX - 4) == 10);
    assert(left_for_an_attempt(5, 5) == 0 && left_for_an_attempt(UINT32_MAX, 5) == 0);
}

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
}

static struct redial_outcome not_ready(void *user, const struct redial_attempt *attempt)
{
    (void)user, (void)attempt;
    return redial_pending(0);
}

static void polls(void)
{
    struct redial_report report;
    fresh(0);
    policy.base_ms = policy.cap_ms = 5000;
    policy.jitter = REDIAL_JITTER_NONE;
    policy.max_elapsed_ms = 600000;
    assert(redial_run(&policy, &fake.env, not_ready, NULL, &report) == REDIAL_TIMED_OUT);
    assert(report.attempts == 120);
    assert(fake.waited_ms[0] == 5000 && report.waited_ms == 119 * 5000);
}

static void faked(void)
{
    struct redial_report report, *my_data = NULL;
    fresh(0);
    policy.max_retries = 2;
#define my_operation unavailable
#include "fake.c"
}

static void loop(void)
{
    const struct redial_env *env = &fake.env;
    const char *url = "/";
    fresh(1);
    asked_ms = 3000;
#define my_request http_get
#include "loop.c"
    assert(step.verdict == REDIAL_DONE && fake.waits == 1 && fake.waited_ms[0] == 3000);
}

struct request {
    struct redial_call call;
    uint32_t timer_ms;
    bool sent;
    enum redial_verdict verdict;
};
static struct redial_gate my_gate;

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
    printf("README.md|A Retry-After of up to %u minutes\n"
           "include/redial.h|means: %u minutes, or cap_ms\n",
           minutes, minutes);
    printf("README.md|%u s, cap %u s, %u retries\n", (unsigned)policy.base_ms / 1000,
           (unsigned)policy.cap_ms / 1000, (unsigned)policy.max_retries);
    printf("include/redial.h|An initialiser: %u s, cap %u s, %u retries\n",
           (unsigned)policy.base_ms / 1000, (unsigned)policy.cap_ms / 1000,
           (unsigned)policy.max_retries);
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
    printf("README.md|if each answer asks for %u minutes, this call takes %u minutes\n", minutes,
           longest_call_s() / 60);
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
    printf("include/redial.h|even a short one may make it %.1f times as long\n",
           1000.0 * wait_of_rule_7_s(REDIAL_JITTER_ADDED, 5, UINT32_MAX) / policy.cap_ms);
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
    printf("include/redial.h|of 2^31 ms (%.1f days)\n", days(UINT32_C(1) << 31));
    printf("README.md|at most %.1f days, and %.1f days between\n", days(UINT32_MAX),
           days(INT32_MAX));
    printf("include/redial.h|in %u bytes (%u if a pointer has 4)\n",
           (unsigned)(sizeof(void *) == 8 ? sizeof(struct redial_call) : 24),
           (unsigned)(sizeof(struct redial_call) - sizeof(void *) + 4));
    printf("include/redial.h|and at least every %u ms\n", 2u * REDIAL_ASK_MS_);
    assert(successes_for_a_token() == 10);
    printf("README.md|share 20 retries, and every ten successes give one back\n"
           "include/redial.h|The usual 10 allows a retry for ten successes\n");
}

int main(void)
{
    sizes_and_limits();
    readme();
    an_answer_at_any_moment_is_read_and_nothing_is_sent_twice();
    shapes_of_loops();
    nothing_is_sent_too_early_or_after_a_stop();
    a_queue_counts_the_retries();
    first_program();
    a_tick_of_16_bits_is_widened();
    hooks();
    a_deadline_that_has_passed_is_no_missing_limit();
    a_429_holds_for_all();
    polls();
    faked();
    loop();
    steps_wait_at_the_gate_and_after_a_failure();
    waits_of_the_default_policy();
    ranges_of_rule_7();
}
