/* The simulation behind herd and choose: what it keeps to, and figures that are known from elsewhere. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "../../examples/fleet/herd_model.h"

/* A tenth of the fleet and of the server for which the figures are known. */
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

static void a_burst_of_100_s_costs_what_is_known(void **state)
{
    static const struct { enum redial_jitter jitter; uint32_t tenths_of_calls, seconds; } known[] = {
        { REDIAL_JITTER_ADDED, 237, 1827 }, { REDIAL_JITTER_SPREAD, 80, 164 },
        { REDIAL_JITTER_EQUAL, 74, 134 }, { REDIAL_JITTER_FULL, 81, 120 }
    };
    unsigned i;
    (void)state;
    for (i = 0; i < sizeof known / sizeof *known; i++) {
        struct herd_setup setup = burst_of(known[i].jitter);
        struct herd_result result = run(&setup);
        assert_int_equal(result.served, setup.clients);
        within_a_fifth(result.calls * 10 / setup.clients, known[i].tenths_of_calls);
        within_a_fifth(result.last_served_ms / 1000, known[i].seconds);
        herd_free(&result);
    }
}

/* Everybody is told the same Retry-After. The random part of the wait keeps the fleet from coming back all at once. */
static void a_fleet_that_is_told_the_same_retry_after_does_not_come_back_at_once(void **state)
{
    static const struct { uint32_t after_s, tenths_of_calls, seconds; } known[] = { { 1, 64, 130 }, { 30, 63, 288 },
                                                                                    { 60, 63, 498 } };
    unsigned i;
    int mode;
    (void)state;
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

static void places_in_a_queue_come_near_the_floor(void **state)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    (void)state;
    setup.clients = 100000;
    setup.capacity = 1000;
    setup.answer = HERD_SLOT;
    result = run(&setup);
    assert_int_equal(result.served, setup.clients);
    assert_true(result.calls <= setup.clients * UINT64_C(21) / 10);     /* the floor: 2 */
    assert_true(result.last_served_ms <= 115000);                       /* the floor: 100 s */
    herd_free(&result);
}

static void with_a_quota_a_minute_the_formula_does_as_well_as_any(void **state)
{
    struct herd_setup setup = burst_of(REDIAL_JITTER_ADDED);
    struct herd_result added, other;
    int mode;
    (void)state;
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

static void nothing_is_served_in_an_outage(void **state)
{
    struct herd_setup setup = burst_of(REDIAL_JITTER_FULL);
    struct herd_result result;
    (void)state;
    setup.outage_ms = 20000;
    setup.capacity = 1000000;
    result = run(&setup);
    assert_int_equal(sum(result.taken, 0, 200), 0);
    assert_true(sum(result.arrived, 0, 200) > setup.clients);
    assert_int_equal(result.served, setup.clients);
    assert_int_equal(sum(result.taken, 200, result.ticks), setup.clients);
    herd_free(&result);
}

static void no_window_takes_more_than_its_share_of_the_capacity(void **state)
{
    struct herd_setup setup = burst_of(REDIAL_JITTER_FULL);
    struct herd_result result;
    uint32_t tick;
    uint64_t most = 0;
    (void)state;
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

static void a_constant_retry_after_keeps_everybody_away_for_so_long(void **state)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    (void)state;
    setup.answer = HERD_CONSTANT;
    setup.after_s = 45;
    setup.horizon_ms = 50000;
    result = run(&setup);
    assert_int_equal(sum(result.arrived, 1, 450), 0);
    assert_int_equal(sum(result.arrived, 450, 463), setup.clients - sum(result.taken, 0, 1));
    herd_free(&result);
}

static void places_are_given_out_at_the_pace_of_the_capacity(void **state)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    uint32_t second;
    (void)state;
    setup.answer = HERD_SLOT;
    setup.policy.jitter = REDIAL_JITTER_NONE;   /* so a place in second k is a call in second k */
    setup.horizon_ms = 60000;
    result = run(&setup);
    for (second = 1; second < 60; second++)     /* whoever came in vain is told a place behind all of these */
        assert_true(sum(result.arrived, second * 10, second * 10 + 10) - 99 <= 2);  /* 99..101: the queue began
                                                                                       at the first refusal */
    herd_free(&result);
}

/* ---- the clients ---- */

static void every_client_is_served_or_gives_up(void **state)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    (void)state;
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

static void the_budget_bounds_the_retries_of_the_fleet(void **state)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    (void)state;
    setup.budget = true;
    setup.budget_capacity = 500;
    setup.budget_percent = 50;
    result = run(&setup);
    assert_true(result.calls >= setup.clients + 500);
    assert_true(result.calls <= setup.clients + 500 + result.served / 2);
    herd_free(&result);
}

