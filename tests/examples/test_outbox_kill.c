/* examples/outbox: workers are killed at random moments. No job is lost, sent early, or sent twice
   at the same time. SPDX-License-Identifier: MIT

       test_outbox_kill [STORE]    OUTBOX_SEED=N: the moments of an earlier run

   In each round the workers run until nothing is due, and one of them is killed. Then an hour
   passes. All claims are checked against what the store and the hosts have recorded, so it does not
   matter how fast the machine is. */
#include "outbox_fixture.h"

#include <stdatomic.h>

#define JOBS_MAX 2000
#define REQUESTS_MAX 65536
#define KILLS 30

static unsigned job_count;
static uint64_t randoms[HOSTS + 1];  /* one for each thread */
static const struct answer *given[HOSTS][REQUESTS_MAX];
static atomic_bool calm;             /* every request is served */
static atomic_uint overlaps;         /* two requests of one key at once */
static atomic_int victim;            /* the process that dies with the next request; 0: none */

static unsigned draw(unsigned below)
{
    return random32(&randoms[HOSTS]) % below;
}

static const struct answer
    ok = { "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", KEEP },
    busy = { "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", KEEP },
    slow_down = { "HTTP/1.1 429 Slow\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n", KEEP },
    cut = { "", CLOSE }, cut_header = { "HTTP/1.1 200 OK\r\nContent-Le", CLOSE },
    cut_hints = { "HTTP/1.1 103 Early Hints\r\n\r\n", CLOSE }, none = { NULL, HANG };

static const char *key_of(const struct server *server, unsigned k)
{
    return strstr(server->requests[k].text, "Idempotency-Key: ") + strlen("Idempotency-Key: ");
}

static void begin_request(struct server *server, unsigned k, uint64_t *random)
{
    static const struct answer *const all[] = {
        &ok, &ok, &ok, &ok, &ok, &ok, &ok, &busy, &busy, &busy, &busy, &slow_down, &cut,
        &cut_header, &cut_hints, &none, &none,
    };
    pid_t pid = atomic_exchange(&victim, 0);
    if (pid > 0)
        kill(pid, SIGKILL);
    given[server - hosts][k] = atomic_load(&calm) ? &ok : all[random32(random) % LENGTH(all)];
    for (unsigned i = 0; i < k; i++)
        if (server->requests[i].open && memcmp(key_of(server, i), key_of(server, k), 32) == 0)
            atomic_fetch_add(&overlaps, 1);
}

/* A request is kept for a random moment, so that another one of its key would be seen beside it.
   NULL: not yet. */
static const struct answer *choose(struct server *server, unsigned k)
{
    uint64_t *random = &randoms[server - hosts];
    if (k == REQUESTS_MAX)
        abort();
    if (!given[server - hosts][k])
        begin_request(server, k, random);
    if (given[server - hosts][k] == &none || random32(random) % 4 == 0)
        return NULL;
    return given[server - hosts][k];
}

/* A job's number is its key, too. */
static void add_jobs(unsigned count)
{
    while (count-- > 0)
        assert_int_equal(add(draw(HOSTS), "/"), ++job_count);
    assert_true(job_count <= JOBS_MAX);
}

/* The first one dies with the next request, or after a moment. Returns how many were killed. */
static unsigned run_workers(bool kill_one)
{
    for (unsigned k = 0; k < WORKERS; k++)
        worker_start(k);
    if (kill_one && draw(2))
        atomic_store(&victim, workers[0].pid);
    else if (kill_one) {
        usleep(draw(60000));
        kill(workers[0].pid, SIGKILL);
    }
    for (unsigned k = WORKERS; k-- > 0;) {
        worker_finish(k);
        bool killed = kill_one && k == 0 && program.status == -SIGKILL;
        if ((program.status != 0 && !killed) || strstr(program.err.bytes, "outbox: "))
            fail_msg("worker %u ended with %d: %s", k, program.status, program.err.bytes);
    }
    atomic_store(&victim, 0);
    return program.status != 0;
}

static struct { int64_t attempts, due_ms; } before[JOBS_MAX + 1];
static bool served[JOBS_MAX + 1];

