/* choose simulates a large fleet as smaller ones. Its figures must be those of the whole fleet.
   SPDX-License-Identifier: MIT */
#include "../../examples/fleet/choose.h"
#include "../unit/support.h"

#define CLIENTS 1000000u

/* All clients call at once; the server takes as many requests a second as the capacity says. */
static struct known known_of(uint32_t within_ms, uint32_t outage_ms, uint32_t capacity)
{
    struct known known = { .within_ms = within_ms };
    known.setup = (struct herd_setup){
        .clients = CLIENTS, .jobs = 1, .capacity = capacity, .per_ms = 1000, .burst_ms = 1000,
        .outage_ms = outage_ms, .horizon_ms = within_ms + 1000, .seed = 1
    };
    return known;
}

/* One fleet of all clients has the figures of the simulated smaller fleets. */
static struct candidate whole(const struct known *known, const struct candidate *said)
{
    struct candidate all = { .policy = said->policy, .setup = said->setup, .fleets = 1,
                             .requests = known->setup.clients };
    struct herd_result result;
    all.setup.clients = known->setup.clients;
    all.setup.per_ms = known->setup.per_ms;
    assert_true(herd_run(&all.setup, &result));
    all.served = result.served;
    all.calls = result.calls;
    all.half_ms = herd_share_ms(&all.setup, &result, 500);
    all.most_ms = herd_share_ms(&all.setup, &result, 900);
    all.peak = herd_peak(&all.setup, &result, choose_span_ms(&all.setup));
    herd_free(&result);
    return all;
}

/* a of a_whole is b of b_whole, to 2 %. */
static void assert_near(const char *what, uint64_t a, uint64_t a_whole, uint64_t b, uint64_t b_whole)
{
    uint64_t one = a * b_whole, other = b * a_whole;
    if (one * 100 > other * 102 || other * 100 > one * 102)
        fail_msg("%s: %llu of %llu, and of the whole fleet %llu of %llu", what, (unsigned long long)a,
                 (unsigned long long)a_whole, (unsigned long long)b, (unsigned long long)b_whole);
}

static void assert_figures(const struct known *known, const struct candidate *said)
{
    struct candidate is = whole(known, said);
    assert_near("served", said->served, said->requests, is.served, is.requests);
    assert_near("calls", said->calls, said->requests, is.calls, is.requests);
    assert_near("half", said->half_ms, 1, is.half_ms, 1);
    assert_near("nine in ten", said->most_ms, 1, is.most_ms, 1);
    assert_near("peak", said->peak * (uint64_t)said->setup.per_ms, said->fleets,
                is.peak * (uint64_t)is.setup.per_ms, 1);
}

/* The first one is the documented formula, which may need a hundred calls a client. */
static void assert_proposals(const struct known *known, unsigned from)
{
    struct choice choices[CHOOSE_MOST] = { 0 };
    bool beyond;
    unsigned count = choose(known, choices, &beyond);
    assert_false(beyond);
    assert_in_range(count, 2, CHOOSE_MOST);
    for (; from < count; from++)
        assert_figures(known, &choices[from].best);
}

TEST(the_figures_are_those_of_the_whole_fleet)
{
    struct known known = known_of(60000, 10000, 50000);
    assert_proposals(&known, 0);
}

/* On the scale of 10,000 clients the server takes 10 requests a second, and chance makes single seconds much busier. */
TEST(the_figures_are_those_of_the_whole_fleet_of_a_slow_server)
{
    struct known known = known_of(3600000, 1200000, 1000);
    assert_proposals(&known, 1);
}

/* A process brings 50 clients at once, which is much for a server of 100 requests a second. */
TEST(the_figures_are_those_of_the_whole_fleet_of_processes)
{
    struct known known = known_of(300000, 60000, 1000);
    known.setup.clients = CLIENTS / 10;
    known.setup.workers = 50;
    known.setup.gate = HERD_GATE_ON_429;
    known.setup.answer = HERD_CONSTANT;
    known.setup.after_s = 5;
    assert_proposals(&known, 0);
}

int main(void)
{
    return run_all();
}
