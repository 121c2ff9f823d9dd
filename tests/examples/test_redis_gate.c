/* examples/redis/shared_gate against a real server and against servers that follow a script, and
   the program redis_gate. Time is virtual: shared_gate.c is compiled with test_poll for poll(), so
   that a server is as far away as a test says. SPDX-License-Identifier: MIT */
#include "redis_fixture.h"
#include "redial_fake.h"
#include "../../examples/redis/shared_gate.h"

#define CLOSED_MS 200000u     /* longer than anything takes on a slow machine */
#define KEY "redial:gate:quota"
#define PROGRAM_KEY "redial:gate:redis_gate"
#define PASSWORD "5esame"

static struct machine {
    struct shared_gate gate;
    struct redial_fake fake;
    unsigned failures, connections;
    char why[512];
} a, b;

static uint32_t trip_ms;          /* to the server and back */
static short never;               /* POLLIN: no reply comes; POLLOUT: no connection opens */
static void (*during)(void);      /* what another thread does while one waits for a reply, once */

int test_poll(struct pollfd *fd, nfds_t count, int timeout_ms);

static struct machine *machine_of(int fd)
{
    return fd == a.gate.fd ? &a : &b;
}

/* When the connection is open, or the reply to the last question is there. */
static uint32_t arrival_ms(const struct shared_gate *gate)
{
    return (gate->open ? gate->asked_ms : gate->heard_ms) + trip_ms;
}

int test_poll(struct pollfd *fd, nfds_t count, int timeout_ms)
{
    struct machine *machine = machine_of(fd->fd);
    int32_t away_ms = (int32_t)(arrival_ms(&machine->gate) - machine->fake.now_ms);
    void (*then)(void) = during;
    if (machine->gate.env == redial_system())
        return poll(fd, count, timeout_ms);
    if (machine->gate.open && machine->gate.owed == 0)
        return poll(fd, count, 0);
    if (then) {
        during = NULL;
        then();
    }
    if ((fd->events & never) || away_ms > timeout_ms) {
        machine->fake.now_ms += (uint32_t)timeout_ms;
        return 0;
    }
    if (away_ms > 0)
        machine->fake.now_ms += (uint32_t)away_ms;
    return poll(fd, count, PATIENCE_MS);
}

static void note(struct shared_gate *gate, const char *why)
{
    struct machine *machine = gate->user;
    machine->failures += why != NULL;
    machine->connections += why == NULL;
    snprintf(machine->why, sizeof machine->why, "%s", why ? why : "");
}

static uint32_t check(struct machine *machine)
{
    return shared_gate_left_ms(&machine->gate);
}

static uint32_t check_after(struct machine *machine, uint32_t ms)
{
    machine->fake.now_ms += ms;
    return check(machine);
}

/* The machine's clock stands still while the server takes the closing. */
static void close_gate(struct machine *machine, uint32_t ms)
{
    shared_gate_close(&machine->gate, ms);
    check(machine);
}

static void connect_machine(struct machine *machine, uint32_t clock_ms, uint16_t port)
{
    static char text[8];
    snprintf(text, sizeof text, "%u", (unsigned)port);
    shared_gate_end(&machine->gate);
    *machine = (struct machine){ .gate = { .host = "127.0.0.1", .port = text, .name = "quota",
                                           .password = PASSWORD, .told = note, .user = machine } };
    redial_fake_init(&machine->fake);
    machine->fake.now_ms = clock_ms;
    shared_gate_init(&machine->gate, &machine->fake.env);
}

/* The server counts in real time. */
static void assert_about(long long ms, uint32_t expected_ms)
{
    if (ms > expected_ms || ms < expected_ms - CLOSED_MS / 2)
        fail_msg("%lld ms, and not about %lu ms", ms, (unsigned long)expected_ms);
}

