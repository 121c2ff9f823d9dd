/* examples/redis/redis_uv and redis_fleet: 50 clients in one thread, a real redis-server, and a clock that the test
   moves: when a retry is due is what the client decided, however slow the machine is. SPDX-License-Identifier: MIT */
#include "redis_program.h"
#include "../../examples/redis/redis_error.h"
#include "../../examples/redis/redis_uv.h"

#define CLIENTS 50
#define SEED 0x9e3779b97f4a7c15u

static uv_loop_t loop;
static struct redis_uv clients[CLIENTS];
static struct redial_policy policy;
static uint32_t now, uptime_ms, due_ms[CLIENTS];
static unsigned up, waits, disconnected, ended;
static struct redial_outcome last;
static uint64_t draws;
static void (*at_wait)(struct redis_uv *client);
static enum redial_verdict verdict;

/* ---- the environment ---- */

static uint32_t now_ms(const struct redial_env *env)
{
    (void)env;
    return now;
}

static uint32_t draw(const struct redial_env *env)
{
    (void)env;
    return random32(&draws);
}

static void on_up(struct redis_uv *client)
{
    assert_false(uv_is_active((uv_handle_t *)&client->timer));     /* the attempt's time does not end a connection */
    up++;
}

static void on_wait(struct redis_uv *client, struct redial_outcome outcome, uint32_t delay_ms)
{
    waits++;
    last = outcome;
    if (due_ms[client - clients] == 0) {
        due_ms[client - clients] = now + delay_ms;
        uptime_ms = outcome.uptime_ms;
        disconnected++;
    }
    if (at_wait)
        at_wait(client);
}

static void on_end(struct redis_uv *client, enum redial_verdict v)
{
    (void)client;
    verdict = v;
    ended++;
}

/* Runs the loop until the number is reached. If it never is, the test's time limit ends it. */
static void run_until(const unsigned *number, unsigned count)
{
    while (*number < count)
        uv_run(&loop, UV_RUN_ONCE);
}

static void start_clients(unsigned count, const char *password)
{
    static const struct redial_env env = { .now_ms = now_ms, .random = draw };
    for (unsigned i = 0; i < count; i++) {
        clients[i] = (struct redis_uv){ .loop = &loop, .host = "127.0.0.1", .port = redis_port, .password = password,
                                        .policy = &policy, .env = &env, .on_up = on_up, .on_wait = on_wait,
                                        .on_end = on_end };
        assert_true(redis_uv_start(&clients[i]));
    }
}

static void stop_clients(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        redis_uv_stop(&clients[i]);
    run_until(&ended, count);
    assert_int_equal(verdict, REDIAL_CANCELLED);
}

static int begin(void **state)
{
    if (fresh_server(state) != 0 || uv_loop_init(&loop) != 0)
        return -1;
    freeReplyObject(tell("PING"));
    policy = (struct redial_policy){ .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000, .attempt_ms = 600000,
                                     .max_retries = REDIAL_NO_LIMIT, .min_uptime_ms = 10000 };
    memset(due_ms, 0, sizeof due_ms);
    now = up = waits = disconnected = ended = 0;
    draws = SEED;
    at_wait = NULL;
    return 0;
}

static int finish(void **state)
{
    for (unsigned turns = 0; turns < 3; turns++)
        uv_run(&loop, UV_RUN_NOWAIT);   /* closes what was stopped; after a test that failed, more may be open */
    return kill_program(state) == 0 && uv_loop_close(&loop) == 0 ? 0 : -1;
}

/* ---- a burst, and none ---- */

/* 50 clients are up, and the server is killed. */
static void lose_server(void)
{
    start_clients(CLIENTS, NULL);
    run_until(&up, CLIENTS);
    now += 60000;
    kill_server();
    run_until(&disconnected, CLIENTS);
    assert_int_equal(uptime_ms, 60000);
}

