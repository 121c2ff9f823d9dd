/* examples/redis/shared_gate against a real server and against servers that follow a script, and
   the programs with the real one, which has no data. In the gate time is virtual: shared_gate.c is
   compiled with test_poll and test_recv, so that a server is as far away and as slow as a test
   says. SPDX-License-Identifier: MIT */
#include "../common/program.h"
#include <hiredis/hiredis.h>
#include "../common/server.h"
#include "redial_fake.h"
#include "../../examples/common/loopback.h"
#include "../../examples/redis/shared_gate.h"

#define CLOSED_MS 200000u     /* longer than anything takes on a slow machine */
#define KEY "redial:gate:quota"
#define PROGRAM_KEY "redial:gate:redis_gate"
#define PASSWORD "5esame"

static uint16_t redis_port;
static pid_t redis_server;
static redisContext *admin;         /* the test's own connection; NULL: none */
static struct server scripted;      /* plays a Redis that a real one can't be made to be */

static struct machine {
    struct shared_gate gate;
    struct redial_fake fake;
    unsigned failures, connections;
    char why[512];
} a, b;

static uint32_t trip_ms;          /* to the server and back */
static uint32_t drip_ms;          /* a byte comes every drip_ms; 0: all at once */
static short never;               /* POLLIN: no reply comes; POLLOUT: no connection opens */
static void (*during)(void);      /* what another thread does while one waits for a reply, once */

/* Waits until the connection is open, or the reply to the last question is there. */
int test_poll(struct pollfd *fd, nfds_t count, int timeout_ms);
int test_poll(struct pollfd *fd, nfds_t count, int timeout_ms)
{
    struct machine *machine = fd->fd == a.gate.fd ? &a : &b;
    const struct shared_gate *gate = &machine->gate;
    uint32_t sent_ms = gate->open ? gate->asked_ms : gate->since_ms;
    int32_t away_ms = (int32_t)(gate->open && drip_ms
                                ? drip_ms : sent_ms + trip_ms - machine->fake.now_ms);
    bool idle = gate->open && gate->owed == 0;
    void (*then)(void) = idle ? NULL : during;
    if (then) {
        during = NULL;
        then();
    }
    if (idle || (fd->events & never) || away_ms > timeout_ms) {
        machine->fake.now_ms += (uint32_t)timeout_ms;
        return idle ? poll(fd, count, 0) : 0;
    }
    machine->fake.now_ms += away_ms > 0 ? (uint32_t)away_ms : 0;
    return poll(fd, count, PATIENCE_MS);
}

ssize_t test_recv(int fd, void *to, size_t size, int flags);
ssize_t test_recv(int fd, void *to, size_t size, int flags)
{
    return recv(fd, to, drip_ms ? 1 : size, flags);
}

/* ---- the real server ---- */

static int kill_server(void **state)
{
    redisFree(admin);
    admin = NULL;
    if (redis_server > 0 && kill(redis_server, SIGKILL) == 0)
        waitpid(redis_server, NULL, 0);
    redis_server = 0;
    return 0;
}

/* Waits for a server that is being started. Returns the number in the reply. */
static long long tell(const char *text)
{
    uint32_t since_ms = real_now_ms();
    redisReply *reply = NULL;
    long long number;
    while (!reply && real_now_ms() - since_ms < PATIENCE_MS) {
        if (!admin || admin->err) {
            usleep(1000);
            redisFree(admin);
            admin = redisConnect("127.0.0.1", redis_port);
            freeReplyObject(redisCommand(admin, "AUTH " PASSWORD));
        }
        reply = redisCommand(admin, text);
    }
    if (!reply || reply->type == REDIS_REPLY_ERROR)
        fail_msg("%s: %s", text, reply ? reply->str : "there is no server");
    number = reply->integer;
    freeReplyObject(reply);
    return number;
}

static void fresh_server(void)
{
    char port[8];
    const char *line[] = { SERVER, "--port", port, "--bind", "127.0.0.1", "--save", "",
                           "--dbfilename", "none.rdb", "--logfile", "/dev/null",
                           "--requirepass", PASSWORD, NULL };
    kill_server(NULL);
    snprintf(port, sizeof port, "%u", (unsigned)redis_port);
    redis_server = fork();
    assert_true(redis_server >= 0);
    if (redis_server == 0)
        program_become(line);
    tell("PING");
}

