/* src/gate.c among other threads, and alone. SPDX-License-Identifier: MIT

   Before each atomic operation the other threads may have done whatever they are able to: ask for longer waits than
   anybody before, write any end and any start, and raise longest_ms_ up to the longest wait that was asked for. Each
   write of ours must keep to that, so no thread ever leaves it. A swap that has failed twice is not looked at further:
   the third try begins as the second did. */
#include "proof.h"

static struct redial_gate gate;
static bool among_others, only_looks;
static uint32_t asked_ms;    /* the longest wait that anybody asked for; 0: nobody did */
static uint32_t found_ms;    /* the end that was loaded last */
static unsigned failures;    /* swaps that failed */

static void others_run(void)
{
    uint32_t asked_before_ms = asked_ms, longest_before_ms = gate.longest_ms_;
    if (!among_others)
        return;
    gate.end_ms_ = nondet_u32();
    gate.start_ms_ = nondet_u32();
    gate.longest_ms_ = nondet_u32();
    asked_ms = nondet_u32();
    assume(asked_ms >= asked_before_ms && asked_ms <= INT32_MAX);
    assume(gate.longest_ms_ >= longest_before_ms && gate.longest_ms_ <= asked_ms);
}

static uint32_t watched_load(const uint32_t *word)
{
    others_run();
    prove(word == &gate.end_ms_ || word == &gate.start_ms_ || word == &gate.longest_ms_);
    if (word == &gate.end_ms_)
        found_ms = *word;
    return *word;
}

static void watched_store(uint32_t *word, uint32_t now)
{
    others_run();
    prove(!only_looks && (word == &gate.start_ms_ || word == &gate.end_ms_));
    *word = now;
}

static void is_allowed(const uint32_t *word, uint32_t had, uint32_t now);

static bool watched_swap(uint32_t *word, uint32_t *had, uint32_t now)
{
    others_run();
    is_allowed(word, *had, now);
    if (*word != *had) {
        assume(++failures <= 2);
        *had = *word;
        return false;
    }
    *word = now;
    return true;
}

#define __atomic_load_n(word, order) watched_load(word)
#define __atomic_store_n(word, now, order) watched_store(word, now)
#define __atomic_compare_exchange_n(word, had, now, weak, order, otherwise) watched_swap(word, had, now)
#include "../../src/gate.c"

/* A check opens the gate only if the end is still the one that it found. A closing raises longest_ms_ at most to the
   time that was asked for. */
static void is_allowed(const uint32_t *word, uint32_t had, uint32_t now)
{
    if (only_looks)
        prove(word == &gate.end_ms_ && had == found_ms && now == OPEN_MS);
    else if (word == &gate.longest_ms_)
        prove(now > had && now <= asked_ms);
    else
        prove(word == &gate.end_ms_);
}

static void any_gate(bool other_threads)
{
    gate.left_ = left;
    gate.itself_ = &gate;
    gate.end_ms_ = nondet_u32();
    gate.start_ms_ = nondet_u32();
    gate.longest_ms_ = nondet_u32();
    asked_ms = nondet_u32();
    assume(asked_ms <= INT32_MAX && gate.longest_ms_ <= asked_ms);
    among_others = other_threads;
    only_looks = false;
    failures = 0;
}

/* On a counter that wraps. The second takes the place of redial_difference: arithmetic.c proves that it is the same. */
static uint32_t later(uint32_t now_ms, uint64_t ms)
{
    return (uint32_t)((now_ms + ms) & UINT32_MAX);
}

uint32_t difference(uint32_t later_ms, uint32_t earlier_ms)
{
    return (uint32_t)((((uint64_t)1 << 32) + later_ms - earlier_ms) & UINT32_MAX);
}

/* ---- whatever others do ---- */

void left_is_no_more_than_anybody_asked_for_whatever_others_do(void)
{
    uint32_t left_ms;
    any_gate(true);
    left_ms = redial_gate_left_ms(&gate, nondet_u32());
    prove(left_ms <= asked_ms);   /* so 0 if nobody closed it */
    reached();
}

void closing_asks_for_no_more_than_it_was_told_whatever_others_do(void)
{
    uint32_t ms = nondet_u32(), told_ms = ms < INT32_MAX ? ms : INT32_MAX;
    any_gate(true);
    if (asked_ms < told_ms)
        asked_ms = told_ms;
    redial_gate_close(&gate, nondet_u32(), ms);
    prove(gate.longest_ms_ >= told_ms && gate.longest_ms_ <= asked_ms);
    reached();
}

/* It writes once at most, and only if nobody has written another end since. */
void a_look_loses_no_closing_of_another_thread(void)
{
    uint32_t now_ms = nondet_u32();
    any_gate(true);
    only_looks = true;
    redial_gate_left_ms(&gate, now_ms);
    prove(failures <= 1);
    reached();
}

/* ---- alone ---- */

