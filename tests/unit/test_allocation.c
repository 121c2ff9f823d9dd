/* No call of the library allocates or releases memory: the linker sends every such call of its objects here, to be
   counted. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "redial_fake.h"
#include "support.h"

static unsigned allocations;

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    allocations++;
    return __real_realloc(memory, size);
}

void __wrap_free(void *memory)
{
    allocations++;
    __real_free(memory);
}

/* ---- the hooks, counted ---- */

static unsigned clock_reads, waits, draws, questions, events;

static uint32_t count_now(const struct redial_env *env)
{
    clock_reads++;
    return redial_system()->now_ms(env);
}

static bool count_wait(const struct redial_env *env, uint32_t ms)
{
    waits++;
    return redial_system()->wait_ms(env, ms);
}

static uint32_t count_draw(const struct redial_env *env)
{
    draws++;
    return redial_system()->random(env);
}

static bool count_question(const struct redial_env *env)
{
    (void)env;
    questions++;
    return false;
}

static void count_event(const struct redial_env *env, const struct redial_event *event)
{
    (void)env;
    (void)event;
    events++;
}

static const struct redial_env counting = {
    count_now, count_wait, count_draw, NULL, count_question, count_event, NULL
};

static int start(void **state)
{
    allocations = clock_reads = waits = draws = questions = events = 0;
    return 0;
}

static struct redial_outcome fail_until(void *user, const struct redial_attempt *attempt)
{
    const unsigned *good = user;
    return attempt->number < *good ? redial_http(503, 0) : redial_http(200, 0);
}

/* ---- the tests ---- */

TEST(an_allocation_is_counted)
{
    void *(*volatile allocate)(size_t size) = malloc;   /* otherwise the compiler removes the call */
    free(allocate(1));
    assert_int_equal(allocations, 2);
}

TEST(a_success_at_the_first_attempt_reads_the_clock_twice_and_does_nothing_else)
{
    const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    unsigned good = 1;
    assert_int_equal(redial_run(&policy, &counting, fail_until, &good, NULL), REDIAL_DONE);
    assert_int_equal(clock_reads, 2);
    assert_int_equal(questions, 1);
    assert_int_equal(waits + draws + events + allocations, 0);
}

TEST(a_run_with_real_waits_allocates_nothing)
{
    const struct redial_policy policy = { .base_ms = 1, .cap_ms = 2, .max_retries = 5, .jitter = REDIAL_JITTER_FULL };
    unsigned good = 4;
    assert_int_equal(redial_run(&policy, &counting, fail_until, &good, NULL), REDIAL_DONE);
    assert_int_equal(waits, 3);
    assert_int_equal(draws, 3);
    assert_int_equal(events, 3);
    assert_int_equal(allocations, 0);
}

TEST(an_outage_with_a_gate_and_a_budget_allocates_nothing)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct redial_budget budget;
    struct redial_gate gate;
    struct redial_fake fake;
    struct redial_call call;
    struct redial_step step;
    unsigned never = UINT32_MAX;
    redial_budget_init(&budget, 200, 10);
    redial_gate_init(&gate);
    redial_gate_close(&gate, 0, 1000);
    policy.budget = &budget;
    policy.gate = &gate;
    policy.max_retries = 90;
    redial_fake_init(&fake);
    assert_int_equal(redial_run(&policy, &fake.env, fail_until, &never, NULL), REDIAL_EXHAUSTED);
    assert_int_equal(fake.waits, 1 + 90);
    step = redial_loop_begin(&call, &policy, &fake.env);
    while (step.verdict == REDIAL_RETRY)
        step = redial_loop_next(&call, &fake.env, redial_http(503, 0));
    assert_int_equal(fake.waits, 1 + 90 + 90);
    assert_int_equal(allocations, 0);
}

TEST(parsers_and_texts_allocate_nothing)
{
    static const char date[] = "Sun, 06 Nov 1994 08:49:37 GMT";
    uint32_t retry_after_ms;
    assert_true(redial_parse_retry_after(date, sizeof date - 1, 784111770, &retry_after_ms));
    assert_int_equal(retry_after_ms, 7000);
    assert_true(redial_parse_retry_after("1.5", 3, 0, &retry_after_ms));
    assert_non_null(redial_verdict_name(REDIAL_DONE));
    assert_non_null(redial_policy_error_text(REDIAL_POLICY_BASE_ZERO));
    assert_int_equal(redial_errno(0).kind, REDIAL_KIND_DONE);
    assert_int_equal(allocations, 0);
}

int main(void)
{
    return run_all_with(start, NULL, NULL, NULL);
}