static int begin(void **state)
{
    trip_ms = 0;
    never = 0;
    during = NULL;
    fresh_server();
    tell("CONFIG SET requirepass " PASSWORD);
    connect_machine(&a, 0, redis_port);
    connect_machine(&b, 0xffffffff - 500, redis_port);   /* it wraps in the test */
    assert_true(check(&a) == 0 && check(&b) == 0);
    assert_true(a.connections == 1 && b.connections == 1);
    assert_true(fcntl(a.gate.fd, F_GETFL) & O_NONBLOCK);
    return 0;
}

static int finish(void **state)
{
    shared_gate_end(&a.gate);
    shared_gate_end(&b.gate);
    return program_kill(state);
}

TEST(a_closing_of_another_machine_is_seen_at_the_next_check_whatever_the_clocks_say)
{
    close_gate(&a, CLOSED_MS);
    assert_int_equal(check_after(&b, 999), 0);
    assert_about(check_after(&b, 1), CLOSED_MS);
}

TEST(the_later_end_wins_and_a_key_with_no_end_or_one_too_far_away_is_not_believed)
{
    close_gate(&a, CLOSED_MS);
    close_gate(&b, CLOSED_MS / 4);
    assert_about(tell("PTTL " KEY), CLOSED_MS);
    assert_about(check_after(&b, 1000), CLOSED_MS);
    close_gate(&b, UINT32_MAX);
    assert_about(tell("PTTL " KEY), REDIAL_RETRY_AFTER_MAX_MS);
    tell("PEXPIRE " KEY " 4294967396");    /* 2^32 + 100 */
    assert_int_equal(check_after(&a, 1000), REDIAL_RETRY_AFTER_MAX_MS);
    tell("DEL " KEY);
    check_after(&a, 1000);
    assert_int_equal(tell("EXISTS " KEY), 0);    /* a check closes nothing */
    tell("SET " KEY " redial-gate");             /* without an end it counts as open, */
    assert_int_equal(check_after(&a, CLOSED_MS * 2), 0);
    close_gate(&a, CLOSED_MS);                   /* and gets one at the next closing */
    assert_about(tell("PTTL " KEY), CLOSED_MS);
    assert_int_equal(a.failures, 0);
}

/* Nothing that a server is told changes what belongs to others. */
static const struct { const char *first, *why, *look, *then; } refusals[] = {
    { "HSET " KEY " a 7", "WRONGTYPE ", "HGET " KEY " a", "DEL " KEY },
    { "RPUSH " KEY " 7", "WRONGTYPE ", "LINDEX " KEY " 0", "DEL " KEY },
    { "SET " KEY " 7", "FOREIGN " KEY " has the value", "GET " KEY, "DEL " KEY },
    { "REPLICAOF 127.0.0.1 1", "READONLY ", NULL, "REPLICAOF NO ONE" },
    { "CONFIG SET maxmemory 1", "OOM ", NULL, "CONFIG SET maxmemory 0" },
    { "ACL SETUSER default -eval", "NOPERM ", NULL, "ACL SETUSER default +eval" },
};

/* A check is refused, and then a closing. */
TEST(a_foreign_key_stays_as_it_is_and_after_a_refusal_the_server_is_told_later)
{
    for (unsigned i = 0; i < LENGTH(refusals); i++) {
        tell("DEL " KEY);
        connect_machine(&a, 0, redis_port);
        check(&a);
        tell(refusals[i].first);
        assert_int_equal(check_after(&a, 1000), 0);
        assert_int_equal(a.failures, 1);
        shared_gate_close(&a.gate, CLOSED_MS);
        check_after(&a, 1000);
        if (a.failures != 2 || strncmp(a.why, refusals[i].why, strlen(refusals[i].why)) != 0)
            fail_msg("%s: %s", refusals[i].first, a.why);
        if (refusals[i].look && (tell(refusals[i].look) != 7 || tell("PTTL " KEY) != -1))
            fail_msg("%s: the key was changed", refusals[i].first);
        tell(refusals[i].then);
        check_after(&a, 1999);
        assert_int_equal(tell("EXISTS " KEY), 0);
        assert_int_equal(check_after(&a, 1), CLOSED_MS - 3000);
        assert_about(tell("PTTL " KEY), CLOSED_MS - 3000);
        assert_true(a.failures == 2 && a.connections == 2);
    }
}

