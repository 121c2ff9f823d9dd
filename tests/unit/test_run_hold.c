/* redial_run: what it asks before each attempt, and a hold_ms that holds it then. Each scripted_run
   shows the same of the loop functions. SPDX-License-Identifier: MIT */
#include "scripted_env.h"

static const struct redial_outcome nothing = { REDIAL_KIND_INVALID, 0, 0, 0 };
static const struct redial_outcome done = { REDIAL_KIND_DONE, 0, 0, 0 };

TEST(cancelled_hold_ms_the_clock_and_the_time_left_are_asked_in_this_order)
{
    static const uint32_t never[] = { 0 };
    struct scripted run = held(&unavailable, never, 1);
    run.policy.max_retries = 2;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 3, 3000, 3000, 0);
    assert_string_equal(run.trace, "n" "chn" "oncrewn" "chn" "oncrewn" "chn" "oncr");
}

TEST(a_hold_keeps_back_the_first_attempt_and_after_its_wait_all_is_asked_again)
{
    static const uint32_t held_ms[] = { 5000, 2000, 1, 0 };
    static const uint32_t elapsed_ms[] = { 0, 5000, 7000 };
    struct scripted run = held(&done, held_ms, 4);
    run.policy.jitter_ms = 0;
    run.policy.max_elapsed_ms = 60000;
    assert_report(scripted_run(&run), REDIAL_DONE, 1, 7001, 7001, 0);
    assert_string_equal(run.trace, "n" "chn" "crewn" "chn" "crewn" "chn" "crewn" "chn" "on");
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(run.waited_ms[i], held_ms[i]);
        assert_int_equal(run.event[i].elapsed_ms, elapsed_ms[i]);
    }
    assert_int_equal(run.attempt[0].number, 1);
    assert_int_equal(run.attempt[0].timeout_ms, 52999);
}

TEST(a_hold_calls_on_wait_and_is_neither_an_attempt_nor_a_retry)
{
    static const uint32_t held_ms[] = { 0, 7000, 0, 8000, 9000, 0 };
    static const uint32_t retries[] = { 1, 1, 2, 2, 2 };
    static const uint32_t delays_ms[] = { 1000, 7000, 2000, 8000, 9000 };
    struct redial_budget budget;
    struct scripted run = held(&unavailable, held_ms, 6);
    give_budget(&run.policy, &budget, 5);
    run.policy.max_retries = 2;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 3, 27000, 27000, 0);
    assert_int_equal(redial_budget_tokens(&budget), 3);
    assert_int_equal(run.events, 5);
    for (unsigned i = 0; i < 5; i++) {
        bool is_held = delays_ms[i] >= 7000;
        assert_int_equal(run.event[i].retry, retries[i]);
        assert_int_equal(run.event[i].delay_ms, delays_ms[i]);
        assert_int_equal(run.waited_ms[i], delays_ms[i]);
        assert_outcome(run.event[i].outcome,
                       is_held ? redial_postponed(delays_ms[i]) : unavailable);
    }
}

TEST(a_hold_that_is_too_long_ends_the_run_before_or_after_an_attempt)
{
    static const struct {
        uint32_t held_ms, max_elapsed_ms, min_attempt_ms;
        enum redial_verdict verdict;
    } table[] = {
        { 300001, 0, 0, REDIAL_WAIT_TOO_LONG },
        { UINT32_MAX, 0, 0, REDIAL_WAIT_TOO_LONG },
        { 9000, 9000, 0, REDIAL_TIMED_OUT },
        { 9000, 18999, 10000, REDIAL_TIMED_OUT }
    };
    for (unsigned i = 0; i < LENGTH(table); i++)
        for (uint32_t attempts = 0; attempts <= 1; attempts++) {
            const uint32_t held_ms[] = { attempts ? 0 : table[i].held_ms, table[i].held_ms };
            const uint32_t waited_ms = 1000 * attempts;
            struct redial_report report;
            struct scripted run = held(&unavailable, held_ms, 2);
            run.policy.max_elapsed_ms = table[i].max_elapsed_ms;
            run.policy.min_attempt_ms = table[i].min_attempt_ms;
            report = scripted_run(&run);
            assert_report(report, table[i].verdict, attempts, waited_ms, waited_ms,
                          table[i].held_ms);
            assert_outcome(report.last, attempts ? unavailable : nothing);
            assert_string_equal(run.trace, attempts ? "nchn" "oncrewn" "chncr" : "n" "chncr");
        }
}

