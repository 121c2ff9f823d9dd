/* The simulation of herd: its rules, by hand, and figures that another program computed. */
#include <string.h>

#include "../../examples/fleet/herd_model.h"
#include "../unit/support.h"

/* 10,000 clients, and windows of 10 requests in 100 ms. */
static struct herd_setup burst(enum redial_jitter jitter)
{
    struct herd_setup setup = { .policy = REDIAL_POLICY_DEFAULT, .clients = 10000, .capacity = 100, .window_ms = 100,
                                .horizon_ms = 3600000, .seed = 1 };
    setup.policy.max_retries = REDIAL_NO_LIMIT;
    setup.policy.jitter = jitter;
    return setup;
}

/* The result is freed four runs later. */
static const struct herd_result *run(const struct herd_setup *setup)
{
    static struct herd_result results[4];
    static unsigned runs;
    struct herd_result *result = &results[runs++ % 4];
    herd_free(result);
    memset(result, 0xA5, sizeof *result);
    assert_true(herd_run(setup, result));
    return result;
}

/* Of the ticks from first to before end. */
static uint64_t sum(const uint32_t *counts, uint32_t first, uint32_t end)
{
    uint64_t all = 0;
    while (first < end)
        all += counts[first++];
    return all;
}

static void between(uint64_t got, uint64_t least, uint64_t most)
{
    if (got < least || got > most)
        fail_msg("%llu is not from %llu to %llu", (unsigned long long)got, (unsigned long long)least,
                 (unsigned long long)most);
}

static void within_a_fifth(uint64_t got, uint64_t known)
{
    between(got, known * 4 / 5, known * 6 / 5);
}

/* ---- figures from an independent simulation, of 100,000 clients and 1,000 requests a second ---- */

TEST(fleets_have_the_figures_of_another_simulation)
{
    static const struct {
        enum redial_jitter jitter;
        enum herd_answer answer;
        uint32_t after_s, tenths_of_calls, seconds;
    } known[] = {
        { REDIAL_JITTER_ADDED, HERD_PLAIN, 0, 237, 1827 }, { REDIAL_JITTER_SPREAD, HERD_PLAIN, 0, 80, 164 },
        { REDIAL_JITTER_EQUAL, HERD_PLAIN, 0, 74, 134 }, { REDIAL_JITTER_FULL, HERD_PLAIN, 0, 81, 120 },
        { REDIAL_JITTER_ADDED, HERD_CONSTANT, 1, 64, 130 }, { REDIAL_JITTER_FULL, HERD_CONSTANT, 60, 63, 498 }
    };
    unsigned i;
    for (i = 0; i < sizeof known / sizeof *known; i++) {
        struct herd_setup setup = burst(known[i].jitter);
        const struct herd_result *result;
        setup.answer = known[i].answer;
        setup.after_s = known[i].after_s;
        result = run(&setup);
        assert_int_equal(result->served, setup.clients);
        within_a_fifth(result->calls * 10 / setup.clients, known[i].tenths_of_calls);
        within_a_fifth(result->last_served_ms / 1000, known[i].seconds);
    }
}

/* ---- the server ---- */

TEST(nothing_is_served_in_an_outage)
{
    struct herd_setup setup = burst(REDIAL_JITTER_FULL);
    const struct herd_result *result;
    setup.outage_ms = 20000;
    setup.capacity = 1000000;
    result = run(&setup);
    assert_int_equal(sum(result->taken, 0, 200), 0);
    assert_true(sum(result->arrived, 0, 200) > setup.clients);
    assert_int_equal(sum(result->taken, 200, result->ticks), setup.clients);
    assert_true(result->taken[200] > 0);
}

TEST(a_window_takes_its_share_of_the_capacity_and_the_rest_of_a_request_is_not_lost)
{
    struct herd_setup setup = burst(REDIAL_JITTER_FULL);
    const struct herd_result *result;
    uint32_t tick;
    uint64_t most = 0;
    setup.capacity = 97;   /* 9.7 a window: 9 or 10, and 97 a second */
    result = run(&setup);
    for (tick = 0; tick + 10 <= result->ticks; tick++) {
        assert_true(result->taken[tick] <= 10);
        if (tick % 10 == 0 && sum(result->taken, tick, tick + 10) > most)
            most = sum(result->taken, tick, tick + 10);
    }
    assert_int_equal(most, 97);
}

