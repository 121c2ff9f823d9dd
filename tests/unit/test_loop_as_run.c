/* The loop functions do what redial_run does: the same verdicts, waits, events, calls of cancelled, timeouts, readings
   of the clock, tokens and gates. The environments are those of the fuzz target, made from random bytes.
   SPDX-License-Identifier: MIT */
#include "../fuzz/any_env.h"
#include "support.h"

#define ENVIRONMENTS 40000
#define LONGEST 300

TEST(the_loop_functions_do_what_redial_run_does_in_any_environment)
{
    static struct any_env any, twin;
    unsigned verdicts[REDIAL_INVALID + 1] = { 0 }, gates = 0, i;
    uint64_t seed = 1;
    for (i = 0; i < ENVIRONMENTS; i++) {
        uint8_t input[LONGEST];
        struct bytes bytes = { input, input + random32(&seed) % LONGEST };
        struct redial_report report, twins;
        for (unsigned j = 0; j < LONGEST; j++)
            input[j] = (uint8_t)(random32(&seed) >> 24);
        some_env(&any, bytes);
        some_env(&twin, bytes);
        report = run_in(&any);
        twins = loop_in(&twin);
        must_be_same_end(&report, &twins);
        must_be_same_env(&any, &twin);
        verdicts[report.verdict]++;
        gates += any.waits > report.attempts;   /* an attempt has one wait at most; the others are at the gate */
    }
    for (i = 0; i <= REDIAL_INVALID; i++)   /* every verdict came often */
        assert_true(i == REDIAL_RETRY ? verdicts[i] == 0 : verdicts[i] > ENVIRONMENTS / 200);
    assert_true(gates > ENVIRONMENTS / 200);
}

int main(void)
{
    return run_all();
}