/* Keeps a free port over restarts. The socket is bound and never listens, so that nobody else gets
   the port, and the server may share it. While the server is away, connections are refused. */
static int make_place(void **state)
{
    int yes = 1, fd = loopback_socket(&redis_port);
    setenv("REDISCLI_AUTH", PASSWORD, 1);
    return fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 ? 0 : -1;
}

/* ---- the machines ---- */

static void note(struct shared_gate *gate, const char *why)
{
    struct machine *machine = gate->user;
    machine->failures += why != NULL;
    machine->connections += why == NULL;
    snprintf(machine->why, sizeof machine->why, "%s", why ? why : "");
}

static uint32_t check_after(struct machine *machine, uint32_t ms)
{
    machine->fake.now_ms += ms;
    return shared_gate_left_ms(&machine->gate);
}

/* A 429 closes it for 5 s at most. The server counts in real time: here it gets a longer one. */
static void close_for(struct machine *machine, uint32_t ms)
{
    redial_gate_close(&machine->gate.local, machine->fake.now_ms, ms);
    shared_gate_throttle(&machine->gate, 0);
}

/* The machine's clock stands still while the server takes the closing. */
static void close_gate(struct machine *machine, uint32_t ms)
{
    close_for(machine, ms);
    check_after(machine, 0);
}

/* The clock of b wraps in each test. */
static void connect_machine(struct machine *machine, const char *host, uint16_t port)
{
    static char text[8];
    snprintf(text, sizeof text, "%u", (unsigned)port);
    shared_gate_end(&machine->gate);
    *machine = (struct machine){ .gate = { .host = host, .port = text, .name = "quota",
                                           .password = PASSWORD, .told = note, .user = machine } };
    redial_fake_init(&machine->fake);
    machine->fake.now_ms = machine == &b ? UINT32_MAX - 500 : 0;
    shared_gate_init(&machine->gate, &machine->fake.env);
}

/* The server counts in real time. */
static void assert_about(long long ms, uint32_t expected_ms)
{
    if (ms > expected_ms || ms + CLOSED_MS / 2 < expected_ms)
        fail_msg("%lld ms, and not about %lu ms", ms, (unsigned long)expected_ms);
}

static int begin(void **state)
{
    trip_ms = drip_ms = 0;
    never = 0;
    fresh_server();
    connect_machine(&a, "127.0.0.1", redis_port);
    connect_machine(&b, "127.0.0.1", redis_port);
    assert_true(check_after(&a, 0) == 0 && check_after(&b, 0) == 0);
    assert_true(a.connections == 1 && b.connections == 1);
    assert_true(fcntl(a.gate.fd, F_GETFL) & O_NONBLOCK);
    return 0;
}

TEST(a_closing_holds_all_machines_from_their_next_check_on_and_the_later_end_wins)
{
    close_gate(&a, CLOSED_MS);
    close_gate(&b, CLOSED_MS / 4);
    assert_about(tell("PTTL " KEY), CLOSED_MS);
    close_gate(&b, REDIAL_RETRY_AFTER_MAX_MS);
    assert_int_equal(check_after(&a, 999), CLOSED_MS - 999);
    assert_about(check_after(&a, 1), REDIAL_RETRY_AFTER_MAX_MS);
    tell("PEXPIRE " KEY " 4294967396");          /* 2^32 + 100: too far away to be believed */
    assert_int_equal(check_after(&a, 1000), REDIAL_RETRY_AFTER_MAX_MS);
    tell("DEL " KEY);
    check_after(&a, 1000);
    assert_int_equal(tell("EXISTS " KEY), 0);    /* a check closes nothing */
    tell("SET " KEY " closed");                  /* without an end it counts as open, */
    assert_int_equal(check_after(&a, CLOSED_MS * 2), 0);
    close_gate(&a, CLOSED_MS);                   /* and gets one at the next closing */
    assert_about(tell("PTTL " KEY), CLOSED_MS);
    assert_int_equal(a.failures, 0);
}

