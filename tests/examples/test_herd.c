/* The simulation of herd: its rules, and figures that other programs computed. */
#include <string.h>

#include "../../examples/fleet/herd_model.h"
#include "../unit/support.h"

/* A tenth of the clients and of the capacity for which the figures are known. */
static struct herd_setup burst(void)
{
    struct herd_setup setup = { .policy = REDIAL_POLICY_DEFAULT, .clients = 10000, .capacity = 100, .window_ms = 100,
                                .horizon_ms = 3600000, .seed = 1 };
    setup.policy.max_retries = REDIAL_NO_LIMIT;
    return setup;
}

static struct herd_setup burst_of(enum redial_jitter jitter)
{
    struct herd_setup setup = burst();
    setup.policy.jitter = jitter;
    return setup;
}

static struct herd_result run(const struct herd_setup *setup)
{
    struct herd_result result;
    memset(&result, 0xA5, sizeof result);
    assert_true(herd_run(setup, &result));
    return result;
}

static uint64_t sum(const uint32_t *counts, uint32_t first, uint32_t end)
{
    uint64_t all = 0;
    while (first < end)
        all += counts[first++];
    return all;
}

/* ---- figures from an independent simulation, of 100,000 clients and 1,000 requests a second ---- */

static void within_a_fifth(uint64_t got, uint64_t known)
{
    if (got * 5 < known * 4 || got * 5 > known * 6)
        fail_msg("%llu is not within a fifth of %llu", (unsigned long long)got, (unsigned long long)known);
}

TEST(a_burst_of_100_s_has_the_figures_of_another_simulation)
{
    static const struct { enum redial_jitter jitter; uint32_t tenths_of_calls, seconds; } known[] = {
        { REDIAL_JITTER_ADDED, 237, 1827 }, { REDIAL_JITTER_SPREAD, 80, 164 },
        { REDIAL_JITTER_EQUAL, 74, 134 }, { REDIAL_JITTER_FULL, 81, 120 }
    };
    unsigned i;
    for (i = 0; i < sizeof known / sizeof *known; i++) {
        struct herd_setup setup = burst_of(known[i].jitter);
        struct herd_result result = run(&setup);
        assert_int_equal(result.served, setup.clients);
        within_a_fifth(result.calls * 10 / setup.clients, known[i].tenths_of_calls);
        within_a_fifth(result.last_served_ms / 1000, known[i].seconds);
        herd_free(&result);
    }
}

/* All clients get the same Retry-After. The random part of the wait keeps the fleet from coming back all at once. */
TEST(a_fleet_that_gets_the_same_retry_after_does_not_come_back_at_once)
{
    static const struct { uint32_t after_s, tenths_of_calls, seconds; } known[] = { { 1, 64, 130 }, { 30, 63, 288 },
                                                                                    { 60, 63, 498 } };
    unsigned i;
    int mode;
    for (i = 0; i < sizeof known / sizeof *known; i++)
        for (mode = REDIAL_JITTER_ADDED; mode <= REDIAL_JITTER_FULL; mode++) {
            struct herd_setup setup = burst_of((enum redial_jitter)mode);
            struct herd_result result;
            setup.answer = HERD_CONSTANT;
            setup.after_s = known[i].after_s;
            result = run(&setup);
            assert_int_equal(result.served, setup.clients);
            within_a_fifth(result.calls * 10 / setup.clients, known[i].tenths_of_calls);
            within_a_fifth(result.last_served_ms / 1000, known[i].seconds);
            herd_free(&result);
        }
}

TEST(places_in_a_queue_come_near_the_best_that_is_possible)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    setup.clients = 100000;
    setup.capacity = 1000;
    setup.answer = HERD_SLOT;
    result = run(&setup);
    assert_int_equal(result.served, setup.clients);
    assert_true(result.calls <= setup.clients * UINT64_C(21) / 10);     /* the floor: 2 */
    assert_true(result.last_served_ms <= 115000);                       /* the floor: 100 s */
    herd_free(&result);
}

