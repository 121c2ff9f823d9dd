/* redial_loop_begin and redial_loop_next: what they return, and what they call. That they go as redial_run does is in
   test_loop_worlds.c. SPDX-License-Identifier: MIT */
#include "scripted_env.h"

static const struct redial_outcome failing = { REDIAL_KIND_HTTP, 503, 0, 0 };
static const struct redial_call zeroed;

/* A macro, so that a failure shows the line of the test. */
#define assert_loop_step(got, verdict_, delay_, timeout_) do { \
    struct redial_step step_ = (got); \
    assert_string_equal(redial_verdict_name(step_.verdict), redial_verdict_name((verdict_))); \
    assert_int_equal(step_.delay_ms, delay_); \
    assert_int_equal(step_.timeout_ms, timeout_); \
} while (0)

/* The loop of the header. It returns the last step; the world keeps the timeout of each attempt. */
static struct redial_step loop(struct world *world, const struct redial_policy *policy)
{
    struct redial_call call;
    struct redial_step step;
    poison(&call, sizeof call);
    step = redial_loop_begin(&call, policy, &world->env);
    while (step.verdict == REDIAL_RETRY) {
        struct redial_attempt attempt = { 0, step.timeout_ms, &world->env };
        step = redial_loop_next(&call, &world->env, world_attempt(world, &attempt));
    }
    return step;
}

/* ---- what is refused ---- */

static void what_redial_run_refuses_is_invalid_and_so_is_every_next_step(void **state)
{
    const struct redial_policy valid = plain_policy();
    struct redial_policy refused = plain_policy();
    unsigned i;
    (void)state;
    refused.base_ms = 0;
    for (i = 0; i < 6; i++) {
        const struct redial_policy *policy = i == 0 ? NULL : i == 1 ? &refused : &valid;
        struct redial_call call;
        struct world world;
        struct redial_env env;
        poison(&call, sizeof call);
        world_init(&world, &failing, 1);
        env = world.env;
        if (i == 3)
            env.now_ms = NULL;
        if (i == 4)
            env.wait_ms = NULL;
        if (i == 5)
            env.random = NULL;
        assert_loop_step(redial_loop_begin(&call, policy, i == 2 ? NULL : &env), REDIAL_INVALID, 0, 0);
        assert_loop_step(redial_loop_next(&call, &world.env, failing), REDIAL_INVALID, 0, 0);
        assert_loop_step(redial_loop_next(&call, &world.env, redial_done()), REDIAL_INVALID, 0, 0);
        assert_null(strpbrk(world.trace, "corew"));   /* it may read the clock */
        assert_int_equal(redial_timeout_ms(&call, 0), 0);
    }
}

static void without_a_call_or_a_usable_env_a_step_is_invalid_and_nothing_is_called(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    struct world world;
    unsigned i;
    (void)state;
    world_init(&world, &failing, 1);
    assert_loop_step(redial_loop_next(NULL, &world.env, failing), REDIAL_INVALID, 0, 0);
    assert_loop_step(redial_loop_next(&call, NULL, failing), REDIAL_INVALID, 0, 0);
    for (i = 0; i < 3; i++) {
        struct redial_env env = world.env;
        if (i == 0)
            env.now_ms = NULL;
        else if (i == 1)
            env.wait_ms = NULL;
        else
            env.random = NULL;
        assert_loop_step(redial_loop_next(&call, &env, failing), REDIAL_INVALID, 0, 0);
    }
    assert_string_equal(world.trace, "");
    assert_loop_step(redial_loop_begin(NULL, &policy, &world.env), REDIAL_INVALID, 0, 0);
    call = zeroed;
    assert_loop_step(redial_loop_next(&call, &world.env, redial_done()), REDIAL_INVALID, 0, 0);
    assert_null(strpbrk(world.trace, "corew"));
}

/* ---- RETRY ---- */

static void each_retry_step_comes_after_its_wait_and_says_how_long_it_was(void **state)
{
    static const char *const traces[] = { "n" "c", "n" "crewn" "c", "n" "crewn" "c" };
    static const uint32_t delays_ms[] = { 0, 1000, 2000 }, timeouts_ms[] = { 6000, 6000, 3000 };
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    struct redial_step step;
    struct world world;
    unsigned i;
    (void)state;
    policy.max_elapsed_ms = 10000;
    policy.attempt_ms = 6000;
    world_init(&world, &failing, 1);
    poison(&call, sizeof call);
    step = redial_loop_begin(&call, &policy, &world.env);
    for (i = 0; i < 3; i++) {
        assert_string_equal(world.trace, traces[i]);
        assert_loop_step(step, REDIAL_RETRY, delays_ms[i], timeouts_ms[i]);
        assert_int_equal(redial_retries(&call), i);
        world.now_ms += 2000;   /* the attempt */
        world.length = 0;
        step = redial_loop_next(&call, &world.env, failing);
    }
    assert_loop_step(step, REDIAL_TIMED_OUT, 4000, 0);
    assert_string_equal(world.trace, "n" "cr");
}

