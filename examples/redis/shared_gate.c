/* The gate of shared_gate.h. SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "shared_gate.h"

#define LIMIT_MS 50         /* for all that one operation does, connecting included */
#define PERIOD_MS 1000      /* between two checks, and between two connections */
#define UPTIME_MS 10000     /* a connection that works for so long makes the waits begin with the first one again */

/* WIDE, because many machines lose their server at the same moment. */
static const struct redial_policy connecting = { .base_ms = PERIOD_MS, .cap_ms = 16000, .jitter_ms = 1000,
                                                 .jitter = REDIAL_JITTER_WIDE, .max_retries = REDIAL_NO_LIMIT };

static uint32_t now_ms(const struct shared_gate *shared)
{
    return shared->env->now_ms(shared->env);
}

static uint32_t at_most_max(const struct shared_gate *shared, uint64_t ms)
{
    uint32_t max_ms = shared->max_ms ? shared->max_ms : REDIAL_RETRY_AFTER_MAX_MS;
    return ms < max_ms ? (uint32_t)ms : max_ms;
}

/* ---- the server ---- */

/* The later end wins, and a key that had no end gets one, because GT alone would leave it without. */
static struct redial_outcome close_and_ask(struct shared_gate *shared, uint32_t close_ms, redisReply **reply)
{
    char ms[12];
    const char *const multi[] = { "MULTI" }, *const set[] = { "SET", shared->key, "1", "PX", ms, "NX" },
                      *const end[] = { "PEXPIRE", shared->key, ms, "NX" },
                      *const later[] = { "PEXPIRE", shared->key, ms, "GT" },
                      *const exec[] = { "EXEC" }, *const left[] = { "PTTL", shared->key };
    const struct redis_command commands[] = { { 1, multi, NULL, true }, { 6, set, NULL, true }, { 4, end, NULL, true },
                                              { 4, later, NULL, true }, { 1, exec, NULL, true },
                                              { 2, left, NULL, true } };
    unsigned first = close_ms ? 0 : 5;
    snprintf(ms, sizeof ms, "%lu", (unsigned long)close_ms);
    return redis_run_all(&shared->link, commands + first, 6 - first, reply);
}

/* A connection that the server closed while it was idle is replaced at once, but not more than once a second. */
static struct redial_outcome open_link(struct shared_gate *shared)
{
    bool is_young = shared->link.context && now_ms(shared) - shared->opened_ms < PERIOD_MS;
    if (is_young || !redis_is_broken(&shared->link))
        return redis_check_master(&shared->link, PERIOD_MS);
    shared->opened_ms = now_ms(shared);
    return redis_open(&shared->link);
}

/* ---- one operation ---- */

/* It connects again by redial's own rules. */
static void work_alone(struct shared_gate *shared)
{
    struct redial_outcome outcome = redial_retry(0, 0);
    redis_close(&shared->link);
    shared->wait_ms = redial_next(&shared->call, outcome, now_ms(shared), shared->env->random(shared->env)).delay_ms;
    shared->alone = true;
    if (shared->told)
        shared->told(shared, shared->link.error);
}

static void work_together(struct shared_gate *shared)
{
    bool was_alone = atomic_exchange(&shared->alone, false);
    shared->wait_ms = PERIOD_MS;
    if (now_ms(shared) - shared->opened_ms >= UPTIME_MS)
        redial_begin(&shared->call, &connecting, now_ms(shared));
    if (was_alone && shared->told)
        shared->told(shared, NULL);
}

/* PTTL says -1 for a key without an end, which is not believed, and -2 where there is none. */
static void ask(struct shared_gate *shared, uint32_t limit_ms)
{
    bool unsent = atomic_exchange(&shared->unsent, false);
    uint32_t close_ms = unsent ? at_most_max(shared, redial_gate_left_ms(&shared->gate, now_ms(shared))) : 0;
    redisReply *reply = NULL;
    struct redial_outcome outcome;
    redis_limit(&shared->link, shared->env, limit_ms);
    outcome = open_link(shared);
    if (outcome.kind == REDIAL_KIND_DONE)
        outcome = close_and_ask(shared, close_ms, &reply);
    if (reply && reply->integer > 0)
        redial_gate_close(&shared->gate, now_ms(shared), at_most_max(shared, (uint64_t)reply->integer));
    freeReplyObject(reply);
    shared->since_ms = now_ms(shared);
    if (outcome.kind == REDIAL_KIND_DONE) {
        work_together(shared);
    } else {
        work_alone(shared);
        if (unsent)
            shared->unsent = true;
    }
}

static bool is_due(const struct shared_gate *shared)
{
    return (shared->unsent && !shared->alone) || now_ms(shared) - shared->since_ms >= shared->wait_ms;
}

/* No thread waits for another one. The thread that is busy looks at `unsent` once more when it no longer is, and asks
   again if half of its time is left. */
static void work(struct shared_gate *shared)
{
    uint32_t began_ms = now_ms(shared), spent_ms = 0;
    do {
        if (!shared->link.host || atomic_exchange(&shared->busy, true))
            return;
        if (is_due(shared))
            ask(shared, LIMIT_MS - spent_ms);
        shared->busy = false;
        spent_ms = now_ms(shared) - began_ms;
    } while (shared->unsent && !shared->alone && spent_ms < LIMIT_MS / 2);
}

/* ---- what the program calls ---- */

void shared_gate_init(struct shared_gate *shared, const struct redial_env *env)
{
    shared->env = env;
    shared->link.master = true;     /* a replica may know nothing of what other machines close */
    redial_begin(&shared->call, &connecting, env->now_ms(env));
}

uint32_t shared_gate_check(struct shared_gate *shared)
{
    work(shared);
    return redial_gate_left_ms(&shared->gate, now_ms(shared));
}

void shared_gate_close(struct shared_gate *shared, uint32_t ms)
{
    redial_gate_close(&shared->gate, now_ms(shared), at_most_max(shared, ms));
    shared->unsent = true;
    work(shared);
}

void shared_gate_end(struct shared_gate *shared)
{
    redis_close(&shared->link);
}
