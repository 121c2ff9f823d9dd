/* redial_run: a cancellation at every point where it may come. SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "scripted_env.h"

#define RETRIES 4
#define QUESTIONS (2 * RETRIES + 2)   /* cancelled is asked at first, and after each attempt and wait */

static struct scripted with_retries(void)
{
    struct scripted run = always_failing();
    run.policy.max_retries = RETRIES;
    return run;
}

/* The sum of waits of 1 s, 2 s, 4 s ... */
static uint32_t waits_of(unsigned retries)
{
    return ((UINT32_C(1) << retries) - 1) * 1000;
}

/* The trace must be that of a whole run up to this question. */
static void assert_ends_at(const char *trace, unsigned question)
{
    char all[128] = "nc";
    char *end = all;
    for (unsigned i = 0; i < RETRIES; i++)
        strcat(all, "oncrewnc");
    strcat(all, "oncr");
    for (unsigned i = 0; i < question; i++)
        end = strchr(end, 'c') + 1;
    *end = 0;
    assert_string_equal(trace, all);
}

TEST(a_run_can_be_cancelled_each_time_that_it_asks)
{
    for (unsigned question = 1; question <= QUESTIONS; question++) {
        unsigned attempts = question / 2, waits = (question - 1) / 2;
        struct redial_report report;
        struct scripted run = with_retries();
        run.cancel_at_question = question;
        report = scripted_run(&run);
        assert_report(report, REDIAL_CANCELLED, attempts, waits_of(waits), waits_of(waits), 0);
        assert_outcome(report.last, attempts ? unavailable : outcome_of((enum redial_kind)0, 0, 0, 0));
        assert_ends_at(run.trace, question);
    }
}

TEST(cancelled_is_asked_once_at_each_point)
{
    struct scripted run = with_retries();
    run.cancel_at_question = QUESTIONS + 1;
    assert_report(scripted_run(&run), REDIAL_EXHAUSTED, RETRIES + 1, waits_of(RETRIES), waits_of(RETRIES), 0);
    assert_int_equal(run.questions, QUESTIONS);
}

TEST(a_cancelled_retry_takes_no_token)
{
    for (unsigned question = 1; question <= QUESTIONS; question++) {
        struct counting_budget counting;
        struct scripted run = with_retries();
        unsigned long waited = (question - 1) / 2;
        counting_budget_init(&counting, RETRIES, &run.policy);
        run.cancel_at_question = question;
        scripted_run(&run);
        assert_counts(&counting, RETRIES - waited, waited, 0);
    }
}

TEST(every_wait_can_be_cut_short)
{
    static const uint32_t cuts_ms[] = { 0, 1, 300, 1000 };
    for (unsigned wait = 1; wait <= RETRIES; wait++)
        for (unsigned i = 0; i < LENGTH(cuts_ms); i++) {
            uint32_t waited = waits_of(wait - 1) + cuts_ms[i];
            struct redial_report report;
            struct scripted run = with_retries();
            run.cut_wait = wait;
            run.cut_ms = cuts_ms[i];
            report = scripted_run(&run);
            assert_report(report, REDIAL_CANCELLED, wait, waited, waited, 0);
            assert_outcome(report.last, unavailable);
            assert_int_equal(run.questions, 2 * wait);   /* no question follows a wait that was cut */
            assert_int_equal(run.attempts, wait);
        }
}

TEST(a_run_is_cancelled_at_the_wait_that_the_fake_cancels)
{
    for (unsigned wait = 1; wait <= RETRIES + 1; wait++) {
        struct redial_fake fake;
        struct redial_report report;
        struct scripted run = with_retries();
        redial_fake_init(&fake);
        fake.cancel_at_wait = wait;
        report = run_in(&run, &fake.env, scripted_attempt);
        if (wait <= RETRIES)
            assert_report(report, REDIAL_CANCELLED, wait, waits_of(wait - 1), waits_of(wait - 1), 0);
        else
            assert_report(report, REDIAL_EXHAUSTED, wait, waits_of(RETRIES), waits_of(RETRIES), 0);
        assert_int_equal(fake.waits, wait <= RETRIES ? wait : RETRIES);
    }
}

