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

/* Before the first pass of a request. firmware.c has a random first moment for many devices. */
void start(struct uplink *up, const struct redial_policy *policy)
{
    redial_begin(&up->call, policy, tick_ms());
    up->verdict = REDIAL_WAIT;
}

/* In each pass of the loop. redial_ready knows how long the wait still is. It does not know that a
   request is out: that ends with an answer or after its timeout, and reports exactly once. */
void pass(struct uplink *up)
{
    uint32_t now_ms = tick_ms(), retry_after_ms = 0;
    int status = 0;   /* no answer */
    bool has_answer = modem_answered(&status, &retry_after_ms);   /* a late answer goes here, too */
    struct redial_step step;
    if (up->verdict == REDIAL_ATTEMPT && (has_answer || now_ms - up->sent_ms >= up->timeout_ms)) {
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
