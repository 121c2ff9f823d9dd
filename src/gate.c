/* The gate: callers share the time at which it opens, without a lock. SPDX-License-Identifier: MIT

   end_ms_ alone decides whether the gate is closed, and each change of it is one compare-and-swap
   or one store. longest_ms_ is the longest closing that anybody asked for. It only grows, and it is
   raised before the end is written and loaded after the end was read.

   The counter of milliseconds is a circle. From the end, readings (now) look like this:

       now                          end                                       now + 2^32
        |<-- closed: what is left -->|<---- open: the end has passed ---->|<---- ? ---->|
        longest_ms_ and an hour before it       up to 2^31 ms after it

   A reading in the part with the question mark is too far before the end for any closing. So the
   end passed before the counter wrapped, or the reading is old: the gate is open to it. */
#include "atomic.h"
#include "internal.h"

#define REDIAL_LONGEST_CLOSING_MS_ UINT32_C(2073600000) /* 24 days */
#define REDIAL_LATE_MS_ UINT32_C(3600001) /* an hour, and the 1 ms by which an end may be moved */
/* This value of end_ms_ means open. An end on this value is moved by 1 ms. */
#define REDIAL_OPEN_MS_ UINT32_C(0)

/* The time until this end. 0: it is none, it has passed, or it is too far ahead. */
static uint32_t redial_ahead_ms_(const struct redial_gate *gate, uint32_t end_ms, uint32_t now_ms)
{
    uint32_t ms = redial_difference_(end_ms, now_ms);
    if (end_ms == REDIAL_OPEN_MS_ || ms > redial_load_(&gate->longest_ms_) + REDIAL_LATE_MS_)
        return 0;
    return ms;
}

uint32_t redial_gate_left_ms(struct redial_gate *gate, uint32_t now_ms)
{
    uint32_t end_ms = redial_load_(&gate->end_ms_);
    /* The usual case. Without a write, threads can share the cache line. */
    if (end_ms == REDIAL_OPEN_MS_)
        return 0;
    /* It has passed. Much later it would seem to be ahead again. */
    if (redial_difference_(now_ms, end_ms) >> 31 == 0) {
        redial_swap_(&gate->end_ms_, &end_ms, REDIAL_OPEN_MS_);
        return 0;
    }
    return redial_ahead_ms_(gate, end_ms, now_ms);
}

static void redial_raise_longest_(struct redial_gate *gate, uint32_t ms)
{
    uint32_t longest_ms = redial_load_(&gate->longest_ms_);
    while (longest_ms < ms && !redial_swap_(&gate->longest_ms_, &longest_ms, ms))
        ;
}

void redial_gate_close(struct redial_gate *gate, uint32_t now_ms, uint32_t ms)
{
    uint32_t had_ms = redial_load_(&gate->end_ms_), end_ms;
    if (ms == 0)
        return;
    ms = ms < REDIAL_LONGEST_CLOSING_MS_ ? ms : REDIAL_LONGEST_CLOSING_MS_;
    end_ms = (uint32_t)(((uint64_t)now_ms + ms) & UINT32_MAX); /* in 64 bits no addition wraps */
    end_ms += end_ms == REDIAL_OPEN_MS_;
    redial_raise_longest_(gate, ms);
    do {
        if (redial_ahead_ms_(gate, had_ms, now_ms) >= redial_difference_(end_ms, now_ms))
            return;
    } while (!redial_swap_(&gate->end_ms_, &had_ms, end_ms));
}

void redial_gate_throttle(struct redial_gate *gate, uint32_t now_ms, uint32_t retry_after_ms)
{
    uint32_t ms = retry_after_ms > 1000 ? retry_after_ms : 1000;
    redial_gate_close(gate, now_ms, ms < 5000 ? ms : 5000);
}

void redial_gate_open(struct redial_gate *gate)
{
    redial_store_(&gate->end_ms_, REDIAL_OPEN_MS_);
}
