/* The decision is compared with the model over random histories: the fuzz target, on random inputs.
   SPDX-License-Identifier: MIT */
#include "support.h"

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
    for (unsigned verdict = REDIAL_DONE; verdict <= REDIAL_INVALID; verdict++)   /* all occur but CANCELLED */
        assert_true(verdict == REDIAL_CANCELLED ? verdicts[verdict] == 0 : verdicts[verdict] > INPUTS / 100);
}

TEST(the_four_fields_are_the_default_policy)
{
    const struct redial_policy four = { .base_ms = 1000, .cap_ms = 32000, .jitter_ms = 1000, .max_retries = 5 };
    const struct redial_policy whole = REDIAL_POLICY_DEFAULT, value = redial_policy_default();
    const struct redial_policy *policies[] = { &four, &whole, &value };
    uint64_t seed = 7;
    for (unsigned i = 0; i < 10000; i++) {
        struct redial_call calls[3];
        for (unsigned k = 0; k < 3; k++)
            assert_true(redial_begin(&calls[k], policies[k], 0));
        for (unsigned n = 0; n < 12; n++) {
            static const enum redial_kind kinds[] = { REDIAL_KIND_RETRY, REDIAL_KIND_HTTP, REDIAL_KIND_PENDING,
                                                      REDIAL_KIND_POSTPONED };
            struct redial_outcome outcome = { kinds[random32(&seed) % 4], 503, 0, random32(&seed) };
            uint32_t now_ms = random32(&seed), bits = random32(&seed);
            struct redial_step steps[3];
            if (random32(&seed) % 2)
                outcome.retry_after_ms = random32(&seed) % 400000;   /* 300000 is the longest that is waited for */
            for (unsigned k = 0; k < 3; k++)
                steps[k] = redial_next(&calls[k], outcome, now_ms, bits);
            for (unsigned k = 1; k < 3; k++)
                assert_memory_equal(&steps[0], &steps[k], sizeof steps[0]);
        }
    }
}

int main(void)
{
    return run_all();
}