/* The most retries that are due within ms. */
static unsigned most_due_within(uint32_t ms)
{
    unsigned most = 0;
    for (unsigned i = 0; i < CLIENTS; i++) {
        unsigned count = 0;
        for (unsigned j = 0; j < CLIENTS; j++)
            count += due_ms[j] - due_ms[i] < ms;
        most = count > most ? count : most;
    }
    return most;
}

TEST(without_jitter_all_clients_come_back_in_the_same_millisecond)
{
    policy.jitter = REDIAL_JITTER_NONE;
    lose_server();
    assert_int_equal(most_due_within(1), CLIENTS);
    assert_int_equal(due_ms[0], 61000);
    stop_clients(CLIENTS);
}

/* All 50 are due from from_ms to from_ms + wide_ms, and each tenth of that time has one, and at most a quarter. */
static void assert_spread(uint32_t from_ms, uint32_t wide_ms)
{
    unsigned tenths[10] = { 0 };
    for (unsigned i = 0; i < CLIENTS; i++) {
        assert_in_range(due_ms[i], from_ms, from_ms + wide_ms);
        tenths[(due_ms[i] - from_ms) * 10 / (wide_ms + 1)]++;
    }
    for (unsigned i = 0; i < 10; i++)
        assert_in_range(tenths[i], 1, CLIENTS / 4);
    assert_in_range(most_due_within(wide_ms / 10), 1, CLIENTS / 4);
}

TEST(with_added_jitter_the_clients_come_back_spread_out)
{
    lose_server();
    assert_spread(61000, 1000);
    stop_clients(CLIENTS);
}

TEST(with_full_jitter_the_clients_come_back_spread_out)
{
    policy.jitter = REDIAL_JITTER_FULL;
    lose_server();
    assert_spread(60000, 1000);
    stop_clients(CLIENTS);
}

TEST(with_equal_jitter_the_clients_come_back_spread_out)
{
    policy.jitter = REDIAL_JITTER_EQUAL;
    lose_server();
    assert_spread(60500, 500);
    stop_clients(CLIENTS);
}

TEST(all_clients_come_back_when_the_server_does)
{
    policy.base_ms = 1;
    policy.cap_ms = 50;
    policy.jitter = REDIAL_JITTER_FULL;
    lose_server();
    run_until(&waits, 3 * CLIENTS);
    start_server(NULL);
    run_until(&up, 2 * CLIENTS);
    stop_clients(CLIENTS);
}

/* ---- one client ---- */

static void hurry(void)
{
    policy.base_ms = policy.cap_ms = 1;
    policy.jitter = REDIAL_JITTER_NONE;
}

static void finish_at_loading(struct redis_uv *client)
{
    if (strncmp(client->error, "LOADING ", 8) != 0)
        return;
    assert_int_equal(last.uptime_ms, 0);
    at_wait = NULL;
    finish_loading();
}

TEST(a_server_that_loads_a_large_file_is_waited_for)
{
    hurry();
    start_clients(1, NULL);
    run_until(&up, 1);
    kill_loaded_server();
    start_loading();
    at_wait = finish_at_loading;
    run_until(&up, 2);
    assert_null(at_wait);
    stop_clients(1);
}

TEST(a_refused_connection_is_noticed_at_once)
{
    kill_server();
    start_clients(1, NULL);
    run_until(&waits, 1);
    assert_string_equal(clients[0].error, "Connection refused");
    assert_int_equal(last.code, REDIS_ERR_IO);
    stop_clients(1);
}

static void let_server_go_on(struct redis_uv *client)
{
    (void)client;
    policy.attempt_ms = 600000;
    kill(redis_server, SIGCONT);
}

TEST(a_server_that_does_not_answer_is_left_after_the_attempt_s_time)
{
    hurry();
    policy.attempt_ms = 20;
    kill(redis_server, SIGSTOP);
    at_wait = let_server_go_on;
    start_clients(1, NULL);
    run_until(&up, 1);
    assert_int_equal(waits, 1);
    assert_string_equal(clients[0].error, "no reply in time");
    stop_clients(1);
}