/* Callers that come all the time get what the bucket held, and the capacity since the first of them came. */
TEST(a_bucket_lets_through_exactly_its_rate_however_slow_or_fast_it_is)
{
    static const struct { uint32_t capacity, per_ms, burst_ms, taken; } known[] = {
        { 1, 1000, 2000, 2 + 119 }, { 3, 1000, 1000, 3 + 359 }, { 7, 60000, 20000, 2 + 14 },
        { 240, 60000, 60000, 240 + 479 }, { 97, 1000, 100, 9 + 11640 }, { 1, 7000, 14000, 2 + 17 },
        { 1000000, 1000, 0, 20000 }
    };
    unsigned i;
    for (i = 0; i < sizeof known / sizeof *known; i++) {
        struct herd_setup setup = burst(REDIAL_JITTER_FULL);
        setup.policy.base_ms = setup.policy.cap_ms = 500;
        setup.clients = 20000;
        setup.window_ms = 0;
        setup.capacity = known[i].capacity;
        setup.per_ms = known[i].per_ms;
        setup.burst_ms = known[i].burst_ms;
        setup.horizon_ms = 120000;
        assert_int_equal(run(&setup)->served, known[i].taken);
    }
}

TEST(a_constant_retry_after_keeps_everybody_away_and_a_bucket_that_nobody_asks_holds_no_more_than_its_burst)
{
    struct herd_setup setup = burst(REDIAL_JITTER_ADDED);
    const struct herd_result *result;
    setup.window_ms = 0;
    setup.capacity = 10;
    setup.burst_ms = 2000;
    setup.answer = HERD_CONSTANT;
    setup.after_s = 45;
    setup.horizon_ms = 50000;
    result = run(&setup);
    assert_int_equal(sum(result->taken, 0, 450), 20);
    assert_int_equal(sum(result->arrived, 1, 450), 0);
    assert_int_equal(sum(result->arrived, 450, 463), setup.clients - 20);
    between(sum(result->taken, 450, 460), 20 + 9, 20 + 10);
}

TEST(places_in_a_queue_are_given_out_at_the_pace_of_the_capacity)
{
    struct herd_setup setup = burst(REDIAL_JITTER_NONE);    /* so a place in second k is a call in second k */
    const struct herd_result *result;
    uint32_t second;
    setup.answer = HERD_SLOT;
    setup.window_ms = 0;
    setup.burst_ms = 1000;
    setup.outage_ms = 5000;     /* all come back after 1 + 2 + 4 s, and no place is before that */
    result = run(&setup);
    assert_int_equal(result->served, setup.clients);
    for (second = 20; second < 60; second++)    /* 99 to 101: the queue began at the first refusal */
        between(sum(result->arrived, second * 10, second * 10 + 10), 99, 101);
    between(result->last_served_ms, 107000, 110000);
}

TEST(the_rest_of_the_window_keeps_everybody_away_until_the_next_one)
{
    struct herd_setup setup = burst(REDIAL_JITTER_ADDED);
    const struct herd_result *result;
    setup.window_ms = 60000;
    setup.answer = HERD_REST;
    setup.horizon_ms = 62000;
    result = run(&setup);
    assert_int_equal(sum(result->taken, 0, 1), 6000);
    assert_int_equal(sum(result->arrived, 1, 600), 0);
    assert_int_equal(sum(result->arrived, 600, 612), 4000);
    assert_int_equal(result->served, 10000);
}

/* ---- the clients ---- */

/* One client of a server that takes one request a second, and many seeds: a message takes 10 ms, sd 2 ms. Mean and
   variance of when it is served, within four sigma. 1 + 2 + 4 + 8 + 16 = 31 s of waiting are the first that end after
   30 s; six attempts are twelve messages. */
TEST(a_client_alone_is_served_by_the_first_attempt_after_the_outage)
{
    static const struct { uint32_t outage_ms, attempts, mean_ms; } known[] = {
        { 0, 1, 2 * 10 }, { 500, 2, 1000 + 4 * 10 }, { 30000, 6, 31000 + 12 * 10 }
    };
    unsigned i;
    for (i = 0; i < sizeof known / sizeof *known; i++) {
        struct herd_setup setup = burst(REDIAL_JITTER_NONE);
        int64_t total = 0, squares = 0, variance = known[i].attempts * 2 * 4;
        setup.clients = setup.capacity = 1;
        setup.window_ms = 0;
        setup.outage_ms = known[i].outage_ms;
        for (setup.seed = 0; setup.seed < 2000; setup.seed++) {
            const struct herd_result *result = run(&setup);
            int64_t away = (int64_t)result->last_served_ms - known[i].mean_ms;
            assert_true(result->served == 1 && result->calls == known[i].attempts);
            total += away;
            squares += away * away;
        }
        assert_true(total * total < 16 * 2000 * variance);
        squares -= total * total / 2000;
        assert_true(squares > 2000 * variance * 7 / 8 && squares < 2000 * variance * 9 / 8);
    }
}

