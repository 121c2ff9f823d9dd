/* The gate: callers share the time at which it opens, without a lock. SPDX-License-Identifier: MIT

   end_ms_ alone decides whether the gate is closed, and each change of it is one compare-and-swap
   or one store. longest_ms_ is the longest closing that anybody asked for. It only grows, and it is
   raised before the end is written and loaded after the end was read. So an end that is further
   ahead passed before the clock wrapped, or the reading of the clock is old. */
#include "atomic.h"
#include "internal.h"

#define LONGEST_MS UINT32_C(2073600000) /* 24 days */
#define LATE_MS UINT32_C(3600001) /* an hour, and the 1 ms by which an end may be moved */
/* This value of end_ms_ means open. An end on this value is moved by 1 ms. */
#define OPEN_MS UINT32_C(0x5a5a5a5a)

/* The time until this end. 0: it is none, it has passed, or it is too far ahead. */
static uint32_t until(const struct redial_gate *gate, uint32_t end_ms, uint32_t now_ms)
{
    uint32_t ms = redial_difference(end_ms, now_ms);
    return end_ms != OPEN_MS && ms <= redial_load(&gate->longest_ms_) + LATE_MS ? ms : 0;
}

static uint32_t left(const struct redial_gate *gate, uint32_t now_ms)
{
    uint32_t end_ms = redial_load(&gate->end_ms_);
    /* The usual case. Without a write, threads can share the cache line. */
    if (end_ms == OPEN_MS)
        return 0;
    /* It has passed. Much later it would seem to be ahead again. */
    if (redial_difference(now_ms, end_ms) >> 31 == 0) {
        redial_swap(&gate->itself_->end_ms_, &end_ms, OPEN_MS);
        return 0;
    }
    return until(gate, end_ms, now_ms);
}

void redial_gate_init(struct redial_gate *gate)
{
    gate->left_ = left;
    gate->itself_ = gate;
    gate->end_ms_ = OPEN_MS;
    gate->longest_ms_ = 0;
}

static void raise_longest(struct redial_gate *gate, uint32_t ms)
{
    uint32_t longest_ms = redial_load(&gate->longest_ms_);
    while (longest_ms < ms && !redial_swap(&gate->longest_ms_, &longest_ms, ms))
        ;
}

void redial_gate_close(struct redial_gate *gate, uint32_t now_ms, uint32_t ms)
{
    uint32_t had_ms = redial_load(&gate->end_ms_), end_ms;
    if (ms == 0)
        return;
    ms = ms < LONGEST_MS ? ms : LONGEST_MS;
    end_ms = (uint32_t)(((uint64_t)now_ms + ms) & UINT32_MAX); /* in 64 bits no addition wraps */
    end_ms += end_ms == OPEN_MS;
    raise_longest(gate, ms);
    do {
        if (until(gate, had_ms, now_ms) >= redial_difference(end_ms, now_ms))
            return;
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