TEST(with_a_quota_a_minute_the_formula_does_as_well_as_any)
{
    struct herd_setup setup = burst_of(REDIAL_JITTER_ADDED);
    struct herd_result added, other;
    int mode;
    setup.window_ms = 60000;
    added = run(&setup);
    for (mode = REDIAL_JITTER_SPREAD; mode <= REDIAL_JITTER_FULL; mode++) {
        setup.policy.jitter = (enum redial_jitter)mode;
        other = run(&setup);
        assert_int_equal(other.served, setup.clients);
        assert_true(added.calls <= other.calls);
        assert_true(added.last_served_ms <= other.last_served_ms);
        herd_free(&other);
    }
    herd_free(&added);
}

/* ---- the server ---- */

TEST(nothing_is_served_in_an_outage)
{
    struct herd_setup setup = burst_of(REDIAL_JITTER_FULL);
    struct herd_result result;
    setup.outage_ms = 20000;
    setup.capacity = 1000000;
    result = run(&setup);
    assert_int_equal(sum(result.taken, 0, 200), 0);
    assert_true(sum(result.arrived, 0, 200) > setup.clients);
    assert_int_equal(result.served, setup.clients);
    assert_int_equal(sum(result.taken, 200, result.ticks), setup.clients);
    herd_free(&result);
}

TEST(no_window_takes_more_than_its_share_of_the_capacity)
{
    struct herd_setup setup = burst_of(REDIAL_JITTER_FULL);
    struct herd_result result;
    uint32_t tick;
    uint64_t most = 0;
    setup.capacity = 97;   /* 9.7 a window: 9 or 10, and 97 a second */
    result = run(&setup);
    for (tick = 0; tick < result.ticks; tick++) {
        assert_true(result.taken[tick] <= 10);
        if (tick % 10 == 0 && tick + 10 <= result.ticks && sum(result.taken, tick, tick + 10) > most)
            most = sum(result.taken, tick, tick + 10);
    }
    assert_int_equal(most, 97);
    herd_free(&result);
}

/* Served at once; refused once and served; refused twice and served: after 1 s, and 2 s after that. A message takes 2
   to 18 ms, and the token that the first one took is back before the others are. */
TEST(three_clients_of_a_server_of_one_request_a_second_are_served_as_computed_by_hand)
{
    struct herd_setup setup = burst_of(REDIAL_JITTER_NONE);
    struct herd_result result;
    setup.window_ms = 0;
    setup.clients = 3;
    setup.capacity = 1;
    for (setup.seed = 0; setup.seed < 100; setup.seed++) {
        result = run(&setup);
        assert_int_equal(result.calls, 1 + 2 + 3);
        assert_int_equal(result.arrived[0], 3);
        assert_int_equal(result.arrived[10], 2);
        assert_int_equal(result.arrived[30], 1);
        assert_true(result.taken[0] == 1 && result.taken[10] == 1 && result.taken[30] == 1);
        assert_in_range(result.last_served_ms, 3000 + 6 * 2, 3000 + 6 * 18);
        herd_free(&result);
    }
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
        struct herd_setup setup = burst_of(REDIAL_JITTER_FULL);
        struct herd_result result;
        setup.policy.base_ms = setup.policy.cap_ms = 500;
        setup.clients = 20000;
        setup.window_ms = 0;
        setup.capacity = known[i].capacity;
        setup.per_ms = known[i].per_ms;
        setup.burst_ms = known[i].burst_ms;
        setup.horizon_ms = 120000;
        result = run(&setup);
        assert_int_equal(result.served, known[i].taken);
        herd_free(&result);
    }
}

TEST(a_bucket_that_nobody_asks_keeps_no_more_than_its_burst)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    setup.window_ms = 0;
    setup.capacity = 10;
    setup.burst_ms = 2000;
    setup.answer = HERD_CONSTANT;
    setup.after_s = 45;
    setup.horizon_ms = 46000;
    result = run(&setup);
    assert_int_equal(sum(result.taken, 0, 450), 20);
    assert_in_range(sum(result.taken, 450, 460), 20 + 9, 20 + 10);
    herd_free(&result);
}

TEST(the_bad_replica_gets_its_share_of_the_requests)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    setup.capacity = 1000000;
    setup.bad_after_s = 3600;
    for (setup.bad_percent = 0; setup.bad_percent <= 100; setup.bad_percent += 50) {
        result = run(&setup);
        assert_in_range(result.served, (100 - setup.bad_percent) * 100 - (setup.bad_percent == 50 ? 200 : 0),
                        (100 - setup.bad_percent) * 100 + (setup.bad_percent == 50 ? 200 : 0));
        herd_free(&result);
    }
}

