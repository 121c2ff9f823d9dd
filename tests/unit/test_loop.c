/* redial_loop_begin and redial_loop_next: what redial_run cannot do. scripted_run of scripted_env.h
   shows that they otherwise do what redial_run does, and so does tests/model.
   SPDX-License-Identifier: MIT */
#include "scripted_env.h"

/* ---- what is refused ---- */

TEST(what_redial_run_refuses_is_invalid_and_so_is_every_next_step)
{
    struct scripted run = always_failing();
    const struct redial_env *env = env_of(&run);
    struct redial_policy refused = plain_policy();
    struct redial_env no_clock = *env, no_wait = *env, no_random = *env;
    const struct { const struct redial_policy *policy; const struct redial_env *env; } table[] = {
        { NULL, env }, { &refused, env }, { &run.policy, NULL }, { &run.policy, &no_clock },
        { &run.policy, &no_wait }, { &run.policy, &no_random }
    };
    refused.base_ms = 0;
    no_clock.now_ms = NULL;
    no_wait.wait_ms = NULL;
    no_random.random = NULL;
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct redial_call call, begun_well = begun(&run.policy, 0);
        poison(&call, sizeof call);
        assert_step(redial_loop_begin(&call, table[i].policy, table[i].env), REDIAL_INVALID, 0);
        assert_step(redial_loop_next(&call, env, unavailable), REDIAL_INVALID, 0);
        if (table[i].env != env)
            assert_step(redial_loop_next(&begun_well, table[i].env, unavailable),
                        REDIAL_INVALID, 0);
    }
    assert_step(redial_loop_begin(NULL, &run.policy, env), REDIAL_INVALID, 0);
    assert_step(redial_loop_next(NULL, env, unavailable), REDIAL_INVALID, 0);
    assert_null(strpbrk(run.trace, "chorew"));   /* it may read the clock */
}

/* ---- a loop that begins elsewhere ---- */

/* Its first attempts were made elsewhere. */
TEST(a_resumed_call_goes_on_with_its_retries_and_its_time_even_after_a_refusal)
{
    struct scripted run = always_failing();
    struct redial_call call;
    run.policy.max_retries = 4;
    run.policy.max_elapsed_ms = 60000;
    call = resumed(&run.policy, 3, 40000, run.now_ms);
    run.now_ms += 2000;
    assert_step(redial_loop_next(&call, env_of(&run), redial_held(300001)), REDIAL_WAIT_TOO_LONG,
                300001);
    assert_whole_step(redial_loop_next(&call, env_of(&run), unavailable), REDIAL_ATTEMPT, 0, 10000);
    assert_int_equal(run.event[0].retry, 4);
    assert_int_equal(run.event[0].elapsed_ms, 42000);
    assert_step(redial_loop_next(&call, env_of(&run), unavailable), REDIAL_EXHAUSTED, 0);
}

int main(void)
{
    return run_all();
}
