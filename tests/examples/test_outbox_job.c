/* examples/outbox/job.c: the state of a job, and the decisions about it. No store, no network, no clock.
   SPDX-License-Identifier: MIT */
#include "../../examples/outbox/job.h"
#include "../unit/support.h"

#define NOW_MS INT64_C(1795300000000)
#define LEASE_MS 60000u

/* Each wait is known: 10, 20, ... s, at most an hour; three days. */
static const struct redial_policy policy = { .base_ms = 10000, .cap_ms = 3600000, .max_retries = REDIAL_NO_LIMIT,
                                             .max_elapsed_ms = 259200000, .max_retry_after_ms = UINT32_MAX,
                                             .attempt_ms = 30000, .jitter = REDIAL_JITTER_NONE };

static struct job fresh(void)
{
    struct job job;
    memset(&job, 0, sizeof job);
    job.created_ms = job.due_ms = job.counted_ms = NOW_MS;
    job.verdict = REDIAL_RETRY;
    return job;
}

TEST(a_failure_makes_the_next_attempt_due_after_the_wait)
{
    struct job job = fresh();
    struct redial_step step = job_decide(&job, &policy, redial_http(503, 0), NOW_MS + 250, 0);
    assert_int_equal(step.verdict, REDIAL_RETRY);
    assert_int_equal(job.state, JOB_WAITING);
    assert_int_equal(job.retries, 1);
    assert_int_equal(job.elapsed_ms, 250);
    assert_true(job.due_ms == NOW_MS + 250 + 10000);
    job_decide(&job, &policy, redial_http(503, 0), job.due_ms + 5, 0);
    assert_int_equal(job.retries, 2);
    assert_int_equal(job.elapsed_ms, 250 + 10000 + 5);
    assert_true(job.due_ms == NOW_MS + 250 + 10000 + 5 + 20000);
}

TEST(a_success_or_a_failure_for_good_ends_the_job)
{
    struct job job = fresh();
    assert_int_equal(job_decide(&job, &policy, redial_http(204, 0), NOW_MS, 0).verdict, REDIAL_DONE);
    assert_int_equal(job.state, JOB_DELIVERED);
    job = fresh();
    assert_int_equal(job_decide(&job, &policy, redial_http(410, 0), NOW_MS, 0).verdict, REDIAL_FAILED);
    assert_int_equal(job.state, JOB_GIVEN_UP);
    assert_int_equal(job.verdict, REDIAL_FAILED);
}

TEST(before_an_attempt_a_failure_at_the_end_of_the_lease_is_stored)
{
    struct job held = fresh(), failed = fresh();
    job_hold(&held, &policy, LEASE_MS, NOW_MS, 0);
    job_decide(&failed, &policy, redial_retry(0), NOW_MS + LEASE_MS, 0);
    assert_int_equal(held.state, JOB_SENDING);
    assert_int_equal(held.attempts, 1);
    assert_int_equal(held.retries, failed.retries);
    assert_int_equal(held.elapsed_ms, failed.elapsed_ms);
    assert_true(held.due_ms == failed.due_ms && held.due_ms == NOW_MS + LEASE_MS + 10000);
    assert_false(job_died_in_the_last_attempt(&held));
}

TEST(a_worker_that_dies_each_time_does_not_begin_anew)
{
    struct job job = fresh();
    int64_t wait_ms = 10000;
    for (unsigned k = 0; k < 12; k++) {
        int64_t started_ms = job.due_ms;
        job_hold(&job, &policy, LEASE_MS, started_ms, 0);
        assert_true(job.due_ms == started_ms + LEASE_MS + wait_ms);
        wait_ms = wait_ms * 2 < 3600000 ? wait_ms * 2 : 3600000;
    }
    assert_int_equal(job.retries, 12);
}

TEST(the_last_attempt_that_kills_its_worker_is_known_as_that)
{
    struct redial_policy one = policy;
    struct job job = fresh();
    one.max_retries = 0;
    job_hold(&job, &one, LEASE_MS, NOW_MS, 0);
    assert_true(job_died_in_the_last_attempt(&job));
    assert_int_equal(job.verdict, REDIAL_EXHAUSTED);
    assert_true(job.due_ms == NOW_MS + LEASE_MS);   /* its lease: nobody gives it up before */
}

TEST(the_time_without_a_worker_counts)
{
    struct job job = fresh();
    assert_int_equal(job_timeout_ms(&job, &policy, NOW_MS + 259200000 - 40000), 30000);
    assert_int_equal(job_timeout_ms(&job, &policy, NOW_MS + 259200000 - 20000), 20000);
    assert_int_equal(job_timeout_ms(&job, &policy, NOW_MS + 259200000), 0);
    assert_int_equal(job_timeout_ms(&job, &policy, INT64_MAX), 0);
    job.elapsed_ms = UINT32_MAX;
    assert_int_equal(job_timeout_ms(&job, &policy, NOW_MS + 1), 0);
}

TEST(a_clock_that_steps_back_counts_nothing_and_makes_nothing_early)
{
    struct job job = fresh();
    job_decide(&job, &policy, redial_http(503, 0), NOW_MS - 86400000, 0);
    assert_int_equal(job.elapsed_ms, 0);
    assert_true(job.due_ms == NOW_MS - 86400000 + 10000);   /* by the same clock, after the same wait */
    assert_int_equal(job_timeout_ms(&job, &policy, NOW_MS - 2 * 86400000), 30000);
}

TEST(a_closed_gate_costs_no_retry)
{
    struct job job = fresh();
    job.gate_ms = NOW_MS + 7200000;
    assert_int_equal(job_gate_left_ms(&job, NOW_MS), 7200000);
    assert_int_equal(job_gate_left_ms(&job, NOW_MS + 7200000), 0);
    job_decide(&job, &policy, redial_postponed(7200000), NOW_MS, 0);
    assert_int_equal(job.state, JOB_WAITING);
    assert_int_equal(job.retries, 0);
    assert_true(job.due_ms == NOW_MS + 7200000);
}

TEST(a_policy_that_is_refused_gives_the_job_up_as_invalid)
{
    const struct redial_policy none = { .base_ms = 0 };
    struct job job = fresh();
    assert_int_equal(job_decide(&job, &none, redial_retry(0), NOW_MS, 0).verdict, REDIAL_INVALID);
    assert_int_equal(job.state, JOB_GIVEN_UP);
    assert_int_equal(job_timeout_ms(&job, &none, NOW_MS), 0);
}

TEST(each_state_has_a_name_that_is_read_again)
{
    for (unsigned i = JOB_WAITING; i <= JOB_GIVEN_UP; i++)
        assert_int_equal(job_state_of(job_state_name((enum job_state)i)), i);
}

int main(void)
{
    return run_all();
}