/* 50 ms are not too long. A reply that comes later counts when it is there. */
TEST(a_server_far_away_stays_connected_and_takes_little_time_of_a_caller)
{
    static const struct { uint32_t trip_ms, waited_ms; bool in_time; } rows[] = {
        { 5, 5, true }, { 50, 50, true }, { 51, 50, false }, { 200, 50, false },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        uint32_t asked_ms;
        trip_ms = 0;
        close_gate(&a, CLOSED_MS);
        trip_ms = rows[i].trip_ms;
        connect_machine(&b, 0, redis_port);
        assert_int_equal(check_after(&b, trip_ms - 1), 0);
        assert_int_equal(b.fake.now_ms, trip_ms - 1);    /* it did not wait for the connection */
        asked_ms = b.fake.now_ms + 1;
        assert_int_equal(check_after(&b, 1) > 0, rows[i].in_time);
        assert_int_equal(b.fake.now_ms - asked_ms, rows[i].waited_ms);
        assert_int_equal(b.connections, rows[i].in_time);
        b.fake.now_ms = asked_ms + 300;
        assert_about(check(&b), CLOSED_MS - 300);
        assert_true(b.connections == 1 && b.failures == 0);
    }
}

/* Passes on what comes from one side to the other, half a trip later. */
static _Noreturn void delay(int listener, uint32_t ms)
{
    char piece[4096];
    alarm(PATIENCE_MS / 1000);
    for (;;) {
        redisContext *server = redisConnect("127.0.0.1", redis_port);
        struct pollfd ends[] = { { accept(listener, NULL, NULL), POLLIN, 0 },
                                 { server->fd, POLLIN, 0 } };
        ssize_t got = 1;
        while (got > 0 && poll(ends, 2, -1) > 0) {
            unsigned from = ends[0].revents ? 0 : 1;
            got = recv(ends[from].fd, piece, sizeof piece, 0);
            usleep(ms * 500);
            send(ends[1 - from].fd, piece, got > 0 ? (size_t)got : 0, MSG_NOSIGNAL);
        }
        close(ends[0].fd);
        redisFree(server);
    }
}

/* In real time. How long it takes does not matter. */
TEST(a_closing_arrives_through_a_proxy_that_delays)
{
    static const uint32_t trips_ms[] = { 5, 50, 200 };
    close_gate(&a, CLOSED_MS);
    for (unsigned i = 0; i < LENGTH(trips_ms); i++) {
        uint32_t since_ms = real_now_ms();
        uint16_t port = 0;
        int listener = loopback_socket(&port);
        pid_t proxy;
        assert_true(listener >= 0 && listen(listener, 8) == 0);
        proxy = fork();
        if (proxy == 0)
            delay(listener, trips_ms[i]);
        close(listener);
        connect_machine(&b, 0, port);
        shared_gate_end(&b.gate);
        shared_gate_init(&b.gate, redial_system());
        while (check(&b) == 0 && real_now_ms() - since_ms < PATIENCE_MS)
            usleep(1000);
        kill(proxy, SIGKILL);
        waitpid(proxy, NULL, 0);
        assert_about(check(&b), CLOSED_MS);
    }
}

TEST(a_closing_is_sent_while_a_reply_is_outstanding_and_nobody_waits_for_it)
{
    uint32_t began_ms = b.fake.now_ms + 10000;
    trip_ms = 200;
    check_after(&b, 10000);
    shared_gate_close(&b.gate, CLOSED_MS);
    assert_int_equal(b.fake.now_ms - began_ms, 50);
    assert_int_equal(b.gate.owed, 2);
    check_after(&b, 250);
    assert_true(b.gate.owed == 0 && b.failures == 0);
    trip_ms = 0;
    assert_about(check_after(&a, 1000), CLOSED_MS);
}

