/* examples/outbox: workers are killed at 30 random moments. No job is lost, sent early, or sent twice at the same time.
   SPDX-License-Identifier: MIT

       test_outbox_kill sqlite | postgresql        OUTBOX_SEED=N: the moments of an earlier run

   In each round the workers run until nothing is due, and one of them is killed. Then an hour passes. All claims are
   checked against what the store and the receiver have recorded, so it does not matter how fast the machine is. */
#include "outbox_fixture.h"

#define KILLS 30
#define ROUNDS_MAX 300
#define JOBS_FIRST 20
#define JOBS_MAX 512
#define POLICY "--base 1s --cap 1m --jitter 1s --mode equal --limit 0 --attempt 300ms --lease 10m "

static struct {
    int64_t id;
    char key[160], body[160];
} jobs[JOBS_MAX];
static unsigned job_count, worker_count;
static uint64_t seed;

static unsigned draw(unsigned below)
{
    return random32(&seed) % below;
}

/* ---- rounds ---- */

static void add_jobs(unsigned count)
{
    while (count-- > 0) {
        int64_t id = add(draw(RECEIVER_HOSTS), "/drawn");
        assert_true(job_count < JOBS_MAX);
        jobs[job_count].id = id;
        snprintf(jobs[job_count].key, sizeof jobs->key, "%s", KEY(id));
        snprintf(jobs[job_count].body, sizeof jobs->body, "%s", text_of("SELECT body FROM jobs WHERE id = $1", id));
        job_count++;
    }
}

static void start_workers(void)
{
    for (unsigned k = 0; k < worker_count; k++)
        start_worker(k, POLICY "--until idle");
}

/* Waits for so many more requests, or until the round is over, or for a second. */
static void await_moment(unsigned requests, unsigned us)
{
    unsigned before = atomic_load(&receiver.count), tries = 0;
    while (atomic_load(&receiver.count) - before < requests && tries++ < 1000)
        usleep(1000);
    usleep(us);
}

/* True: there was somebody to kill. */
static bool kill_one(void)
{
    unsigned k, victim = draw(worker_count);
    await_moment(draw(5), draw(20000));
    kill(workers[victim].pid, SIGKILL);
    for (k = 0; k < worker_count; k++) {
        child_finish(&workers[k]);
        if ((workers[k].exit_status != 0 && (k != victim || workers[k].exit_status != -1))
            || strstr(workers[k].err, "the store:"))
            fail_msg("worker %u ended with %d: %s", k, workers[k].exit_status, workers[k].err);
    }
    assert_true(receiver_settle(&receiver));
    return workers[victim].exit_status == -1;
}

/* An hour, or two minutes: then some are due, and some are not. */
static void pass_time(void)
{
    travel(draw(3) > 0 ? HOUR_MS : 120000);
}

/* ---- what was recorded ---- */

static int64_t w_ms(int64_t n)
{
    return n < 6 ? INT64_C(1000) << n : 60000;
}

struct record {
    int64_t job, number, was_due_ms, started_ms, ended_ms, next_due_ms;
    bool retry, hours;
};

static bool next_record(struct record *record)
{
    if (!db_row(&db))
        return false;
    *record = (struct record){ db_number_at(&db, 0), db_number_at(&db, 1), db_number_at(&db, 2), db_number_at(&db, 3),
                               db_number_at(&db, 4), db_number_at(&db, 5),
                               strcmp(db_column(&db, 6, NULL), "retry") == 0,
                               strstr(db_column(&db, 7, NULL), "Retry-After: 7200 s") != NULL };
    return true;
}

/* A crash is a failure at the end of the lease. */
static void assert_wait_is_long_enough(const struct record *record)
{
    int64_t from_ms = record->ended_ms ? record->ended_ms : record->started_ms + LEASE_MS;
    int64_t least_ms = record->hours ? 7200000 : w_ms(record->number - 1) / 2;
    if (record->retry && record->next_due_ms - from_ms < least_ms)
        fail_msg("job %lld, attempt %lld: a wait of %lld ms, not %lld", (long long)record->job,
                 (long long)record->number, (long long)(record->next_due_ms - from_ms), (long long)least_ms);
}

