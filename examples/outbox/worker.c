/* Delivers the jobs of a store, one after the other. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "worker.h"

#define LOOK_MS 1000     /* how often it looks for jobs that are due */
#define COUNT_MS 10000   /* how often it stores how long workers have worked */

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
    fprintf(stderr, "job %lld, attempt %lld, %s: %s\n", (long long)job->id,
            (long long)job->attempts, job->host, what);
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

/* ---- time ---- */

static struct job_time time_of(const struct worker *worker, int64_t now_ms)
{
    uint32_t more_ms = clock_ms(worker) - worker->counted_ms;
    return (struct job_time){ now_ms, worker->worked_ms + more_ms };
}

/* The clock is read again at the end: what the store needed is better lost than counted twice. */
static bool count_time(struct worker *worker, int64_t worked_ms)
{
    bool ok = store_count(&worker->db, &worked_ms);
    worker->worked_ms = worked_ms;
    worker->counted_ms = clock_ms(worker);
    return ok;
}

/* ---- one attempt ---- */

/* Only a 429 is valid for all requests to the host. A 503 may come from one server among many. */
static struct store_host about_host(struct redial_outcome outcome, bool slow, int64_t now_ms)
{
    struct store_host host = { 0, slow ? now_ms : 0 };
    uint32_t ms = outcome.retry_after_ms < GATE_MIN_MS ? GATE_MIN_MS : outcome.retry_after_ms;
    if (outcome.kind == REDIAL_KIND_HTTP && outcome.code == 429)
        host.gate_ms = now_ms + (ms < GATE_MAX_MS ? ms : GATE_MAX_MS);
    return host;
}

/* If committing took so long that the lease may end during the attempt, another worker may soon
   take the job. */
static struct redial_outcome attempt(struct worker *worker, struct job *job, uint32_t begun_ms)
{
    uint32_t timeout_ms = worker->policy.attempt_ms, used_ms = clock_ms(worker) - begun_ms;
    if (used_ms < worker->lease_ms && worker->lease_ms - used_ms > timeout_ms)
        return send_job(worker->curl, job, timeout_ms, &worker->env);
    snprintf(job->answer, sizeof job->answer, "not sent: the store was too slow");
    return redial_postponed(0);
}

/* An attempt that was not made, or that the end of the worker cut short, costs nothing. */
static void decide(struct worker *worker, struct job *job, struct redial_outcome outcome,
                   int64_t now_ms)
{
    bool stopped = outcome.kind == REDIAL_KIND_RETRY && outcome.code == CURLE_ABORTED_BY_CALLBACK;
    if (stopped || outcome.kind == REDIAL_KIND_POSTPONED)
        job->due_ms = now_ms + LOOK_MS;
    else
        job_decide(job, &worker->policy, outcome, time_of(worker, now_ms), random_bits(worker));
}

/* The decision starts from the job before the attempt, not from what was stored in case of a crash.
   After a slow attempt, the other hosts come first: one that hangs does not hold them. */
static bool finish(struct worker *worker, struct job *job, const struct job *held,
                   struct redial_outcome outcome, bool slow)
{
    struct db *db = &worker->db;
    int64_t now_ms;
    bool kept, stored = db_now_ms(db, &now_ms);
    if (stored) {
        decide(worker, job, outcome, now_ms);
        stored = store_finish(db, job, held, about_host(outcome, slow, now_ms), now_ms, &kept);
    }
    if (!stored)
        tell(job, "its answer is not stored: it counts as a failure, and it will be sent again");
    else if (kept)
        tell_decision(job, now_ms);
    else
        tell(job, "the lease was over, and another worker has the job: its result counts");
    return stored;
}

/* begun_ms was read before now_ms, so the lease is never taken for longer than it is. */
static bool deliver(struct worker *worker, struct job *job, int64_t now_ms, uint32_t begun_ms)
{
    const struct job was = *job;
    struct job held = job_begin(job, &worker->policy, worker->lease_ms, time_of(worker, now_ms),
                                random_bits(worker));
    struct redial_outcome outcome;
    bool kept;
    if (!store_replace(&worker->db, &held, &was, &kept))
        return false;
    if (!kept)   /* another worker was faster */
        return true;
    outcome = attempt(worker, job, begun_ms);
    return finish(worker, job, &held, outcome,
                  clock_ms(worker) - begun_ms > worker->policy.attempt_ms / 10);
}

static bool give_up(struct worker *worker, struct job *job, int64_t now_ms)
{
    bool kept;
    job->state = JOB_GIVEN_UP;
    tell_decision(job, now_ms);
    return store_replace(&worker->db, job, job, &kept);
}

static enum store_found work_on_next(struct worker *worker)
{
    struct job job = { 0 };
    int64_t now_ms;
    uint32_t begun_ms = clock_ms(worker);
    enum store_found found = STORE_FAILED;
    if (db_now_ms(&worker->db, &now_ms))
        found = store_find_due(&worker->db, &job, now_ms);
    if (found == STORE_FOUND
        && !(job_is_over(&job) ? give_up(worker, &job, now_ms)
                               : deliver(worker, &job, now_ms, begun_ms)))
        found = STORE_FAILED;
    job_free(&job);
    return found;
}

/* ---- all jobs ---- */

/* False: the store failed. */
static bool work(struct worker *worker)
{
    const struct redial_env *env = &worker->env;
    enum store_found found = STORE_NONE;
    if (!count_time(worker, 0))
        return false;
    while (!(env->cancelled && env->cancelled(env)) && found != STORE_FAILED) {
        found = work_on_next(worker);
        if (found == STORE_NONE && (worker->once || !env->wait_ms(env, LOOK_MS)))
            break;
        if (found != STORE_FAILED && clock_ms(worker) - worker->counted_ms >= COUNT_MS
            && !count_time(worker, time_of(worker, 0).worked_ms))
            found = STORE_FAILED;
    }
    return found != STORE_FAILED;
}

/* The connection to the store should stay up. But if the store can't be opened at first, that is a
   mistake. */
static struct redial_outcome session(void *user, const struct redial_attempt *attempt)
{
    struct worker *worker = user;
    struct redial_outcome outcome = redial_retry(0, 0);
    uint32_t begun_ms = clock_ms(worker);
    (void)attempt;
    if (store_open(&worker->db, worker->store)) {
        worker->opened = true;
        if (work(worker))
            outcome = redial_done();
        outcome.uptime_ms = clock_ms(worker) - begun_ms;
    } else if (!worker->opened)
        outcome = redial_fail(0);
    if (outcome.kind != REDIAL_KIND_DONE)
        fprintf(stderr, "outbox: %s: %s\n", worker->store, worker->db.error);
    db_close(&worker->db);
    return outcome;
}

int worker_run(struct worker *worker)
{
    struct redial_policy reopen = REDIAL_POLICY_DEFAULT;
    enum redial_verdict verdict = REDIAL_INVALID;
    reopen.max_retries = REDIAL_NO_LIMIT;
    reopen.min_uptime_ms = 10000;
    worker->curl = send_open();
    if (worker->curl)
        verdict = redial_run(&reopen, &worker->env, session, worker, NULL);
    curl_easy_cleanup(worker->curl);
    return verdict == REDIAL_DONE || verdict == REDIAL_CANCELLED ? EXIT_SUCCESS : EXIT_FAILURE;
}
