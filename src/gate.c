/* The gate: an end that callers share, without a lock. SPDX-License-Identifier: MIT

   The gate is closed while 1 to longest_ms_ are left until end_ms_. Both words are written one after the other, so a
   thread may see one without the other; it still never sees more left than somebody asked for. An end that is past is
   forgotten (longest_ms_ is 0) by the first look after it, before the clock comes round to it again. */
#include "atomic.h"
#include "internal.h"

#define LONGEST_MS (UINT32_MAX / 2)   /* 2^31 - 1: an end further ahead would look past */
#define MARK (LONGEST_MS + 1)         /* in longest_ms_: a look is about to forget it */

/* It takes off the mark of a look, which then forgets nothing. */
static void raise_longest(struct redial_gate *gate, uint32_t ms)
{
    uint32_t had = redial_load(&gate->longest_ms_), longest_ms;
    do
        longest_ms = (had & LONGEST_MS) > ms ? had & LONGEST_MS : ms;
    while (longest_ms != had && !redial_swap(&gate->longest_ms_, &had, longest_ms));
}

/* Another thread may have closed the gate since end_ms was read: that must not be forgotten. */
static void forget(struct redial_gate *gate, uint32_t end_ms, uint32_t longest_ms)
{
    uint32_t marked = longest_ms | MARK;
    if (redial_swap(&gate->longest_ms_, &longest_ms, marked))
        redial_swap(&gate->longest_ms_, &marked, redial_load(&gate->end_ms_) == end_ms ? 0 : longest_ms);
}

static uint32_t left(const struct redial_gate *gate, uint32_t now_ms)
{
    uint32_t end_ms = redial_load(&gate->end_ms_), longest_ms = redial_load(&gate->longest_ms_) & LONGEST_MS;
    uint32_t ms = redial_difference(end_ms, now_ms);
    if (!longest_ms)   /* the usual case: threads share a line that nobody writes */
        return 0;
    if (ms == 0 || ms > LONGEST_MS) {
        forget(gate->itself_, end_ms, longest_ms);
        return 0;
    }
    return ms <= longest_ms ? ms : 0;
}

void redial_gate_init(struct redial_gate *gate)
{
    gate->left_ = left;
    gate->itself_ = gate;
    gate->end_ms_ = 0;
    gate->longest_ms_ = 0;
}

void redial_gate_close(struct redial_gate *gate, uint32_t now_ms, uint32_t ms)
{
    uint32_t had_ms = redial_load(&gate->end_ms_), end_ms;
    if (ms > LONGEST_MS)
        ms = LONGEST_MS;
    end_ms = (uint32_t)(((uint64_t)now_ms + ms) & UINT32_MAX);   /* wraps without a sanitizer's report */
    do {
        if (redial_gate_left_ms(gate, now_ms) >= ms)
            return;
        raise_longest(gate, ms);   /* before the end: a gate that was closed never looks open meanwhile */
    } while (!redial_swap(&gate->end_ms_, &had_ms, end_ms));
    raise_longest(gate, ms);       /* and after it: a look may have forgotten the end before */
}

void redial_gate_open(struct redial_gate *gate)
{
    redial_store(&gate->longest_ms_, 0);
}

uint32_t redial_gate_left_ms(const struct redial_gate *gate, uint32_t now_ms)
{
    return gate->left_ ? gate->left_(gate, now_ms) : 0;
}
