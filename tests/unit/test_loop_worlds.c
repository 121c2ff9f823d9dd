/* The loop functions do what redial_run does: the same verdicts, waits, events, calls of cancelled, timeouts, readings
   of the clock, tokens and gates. The environments are those of the fuzz target, made from random bytes.
   SPDX-License-Identifier: MIT */
#include "../fuzz/any_world.h"
#include "support.h"

#define WORLDS 40000
#define LONGEST 300

static void the_loop_functions_do_what_redial_run_does_in_any_environment(void **state)
{
    static struct any_world world, twin;
    unsigned verdicts[REDIAL_INVALID + 1] = { 0 }, gates = 0, i;
    uint64_t seed = 1;
    (void)state;
    for (i = 0; i < WORLDS; i++) {
        uint8_t input[LONGEST];
        struct bytes bytes = { input, input + random32(&seed) % LONGEST };
        struct redial_report report, twins;
        unsigned j;
        for (j = 0; j < LONGEST; j++)
            input[j] = (uint8_t)(random32(&seed) >> 24);
        some_world(&world, bytes);
        some_world(&twin, bytes);
        report = run_in(&world);
        twins = loop_in(&twin);
        must_be_same_end(&report, &twins);
        must_be_same_world(&world, &twin);
        verdicts[report.verdict]++;
        gates += world.waits > report.attempts;   /* an attempt has one wait at most; the others are at the gate */
    }
    for (i = 0; i <= REDIAL_INVALID; i++)   /* every verdict came often */
        assert_true(i == REDIAL_RETRY ? verdicts[i] == 0 : verdicts[i] > WORLDS / 200);
    assert_true(gates > WORLDS / 200);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loop_functions_do_what_redial_run_does_in_any_environment)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
