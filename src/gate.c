/* The gate: callers share the time at which it opens, without a lock. SPDX-License-Identifier: MIT

   end_ms_ alone decides whether the gate is closed. Each change of it is one compare-and-swap or one store.
   start_ms_ is needed because the clock wraps: without it, an end that passed long ago would look like one in the
   future. longest_ms_ is the longest closing that anybody asked for, and left() never returns more. */
#include "atomic.h"
#include "internal.h"

#define LONGEST_MS (UINT32_MAX / 2) /* 2^31 - 1. An end further in the future would seem to be past. */
#define OPEN_MS UINT32_C(0x5a5a5a5a) /* This value of end_ms_ means open. An end on this value is moved by 1 ms. */
#define LATE_MS 0xffff /* how much older than start_ms_ a reading of the clock may be */

/* Is the end in the future? This is also true for a now_ms up to LATE_MS before start_ms: its thread read the clock
   just before another thread closed the gate. */
static bool is_ahead(uint32_t end_ms, uint32_t start_ms, uint32_t now_ms)
{
    uint32_t ms = redial_difference(end_ms, now_ms);
    return end_ms != OPEN_MS && ms > 0 && ms <= LONGEST_MS
           && (ms <= redial_difference(end_ms, start_ms) || redial_difference(start_ms, now_ms) <= LATE_MS);
}

static uint32_t left(const struct redial_gate *gate, uint32_t now_ms)
{
    uint32_t end_ms = redial_load(&gate->end_ms_), start_ms, longest_ms, ms;
    if (end_ms == OPEN_MS) /* the usual case; without a write, threads can share the cache line */
        return 0;
    start_ms = redial_load(&gate->start_ms_);
    ms = redial_difference(end_ms, now_ms);
    if (!is_ahead(end_ms, start_ms, now_ms)) {
        redial_swap(&gate->itself_->end_ms_, &end_ms, OPEN_MS); /* before the clock wraps and reaches this end again */
        return 0;
    }
    if (ms > redial_difference(end_ms, start_ms))
        return 0; /* now_ms is before the closing */
    longest_ms = redial_load(&gate->longest_ms_);
    return ms < longest_ms ? ms : longest_ms;
}

void redial_gate_init(struct redial_gate *gate)
{
    gate->left_ = left;
    gate->itself_ = gate;
    gate->end_ms_ = OPEN_MS;
    gate->start_ms_ = 0;
    gate->longest_ms_ = 0;
}

static void raise_longest(struct redial_gate *gate, uint32_t ms)
{
    uint32_t longest_ms = redial_load(&gate->longest_ms_);
    while (longest_ms < ms && !redial_swap(&gate->longest_ms_, &longest_ms, ms))
        ;
}

static uint32_t end_of(uint32_t now_ms, uint32_t ms)
{
    uint32_t end_ms = (uint32_t)(((uint64_t)now_ms + ms) & UINT32_MAX); /* in 64 bits no addition wraps */
    if (end_ms != OPEN_MS)
        return end_ms;
    return ms < LONGEST_MS ? OPEN_MS + 1 : OPEN_MS - 1; /* the longest closing must not become longer */
}

void redial_gate_close(struct redial_gate *gate, uint32_t now_ms, uint32_t ms)
{
    uint32_t had_ms = redial_load(&gate->end_ms_), end_ms;
    if (ms == 0)
        return;
    if (ms > LONGEST_MS)
        ms = LONGEST_MS;
    end_ms = end_of(now_ms, ms);
    raise_longest(gate, ms);
    do {
        uint32_t start_ms = redial_load(&gate->start_ms_);
        bool closed = is_ahead(had_ms, start_ms, now_ms);
        if (closed && redial_difference(had_ms, now_ms) >= ms)
            return;
        if (!closed || redial_difference(end_ms, start_ms) > LONGEST_MS)
            redial_store(&gate->start_ms_, now_ms);
    } while (!redial_swap(&gate->end_ms_, &had_ms, end_ms));
}

void redial_gate_open(struct redial_gate *gate)
{
    redial_store(&gate->end_ms_, OPEN_MS);
}

uint32_t redial_gate_left_ms(const struct redial_gate *gate, uint32_t now_ms)
{
    return gate->left_ ? gate->left_(gate, now_ms) : 0;
}
