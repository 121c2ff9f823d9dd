/* Outcomes, src/outcome.c. SPDX-License-Identifier: MIT */
#include <limits.h>

#include "call.h"

TEST(an_outcome_has_the_given_values_and_is_zero_elsewhere)
{
    assert_outcome(redial_done(), outcome_of(REDIAL_KIND_DONE, 0, 0, 0));
    assert_outcome(redial_http(503, UINT32_MAX, "GET"),
                   outcome_of(REDIAL_KIND_RETRY, 503, UINT32_MAX, 0));
    assert_outcome(redial_retry(-104, 0), outcome_of(REDIAL_KIND_RETRY, -104, 0, 0));
    assert_outcome(redial_retry(INT_MIN, 1000), outcome_of(REDIAL_KIND_RETRY, INT_MIN, 1000, 0));
    assert_outcome(redial_fail(-1), outcome_of(REDIAL_KIND_FAIL, -1, 0, 0));
    assert_outcome(redial_unsure(-104), outcome_of(REDIAL_KIND_UNSURE, -104, 0, 0));
    assert_outcome(redial_cancelled(42), outcome_of(REDIAL_KIND_CANCELLED, 42, 0, 0));
    assert_outcome(redial_pending(1000), outcome_of(REDIAL_KIND_PENDING, 0, 1000, 0));
    assert_outcome(redial_held(UINT32_MAX),
                   outcome_of(REDIAL_KIND_HELD, 0, UINT32_MAX, 0));
}

int main(void)
{
    return run_all();
}
