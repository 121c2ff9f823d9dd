/* CoAP, DHCP and other questions over UDP. SPDX-License-Identifier: MIT */
#include <redial.h>

/* Yours. The question is the same each time. listen_ms is true if its answer comes within ms, and
   drops answers to other questions. */
void send_question(void);
bool listen_ms(uint32_t ms);

/* The wait is the time in which you listen. So max_retries is the number of transmissions, and
   nothing is sent after the last wait. */
bool ask(const struct redial_policy *policy, const struct redial_env *env)
{
    struct redial_step step = { .verdict = REDIAL_WAIT };
    struct redial_call call;
    bool heard = false;
    if (!redial_begin(&call, policy, env->now_ms(env)))
        return false;
    while (!heard && step.verdict == REDIAL_WAIT && redial_retries(&call) < policy->max_retries) {
        send_question();
        step = redial_next(&call, env->now_ms(env), redial_retry(0, 0), env->random(env));
        heard = listen_ms(step.delay_ms);
    }
    return heard;
}

/* RFC 7252, for one message: it gives up after at most 93 s. */
struct redial_policy coap(uint32_t bits)
{
    struct redial_policy policy = { .max_retries = 5, .jitter = REDIAL_JITTER_NONE };
    policy.base_ms = redial_between_ms(2000, 3000, bits);
    policy.cap_ms = 16 * policy.base_ms;
    return policy;
}
