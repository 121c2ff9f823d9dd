/* With REDIAL_NO_ATOMICS the budget and the gate use plain accesses. They are compiled into this
   test. SPDX-License-Identifier: MIT */
#define REDIAL_API   /* not imported from a DLL */
#define REDIAL_NO_ATOMICS
#include "../common/support.h"

#include "../../src/budget.c"
#include "../../src/gate.c"

TEST(a_budget_grants_what_it_has_and_earns_and_a_gate_closes_and_opens)
{
    struct redial_budget budget;
    struct redial_gate gate = { 0, 0 };
    poison(&budget, sizeof budget);
    redial_budget_init(&budget, 1, 50);
    assert_true(budget.take_(&budget));
    assert_false(budget.take_(&budget));
    budget.earn_(&budget);
    assert_int_equal(redial_budget_tokens(&budget), 0);
    budget.earn_(&budget);
    assert_int_equal(redial_budget_tokens(&budget), 1);
    redial_gate_close(&gate, 10, 1000);
    redial_gate_close(&gate, 10, 500);
    assert_int_equal(redial_gate_left_ms(&gate, 10), 1000);
    assert_int_equal(redial_gate_left_ms(&gate, 1010), 0);
    redial_gate_close(&gate, 10, 1000);
    redial_gate_open(&gate);
    assert_int_equal(redial_gate_left_ms(&gate, 10), 0);
}

/* What was found has to come back, or the loops around a swap would not end. */
TEST(a_swap_that_finds_another_value_changes_nothing_and_tells_it)
{
    uint32_t word = 5, expected = 4;
    assert_false(redial_swap_(&word, &expected, 9));
    assert_true(word == 5 && expected == 5);
    assert_true(redial_swap_(&word, &expected, 9));
    assert_true(word == 9);
}

int main(void)
{
    return run_all();
}
