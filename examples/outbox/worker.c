/* Delivers the jobs of a store, one after the other. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "send.h"
#include "worker.h"

#define LOOK_MS 1000   /* how often it looks for jobs that others have added */

static uint32_t clock_ms(const struct worker *worker)
{
    return worker->env.now_ms(&worker->env);
}

static uint32_t random_bits(const struct worker *worker)
{
    return worker->env.random(&worker->env);
}

static bool cancelled(const struct worker *worker)
{
    return worker->env.cancelled && worker->env.cancelled(&worker->env);
}

/* ---- messages ---- */

static void tell(const struct job *job, const char *what)
{
    fprintf(stderr, "job %lld, attempt %u, %s: %s\n", (long long)job->id, (unsigned)job->attempts, job->host, what);
}

static void tell_decision(const struct job *job, struct redial_step step)
{
    char text[256];
    if (step.verdict == REDIAL_DONE)
        snprintf(text, sizeof text, "%s: delivered", job->answer);
    else if (step.verdict == REDIAL_RETRY)
        snprintf(text, sizeof text, "%s: the next attempt in %u s", job->answer,
                 (unsigned)(step.delay_ms / 1000));
    else
        snprintf(text, sizeof text, "%s: given up, %s", job->answer, redial_verdict_name(step.verdict));
    tell(job, text);
}

/* ---- one attempt ---- */

/* Only a 429 is valid for all requests to the host. A 503 may come from one server among many. If the wait is longer
   than any job may wait, closing the gate would give up all of them. */
static void close_gate(const struct redial_policy *policy, struct job *job, struct redial_outcome outcome)
{
    uint32_t ms = outcome.retry_after_ms ? outcome.retry_after_ms : policy->base_ms;
    bool allowed = ms <= policy->max_retry_after_ms && (!policy->max_elapsed_ms || ms < policy->max_elapsed_ms);
    if (outcome.kind == REDIAL_KIND_HTTP && outcome.code == 429 && allowed && job->counted_ms + ms > job->gate_ms)
        job->gate_ms = job->counted_ms + ms;
}

/* If committing took so long that the lease may end during the attempt, another worker may soon take the job. */
static struct redial_outcome attempt(struct worker *worker, struct job *job, uint32_t timeout_ms, uint32_t begun_ms)
{
    const struct redial_attempt attempt = { job->attempts, timeout_ms, &worker->env };
    uint32_t used_ms = clock_ms(worker) - begun_ms;
    if (used_ms < worker->lease_ms && worker->lease_ms - used_ms > timeout_ms)
        return send_job(&worker->call, job, &attempt);
    snprintf(job->answer, sizeof job->answer, "not sent: the store was too slow");
    return redial_postponed(0);
}

/* The decision starts from the job before the attempt, not from what was stored in case of a crash. */
static bool finish(struct worker *worker, struct job *job, struct redial_outcome outcome)
{
    struct redial_step step = { REDIAL_INVALID, 0, 0 };
    int64_t now_ms;
    bool kept = true, stored = db_now_ms(&worker->db, &now_ms);
    if (stored) {
        step = job_decide(job, &worker->policy, outcome, now_ms, random_bits(worker));
        close_gate(&worker->policy, job, outcome);
        stored = store_finish(&worker->db, job, &kept);
    }
    if (!stored)
        tell(job, "its answer is not stored: it counts as a failure, and the job will be sent again");
    else if (kept)
        tell_decision(job, step);
    else
        tell(job, "the lease was over, and another worker has the job: its result counts");
    return stored;
}

/* begun_ms was read before now_ms, so the lease is never taken for longer than it is. */
static bool deliver(struct worker *worker, struct job *job, int64_t now_ms, uint32_t begun_ms)
{
    struct job held = *job;
    uint32_t timeout_ms = job_timeout_ms(job, &worker->policy, now_ms);
    job_hold(&held, &worker->policy, worker->lease_ms, now_ms, random_bits(worker));
    if (!store_hold(&worker->db, &held, job->due_ms, now_ms))
        return false;
    job->attempts = held.attempts;
    return finish(worker, job, attempt(worker, job, timeout_ms, begun_ms));
}

/* ---- one job ---- */

