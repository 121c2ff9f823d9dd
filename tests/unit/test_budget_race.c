/* src/budget.c with other threads at work before each of its swaps and stores, in every way that a script can say. What
   real threads meet by chance, this meets every time, on any machine. SPDX-License-Identifier: MIT */
#define REDIAL_API   /* the budget is this program's own, never a DLL's */
#include "support.h"

static bool swap_late(uint32_t *word, uint32_t *had, uint32_t now);
static void store_late(uint32_t *word, uint32_t now);

#define __atomic_compare_exchange_n(word, had, now, weak, success, failure) swap_late(word, had, now)
#define __atomic_store_n(word, now, order) store_late(word, now)
#include "../../src/budget.c"
#undef __atomic_compare_exchange_n
#undef __atomic_store_n

/* ---- the others ---- */

static struct redial_budget budget;
static unsigned takes, granted, successes, writes;
static unsigned script;   /* two bits for each swap or store to come: 1, a take comes before it; 2, a success does */

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
    writes++;
    script = 0;   /* nobody interrupts the others */
    if (now & 1)
        take_one();
    if (now & 2)
        earn_one();
    script = later;
}

static bool swap_late(uint32_t *word, uint32_t *had, uint32_t now)
{
    interrupt();
    if (*word != *had) {
        *had = *word;
        return false;
    }
    *word = now;
    return true;
}

static void store_late(uint32_t *word, uint32_t now)
{
    interrupt();
    *word = now;
}

/* ---- the bounds ---- */

static uint64_t hundredths(void)
{
    return (uint64_t)budget.tokens_ * 100 + budget.cents_;
}

static void check(void (*operation)(void), uint32_t capacity, uint32_t percent, uint32_t tokens, uint32_t cents,
                  unsigned all)
{
    uint64_t had = (uint64_t)tokens * 100 + cents, most, taken;
    bool exact;
    redial_budget_init(&budget, capacity, percent);
    budget.tokens_ = tokens;
    budget.cents_ = cents;
    takes = granted = successes = 0;
    script = all;
    operation();
    most = had + (uint64_t)successes * percent;
    taken = (uint64_t)granted * 100;
    exact = most < (uint64_t)capacity * 100;   /* it was never full, so nothing was spilled */
    if (budget.tokens_ > capacity || budget.cents_ >= 100 || hundredths() + taken > most
        || (exact && hundredths() + taken != most) || (tokens >= takes && granted != takes))
        fail_msg("capacity %lu, percent %lu, %lu.%02lu tokens, script %#x: %u of %u taken, %u earned, %lu.%02lu left",
                 (unsigned long)capacity, (unsigned long)percent, (unsigned long)tokens, (unsigned long)cents, all,
                 granted, takes, successes, (unsigned long)budget.tokens_, (unsigned long)budget.cents_);
}

static void check_scripts(void (*operation)(void), uint32_t capacity, uint32_t percent)
{
    static const uint32_t some[] = { 0, 1, 50, 99 };
    uint32_t tokens;
    unsigned all;
    size_t i;
    for (tokens = 0; tokens <= capacity; tokens++)
        for (i = 0; i < LENGTH(some); i++)
            for (all = 0; all < 1u << 8; all++)
                check(operation, capacity, percent, tokens, some[i], all);
}

static void check_all(void (*operation)(void))
{
    static const uint32_t capacities[] = { 0, 1, 2, 3, 12 }, percents[] = { 0, 1, 50, 99, 100, 101, 150, 199, 250 };
    size_t c, p;
    for (c = 0; c < LENGTH(capacities); c++)
        for (p = 0; p < LENGTH(percents); p++)
            check_scripts(operation, capacities[c], percents[p]);
}

/* ---- tests ---- */

static void a_take_that_others_interrupt_gains_nothing_and_loses_nothing(void **state)
{
    (void)state;
    check_all(take_one);
}

static void a_success_that_others_interrupt_gains_nothing_and_loses_nothing_below_full(void **state)
{
    (void)state;
    check_all(earn_one);
}

/* Else threads that do nothing but succeed would pass one cache line around. */
static void a_success_of_a_full_budget_and_a_take_of_an_empty_one_write_nothing(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_take_that_others_interrupt_gains_nothing_and_loses_nothing),
        cmocka_unit_test(a_success_that_others_interrupt_gains_nothing_and_loses_nothing_below_full),
        cmocka_unit_test(a_success_of_a_full_budget_and_a_take_of_an_empty_one_write_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