TEST(every_client_is_served_or_gives_up)
{
    struct herd_setup setup = burst(REDIAL_JITTER_ADDED);
    const struct herd_result *result;
    setup.policy.max_retries = 9;
    result = run(&setup);
    assert_true(result->served > result->early && result->early > 0 && result->gave_up > 0);
    assert_int_equal(result->served + result->gave_up, setup.clients);
    assert_true(result->calls >= 10 * result->gave_up + result->served);
    assert_int_equal(sum(result->arrived, 0, result->ticks), result->calls);
    assert_int_equal(sum(result->taken, 0, result->ticks), result->served);
    setup.policy.max_retries = 8;
    result = run(&setup);
    assert_int_equal(result->served, result->early);
}

TEST(a_wait_longer_than_the_wheel_is_waited_in_full)
{
    struct herd_setup setup = burst(REDIAL_JITTER_ADDED);
    const struct herd_result *result;
    setup.policy.base_ms = setup.policy.cap_ms = 200000;
    setup.capacity = 1000000;
    setup.outage_ms = 1000;
    result = run(&setup);
    assert_int_equal(result->calls, 2 * setup.clients);
    assert_int_equal(sum(result->arrived, 2000, 2001), setup.clients);
    setup.horizon_ms = 150000;
    assert_int_equal(run(&setup)->now_ms, 150000);
}

TEST(every_client_makes_all_its_requests_one_after_another)
{
    struct herd_setup setup = burst(REDIAL_JITTER_ADDED);
    const struct herd_result *result;
    setup.clients = 20;
    setup.jobs = 50;
    setup.capacity = 1000000;
    result = run(&setup);
    assert_true(result->served == 1000 && result->calls == 1000 && result->early == 1000);
    between(result->last_served_ms, 50 * 17, 50 * 25);      /* 20 ms for a request, and 1 ms between two */
}

TEST(a_pause_of_the_given_length_comes_before_each_request)
{
    struct herd_setup setup = burst(REDIAL_JITTER_ADDED);
    const struct herd_result *result;
    setup.pause_ms = 1000;
    setup.capacity = 1000000;
    result = run(&setup);
    between(sum(result->arrived, 0, 10), 4600, 5100);    /* half of 10,000 in the first of two seconds */
    assert_int_equal(sum(result->arrived, 0, 21), setup.clients);
}

/* ---- processes, gates and budgets ---- */

/* 10 processes of 64 clients, whose first calls come within 2 s. The server takes one, and the others get 50 s. */
static struct herd_setup processes(enum herd_gate gate)
{
    struct herd_setup setup = burst(REDIAL_JITTER_ADDED);
    setup.clients = 640;
    setup.workers = 64;
    setup.pause_ms = 1000;
    setup.capacity = 1;
    setup.per_ms = HERD_MOST_MS;
    setup.window_ms = 0;
    setup.answer = HERD_CONSTANT;
    setup.after_s = 50;
    setup.gate = gate;
    setup.horizon_ms = 49000;
    return setup;
}

TEST(while_a_gate_is_closed_its_process_sends_nothing_and_others_do)
{
    struct herd_setup setup = processes(HERD_NO_GATE);
    const struct herd_result *result = run(&setup);
    assert_true(result->calls == 640 && result->held == 0);
    setup.gate = HERD_GATE_ON_429;
    result = run(&setup);
    between(result->calls, 10, 60);      /* one of each process, and those that were under way by then */
    assert_int_equal(result->calls + result->held, 640);
}

TEST(the_503_of_a_bad_replica_closes_a_gate_only_if_the_setup_says_so)
{
    struct herd_setup setup = processes(HERD_NO_GATE);
    const struct herd_result *open, *right, *wrong;
    setup.capacity = 1000000;
    setup.per_ms = 0;
    setup.bad_percent = 5;
    setup.bad_after_s = 50;
    setup.jobs = 10;
    open = run(&setup);
    between((open->calls - open->served) * 1000 / open->calls, 45, 55);
    setup.gate = HERD_GATE_ON_429;
    right = run(&setup);
    assert_true(right->calls == open->calls && right->held == 0);
    setup.gate = HERD_GATE_ON_429_AND_503;
    wrong = run(&setup);
    assert_true(wrong->held > 0 && wrong->served < open->served / 5);
}