static bool give_up(struct worker *worker, struct job *job, enum redial_verdict verdict)
{
    const struct redial_step step = { verdict, 0, 0 };
    job->state = JOB_GIVEN_UP;
    job->verdict = verdict;
    if (!store_put_off(&worker->db, job))
        return false;
    tell_decision(job, step);
    return true;
}

static bool wait_at_the_gate(struct worker *worker, struct job *job, int64_t now_ms, uint32_t left_ms)
{
    struct redial_step step = job_decide(job, &worker->policy, redial_postponed(left_ms), now_ms, random_bits(worker));
    return step.verdict == REDIAL_RETRY ? store_put_off(&worker->db, job) : give_up(worker, job, step.verdict);
}

/* The same checks as in redial_run, in the same order: is time left, is the gate open. */
static bool work_on(struct worker *worker, struct job *job, int64_t now_ms, uint32_t begun_ms)
{
    uint32_t left_ms = job_gate_left_ms(job, now_ms);
    if (job_died_in_the_last_attempt(job))
        return give_up(worker, job, job->verdict);
    if (job_timeout_ms(job, &worker->policy, now_ms) == 0)
        return give_up(worker, job, REDIAL_TIMED_OUT);
    if (left_ms > 0)
        return wait_at_the_gate(worker, job, now_ms, left_ms);
    return deliver(worker, job, now_ms, begun_ms);
}

static enum store_found work_on_next(struct worker *worker)
{
    struct job job;
    int64_t now_ms;
    uint32_t begun_ms = clock_ms(worker);
    enum store_found found = store_lock_due(&worker->db, &job, &now_ms);
    if (found == STORE_FOUND && !work_on(worker, &job, now_ms, begun_ms))
        found = STORE_FAILED;
    job_free(&job);
    return found;
}

/* ---- all jobs ---- */

/* Waits while nothing is due. False: the worker should end. */
static bool wait_for_work(struct worker *worker)
{
    int64_t left, due_ms, now_ms, ms;
    if (worker->until == WORKER_IDLE || !store_outlook(&worker->db, &left, &due_ms)
        || !db_now_ms(&worker->db, &now_ms) || (worker->until == WORKER_EMPTY && left == 0))
        return false;
    ms = left > 0 && due_ms - now_ms < LOOK_MS ? due_ms - now_ms : LOOK_MS;
    return worker->env.wait_ms(&worker->env, ms > 0 ? (uint32_t)ms : 0);
}

/* False: the store failed. */
static bool work(struct worker *worker)
{
    enum store_found found = STORE_NONE;
    worker->db.error[0] = '\0';
    while (!cancelled(worker) && found != STORE_FAILED) {
        found = work_on_next(worker);
        if (found == STORE_NONE && !wait_for_work(worker))
            break;
    }
    return worker->db.error[0] == '\0';
}

/* The connection to the store should stay up. But if the store can't be opened at first, that is a mistake. */
static struct redial_outcome session(void *user, const struct redial_attempt *attempt)
{
    struct worker *worker = user;
    struct redial_outcome outcome = worker->opened ? redial_retry(0) : redial_fail(0);
    uint32_t begun_ms = clock_ms(worker);
    (void)attempt;
    if (db_open(&worker->db, worker->store, true)) {
        worker->opened = true;
        outcome = work(worker) ? redial_done() : redial_disconnected(0, clock_ms(worker) - begun_ms);
    }
    if (outcome.kind != REDIAL_KIND_DONE)
        fprintf(stderr, "the store: %s\n", worker->db.error);
    db_close(&worker->db);
    return outcome;
}

int worker_run(struct worker *worker)
{
    struct redial_policy reopen = REDIAL_POLICY_DEFAULT;
    enum redial_verdict verdict = REDIAL_INVALID;
    reopen.max_retries = REDIAL_NO_LIMIT;
    reopen.min_uptime_ms = 10000;
    if (send_open(&worker->call))
        verdict = redial_run(&reopen, &worker->env, session, worker, NULL);
    curl_call_close(&worker->call);
    return verdict == REDIAL_DONE || verdict == REDIAL_CANCELLED ? EXIT_SUCCESS : EXIT_FAILURE;
}