static void on_increment(redisAsyncContext *context, void *reply, void *client)
{
    const redisReply *error = reply;
    (void)context;
    assert_non_null(error);
    assert_int_equal(error->type, REDIS_REPLY_ERROR);
    tell_ok("REPLICAOF NO ONE");
    redis_uv_reconnect(client, redis_error_outcome(error->str));
}

TEST(readonly_means_a_new_connection)
{
    hurry();
    start_clients(1, NULL);
    run_until(&up, 1);
    now += 5;
    tell_ok("REPLICAOF 127.0.0.1 1");
    assert_int_equal(redisAsyncCommand(clients[0].context, on_increment, &clients[0], "INCR counter"), REDIS_OK);
    run_until(&up, 2);
    assert_int_equal(waits, 1);
    assert_int_equal(last.code, REDIS_ADVICE_RECONNECT);
    assert_int_equal(last.uptime_ms, 5);
    stop_clients(1);
}

TEST(a_wrong_password_ends_a_client_and_the_right_one_does_not)
{
    tell_ok("CONFIG SET requirepass 5esame");
    start_clients(1, "0pen");
    run_until(&ended, 1);
    assert_int_equal(verdict, REDIAL_FAILED);
    assert_memory_equal(clients[0].error, "WRONGPASS ", 10);
    start_clients(1, "5esame");
    run_until(&up, 1);
    ended = 0;
    stop_clients(1);
}

TEST(a_password_is_not_printed_where_the_server_does_not_know_AUTH)
{
    static const char *const renamed[] = { "--rename-command", "AUTH", "''", NULL };
    kill_server();
    start_server(renamed);
    freeReplyObject(tell("PING"));
    start_clients(1, "5esame");
    run_until(&ended, 1);
    assert_int_equal(verdict, REDIAL_FAILED);
    assert_memory_equal(clients[0].error, "ERR unknown command", 19);
    assert_null(strstr(clients[0].error, "5esame"));
}

TEST(a_client_may_be_stopped_at_any_time)
{
    for (unsigned turns = 0; turns < 6; turns++) {
        ended = 0;
        start_clients(1, NULL);
        for (unsigned i = 0; i < turns; i++)
            uv_run(&loop, UV_RUN_NOWAIT);
        stop_clients(1);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
}

TEST(an_invalid_policy_is_refused)
{
    static const struct redial_env env = { .now_ms = now_ms, .random = draw };
    policy.base_ms = 0;
    clients[0] = (struct redis_uv){ .loop = &loop, .policy = &policy, .env = &env };
    assert_false(redis_uv_start(&clients[0]));
}

/* ---- the program ---- */

TEST(the_program_shows_when_they_come_back)
{
    start_program("--base 300 --mode equal --attempt 100000");
    wait_until_it_says("All 50 are connected.");
    kill_server();
    wait_until_it_says("All 50 have lost it.");
    start_server(NULL);
    assert_int_equal(wait_until_it_ends(), 0);
    assert_said("ms |#");
    assert_said("All 50 are back, after ");
}

TEST(the_program_ends_with_a_signal_and_refuses_what_it_does_not_know)
{
    start_program("--clients 3");
    wait_until_it_says("All 3 are connected.");
    kill(program.pid, SIGINT);
    assert_int_equal(wait_until_it_ends(), 1);
    start_program("--help");
    assert_int_equal(wait_until_it_ends(), 0);
    assert_said("--clients N");
    start_program("--wrong");
    assert_int_equal(wait_until_it_ends(), 2);
    assert_string_equal(program.said, "redis_fleet: --wrong: no such option; --help lists them\n");
}

int main(void)
{
    return run_all_with(begin, finish, make_place, remove_place);
}
