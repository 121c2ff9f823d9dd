/* src/gate.c among other threads. SPDX-License-Identifier: MIT

   Before each atomic operation, any number of other threads may have done whatever the promises
   speak of: opened the gate, seen its end pass, closed it by readings up to an hour later than
   ours, and raised longest_ms_. Each write of ours keeps to that, too. So this is every
   interleaving of closers, openers and checks. A swap that has failed once is not looked at
   further: what follows a second failure is what follows the first one. */
#include "proof.h"

#define HOUR_MS 3600000
#define LONGEST UINT32_C(2073600000)
#define OPEN_VALUE UINT32_C(0)
#define OPENED INT32_MIN

static struct redial_gate gate;
static uint32_t now_ms, own_ms;   /* our reading, and our closing */
static int64_t found_ms;          /* the end that we read last, as ahead() tells it */
static int64_t own_end_ms;        /* that of our closing; 0: we do not close the gate */
static bool alone;
static unsigned swaps, failures;

/* Takes the place of redial_difference_: internal.c proves that it is the same. */
uint32_t difference(uint32_t later_ms, uint32_t earlier_ms)
{
    return (uint32_t)((((uint64_t)1 << 32) + later_ms - earlier_ms) & UINT32_MAX);
}

/* The end from now_ms on: 0 or less if it has passed, or OPENED. */
static int64_t ahead(uint32_t end_ms)
{
    uint32_t ms = redial_difference_(end_ms, now_ms);
    if (end_ms == OPEN_VALUE)
        return OPENED;
    return ms <= (uint32_t)1 << 31 ? (int64_t)ms : ms - ((int64_t)1 << 32);
}

/* The word is accessed next. The other one changes before its own next access, which is as good. */
static void others_run(const uint32_t *word)
{
    uint32_t longest_before_ms = gate.longest_ms_;
    if (alone)
        return;
    gate.longest_ms_ = nondet_u32();
    assume(gate.longest_ms_ >= longest_before_ms && gate.longest_ms_ <= LONGEST);
    if (word != &gate.end_ms_)
        return;
    gate.end_ms_ = nondet_u32();
    assume(ahead(gate.end_ms_)
           <= (int64_t)gate.longest_ms_ + HOUR_MS + (gate.end_ms_ == OPEN_VALUE + 1));
}

static uint32_t watched_load(const uint32_t *word)
{
    others_run(word);
    if (word == &gate.end_ms_)
        found_ms = ahead(*word);
    return *word;
}

/* Only redial_gate_open stores. */
static void watched_store(uint32_t *word, uint32_t now)
{
    others_run(word);
    prove(word == &gate.end_ms_ && now == OPEN_VALUE);
    *word = now;
}

/* A check opens the gate only if the end has passed by its reading. A closing moves the end only
   further away. */
static bool watched_swap(uint32_t *word, uint32_t *had, uint32_t now)
{
    others_run(word);
    swaps++;
    if (*word != *had) {
        assume(++failures <= 1);
        *had = *word;
        if (own_end_ms && word == &gate.end_ms_)
            found_ms = ahead(gate.end_ms_);
        return false;
    }
    if (word == &gate.longest_ms_)
        prove(now > *word && now == own_ms);
    else if (own_end_ms)
        prove((alone || ahead(*word) < own_end_ms) && ahead(now) == own_end_ms
              && gate.longest_ms_ >= own_ms);
    else
        prove(ahead(*word) != OPENED && ahead(*word) <= 0 && now == OPEN_VALUE);
    if (word == &gate.end_ms_)
        found_ms = own_end_ms;
    *word = now;
    return true;
}

#define __atomic_load_n(word, order) watched_load(word)
#define __atomic_store_n(word, now, order) watched_store(word, now)
#define __atomic_compare_exchange_n(word, had, now, weak, order, otherwise) \
    watched_swap(word, had, now)
#include "../../src/gate.c"

static void any_gate(bool no_other_thread)
{
    gate.end_ms_ = nondet_u32();
    gate.longest_ms_ = nondet_u32();
    assume(gate.longest_ms_ <= LONGEST);
    now_ms = nondet_u32();
    alone = no_other_thread;
    own_end_ms = 0;
    swaps = failures = 0;
}

/* Closes the gate for ms, or for 24 days. */
static void close_for(uint32_t ms)
{
    own_ms = ms < LONGEST ? ms : LONGEST;
    own_end_ms = (int64_t)own_ms + (redial_difference_(OPEN_VALUE, now_ms) == own_ms);
    redial_gate_close(&gate, now_ms, ms);
}

/* ---- whatever others do ---- */

void the_longest_closing_only_grows(void)
{
    any_gate(false);
    own_ms = nondet_u32();
    redial_raise_longest_(&gate, own_ms);
    prove(gate.longest_ms_ >= own_ms);
    reached();
}

/* Takes the place of redial_raise_longest_. */
void some_raise(struct redial_gate *raised, uint32_t ms)
{
    others_run(&raised->longest_ms_);
    assume(raised->longest_ms_ >= ms);
}

/* For a reading up to an hour older than the closing, and up to 2^31 ms after its end. */
void a_check_tells_what_is_left_and_opens_what_has_passed(void)
{
    uint32_t left_ms;
    any_gate(false);
    left_ms = redial_gate_left_ms(&gate, now_ms);
    if (swaps == 0)
        prove(found_ms == OPENED ? left_ms == 0 : found_ms > 0 && left_ms == found_ms);
    else
        prove(left_ms == 0 && swaps == 1 && found_ms <= 0);
    reached();
}

void a_closing_leaves_the_later_end(void)
{
    uint32_t ms = nondet_u32();
    any_gate(false);
    close_for(ms);
    prove(ms == 0 ? swaps == 0 : found_ms >= own_end_ms);
    reached();
}

/* ---- alone: after any time in which nobody checked the gate ---- */

void a_forgotten_gate_is_closed_for_its_longest_closing_and_an_hour(void)
{
    uint32_t left_ms;
    any_gate(true);
    left_ms = redial_gate_left_ms(&gate, now_ms);
    prove(left_ms <= (uint64_t)gate.longest_ms_ + 3600001);
    prove(left_ms == 0 || left_ms == ahead(gate.end_ms_));
    reached();
}

void a_forgotten_gate_can_be_closed(void)
{
    any_gate(true);
    close_for(nondet_u32());
    assume(own_ms > 0);
    prove(redial_gate_left_ms(&gate, now_ms) >= own_ms);
    reached();
}

void a_zeroed_or_opened_gate_is_open(void)
{
    static const struct redial_gate zeroed;
    any_gate(true);
    if (nondet_bool())
        gate = zeroed;
    else
        redial_gate_open(&gate);
    prove(redial_gate_left_ms(&gate, now_ms) == 0 && swaps == 0);
    reached();
}