static void a_wait_longer_than_the_wheel_is_kept_to(void **state)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    (void)state;
    setup.policy.base_ms = setup.policy.cap_ms = 200000;
    setup.capacity = 1000000;
    setup.outage_ms = 1000;
    result = run(&setup);
    assert_int_equal(result.calls, 2 * setup.clients);
    assert_int_equal(sum(result.arrived, 2000, 2001), setup.clients);
    herd_free(&result);
}

/* One client, many seeds: mean and variance of when it is served, within four sigma. */
static void served_at(uint32_t outage_ms, uint32_t mean_ms, uint32_t variance)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    int64_t total = 0, squares = 0, away;
    setup.clients = 1;
    setup.outage_ms = outage_ms;
    setup.horizon_ms = 2000;
    setup.policy.jitter = REDIAL_JITTER_NONE;
    for (setup.seed = 0; setup.seed < 2000; setup.seed++) {
        result = run(&setup);
        assert_int_equal(result.served, 1);
        away = (int64_t)result.last_served_ms - mean_ms;
        total += away;
        squares += away * away;
        herd_free(&result);
    }
    assert_true(total * total < 16 * 2000 * (int64_t)variance);
    assert_true(squares - total * total / 2000 > 2000 * (int64_t)variance * 7 / 8);
    assert_true(squares - total * total / 2000 < 2000 * (int64_t)variance * 9 / 8);
}

static void messages_take_10_ms_with_a_deviation_of_2_ms_each(void **state)
{
    (void)state;
    served_at(0, 20, 2 * 4);
    served_at(500, 10 + 10 + 1000 + 10 + 10, 4 * 4);
}

/* ---- the run ---- */

static void the_same_seed_gives_the_same_run(void **state)
{
    struct herd_setup setup = burst_of(REDIAL_JITTER_FULL);
    struct herd_result a = run(&setup), b = run(&setup), c;
    (void)state;
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

static void a_watcher_is_asked_every_second_and_can_stop_it(void **state)
{
    struct herd_setup setup = burst();
    uint32_t asked = 0;
    struct herd_result result;
    (void)state;
    setup.watch = five_seconds;
    setup.user = &asked;
    result = run(&setup);
    assert_true(result.stopped);
    assert_int_equal(asked, 6);
    assert_true(result.now_ms < 5100);
    herd_free(&result);
}

static void an_invalid_policy_is_refused(void **state)
{
    struct herd_setup setup = burst();
    struct herd_result result;
    (void)state;
    setup.policy.cap_ms = 999;
    assert_true(!herd_run(&setup, &result));
    assert_null(result.arrived);
}

static void shares_and_peaks_are_read_off_the_ticks(void **state)
{
    uint32_t arrived[40] = { 0 }, taken[40] = { 0 };
    struct herd_setup setup = burst();
    struct herd_result result = { .ticks = 40, .arrived = arrived, .taken = taken };
    (void)state;
    setup.clients = 10;
    arrived[0] = 99;                    /* the first call of all: not counted */
    arrived[12] = 3;
    arrived[21] = 4;                    /* in one second with the former */
    arrived[22] = 2;                    /* not in one with it */
    taken[12] = taken[21] = 3;
    assert_int_equal(herd_peak(&setup, &result), 7);
    setup.outage_ms = 2200;
    assert_int_equal(herd_peak(&setup, &result), 2);
    assert_int_equal(herd_share_ms(&setup, &result, 300), 1300);
    assert_int_equal(herd_share_ms(&setup, &result, 301), 2200);
    assert_int_equal(herd_share_ms(&setup, &result, 601), UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_burst_of_100_s_costs_what_is_known),
        cmocka_unit_test(a_fleet_that_is_told_the_same_retry_after_does_not_come_back_at_once),
        cmocka_unit_test(places_in_a_queue_come_near_the_floor),
        cmocka_unit_test(with_a_quota_a_minute_the_formula_does_as_well_as_any),
        cmocka_unit_test(nothing_is_served_in_an_outage),
        cmocka_unit_test(no_window_takes_more_than_its_share_of_the_capacity),
        cmocka_unit_test(a_constant_retry_after_keeps_everybody_away_for_so_long),
        cmocka_unit_test(places_are_given_out_at_the_pace_of_the_capacity),
        cmocka_unit_test(every_client_is_served_or_gives_up),
        cmocka_unit_test(the_budget_bounds_the_retries_of_the_fleet),
        cmocka_unit_test(a_wait_longer_than_the_wheel_is_kept_to),
        cmocka_unit_test(messages_take_10_ms_with_a_deviation_of_2_ms_each),
        cmocka_unit_test(the_same_seed_gives_the_same_run),
        cmocka_unit_test(a_watcher_is_asked_every_second_and_can_stop_it),
        cmocka_unit_test(an_invalid_policy_is_refused),
        cmocka_unit_test(shares_and_peaks_are_read_off_the_ticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
