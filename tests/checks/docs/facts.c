/* Prints facts that the documents repeat, each as DOCUMENT...: SENTENCE, made from the constants of the sources.
   docs.sh checks that these documents contain the sentence, and that no document contains it with a wrong number.
   SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "redial_fake.h"

#include "../../../src/system.h"

#define DAYS "%u.%u days"
#define TENTHS(ms) (unsigned)((ms) / 86400000), (unsigned)((ms) / 8640000 % 10)   /* cut, not rounded */

static void defaults(void)
{
    const struct redial_policy policy = redial_policy_default();
    unsigned base = policy.base_ms, cap = policy.cap_ms, jitter = policy.jitter_ms, retries = policy.max_retries;
    unsigned minutes = policy.max_retry_after_ms / 60000;
    printf("include/redial.h: %u s, cap %u s, jitter %u s, %u retries, no time limit, a server may ask for %u min, no "
           "timeout of an attempt, no reset, ADDED\n", base / 1000, cap / 1000, jitter / 1000, retries, minutes);
    printf("src/man/redial_policy.3: %u s, cap %u s, jitter %u s, %u retries, no time limit, a server may ask for %u "
           "minutes, no timeout of an attempt, no reset\n", base / 1000, cap / 1000, jitter / 1000, retries,
           minutes);
    printf("README.md include/redial.h: %u s, cap %u s, %u retries\n", base / 1000, cap / 1000, retries);
    printf("README.md: Retry-After asks for more than %u minutes\n", minutes);
    printf("include/redial.h: { .base_ms = %u, .cap_ms = %u, .jitter_ms = %u, .max_retries = %u } is exactly\n", base,
           cap, jitter, retries);
    printf("src/man/redial_policy.3: a base of %u, a cap of %u, a jitter of %u and %u retries are exactly\n", base, cap,
           jitter, retries);
}

static void limits(void)
{
    printf("include/redial.h src/man/redial.3: is a new random number from 0 to %u for every retry\n",
           REDIAL_JITTER_MAX_MS);
    printf("src/man/redial_policy.3: .Dv REDIAL_JITTER_MAX_MS (%u)\n", REDIAL_JITTER_MAX_MS);
    printf("include/redial.h src/man/redial_run.3: at least every %d ms\n", 2 * REDIAL_ASK_MS);
    printf("README.md examples/README.md: within %d ms\n", 2 * REDIAL_ASK_MS);
    printf("src/man/redial_fake.3: .Dv REDIAL_FAKE_WAITS (%d)\n", REDIAL_FAKE_WAITS);
    printf("README.md: find_package(redial %d.%d\n", REDIAL_VERSION_MAJOR, REDIAL_VERSION_MINOR);
    printf("include/redial.h src/man/redial.3: 2^31 ms or more (" DAYS ")\n", TENTHS(UINT64_C(1) << 31));
    printf(": 2^31 ms (" DAYS ") or more\n", TENTHS(UINT64_C(1) << 31));
    printf("include/redial.h src/man/redial_next.3: If 2^31 ms or more pass\n");
    printf("include/redial.h src/man/redial_budget.3: at most 2^31 - 1; 0 does nothing.\n");
    printf("include/redial.h src/man/redial_parse_retry_after.3: %u.%03u s (" DAYS ")\n", UINT32_MAX / 1000,
           UINT32_MAX % 1000, TENTHS(UINT32_MAX));
    printf("README.md: in 32 bits, at most " DAYS "\n", TENTHS(UINT32_MAX));
    printf(": to " DAYS "\n", TENTHS(UINT32_MAX));
}

static void default_waits(void)
{
    const struct redial_policy policy = redial_policy_default();
    printf("include/redial.h: The waits are");
    for (uint32_t n = 0; n < policy.max_retries; n++) {
        const char *after = n + 2 < policy.max_retries ? "," : n + 2 == policy.max_retries ? " and" : ".";
        printf(" %u to %u s%s", redial_random_delay_ms(&policy, n, 0) / 1000,
               redial_random_delay_ms(&policy, n, UINT32_MAX) / 1000, after);
    }
    printf("\n");
}

