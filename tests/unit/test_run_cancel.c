/* redial_run: a cancellation at every point where it may come. SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "scripted_env.h"

#define RETRIES 4
#define QUESTIONS (2 * RETRIES + 2)   /* cancelled is asked at first, and after each attempt and wait */

static const struct redial_outcome failing = { REDIAL_KIND_HTTP, 503, 0, 0 };

static struct redial_policy cancellable(void)
{
    struct redial_policy policy = plain_policy();
    policy.max_retries = RETRIES;
    return policy;
}

/* What retries 1 s, 2 s, 4 s ... add up to. */
static uint32_t waits_of(unsigned retries)
{
    return ((UINT32_C(1) << retries) - 1) * 1000;
}

/* The trace must be that of a whole run up to this question. */
static void assert_ends_at(const char *trace, unsigned question)
{
    char all[128] = "nc";
    char *end = all;
    unsigned i;
    for (i = 0; i < RETRIES; i++)
        strcat(all, "oncrewnc");
    strcat(all, "oncr");
    for (i = 0; i < question; i++)
        end = strchr(end, 'c') + 1;
    *end = 0;
    assert_string_equal(trace, all);
}

static void a_run_can_be_cancelled_each_time_that_it_asks(void **state)
{
    struct redial_policy policy = cancellable();
    unsigned question;
    (void)state;
    for (question = 1; question <= QUESTIONS; question++) {
        unsigned attempts = question / 2, waits = (question - 1) / 2;
        struct redial_report report;
        struct world world;
        world_init(&world, &failing, 1);
        world.cancel_at_question = question;
        report = world_run(&world, &policy);
        assert_report(report, REDIAL_CANCELLED, attempts, waits_of(waits), waits_of(waits), 0);
        assert_outcome(report.last, attempts ? failing : outcome_of((enum redial_kind)0, 0, 0, 0));
        assert_ends_at(world.trace, question);
    }
}

static void cancelled_is_asked_once_at_each_point(void **state)
{
    struct redial_policy policy = cancellable();
    struct world world;
    (void)state;
    world_init(&world, &failing, 1);
    world.cancel_at_question = QUESTIONS + 1;
    assert_report(world_run(&world, &policy), REDIAL_EXHAUSTED, RETRIES + 1, waits_of(RETRIES), waits_of(RETRIES), 0);
    assert_int_equal(world.questions, QUESTIONS);
}

static void a_cancelled_retry_takes_no_token(void **state)
{
    struct redial_policy policy = cancellable();
    unsigned question;
    (void)state;
    for (question = 1; question <= QUESTIONS; question++) {
        struct purse purse;
        struct world world;
        unsigned long waited = (question - 1) / 2;
        purse_init(&purse, RETRIES);
        policy.budget = &purse.budget;
        world_init(&world, &failing, 1);
        world.cancel_at_question = question;
        world_run(&world, &policy);
        assert_purse(&purse, RETRIES - waited, waited, 0);
    }
}

static void every_wait_can_be_cut_short(void **state)
{
    static const uint32_t cuts_ms[] = { 0, 1, 300, 1000 };
    struct redial_policy policy = cancellable();
    unsigned wait, i;
    (void)state;
    for (wait = 1; wait <= RETRIES; wait++)
        for (i = 0; i < LENGTH(cuts_ms); i++) {
            uint32_t waited = waits_of(wait - 1) + cuts_ms[i];
            struct redial_report report;
            struct world world;
            world_init(&world, &failing, 1);
            world.cut_wait = wait;
            world.cut_ms = cuts_ms[i];
            report = world_run(&world, &policy);
            assert_report(report, REDIAL_CANCELLED, wait, waited, waited, 0);
            assert_outcome(report.last, failing);
            assert_int_equal(world.questions, 2 * wait);   /* no question follows a wait that was cut */
            assert_int_equal(world.attempts, wait);
        }
}

