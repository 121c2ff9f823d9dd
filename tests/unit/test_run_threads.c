/* redial_run in several threads at once, without a report. A state that two runs shared would be mixed up, and a thread
   sanitizer would report it. SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "redial_fake.h"
#include "decision.h"

#define THREADS 4
#define RUNS 2000

struct runner {
    pthread_t thread;
    const struct redial_policy *policy;
    uint32_t attempts, wrong;
};

static struct redial_outcome attempt_once(void *user, const struct redial_attempt *attempt)
{
    struct runner *runner = (struct runner *)user;
    runner->wrong += attempt->number != ++runner->attempts;
    return redial_retry((int)runner->attempts);
}

static void check_event(const struct redial_env *env, const struct redial_event *event)
{
    struct runner *runner = (struct runner *)env->user;
    runner->wrong += event->retry != runner->attempts || event->outcome.code != (int)runner->attempts;
}

static void *run_often(void *arg)
{
    struct runner *runner = (struct runner *)arg;
    for (unsigned run = 0; run < RUNS; run++) {
        struct redial_fake fake;
        redial_fake_init(&fake);
        fake.env.on_wait = check_event;
        fake.env.user = runner;
        runner->attempts = 0;
        runner->wrong += redial_run(runner->policy, &fake.env, attempt_once, runner, NULL) != REDIAL_EXHAUSTED;
        runner->wrong += runner->attempts != 6 || fake.now_ms != 31000;
    }
    return NULL;
}

TEST(runs_in_four_threads_do_not_disturb_each_other)
{
    const struct redial_policy policy = plain_policy();
    struct runner runners[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        runners[i].policy = &policy;
        runners[i].wrong = 0;
        assert_int_equal(pthread_create(&runners[i].thread, NULL, run_often, &runners[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(runners[i].thread, NULL), 0);
        assert_int_equal(runners[i].wrong, 0);
    }
}

int main(void)
{
    return run_all();
}