static void backoff_without_jitter(void)
{
    struct redial_policy policy = redial_policy_default();
    policy.jitter = REDIAL_JITTER_NONE;
    printf("include/redial.h: With base_ms %u and cap_ms %u, w is", policy.base_ms, policy.cap_ms);
    for (uint32_t n = 0; n < 7; n++)
        printf(" %u,", redial_random_delay_ms(&policy, n, 0));
    printf(" and so on.\n");
}

static bool done(int status)
{
    const struct redial_policy policy = redial_policy_default();
    return redial_classify(&policy, redial_http(status, 0)) == REDIAL_KIND_DONE;
}

static bool may_have_been_done(int status)
{
    return redial_http_request("POST", status, 0).kind == REDIAL_KIND_FAIL;
}

static int first(bool (*is)(int status), int status)
{
    while (!is(status))
        status++;
    return status;
}

static int last(bool (*is)(int status), int status)
{
    while (is(status + 1))
        status++;
    return status;
}

static void statuses(void)
{
    int quota = first(redial_http_retryable, 1), from = first(redial_http_retryable, quota + 1);
    int to = last(redial_http_retryable, from), good = first(done, 1);
    printf("include/redial.h: %d (RFC 6585, 4) and %d..%d\n", quota, from, to);
    printf("src/man/redial_outcome.3: %d and %d to %d.\n", quota, from, to);
    printf("README.md: `redial_http` retries %d, %dxx and \"no response\"; %d..%d is success\n", quota, from / 100, good,
           last(done, good));
    printf("include/redial.h: A status of %d..%d is DONE\n", good, last(done, good));
    printf("include/redial.h: a status of %d..%d or from %d up\n", 1, good - 1, last(done, good) + 1);
    printf("src/man/redial_outcome.3: %d to %d is\n", good, last(done, good));
    printf("include/redial.h: \"no response\" and %d and above are FAIL\n", first(may_have_been_done, 1));
    printf("src/man/redial_outcome.3: and %d and above are .Dv REDIAL_KIND_FAIL\n", first(may_have_been_done, 1));
    printf("include/redial.h: 1..%d are handled as in\n", first(may_have_been_done, 1) - 1);
    printf("include/redial.h src/man/redial_outcome.3: That includes 501, 505 and 511,\n");
}

/* How far ahead of 2000 a year of two digits is at most. */
static unsigned years_ahead(void)
{
    const int64_t in_2000 = 946684800, year = 31556952;
    unsigned digits, most = 0;
    for (digits = 0; digits < 100; digits++) {
        char text[40];
        int64_t at = 0;
        int length = snprintf(text, sizeof text, "Saturday, 01-Jan-%02u 00:00:00 GMT", digits);
        if (redial_parse_http_date(text, (size_t)length, in_2000, &at) && at > in_2000 + most * year)
            most = (unsigned)((at - in_2000 + year / 2) / year);
    }
    return most;
}

static void edges(void)
{
    struct redial_policy policy = redial_policy_default();
    for (policy.jitter_ms = 0; redial_policy_check(&policy) != REDIAL_POLICY_OK;)
        policy.jitter_ms++;
    printf("include/redial.h: ADDED and SPREAD need at least %u.\n", (unsigned)policy.jitter_ms);
    printf("src/man/redial_policy.3: .Dv REDIAL_JITTER_SPREAD need at least %u.\n", (unsigned)policy.jitter_ms);
    for (policy.base_ms = 0; redial_policy_check(&policy) != REDIAL_POLICY_OK;)
        policy.base_ms++;
    printf("include/redial.h src/man/redial_next.3: to the Retry-After (at least %u)\n", (unsigned)policy.base_ms);
    printf("include/redial.h: at most %u years after now_s\n", years_ahead());
    printf("src/man/redial_parse_retry_after.3: at most %u years after .Fa now_s\n", years_ahead());
}

int main(void)
{
    const struct redial_policy policy = redial_policy_default();
    if (policy.max_elapsed_ms || policy.attempt_ms || policy.min_uptime_ms || policy.jitter != REDIAL_JITTER_ADDED)
        return 1;   /* the sentences above say so */
    defaults();
    limits();
    default_waits();
    backoff_without_jitter();
    statuses();
    edges();
    return 0;
}