TEST(a_held_run_can_be_cancelled_at_each_question_and_in_the_wait)
{
    static const char *const traces[] = { "n" "c", "n" "chn" "c", "n" "chn" "crewn" "c",
                                          "n" "chn" "crewn" "chn" "c" };
    static const uint32_t held_ms[] = { 5000 };
    struct scripted run;
    for (unsigned question = 1; question <= LENGTH(traces); question++) {
        uint32_t waited_ms = question > 2 ? 5000 : 0;
        run = held(&unavailable, held_ms, 1);
        run.cancel_at_question = question;
        assert_report(scripted_run(&run), REDIAL_CANCELLED, 0, waited_ms, waited_ms, 0);
        assert_string_equal(run.trace, traces[question - 1]);
    }
    run = held(&unavailable, held_ms, 1);
    run.cut_wait = 1;
    run.cut_ms = 300;
    assert_report(scripted_run(&run), REDIAL_CANCELLED, 0, 300, 300, 0);
    assert_string_equal(run.trace, "n" "chn" "crewn");
}

/* A gate in Redis, for example. */
TEST(the_time_that_hold_ms_takes_is_elapsed_and_not_waited)
{
    static const uint32_t held_ms[] = { 0, 400, 0 };
    struct scripted run = held(&unavailable, held_ms, 3);
    run.policy.max_elapsed_ms = 10000;
    run.policy.attempt_ms = 9000;
    run.hold_takes_ms = 1500;   /* four times; the waits are 1000, 400 and 2000 ms */
    assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 3, 9400, 3400, 4000);
    assert_string_equal(run.trace, "n" "chn" "oncrewn" "chn" "crewn" "chn" "oncrewn" "chn" "oncr");
    assert_int_equal(run.attempt[0].timeout_ms, 8500);
    assert_int_equal(run.attempt[1].timeout_ms, 4100);
    assert_int_equal(run.attempt[2].timeout_ms, 600);
    assert_int_equal(run.event[1].elapsed_ms, 4000);
}

TEST(no_attempt_follows_a_hold_ms_that_left_too_little_time_even_if_it_holds)
{
    static const struct { uint32_t held_ms, takes_ms, min_attempt_ms, elapsed_ms; } table[] = {
        { 0, 5000, 0, 5000 }, { 0, 5001, 0, 5001 }, { 7, 5000, 0, 5000 }, { 300001, 5000, 0, 5000 },
        { 0, 4001, 1000, 4001 }, { 7, 4001, 1000, 4001 }, { 0, 1, 5000, 1 }
    };
    for (unsigned i = 0; i < LENGTH(table); i++) {
        struct scripted run = held(&done, &table[i].held_ms, 1);
        run.policy.max_elapsed_ms = 5000;
        run.policy.min_attempt_ms = table[i].min_attempt_ms;
        run.hold_takes_ms = table[i].takes_ms;
        assert_report(scripted_run(&run), REDIAL_TIMED_OUT, 0, table[i].elapsed_ms, 0, 0);
        assert_string_equal(run.trace, "n" "chn");   /* no wait was refused, and nobody was asked */
    }
}

/* A wait at a gate has a random part, so that not all callers come back at once. */
TEST(a_hold_waits_up_to_jitter_ms_longer_than_hold_ms_said)
{
    static const uint32_t held_ms[] = { 10000, 0 }, highest[] = { HIGHEST };
    struct scripted run = held(&done, held_ms, 2);
    run.policy = (struct redial_policy)REDIAL_POLICY_DEFAULT;
    run.random = highest;
    assert_report(scripted_run(&run), REDIAL_DONE, 1, 11000, 11000, 0);
    assert_outcome(run.event[0].outcome, redial_postponed(10000));
}

/* ---- the hook of the header, with a gate ---- */

static struct redial_gate gate;

static uint32_t gate_left(const struct redial_env *env)
{
    trace((struct scripted *)env->user, 'h');
    return redial_gate_left_ms(&gate, env->now_ms(env));
}

/* It closes the gate for 10 s when the server answers 429. */
static struct redial_outcome send_request(void *user, const struct redial_attempt *attempt)
{
    struct redial_outcome outcome = scripted_attempt(user, attempt);
    if (outcome.code == 429)
        redial_gate_close(&gate, attempt->env->now_ms(attempt->env), 10000);
    return outcome;
}

TEST(a_gate_that_the_operation_closes_holds_its_next_attempt)
{
    struct scripted run = SCRIPTED(redial_http(429, 0, "GET"), redial_done());
    run.env.hold_ms = gate_left;
    run.now_ms = UINT32_MAX - 3000;   /* the clock wraps while the gate is closed */
    run.attempt_ms = 100;
    assert_report(run_in(&run, send_request), REDIAL_DONE, 2, 10200, 10000, 0);
    assert_string_equal(run.trace, "n" "chnn" "onncrewn" "chnn" "crewn" "chnn" "on");
    assert_int_equal(run.waited_ms[0], 1000);
    assert_int_equal(run.waited_ms[1], 9000);
    assert_outcome(run.event[1].outcome, redial_postponed(9000));
}

int main(void)
{
    return run_all();
}
