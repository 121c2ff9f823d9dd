/* For the test of curl_many: after the second retry its clock is a minute later, and Ctrl-C comes
   just before a long wait. Compile the program with -Dredial_system=late_system
   -Dredial_next=late_next -Dcurl_multi_poll=late_poll. SPDX-License-Identifier: MIT */
#include <curl/curl.h>
#include <signal.h>

#include "redial.h"

const struct redial_env *late_system(void);
struct redial_step late_next(struct redial_call *call, uint32_t now_ms,
                             struct redial_outcome outcome, uint32_t random_bits);

CURLMcode late_poll(CURLM *multi, struct curl_waitfd *fds, unsigned count, int ms, int *ready);

static uint32_t late_ms;

static uint32_t late_now_ms(const struct redial_env *env)
{
    (void)env;
    return redial_system()->now_ms(redial_system()) + late_ms;
}

const struct redial_env *late_system(void)
{
    static struct redial_env env;
    env = *redial_system();
    env.now_ms = late_now_ms;
    return &env;
}

struct redial_step late_next(struct redial_call *call, uint32_t now_ms,
                             struct redial_outcome outcome, uint32_t random_bits)
{
    struct redial_step step = redial_next(call, now_ms, outcome, random_bits);
    late_ms = redial_retries(call) == 2 ? 60000 : 0;
    return step;
}

CURLMcode late_poll(CURLM *multi, struct curl_waitfd *fds, unsigned count, int ms, int *ready)
{
    if (ms > 20000 && ms < 60000)
        raise(SIGINT);
    return curl_multi_poll(multi, fds, count, ms, ready);
}