TEST(the_floor_is_what_the_server_can_take)
{
    struct herd_setup setup = burst();
    setup.window_ms = 0;
    setup.capacity = 10;
    setup.burst_ms = 1000;
    assert_int_equal(herd_least_ms(&setup, 0), 0);
    assert_int_equal(herd_least_ms(&setup, 10), 0);
    assert_int_equal(herd_least_ms(&setup, 11), 100);
    assert_int_equal(herd_least_ms(&setup, 10000), 999000);
    assert_int_equal(herd_least_calls(&setup), 2 * 10000 - 10);
    setup.burst_ms = 0;         /* one at once, and those that there is room for until the last has come */
    setup.capacity = 1000;
    assert_int_equal(herd_least_calls(&setup), 2 * 10000 - 1 - 18);
    setup.pause_ms = 500;
    assert_int_equal(herd_least_calls(&setup), 2 * 10000 - 1 - 1018);
    setup.pause_ms = 0;
    setup.burst_ms = 1000;
    setup.capacity = 10;
    setup.outage_ms = 20000;
    assert_int_equal(herd_least_ms(&setup, 0), 0);
    assert_int_equal(herd_least_ms(&setup, 10000), 20000 + 999000);
    assert_int_equal(herd_least_calls(&setup), 2 * 10000);
    setup.outage_ms = 0;
    setup.window_ms = 60000;    /* 600 at 0 s, and the last 400 of 10,000 at 960 s */
    assert_int_equal(herd_least_ms(&setup, 600), 0);
    assert_int_equal(herd_least_ms(&setup, 601), 60000);
    assert_int_equal(herd_least_ms(&setup, 10000), 16 * 60000);
    assert_int_equal(herd_least_calls(&setup), 2 * 10000 - 600);
    setup.capacity = 240;
    setup.per_ms = 60000;
    assert_int_equal(herd_least_ms(&setup, 481), 2 * 60000);
    setup.outage_ms = 90000;    /* the rest of the second window is there at once */
    assert_int_equal(herd_least_ms(&setup, 240), 90000);
    assert_int_equal(herd_least_ms(&setup, 241), 2 * 60000);
}

TEST(a_constant_retry_after_keeps_everybody_away_for_so_long)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    setup.answer = HERD_CONSTANT;
    setup.after_s = 45;
    setup.horizon_ms = 50000;
    result = run(&setup);
    assert_int_equal(sum(result.arrived, 1, 450), 0);
    assert_int_equal(sum(result.arrived, 450, 463), setup.clients - sum(result.taken, 0, 1));
    herd_free(&result);
}

TEST(places_are_given_out_at_the_pace_of_the_capacity)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    uint32_t second;
    setup.answer = HERD_SLOT;
    setup.policy.jitter = REDIAL_JITTER_NONE;   /* so a place in second k is a call in second k */
    setup.horizon_ms = 60000;
    result = run(&setup);
    for (second = 1; second < 60; second++)     /* a refused client gets a place after all of these */
        assert_true(sum(result.arrived, second * 10, second * 10 + 10) - 99 <= 2);  /* 99..101: the queue began
                                                                                       at the first refusal */
    herd_free(&result);
}

/* ---- the clients ---- */

TEST(every_client_is_served_or_gives_up)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    setup.policy.max_retries = 3;
    result = run(&setup);
    assert_true(result.served > 0 && result.gave_up > 0);
    assert_int_equal(result.served + result.gave_up, setup.clients);
    assert_int_equal(result.early, result.served);
    assert_true(result.calls <= 4 * setup.clients && result.calls >= 4 * result.gave_up + result.served);
    assert_int_equal(sum(result.arrived, 0, result.ticks), result.calls);
    assert_int_equal(sum(result.taken, 0, result.ticks), result.served);
    herd_free(&result);
}

TEST(the_budget_bounds_the_retries_of_the_fleet)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    setup.budget = true;
    setup.budget_capacity = 500;
    setup.budget_percent = 50;
    result = run(&setup);
    assert_true(result.calls >= setup.clients + 500);
    assert_true(result.calls <= setup.clients + 500 + result.served / 2);
    herd_free(&result);
}

