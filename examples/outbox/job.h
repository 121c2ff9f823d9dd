/* One job of the outbox, and its decisions, without store, network or clock.
   SPDX-License-Identifier: MIT */
#ifndef OUTBOX_JOB_H
#define OUTBOX_JOB_H

#include <stddef.h>

#include "redial.h"

enum job_state { JOB_WAITING, JOB_DELIVERED, JOB_GIVEN_UP };

#define JOB_NEW (-1)   /* began_ms of a job without an attempt */

struct job {
    int64_t id;
    char *url;
    char host[256];        /* with the port if the URL has one */
    char *body;
    size_t length;
    char key[33];          /* the idempotency key: the same in all attempts */
    enum job_state state;
    int64_t due_ms;        /* milliseconds since 1970, by the clock of the store */
    int64_t attempts;      /* how many have begun */
    int64_t retries;       /* redial_retries */
    int64_t began_ms;      /* the first attempt, in worked time */
    char verdict[16];      /* of the last decision, as text */
    char answer[128];      /* the result of the last attempt, as text */
};

/* The two clocks of a decision. A job is due by the first one, which may be set. It ages by the
   second one, which only counts the time that workers ran. */
struct job_time {
    int64_t now_ms, worked_ms;
};

void job_free(struct job *job);

/* Decides after that outcome: the job waits until its due_ms, is delivered, or is given up. */
void job_decide(struct job *job, const struct redial_policy *policy, struct redial_outcome outcome,
                struct job_time time, uint32_t random);

/* Begins an attempt, and returns what to store before it: the job as if the attempt fails when the
   lease ends. So if a worker dies in the attempt, nothing must be repaired, and no other worker
   takes the job before the lease ends. It is JOB_WAITING even if that failure gives the job up. It
   shares the texts of the job, so free only one of them. */
struct job job_begin(struct job *job, const struct redial_policy *policy, uint32_t lease_ms,
                     struct job_time time, uint32_t random);

/* A worker died in the attempt, and job_begin had decided that this gives the job up. */
bool job_is_over(const struct job *job);

#endif
