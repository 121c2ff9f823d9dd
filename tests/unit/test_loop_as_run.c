/* redial_run does what the loop functions do and what a second loop over the model does: the
   same verdicts, waits, events, calls of cancelled, timeouts, readings of the clock, tokens and
   gates. It is the fuzz target, on random inputs. SPDX-License-Identifier: MIT */
#include "../common/support.h"

#include "../fuzz/run.c"

#define INPUTS 40000
#define LONGEST 300

TEST(redial_run_the_loop_functions_and_the_model_do_the_same_in_any_environment)
{
    static struct any_env any;
    unsigned verdicts[REDIAL_CANCELLED + 1] = { 0 }, gates = 0, i;
    uint64_t seed = 1;
    for (i = 0; i < INPUTS; i++) {
        uint8_t input[LONGEST];
        size_t size = random32(&seed) % LONGEST;
        struct redial_report report;
        for (unsigned j = 0; j < LONGEST; j++)
            input[j] = (uint8_t)(random32(&seed) >> 24);
        assert_int_equal(LLVMFuzzerTestOneInput(input, size), 0);
        some_env(&any, (struct bytes){ input, input + size });
        report = run_in(&any);
        verdicts[report.verdict]++;
        /* an attempt has one wait at most; the others are at the gate */
        gates += any.waits > report.attempts;
    }
    for (i = 0; i <= REDIAL_CANCELLED; i++)   /* every verdict came often */
        assert_true(i == REDIAL_ATTEMPT || i == REDIAL_WAIT ? verdicts[i] == 0 : verdicts[i] > INPUTS / 400);
    assert_true(gates > INPUTS / 200);
}

int main(void)
{
    return run_all();
}
