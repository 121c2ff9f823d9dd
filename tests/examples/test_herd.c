/* The simulation of herd: its rules, by hand. check_fleet.sh compares the figures of whole fleets.
   SPDX-License-Identifier: MIT */
#include "../../examples/fleet/herd_model.h"
#include "../common/support.h"

#define ADDED .policy.jitter = REDIAL_JITTER_ADDED
#define FULL .policy.jitter = REDIAL_JITTER_FULL

/* Without clients it has 10,000, without retries unlimited ones, without a horizon one of an hour.
   The result is freed four runs later. */
static const struct herd_result *run(struct herd_setup setup)
{
    static struct herd_result results[4];
    static unsigned runs;
    struct herd_result *result = &results[runs++ % 4];
    const struct redial_policy usual = REDIAL_POLICY_DEFAULT;
    setup.clients += setup.clients ? 0 : 10000;
    setup.horizon_ms += setup.horizon_ms ? 0 : 3600000;
    setup.policy.max_retries += setup.policy.max_retries ? 0 : REDIAL_NO_LIMIT;
    setup.policy.base_ms += setup.policy.base_ms ? 0 : usual.base_ms;
    setup.policy.cap_ms += setup.policy.cap_ms ? 0 : usual.cap_ms;
    setup.policy.jitter_ms += setup.policy.jitter_ms ? 0 : REDIAL_JITTER_MAX_MS;
    herd_free(result);
    memset(result, 0xA5, sizeof *result);
    assert_true(herd_run(&setup, result));
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
        fail_msg("%llu is not from %llu to %llu", (unsigned long long)got,
                 (unsigned long long)least, (unsigned long long)most);
}

/* ---- the server ---- */

/* Callers that come all the time get what the bucket held, and the capacity since the first of them
   came. */
TEST(a_bucket_lets_through_exactly_its_rate_however_slow_or_fast_it_is)
{
    static const struct { uint32_t capacity, per_ms, burst_ms, taken; } known[] = {
        { 1, 1000, 2000, 2 + 119 }, { 7, 60000, 20000, 2 + 14 }, { 97, 1000, 100, 9 + 11640 },
        { 1, 7000, 14000, 2 + 17 }, { 1000000, 1000, 0, 20000 }
    };
    for (unsigned i = 0; i < LENGTH(known); i++)
        assert_int_equal(
            run((struct herd_setup){ FULL, .policy.base_ms = 500, .policy.cap_ms = 500,
                                     .clients = 20000, .capacity = known[i].capacity,
                                     .per_ms = known[i].per_ms, .burst_ms = known[i].burst_ms,
                                     .horizon_ms = 120000 })
                ->served,
            known[i].taken);
}

/* Attempts from the tick first to before end, and those of them that are served. */
static const struct timetable {
    const char *what;
    struct herd_setup setup;
    struct { uint32_t first, end, attempts[2], served[2]; } spans[3];   /* the least, the most */
} timetables[] = {
    { "a constant Retry-After keeps all away, and a bucket that nobody asks holds no more than its "
      "burst",
      { ADDED, .capacity = 10, .burst_ms = 2000, .after_s = 45, .horizon_ms = 50000 },
      { { 0, 1, { 10000, 10000 }, { 20, 20 } },
        { 1, 450, { 0, 0 }, { 0, 0 } },
        { 450, 463, { 9980, 9980 }, { 29, 33 } } } },
    { "half of all call in the first half of two seconds, if the mean pause is one",
      { ADDED, .pause_ms = 1000, .capacity = 1000000 },
      { { 0, 10, { 4600, 5100 }, { 4600, 5100 } },
        { 0, 21, { 10000, 10000 }, { 10000, 10000 } } } },
    { "a wait longer than the wheel is waited in full, and nothing is served in an outage",
      { ADDED, .policy.base_ms = 200000, .policy.cap_ms = 200000, .capacity = 10000000,
        .outage_ms = 1000 },
      { { 0, 1, { 10000, 10000 }, { 0, 0 } },
        { 1, 2000, { 0, 0 }, { 0, 0 } },
        { 2000, 2001, { 10000, 10000 }, { 10000, 10000 } } } },
};

TEST(attempts_come_and_are_served_at_the_times_that_were_worked_out_by_hand)
{
    for (unsigned i = 0; i < LENGTH(timetables); i++) {
        const struct herd_result *result = run(timetables[i].setup);
        print_message("%s\n", timetables[i].what);
        for (unsigned k = 0; k < 3; k++) {
            uint32_t first = timetables[i].spans[k].first, end = timetables[i].spans[k].end;
            const uint32_t *attempts = timetables[i].spans[k].attempts,
                           *served = timetables[i].spans[k].served;
            between(sum(result->arrived, first, end), attempts[0], attempts[1]);
            between(sum(result->taken, first, end), served[0], served[1]);
        }
    }
}

