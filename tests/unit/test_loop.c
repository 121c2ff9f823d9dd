/* redial_loop_begin and redial_loop_next: what they return, and what they call. test_loop_as_run.c shows that they do
   what redial_run does. SPDX-License-Identifier: MIT */
#include "scripted_env.h"

/* A macro, so that a failure shows the line of the test. */
#define assert_loop_step(got, verdict_, delay_, timeout_) do { \
    struct redial_step step_ = (got); \
    assert_string_equal(redial_verdict_name(step_.verdict), redial_verdict_name((verdict_))); \
    assert_int_equal(step_.delay_ms, delay_); \
    assert_int_equal(step_.timeout_ms, timeout_); \
} while (0)

/* ---- what is refused ---- */

TEST(what_redial_run_refuses_is_invalid_and_so_is_every_next_step)
{
    struct scripted run = always_failing();
    const struct redial_env *env = env_of(&run);
    struct redial_policy refused = plain_policy();
    struct redial_env no_clock = *env, no_wait = *env, no_random = *env;
    const struct { const struct redial_policy *policy; const struct redial_env *env; } table[] = {
        { NULL, env }, { &refused, env }, { &run.policy, NULL }, { &run.policy, &no_clock }, { &run.policy, &no_wait },
        { &run.policy, &no_random }
    };
    refused.base_ms = 0;
    no_clock.now_ms = NULL;
    no_wait.wait_ms = NULL;
    no_random.random = NULL;
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_call call, begun_well = begun(&run.policy, 0);
        poison(&call, sizeof call);
        assert_loop_step(redial_loop_begin(&call, table[i].policy, table[i].env), REDIAL_INVALID, 0, 0);
        assert_loop_step(redial_loop_next(&call, env, unavailable), REDIAL_INVALID, 0, 0);
        if (table[i].env != env)
            assert_loop_step(redial_loop_next(&begun_well, table[i].env, unavailable), REDIAL_INVALID, 0, 0);
    }
    assert_loop_step(redial_loop_begin(NULL, &run.policy, env), REDIAL_INVALID, 0, 0);
    assert_loop_step(redial_loop_next(NULL, env, unavailable), REDIAL_INVALID, 0, 0);
    assert_null(strpbrk(run.trace, "chorew"));   /* it may read the clock */
}

/* ---- RETRY ---- */

TEST(each_retry_step_comes_after_its_wait_and_has_a_delay_ms_of_0)
{
    static const char *const traces[] = { "n" "c", "n" "crewn" "c", "n" "crewn" "c" };
    static const uint32_t timeouts_ms[] = { 6000, 6000, 3000 };
    struct redial_call call;
    struct redial_step step;
    struct scripted run = always_failing();
    run.policy.max_elapsed_ms = 10000;
    run.policy.attempt_ms = 6000;
    poison(&call, sizeof call);
    step = redial_loop_begin(&call, &run.policy, env_of(&run));
    for (unsigned i = 0; i < 3; i++) {
        assert_string_equal(run.trace, traces[i]);
        assert_loop_step(step, REDIAL_RETRY, 0, timeouts_ms[i]);
        assert_int_equal(redial_retries(&call), i);
        run.now_ms += 2000;   /* the attempt */
        run.length = 0;
        step = redial_loop_next(&call, env_of(&run), unavailable);
    }
    assert_loop_step(step, REDIAL_TIMED_OUT, 4000, 0);
    assert_string_equal(run.trace, "n" "cr");
}

TEST(both_functions_wait_while_hold_ms_says_so)
{
    static const uint32_t held_ms[] = { 5000, 0, 7000, 8000, 0 };
    struct redial_call call;
    struct scripted run = held(&unavailable, held_ms, 5);
    run.policy.max_elapsed_ms = 60000;
    poison(&call, sizeof call);
    assert_loop_step(redial_loop_begin(&call, &run.policy, env_of(&run)), REDIAL_RETRY, 0, 55000);
    assert_string_equal(run.trace, "n" "chn" "crewn" "chn");
    run.length = 0;
    assert_loop_step(redial_loop_next(&call, env_of(&run), unavailable), REDIAL_RETRY, 0, 39000);
    assert_string_equal(run.trace, "n" "crewn" "chn" "crewn" "chn" "crewn" "chn");
}

/* ---- the other verdicts ---- */

TEST(the_last_step_has_the_verdict_and_the_wait_that_was_refused)
{
    const struct { struct redial_outcome outcome; enum redial_verdict verdict; uint32_t refused_ms; } table[] = {
        { outcome_of(REDIAL_KIND_DONE, 0, 9, 9), REDIAL_DONE, 0 },
        { outcome_of(REDIAL_KIND_HTTP, 404, 9, 9), REDIAL_FAILED, 0 },
        { redial_retry(1, 0), REDIAL_BUDGET_EMPTY, 1000 },
        { redial_pending(60000), REDIAL_TIMED_OUT, 60000 },
        { redial_postponed(300001), REDIAL_WAIT_TOO_LONG, 300001 },
        { outcome_of((enum redial_kind)18, 1, 9, 9), REDIAL_INVALID, 0 }
    };
    struct redial_budget budget;
    redial_budget_init(&budget, 0, 0);
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct scripted run = always_failing();
        struct redial_call call = begun(&run.policy, 0);
        run.policy.budget = &budget;
        run.policy.max_elapsed_ms = 60000;
        assert_loop_step(redial_loop_next(&call, env_of(&run), table[i].outcome), table[i].verdict,
                         table[i].refused_ms, 0);
        assert_int_equal(run.waits, 0);
    }
}

TEST(a_cancellation_at_any_check_ends_the_loop)
{
    for (unsigned i = 1; i <= 3; i++) {
        struct redial_call call;
        struct scripted run = always_failing();
        run.cancel_at_question = i;
        assert_int_equal(redial_loop_begin(&call, &run.policy, env_of(&run)).verdict,
                         i == 1 ? REDIAL_CANCELLED : REDIAL_RETRY);
        if (i > 1)
            assert_loop_step(redial_loop_next(&call, env_of(&run), unavailable), REDIAL_CANCELLED, 0, 0);
        assert_int_equal(run.questions, i);
    }
}

/* Its first attempts were made elsewhere. */
TEST(a_resumed_call_goes_on_with_its_retries_and_its_time_even_after_a_refusal)
{
    struct scripted run = always_failing();
    struct redial_call call;
    run.policy.max_retries = 4;
    run.policy.max_elapsed_ms = 60000;
    call = resumed(&run.policy, 3, 40000, run.now_ms);
    run.now_ms += 2000;
    assert_loop_step(redial_loop_next(&call, env_of(&run), redial_postponed(300001)), REDIAL_WAIT_TOO_LONG, 300001, 0);
    assert_loop_step(redial_loop_next(&call, env_of(&run), unavailable), REDIAL_RETRY, 0, 10000);
    assert_int_equal(run.event[0].retry, 4);
    assert_int_equal(run.event[0].elapsed_ms, 42000);
    assert_loop_step(redial_loop_next(&call, env_of(&run), unavailable), REDIAL_EXHAUSTED, 0, 0);
}

int main(void)
{
    return run_all();
}
