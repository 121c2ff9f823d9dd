/* The gate: an end that callers share, without a lock. SPDX-License-Identifier: MIT

   end_ms_ alone says whether the gate is closed, and each change of it is one compare-and-swap or one store. start_ms_
   tells an end ahead from an end long past, which the clock comes round to again. longest_ms_ is the longest wait that
   anybody asked for; no look ever says more. */
#include "atomic.h"
#include "internal.h"

#define LONGEST_MS (UINT32_MAX / 2) /* 2^31 - 1: an end further ahead would look past */
#define OPEN_MS UINT32_C(0x5a5a5a5a) /* in end_ms_: open. An end that would fall on it is 1 ms off */
#define LATE_MS 0xffff /* a reading of the clock may be older than the closing by so much */

/* Is the end ahead? Then the gate is closed from start_ms on; a reading from shortly before it is late. */
static bool is_ahead(uint32_t end_ms, uint32_t start_ms, uint32_t now_ms)
{
    uint32_t ms = redial_difference(end_ms, now_ms);
    return end_ms != OPEN_MS && ms > 0 && ms <= LONGEST_MS
           && (ms <= redial_difference(end_ms, start_ms) || redial_difference(start_ms, now_ms) <= LATE_MS);
}

static uint32_t left(const struct redial_gate *gate, uint32_t now_ms)
{
    uint32_t end_ms = redial_load(&gate->end_ms_), start_ms, longest_ms, ms;
    if (end_ms == OPEN_MS) /* the usual case: threads share a line that nobody writes */
        return 0;
    start_ms = redial_load(&gate->start_ms_);
    ms = redial_difference(end_ms, now_ms);
    if (!is_ahead(end_ms, start_ms, now_ms)) {
        redial_swap(&gate->itself_->end_ms_, &end_ms, OPEN_MS); /* before the clock comes round to it */
        return 0;
    }
    if (ms > redial_difference(end_ms, start_ms))
        return 0; /* at that time, the gate was still open */
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
    uint32_t end_ms = (uint32_t)(((uint64_t)now_ms + ms) & UINT32_MAX); /* wraps without a sanitizer's report */
    if (end_ms != OPEN_MS)
        return end_ms;
    return ms < LONGEST_MS ? OPEN_MS + 1 : OPEN_MS - 1; /* the longest closing cannot end later */
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
