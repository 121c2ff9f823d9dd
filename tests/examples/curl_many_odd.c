/* curl_many for its test: after the second retry its clock is a minute later, and Ctrl-C comes just
   before a long wait. SPDX-License-Identifier: MIT */
#include <curl/curl.h>
#include <signal.h>

#include "redial.h"

static uint32_t late_ms;

static uint32_t odd_now_ms(const struct redial_env *env)
{
    (void)env;
    return redial_system()->now_ms(redial_system()) + late_ms;
}

static const struct redial_env *odd_system(void)
{
    static struct redial_env env;
    env = *redial_system();
    env.now_ms = odd_now_ms;
    return &env;
}

static struct redial_step odd_next(struct redial_call *call, uint32_t now_ms,
                                   struct redial_outcome outcome, uint32_t random_bits)
{
    struct redial_step step = redial_next(call, now_ms, outcome, random_bits);
    late_ms = redial_retries(call) == 2 ? 60000 : 0;
    return step;
}

static CURLMcode odd_poll(CURLM *multi, struct curl_waitfd *fds, unsigned count, int ms, int *ready)
{
    if (ms > 20000 && ms < 60000)
        raise(SIGINT);
    return curl_multi_poll(multi, fds, count, ms, ready);
}

static void odd_cleanup(CURL *curl);

#define redial_system odd_system
#define redial_next odd_next
#define curl_multi_poll odd_poll
#define curl_easy_cleanup odd_cleanup
#include "../../examples/curl/curl_many.c"
#undef curl_easy_cleanup

/* Is what was given up ended, too? */
static void odd_cleanup(CURL *curl)
{
    struct get *get = NULL;
    curl_easy_getinfo(curl, CURLINFO_PRIVATE, (char **)&get);
    if (get->sent)
        puts("an attempt was not ended");
    curl_easy_cleanup(curl);
}
