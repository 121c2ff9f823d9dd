/* redial_run: what it asks before each attempt, and a gate that is closed then. SPDX-License-Identifier: MIT */
#include "scripted_env.h"

static const struct redial_outcome nothing = { REDIAL_KIND_INVALID, 0, 0, 0 };
static const struct redial_outcome done = { REDIAL_KIND_DONE, 0, 0, 0 };

TEST(cancelled_the_time_and_the_gate_are_checked_once_in_this_order_before_each_attempt)
{
    static const uint32_t open_ms[] = { 0 };
    struct scripted run = gated(&unavailable, 1, open_ms, 1);
    run.policy.max_retries = 2;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 3, 3000, 3000, 0);
    assert_string_equal(run.trace, "n" "cg" "oncrewn" "cg" "oncrewn" "cg" "oncr");
}

TEST(a_closed_gate_holds_the_first_attempt_and_after_the_wait_all_is_checked_again)
{
    static const uint32_t left_ms[] = { 5000, 2000, 1, 0 }, waited_ms[] = { 5000, 2000, 500 };
    static const uint32_t elapsed_ms[] = { 0, 5000, 7000 };
    struct scripted run = gated(&done, 1, left_ms, 4);
    run.policy.max_elapsed_ms = 60000;
    assert_report(scripted_run(&run), REDIAL_DONE, 1, 7500, 7500, 0);
    assert_string_equal(run.trace, "n" "cg" "crewn" "cg" "crewn" "cg" "crewn" "cg" "on");
    for (unsigned i = 0; i < 3; i++) {   /* never less than half of base_ms; n stays 0 */
        assert_int_equal(run.waited_ms[i], waited_ms[i]);
        assert_report(run.reported[i], REDIAL_INVALID, 0, elapsed_ms[i], elapsed_ms[i], 0);
        assert_outcome(run.reported[i].last, nothing);
    }
    assert_int_equal(run.attempt[0].number, 1);
    assert_int_equal(run.attempt[0].timeout_ms, 52500);
}

TEST(a_wait_at_the_gate_calls_on_wait_and_is_neither_an_attempt_nor_a_retry)
{
    static const uint32_t left_ms[] = { 0, 7000, 0, 8000, 9000, 0 };
    static const uint32_t retries[] = { 1, 1, 2, 2, 2 }, delays_ms[] = { 1000, 7000, 2000, 8000, 9000 };
    struct redial_budget budget;
    struct scripted run = gated(&unavailable, 1, left_ms, 6);
    give_budget(&run.policy, &budget, 5);
    run.policy.max_retries = 2;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, 3, 27000, 27000, 0);
    assert_int_equal(redial_budget_tokens(&budget), 3);
    assert_int_equal(run.events, 5);
    for (unsigned i = 0; i < 5; i++) {
        bool at_gate = delays_ms[i] >= 7000;
        assert_int_equal(run.event[i].retry, retries[i]);
        assert_int_equal(run.event[i].delay_ms, delays_ms[i]);
        assert_int_equal(run.waited_ms[i], delays_ms[i]);
        assert_outcome(run.event[i].outcome, at_gate ? redial_postponed(delays_ms[i]) : unavailable);
        assert_int_equal(run.reported[i].attempts, retries[i]);
        assert_outcome(run.reported[i].last, unavailable);
    }
}

TEST(a_gate_that_is_closed_for_too_long_ends_the_run_before_or_after_an_attempt)
{
    static const struct { uint32_t left_ms, max_elapsed_ms; enum redial_verdict verdict; } table[] = {
        { 300001, 0, REDIAL_WAIT_TOO_LONG }, { 9000, 9000, REDIAL_TIMED_OUT }
    };
    for (unsigned i = 0; i < LENGTH(table); i++)
        for (uint32_t attempts = 0; attempts <= 1; attempts++) {
            const uint32_t left_ms[] = { attempts ? 0 : table[i].left_ms, table[i].left_ms };
            const uint32_t waited_ms = 1000 * attempts;
            struct redial_report report;
            struct scripted run = gated(&unavailable, 1, left_ms, 2);
            run.policy.max_elapsed_ms = table[i].max_elapsed_ms;
            report = scripted_run(&run);
            assert_report(report, table[i].verdict, attempts, waited_ms, waited_ms, table[i].left_ms);
            assert_outcome(report.last, attempts ? unavailable : nothing);
            assert_string_equal(run.trace, attempts ? "n" "cg" "oncrewn" "cg" "cr" : "n" "cg" "cr");
        }
}