static void without_limits_the_timeout_is_the_longest_there_is(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    poison(&call, sizeof call);
    assert_loop_step(redial_loop_begin(&call, &policy, &world.env), REDIAL_RETRY, 0, UINT32_MAX);
    assert_loop_step(redial_loop_next(&call, &world.env, failing), REDIAL_RETRY, 1000, UINT32_MAX);
}

static void both_functions_wait_at_a_closed_gate_and_leave_that_out_of_delay_ms(void **state)
{
    static const uint32_t left_ms[] = { 5000, 0, 7000, 8000, 0 };
    struct redial_policy policy = plain_policy();
    struct traced_gate gate;
    struct redial_call call;
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    traced_gate_init(&gate, &world, left_ms, 5);
    policy.gate = &gate.gate;
    policy.max_elapsed_ms = 60000;
    poison(&call, sizeof call);
    assert_loop_step(redial_loop_begin(&call, &policy, &world.env), REDIAL_RETRY, 0, 55000);
    assert_string_equal(world.trace, "n" "cg" "crewn" "cg");
    world.length = 0;
    assert_loop_step(redial_loop_next(&call, &world.env, failing), REDIAL_RETRY, 1000, 39000);
    assert_string_equal(world.trace, "n" "crewn" "cg" "crewn" "cg" "crewn" "cg");
}

/* ---- the other verdicts ---- */

static void the_last_step_has_the_verdict_and_the_wait_that_was_refused(void **state)
{
    static const struct { struct redial_outcome outcome; enum redial_verdict verdict; uint32_t refused_ms; } table[] = {
        { { REDIAL_KIND_DONE, 0, 9, 9 },             REDIAL_DONE,          0 },
        { { REDIAL_KIND_FAIL, 1, 9, 9 },             REDIAL_FAILED,        0 },
        { { REDIAL_KIND_HTTP, 404, 9, 9 },           REDIAL_FAILED,        0 },
        { { REDIAL_KIND_RETRY, 1, 0, 0 },            REDIAL_BUDGET_EMPTY,  1000 },
        { { REDIAL_KIND_RETRY, 1, 60000, 0 },        REDIAL_TIMED_OUT,     60000 },
        { { REDIAL_KIND_PENDING, 0, 60000, 0 },      REDIAL_TIMED_OUT,     60000 },
        { { REDIAL_KIND_POSTPONED, 0, 300001, 0 },   REDIAL_WAIT_TOO_LONG, 300001 },
        { { (enum redial_kind)22, 1, 9, 9 },         REDIAL_INVALID,       0 }
    };
    struct redial_policy policy = plain_policy();
    struct redial_budget budget;
    struct world world;
    unsigned i;
    (void)state;
    redial_budget_init(&budget, 0, 0);
    policy.budget = &budget;
    policy.max_elapsed_ms = 60000;
    for (i = 0; i < LENGTH(table); i++) {
        world_init(&world, &table[i].outcome, 1);
        assert_loop_step(loop(&world, &policy), table[i].verdict, table[i].refused_ms, 0);
        assert_int_equal(world.attempts, 1);
        assert_int_equal(world.waits, 0);
    }
    policy.max_retries = 0;
    world_init(&world, &failing, 1);
    assert_loop_step(loop(&world, &policy), REDIAL_EXHAUSTED, 0, 0);
}

static void a_wait_that_ended_too_late_is_timed_out_without_a_refused_wait(void **state)
{
    struct redial_policy policy = plain_policy();
    struct world world;
    (void)state;
    policy.max_elapsed_ms = 2000;
    world_init(&world, &failing, 1);
    world.late_ms = 1000;
    assert_loop_step(loop(&world, &policy), REDIAL_TIMED_OUT, 0, 0);
    assert_int_equal(world.attempts, 1);
}

