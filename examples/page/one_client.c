/* The retries of one client, as redial_next decides them: with the shortest and the longest waits.
   SPDX-License-Identifier: MIT */
#include "one_client.h"

/* The number of failures to compute. */
static uint32_t failures(const struct redial_policy *policy)
{
    return policy->max_retries == REDIAL_NO_LIMIT && policy->max_elapsed_ms == 0 ? ONE_ROWS + 1
                                                                                 : ONE_MOST + 1;
}

static uint32_t add_ms(uint32_t a, uint32_t b)
{
    return a < UINT32_MAX - b ? a + b : UINT32_MAX - 1;
}

/* A call that meets no time limit, and always draws the same end of the range. */
struct walk {
    struct redial_policy policy;
    struct redial_call call;
    uint32_t random, at_ms, wait_ms;
};

static void begin(struct walk *walk, const struct redial_policy *policy, uint32_t random)
{
    walk->policy = *policy;
    walk->policy.max_elapsed_ms = 0;
    walk->random = random;
    walk->at_ms = 0;
    redial_begin(&walk->call, &walk->policy, 0);
}

/* The wait after a failure. The clock may stand still, because without a time limit it affects no
   decision. */
static enum redial_verdict fail(struct walk *walk, struct redial_outcome outcome)
{
    struct redial_step step = redial_next(&walk->call, 0, outcome, walk->random);
    walk->wait_ms = step.delay_ms;
    return step.verdict;
}

static void end(struct one_ranges *ranges, uint32_t earliest_ms, uint32_t latest_ms,
                enum redial_verdict verdict)
{
    if (ranges->end_earliest_ms == ONE_NEVER || earliest_ms < ranges->end_earliest_ms) {
        ranges->end_earliest_ms = earliest_ms;
        ranges->verdict = verdict;
    }
    if (ranges->end_latest_ms == ONE_NEVER || latest_ms > ranges->end_latest_ms)
        ranges->end_latest_ms = latest_ms;
}

/* The call fails between the earliest and the latest time. If the wait after that may end at the
   limit or later, the call may end there with TIMED_OUT. */
static void time_out(struct one_ranges *ranges, uint32_t limit_ms, const struct walk *early,
                     const struct walk *late)
{
    uint32_t needed_ms = late->wait_ms < limit_ms ? limit_ms - late->wait_ms : 0;
    if (limit_ms && add_ms(late->at_ms, late->wait_ms) >= limit_ms)
        end(ranges, needed_ms > early->at_ms ? needed_ms : early->at_ms, late->at_ms,
            REDIAL_TIMED_OUT);
}

static void tell(struct one_ranges *ranges, const struct walk *early, const struct walk *late)
{
    if (ranges->rows < ONE_ROWS)
        ranges->row[ranges->rows++] =
            (struct one_row){ early->wait_ms, late->wait_ms, early->at_ms, late->at_ms };
    else
        ranges->more = 1;
}

/* One failure and the wait after it. False: no wait after it is possible. */
static bool go_on(struct one_ranges *ranges, uint32_t limit_ms, struct walk *early,
                  struct walk *late, struct redial_outcome outcome)
{
    enum redial_verdict verdict = fail(early, outcome);
    fail(late, outcome);
    if (verdict != REDIAL_WAIT) {
        end(ranges, early->at_ms, late->at_ms, verdict);
        return false;
    }
    time_out(ranges, limit_ms, early, late);
    early->at_ms = add_ms(early->at_ms, early->wait_ms);
    late->at_ms = add_ms(late->at_ms, late->wait_ms);
    if (limit_ms && early->at_ms >= limit_ms)
        return false;
    if (limit_ms && late->at_ms >= limit_ms)
        late->at_ms = limit_ms - 1;
    tell(ranges, early, late);
    return true;
}

void one_ranges(struct one_ranges *ranges, const struct redial_policy *policy,
                struct redial_outcome outcome)
{
    struct walk early, late;
    uint32_t left = failures(policy);
    *ranges = (struct one_ranges){ .end_earliest_ms = ONE_NEVER, .end_latest_ms = ONE_NEVER };
    begin(&early, policy, 0);
    begin(&late, policy, UINT32_MAX);
    while (left && go_on(ranges, policy->max_elapsed_ms, &early, &late, outcome))
        left--;
}