TEST(a_run_at_a_closed_gate_can_be_cancelled_at_each_check_and_in_the_wait)
{
    static const char *const traces[] = { "n" "c", "n" "cg" "c", "n" "cg" "crewn" "c", "n" "cg" "crewn" "cg" "c" };
    static const uint32_t closed_ms[] = { 5000 };
    struct scripted run;
    for (unsigned question = 1; question <= LENGTH(traces); question++) {
        uint32_t waited_ms = question > 2 ? 5000 : 0;
        run = gated(&unavailable, 1, closed_ms, 1);
        run.cancel_at_question = question;
        assert_report(scripted_run(&run), REDIAL_CANCELLED, 0, waited_ms, waited_ms, 0);
        assert_string_equal(run.trace, traces[question - 1]);
    }
    run = gated(&unavailable, 1, closed_ms, 1);
    run.cut_wait = 1;
    run.cut_ms = 300;
    assert_report(scripted_run(&run), REDIAL_CANCELLED, 0, 300, 300, 0);
    assert_string_equal(run.trace, "n" "cg" "crewn");
}

/* It closes the gate for 10 s when the server answers 429. */
static struct redial_outcome send_request(void *user, const struct redial_attempt *attempt)
{
    struct scripted *run = (struct scripted *)user;
    struct redial_outcome outcome = scripted_attempt(run, attempt);
    if (outcome.code == 429)
        redial_gate_close(run->policy.gate, attempt->env->now_ms(attempt->env), 10000);
    return outcome;
}

TEST(a_gate_that_the_operation_closes_holds_its_next_attempt)
{
    struct redial_gate gate;
    struct scripted run = SCRIPTED(redial_http(429, 0), redial_done());
    poison(&gate, sizeof gate);
    redial_gate_init(&gate);
    run.policy.gate = &gate;
    run.now_ms = UINT32_MAX - 3000;   /* the clock wraps while the gate is closed */
    run.attempt_ms = 100;
    assert_report(run_in(&run, send_request), REDIAL_DONE, 2, 10200, 10000, 0);
    assert_string_equal(run.trace, "n" "c" "onncrewn" "c" "crewn" "c" "on");
    assert_int_equal(run.waited_ms[0], 1000);
    assert_int_equal(run.waited_ms[1], 9000);
    assert_outcome(run.event[1].outcome, redial_postponed(9000));
}

static void assert_held(struct redial_gate *gate, uint32_t random, uint32_t waited_ms)
{
    struct scripted run = SCRIPTED(redial_done());
    run.policy = redial_policy_default();   /* with jitter, so that not all callers come back at once */
    run.policy.gate = gate;
    run.random = &random;
    assert_report(scripted_run(&run), REDIAL_DONE, 1, waited_ms, waited_ms, 0);
}

TEST(a_gate_holds_the_first_attempt_until_it_ends_or_is_opened_and_a_zeroed_one_holds_nobody)
{
    static struct redial_gate gate;
    assert_held(&gate, HIGHEST, 0);
    redial_gate_init(&gate);
    redial_gate_close(&gate, 0, 10000);
    assert_held(&gate, 0, 10000);
    redial_gate_close(&gate, 0, 10000);
    assert_held(&gate, HIGHEST, 11000);
    redial_gate_close(&gate, 0, 10000);
    redial_gate_open(&gate);
    assert_held(&gate, HIGHEST, 0);
}

int main(void)
{
    return run_all();
}
