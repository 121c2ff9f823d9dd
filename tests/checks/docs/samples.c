/* The code of README.md, examples/README.md and redial.h, compiled and run as a reader would use it. docs.sh puts each
   piece into a file. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "redial_fake.h"

static struct redial_fake fake;
static struct redial_policy policy;
static int requests, failures, logins;   /* the first `failures` answers are 503 */
static uint32_t asked_ms;                /* by the server, at a failure */
static bool login_needed;

/* What the reader's program has. An attempt takes 100 ms. */
static int http_get(const char *url, uint32_t *retry_after_ms)
{
    bool failed = requests++ < failures;
    assert(strcmp(url, "/") == 0);
    fake.now_ms += 100;
    *retry_after_ms = failed ? asked_ms : 0;
    return failed ? 503 : login_needed && !logins ? 401 : 200;
}

static bool log_in(void)
{
    return ++logins;
}

static void fresh(int failing)
{
    policy = redial_policy_default();
    redial_fake_init(&fake);
    requests = logins = 0;
    asked_ms = 0;
    failures = failing;
    login_needed = false;
}

/* ---- README.md ---- */

static int http_put(const char *url, const char *body, uint32_t timeout_ms, uint32_t *retry_after_ms)
{
    (void)retry_after_ms;
    assert(url && body && timeout_ms == 10000);
    return 503;
}

static uint32_t tick, sent, sent_at[2];
static bool busy;

static uint32_t tick_ms(void)
{
    return tick;
}

static uint32_t random_bits(void)
{
    return 0;
}

static bool modem_busy(void)
{
    return busy;
}

/* It answers each request after 5 ms. */
static bool modem_answered(int *status, uint32_t *retry_after_ms)
{
    if (!busy || tick - sent_at[sent - 1] < 5)
        return false;
    busy = false;
    *status = sent == 1 ? 503 : 200;
    *retry_after_ms = sent == 1 ? 2000 : 0;
    return true;
}

static void modem_send(void)
{
    assert(sent < 2 && !busy);
    busy = true;
    sent_at[sent++] = tick;
}

#define put_reading put_by_hand
int put_reading(const char *url, const char *body);
#include "hand.c"
#undef put_reading
#include "put.c"
#include "firmware.c"
#include "test.c"

static void readme(void)
{
    static const struct redial_policy defaults = REDIAL_POLICY_DEFAULT;
    const uint32_t start_ms = UINT32_MAX - 500;   /* the tick wraps during the wait */
    struct redial_step step = { REDIAL_RETRY, 0, 0 };
    struct redial_call call;
    uint32_t since_ms = tick = start_ms;
    a_server_that_is_down_is_tried_six_times();
    redial_begin(&call, &defaults, start_ms);
    while (tick++ - start_ms < 9000)
        pass(&call, &step, &since_ms);
    assert(sent == 2 && sent_at[0] == start_ms + 1 && sent_at[1] == sent_at[0] + 5 + 2000);
    assert(step.verdict == REDIAL_DONE);
}

/* ---- examples/README.md ---- */

#include "get_page.c"
#include "get_with_login.c"
#include "get_with_limited_waits.c"
#include "wait_exactly.c"

static void shapes_of_loops(void)
{
    struct redial_call call;
    fresh(100);
    assert(get_page("/", &policy, &fake.env) == 503 && requests == 6 && fake.waits == 5);
    fresh(2);
    assert(get_page("/", &policy, &fake.env) == 200 && requests == 3 && fake.waits == 2);

    fresh(0);
    login_needed = true;   /* it costs no retry and no wait */
    assert(get_with_login("/", &policy, &fake.env) == 200 && requests == 2 && logins == 1 && fake.waits == 0);
    fresh(0);
    login_needed = true;
    policy.max_elapsed_ms = 100;   /* used up by the 401 */
    assert(get_with_login("/", &policy, &fake.env) == 401 && requests == 1);

    fresh(100);
    policy.jitter = REDIAL_JITTER_NONE;
    policy.cap_ms = 1000;
    policy.max_elapsed_ms = 3001;   /* three waits fit, whatever the attempts take */
    assert(get_with_limited_waits("/", &policy, &fake.env) == 503 && fake.waits == 3 && requests == 4);

    fresh(0);
    assert(redial_loop_begin(&call, &policy, &fake.env).verdict == REDIAL_RETRY);
    fake.random = UINT32_MAX;
    assert(wait_exactly(&call, &policy, &fake.env, 503, 7000).verdict == REDIAL_RETRY && fake.waited_ms[0] == 7000);
}

/* ---- redial.h ---- */

#define main program
#include "program.c"
#undef main
#include "retryable.c"
#include "hooks.c"

int my_get(const char *url, uint32_t timeout_ms, char retry_after[64])
{
    strcpy(retry_after, "120");   /* longer than the minute: no second attempt */
    assert(strcmp(url, "http://example.com/") == 0 && timeout_ms <= 60000);
    return requests++ < failures ? 503 : 200;
}

static void log_wait(const struct redial_env *env, const struct redial_event *event)
{
    *(atomic_bool *)env->user = event->retry == 2;
}

static struct redial_outcome unavailable(void *user, const struct redial_attempt *attempt)
{
    (void)user, (void)attempt;
    return redial_http(503, 0);
}

static void hooks(void)
{
    struct redial_report report;
    atomic_bool shutdown_requested = false;
    fresh(0);
    policy.base_ms = policy.jitter_ms = 1;
#include "env.c"
    assert(redial_run(&policy, &env, unavailable, NULL, &report) == REDIAL_CANCELLED && report.attempts == 2);
}

static void loop(void)
{
    const struct redial_env *env = &fake.env;
    const char *url = "/";
    fresh(1);
    asked_ms = 3000;
#define my_request(url, timeout_ms, retry_after_ms) http_get(url, retry_after_ms)
#include "loop.c"
    assert(step.verdict == REDIAL_DONE && fake.waits == 1 && fake.waited_ms[0] == 3000);
}

struct request { struct redial_call call; uint32_t timer_ms; bool sent; enum redial_verdict verdict; };
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
    redial_gate_init(&my_gate);
    redial_gate_close(&my_gate, 0, 700);
    policy.max_elapsed_ms = 10000;
    redial_begin(&request.call, &policy, 0);
    send_now(&request);
    assert(!request.sent && request.timer_ms == 700);
    fake.now_ms = request.timer_ms;
    send_now(&request);
    assert(request.sent);
    ended(&request, redial_http(503, 0));
    assert(request.timer_ms == 1700);
    fake.now_ms = 11000;
    send_now(&request);
    assert(request.verdict == REDIAL_TIMED_OUT);
}

int main(void)
{
    readme();
    shapes_of_loops();
    fresh(1);
    assert(program() == 1 && requests == 1);
    assert(program() == 0 && requests == 2);
    assert(only_503_and_429(NULL, 503) && only_503_and_429(NULL, 429) && !only_503_and_429(NULL, 500));
    hooks();
    loop();
    steps_wait_at_the_gate_and_after_a_failure();
    return 0;
}