TEST(a_replica_refuses_and_is_told_when_it_is_the_master)
{
    tell("REPLICAOF 127.0.0.1 1");
    check_after(&a, 1000);
    assert_memory_equal(a.why, "READONLY ", 9);
    close_gate(&a, CLOSED_MS);
    tell("REPLICAOF NO ONE");
    assert_int_equal(check_after(&a, 1000), CLOSED_MS - 1000);
    assert_about(tell("PTTL " KEY), CLOSED_MS - 1000);
    assert_true(a.failures == 1 && a.connections == 2);
}

/* 50 ms are not too long. A reply that comes later counts when it is read, if it still holds. */
TEST(a_server_far_away_stays_connected_and_takes_little_time_of_a_caller)
{
    static const struct { uint32_t trip_ms, waited_ms, later_ms, left_ms; } rows[] = {
        { 5, 5, 300, CLOSED_MS - 305 }, { 50, 50, 300, CLOSED_MS - 350 },
        { 51, 50, 300, CLOSED_MS - 350 }, { 200, 50, 2 * CLOSED_MS, 0 },
    };
    close_gate(&a, CLOSED_MS);
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        bool in_time = rows[i].trip_ms <= 50;
        uint32_t asked_ms;
        trip_ms = rows[i].trip_ms;
        connect_machine(&b, "127.0.0.1", redis_port);
        asked_ms = b.fake.now_ms + trip_ms;
        assert_int_equal(check_after(&b, trip_ms - 1), 0);
        assert_int_equal(b.fake.now_ms, asked_ms - 1);    /* it did not wait for the connection */
        assert_int_equal(check_after(&b, 1) > 0, in_time);
        assert_int_equal(b.fake.now_ms - asked_ms, rows[i].waited_ms);
        assert_int_equal(b.connections, in_time);
        assert_about(check_after(&b, rows[i].later_ms), rows[i].left_ms);
        assert_true(b.connections == 1 && b.failures == 0);
    }
}

static void close_for_longer(void)
{
    close_for(&a, CLOSED_MS + 1000);
    assert_true(a.gate.busy && a.gate.unsent);
}

/* That of the same thread, and that of another thread while this one waits for its reply. */
TEST(a_closing_is_sent_while_a_reply_is_outstanding_and_nobody_waits_for_it)
{
    trip_ms = 200;
    check_after(&a, 6000);
    close_for(&a, CLOSED_MS);
    assert_int_equal(a.fake.now_ms, 6050);
    assert_int_equal(a.gate.owed, 2);
    check_after(&a, 250);
    assert_about(tell("PTTL " KEY), CLOSED_MS);
    assert_true(a.gate.owed == 0 && a.failures == 0);
    tell("DEL " KEY);
    during = close_for_longer;
    check_after(&a, 1000);
    assert_false(a.gate.unsent);
    assert_int_equal(a.fake.now_ms, 7350);
    check_after(&a, 200);
    assert_about(tell("PTTL " KEY), CLOSED_MS + 1000);
}

/* The machine can see now that the server has closed its connection. */
static void close_connections(void)
{
    struct pollfd end = { a.gate.fd, POLLIN, 0 };
    tell("CLIENT KILL TYPE normal SKIPME yes");
    assert_int_equal(poll(&end, 1, PATIENCE_MS), 1);
}

TEST(it_connects_again_ever_more_rarely_and_then_tells_what_it_closed)
{
    trip_ms = 200;
    check_after(&a, 1000);
    a.gate.text[a.gate.length++] = '+';     /* a part of the reply has come */
    trip_ms = 0;
    close_connections();
    kill_server(NULL);
    check_after(&a, 1000);
    close_for(&a, CLOSED_MS);
    for (unsigned tenths = 0; tenths < 400; tenths++)
        check_after(&a, 100);
    assert_string_equal(a.why, "Connection refused");
    assert_int_equal(a.failures, 8);    /* after 0, 1, 3, 7, 15, 23, 31 and 39 s */
    fresh_server();
    check_after(&a, 7000);
    assert_true(a.connections == 2 && a.gate.owed == 0);
    assert_about(tell("PTTL " KEY), CLOSED_MS - 47000);
    close_connections();                /* a server that answered is tried again after 1 s */
    check_after(&a, 0);
    assert_string_equal(a.why, "the server closed the connection");
    check_after(&a, 999);
    assert_int_equal(a.connections, 2);
    check_after(&a, 1);
    assert_int_equal(a.connections, 3);
}

