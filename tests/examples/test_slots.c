/* What a full server tells each client that it refuses: recipes/retry_after.c.
   SPDX-License-Identifier: MIT */
#include <redial.h>
#include <stdatomic.h>
#include "../common/support.h"

static unsigned others;   /* so many threads take a slot before the next swap */

static bool late_swap(_Atomic uint64_t *slot, uint64_t *was, uint64_t wanted)
{
    for (; others > 0; others--)
        atomic_fetch_add(slot, 1000000);
    return atomic_compare_exchange_strong(slot, was, wanted);
}

#undef atomic_compare_exchange_weak
#define atomic_compare_exchange_weak late_swap
#include "../../examples/recipes/retry_after.c"

static const struct row {
    const char *what;
    uint32_t rate, now_ms, times, told_s;   /* times: refusals at now_ms; told: the last of them */
} rows[] = {
    { "a client that is refused has to wait", 4, 0, 1, 1 },
    { "the next clients get the next slots, and seconds are rounded up", 4, 0, 3, 1 },
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

TEST(each_client_that_is_refused_is_told_the_next_free_slot)
{
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
