/* The jobs of the outbox as tables. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "job.h"
#include "span.h"
#include "status.h"

#define ROWS 50        /* the most jobs that are shown */
#define HOST_MIN 8
#define HOST_MAX 28    /* a longer name is cut */

struct row {
    int64_t id, attempts;
    char host[HOST_MAX + 1], when[48], age[SPAN_SIZE], last[160];
};

/* ---- the number of jobs in each state ---- */

static bool count_states(struct db *db, int64_t counts[JOB_GIVEN_UP + 1])
{
    if (!db_run(db, "SELECT state, COUNT(*) FROM jobs GROUP BY state", NULL, 0))
        return false;
    while (db_row(db))
        counts[job_state_of(db_column(db, 0, NULL))] = db_number_at(db, 1);
    return !db->error[0];
}

static void print_counts(const int64_t counts[JOB_GIVEN_UP + 1])
{
    printf("%lld waiting, %lld being sent, %lld delivered, %lld given up\n", (long long)counts[JOB_WAITING],
           (long long)counts[JOB_SENDING], (long long)counts[JOB_DELIVERED], (long long)counts[JOB_GIVEN_UP]);
}

/* ---- a row for each job ---- */

static void set_when(char *when, size_t size, enum job_state state, int64_t in_ms)
{
    char span[SPAN_SIZE];
    if (state == JOB_SENDING)
        snprintf(when, size, in_ms > 0 ? "being sent" : "worker died");
    else if (state != JOB_WAITING)
        snprintf(when, size, state == JOB_GIVEN_UP ? "given up" : "delivered");
    else if (in_ms <= 0)
        snprintf(when, size, "now");
    else
        snprintf(when, size, "in %s", span_text(span, in_ms));
}

/* Prints why the job was given up, and the answer of the receiver. */
static void set_last(struct row *row, enum job_state state, const char *answer, const char *verdict)
{
    if (state == JOB_GIVEN_UP)
        snprintf(row->last, sizeof row->last, "%s%s%s", verdict, *answer ? ": " : "", answer);
    else
        snprintf(row->last, sizeof row->last, "%s", *answer && state != JOB_SENDING ? answer : "none yet");
}

#define COLUMNS "id, host, state, attempts, created_ms, due_ms, answer, verdict"

static void read_row(const struct db *db, int64_t now_ms, struct row *row)
{
    enum job_state state = job_state_of(db_column(db, 2, NULL));
    row->id = db_number_at(db, 0);
    snprintf(row->host, sizeof row->host, "%s", db_column(db, 1, NULL));
    row->attempts = db_number_at(db, 3);
    span_text(row->age, now_ms - db_number_at(db, 4));
    set_when(row->when, sizeof row->when, state, db_number_at(db, 5) - now_ms);
    set_last(row, state, db_column(db, 6, NULL), db_column(db, 7, NULL));
}

static void print_row(const struct row *row, int wide)
{
    printf("%6lld  %-*s  %-14s  %8lld  %-9s  %s\n", (long long)row->id, wide, row->host, row->when,
           (long long)row->attempts, row->age, row->last);
}

static void print_table(const struct row *rows, unsigned count)
{
    int wide = HOST_MIN;
    unsigned i;
    for (i = 0; i < count; i++)
        if ((int)strlen(rows[i].host) > wide)
            wide = (int)strlen(rows[i].host);
    printf("\n%6s  %-*s  %-14s  %8s  %-9s  %s\n", "JOB", wide, "HOST", "NEXT", "ATTEMPTS", "AGE", "LAST ANSWER");
    for (i = 0; i < count; i++)
        print_row(&rows[i], wide);
}

static bool print_jobs(struct db *db, int64_t now_ms, int64_t all)
{
    static struct row rows[ROWS];
    const struct db_value limit = db_number(ROWS);
    unsigned count = 0;
    if (!db_run(db, "SELECT " COLUMNS " FROM jobs WHERE state <> 'delivered'"
                    " ORDER BY CASE state WHEN 'given_up' THEN 0 ELSE 1 END, due_ms, id LIMIT $1", &limit, 1))
        return false;
    while (count < ROWS && db_row(db))
        read_row(db, now_ms, &rows[count++]);
    if (count > 0)
        print_table(rows, count);
    if (all > count)
        printf("        ... and %lld more\n", (long long)(all - count));
    return !db->error[0];
}

static bool print_gates(struct db *db, int64_t now_ms)
{
    const struct db_value now = db_number(now_ms);
    char span[SPAN_SIZE];
    if (!db_run(db, "SELECT host, closed_until_ms FROM gates WHERE closed_until_ms > $1 ORDER BY host", &now, 1))
        return false;
    while (db_row(db))
        printf("\n%s answered 429: nothing is sent to it for %s.\n", db_column(db, 0, NULL),
               span_text(span, db_number_at(db, 1) - now_ms));
    return !db->error[0];
}

bool status_print(struct db *db)
{
    int64_t counts[JOB_GIVEN_UP + 1] = { 0 }, now_ms;
    if (!db_now_ms(db, &now_ms) || !count_states(db, counts))
        return false;
    print_counts(counts);
    return print_jobs(db, now_ms, counts[JOB_WAITING] + counts[JOB_SENDING] + counts[JOB_GIVEN_UP])
           && print_gates(db, now_ms);
}

/* ---- one job ---- */

static void print_attempt(const struct db *db)
{
    char span[SPAN_SIZE], started[32] = "", took[SPAN_SIZE] = "?", then[48];
    int64_t started_ms = db_number_at(db, 1), ended_ms = db_number_at(db, 2);
    time_t s = (time_t)(started_ms / 1000);
    struct tm utc;
    if (gmtime_r(&s, &utc))
        strftime(started, sizeof started, "%Y-%m-%d %H:%M:%SZ", &utc);
    if (ended_ms)
        span_text(took, ended_ms - started_ms);
    snprintf(then, sizeof then, "%s", db_column(db, 3, NULL));
    if (strcmp(then, "retry") == 0)
        snprintf(then, sizeof then, "next after %s",
                 span_text(span, db_number_at(db, 4) - (ended_ms ? ended_ms : started_ms)));
    printf("%8lld  %-20s  %-8s  %-18s  %s\n", (long long)db_number_at(db, 0), started, took, then,
           db_column(db, 5, NULL));
}

static bool print_attempts(struct db *db, int64_t id)
{
    const struct db_value job = db_number(id);
    if (!db_run(db, "SELECT number, started_ms, ended_ms, verdict, next_due_ms, answer FROM attempts"
                    " WHERE job = $1 ORDER BY number", &job, 1))
        return false;
    printf("\n%8s  %-20s  %-8s  %-18s  %s\n", "ATTEMPT", "STARTED", "TOOK", "THEN", "ANSWER");
    while (db_row(db))
        print_attempt(db);
    return !db->error[0];
}

bool status_print_job(struct db *db, int64_t id)
{
    const struct db_value job = db_number(id);
    struct row row;
    int64_t now_ms;
    if (!db_now_ms(db, &now_ms) || !db_run(db, "SELECT " COLUMNS ", key FROM jobs WHERE id = $1", &job, 1))
        return false;
    if (!db_row(db)) {
        if (!db->error[0])
            snprintf(db->error, sizeof db->error, "there is no job %lld", (long long)id);
        return false;
    }
    read_row(db, now_ms, &row);
    printf("key %s\n", db_column(db, 8, NULL));
    print_table(&row, 1);
    return print_attempts(db, id);
}