static const struct stranger {
    const char *bytes;
    enum then then;
    const char *why;
    short never;
    uint32_t drip_ms;
} strangers[] = {
    { "$1000000000\r\nx", REPEAT, "not a reply to the question" },
    { "+OK\r\n+0 0\r\n+0 0\r\n", HANG, "not a reply to the question" },
    { "+OK\r\n+OK\r\n", HANG, "not a reply to the question" },
    { "-ERR \x1b 'AUTH' '" PASSWORD "'\r\n", HANG, "ERR . " },
    { "", CLOSE, "the server closed the connection" }, { "+x", REPEAT, "a reply is too long" },
    { "", HANG, "no reply in time", POLLIN }, { "", HANG, "no reply in time", POLLOUT },
    { "+x", REPEAT, "no reply in time", 0, 20 },
};

TEST(a_server_that_is_not_redis_or_silent_is_left_and_takes_neither_time_nor_memory)
{
    for (unsigned i = 0; i < LENGTH(strangers); i++) {
        const struct answer answer = { strangers[i].bytes, strangers[i].then, .enough = 1 };
        unsigned seconds = 0;
        assert_true(server_start(&scripted, &answer, 1));
        never = strangers[i].never;
        drip_ms = strangers[i].drip_ms;
        connect_machine(&a, "127.0.0.1", scripted.port);
        close_for(&a, CLOSED_MS);
        check_after(&a, 0);
        for (; a.failures == 0 && seconds < 6; seconds++) {
            a.fake.now_ms += 1000;
            shared_gate_throttle(&a.gate, 0);
        }
        if (a.failures != 1 || strcmp(a.why, strangers[i].why) != 0)
            fail_msg("%s: %s", answer.bytes, a.why);
        assert_int_equal(check_after(&a, 0), CLOSED_MS - a.fake.now_ms);
        assert_true(a.fake.now_ms - 1000 * seconds <= 50);   /* for all of it together */
    }
}

TEST(without_a_host_it_is_a_local_gate_and_a_host_name_is_not_looked_up)
{
    static const char *const hosts[] = { NULL, "localhost" };
    for (unsigned i = 0; i < LENGTH(hosts); i++) {
        connect_machine(&a, hosts[i], redis_port);
        shared_gate_throttle(&a.gate, 3000);
        assert_int_equal(check_after(&a, 0), 3000);
        close_for(&a, CLOSED_MS);
        assert_int_equal(check_after(&a, 500), CLOSED_MS - 500);
        assert_int_equal(a.failures, i);
    }
}

/* A 429 closes the gate. Where it was closed before, nobody may send, or once before the reply. */
TEST(the_program_closes_the_gate_and_holds_all_machines_until_ctrl_c)
{
    for (unsigned closed = 0; closed < 2; closed++) {
        unsigned served = 100, refused = 100;
        if (closed)
            tell("SET " PROGRAM_KEY " closed PX 200000");
        program_start_words(GATE_PROGRAM, "127.0.0.1 %u", (unsigned)redis_port);
        await(&program.err, "redis_gate: there is one gate for all\n");
        while (real_now_ms() - program.began_ms < (closed ? 5000 : PATIENCE_MS)
               && (closed || tell("EXISTS " PROGRAM_KEY) == 0))
            usleep(1000);
        assert_int_equal(tell("EXISTS " PROGRAM_KEY), 1);
        kill(program.pid, SIGINT);
        program_end();
        assert_status(0);
        sscanf(program.out.bytes, "%u served, %u refused\n", &served, &refused);
        assert_in_range(served, closed ? 0 : 20, closed ? 20 : 99);
        assert_in_range(refused, !closed, closed ? 0 : 99);
    }
}

TEST(redis_call_sends_a_command_through_a_restart_and_prints_its_reply)
{
    kill_server(NULL);
    program_start_words(CALL_PROGRAM, "127.0.0.1 %u SET color blue", (unsigned)redis_port);
    await(&program.err, "Connection refused: retry 1 in ");
    fresh_server();
    program_end();
    assert_status(0);
    assert_string_equal(program.out.bytes, "OK\n");
}

int main(void)
{
    return run_all_with(begin, program_kill, make_place, kill_server);
}
