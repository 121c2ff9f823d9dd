/* The simulation of fleet, and what its full server tells a client that it refuses, by hand.
   check_fleet.sh compares the figures of whole fleets. SPDX-License-Identifier: MIT */
#include "../common/support.h"
#include <stdatomic.h>

static unsigned others;   /* so many threads take a slot before the next swap */

static bool late_swap(_Atomic uint64_t *slot, uint64_t *was, uint64_t wanted)
{
    for (; others > 0; others--)
        atomic_fetch_add(slot, 1000000);
    return atomic_compare_exchange_strong(slot, was, wanted);
}

#undef atomic_compare_exchange_weak
#define atomic_compare_exchange_weak late_swap
#include "../../examples/fleet/simulation.c"

#define EVER REDIAL_NO_LIMIT
#define POLICY(mode, base, cap, retries) \
    .policy = { .base_ms = base, .cap_ms = cap, .jitter_ms = 1000, .max_retries = retries, \
                .jitter = REDIAL_JITTER_##mode }

/* How many came in the ticks from first to before end: from limits[0] to limits[1]. */
static void between(const uint32_t *counts, uint32_t first, uint32_t end, const uint32_t *limits)
{
    uint64_t all = 0;
    for (uint32_t i = first; i < end; i++)
        all += counts[i];
    assert_in_range(all, limits[0], limits[1]);
}

/* 10,000 clients. Attempts from the tick first to before end, and those of them that are served. */
static const struct timetable {
    const char *what;
    struct fleet_setup setup;
    struct span { uint32_t first, end, attempts[2], served[2]; } spans[3];   /* least, most */
} timetables[] = {
    { "a bucket lets through what it held and its rate, to callers that come all the time",
      { POLICY(FULL, 500, 500, EVER), .capacity = 7, .burst_ms = 2000, .horizon_ms = 120000 },
      { { 0, 1, { 10000, 14000 }, { 14, 14 } }, { 0, 1200, { 4000000, 4500000 }, { 853, 853 } } } },
    { "a server without a burst saves up one request, and no more",
      { POLICY(FULL, 500, 500, EVER), .capacity = 7, .horizon_ms = 120000 },
      { { 0, 1, { 10000, 14000 }, { 1, 1 } }, { 0, 1200, { 4000000, 4500000 }, { 840, 840 } } } },
    { "or what it takes in a millisecond, if that is more",
      { POLICY(FULL, 500, 500, EVER), .capacity = 1000000, .horizon_ms = 120000 },
      { { 0, 20, { 10000, 14000 }, { 10000, 10000 } } } },
    { "a constant Retry-After keeps all away, and a bucket that nobody asks holds no more than its "
      "burst",
      { POLICY(ADDED, 1000, 32000, EVER), .capacity = 10, .burst_ms = 2000, .after_s = 45,
        .horizon_ms = 50000 },
      { { 0, 1, { 10000, 10000 }, { 20, 20 } },
        { 1, 450, { 0, 0 }, { 0, 0 } },
        { 450, 463, { 9980, 9980 }, { 29, 33 } } } },
    { "with slots, as many come in each second as the server takes; those beyond come together",
      { POLICY(ADDED, 1000, 32000, EVER), .capacity = 20, .burst_ms = 1000, .slots = true,
        .horizon_ms = 310000 },
      { { 0, 1, { 10000, 10000 }, { 20, 20 } },
        { 1, 2998, { 5900, 6000 }, { 5850, 6000 } },
        { 3000, 3012, { 3900, 4100 }, { 20, 60 } } } },
    { "a wait longer than the wheel is waited in full, and nothing is served in an outage",
      { POLICY(ADDED, 200000, 200000, EVER), .capacity = 10000000, .outage_ms = 1000,
        .horizon_ms = 3600000 },
      { { 0, 1, { 10000, 10000 }, { 0, 0 } },
        { 1, 2000, { 0, 0 }, { 0, 0 } },
        { 2000, 2001, { 10000, 10000 }, { 10000, 10000 } } } },
};

TEST(attempts_come_and_are_served_at_the_times_that_were_worked_out_by_hand)
{
    for (unsigned i = 0; i < LENGTH(timetables); i++) {
        struct fleet_setup setup = timetables[i].setup;
        struct fleet_result result;
        print_message("%s\n", timetables[i].what);
        setup.clients = 10000;
        memset(&result, 0xA5, sizeof result);
        assert_true(fleet_run(&setup, &result));
        for (unsigned k = 0; k < 3; k++) {
            const struct span *span = &timetables[i].spans[k];
            between(result.arrived, span->first, span->end, span->attempts);
            between(result.taken, span->first, span->end, span->served);
        }
        fleet_free(&result);
    }
}

/* An attempt for each client, and one more for each that the server can't take at once. All first
   attempts have come after 18 ms. */
TEST(the_floor_is_what_the_server_can_take)
{
    static const struct { struct fleet_setup setup; uint64_t attempts, ms; } known[] = {
        { { .clients = 5, .capacity = 10, .burst_ms = 1000 }, 5, 0 },
        { { .clients = 11, .capacity = 10, .burst_ms = 1000 }, 12, 100 },
        { { .clients = 14, .capacity = 3, .burst_ms = 1000 }, 25, 3667 },
        { { .clients = 10000, .capacity = 10, .burst_ms = 1000, .outage_ms = 20000 },
          20000, 1019000 },
        { { .clients = 10000, .capacity = 1000 }, 20000 - 1 - 18, 9999 }
    };
    for (unsigned i = 0; i < LENGTH(known); i++) {
        assert_int_equal(fleet_least_attempts(&known[i].setup), known[i].attempts);
        assert_int_equal(fleet_least_ms(&known[i].setup, known[i].setup.clients), known[i].ms);
        assert_int_equal(fleet_least_ms(&known[i].setup, 0), 0);
    }
}

TEST(each_client_that_is_refused_is_told_the_next_free_slot)
{
    static const struct {
        const char *what;
        uint32_t rate, now_ms, times, told_s;   /* times: refusals; told: the last of them */
    } rows[] = {
        { "the next clients get the next slots, and seconds are rounded up", 4, 0, 4, 1 },
        { "the next second has slots, too", 4, 0, 1, 2 },
        { "a slot that has passed is not given", 4, 10000, 4, 1 },
        { "a thread whose clock is some milliseconds behind gets a later slot", 4, 9990, 1, 2 },
        { "a part of a millisecond is kept", 3000, 0, 3000, 1 },
        { "and the next second begins after it", 3000, 0, 4, 2 },
        { "the counter is about to wrap", 1, UINT32_MAX - 1499, 3, 3 },
        { "after it has wrapped, what was given counts", 1, 0, 1, 3 },
        { "slots end after five minutes, and then all are told 300", 2, 0, 1000, 300 },
        { "which moves nothing", 2, 299000, 1, 2 },
        { "more than one in a microsecond is not given", 3000000, 0, 1000001, 2 },
    };
    struct slots slots = { 0, 0 };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        uint32_t told_s = 0;
        print_message("%s\n", rows[i].what);
        if (slots.rate != rows[i].rate)
            slots = (struct slots){ .rate = rows[i].rate };
        for (unsigned k = 0; k < rows[i].times; k++)
            told_s = next_slot_s(&slots, rows[i].now_ms);
        assert_int_equal(told_s, rows[i].told_s);
    }
}

TEST(a_slot_that_another_thread_takes_meanwhile_is_not_given_again)
{
    struct slots slots = { .rate = 1 };
    others = 3;
    assert_int_equal(next_slot_s(&slots, 0), 4);
    assert_int_equal(next_slot_s(&slots, 0), 5);
}

int main(void)
{
    return run_all();
}
