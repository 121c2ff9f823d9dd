/* redial_run: outcomes that are neither a success nor a failure, PENDING and POSTPONED. SPDX-License-Identifier: MIT */
#include "scripted_env.h"

/* The outcome of each attempt, and the event before the wait that follows it. */
struct expected {
    struct redial_outcome outcome;
    uint32_t retry, delay_ms;
};

/* Runs the outcomes, and then a success. */
static void assert_events(uint32_t max_retries, const struct expected *expected, unsigned count)
{
    struct redial_outcome outcomes[KEPT];
    struct redial_report report;
    struct scripted run;
    uint32_t elapsed_ms = 0;
    for (unsigned i = 0; i < count; i++)
        outcomes[i] = expected[i].outcome;
    outcomes[count] = redial_done();
    run = scripted(outcomes, count + 1);
    run.policy.max_retries = max_retries;
    report = scripted_run(&run);
    assert_int_equal(report.verdict, REDIAL_DONE);
    assert_int_equal(report.attempts, count + 1);
    assert_int_equal(run.events, count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(run.event[i].retry, expected[i].retry);
        assert_int_equal(run.event[i].delay_ms, expected[i].delay_ms);
        assert_int_equal(run.event[i].elapsed_ms, elapsed_ms);
        assert_outcome(run.event[i].outcome, expected[i].outcome);
        assert_int_equal(run.waited_ms[i], expected[i].delay_ms);
        assert_outcome(run.reported[i].last, expected[i].outcome);
        assert_int_equal(run.attempt[i + 1].number, i + 2);
        elapsed_ms += expected[i].delay_ms;
    }
    assert_int_equal(report.waited_ms, elapsed_ms);
}

TEST(polls_without_a_retry_after_wait_longer_and_longer_and_are_not_limited_in_number)
{
    static const uint32_t delays_ms[] = { 1000, 2000, 4000, 8000, 16000, 32000, 32000, 32000, 32000 };
    struct expected expected[LENGTH(delays_ms)];
    for (unsigned i = 0; i < LENGTH(delays_ms); i++) {
        expected[i].outcome = redial_pending(0);
        expected[i].retry = 0;
        expected[i].delay_ms = delays_ms[i];
    }
    assert_events(0, expected, LENGTH(expected));
}

TEST(a_poll_with_a_retry_after_waits_as_the_server_says_and_does_not_lengthen_the_next)
{
    const struct expected expected[] = {
        { redial_pending(0), 0, 1000 },
        { redial_pending(20000), 0, 20000 },
        { redial_pending(0), 0, 2000 },
        { redial_pending(1), 0, 500 },   /* half of base_ms */
        { redial_pending(0), 0, 4000 }
    };
    assert_events(5, expected, LENGTH(expected));
}

TEST(after_a_poll_the_retries_start_anew)
{
    const struct expected expected[] = {
        { redial_retry(1), 1, 1000 }, { redial_http(503, 0), 2, 2000 }, { redial_pending(0), 0, 1000 },
        { redial_retry(2), 1, 1000 }, { redial_retry(3), 2, 2000 }, { redial_pending(9000), 0, 9000 },
        { redial_retry(4), 1, 1000 }, { redial_pending(0), 0, 2000 }
    };
    assert_events(2, expected, LENGTH(expected));
}

TEST(a_postponed_attempt_changes_neither_retries_nor_polls)
{
    const struct expected expected[] = {
        { redial_postponed(0), 0, 1000 }, { redial_postponed(0), 0, 1000 }, { redial_pending(0), 0, 1000 },
        { redial_postponed(7000), 0, 7000 }, { redial_pending(0), 0, 2000 }, { redial_retry(1), 1, 1000 },
        { redial_postponed(7000), 1, 7000 }, { redial_retry(2), 2, 2000 }
    };
    assert_events(2, expected, LENGTH(expected));
}

TEST(polls_earn_tokens_and_take_none_and_postponing_does_neither)
{
    struct counting_budget counting;
    struct scripted run = SCRIPTED(redial_postponed(0), redial_pending(0), redial_pending(9), redial_fail(0));
    counting_budget_init(&counting, 0, &run.policy);
    assert_int_equal(scripted_run(&run).verdict, REDIAL_FAILED);
    assert_counts(&counting, 2, 0, 2);
}

/* The first attempt is postponed, and the second one ends the run. */
static void assert_ends(struct redial_outcome outcome, enum redial_verdict verdict, uint32_t refused_ms)
{
    struct redial_outcome outcomes[2];
    struct redial_report report;
    struct scripted run;
    outcomes[0] = redial_postponed(10000);
    outcomes[1] = outcome;
    run = scripted(outcomes, 2);
    run.policy.max_elapsed_ms = 11000;
    run.policy.max_retry_after_ms = 20000;
    report = scripted_run(&run);
    assert_report(report, verdict, 2, 10000, 10000, refused_ms);
    assert_outcome(report.last, outcome);
    assert_string_equal(run.trace, "n" "c" "oncrewn" "c" "oncr");
}

TEST(polling_and_postponing_end_at_the_time_limit_or_at_too_long_a_wait)
{
    assert_ends(redial_pending(0), REDIAL_TIMED_OUT, 1000);
    assert_ends(redial_postponed(0), REDIAL_TIMED_OUT, 1000);
    assert_ends(redial_pending(20000), REDIAL_TIMED_OUT, 20000);
    assert_ends(redial_postponed(20000), REDIAL_TIMED_OUT, 20000);
    assert_ends(redial_pending(20001), REDIAL_WAIT_TOO_LONG, 20001);
    assert_ends(redial_postponed(20001), REDIAL_WAIT_TOO_LONG, 20001);
}

TEST(a_cancelled_poll_draws_no_random_bits_and_earns_nothing)
{
    struct counting_budget counting;
    struct scripted run = SCRIPTED(redial_pending(0));
    counting_budget_init(&counting, 0, &run.policy);
    run.cancel_at_question = 2;
    assert_report(scripted_run(&run), REDIAL_CANCELLED, 1, 0, 0, 0);
    assert_string_equal(run.trace, "n" "c" "onc");
    assert_counts(&counting, 0, 0, 0);
}

int main(void)
{
    return run_all();
}
