/* examples/redis/shared_gate against a real server that is stopped, restarted, full, a replica, or says nothing; and
   the program redis_gate. The clocks stand still until a test moves them. SPDX-License-Identifier: MIT */
#include "redis_fixture.h"
#include "redial_fake.h"
#include "../../examples/redis/shared_gate.h"

#define LONG_MS 200000u     /* longer than anything takes on a slow machine */

static struct machine {
    struct shared_gate shared;
    struct redial_fake fake;
    unsigned failures, recoveries;
    char why[128];
} a, b;

static void (*during)(void);        /* what another thread does in the middle of an operation, once */
static uint32_t step_ms;            /* how much later it is after each call of hiredis */
static bool patient;                /* hiredis waits for a slow machine, whatever it is told */
static atomic_uint connections, limits;
static atomic_long latest_ms;              /* the latest end of a wait that hiredis was told, on the clock of a */

redisContext *test_connect(const char *host, int port, const struct timeval limit);
int test_set_timeout(redisContext *context, const struct timeval limit);

static struct timeval note_limit(struct timeval limit)
{
    long end_ms = limit.tv_sec * 1000 + limit.tv_usec / 1000 + (long)a.fake.now_ms;
    latest_ms = end_ms > latest_ms ? end_ms : latest_ms;
    limits++;
    if (step_ms)
        a.fake.now_ms += step_ms;
    if (during) {
        void (*then)(void) = during;
        during = NULL;
        then();
    }
    return patient ? (struct timeval){ .tv_sec = 60 } : limit;
}

redisContext *test_connect(const char *host, int port, const struct timeval limit)
{
    connections++;
    return redisConnectWithTimeout(host, port, note_limit(limit));
}

int test_set_timeout(redisContext *context, const struct timeval limit)
{
    return redisSetTimeout(context, note_limit(limit));
}

static void note(struct shared_gate *shared, const char *why)
{
    struct machine *machine = shared->user;
    machine->failures += why != NULL;
    machine->recoveries += why == NULL;
    snprintf(machine->why, sizeof machine->why, "%s", why ? why : "");
}

static void start_machine(struct machine *machine, uint32_t clock_ms)
{
    shared_gate_end(&machine->shared);
    *machine = (struct machine){ .shared = { .link = { .host = "127.0.0.1", .port = redis_port }, .key = "quota",
                                             .told = note, .user = machine } };
    redial_fake_init(&machine->fake);
    machine->fake.now_ms = clock_ms;
    shared_gate_init(&machine->shared, &machine->fake.env);
}

static uint32_t left(struct machine *machine)
{
    return redial_gate_left_ms(&machine->shared.gate, machine->fake.now_ms);
}

static void check_later(struct machine *machine, uint32_t ms)
{
    machine->fake.now_ms += ms;
    shared_gate_check(&machine->shared);
}

/* The time that is left on the server is counted there, and no clock of a test stops it. */
static void assert_about(long long ms, uint32_t expected_ms)
{
    assert_true(ms <= expected_ms && ms > expected_ms - LONG_MS / 2);
}

static int begin(void **state)
{
    fresh_server();
    start_machine(&a, 0);
    start_machine(&b, 0xffffffff - 500);    /* it wraps in the test */
    patient = true;
    during = NULL;
    connections = limits = step_ms = 0;
    latest_ms = 0;
    return 0;
}

static int finish(void **state)
{
    shared_gate_end(&a.shared);
    shared_gate_end(&b.shared);
    return program_kill(state);
}

TEST(a_gate_that_another_machine_closes_is_seen_at_the_next_check_whatever_the_clocks_say)
{
    shared_gate_check(&b.shared);
    shared_gate_close(&a.shared, LONG_MS);
    limits = 0;
    check_later(&b, 999);
    assert_int_equal(left(&b), 0);
    assert_int_equal(limits, 0);
    check_later(&b, 1);
    assert_about(left(&b), LONG_MS);
}