TEST(each_process_has_a_budget_of_its_own_and_a_fleet_without_processes_has_one)
{
    struct herd_setup setup = processes(HERD_NO_GATE);
    const struct herd_result *result;
    setup.answer = HERD_PLAIN;
    setup.budget = true;
    setup.budget_capacity = 7;
    setup.horizon_ms = 3600000;
    result = run(&setup);
    assert_true(result->served == 1 && result->calls == 640 + 10 * 7 && result->gave_up == 639);
    setup.workers = 0;
    assert_int_equal(run(&setup)->calls, 640 + 7);
    setup = burst(REDIAL_JITTER_ADDED);
    setup.budget = true;
    setup.budget_capacity = 500;
    setup.budget_percent = 50;
    result = run(&setup);
    between(result->calls, setup.clients + 500 + result->served / 4, setup.clients + 500 + result->served / 2);
}

TEST(an_invalid_policy_is_refused)
{
    struct herd_setup setup = burst(REDIAL_JITTER_ADDED);
    struct herd_result result;
    setup.policy.cap_ms = 999;
    assert_true(!herd_run(&setup, &result));
    assert_null(result.arrived);
}

/* ---- the figures ---- */

/* calls: one for each request, and one more for each client that the server can't take at once. All first calls have
   come after 18 ms, or 18 ms after the longest pause. */
TEST(the_floor_is_what_the_server_can_take)
{
    static const struct {
        uint32_t clients, capacity, per_ms, burst_ms, window_ms, outage_ms, pause_ms;
        uint64_t calls, ms;
    } known[] = {
        { 10, 10, 0, 1000, 0, 0, 0, 10, 0 }, { 11, 10, 0, 1000, 0, 0, 0, 12, 100 }, { 14, 3, 0, 1000, 0, 0, 0, 25, 3667 },
        { 10000, 10, 0, 1000, 0, 20000, 0, 20000, 1019000 }, { 10000, 1000, 0, 0, 0, 0, 0, 20000 - 1 - 18, 9999 },
        { 10000, 1000, 0, 0, 0, 0, 500, 20000 - 1 - 1018, 9999 }, { 600, 10, 0, 0, 60000, 0, 0, 600, 0 },
        { 601, 10, 0, 0, 60000, 0, 0, 602, 60000 }, { 10000, 10, 0, 0, 60000, 0, 0, 20000 - 600, 16 * 60000 },
        { 481, 240, 60000, 0, 60000, 0, 0, 2 * 481 - 240, 2 * 60000 },
        { 241, 240, 60000, 0, 60000, 90000, 0, 2 * 241, 2 * 60000 },
        { 240, 240, 60000, 0, 60000, 90000, 0, 2 * 240, 90000 }     /* the rest of the second window is there at once */
    };
    unsigned i;
    for (i = 0; i < sizeof known / sizeof *known; i++) {
        struct herd_setup setup = { .clients = known[i].clients, .capacity = known[i].capacity,
                                    .per_ms = known[i].per_ms, .burst_ms = known[i].burst_ms,
                                    .window_ms = known[i].window_ms, .outage_ms = known[i].outage_ms,
                                    .pause_ms = known[i].pause_ms };
        assert_int_equal(herd_least_calls(&setup), known[i].calls);
        assert_int_equal(herd_least_ms(&setup, setup.clients), known[i].ms);
        assert_int_equal(herd_least_ms(&setup, 0), 0);
    }
}

TEST(peaks_are_read_off_the_ticks)
{
    uint32_t arrived[40] = { [0] = 99, [12] = 3, [21] = 4, [22] = 2 };  /* 0: the first call of all is not counted */
    struct herd_setup setup = { .clients = 10 };
    struct herd_result result = { .ticks = 40, .arrived = arrived };
    assert_int_equal(herd_peak(&setup, &result, 1000), 7);
    assert_int_equal(herd_peak(&setup, &result, 900), 6);
    assert_int_equal(herd_peak(&setup, &result, 1100), 9);
    setup.outage_ms = 2200;
    assert_int_equal(herd_peak(&setup, &result, 1000), 2);
}

int main(void)
{
    return run_all();
}