TEST(a_reply_that_waited_longer_to_be_read_than_it_says_holds_nobody)
{
    close_gate(&a, CLOSED_MS);
    trip_ms = 200;
    assert_int_equal(check_after(&b, 1000), 0);
    assert_int_equal(check_after(&b, 2 * CLOSED_MS), 0);
}

static void close_for_long(void)
{
    shared_gate_close(&a.gate, CLOSED_MS);
    assert_true(a.gate.busy && a.gate.unsent);
}

TEST(a_closing_while_another_thread_waits_for_a_reply_is_sent_after_it)
{
    during = close_for_long;
    trip_ms = 200;
    check_after(&a, 1000);
    assert_false(a.gate.unsent);
    assert_int_equal(a.fake.now_ms, 1050);
    check_after(&a, 200);
    assert_about(tell("PTTL " KEY), CLOSED_MS);
}

/* Odd threads are of machine a, and even ones of b. The longest closing is the last of thread 7. */
static void *use_gate(void *number)
{
    struct machine *machine = (uintptr_t)number % 2 ? &a : &b;
    for (unsigned i = 1; i <= 100; i++) {
        check(machine);
        shared_gate_close(&machine->gate, CLOSED_MS + 8 * i + (uint32_t)(uintptr_t)number);
    }
    return NULL;
}

TEST(of_many_threads_and_machines_the_longest_closing_wins_and_none_is_left_unsent)
{
    pthread_t threads[8];
    for (uintptr_t i = 0; i < LENGTH(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_gate, (void *)i), 0);
    for (unsigned i = 0; i < LENGTH(threads); i++)
        pthread_join(threads[i], NULL);
    assert_false(a.gate.unsent || b.gate.unsent);
    assert_int_equal(check(&a), CLOSED_MS + 807);
    check(&b);
    assert_about(tell("PTTL " KEY), CLOSED_MS + 807);
    assert_true(a.failures == 0 && b.failures == 0);
}

/* The machine can see now that its server closed the connection. */
static void await_end(const struct machine *machine)
{
    struct pollfd end = { machine->gate.fd, POLLIN, 0 };
    assert_int_equal(poll(&end, 1, PATIENCE_MS), 1);
}

TEST(it_connects_again_ever_more_rarely_and_then_tells_what_it_closed)
{
    kill_server();
    await_end(&a);
    check_after(&a, 1000);
    shared_gate_close(&a.gate, CLOSED_MS);
    for (unsigned tenths = 0; tenths < 400; tenths++)
        check_after(&a, 100);
    assert_string_equal(a.why, "Connection refused");
    assert_int_equal(a.failures, 8);    /* after 0, 1, 3, 7, 15, 23, 31 and 39 s */
    fresh_server();
    tell("CONFIG SET requirepass " PASSWORD);
    check_after(&a, 7000);
    assert_int_equal(a.connections, 2);
    assert_about(tell("PTTL " KEY), CLOSED_MS - 47000);
    check_after(&a, 9999);              /* too short to begin with the first wait again */
    assert_int_equal(tell("CLIENT KILL TYPE normal SKIPME yes"), 1);
    await_end(&a);
    check(&a);
    assert_string_equal(a.why, "the server closed the connection");
    check_after(&a, 7999);
    assert_int_equal(a.connections, 2);
    check_after(&a, 1);
    assert_int_equal(a.connections, 3);
    check_after(&a, 10000);
    assert_int_equal(tell("CLIENT KILL TYPE normal SKIPME yes"), 1);
    await_end(&a);
    check(&a);
    check_after(&a, 1000);
    assert_int_equal(a.connections, 4);
}