/* ---- a cancellation during an attempt or a wait ---- */

/* An attempt during which the run is cancelled. */
static struct redial_outcome cancelling(void *user, const struct redial_attempt *attempt)
{
    struct scripted *run = (struct scripted *)user;
    if (run->attempts + 1 == run->outcome_count)
        run->cancel_at_question = 1;
    return scripted_attempt(user, attempt);
}

/* The last of a few attempts is the one that is cancelled, and has this outcome. */
static void assert_cancelled_in_attempt(struct redial_outcome outcome, enum redial_verdict verdict)
{
    struct redial_outcome outcomes[RETRIES + 1];
    for (unsigned attempts = 1; attempts <= RETRIES + 1; attempts++) {
        struct redial_report report;
        struct scripted run;
        for (unsigned i = 0; i < attempts; i++)
            outcomes[i] = i + 1 < attempts ? unavailable : outcome;
        run = scripted(outcomes, attempts);
        run.policy.max_retries = RETRIES;
        report = run_in(&run, env_of(&run), cancelling);
        assert_report(report, verdict, attempts, waits_of(attempts - 1), waits_of(attempts - 1), 0);
        assert_outcome(report.last, outcome);
        assert_int_equal(run.questions, 2 * attempts - (verdict != REDIAL_CANCELLED));
    }
}

TEST(a_success_is_reported_although_the_run_was_cancelled)
{
    assert_cancelled_in_attempt(redial_done(), REDIAL_DONE);
    assert_cancelled_in_attempt(redial_http(204, 0), REDIAL_DONE);
}

TEST(a_failure_for_good_is_reported_although_the_run_was_cancelled)
{
    assert_cancelled_in_attempt(redial_fail(9), REDIAL_FAILED);
    assert_cancelled_in_attempt(redial_http(404, 0), REDIAL_FAILED);
    assert_cancelled_in_attempt(outcome_of((enum redial_kind)22, 0, 0, 0), REDIAL_INVALID);
}

TEST(every_outcome_that_waits_ends_with_cancelled)
{
    assert_cancelled_in_attempt(redial_retry(4), REDIAL_CANCELLED);
    assert_cancelled_in_attempt(redial_http(503, UINT32_MAX), REDIAL_CANCELLED);   /* not WAIT_TOO_LONG */
    assert_cancelled_in_attempt(redial_pending(0), REDIAL_CANCELLED);
    assert_cancelled_in_attempt(redial_pending(UINT32_MAX), REDIAL_CANCELLED);
    assert_cancelled_in_attempt(redial_postponed(0), REDIAL_CANCELLED);
    assert_cancelled_in_attempt(redial_postponed(UINT32_MAX), REDIAL_CANCELLED);
}

TEST(a_cancellation_comes_before_every_other_verdict_of_an_outcome_that_waits)
{
    struct counting_budget counting;
    struct scripted run = always_failing();
    counting_budget_init(&counting, 0, &run.policy);
    run.policy.max_retries = 0;
    run.policy.max_elapsed_ms = 1;
    run.cancel_at_question = 2;
    assert_report(scripted_run(&run), REDIAL_CANCELLED, 1, 0, 0, 0);
    assert_counts(&counting, 0, 0, 0);
}

TEST(a_cancellation_comes_before_a_time_limit_that_passed_in_the_wait)
{
    struct scripted run = always_failing();
    run.policy.max_elapsed_ms = 5000;
    run.late_ms = 9000;
    run.cancel_at_question = 3;
    assert_report(scripted_run(&run), REDIAL_CANCELLED, 1, 10000, 10000, 0);
}

TEST(a_run_without_a_limit_ends_by_cancellation)
{
    struct redial_fake fake;
    struct scripted run = always_failing();
    run.policy.max_retries = REDIAL_NO_LIMIT;
    redial_fake_init(&fake);
    fake.cancel_at_wait = KEPT;
    assert_report(run_in(&run, &fake.env, scripted_attempt), REDIAL_CANCELLED, KEPT, (31 + 10 * 32) * 1000,
                  (31 + 10 * 32) * 1000, 0);
}

int main(void)
{
    return run_all();
}
