// An operation throws through redial_run, and a thread is cancelled in one: the caller's objects
// are destroyed.
// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <stdio.h>
#include <redial.h>

static struct redial_outcome leaves(void *thrown, const struct redial_attempt *)
{
    if (thrown)
        throw 42;
    pthread_cancel(pthread_self());
    pthread_testcancel();
    return redial_done();
}

static void *runs(void *thrown)
{
    struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    struct watched {
        ~watched() { puts("left"); }
    } above;
    redial_run(&policy, redial_system(), leaves, thrown, NULL);
    return thrown;
}

int main()
{
    pthread_t thread;
    try {
        runs(&thread);
    } catch (int) {
        puts("thrown");
    }
    pthread_create(&thread, NULL, runs, NULL);
    pthread_join(thread, NULL);
    return 0;
}
