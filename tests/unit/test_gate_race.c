/* src/gate.c among threads: other threads act between two accesses of an operation to the gate.
   Real threads meet these moments by chance; here each of them occurs on every machine.
   SPDX-License-Identifier: MIT

   Of four operations, one is interrupted by the three others, in every order, each before any of
   its accesses. What the checks find must be what they could find one after another. */
#include "stepped.h"

#include "../../src/gate.c"

enum { OTHERS = 3, MOST_ACCESSES = 14 };

struct operation {
    enum { CLOSE, OPEN, CHECK } what;
    uint32_t now_ms, ms;   /* the clock wraps 7 ms after now_ms 0, when no closing ends */
    uint32_t left_ms;      /* what a check found */
};

static struct redial_gate gate;
static struct operation interrupted, others[OTHERS], last = { CHECK, 7, 0, 0 };
static unsigned before[OTHERS];   /* which access of the interrupted one */
static unsigned accesses, acted;
static bool one_acts = true;

static void perform(struct operation *operation)
{
    uint32_t now_ms = (uint32_t)((UINT64_C(0xfffffff9) + operation->now_ms) & UINT32_MAX);
    if (operation->what == CLOSE)
        redial_gate_close(&gate, now_ms, operation->ms);
    else if (operation->what == OPEN)
        redial_gate_open(&gate);
    else
        operation->left_ms = redial_gate_left_ms(&gate, now_ms);
}

static void interrupt(void)
{
    if (one_acts)
        return;
    one_acts = true;
    accesses++;
    while (acted < OTHERS && before[acted] <= accesses)
        perform(&others[acted++]);
    one_acts = false;
}

/* True: the operation could have found what it did. *end_ms is 0 while the gate is open. */
static bool follows(uint32_t *end_ms, const struct operation *operation)
{
    uint32_t now_ms = operation->now_ms, own_end_ms = now_ms + operation->ms;
    if (operation->what == CLOSE && *end_ms < own_end_ms)
        *end_ms = own_end_ms;
    if (operation->what == OPEN || (operation->what == CHECK && *end_ms <= now_ms))
        *end_ms = 0;
    return operation->what != CHECK || operation->left_ms == (*end_ms ? *end_ms - now_ms : 0);
}

/* True: this is explained if the interrupted operation came when so many others had acted. */
static bool is_explained(uint32_t end_ms, unsigned earlier)
{
    bool explained = true;
    for (unsigned i = 0; i <= OTHERS; i++) {
        explained = explained && (i != earlier || follows(&end_ms, &interrupted));
        explained = explained && (i == OTHERS || follows(&end_ms, &others[i]));
    }
    return explained && follows(&end_ms, &last);
}

static void check(uint32_t end_ms)
{
    struct operation first = { CLOSE, 0, end_ms, 0 };
    unsigned earlier = 0;
    gate = (struct redial_gate){ 0 };
    perform(&first);
    accesses = acted = 0;
    one_acts = false;
    perform(&interrupted);
    one_acts = true;
    assert_true(accesses < MOST_ACCESSES);
    while (acted < OTHERS)
        perform(&others[acted++]);
    perform(&last);
    while (!is_explained(end_ms, earlier))
        if (++earlier > OTHERS)
            fail_msg("operation %d at %lu ms is interrupted before accesses %u, %u and %u; "
                     "at last, %lu ms are left",
                     interrupted.what, (unsigned long)interrupted.now_ms, before[0], before[1],
                     before[2], (unsigned long)last.left_ms);
}

static void interrupt_at_all_moments(uint32_t end_ms)
{
    unsigned *b = before;
    for (b[0] = 1; b[0] < MOST_ACCESSES; b[0]++)
        for (b[1] = b[0]; b[1] < MOST_ACCESSES; b[1]++)
            for (b[2] = b[1]; b[2] < MOST_ACCESSES; b[2]++)
                check(end_ms);
}

static void in_all_orders(const struct operation *four, uint32_t end_ms)
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            for (unsigned k = 0; k < 4; k++)
                if (i != j && i != k && j != k) {
                    others[0] = four[i];
                    others[1] = four[j];
                    others[2] = four[k];
                    interrupted = four[6 - i - j - k];
                    interrupt_at_all_moments(end_ms);
                }
}

/* The gate is open, or closed until 5 ms. The checks come before all ends, between them, and
   after most. */
TEST(closers_openers_and_checks_of_a_gate_act_as_if_one_after_another)
{
    static const struct operation closings[] = {
        { CLOSE, 6, 5, 0 }, { CLOSE, 7, 9, 0 }, { CLOSE, 5, 1, 0 }, { CLOSE, 2, 9, 0 },
        { CLOSE, 5, 9000000, 0 }
    };
    static const struct operation rest[] = {
        { CHECK, 4, 0, 0 }, { CHECK, 6, 0, 0 }, { CHECK, 11, 0, 0 }, { OPEN, 0, 0, 0 }
    };
    for (size_t a = 0; a < LENGTH(closings); a++)
        for (size_t b = a; b < LENGTH(closings); b++)
            for (size_t c = 0; c < LENGTH(rest); c++) {
                struct operation four[4] = { closings[a], closings[b], rest[c],
                                             rest[(c + 1) % LENGTH(rest)] };
                in_all_orders(four, 0);
                in_all_orders(four, 5);
            }
}

/* Otherwise the threads that check would pass one cache line around. */
TEST(a_check_writes_only_where_it_opens_the_gate)
{
    gate = (struct redial_gate){ 0 };
    redial_gate_close(&gate, 0, 20);
    writes = 0;
    assert_int_equal(redial_gate_left_ms(&gate, 10), 10);
    assert_int_equal(redial_gate_left_ms(&gate, UINT32_MAX / 2 + 21), 0);
    assert_int_equal(writes, 0);
    assert_int_equal(redial_gate_left_ms(&gate, 20), 0);
    assert_int_equal(writes, 1);
    assert_int_equal(redial_gate_left_ms(&gate, 20), 0);
    assert_int_equal(redial_gate_left_ms(&gate, 0), 0);
    assert_int_equal(writes, 1);
}

int main(void)
{
    return run_all();
}
