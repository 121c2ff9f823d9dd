/* src/budget.c and src/gate.c, interrupted by other threads before any of their accesses to shared
   words. Real threads meet these cases by chance; here each of them occurs on every machine.
   SPDX-License-Identifier: MIT */
#include "interleaved.h"

#include "../../src/budget.c"
#include "../../src/gate.c"

/* ---- the other threads ---- */

static struct redial_budget budget;
static struct redial_gate gate;
static unsigned takes, granted, successes;
/* two bits for each access to come: 1, a take comes before it; 2, a success does */
static unsigned script;
static unsigned closing_at;   /* a closing by another thread comes before this access; 0: none */
static uint32_t their_ms = 9000000;   /* for so long */

static void take_one(void)
{
    takes++;
    granted += budget.take_(&budget);
}

static void earn_one(void)
{
    successes++;
    budget.earn_(&budget);
}

static void interrupt(void)
{
    unsigned now = script & 3, later = script >> 2;
    bool closes = closing_at == 1;
    script = 0;   /* the other threads are not interrupted */
    closing_at -= closing_at > 0;
    if (now & 1)
        take_one();
    if (now & 2)
        earn_one();
    if (closes)
        redial_gate_close(&gate, 10, their_ms);
    script = later;
}

/* ---- the bounds of a budget ---- */

static void check(void (*operation)(void), uint32_t capacity, uint32_t percent, uint32_t tokens,
                  uint32_t cents, unsigned all)
{
    uint64_t had = (uint64_t)tokens * 100 + cents, full = (uint64_t)capacity * 100;
    uint64_t most, left_and_taken;
    redial_budget_init(&budget, capacity, percent);
    budget.tokens_ = tokens;
    budget.cents_ = cents;
    takes = granted = successes = 0;
    script = all;
    operation();
    most = had + (uint64_t)successes * percent;
    left_and_taken = ((uint64_t)budget.tokens_ + granted) * 100 + budget.cents_;
    if (budget.tokens_ > capacity || budget.cents_ >= 100 || left_and_taken > most
        || (most < full && left_and_taken != most)   /* it was never full, so nothing was lost */
        || (tokens >= takes && granted != takes))
        fail_msg("capacity %lu, percent %lu, %lu.%02lu tokens, script %#x: "
                 "%u of %u taken, %u earned, %lu.%02lu left",
                 (unsigned long)capacity, (unsigned long)percent, (unsigned long)tokens,
                 (unsigned long)cents, all, granted, takes, successes,
                 (unsigned long)budget.tokens_, (unsigned long)budget.cents_);
}

static void check_scripts(uint32_t capacity, uint32_t percent)
{
    static const uint32_t some[] = { 0, 1, 50, 99 };
    for (uint32_t tokens = 0; tokens <= capacity; tokens++)
        for (size_t i = 0; i < LENGTH(some); i++)
            for (unsigned all = 0; all < 1u << 10; all++) {
                check(take_one, capacity, percent, tokens, some[i], all);
                check(earn_one, capacity, percent, tokens, some[i], all);
            }
}

TEST(an_interrupted_take_or_success_gains_nothing_and_loses_nothing_below_full)
{
    static const uint32_t capacities[] = { 0, 1, 2, 3, 12 };
    static const uint32_t percents[] = { 0, 1, 50, 99, 100, 101, 150, 199, 250 };
    for (size_t c = 0; c < LENGTH(capacities); c++)
        for (size_t p = 0; p < LENGTH(percents); p++)
            check_scripts(capacities[c], percents[p]);
}

/* Otherwise threads that only succeed would pass one cache line around. */
TEST(a_success_with_a_full_budget_and_a_take_from_an_empty_one_write_nothing)
{
    redial_budget_init(&budget, 1, 50);
    script = writes = 0;
    earn_one();
    assert_int_equal(writes, 0);
    take_one();
    assert_int_equal(writes, 1);
    take_one();
    assert_int_equal(writes, 1);
    earn_one();
    assert_int_equal(writes, 3);
}

/* ---- a gate ---- */

TEST(the_later_end_stays_whenever_another_thread_closes_the_gate)
{
    for (unsigned access = 1; access <= 10; access++) {
        bool longer = access <= 5;
        gate = (struct redial_gate){ 0 };
        closing_at = longer ? access : access - 5;
        their_ms = longer ? 9000000 : 1000;
        redial_gate_close(&gate, 10, longer ? 1000 : 9000000);
        assert_int_equal(redial_gate_left_ms(&gate, 10), 9000000);
    }
    their_ms = 9000000;
}

TEST(a_check_of_an_end_that_has_passed_does_not_open_what_was_closed_meanwhile)
{
    gate = (struct redial_gate){ 0 };
    redial_gate_close(&gate, 0, 5);
    closing_at = 2;
    assert_int_equal(redial_gate_left_ms(&gate, 10), 0);
    assert_int_equal(redial_gate_left_ms(&gate, 10), 9000000);
}

/* Otherwise the threads that check would pass one cache line around. */
TEST(a_check_writes_only_where_it_opens_the_gate)
{
    static const struct { uint32_t now_ms, left_ms; unsigned writes; } checks[] = {
        { 10, 10, 0 }, { UINT32_MAX / 2 + 21, 0, 0 }, { 20, 0, 1 }, { 20, 0, 1 }, { 0, 0, 1 }
    };
    gate = (struct redial_gate){ 0 };
    redial_gate_close(&gate, 0, 20);
    writes = 0;
    for (size_t i = 0; i < LENGTH(checks); i++) {
        assert_int_equal(redial_gate_left_ms(&gate, checks[i].now_ms), checks[i].left_ms);
        assert_int_equal(writes, checks[i].writes);
    }
}

int main(void)
{
    return run_all();
}