static void assert_follows(const struct record *record, const struct record *before)
{
    if (record->job != before->job) {
        assert_int_equal(record->number, 1);
        return;
    }
    assert_int_equal(record->number, before->number + 1);
    assert_true(before->retry);
    if (record->was_due_ms < before->next_due_ms)
        fail_msg("job %lld, attempt %lld: early", (long long)record->job, (long long)record->number);
}

/* Returns how many attempts have no end. */
static unsigned assert_nothing_was_early(void)
{
    struct record record, before = { 0 };
    unsigned unended = 0;
    change("SELECT job, number, was_due_ms, started_ms, ended_ms, next_due_ms, verdict, answer FROM attempts"
           " ORDER BY job, number", 0);
    for (; next_record(&record); before = record) {
        assert_true(record.started_ms >= record.was_due_ms);
        assert_follows(&record, &before);
        assert_wait_is_long_enough(&record);
        unended += record.ended_ms == 0;
    }
    return unended;
}

static unsigned job_of(const char *key)
{
    unsigned i = 0;
    while (i < job_count && strcmp(jobs[i].key, key) != 0)
        i++;
    return i;
}

/* All that arrived is of a job, has its body, and comes in the order of the attempts; each attempt once at most. */
static void assert_arrivals_are_attempts(void)
{
    static unsigned last[JOBS_MAX];
    unsigned i, count = atomic_load(&receiver.count);
    memset(last, 0, sizeof last);
    for (i = 0; i < count; i++) {
        const struct arrival *arrival = &receiver.arrivals[i];
        unsigned job = job_of(arrival->key);
        assert_true(job < job_count);
        assert_string_equal(arrival->body, jobs[job].body);
        assert_true(arrival->attempt > last[job]);
        assert_true(arrival->attempt <= ATTEMPTS(jobs[job].id));
        last[job] = arrival->attempt;
    }
}

static bool was_served(const char *key)
{
    unsigned i, count = atomic_load(&receiver.count);
    for (i = 0; i < count; i++)
        if (receiver.arrivals[i].answer == ANSWER_OK && strcmp(receiver.arrivals[i].key, key) == 0)
            return true;
    return false;
}

/* The store and the receiver agree on what was delivered. */
static void assert_nothing_is_lost(void)
{
    assert_int_equal(number_of("SELECT COUNT(*) FROM jobs WHERE state = 'delivered'", 0), job_count);
    for (unsigned i = 0; i < job_count; i++) {
        assert_string_equal(STATE(jobs[i].id), "delivered");
        assert_true(was_served(jobs[i].key));
    }
}

/* ---- */

static void deliver_the_rest(void)
{
    unsigned k, round = 0;
    atomic_store(&receiver.calm, true);
    while (number_of("SELECT COUNT(*) FROM jobs WHERE state <> 'delivered'", 0) > 0) {
        assert_true(round++ < ROUNDS_MAX);
        travel(3 * HOUR_MS);
        start_workers();
        for (k = 0; k < worker_count; k++)
            child_finish(&workers[k]);
        assert_true(receiver_settle(&receiver));
    }
}

TEST(killed_workers_lose_no_job_and_send_none_early_or_twice_at_the_same_time)
{
    unsigned kills = 0, rounds = 0, unended;
    add_jobs(JOBS_FIRST);
    while (kills < KILLS) {
        assert_true(rounds++ < ROUNDS_MAX);
        start_workers();
        kills += kill_one();
        assert_nothing_was_early();
        add_jobs(draw(5));
        pass_time();
    }
    deliver_the_rest();
    unended = assert_nothing_was_early();
    printf("%u workers, %u jobs, %u rounds, %u kills, %u of them in an attempt, %u requests\n", worker_count, job_count,
           rounds, kills, unended, atomic_load(&receiver.count));
    assert_arrivals_are_attempts();
    assert_nothing_is_lost();
    assert_int_equal(atomic_load(&receiver.overlaps), 0);
    assert_true(unended > 0);
}

int main(int argc, char **argv)
{
    const char *given = getenv("OUTBOX_SEED");
    seed = given ? strtoull(given, NULL, 10) : redial_system()->random(redial_system()) | 1u;
    if (seed == 0)
        seed = 1;
    printf("OUTBOX_SEED=%" PRIu64 "\n", seed);
    fflush(stdout);
    worker_count = argc == 2 && strcmp(argv[1], "sqlite") == 0 ? 2 : WORKERS;
    return run_on_store(argc, argv);
}
