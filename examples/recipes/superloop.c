/* A superloop, which never blocks. SPDX-License-Identifier: MIT */
#include <redial.h>

/* Yours. modem_answered is true once for each answer. modem_send first ends what is under way. The
   other two are in device.c. */
bool modem_answered(int *status, uint32_t *retry_after_ms);
void modem_send(void);
uint32_t tick_ms(void);
uint32_t random_bits(void);

struct uplink {
    struct redial_call call;
    enum redial_verdict verdict;   /* ATTEMPT: a request is out; WAIT; others: it is over */
    uint32_t sent_ms, timeout_ms;
};

/* For each request. When the power comes back to all devices at once, they would all send at once:
   each begins with a hold, whose length is random up to within_ms and some jitter. It counts as
   elapsed time. For no hold, pass 0. */
void start(struct uplink *up, const struct redial_policy *policy, uint32_t within_ms)
{
    uint32_t now_ms = tick_ms();
    redial_begin(&up->call, policy, now_ms);
    up->verdict = REDIAL_WAIT;
    if (within_ms > 0)
        up->verdict = redial_next(&up->call, now_ms,
                                  redial_held(redial_between_ms(1, within_ms, random_bits())),
                                  random_bits()).verdict;
}

/* In each pass of the loop. redial_ready knows how long the wait still is. It does not know that a
   request is out: that ends with an answer or after its timeout, and reports exactly once. */
void pass(struct uplink *up)
{
    uint32_t now_ms = tick_ms(), retry_after_ms = 0;
    int status = 0;   /* no answer */
    bool answered = modem_answered(&status, &retry_after_ms);   /* a late answer goes here, too */
    struct redial_step step;
    if (up->verdict == REDIAL_ATTEMPT && (answered || now_ms - up->sent_ms >= up->timeout_ms)) {
        step = redial_next(&up->call, now_ms, redial_http(status, retry_after_ms, "GET"),
                           random_bits());
        up->verdict = step.verdict;
    } else if (up->verdict == REDIAL_WAIT) {
        step = redial_ready(&up->call, now_ms);
        up->verdict = step.verdict;
        up->sent_ms = now_ms;
        up->timeout_ms = step.timeout_ms;
        if (step.verdict == REDIAL_ATTEMPT)
            modem_send();
    }
}