void a_new_gate_is_open_and_a_zeroed_one_holds_nobody(void)
{
    static const struct redial_gate zeroed;
    any_gate(false);
    redial_gate_init(&gate);
    prove(redial_gate_left_ms(&gate, nondet_u32()) == 0);
    gate = zeroed;
    asked_ms = INT32_MAX;
    redial_gate_close(&gate, nondet_u32(), nondet_u32());
    prove(redial_gate_left_ms(&gate, nondet_u32()) == 0);
    reached();
}

static uint32_t until_the_end(uint32_t now_ms)
{
    return gate.end_ms_ == OPEN_MS ? 0 : difference(gate.end_ms_, now_ms);
}

static bool is_closed(uint32_t now_ms)
{
    return until_the_end(now_ms) >= 1 && until_the_end(now_ms) <= INT32_MAX;
}

/* True after every operation, up to 2^31 ms after the end, if now_ms is the latest reading of the clock. */
static bool is_settled(uint32_t now_ms)
{
    uint32_t length_ms = difference(gate.end_ms_, gate.start_ms_);
    if (gate.end_ms_ == OPEN_MS)
        return true;
    if (length_ms < 1 || length_ms > INT32_MAX)
        return false;
    return !is_closed(now_ms)
           || (until_the_end(now_ms) <= length_ms
               && until_the_end(now_ms) <= gate.longest_ms_ + (gate.end_ms_ == OPEN_MS + 1));
}

/* The end of a closing, from now_ms on: that of the longest one must not get further away. */
static uint32_t closed_for(uint32_t now_ms, uint32_t ms)
{
    uint32_t told_ms = ms < INT32_MAX ? ms : INT32_MAX;
    if (told_ms == 0 || later(now_ms, told_ms) != OPEN_MS)
        return told_ms;
    return told_ms < INT32_MAX ? told_ms + 1 : told_ms - 1;
}

/* The end, from now_ms on: less than 0 if it is past. */
static int64_t end_from(uint32_t now_ms)
{
    int64_t ms = until_the_end(now_ms);
    return ms > INT32_MAX ? ms - ((int64_t)1 << 32) : ms;
}

void closing_leaves_the_later_end(void)
{
    uint32_t now_ms = nondet_u32(), ms = nondet_u32();
    int64_t end_ms, own_end_ms;
    any_gate(false);
    asked_ms = INT32_MAX;
    assume(is_settled(now_ms));
    end_ms = end_from(now_ms);
    own_end_ms = closed_for(now_ms, ms);
    if (ms > 0 && (gate.end_ms_ == OPEN_MS || end_ms < own_end_ms))
        end_ms = own_end_ms;
    redial_gate_close(&gate, now_ms, ms);
    prove(is_settled(now_ms));
    prove(end_from(now_ms) == end_ms);
    reached();
}

/* The clock was last read at the start of a closing; the reading of this one is older by age_ms. */
void closing_by_an_older_reading_leaves_the_later_end(void)
{
    uint32_t age_ms = nondet_u32(), ms = nondet_u32(), now_ms, end_ms, own_end_ms;
    any_gate(false);
    asked_ms = INT32_MAX;
    now_ms = difference(gate.start_ms_, age_ms);
    end_ms = until_the_end(now_ms);
    own_end_ms = closed_for(now_ms, ms);
    assume(is_closed(gate.start_ms_) && age_ms <= LATE_MS);
    assume(end_ms > age_ms && end_ms <= INT32_MAX);   /* further ahead, the older reading takes it for past */
    redial_gate_close(&gate, now_ms, ms);
    prove(until_the_end(now_ms) == (end_ms < own_end_ms ? own_end_ms : end_ms));
    reached();
}

/* If the end is OPEN_MS + 1, the closing may have been for 1 ms less. */
void a_look_tells_the_time_up_to_the_end(void)
{
    uint32_t latest_ms = nondet_u32(), passed_ms = nondet_u32(), left_ms;
    int64_t left_to_the_end_ms;
    any_gate(false);
    assume(is_settled(latest_ms));
    left_to_the_end_ms = end_from(latest_ms) - passed_ms;
    assume(left_to_the_end_ms >= INT32_MIN);
    left_ms = redial_gate_left_ms(&gate, later(latest_ms, passed_ms));
    prove(is_settled(later(latest_ms, passed_ms)));
    if (left_to_the_end_ms <= 0)
        prove(left_ms == 0);
    else
        prove(left_ms == left_to_the_end_ms || (gate.end_ms_ == OPEN_MS + 1 && left_ms + 1 == left_to_the_end_ms));
    reached();
}

/* So a gate that is checked at least every 2^31 ms is closed only if somebody closed it. */
void a_look_after_the_end_opens_the_gate_for_good(void)
{
    uint32_t late_ms = nondet_u32();
    any_gate(false);
    assume(late_ms <= (uint32_t)1 << 31);
    prove(redial_gate_left_ms(&gate, later(gate.end_ms_, late_ms)) == 0);
    prove(gate.end_ms_ == OPEN_MS);
    prove(redial_gate_left_ms(&gate, nondet_u32()) == 0);
    reached();
}

void an_opened_gate_is_open_at_any_time(void)
{
    any_gate(false);
    redial_gate_open(&gate);
    prove(redial_gate_left_ms(&gate, nondet_u32()) == 0);
    reached();
}