TEST(the_later_end_wins)
{
    shared_gate_close(&a.shared, LONG_MS);
    shared_gate_close(&b.shared, LONG_MS / 4);
    assert_about(left(&b), LONG_MS);
    assert_about(tell("PTTL quota"), LONG_MS);
    b.shared.max_ms = 10 * LONG_MS;
    shared_gate_close(&b.shared, 2 * LONG_MS);
    assert_about(tell("PTTL quota"), 2 * LONG_MS);
    a.shared.max_ms = 10 * LONG_MS;
    shared_gate_close(&a.shared, 0);
    assert_about(left(&a), 2 * LONG_MS);
}

static void close_longer(void)
{
    shared_gate_close(&a.shared, LONG_MS);
    assert_true(a.shared.busy);
}

TEST(a_closing_in_the_middle_of_another_thread_s_operation_is_told_after_it)
{
    during = close_longer;
    shared_gate_close(&a.shared, 1);
    assert_about(tell("PTTL quota"), LONG_MS);
    assert_int_equal(connections, 1);
}

/* Odd threads are of machine a, and even ones of b. The longest closing of all is the last of thread 7. */
static void *use_gate(void *number)
{
    struct machine *machine = (uintptr_t)number % 2 ? &a : &b;
    for (unsigned i = 1; i <= 100; i++) {
        shared_gate_check(&machine->shared);
        shared_gate_close(&machine->shared, (8 * i + (uint32_t)(uintptr_t)number) * LONG_MS);
    }
    return NULL;
}

