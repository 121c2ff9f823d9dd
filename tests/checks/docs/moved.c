/* The loops of "Moving a loop to redial" in examples/README.md, run against a scripted server. docs.sh extracts them.
   SPDX-License-Identifier: MIT */
#include <assert.h>

#include "redial_fake.h"

static struct redial_fake fake;
static int requests, logins, failures;   /* the first `failures` answers are 503 */
static bool login_needed;

static int http_get(const char *url, uint32_t *retry_after_ms)
{
    (void)url;
    fake.now_ms += 100;                  /* an attempt takes 100 ms */
    *retry_after_ms = 0;
    if (login_needed && logins == 0)
        return requests++, 401;
    return requests++ < failures ? 503 : 200;
}

static bool log_in(void)
{
    logins++;
    return true;
}

#include "shapes.c"

static struct redial_policy fresh(int failing, bool login)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    redial_fake_init(&fake);
    requests = logins = 0;
    failures = failing;
    login_needed = login;
    return policy;
}

static void the_first_attempt_made_elsewhere_is_one_of_six(void)
{
    struct redial_policy policy = fresh(100, false);
    assert(get_page("/", &policy, &fake.env) == 503 && requests == 6 && fake.waits == 5);
    policy = fresh(2, false);
    assert(get_page("/", &policy, &fake.env) == 200 && requests == 3 && fake.waits == 2);
}

static void a_login_costs_no_retry_and_no_wait(void)
{
    struct redial_policy policy = fresh(0, true);
    assert(get_with_login("/", &policy, &fake.env) == 200 && requests == 2 && logins == 1 && fake.waits == 0);
    policy = fresh(100, true);
    assert(get_with_login("/", &policy, &fake.env) == 503 && requests == 7 && logins == 1 && fake.waits == 5);
    policy = fresh(0, true);
    policy.max_elapsed_ms = 100;         /* used up by the 401 */
    assert(get_with_login("/", &policy, &fake.env) == 401 && requests == 1);
}

static void only_waits_count_towards_the_limit(void)
{
    struct redial_policy policy = fresh(100, false);
    policy.max_elapsed_ms = 3001;        /* 1 s and 2 s fit, whatever the attempts take */
    policy.jitter = REDIAL_JITTER_NONE;
    assert(get_with_limited_waits("/", &policy, &fake.env) == 503 && fake.waits == 2 && requests == 3);
    policy.max_elapsed_ms = 3000;
    requests = 0;
    redial_fake_init(&fake);
    assert(get_with_limited_waits("/", &policy, &fake.env) == 503 && fake.waits == 1 && requests == 2);
}

static void a_retry_after_is_kept_exactly(void)
{
    struct redial_policy policy = fresh(0, false);
    struct redial_call call;
    struct redial_step step = redial_loop_begin(&call, &policy, &fake.env);
    assert(step.verdict == REDIAL_RETRY);
    fake.random = 0xffffffff;
    step = wait_exactly(&call, &policy, &fake.env, 503, 7000);
    assert(step.verdict == REDIAL_RETRY && fake.waits == 1 && fake.waited_ms[0] == 7000);
}

int main(void)
{
    the_first_attempt_made_elsewhere_is_one_of_six();
    a_login_costs_no_retry_and_no_wait();
    only_waits_count_towards_the_limit();
    a_retry_after_is_kept_exactly();
    return 0;
}
