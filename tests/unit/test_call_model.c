/* The decision is compared with the model over random histories: the fuzz target, on random inputs.
   SPDX-License-Identifier: MIT */
#include "../common/support.h"

#include "../fuzz/next.c"

#define INPUTS 200000

TEST(random_histories_follow_the_rules)
{
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned i = 0; i < INPUTS; i++) {
        uint8_t input[300];
        for (unsigned at = 0; at < sizeof input; at++)
            input[at] = (uint8_t)(random32(&seed) >> 24);
        assert_int_equal(LLVMFuzzerTestOneInput(input, sizeof input), 0);
    }
    /* all occur but ATTEMPT */
    for (unsigned verdict = REDIAL_INVALID; verdict <= REDIAL_CANCELLED; verdict++)
        assert_true(verdict == REDIAL_ATTEMPT ? verdicts[verdict] == 0
                                                : verdicts[verdict] > INPUTS / 200);
}

int main(void)
{
    return run_all();
}
