/* For the test of curl_many: a loop that is late, and a resolver that hangs. Compile the program
   with -Dredial_system=late_system -Dredial_next=late_next. SPDX-License-Identifier: MIT */
#include <netdb.h>
#include <unistd.h>

#include "redial.h"

const struct redial_env *late_system(void);
struct redial_step late_next(struct redial_call *call, uint32_t now_ms,
                             struct redial_outcome outcome, uint32_t random_bits);

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

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found)
{
    (void)name, (void)service, (void)hints, (void)found;
    pause();
    return EAI_AGAIN;
}
