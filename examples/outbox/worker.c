/* Delivers the jobs of a store, one after the other. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void tell(const struct job *job, const char *what)
{
    fprintf(stderr, "job %lld, attempt %u, %s: %s\n", (long long)job->id, (unsigned)job->attempts, job->host, what);
}

static void tell_decision(const struct job *job, int64_t now_ms)
{
    char text[256];
    if (job->state == JOB_DELIVERED)
        snprintf(text, sizeof text, "%s: delivered", job->answer);
    else if (job->state == JOB_WAITING)
        snprintf(text, sizeof text, "%s: the next attempt in %lld s", job->answer,
                 (long long)(job->due_ms - now_ms) / 1000);
    else
        snprintf(text, sizeof text, "%s: given up, %s", job->answer, job->verdict);
    tell(job, text);
}

/* ---- one attempt ---- */

/* Only a 429 is valid for all requests to the host. A 503 may come from one server among many. If the wait is longer
   than any job may wait, the gate stays open: the 429 gives up its own job only. */
static void close_gate(const struct redial_policy *policy, struct job *job, struct redial_outcome outcome,
                       int64_t now_ms)
{
    uint32_t ms = outcome.retry_after_ms ? outcome.retry_after_ms : policy->base_ms;
    bool allowed = ms <= policy->max_retry_after_ms && (!policy->max_elapsed_ms || ms < policy->max_elapsed_ms);
    if (outcome.kind == REDIAL_KIND_HTTP && outcome.code == 429 && allowed)
        job->gate_ms = now_ms + ms;
}

/* If committing took so long that the lease may end during the attempt, another worker may soon take the job. */
static struct redial_outcome attempt(struct worker *worker, struct job *job, uint32_t begun_ms)
{
    const struct redial_attempt attempt = { job->attempts, worker->policy.attempt_ms, &worker->env };
    uint32_t used_ms = clock_ms(worker) - begun_ms;
    if (used_ms < worker->lease_ms && worker->lease_ms - used_ms > attempt.timeout_ms)
        return send_job(&worker->sender, job, &attempt);
    snprintf(job->answer, sizeof job->answer, "not sent: the store was too slow");
    return redial_postponed(0);
}

static void decide(struct worker *worker, struct job *job, struct redial_outcome outcome, int64_t now_ms)
{
    bool stopped = outcome.kind == REDIAL_KIND_RETRY && outcome.code == CURLE_ABORTED_BY_CALLBACK;
    close_gate(&worker->policy, job, outcome, now_ms);
    if (stopped || outcome.kind == REDIAL_KIND_POSTPONED)
        job_postpone(job, &worker->policy, 0, now_ms, random_bits(worker));
    else
        job_decide(job, &worker->policy, outcome, now_ms, random_bits(worker));
}

/* The decision starts from the job before the attempt, not from what was stored in case of a crash. After a slow
   attempt, the other hosts come first: one that hangs does not hold them. */
static bool finish(struct worker *worker, struct job *job, struct redial_outcome outcome, bool slow)
{
    struct db *db = &worker->db;
    int64_t now_ms;
    bool kept, stored = db_now_ms(db, &now_ms);
    if (stored)
        decide(worker, job, outcome, now_ms);
    stored = stored && store_finish(db, job, now_ms, &kept);
    if (!stored)
        tell(job, "its answer is not stored: it counts as a failure, and the job will be sent again");
    else if (kept)
        tell_decision(job, now_ms);
    else
        tell(job, "the lease was over, and another worker has the job: its result counts");
    return stored && (!slow || store_let_others_go_first(db, job->host, now_ms));
}

/* begun_ms was read before now_ms, so the lease is never taken for longer than it is. */
static bool deliver(struct worker *worker, struct job *job, int64_t now_ms, uint32_t begun_ms)
{
    struct job held;
    struct redial_outcome outcome;
    if (!job->counted_ms)
        job->counted_ms = now_ms;
    job->gate_ms = 0;
    held = *job;
    job_hold(&held, &worker->policy, worker->lease_ms, now_ms, random_bits(worker));
    if (!store_put(&worker->db, &held))
        return false;
    job->attempts = held.attempts;
    outcome = attempt(worker, job, begun_ms);
    return finish(worker, job, outcome, clock_ms(worker) - begun_ms > worker->policy.attempt_ms / 10);
}

static bool work_on(struct worker *worker, struct job *job, int64_t now_ms, uint32_t begun_ms)
{
    uint32_t left_ms = job_gate_left_ms(job, &worker->policy, now_ms);
    if (job->state == JOB_SENDING && strcmp(job->verdict, "retry") != 0) {   /* a worker died in the last attempt */
        job->state = JOB_GIVEN_UP;
        tell_decision(job, now_ms);
    } else if (left_ms > 0)
        job_postpone(job, &worker->policy, left_ms, now_ms, random_bits(worker));
    else
        return deliver(worker, job, now_ms, begun_ms);
    return store_put(&worker->db, job);
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
    int64_t due_ms, now_ms, ms = LOOK_MS;
    if (worker->until == WORKER_IDLE || !store_next_due(&worker->db, &due_ms) || !db_now_ms(&worker->db, &now_ms)
        || (worker->until == WORKER_EMPTY && !due_ms))
        return false;
    if (due_ms && due_ms - now_ms < LOOK_MS)
        ms = due_ms > now_ms ? due_ms - now_ms : 0;
    return worker->env.wait_ms(&worker->env, (uint32_t)ms);
}

/* False: the store failed. */
static bool work(struct worker *worker)
{
    const struct redial_env *env = &worker->env;
    enum store_found found = STORE_NONE;
    while (!(env->cancelled && env->cancelled(env)) && found != STORE_FAILED) {
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
    struct redial_outcome outcome = redial_fail(0);
    uint32_t begun_ms = clock_ms(worker);
    (void)attempt;
    if (store_open(&worker->db, worker->store, &worker->env)) {
        worker->opened = true;
        outcome = work(worker) ? redial_done() : redial_retry(0, 0);
        outcome.uptime_ms = clock_ms(worker) - begun_ms;
    } else if (worker->opened || worker->db.stopping)
        outcome = redial_retry(0, 0);
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
    if (send_open(&worker->sender))
        verdict = redial_run(&reopen, &worker->env, session, worker, NULL);
    send_close(&worker->sender);
    return verdict == REDIAL_DONE || verdict == REDIAL_CANCELLED ? EXIT_SUCCESS : EXIT_FAILURE;
}
