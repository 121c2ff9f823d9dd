/* The snippets of include/redial.h, each compiled and run as a reader would use it. docs.sh extracts them.
   SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "redial_fake.h"

/* ---- A PROGRAM ---- */

#define main program
#include "program.c"
#undef main

static int status_to_come, requests;

int my_get(const char *url, uint32_t timeout_ms, char retry_after[64])
{
    requests++;
    strcpy(retry_after, "120");   /* longer than the minute: no second attempt */
    return strcmp(url, "http://example.com/") == 0 && timeout_ms <= 60000 ? status_to_come : 404;
}

static void the_program_passes_retry_after_on(void)
{
    status_to_come = 200;
    assert(program() == 0 && requests == 1);
    status_to_come = 503;
    assert(program() == 1 && requests == 2);
}

/* ---- retry only 503 and 429 ---- */

#include "retryable.c"

static void only_503_and_429_are_retried(void)
{
    assert(only_503_and_429(NULL, 503) && only_503_and_429(NULL, 429) && !only_503_and_429(NULL, 500));
}

/* ---- stop everything, and log ---- */

#include "hooks.c"

static unsigned logged;

static void log_wait(const struct redial_env *env, const struct redial_event *event)
{
    (void)env;
    logged += event->retry;
}

static struct redial_outcome stop_at_second(void *user, const struct redial_attempt *attempt)
{
    if (attempt->number == 2)
        *(atomic_bool *)user = true;
    return redial_http(503, 0);
}

static void the_hooks_log_each_retry_and_stop_the_run(void)
{
    struct redial_policy policy = redial_policy_default();
    struct redial_report report;
    atomic_bool shutdown_requested = false;
    policy.base_ms = policy.jitter_ms = 1;
    {
#include "env.c"
        assert(redial_run(&policy, &env, stop_at_second, &shutdown_requested, &report) == REDIAL_CANCELLED);
    }
    assert(logged == 1 && report.attempts == 2);
}

/* ---- a loop of your own ---- */

static int my_request(const char *url, uint32_t timeout_ms, uint32_t *retry_after_ms)
{
    *retry_after_ms = 3000;
    return strcmp(url, "x") == 0 && timeout_ms == UINT32_MAX ? status_to_come : 0;
}

static void the_loop_waits_as_long_as_the_server_asks(void)
{
    struct redial_policy policy = redial_policy_default();
    struct redial_fake fake;
    const struct redial_env *env = &fake.env;
    const char *url = "x";
    redial_fake_init(&fake);
    status_to_come = 503;
    {
#include "loop.c"
        assert(step.verdict == REDIAL_EXHAUSTED);
    }
    assert(fake.waits == 5 && fake.waited_ms[0] == 3000);
}

/* ---- step by step ---- */

struct request {
    struct redial_call call;
    struct redial_gate *gate;
    uint32_t timer_ms;
    bool timer, sent;
    enum redial_verdict verdict;
};

static uint32_t clock_ms;

static uint32_t my_clock_ms(void)
{
    return clock_ms;
}

static uint32_t my_random(void)
{
    return 0;
}

static void my_finish(struct request *r, enum redial_verdict verdict)
{
    r->verdict = verdict;
}

static void my_start_timer(struct request *r, uint32_t delay_ms)
{
    r->timer = true;
    r->timer_ms = clock_ms + delay_ms;
}

static void ended(struct request *r, struct redial_outcome outcome);

static void my_send(struct request *r, uint32_t timeout_ms)
{
    assert(timeout_ms > 0);
    r->sent = true;
}

#include "steps.c"

static void the_steps_wait_at_the_gate_and_after_a_failure(void)
{
    struct redial_policy policy = redial_policy_default();
    struct redial_gate gate;
    struct request request = { .gate = &gate };
    redial_gate_init(&gate);
    redial_gate_close(&gate, 0, 700);
    policy.max_elapsed_ms = 10000;
    redial_begin(&request.call, &policy, 0);
    send_now(&request);
    assert(!request.sent && request.timer && request.timer_ms == 700);
    clock_ms = request.timer_ms;
    send_now(&request);
    assert(request.sent);
    ended(&request, redial_http(503, 0));
    assert(request.timer_ms == 1700);
    clock_ms = 11000;
    send_now(&request);
    assert(request.verdict == REDIAL_TIMED_OUT);
}

int main(void)
{
    the_program_passes_retry_after_on();
    only_503_and_429_are_retried();
    the_hooks_log_each_retry_and_stop_the_run();
    the_loop_waits_as_long_as_the_server_asks();
    the_steps_wait_at_the_gate_and_after_a_failure();
    return 0;
}