static void a_run_is_cancelled_at_the_wait_that_the_fake_cancels(void **state)
{
    struct redial_policy policy = cancellable();
    unsigned wait;
    (void)state;
    for (wait = 1; wait <= RETRIES + 1; wait++) {
        struct redial_fake fake;
        struct redial_report report;
        struct world world;
        world_init(&world, &failing, 1);
        redial_fake_init(&fake);
        fake.cancel_at_wait = wait;
        poison(&report, sizeof report);
        redial_run(&policy, &fake.env, world_attempt, &world, &report);
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
    struct world *world = (struct world *)user;
    if (world->attempts + 1 == world->outcome_count)
        world->cancel_at_question = 1;
    return world_attempt(user, attempt);
}

/* The last of a few attempts is the one that is cancelled, and has this outcome. */
static void assert_cancelled_in_attempt(struct redial_outcome outcome, enum redial_verdict verdict)
{
    struct redial_policy policy = cancellable();
    struct redial_outcome outcomes[RETRIES + 1];
    unsigned attempts, i;
    for (attempts = 1; attempts <= RETRIES + 1; attempts++) {
        struct redial_report report;
        struct world world;
        for (i = 0; i < attempts; i++)
            outcomes[i] = i + 1 < attempts ? failing : outcome;
        world_init(&world, outcomes, attempts);
        poison(&report, sizeof report);
        assert_int_equal(redial_run(&policy, &world.env, cancelling, &world, &report), verdict);
        assert_report(report, verdict, attempts, waits_of(attempts - 1), waits_of(attempts - 1), 0);
        assert_outcome(report.last, outcome);
        assert_int_equal(world.questions, 2 * attempts - (verdict != REDIAL_CANCELLED));
    }
}

static void a_success_is_reported_although_the_run_was_cancelled(void **state)
{
    (void)state;
    assert_cancelled_in_attempt(redial_done(), REDIAL_DONE);
    assert_cancelled_in_attempt(redial_http(204, 0), REDIAL_DONE);
}

static void a_failure_for_good_is_reported_although_the_run_was_cancelled(void **state)
{
    (void)state;
    assert_cancelled_in_attempt(redial_fail(9), REDIAL_FAILED);
    assert_cancelled_in_attempt(redial_http(404, 0), REDIAL_FAILED);
    assert_cancelled_in_attempt(outcome_of((enum redial_kind)22, 0, 0, 0), REDIAL_INVALID);
}

static void every_outcome_that_waits_ends_with_cancelled(void **state)
{
    (void)state;
    assert_cancelled_in_attempt(redial_retry(4), REDIAL_CANCELLED);
    assert_cancelled_in_attempt(redial_http(503, UINT32_MAX), REDIAL_CANCELLED);   /* not WAIT_TOO_LONG */
    assert_cancelled_in_attempt(redial_pending(0), REDIAL_CANCELLED);
    assert_cancelled_in_attempt(redial_pending(UINT32_MAX), REDIAL_CANCELLED);
    assert_cancelled_in_attempt(redial_postponed(0), REDIAL_CANCELLED);
    assert_cancelled_in_attempt(redial_postponed(UINT32_MAX), REDIAL_CANCELLED);
}

static void a_cancellation_comes_before_every_other_verdict_of_an_outcome_that_waits(void **state)
{
    struct redial_policy policy = plain_policy();
    struct purse purse;
    struct world world;
    (void)state;
    purse_init(&purse, 0);
    policy.budget = &purse.budget;
    policy.max_retries = 0;
    policy.max_elapsed_ms = 1;
    world_init(&world, &failing, 1);
    world.cancel_at_question = 2;
    assert_report(world_run(&world, &policy), REDIAL_CANCELLED, 1, 0, 0, 0);
    assert_purse(&purse, 0, 0, 0);
}

static void a_cancellation_comes_before_a_time_limit_that_passed_in_the_wait(void **state)
{
    struct redial_policy policy = plain_policy();
    struct world world;
    (void)state;
    policy.max_elapsed_ms = 5000;
    world_init(&world, &failing, 1);
    world.late_ms = 9000;
    world.cancel_at_question = 3;
    assert_report(world_run(&world, &policy), REDIAL_CANCELLED, 1, 10000, 10000, 0);
}

static void a_run_without_a_limit_ends_by_cancellation(void **state)
{
    struct redial_policy policy = plain_policy();
    struct redial_fake fake;
    struct redial_report report;
    struct world world;
    (void)state;
    policy.max_retries = REDIAL_NO_LIMIT;
    world_init(&world, &failing, 1);
    redial_fake_init(&fake);
    fake.cancel_at_wait = WORLD_KEEPS;
    poison(&report, sizeof report);
    assert_int_equal(redial_run(&policy, &fake.env, world_attempt, &world, &report), REDIAL_CANCELLED);
    assert_report(report, REDIAL_CANCELLED, WORLD_KEEPS, (31 + 10 * 32) * 1000, (31 + 10 * 32) * 1000, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_can_be_cancelled_each_time_that_it_asks),
        cmocka_unit_test(cancelled_is_asked_once_at_each_point),
        cmocka_unit_test(a_cancelled_retry_takes_no_token),
        cmocka_unit_test(every_wait_can_be_cut_short),
        cmocka_unit_test(a_run_is_cancelled_at_the_wait_that_the_fake_cancels),
        cmocka_unit_test(a_success_is_reported_although_the_run_was_cancelled),
        cmocka_unit_test(a_failure_for_good_is_reported_although_the_run_was_cancelled),
        cmocka_unit_test(every_outcome_that_waits_ends_with_cancelled),
        cmocka_unit_test(a_cancellation_comes_before_every_other_verdict_of_an_outcome_that_waits),
        cmocka_unit_test(a_cancellation_comes_before_a_time_limit_that_passed_in_the_wait),
        cmocka_unit_test(a_run_without_a_limit_ends_by_cancellation)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