TEST(a_wait_longer_than_the_wheel_is_waited_in_full)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    setup.policy.base_ms = setup.policy.cap_ms = 200000;
    setup.capacity = 1000000;
    setup.outage_ms = 1000;
    result = run(&setup);
    assert_int_equal(result.calls, 2 * setup.clients);
    assert_int_equal(sum(result.arrived, 2000, 2001), setup.clients);
    herd_free(&result);
}

/* ---- several requests of a client, processes, gates and budgets ---- */

TEST(every_client_makes_all_its_requests_one_after_another)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    setup.clients = 20;
    setup.jobs = 50;
    setup.capacity = 1000000;
    result = run(&setup);
    assert_int_equal(herd_requests(&setup), 1000);
    assert_int_equal(result.served, 1000);
    assert_int_equal(result.calls, 1000);
    assert_int_equal(result.early, 1000);
    assert_in_range(result.last_served_ms, 50 * 17, 50 * 25);      /* 20 ms for a request, and 1 ms between two */
    herd_free(&result);
}

TEST(a_pause_of_the_given_length_comes_before_each_request)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    setup.pause_ms = 1000;
    setup.capacity = 1000000;
    result = run(&setup);
    assert_in_range(sum(result.arrived, 0, 10), 4600, 5100);    /* half of 10,000 in the first of two seconds */
    assert_int_equal(sum(result.arrived, 0, 21), setup.clients);
    herd_free(&result);
    setup.clients = 100;
    setup.jobs = 100;
    result = run(&setup);
    assert_int_equal(result.served, 10000);
    assert_in_range(result.last_served_ms, 102100, 130000);     /* the slowest of a hundred */
    herd_free(&result);
}

/* 10 processes of 64 clients, whose first calls come within 2 s. The server takes one, and the others get 50 s. */
static struct herd_setup processes(enum herd_gate gate)
{
    struct herd_setup setup = burst();
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
    struct herd_result result = run(&setup);
    assert_int_equal(result.calls, 640);
    assert_int_equal(result.held, 0);
    herd_free(&result);
    setup.gate = HERD_GATE_ON_429;
    result = run(&setup);
    assert_in_range(result.calls, 10, 60);      /* one of each process, and those that were under way by then */
    assert_int_equal(result.calls + result.held, 640);
    herd_free(&result);
}

TEST(the_503_of_a_bad_replica_closes_a_gate_only_if_the_setup_says_so)
{
    struct herd_setup setup = processes(HERD_NO_GATE);
    struct herd_result open, right, wrong;
    setup.capacity = 1000000;
    setup.per_ms = 0;
    setup.bad_percent = 5;
    setup.bad_after_s = 50;
    setup.jobs = 10;
    open = run(&setup);
    assert_in_range(open.calls - open.served, 6400 * 3 / 100, 6400 * 7 / 100);
    setup.gate = HERD_GATE_ON_429;
    right = run(&setup);
    assert_int_equal(right.calls, open.calls);
    assert_int_equal(right.held, 0);
    setup.gate = HERD_GATE_ON_429_AND_503;
    wrong = run(&setup);
    assert_true(wrong.held > 0 && wrong.served < open.served / 5);
    herd_free(&open);
    herd_free(&right);
    herd_free(&wrong);
}

TEST(each_process_has_a_budget_of_its_own)
{
    struct herd_setup setup = processes(HERD_NO_GATE);
    struct herd_result result;
    setup.answer = HERD_PLAIN;
    setup.budget = true;
    setup.budget_capacity = 7;
    setup.horizon_ms = 3600000;
    result = run(&setup);
    assert_int_equal(result.served, 1);
    assert_int_equal(result.calls, 640 + 10 * 7);
    assert_int_equal(result.gave_up, 639);
    herd_free(&result);
    setup.workers = 0;
    result = run(&setup);
    assert_int_equal(result.calls, 640 + 7);
    herd_free(&result);
}

TEST(a_client_of_a_process_decides_like_one_without)
{
    struct herd_setup setup = burst_of(REDIAL_JITTER_FULL);
    struct herd_result alone = run(&setup), process;
    setup.workers = 10;
    process = run(&setup);
    assert_int_equal(process.served, setup.clients);
    assert_int_equal(process.held, 0);
    within_a_fifth(process.calls, alone.calls);
    within_a_fifth(process.last_served_ms, alone.last_served_ms);
    herd_free(&alone);
    herd_free(&process);
}

