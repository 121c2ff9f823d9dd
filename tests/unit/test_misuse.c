/* What a program gets that uses redial.h as a tired reader would: each mistake ends at once, with a
   verdict that tells, and none sends more than it should. SPDX-License-Identifier: MIT */
#include "redial_fake.h"
#include "call.h"

static const struct redial_outcome refused = { REDIAL_KIND_RETRY, 503, 0, 0 };

/* For each mistake they begin anew: nine retries without jitter, and no limit of time. */
static struct redial_policy policy;
static struct redial_call call;
static unsigned sends;

static struct redial_outcome send_and_say(void *user, const struct redial_attempt *attempt)
{
    sends++;
    return outcome_of(REDIAL_KIND_INVALID, 0, 0, 0);
}

static enum redial_verdict run(void)
{
    struct redial_fake fake;
    redial_fake_init(&fake);
    fake.now_ms = 1000;
    return redial_run(&policy, &fake.env, send_and_say, NULL, NULL);
}

/* ---- what was never begun ---- */

static enum redial_verdict what_is_zeroed(void)
{
    struct redial_step step;
    struct redial_report report;
    memset(&step, 0, sizeof step);
    memset(&report, 0, sizeof report);
    memset(&call, 0, sizeof call);
    assert_int_equal(report.verdict, REDIAL_INVALID);
    assert_int_equal(redial_next(&call, 0, refused, 0).verdict, REDIAL_INVALID);
    assert_int_equal(redial_ready(&call, 0).verdict, REDIAL_INVALID);
    return step.verdict;
}

/* ---- loops ---- */

/* It neither waits nor asks redial_ready. */
static enum redial_verdict loop_around_redial_next(void)
{
    struct redial_step step = redial_ready(&call, 0);
    for (; step.verdict == REDIAL_ATTEMPT; sends++)
        step = redial_next(&call, 0, refused, 0);
    return step.verdict;
}

/* It has no timer, and asks every 10 ms of a day. */
static enum redial_verdict redial_ready_in_each_pass_of_a_superloop(void)
{
    struct redial_step step = { REDIAL_WAIT, 0, 0 };
    for (uint32_t now_ms = 0; now_ms < 86400000; now_ms += 10)
        if (step.verdict == REDIAL_WAIT && redial_ready(&call, now_ms).verdict == REDIAL_ATTEMPT) {
            sends++;
            step = redial_next(&call, now_ms, refused, 0);
        }
    return step.verdict;
}

static enum redial_verdict timer_that_fires_early(void)
{
    struct redial_step step = redial_next(&call, 0, refused, 0);
    return redial_ready(&call, step.delay_ms - 1).verdict;
}

/* ---- deadlines ---- */

/* Without a limit timeout_ms is UINT32_MAX. What is right: inner.max_elapsed_ms = timeout_ms. */
static enum redial_verdict deadline_of_now_and_no_limit(void)
{
    redial_policy_deadline(&policy, 1000, later(1000, redial_ready(&call, 0).timeout_ms));
    return run();
}

static enum redial_verdict deadline_before_now(void)
{
    redial_policy_deadline(&policy, 31000, 1000);
    return run();
}

/* A deadline only lowers the limit, so a policy that has passed one stays so. */
static enum redial_verdict policy_of_a_passed_deadline_used_again(void)
{
    redial_policy_deadline(&policy, 1000, 1000);
    redial_policy_deadline(&policy, 1000, 31000);
    return run();
}

TEST(a_mistake_ends_at_once_with_a_verdict_that_tells_and_sends_no_more)
{
    static const struct {
        const char *mistake;
        enum redial_verdict (*make)(void);
        unsigned sends;
        enum redial_verdict verdict;
    } rows[] = {
        { "a zeroed step, report and call", what_is_zeroed, 0, REDIAL_INVALID },
        { "an operation that returns a zeroed outcome", run, 1, REDIAL_INVALID },
        { "a loop around redial_next, as if it were redial_loop_next", loop_around_redial_next, 1,
          REDIAL_WAIT },
        { "redial_ready in each pass of a superloop", redial_ready_in_each_pass_of_a_superloop, 10,
          REDIAL_EXHAUSTED },
        { "a timer that fires early", timer_that_fires_early, 0, REDIAL_WAIT },
        { "a deadline of now + timeout_ms without a limit", deadline_of_now_and_no_limit, 0,
          REDIAL_TIMED_OUT },
        { "a deadline with its arguments swapped", deadline_before_now, 0, REDIAL_TIMED_OUT },
        { "a policy whose deadline has passed, used again", policy_of_a_passed_deadline_used_again,
          0, REDIAL_TIMED_OUT },
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        enum redial_verdict verdict;
        policy = plain_policy();
        policy.max_retries = 9;
        call = begun(&policy, 0);
        sends = 0;
        verdict = rows[i].make();
        if (sends != rows[i].sends || verdict != rows[i].verdict)
            fail_msg("%s: %u requests, %s", rows[i].mistake, sends, redial_verdict_name(verdict));
    }
}

int main(void)
{
    return run_all();
}