/* Each attempt began when the job was due. Returns how many have no end. */
static unsigned look_at_jobs(void)
{
    int64_t ended_ms = now_ms();
    unsigned unended = 0;
    change("SELECT id, attempts, due_ms, answer FROM jobs ORDER BY id", 0);
    for (unsigned i = 1; db_row(&db); i++) {
        int64_t attempts = db_number_at(&db, 1);
        assert_int_equal(db_number_at(&db, 0), i);
        if (attempts != before[i].attempts && before[i].due_ms > ended_ms)
            fail_msg("job %u was sent %lld ms early", i,
                     (long long)(before[i].due_ms - ended_ms));
        unended += attempts > before[i].attempts
                   && strncmp(db_column(&db, 3, NULL), "none yet", 8) == 0;
        before[i].attempts = attempts;
        before[i].due_ms = db_number_at(&db, 2);
    }
    assert_string_equal(db.error, "");
    return unended;
}

static void pass_time(int64_t ms)
{
    travel(ms);
    for (unsigned i = 1; i <= job_count; i++)
        before[i].due_ms -= ms;
}

/* All that arrived is of a job, has its body, and comes in the order of the attempts. libcurl may
   send one again on a connection that has died. */
static void look_at_arrivals(unsigned host)
{
    static int64_t last[JOBS_MAX + 1];
    unsigned count = server_stop(&hosts[host]);
    for (unsigned k = 0; k < count; k++) {
        unsigned long job = strtoul(key_of(&hosts[host], k), NULL, 16), in_body = 0;
        int64_t attempt = strtol(server_header(&hosts[host], k, "X-Attempt"), NULL, 10);
        assert_in_range(job, 1, job_count);
        assert_int_equal(sscanf(hosts[host].requests[k].body, "%*s %lu", &in_body), 1);
        assert_int_equal(in_body, job);
        assert_in_range(attempt, last[job], before[job].attempts);
        last[job] = attempt;
        served[job] |= given[host][k] == &ok;
    }
}

TEST(killed_workers_lose_no_job_and_send_none_early_or_twice_at_once)
{
    unsigned kills = 0, rounds = 0, unended = 0;
    add_jobs(20);
    while (kills < KILLS || number_of("SELECT COUNT(*) FROM jobs WHERE state <> 'delivered'", 0)) {
        assert_true(rounds++ < 20 * KILLS);
        atomic_store(&calm, kills == KILLS);
        kills += run_workers(kills < KILLS);
        unended += look_at_jobs();
        if (kills < KILLS)
            add_jobs(draw(4));
        pass_time(draw(3) > 0 ? HOUR_MS : 120000);   /* after two minutes some are due */
    }
    for (unsigned host = 0; host < HOSTS; host++)
        look_at_arrivals(host);
    for (unsigned i = 1; i <= job_count; i++)
        if (!served[i])
            fail_msg("job %u was never served, and is: %s", i, JOB(i));
    assert_int_equal(number_of("SELECT COUNT(*) FROM jobs", 0), job_count);
    assert_int_equal(atomic_load(&overlaps), 0);
    print_message("%u jobs, %u rounds, %u kills, %u of them in an attempt\n", job_count, rounds,
                  kills, unended);
    assert_true(unended > 0);
}

static int begin(void **state)
{
    for (unsigned i = 0; i < HOSTS; i++)
        assert_true(server_start_with(&hosts[i], choose));
    empty_store(state);
    settings.policy.jitter = REDIAL_JITTER_WIDE;
    settings.policy.jitter_ms = 1000;
    settings.policy.attempt_ms = 150;
    return 0;
}

int main(int argc, char **argv)
{
    const char *given_seed = getenv("OUTBOX_SEED");
    unsigned seed = redial_system()->random(redial_system());
    if (given_seed)
        seed = (unsigned)strtoul(given_seed, NULL, 10);
    for (unsigned i = 0; i <= HOSTS; i++)
        randoms[i] = (uint64_t)seed << 8 | (i + 1);
    print_message("OUTBOX_SEED=%u\n", seed);
    return run_on_store(argc, argv, begin);
}