static const struct { struct answer answer; const char *why; short never; } strangers[] = {
    { { "*1000000000\r\n", HANG, NULL, false, 1 }, "not a reply to the question" },
    { { "$1000000000\r\nx", REPEAT, NULL, false, 1 }, "not a reply to the question" },
    { { "+x", REPEAT, NULL, false, 1 }, "a reply is too long" },
    { { "+OK\r\n+0 0\r\n+0 0\r\n", HANG, NULL, false, 1 }, "not a reply to the question" },
    { { "HTTP/1.1 400 x\r\n\r\n", CLOSE, NULL, false, 1 }, "not a reply to the question" },
    { { "-ERR unknown command `AUTH`, with args: `" PASSWORD "`\r\n", HANG, NULL, false, 1 },
      "ERR unknown command " },
    { { "", CLOSE, NULL, false, 1 }, "the server closed the connection" },
    { { "", HANG, NULL, false, 1 }, "no reply in time", POLLIN },
    { { "", HANG, NULL, false, 1 }, "no reply in time", POLLOUT },
};

TEST(a_server_that_is_not_redis_or_silent_is_left_and_takes_neither_time_nor_memory)
{
    for (unsigned i = 0; i < LENGTH(strangers); i++) {
        unsigned checks = 0;
        assert_true(server_start(&scripted, &strangers[i].answer, 1));
        never = strangers[i].never;
        connect_machine(&a, 0, scripted.port);
        shared_gate_close(&a.gate, CLOSED_MS);
        while (a.failures == 0 && checks < 6)
            checks += check_after(&a, 1000) > 0;
        if (strcmp(a.why, strangers[i].why) != 0)
            fail_msg("%s: %s", strangers[i].answer.bytes, a.why);
        assert_int_equal(check(&a), CLOSED_MS - a.fake.now_ms);
        assert_true(a.fake.now_ms - 1000 * checks <= 50);    /* for all checks together */
    }
}

TEST(without_a_host_it_is_a_local_gate_and_a_host_name_is_not_looked_up)
{
    static const struct { const char *host; unsigned failures; } rows[] = {
        { NULL, 0 }, { "localhost", 1 },
    };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        connect_machine(&a, 0, redis_port);
        shared_gate_end(&a.gate);
        a.gate.host = rows[i].host;
        shared_gate_close(&a.gate, CLOSED_MS);
        assert_int_equal(check_after(&a, 500), CLOSED_MS - 500);
        assert_int_equal(a.failures, rows[i].failures);
    }
}

/* ---- the program ---- */

/* The first machine says that there is one gate after a check; without hold_ms it would say that
   after a 429. While the gate is closed, each of the 20 machines may send once before it hears of
   it. The server allows 20 requests, so there is no 429. */
TEST(the_program_closes_the_gate_and_holds_all_machines_until_ctrl_c)
{
    static const struct { const char *before, *says, *report; } rows[] = {
        { "PING", "there is one gate for all\n", " refused\n" },
        { "PEXPIRE " PROGRAM_KEY " 200000", "there is one gate for all\n", "served, 0 refused\n" },
        { "ACL SETUSER default -eval", "NOPERM ", "" },
    };
    setenv("REDISCLI_AUTH", PASSWORD, 1);
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        tell(rows[i].before);
        program_start_words(PROGRAM, "127.0.0.1 %u", (unsigned)redis_port);
        await(&program.err, "redis_gate: ");
        await(&program.err, rows[i].says);
        while (tell("EXISTS " PROGRAM_KEY) == 0)
            usleep(1000);
        kill(program.pid, SIGINT);
        program_finish();
        assert_status(0);
        assert_contains(program.out.bytes, rows[i].report);
    }
    program_start_words(PROGRAM, "--help");
    program_end();
    assert_status(2);
    assert_string_equal(program.err.bytes, "usage: redis_gate [HOST PORT]\n");
}

int main(void)
{
    return run_all_with(begin, finish, make_place, remove_place);
}