TEST(the_rest_of_the_window_keeps_everybody_away_until_the_next_one)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    setup.window_ms = 60000;
    setup.answer = HERD_REST;
    setup.horizon_ms = 62000;
    result = run(&setup);
    assert_int_equal(sum(result.taken, 0, 1), 6000);
    assert_int_equal(sum(result.arrived, 1, 600), 0);
    assert_int_equal(sum(result.arrived, 600, 612), 4000);
    assert_int_equal(result.served, 10000);
    herd_free(&result);
}

/* ---- by the clock ---- */

/* One client of a server that takes one request a second, and many seeds: mean and variance of when it is served,
   within four sigma. */
static void served_at(uint32_t outage_ms, uint32_t attempts, uint32_t mean_ms, uint32_t variance)
{
    struct herd_setup setup = burst_of(REDIAL_JITTER_NONE);
    struct herd_result result;
    int64_t total = 0, squares = 0, away;
    setup.clients = setup.capacity = 1;
    setup.window_ms = 0;
    setup.outage_ms = outage_ms;
    for (setup.seed = 0; setup.seed < 2000; setup.seed++) {
        result = run(&setup);
        assert_int_equal(result.served, 1);
        assert_int_equal(result.calls, attempts);
        away = (int64_t)result.last_served_ms - mean_ms;
        total += away;
        squares += away * away;
        herd_free(&result);
    }
    assert_true(total * total < 16 * 2000 * (int64_t)variance);
    assert_true(squares - total * total / 2000 > 2000 * (int64_t)variance * 7 / 8);
    assert_true(squares - total * total / 2000 < 2000 * (int64_t)variance * 9 / 8);
}

TEST(messages_take_10_ms_with_a_deviation_of_2_ms_each)
{
    served_at(0, 1, 20, 2 * 4);
    served_at(500, 2, 1000 + 4 * 10, 4 * 4);
}

/* 1 + 2 + 4 + 8 + 16 = 31 s of waiting are the first that end after 30 s; six attempts are twelve messages. */
TEST(a_client_alone_is_served_by_the_first_attempt_after_the_outage)
{
    served_at(30000, 6, 31000 + 12 * 10, 12 * 4);
}

/* ---- the run ---- */

TEST(the_same_seed_gives_the_same_run)
{
    struct herd_setup setup = burst_of(REDIAL_JITTER_FULL);
    struct herd_result a = run(&setup), b = run(&setup), c;
    assert_int_equal(a.calls, b.calls);
    assert_memory_equal(a.arrived, b.arrived, a.ticks * sizeof *a.arrived);
    assert_memory_equal(a.taken, b.taken, a.ticks * sizeof *a.taken);
    setup.seed = 2;
    c = run(&setup);
    assert_int_not_equal(memcmp(a.arrived, c.arrived, a.ticks * sizeof *a.arrived), 0);
    herd_free(&a);
    herd_free(&b);
    herd_free(&c);
}

static bool five_seconds(void *user, const struct herd_result *so_far)
{
    ++*(uint32_t *)user;
    return so_far->now_ms < 5000;
}

TEST(a_watcher_is_asked_every_second_and_can_stop_it)
{
    struct herd_setup setup = burst();
    uint32_t asked = 0;
    struct herd_result result;
    setup.watch = five_seconds;
    setup.user = &asked;
    result = run(&setup);
    assert_true(result.stopped);
    assert_int_equal(asked, 6);
    assert_true(result.now_ms < 5100);
    herd_free(&result);
}

TEST(an_invalid_policy_is_refused)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    setup.policy.cap_ms = 999;
    assert_true(!herd_run(&setup, &result));
    assert_null(result.arrived);
}

TEST(peaks_are_read_off_the_ticks)
{
    uint32_t arrived[40] = { 0 };
    struct herd_setup setup = burst();
    struct herd_result result = { .ticks = 40, .arrived = arrived };
    setup.clients = 10;
    arrived[0] = 99;                    /* the first call of all: not counted */
    arrived[12] = 3;
    arrived[21] = 4;                    /* in one second with the former */
    arrived[22] = 2;                    /* not in one with it */
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
