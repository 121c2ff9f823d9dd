/* What a full server tells each client that it refuses: recipes/retry_after.c.
   SPDX-License-Identifier: MIT */
#include "../../examples/recipes/retry_after.c"

#include <redial.h>
#include "../common/support.h"

#include <pthread.h>

/* `times` refusals at now_ms: what the first and the last of them are told. */
static const struct row {
    const char *what;
    uint32_t rate, now_ms, times, first_s, last_s;
} rows[] = {
    { "a client that is refused has to wait, and seconds are rounded up", 4, 0, 4, 1, 1 },
    { "the next client gets the next slot", 4, 0, 2, 2, 2 },
    { "a slot that has passed is not given", 4, 10000, 5, 1, 2 },
    { "a thread whose clock is some milliseconds behind gets a later slot", 4, 9990, 1, 2, 2 },
    { "a part of a millisecond is kept", 3000, 0, 3000, 1, 1 },
    { "and the next second begins after it", 3000, 0, 4, 1, 2 },
    { "before the counter wraps", 1, UINT32_MAX - 1499, 3, 1, 3 },
    { "after it has wrapped, what was given counts", 1, 0, 1, 3, 3 },
    { "slots end after five minutes, and then all are told 300", 2, 0, 1000, 1, 300 },
    { "which moves nothing", 2, 299000, 1, 2, 2 },
    { "more than one in a microsecond is not given", 3000000, 0, 1000001, 1, 2 },
};

TEST(each_client_that_is_refused_is_told_the_next_free_slot)
{
    struct slots slots = { 0, 0 };
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        uint32_t first_s = 0, last_s = 0;
        print_message("%s\n", rows[i].what);
        if (slots.rate != rows[i].rate)
            slots = (struct slots){ .rate = rows[i].rate };
        for (unsigned k = 0; k < rows[i].times; k++) {
            last_s = next_slot_s(&slots, rows[i].now_ms);
            first_s = k ? first_s : last_s;
        }
        assert_int_equal(first_s, rows[i].first_s);
        assert_int_equal(last_s, rows[i].last_s);
    }
}

static void *refuse_many(void *slots)
{
    for (unsigned i = 0; i < 50000; i++)
        next_slot_s(slots, 5000);
    return NULL;
}

TEST(threads_never_give_a_slot_twice)
{
    static struct slots slots = { .rate = 1000 };
    pthread_t threads[4];
    for (unsigned i = 0; i < LENGTH(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, refuse_many, &slots), 0);
    for (unsigned i = 0; i < LENGTH(threads); i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(next_slot_s(&slots, 5000), 201);
}

int main(void)
{
    return run_all();
}