TEST(of_many_threads_and_machines_that_close_it_at_once_the_longest_wins_and_no_closing_is_left_unsent)
{
    pthread_t threads[8];
    a.shared.max_ms = b.shared.max_ms = UINT32_MAX;
    for (uintptr_t i = 0; i < LENGTH(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_gate, (void *)i), 0);
    for (unsigned i = 0; i < LENGTH(threads); i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(left(&a), 807 * LONG_MS);
    assert_about(tell("PTTL quota"), 807 * LONG_MS);
    assert_false(a.shared.unsent || b.shared.unsent);
    assert_true(a.failures == 0 && b.failures == 0 && connections == 2);
}

TEST(a_key_without_an_end_is_not_believed_and_gets_one_at_the_next_closing_whatever_its_type)
{
    static const char *const makers[] = { "SET quota 1", "RPUSH quota 1" };
    for (unsigned i = 0; i < LENGTH(makers); i++) {
        tell("DEL quota");
        tell(makers[i]);
        start_machine(&a, 0);
        shared_gate_check(&a.shared);
        assert_int_equal(left(&a), 0);
        shared_gate_close(&a.shared, LONG_MS);
        assert_about(tell("PTTL quota"), LONG_MS);
        assert_int_equal(a.failures, 0);
    }
}

TEST(no_closing_is_longer_than_the_policies_allow)
{
    tell("SET quota 1 EX 1000000");
    a.shared.max_ms = 5000;
    shared_gate_check(&a.shared);
    assert_int_equal(left(&a), 5000);
    shared_gate_check(&b.shared);
    assert_int_equal(left(&b), REDIAL_RETRY_AFTER_MAX_MS);
    tell("DEL quota");
    shared_gate_close(&a.shared, UINT32_MAX);
    assert_int_equal(left(&a), 5000);
    assert_true(tell("PTTL quota") <= 5000);
}

static const struct { const char *first, *why, *then; } refusals[] = {
    { "ACL SETUSER default resetpass >5esame", "NOAUTH ", "ACL SETUSER default nopass" },
    { "ACL SETUSER default -role", "NOPERM ", "ACL SETUSER default +role" },
    { "CONFIG SET maxmemory 1", "OOM ", "CONFIG SET maxmemory 0" },
    { "REPLICAOF 127.0.0.1 1", "the server is not the master", "REPLICAOF NO ONE" },
};

TEST(a_server_that_refuses_leaves_the_local_gate_and_is_told_later)
{
    for (unsigned i = 0; i < LENGTH(refusals); i++) {
        tell("DEL quota");
        tell(refusals[i].first);
        start_machine(&a, 0);
        shared_gate_close(&a.shared, LONG_MS);
        assert_int_equal(left(&a), LONG_MS);
        assert_memory_equal(a.why, refusals[i].why, strlen(refusals[i].why));
        tell(refusals[i].then);
        check_later(&a, 999);
        assert_int_equal(tell("EXISTS quota"), 0);
        check_later(&a, 1);
        assert_about(tell("PTTL quota"), LONG_MS - 1000);
        assert_true(a.failures == 1 && a.recoveries == 1);
    }
}

TEST(it_connects_again_ever_more_rarely_and_tells_then_what_it_closed)
{
    shared_gate_check(&a.shared);
    kill_server();
    connections = 0;
    a.shared.max_ms = LONG_MS;
    check_later(&a, 1000);
    assert_string_equal(a.why, "Connection refused");
    shared_gate_close(&a.shared, LONG_MS);
    for (unsigned tenths = 0; tenths < 400; tenths++)
        check_later(&a, 100);
    assert_int_equal(connections, 8);   /* after 0, 1, 3, 7, 15, 23, 31 and 39 s */
    assert_int_equal(a.failures, 8);
    fresh_server();
    check_later(&a, 7000);
    assert_int_equal(a.recoveries, 1);
    assert_about(tell("PTTL quota"), LONG_MS - 47000);
    check_later(&a, 10000);             /* after 10 s of work, the waits begin with the first one again */
    kill_server();
    connections = 0;
    check_later(&a, 1000);
    check_later(&a, 1000);
    assert_int_equal(connections, 2);
}

TEST(a_connection_that_the_server_closed_while_it_was_idle_is_replaced_at_once_but_not_twice_a_second)
{
    shared_gate_check(&a.shared);
    assert_int_equal(tell("CLIENT KILL TYPE normal SKIPME yes"), 1);
    check_later(&a, 1000);
    assert_int_equal(a.failures, 0);
    assert_int_equal(connections, 2);
    assert_int_equal(tell("CLIENT KILL TYPE normal SKIPME yes"), 1);
    shared_gate_close(&a.shared, LONG_MS);
    assert_string_equal(a.why, "the server closed the connection");
    assert_int_equal(connections, 2);
}

/* It is 20 ms later after each call of hiredis, or 1 ms. */
TEST(a_server_that_never_answers_or_answers_without_an_end_holds_the_caller_up_for_50_ms)
{
    static const struct answer answers[] = { { "", HANG }, { "+x", REPEAT, NULL, false, 1 } };
    for (unsigned i = 0; i < 2; i++) {
        assert_true(server_start(&scripted, &answers[i], 1));
        start_machine(&a, 0);
        a.shared.link.port = scripted.port;
        patient = i == 1;
        step_ms = i ? 1 : 20;
        limits = 0;
        latest_ms = 0;
        shared_gate_close(&a.shared, LONG_MS);
        assert_string_equal(a.why, "no reply in time");
        assert_int_equal(latest_ms, 50);
        shared_gate_check(&a.shared);
        assert_int_equal(limits, i ? 50 : 3);   /* 3: to connect, to send and to read, for 50, 30 and 10 ms */
    }
}

TEST(without_a_host_it_is_a_local_gate)
{
    a.shared.link.host = NULL;
    shared_gate_close(&a.shared, LONG_MS);
    check_later(&a, 1000);
    assert_int_equal(left(&a), LONG_MS - 1000);
    assert_true(connections == 0 && a.failures == 0);
}

static void start_gates(const char *redis, const char *time)
{
    const char *const line[] = { PROGRAM, "--redis", redis, "--time", time, "--processes", "3", "--every", "1s",
                                 "--pause", "1", "--quota", "1", NULL };
    program_start(line);
}

TEST(the_program_compares_local_gates_with_a_shared_one_and_shows_that_it_works)
{
    start_gates(server_program(), "2");
    await(&program.err, "a gate in each process: 1 of 2 s");
    await(&program.out, "requests  served    429s  too early  Redis failures\na gate in each process  ");
    await(&program.err, "Redis killed midway: 1 of 2 s");
    await(&program.out, "\none gate for all  ");
    await(&program.out, "\nRedis killed midway  ");
    program_end();
    assert_status(0);
}

TEST(the_program_says_that_there_is_no_server)
{
    start_gates("true", "1");
    program_end();
    assert_status(1);
    assert_contains(program.err.bytes, "redis_gate: true has ended: it is no Redis server");
}

int main(void)
{
    return run_all_with(begin, finish, make_place, remove_place);
}
