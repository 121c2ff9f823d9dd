/* A call that goes on after a deep sleep or a restart. SPDX-License-Identifier: MIT */
#include <redial.h>

/* Yours: the request, and the time since the wake-up. */
struct redial_outcome send_reading(uint32_t timeout_ms);
uint32_t awake_ms(void);
uint32_t random_bits(void);   /* in device.c */

/* In memory that survives the sleep. All zero: a new call. */
struct record { uint32_t retries, elapsed_ms, delay_ms; };

/* No wait of this policy is longer: a record that says so is damaged. */
static uint32_t longest_ms(const struct redial_policy *policy)
{
    uint32_t ms = policy->max_retry_after_ms > 0 ? policy->max_retry_after_ms
                                                 : REDIAL_RETRY_AFTER_MAX_MS;
    uint32_t random_ms = policy->cap_ms > 1000 ? policy->cap_ms : 1000;
    ms = ms > policy->cap_ms ? ms : policy->cap_ms;
    return ms < UINT32_MAX - random_ms ? ms + random_ms : UINT32_MAX;
}

/* A whole wake-up. Sleep for delay_ms after WAIT. After any other verdict set the record to zeros.
   by_timer is false after a brown-out, which is no end of a wait: the wait begins again. What is
   kept before the attempt counts if it never ends: a crash in it is a failure. */
struct redial_step wake_up(struct record *record, const struct redial_policy *policy, bool by_timer)
{
    uint32_t longest = longest_ms(policy), n = record->retries, now_ms;
    struct redial_outcome outcome;
    struct redial_step step;
    struct redial_call call;
    redial_resume(&call, policy, n, record->elapsed_ms, 0);
    step = redial_ready(&call, 0);
    if (step.verdict == REDIAL_ATTEMPT && n > policy->max_retries) {
        step.verdict = REDIAL_EXHAUSTED;
    } else if (step.verdict == REDIAL_ATTEMPT && !by_timer && record->delay_ms > 0) {
        step.verdict = REDIAL_WAIT;
        step.delay_ms = record->delay_ms < longest ? record->delay_ms : longest;
    } else if (step.verdict == REDIAL_ATTEMPT) {
        record->delay_ms = redial_random_delay_ms(policy, n, random_bits());
        record->elapsed_ms += record->delay_ms;
        record->retries = n + 1;
        outcome = send_reading(step.timeout_ms);
        now_ms = awake_ms();
        step = redial_next(&call, now_ms, outcome, random_bits());
        *record = (struct record){ redial_retries(&call),
                                   redial_elapsed_ms(&call, now_ms) + step.delay_ms,
                                   step.delay_ms };
    }
    return step;
}

/* Call it as soon as a connection has worked for min_uptime_ms. Otherwise a device whose power
   fails once a day gives up after some days. */
void worked(struct record *record)
{
    *record = (struct record){ 1, 0, 0 };
}