static void a_closed_gate_may_end_the_loop_in_either_function(void **state)
{
    static const uint32_t left_ms[] = { 0, 59000, 300001 };
    struct redial_policy policy = plain_policy();
    struct traced_gate gate;
    struct world world;
    (void)state;
    policy.max_elapsed_ms = 60000;
    policy.gate = &gate.gate;
    world_init(&world, &failing, 1);
    traced_gate_init(&gate, &world, left_ms, 3);
    assert_loop_step(loop(&world, &policy), REDIAL_TIMED_OUT, 59000, 0);
    assert_int_equal(world.attempts, 1);
    assert_loop_step(loop(&world, &policy), REDIAL_WAIT_TOO_LONG, 300001, 0);   /* before a first attempt */
    assert_int_equal(world.attempts, 1);
}

static void a_cancellation_at_any_check_or_wait_ends_the_loop(void **state)
{
    struct redial_policy policy = plain_policy();
    struct world world;
    unsigned i;
    (void)state;
    policy.max_retries = 3;
    for (i = 1; i <= 8; i++) {
        world_init(&world, &failing, 1);
        world.cancel_at_question = i;
        assert_loop_step(loop(&world, &policy), REDIAL_CANCELLED, 0, 0);
        assert_int_equal(world.attempts, i / 2);
        assert_int_equal(world.questions, i);
    }
    for (i = 1; i <= 3; i++) {
        world_init(&world, &failing, 1);
        world.cut_wait = i;
        assert_loop_step(loop(&world, &policy), REDIAL_CANCELLED, 0, 0);
        assert_int_equal(world.attempts, i);
    }
}

/* ---- calls that did not begin with redial_loop_begin, or go on after a refusal ---- */

static void a_call_whose_first_attempt_was_made_elsewhere_goes_on_with_the_first_retry(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 500);
    struct world world;
    (void)state;
    policy.max_elapsed_ms = 60000;
    world_init(&world, &failing, 1);
    world.now_ms = 2500;
    assert_loop_step(redial_loop_next(&call, &world.env, failing), REDIAL_RETRY, 1000, 57000);
    assert_string_equal(world.trace, "n" "crewn" "c");
    assert_int_equal(world.event[0].retry, 1);
    assert_int_equal(world.event[0].elapsed_ms, 2000);
}

static void a_resumed_call_goes_on_with_its_retries_and_its_time(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call;
    struct world world;
    (void)state;
    policy.max_retries = 4;
    policy.max_elapsed_ms = 60000;
    poison(&call, sizeof call);
    world_init(&world, &failing, 1);
    assert_true(redial_resume(&call, &policy, 3, 40000, world.now_ms));
    assert_loop_step(redial_loop_next(&call, &world.env, failing), REDIAL_RETRY, 8000, 12000);
    assert_int_equal(world.event[0].retry, 4);
    assert_int_equal(world.event[0].elapsed_ms, 40000);
    assert_loop_step(redial_loop_next(&call, &world.env, failing), REDIAL_EXHAUSTED, 0, 0);
}

static void after_a_refusal_the_call_may_go_on(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_call call = begun(&policy, 0);
    struct world world;
    struct purse purse;
    (void)state;
    purse_init(&purse, 0);
    policy.budget = &purse.budget;
    world_init(&world, &failing, 1);
    assert_loop_step(redial_loop_next(&call, &world.env, redial_postponed(300001)), REDIAL_WAIT_TOO_LONG, 300001, 0);
    assert_loop_step(redial_loop_next(&call, &world.env, failing), REDIAL_BUDGET_EMPTY, 1000, 0);
    purse.tokens = 1;
    assert_loop_step(redial_loop_next(&call, &world.env, failing), REDIAL_RETRY, 1000, UINT32_MAX);
    assert_purse(&purse, 0, 2, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_redial_run_refuses_is_invalid_and_so_is_every_next_step),
        cmocka_unit_test(without_a_call_or_a_usable_env_a_step_is_invalid_and_nothing_is_called),
        cmocka_unit_test(each_retry_step_comes_after_its_wait_and_says_how_long_it_was),
        cmocka_unit_test(without_limits_the_timeout_is_the_longest_there_is),
        cmocka_unit_test(both_functions_wait_at_a_closed_gate_and_leave_that_out_of_delay_ms),
        cmocka_unit_test(the_last_step_has_the_verdict_and_the_wait_that_was_refused),
        cmocka_unit_test(a_wait_that_ended_too_late_is_timed_out_without_a_refused_wait),
        cmocka_unit_test(a_closed_gate_may_end_the_loop_in_either_function),
        cmocka_unit_test(a_cancellation_at_any_check_or_wait_ends_the_loop),
        cmocka_unit_test(a_call_whose_first_attempt_was_made_elsewhere_goes_on_with_the_first_retry),
        cmocka_unit_test(a_resumed_call_goes_on_with_its_retries_and_its_time),
        cmocka_unit_test(after_a_refusal_the_call_may_go_on)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
