/* src/gate.c, interrupted by a second thread before any of its accesses to the gate. Real threads meet these cases by
   chance; here each of them occurs on every machine. SPDX-License-Identifier: MIT */
#include "stepped.h"

#include "../../src/gate.c"

#define NOW UINT32_C(5)   /* what both threads read from the clock, shortly after its wrap */
#define OURS_MS 20        /* what the first thread closes the gate for */
#define SHORT_MS 10       /* what the second one closes it for */
#define LONG_MS 30

static struct redial_gate gate;

/* The gate at the beginning: closed ago_ms before NOW, for ms, and perhaps opened again. Nobody has looked since. */
struct beginning {
    uint32_t ago_ms, ms;
    bool opened;
    uint32_t left_ms;
};

static const struct beginning beginnings[] = {
    { 0, 0, false, 0 },     { 100, SHORT_MS, false, 0 }, { 100, OURS_MS, false, 0 }, { 100, LONG_MS, false, 0 },
    { 100, 99, false, 0 },  { 99, 99, false, 0 },        { 15, 40, false, 25 },      { 35, 40, false, 5 },
    { 15, 40, true, 0 },    { 35, 40, true, 0 },
};

/* ---- the second thread ---- */

enum action { CLOSE_SHORT, CLOSE_LONG, OPEN, LOOK, ACTIONS };
enum { STEPS = 3, ACCESSES = 13 };   /* more accesses than the first thread makes when nobody interrupts it */

static struct {
    unsigned access;   /* of the first thread: the action comes before it */
    enum action action;
} plan[STEPS];

static unsigned step, access_number;
static bool first_closes;
static uint32_t left_by_second;   /* what would be left if there were no first thread */
static uint32_t longest_asked;
static bool was_open, was_closed, was_opened;   /* at some time, by the second thread alone */

static void note(void)
{
    was_open |= left_by_second == 0;
    was_closed |= left_by_second > 0;
}

static void close_by_second(uint32_t ms)
{
    redial_gate_close(&gate, NOW, ms);
    if (left_by_second < ms)
        left_by_second = ms;
    if (longest_asked < ms)
        longest_asked = ms;
}

/* A first thread that only looks has no effect. One that closes may close the gate for longer, and never opens it. */
static bool second_may_see(uint32_t left_ms)
{
    if (!first_closes)
        return left_ms == left_by_second;
    return left_ms <= longest_asked && (left_ms > 0 || left_by_second == 0);
}

static void act(enum action action)
{
    switch (action) {
    case CLOSE_SHORT:
        close_by_second(SHORT_MS);
        break;
    case CLOSE_LONG:
        close_by_second(LONG_MS);
        break;
    case OPEN:
        redial_gate_open(&gate);
        left_by_second = 0;
        was_opened = true;
        break;
    default:
        assert_true(second_may_see(redial_gate_left_ms(&gate, NOW)));
        break;
    }
    note();
}

static void interrupt(void)
{
    static bool second_is_at_work;   /* which nobody interrupts */
    if (second_is_at_work)
        return;
    second_is_at_work = true;
    for (; step < STEPS && plan[step].access == access_number; step++)
        act(plan[step].action);
    second_is_at_work = false;
    access_number++;
}

/* ---- the first thread ---- */

static void begin(const struct beginning *beginning)
{
    step = STEPS;
    poison(&gate, sizeof gate);
    redial_gate_init(&gate);
    redial_gate_close(&gate, NOW - beginning->ago_ms, beginning->ms);
    if (beginning->opened)
        redial_gate_open(&gate);
    left_by_second = beginning->left_ms;
    longest_asked = beginning->ms;
    was_open = was_closed = was_opened = false;
    note();
    step = access_number = 0;
}

static uint32_t left_at_the_end(void)
{
    step = STEPS;
    return redial_gate_left_ms(&gate, NOW);
}

static void look(const struct beginning *beginning)
{
    uint32_t left_ms;
    first_closes = false;
    begin(beginning);
    left_ms = redial_gate_left_ms(&gate, NOW);
    assert_true(left_ms <= longest_asked);
    assert_true(left_ms > 0 ? was_closed : was_open);
    assert_int_equal(left_at_the_end(), left_by_second);
}

/* If nobody opens the gate, one of the closings wins. If only the first thread closes it, its closing is never lost. */
static void close_ours(const struct beginning *beginning)
{
    uint32_t left_ms;
    first_closes = true;
    begin(beginning);
    if (longest_asked < OURS_MS)
        longest_asked = OURS_MS;
    redial_gate_close(&gate, NOW, OURS_MS);
    left_ms = left_at_the_end();
    assert_true(left_ms <= longest_asked);
    if (!was_opened)
        assert_true(left_ms == OURS_MS || left_ms == left_by_second);
    if (!was_opened && left_by_second == beginning->left_ms)
        assert_true(left_ms >= OURS_MS);
}

/* Calls run for each way in which the second thread may take its steps. */
static void with_every_plan(void (*run)(const struct beginning *beginning), unsigned planned, unsigned access)
{
    size_t i;
    int action;
    if (planned == STEPS) {
        for (i = 0; i < LENGTH(beginnings); i++)
            run(&beginnings[i]);
        return;
    }
    for (; access <= ACCESSES; access++)
        for (action = 0; action < ACTIONS; action++) {
            plan[planned].access = access;
            plan[planned].action = (enum action)action;
            with_every_plan(run, planned + 1, access);
        }
}

/* ---- tests ---- */

static void looking_at_a_gate_changes_nothing_for_another_thread(void **state)
{
    (void)state;
    with_every_plan(look, 0, 0);
}

static void one_of_two_threads_that_close_the_gate_wins_and_no_look_undoes_it(void **state)
{
    (void)state;
    with_every_plan(close_ours, 0, 0);
}

/* Otherwise the threads that look would pass one cache line around. */
static void a_look_writes_only_when_the_end_has_passed(void **state)
{
    static const struct beginning once = { 10, 20, false, 10 };
    (void)state;
    begin(&once);
    step = STEPS;
    writes = 0;
    assert_int_equal(redial_gate_left_ms(&gate, NOW), 10);
    assert_int_equal(writes, 0);
    assert_int_equal(redial_gate_left_ms(&gate, NOW + 10), 0);
    assert_true(writes > 0);
    writes = 0;
    assert_int_equal(redial_gate_left_ms(&gate, NOW + 10), 0);
    assert_int_equal(writes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looking_at_a_gate_changes_nothing_for_another_thread),
        cmocka_unit_test(one_of_two_threads_that_close_the_gate_wins_and_no_look_undoes_it),
        cmocka_unit_test(a_look_writes_only_when_the_end_has_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