/* ---- the clients ---- */

TEST(every_client_is_served_or_gives_up)
{
    const struct herd_result *nine =
        run((struct herd_setup){ ADDED, .policy.max_retries = 9, .capacity = 100 });
    const struct herd_result *eight =
        run((struct herd_setup){ ADDED, .policy.max_retries = 8, .capacity = 100 });
    assert_true(nine->served > nine->early && nine->early > 0 && nine->gave_up > 0);
    assert_int_equal(nine->served + nine->gave_up, 10000);
    assert_true(nine->attempts >= 10 * nine->gave_up + nine->served);
    assert_int_equal(sum(nine->arrived, 0, nine->ticks), nine->attempts);
    assert_int_equal(sum(nine->taken, 0, nine->ticks), nine->served);
    assert_int_equal(eight->served, eight->early);
}

/* ---- processes, gates and budgets ---- */

/* 10 processes of 64 clients, whose first attempts come within 2 s. The server takes one, and the
   others get 50 s. */
static const struct herd_setup processes = {
    ADDED, .clients = 640, .workers = 64, .pause_ms = 1000, .capacity = 1, .per_ms = HERD_MOST_MS,
    .after_s = 50, .horizon_ms = 49000
};

TEST(while_a_gate_is_closed_its_process_sends_nothing_and_others_do)
{
    struct herd_setup setup = processes;
    const struct herd_result *result = run(setup);
    assert_true(result->attempts == 640 && result->held == 0);
    setup.gate = true;
    result = run(setup);
    /* one of each process, and those that were under way by then */
    between(result->attempts, 10, 60);
    assert_int_equal(result->attempts + result->held, 640);
}

/* If the wait were 0, the request would leave in a millisecond whose events have been handled. */
TEST(a_process_waits_at_least_a_tick_so_that_no_client_is_lost)
{
    const struct herd_result *result =
        run((struct herd_setup){ FULL, .clients = 1000, .workers = 10, .capacity = 10 });
    assert_int_equal(result->served, 1000);
}

TEST(each_process_has_a_budget_of_its_own_and_a_fleet_without_processes_has_one)
{
    struct herd_setup setup = processes;
    const struct herd_result *result;
    setup.after_s = 0;
    setup.budget = 7;
    setup.horizon_ms = 3600000;
    result = run(setup);
    assert_true(result->served == 1 && result->attempts == 640 + 10 * 7 && result->gave_up == 639);
    setup.workers = 0;
    assert_int_equal(run(setup)->attempts, 640 + 7);
    result = run((struct herd_setup){ ADDED, .capacity = 100, .budget = 500 });
    between(result->attempts, 10000 + 500 + result->served / 20, 10000 + 500 + result->served / 10);
}

/* ---- the figures ---- */

/* An attempt for each request, and one more for each client that the server can't take at once. All
   first attempts have come after 18 ms, or 18 ms after the longest pause. */
TEST(the_floor_is_what_the_server_can_take)
{
    static const struct { struct herd_setup setup; uint64_t attempts, ms;
    } known[] = {
        { { .clients = 5, .capacity = 10, .burst_ms = 1000 }, 5, 0 },
        { { .clients = 11, .capacity = 10, .burst_ms = 1000 }, 12, 100 },
        { { .clients = 14, .capacity = 3, .burst_ms = 1000 }, 25, 3667 },
        { { .clients = 10000, .capacity = 10, .burst_ms = 1000, .outage_ms = 20000 },
          20000,
          1019000 },
        { { .clients = 10000, .capacity = 1000 }, 20000 - 1 - 18, 9999 },
        { { .clients = 10000, .capacity = 1000, .pause_ms = 500 }, 20000 - 1 - 1018, 9999 },
        { { .clients = 10, .capacity = 4, .per_ms = 60000, .burst_ms = 60000 }, 16, 90000 },
        { { .clients = 3, .capacity = 4, .per_ms = 60000, .outage_ms = 90000 }, 6, 120000 }
    };
    for (unsigned i = 0; i < LENGTH(known); i++) {
        assert_int_equal(herd_least_attempts(&known[i].setup), known[i].attempts);
        assert_int_equal(herd_least_ms(&known[i].setup, known[i].setup.clients), known[i].ms);
        assert_int_equal(herd_least_ms(&known[i].setup, 0), 0);
    }
}

int main(void)
{
    return run_all();
}
