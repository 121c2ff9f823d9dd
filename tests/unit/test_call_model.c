/* The decision is compared with the model over random histories: the fuzz target, on random inputs.
   SPDX-License-Identifier: MIT */
#include "support.h"

#include "../fuzz/next.c"

#define INPUTS 200000

static void random_histories_follow_the_rules(void **state)
{
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
    unsigned i, verdict;
    (void)state;
    for (i = 0; i < INPUTS; i++) {
        uint8_t input[300];
        unsigned at;
        for (at = 0; at < sizeof input; at++)
            input[at] = (uint8_t)(random32(&seed) >> 24);
        assert_int_equal(LLVMFuzzerTestOneInput(input, sizeof input), 0);
    }
    for (verdict = REDIAL_DONE; verdict <= REDIAL_INVALID; verdict++)   /* all occur but CANCELLED */
        assert_true(verdict == REDIAL_CANCELLED ? verdicts[verdict] == 0 : verdicts[verdict] > INPUTS / 100);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_histories_follow_the_rules)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
